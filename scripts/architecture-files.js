// Owns docs/files.md, the list of source files: each with the first sentence of its opening comment, under the room that
// it is in. It must never say more of a file than the file says of itself.
//
//   node scripts/architecture-files.js           writes the list between the marks on the page
//   node scripts/architecture-files.js --check   writes nothing; exit code 1 when the page is out of date

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, stderr, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = join(ROOT, 'docs/files.md')
const START = '<!-- files:start -->'
const END = '<!-- files:end -->'

/**
 * What each house and each of its rooms owns, from the highest room to the lowest: imports run downwards. The room
 * without a name is the house itself.
 */
export const ROOMS = {
  bindings: {
    '': 'The lists of public names, above all rooms.',
    three: "The entry 'strata-ecs/three': columns of a query as buffers of three.js.",
    react: "The entry 'strata-ecs/react': hooks that show a world.",
    inspect: "The entry 'strata-ecs/inspect': what is in a world, entities by a filter, a map of memory.",
    arrow: "The entry 'strata-ecs/arrow': an Apache Arrow table of a query.",
    schedule: 'Systems: in which order they run, in which phase, how often, and what is measured of them.',
    history:
      'A ring of snapshots for going back some frames, and the proof that a simulation is deterministic.',
    world: 'The calls on a world. They check their arguments and hand the work to the rooms below.',
    saves: 'Save files: what they say of a world, in bytes and in JSON, and how a world is made of one.',
    snapshots: "The copy of a world's state, the way back to it, and digests.",
    relations:
      'Relations: links between entities, what depends on them, and queries over them. relation() brings all of it.',
    queries: 'The calls on a query, and what it has seen of changes.',
    kernelLibrary:
      'The functions of the kernel library in JavaScript, with results bit-identical to those of wasm.',
    kernels: 'Compiled kernels: the checks of a module, its binding to columns and resources, its runs.',
    changes: 'Changes of one entity or of many: made at once, or recorded, folded and applied later.',
    events: 'Listeners: what to report of a change, to whom, and in which order.',
    loops: 'Open loops: the walk over chunks, runs of rows or groups, and what the body of a loop sees.',
    matching:
      'How a query is carried out: what is walked, which components are columns, conditions on values.',
    rows: 'What one world knows of its components: where their columns are, cursors, values, and the lock of loops.',
    components:
      'Declarations: components, fields, resources and the terms of queries. They belong to no world.',
    memory: 'The start of the core, typed arrays over its memory, handles and errors.',
  },
  assembly: {
    '': "The entries of the core and of users' own modules, and the functions that the core exports.",
    simulation: 'The world, queries and loops for systems that are written in AssemblyScript.',
    kernel: 'What the source of a kernel imports: columns, rows, lanes, functions.',
    order: 'Sorting: handles by a field, rows of a pool, ordered tags.',
    rows: 'Changes: the life of a row, bulk changes, copies; and the masks that tell rows apart.',
    queries: 'Queries, match lists, and the graph that leads from archetype to archetype.',
    pools: 'Sparse sets, groups of them, and ordered tags.',
    archetypes: 'Archetypes, and bundles: the components named in one call.',
    tables: 'Tables of rows in chunks: layouts, columns, change ticks, toggles, resources.',
    components: 'Component types and texts.',
    memory: 'The map of memory, allocators, entity records, and small containers.',
  },
  compiler: {
    '': 'From the source of a kernel to its module: the command, the plugin, and the steps of a build.',
    lanes: 'The translation of loops over rows into SIMD, four rows at a time.',
  },
  inspector: {
    '': "The entry 'strata-ecs/inspector': an element that shows a running world on its page.",
    panels: 'Its tabs, one in each file.',
  },
}

/**
 * What a source file owns: the first sentence of its opening comment, without the word "Owns".
 *
 * @param source the text of the file
 * @param file its path, for the error
 * @throws {Error} when the file does not open with a comment that begins with "Owns"
 */
export function ownedBy(source, file) {
  const opening = /^(?:#!.*\n\s*)?((?:\/\/.*\n)+)/.exec(source)?.[1] ?? ''
  const lines = opening.split('\n').map((line) => line.replace(/^\/\/ ?/, '').trim())
  const end = lines.indexOf('')
  const paragraph = lines.slice(0, end).join(' ')
  const sentence = /^Owns (.+?)\.?(?:(?<=\.) |$)/.exec(paragraph)?.[1]
  if (sentence === undefined) {
    throw new Error(`${file} must open with a comment that says what it owns: // Owns …`)
  }
  return sentence
}

/** The page with the list between its marks made anew from the sources. */
export function withFiles(page) {
  const from = page.indexOf(START)
  const to = page.indexOf(END)
  if (from < 0 || to < from) throw new Error(`docs/files.md must have the marks ${START} and ${END}.`)
  return `${page.slice(0, from + START.length)}\n\n${listOfFiles()}\n\n${page.slice(to)}`
}

function listOfFiles() {
  return Object.entries(ROOMS)
    .flatMap(([house, rooms]) => [
      `## ${house}/`,
      ...groupByRoom(filesOf(house), rooms, house).flatMap(([room, files]) => [
        ...(room === '' ? [] : [`### ${house}/${room}/`]),
        rooms[room],
        files.map(lineOf).join('\n'),
      ]),
    ])
    .join('\n\n')
}

function filesOf(house) {
  return readdirSync(join(ROOT, house), { recursive: true })
    .map((file) => `${house}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.[jt]s$/.test(file))
    .sort()
}

/**
 * The files of a house under their rooms, in the order of the rooms.
 *
 * @param files their paths
 * @param rooms the names of the rooms as keys
 * @param house the name of the house, for the error
 * @throws {Error} when a file is in another room than these, or a room has no file
 */
export function groupByRoom(files, rooms, house) {
  const groups = Object.keys(rooms).map((room) => [room, files.filter((file) => roomOf(file) === room)])
  const homeless = files.find((file) => !Object.hasOwn(rooms, roomOf(file)))
  if (homeless !== undefined)
    throw new Error(
      `${homeless} is in a room that scripts/architecture-files.js does not describe: see ROOMS.`,
    )
  const empty = groups.find(([, inside]) => inside.length === 0)
  if (empty !== undefined)
    throw new Error(
      `${house}/${empty[0]} has no files: take it out of ROOMS in scripts/architecture-files.js.`,
    )
  return groups
}

function roomOf(file) {
  return file.split('/').slice(1, -1).join('/')
}

function lineOf(file) {
  return `- \`${file}\`: ${ownedBy(readFileSync(join(ROOT, file), 'utf8'), file)}`
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(PAGE, 'utf8')
  const current = withFiles(page)
  if (page === current) stdout.write('The list of files in docs/files.md is up to date.\n')
  else if (argv.includes('--check')) {
    stderr.write('The list of files in docs/files.md is out of date: run npm run docs:files.\n')
    process.exitCode = 1
  } else {
    writeFileSync(PAGE, current)
    stdout.write('The list of files in docs/files.md was refreshed.\n')
  }
}
