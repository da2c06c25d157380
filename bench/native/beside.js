// npm run bench -- native: the same works with strata-ecs, EnTT and flecs, in turns, each in processes of its own. The sources of
// EnTT and flecs are those that --entt and --flecs point to; what is not there is left out. No time is printed of a work whose
// numbers differ from those of the others.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fail, orFail } from '../options.js'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const BUILT = fileURLToPath(new URL('../../build/bench', import.meta.url))
const SIMD = process.arch === 'x64' ? ['-march=x86-64-v2'] : []
const OPTIMIZED = ['-O3', '-DNDEBUG', ...SIMD]

/** Each work, over which numbers of entities. */
const WORKS = {
  create: [100_000],
  'create in bulk': [100_000],
  destroy: [100_000],
  'destroy all': [100_000],
  move: [1_000, 10_000, 100_000, 1_000_000],
  archetypes: [256],
  'add, remove': [1_000, 100_000],
  'spawn, destroy': [1_000, 100_000],
  get: [1_000, 100_000],
  set: [100_000],
  tree: [100_000],
  snapshot: [100_000],
}
/** flecs has snapshots as JSON alone. */
const LACKING = { flecs: ['snapshot'] }

/** How the program of a library is compiled, from its sources. */
const PROGRAMS = {
  entt(sources, program) {
    run('g++', [
      '-std=c++20',
      ...OPTIMIZED,
      '-I',
      join(sources, 'single_include'),
      '-o',
      program,
      `${HERE}entt.cpp`,
    ])
  },
  flecs(sources, program) {
    const folder = join(sources, 'distr')
    const object = `${program}.o`
    run('gcc', ['-std=gnu99', ...OPTIMIZED, '-I', folder, '-c', '-o', object, join(folder, 'flecs.c')])
    run('g++', ['-std=c++20', ...OPTIMIZED, '-I', folder, '-o', program, `${HERE}flecs.cpp`, object])
  },
}

const run = (program, words) =>
  execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** What is asked for: the sources of each library, and how many rounds. */
function readWords(words) {
  const option = { type: 'string' }
  const options = { entt: option, flecs: option, rounds: { ...option, default: '3' } }
  const { values } = orFail(() => parseArgs({ args: words, options }))
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1)
    fail(`--rounds takes a whole number from 1, not '${values.rounds}'.`)
  for (const [library, header] of Object.entries({
    entt: 'single_include/entt/entt.hpp',
    flecs: 'distr/flecs.c',
  })) {
    const sources = values[library]
    if (sources !== undefined && !existsSync(join(sources, header)))
      fail(`--${library} takes a folder with its sources: there is no ${header} in ${sources}.`)
  }
  return { ...values, rounds }
}

/** The commands by library. */
function commandsOf(sources) {
  const commands = { 'strata-ecs': [process.execPath, `${HERE}strata.js`] }
  mkdirSync(BUILT, { recursive: true })
  for (const [library, compile] of Object.entries(PROGRAMS)) {
    if (sources[library] === undefined) {
      console.error(`left out: ${library}: --${library} DIR says where its sources are.`)
      continue
    }
    const program = join(BUILT, library)
    orFail(() => compile(sources[library], program), `${library} could not be compiled: `)
    commands[library] = [program]
  }
  return commands
}

/** The ways of one work, `library: way`, with the least time of all rounds. */
function measure(commands, work, n, rounds) {
  const best = new Map()
  let right
  for (let round = 0; round < rounds; round++) {
    for (const [library, [program, ...words]] of Object.entries(commands)) {
      if (LACKING[library]?.includes(work)) continue
      for (const line of run(program, [...words, work, String(n)])
        .trim()
        .split('\n')) {
        const { way, ns, check } = JSON.parse(line)
        right ??= check
        if (check !== right)
          fail(`${work} ${n}, ${library}, ${way}: ${check} came out, and ${right} elsewhere.`)
        const name = `${library}: ${way}`
        best.set(name, { library, way, ns: Math.min(ns, best.get(name)?.ns ?? Infinity) })
      }
    }
  }
  return [...best.values()]
}

const figure = (ns) => (ns < 10 ? ns.toPrecision(3) : ns < 100 ? ns.toFixed(1) : ns.toFixed(0))

/** A row of the table: the ways of each library, and how many times as long the fastest of strata-ecs takes as theirs. */
function rowOf(work, n, ways, libraries) {
  const of = (library) => ways.filter((one) => one.library === library)
  const least = (library) => Math.min(...of(library).map(({ ns }) => ns))
  const cells = libraries.map(
    (library) =>
      of(library)
        .map(({ way, ns }) => `${figure(ns)} ${way}`)
        .join(', ') || '-',
  )
  const ratios = libraries.slice(1).map((library) => {
    const ratio = least('strata-ecs') / least(library)
    return Number.isFinite(ratio) && ratio > 0 ? ratio.toFixed(2) : '-'
  })
  return `| ${[work, n.toLocaleString('en'), ...cells, ...ratios].join(' | ')} |`
}

export function native(words) {
  const { rounds, ...sources } = readWords(words)
  const commands = commandsOf(sources)
  const libraries = Object.keys(commands)
  const heads = ['work', 'entities', ...libraries, ...libraries.slice(1).map((one) => `fastest / ${one}`)]
  console.log(`Nanoseconds an entity or operation. ${os.cpus()[0].model.trim()}, node ${process.version}.\n`)
  console.log(`| ${heads.join(' | ')} |\n| ${heads.map(() => '---').join(' | ')} |`)
  for (const [work, sizes] of Object.entries(WORKS)) {
    for (const n of sizes) console.log(rowOf(work, n, measure(commands, work, n, rounds), libraries))
  }
}
