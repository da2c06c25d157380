// Owns a release: which version it is, what of the changelog belongs to it, and in which order files, checks, commit, tag and
// tarball are made. It must never change anything before every reason to refuse was looked at, and never name a registry.
//
//   npm run release -- [patch | minor | major | X.Y.Z] [--dry-run] [--date YYYY-MM-DD]
//   npm run release -- publish [--dry-run]
//
// The first makes a release here: nothing leaves this machine. The second hands the tagged commit to the registry, a pre-release as
// `next` and any other as `latest`; it belongs in CI,
// where npm can prove where the package was built (docs/internals/releases.md).

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Argument, Command, Option } from 'commander'
import semver from 'semver'

const BRANCH = 'main'
/** The heading of what was not released. The first release names its version in advance: it is in package.json already. */
const UNRELEASED = /^## \[(?:Unreleased\]|(\S+)\] - unreleased)\n/m
const EMPTY = '## [Unreleased]'
const TARBALLS = 'build/release'
/** The parts of .ci/run that a release has to pass. */
const CHECKS = ['lint', 'test', 'types', 'package']

/** A reason not to release. The sentence says what to do. */
class Refusal extends Error {}

/** Where the changelog begins to speak of the next version. */
function headingIn(changelog) {
  const found = UNRELEASED.exec(changelog)
  if (found === null) throw new Refusal(`CHANGELOG.md has no heading "${EMPTY}": add it.`)
  return found
}

/** What the changelog says of the next version: the text below its heading. */
export function unreleased(changelog) {
  const [heading] = headingIn(changelog)
  const text = changelog.slice(changelog.indexOf(heading) + heading.length)
  const end = text.search(/^## /m)
  return (end < 0 ? text : text.slice(0, end)).trim()
}

/** The version that the changelog names in advance: `## [0.1.0] - unreleased`. Undefined where it says `## [Unreleased]`. */
const planned = (changelog) => headingIn(changelog)[1]

/** The changelog with a heading for the version above what was not released, and an empty place for what comes next. */
export function withVersion(changelog, version, date) {
  return changelog.replace(UNRELEASED, () => `${EMPTY}\n\n## [${version}] - ${date}\n`)
}

/**
 * The version that is asked for. Without a wish it is the one that the changelog names in advance, which may be the current one;
 * else a changelog of fixes alone is a patch, and any other a minor version: what breaks programs after 1.0.0 must be asked for as major.
 *
 * @throws {Refusal} for what is no version, or none after the current one
 */
export function nextVersion(current, asked, notes, named) {
  if (named === current && (asked ?? named) === named) return named
  const step = asked ?? named ?? (/^### (?!Fixed|Security)/m.test(notes) ? 'minor' : 'patch')
  const isStep = ['patch', 'minor', 'major'].includes(step)
  const version = isStep ? semver.inc(current, step) : semver.valid(step)
  if (version === null || (!isStep && version !== step))
    throw new Refusal(`'${step}' is no version: say patch, minor, major, or a version such as 1.2.3.`)
  if (!semver.gt(version, current))
    throw new Refusal(`${version} does not come after ${current}: choose a later version.`)
  return version
}

/** The name under which npm hands out a version that nobody asked for by its number: a pre-release is never the latest. */
export function distTag(version) {
  return semver.prerelease(version) === null ? 'latest' : 'next'
}

/**
 * The day that the changelog gets.
 *
 * @throws {Refusal} for what is no day of the calendar
 */
export function dateOf(text) {
  const day = new Date(`${text}T00:00:00Z`)
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text))
    return text
  throw new Refusal(`'${text}' is no date: write it as ${today()}.`)
}

/** The repository in a folder, as git and npm see it. */
function repositoryAt(root) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    git,
    npm,
    read: (file) => readFileSync(join(root, file), 'utf8'),
    write: (file, text) => writeFileSync(join(root, file), text),
    has: (file) => existsSync(join(root, file)),
    path: (file) => join(root, file),
    /** Whether some parts of .ci/run succeed, and the signal that ended them, if one did. What they print is shown. */
    check: (...parts) =>
      new Promise((resolve, reject) => {
        const child = spawn('bash', [join(root, '.ci/run'), ...parts], { cwd: root, stdio: 'inherit' })
        child.on('error', reject).on('exit', (code, signal) => {
          // A shell whose command was ended by a signal says so by 128 and its number.
          const [name] = Object.entries(constants.signals).find(([, number]) => number === code - 128) ?? []
          resolve({ passed: code === 0, endedBy: signal ?? name })
        })
      }),
    hasTag: (tag) => git('tag', '--list', tag) !== '',
    changes: () => git('status', '--porcelain'),
    branch: () => git('rev-parse', '--abbrev-ref', 'HEAD'),
  }
}

/** Files that name the version beside package.json and its lock file: what they say of the old one, and of the new. */
const NAMING = [
  ['assembly/version.ts', (version) => `strataCore_${version.replaceAll(/\W/g, '_')}:`],
  ['docs/installing.md', (version) => `strata-ecs-${version}.tgz`],
  ['packages/ensemble/package.json', (version) => `"strata-ecs": "^${version}"`],
  ['package-lock.json', (version) => `"strata-ecs": "^${version}"`],
]

function reasonsAgainst(repository) {
  const reasons = []
  const changes = repository.changes()
  if (changes !== '')
    reasons.push(`There are changes that are not committed:\n${changes}\nCommit or stash them.`)
  const branch = repository.branch()
  if (branch !== BRANCH) reasons.push(`This is the branch ${branch}: releases are made on ${BRANCH}.`)
  return reasons
}

/** Signals that ask a release to stop. They are heard when the step that runs has ended: it gets them from the terminal as well. */
class Interruption {
  static SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
  constructor() {
    this.signal = undefined
    this.hear = (signal) => (this.signal ??= signal)
    for (const signal of Interruption.SIGNALS) process.on(signal, this.hear)
  }
  refuse() {
    if (this.signal !== undefined) throw new Refusal(`Stopped by ${this.signal}: everything was taken back.`)
  }
  end() {
    for (const signal of Interruption.SIGNALS) process.off(signal, this.hear)
  }
}

/** Makes a release, or says what it would do. */
async function release(root, asked, { dryRun, date: wished }, say) {
  const date = dateOf(wished)
  const repository = repositoryAt(root)
  const { name, version: current } = JSON.parse(repository.read('package.json'))
  const changelog = repository.read('CHANGELOG.md')
  const notes = unreleased(changelog)
  if (!/^- /m.test(notes))
    throw new Refusal(
      `CHANGELOG.md says nothing below its heading of what was not released: write what changed.`,
    )
  const version = nextVersion(current, asked, notes, planned(changelog))
  const tag = `v${version}`
  if (repository.hasTag(tag)) throw new Refusal(`The tag ${tag} exists: choose a later version.`)
  const reasons = reasonsAgainst(repository)
  const naming = NAMING.filter(([file]) => repository.has(file))
  const files = [
    ...new Set(['package.json', 'package-lock.json', 'CHANGELOG.md', ...naming.map(([file]) => file)]),
  ]

  say(`${name} ${current} -> ${version}, ${date}`)
  if (dryRun) {
    const [{ filename, entryCount, size, unpackedSize }] = JSON.parse(
      repository.npm('pack', '--dry-run', '--ignore-scripts', '--json'),
    )
    say(`\nwould write the version into ${files.join(', ')}`)
    say(`would run .ci/run ${CHECKS.join(' ')}, and take everything back if they fail`)
    say(`would commit "Release ${version}" and tag it ${tag}`)
    say(
      `would pack ${TARBALLS}/${filename.replace(current, version)}: as built now, ${entryCount} files, ${kilobytes(size)} KB packed, ${kilobytes(unpackedSize)} KB unpacked`,
    )
    say(`\n## [${version}] - ${date}\n\n${notes}`)
    for (const reason of reasons) say(`\nwould refuse: ${reason}`)
    return
  }
  if (reasons.length > 0) throw new Refusal(reasons.join('\n'))

  const takeBack = () => repository.git('checkout', '--', ...files)
  const interruption = new Interruption()
  try {
    repository.npm('version', version, '--no-git-tag-version', '--ignore-scripts', '--allow-same-version')
    repository.write('CHANGELOG.md', withVersion(changelog, version, date))
    for (const [file, text] of naming)
      repository.write(file, repository.read(file).replaceAll(text(current), text(version)))
    const { passed, endedBy } = await repository.check(...CHECKS)
    // What ended the checks is meant for the release: its own news of the signal may come later.
    if (Interruption.SIGNALS.includes(endedBy)) interruption.hear(endedBy)
    interruption.refuse()
    if (!passed) throw new Refusal('The checks failed: everything was taken back. Mend what they name.')
  } catch (error) {
    takeBack()
    throw error
  } finally {
    interruption.end()
  }
  repository.git('add', ...files)
  repository.git('commit', '--quiet', '-m', `Release ${version}`, '-m', notes)
  repository.git('tag', '--annotate', tag, '-m', `${name} ${version}`)
  mkdirSync(repository.path(TARBALLS), { recursive: true })
  const [{ filename }] = JSON.parse(
    repository.npm('pack', '--ignore-scripts', '--json', '--pack-destination', repository.path(TARBALLS)),
  )
  say(`committed and tagged ${tag}; packed ${TARBALLS}/${filename}`)
  say(`Next: git push --follow-tags origin ${BRANCH}. CI publishes the tag.`)
}

/** Hands the tagged commit to the registry that npm is set up for, or says why not. */
function publish(root, { dryRun }, say) {
  const repository = repositoryAt(root)
  const { name, version, repository: address } = JSON.parse(repository.read('package.json'))
  const tag = distTag(version)
  const reasons = []
  const changes = repository.changes()
  if (changes !== '') reasons.push(`There are changes that are not committed:\n${changes}`)
  const tags = repository.git('tag', '--points-at', 'HEAD').split('\n')
  if (!tags.includes(`v${version}`))
    reasons.push(`HEAD has no tag v${version}: make the release first, or check out its tag.`)
  if (typeof (address?.url ?? address) !== 'string')
    reasons.push(
      'package.json has no "repository": npm proves with it where the package was built. Fill it in, see docs/internals/releases.md.',
    )
  if (dryRun) {
    say(`would run npm publish --tag ${tag} for ${name} ${version}, public, with provenance`)
    for (const reason of reasons) say(`would refuse: ${reason}`)
    return
  }
  if (reasons.length > 0) throw new Refusal(reasons.join('\n'))
  say(repository.npm('publish', '--tag', tag))
}

const kilobytes = (bytes) => Math.round(bytes / 1000).toLocaleString('en-US')

const today = () => new Date().toISOString().slice(0, 10)

function main() {
  const say = (text) => console.log(text)
  const dryRun = new Option('--dry-run', 'change nothing, say what would be done').default(false)
  const guarded = async (action) => {
    try {
      await action()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      console.error(`Refused. ${error.message}`)
      process.exitCode = 1
    }
  }
  const program = new Command('npm run release --').description('Makes a release of this package.')
  program
    .command('make', { isDefault: true })
    .description('changelog, version, checks, commit, tag and tarball: nothing leaves this machine')
    .addArgument(
      new Argument('[version]', 'patch, minor, major or X.Y.Z; as the changelog suggests when left out'),
    )
    .addOption(dryRun)
    .option('--date <date>', 'what the changelog says', today())
    .action((version, options) => guarded(() => release(process.cwd(), version, options, say)))
  program
    .command('publish')
    .description('hands the tagged commit to the registry; for CI')
    .addOption(dryRun)
    .action((options) => guarded(() => publish(process.cwd(), options, say)))
  return program.parseAsync()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
