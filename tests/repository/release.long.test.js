// Shows that a release is made as docs/internals/releases.md says, and refused when something is amiss, in repositories made for
// it.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { dateOf, distTag, nextVersion, unreleased, withVersion } from '../../scripts/release.js'

const ROOT = resolve(import.meta.dirname, '../..')
const SCRIPT = join(ROOT, 'scripts/release.js')
const COPIED = [
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  '.npmrc',
  'docs/installing.md',
  'packages/ensemble/package.json',
  'assembly/version.ts',
]

/** What the changelogs of later releases look like. */
const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- The entry strata-ecs/react.

## [0.1.0] - 2026-11-01

The first release.
`

let root

const env = {
  ...process.env,
  GIT_AUTHOR_NAME: 'Tester',
  GIT_AUTHOR_EMAIL: 'tester@example.org',
  GIT_COMMITTER_NAME: 'Tester',
  GIT_COMMITTER_EMAIL: 'tester@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
}
const git = (...args) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trim()
const read = (file) => readFileSync(join(root, file), 'utf8')
const write = (file, text) => writeFileSync(join(root, file), text)

/** Runs the command in the repository. */
function release(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  return { status, said: stdout, complained: stderr }
}

const setPackage = (changes) => {
  write('package.json', JSON.stringify({ ...JSON.parse(read('package.json')), ...changes }, null, 2))
}

/** Everything that a release may change. */
const state = () => [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain'), ...COPIED.map(read)]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'strata-release-'))
  for (const folder of ['docs', 'packages/ensemble', 'assembly', 'dist', '.ci'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const file of COPIED) copyFileSync(join(ROOT, file), join(root, file))
  write('CHANGELOG.md', CHANGELOG)
  setPackage({ scripts: {} })
  // The checks of a release take long: here they look for a file.
  write('.ci/run', '[ "$*" = "lint test types package" ] && [ ! -e broken ]')
  write('dist/index.js', 'export {}\n')
  write('.gitignore', 'build/\nbroken\n')
  git('init', '--quiet', '-b', 'main')
  git('add', '-A')
  git('commit', '--quiet', '-m', 'Begin')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('a release', () => {
  it('writes changelog and version, commits, tags and packs', () => {
    const { status, said } = release('1.2.3', '--date', '2026-12-01')
    expect([status, git('status', '--porcelain')]).toEqual([0, ''])
    expect(git('log', '-1', '--format=%s')).toBe('Release 1.2.3')
    expect(git('cat-file', '-t', 'v1.2.3')).toBe('tag')
    expect(git('tag', '--points-at', 'HEAD')).toBe('v1.2.3')
    expect(JSON.parse(read('package.json')).version).toBe('1.2.3')
    const lock = JSON.parse(read('package-lock.json'))
    expect([lock.version, lock.packages[''].version]).toEqual(['1.2.3', '1.2.3'])
    expect(read('CHANGELOG.md')).toMatch(/## \[Unreleased\]\n\n## \[1\.2\.3\] - 2026-12-01\n\n### Added\n/)
    expect(read('docs/installing.md')).toContain('strata-ecs-1.2.3.tgz')
    expect(JSON.parse(read('packages/ensemble/package.json')).peerDependencies['strata-ecs']).toBe('^1.2.3')
    expect(read('assembly/version.ts')).toContain('export const strataCore_1_2_3: bool')
    expect(existsSync(join(root, 'build/release/strata-ecs-1.2.3.tgz'))).toBe(true)
    expect(said).toContain('git push --follow-tags origin main')
    expect(release('--dry-run').complained).toMatch(/says nothing below/)
  })

  it('has the version that the changelog names in advance, even that of package.json: the first one', () => {
    const version = JSON.parse(read('package.json')).version
    write('CHANGELOG.md', `# Changelog\n\n## [${version}] - unreleased\n\nThe first release.\n\n- Worlds.\n`)
    git('commit', '--quiet', '-am', 'Say what there is')
    const { status } = release('--date', '2026-12-01')
    expect([status, git('tag', '--points-at', 'HEAD')]).toEqual([0, `v${version}`])
    expect(read('CHANGELOG.md')).toContain(`## [Unreleased]\n\n## [${version}] - 2026-12-01\n`)
    expect(JSON.parse(read('package.json')).version).toBe(version)
  })

  it('reports in a dry run everything it would do, and does nothing', () => {
    const before = state()
    const { status, said } = release('minor', '--dry-run', '--date', '2026-12-01')
    expect([status, state()]).toEqual([0, before])
    expect(existsSync(join(root, 'build'))).toBe(false)
    for (const part of [
      'strata-ecs 0.1.0 -> 0.2.0',
      'would write the version into package.json, package-lock.json, CHANGELOG.md',
      '.ci/run lint test types package',
      'would commit "Release 0.2.0" and tag it v0.2.0',
      'strata-ecs-0.2.0.tgz',
      '## [0.2.0] - 2026-12-01',
      'strata-ecs/react',
    ])
      expect(said).toContain(part)
    expect(said).not.toContain('would refuse')
  })

  it('reports in a dry run, too, why it would refuse', () => {
    git('checkout', '--quiet', '-b', 'topic')
    write('README.md', 'other')
    const { status, said } = release('--dry-run')
    expect(status).toBe(0)
    expect(said).toMatch(
      /would refuse: There are changes.*README\.md[\s\S]*would refuse: This is the branch topic/s,
    )
  })

  it.each([
    ['a dirty tree', () => write('README.md', 'other'), /README\.md/],
    ['another branch than main', () => git('checkout', '--quiet', '-b', 'topic'), /the branch topic/],
    ['failing checks', () => write('broken', ''), /The checks failed/],
    ['a tag that exists', () => git('tag', 'v0.2.0'), /v0\.2\.0 exists/],
  ])('is refused for %s, and leaves everything as it was', (_, spoil, reason) => {
    spoil()
    const before = state()
    const { status, complained } = release('minor')
    expect([status, state()]).toEqual([1, before])
    expect(complained).toMatch(reason)
  })
})

describe('a release that is stopped', () => {
  /** Begins a release whose checks wait, and ends when they have begun. */
  async function begun() {
    write('.ci/run', 'touch build/begun; sleep 60; exit 1')
    mkdirSync(join(root, 'build'))
    git('commit', '--quiet', '-am', 'Wait in the checks')
    const before = state()
    // A group of its own gets the signal as those of a terminal do.
    const child = spawn(process.execPath, [SCRIPT, 'minor'], { cwd: root, env, detached: true })
    onTestFinished(() => {
      if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    })
    let complained = ''
    child.stderr.on('data', (text) => (complained += text))
    const ended = new Promise((done) => child.on('close', done))
    await vi.waitFor(() => expect(existsSync(join(root, 'build/begun'))).toBe(true), { timeout: 60_000 })
    expect(JSON.parse(read('package.json')).version).toBe('0.2.0')
    return { before, child, ended, complained: () => complained }
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('by %s leaves the tree as it was', async (signal) => {
    const { before, child, ended, complained } = await begun()
    process.kill(-child.pid, signal)
    expect(await ended).toBe(1)
    expect(complained()).toContain(`Stopped by ${signal}: everything was taken back.`)
    expect(state()).toEqual(before)
  })
})

describe('the date of a release', () => {
  it.each(['2026-12-01', '2028-02-29'])('is %s', (date) => expect(dateOf(date)).toBe(date))

  it.each([
    'x',
    '',
    '2026-13-45',
    '2026-02-30',
    '2027-02-29',
    '26-12-01',
    '2026-12-1',
    ' 2026-12-01',
    '2026-12-01\n## [9.9.9]',
  ])('is never %j', (date) => {
    expect(() => dateOf(date)).toThrow(/is no date: write it as \d{4}-\d\d-\d\d/)
  })

  it('is checked before anything is written', () => {
    const before = state()
    const { status, complained } = release('minor', '--date', '2026-13-45')
    expect([status, state()]).toEqual([1, before])
    expect(complained).toMatch(/^Refused\. '2026-13-45' is no date/)
  })
})

describe('publishing', () => {
  const complaints = () => release('publish').complained

  it('is refused without a tag, and without the address of the repository', () => {
    expect(complaints()).toMatch(/HEAD has no tag v0\.1\.0[\s\S]*package\.json has no "repository"/)
    git('tag', 'v0.1.0')
    expect(complaints()).not.toMatch(/no tag/)
    expect(complaints()).toMatch(/no "repository"/)
  })

  it('reports in a dry run what it would do: public, with provenance', () => {
    setPackage({ repository: { type: 'git', url: 'git+https://example.org/strata-ecs.git' } })
    git('commit', '--quiet', '-am', 'Say where')
    git('tag', 'v0.1.0')
    const { status, said } = release('publish', '--dry-run')
    expect([status, said.trim()]).toEqual([
      0,
      'would run npm publish --tag latest for strata-ecs 0.1.0, public, with provenance',
    ])
    expect(JSON.parse(read('package.json')).publishConfig).toEqual({ access: 'public', provenance: true })
  })
})

describe('what npm calls a version', () => {
  it.each([
    ['1.2.3', 'latest'],
    ['1.0.0-beta.1', 'next'],
    ['0.1.1-0', 'next'],
    ['2.0.0-rc', 'next'],
    ['1.2.3+build.5', 'latest'],
  ])('%s is %s', (version, tag) => expect(distTag(version)).toBe(tag))

  it('is next for a pre-release that is published', () => {
    setPackage({
      version: '0.2.0-beta.1',
      repository: { type: 'git', url: 'git+https://example.org/strata-ecs.git' },
    })
    git('commit', '--quiet', '-am', 'Say where')
    git('tag', 'v0.2.0-beta.1')
    expect(release('publish', '--dry-run').said).toContain(
      'npm publish --tag next for strata-ecs 0.2.0-beta.1',
    )
  })
})

describe('the next version', () => {
  it.each([
    ['0.1.0', 'patch', '0.1.1'],
    ['0.1.0', 'minor', '0.2.0'],
    ['0.1.0', 'major', '1.0.0'],
    ['0.1.0', '0.1.1-beta.1', '0.1.1-beta.1'],
  ])('after %s, asked for as %s, is %s', (current, asked, version) => {
    expect(nextVersion(current, asked, '')).toBe(version)
  })

  it('is a patch when the changelog only has fixes, and minor otherwise', () => {
    expect(nextVersion('1.4.2', undefined, '### Fixed\n\n- a')).toBe('1.4.3')
    expect(nextVersion('1.4.2', undefined, '### Added\n\n- a\n\n### Fixed\n\n- b')).toBe('1.5.0')
  })

  it('is the one that the changelog names in advance, unless another is asked for', () => {
    expect(nextVersion('0.1.0', undefined, '', '0.1.0')).toBe('0.1.0')
    expect(nextVersion('0.1.0', '0.1.0', '', '0.1.0')).toBe('0.1.0')
    expect(nextVersion('0.1.0', undefined, '', '1.0.0')).toBe('1.0.0')
    expect(nextVersion('0.1.0', 'minor', '', '0.1.0')).toBe('0.2.0')
    expect(() => nextVersion('0.2.0', undefined, '', '0.1.0')).toThrow(/does not come after/)
    expect(() => nextVersion('0.2.0', undefined, '', 'soon')).toThrow(/is no version/)
  })

  it.each(['1.0', 'v2.0.0', 'next', '0.1.0', '0.0.9'])('is never %s', (asked) => {
    expect(() => nextVersion('0.1.0', asked, '')).toThrow(/is no version|does not come after/)
  })
})

it('The changelog keeps its text: the unreleased part gets a heading, and nothing else changes', () => {
  const ours = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  for (const changelog of [CHANGELOG, ours]) {
    const notes = unreleased(changelog)
    expect(notes).not.toMatch(/^## /m)
    const released = withVersion(changelog, '9.9.9', '2030-01-01')
    expect(unreleased(released)).toBe('')
    const heading = changelog.match(/^## .*$/m)[0]
    expect(released.replace('## [Unreleased]\n\n## [9.9.9] - 2030-01-01', heading)).toBe(changelog)
  }
  expect(() => unreleased('# Changelog\n')).toThrow(/has no heading/)
})
