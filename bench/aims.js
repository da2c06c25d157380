// Owns the figures this project set itself to reach, and how each is read off the results. It must never bend one to
// what was measured: a figure that is not reached stands there as missed, with what stands in the way, and one whose
// clock wandered has no verdict.
import { valuesOf } from './quantities.js'
import { isPeer, isSteady } from './results.js'
import { median, medianRatio, toPrecision } from './statistics.js'

const LOCALS = 'chunk views, columns as locals'
const BY_CALL = 'by call'
const KIBIBYTE = 1024
/** The tables have units of 2 ** 20 bytes. */
const MEGABYTES = 2 ** 20 / 1e6
const MEMORY = { quantity: 'memory' }
const GARBAGE = { quantity: 'garbage' }
const NOCT_LOOPS = ['packed_5', 'simple_iter', 'frag_iter', 'frag_iter_256']
const PROGRAMS = ['parts-pairs', 'parts-program', 'parts-second']
/** With values in the calls: the form that the guide shows first. */
const AS_WRITTEN = 'table, one spawn with values'
/** Frames whose loops and calls have no values in objects: nothing of theirs has to be garbage. */
const CLEAN_FRAMES = [
  'chunk loop, views',
  'chunk loop, expert path',
  'chunk loop + 100 x add and remove a tag',
  'chunk loop + 100 x spawn and destroy',
  'chunk loop + 10 of each: spawn, destroy, add, remove',
]
const C_LIMITS = { 1_000: 1.4, 10_000: 1.1, 100_000: 1.05, 1_000_000: 1.2 }
/** What piecs takes for an add and a remove on the machine on which the figures of single calls were set, in ns. */
const PIECS_THERE = 38
const of = (nanoseconds) => nanoseconds / PIECS_THERE

/**
 * Each aim: what is done (`work`), what is to be reached (`reach`), how it is read off the results (`measure`), and what
 * stands in the way where it is not reached (`missed`).
 */
const AIMS = [
  {
    work: 'chunk loop over views, columns as locals',
    reach: 'at most 1.05 x raw',
    missed:
      'The arrays of a chunk begin wherever the chunk is, so V8 computes an address for each of six columns, where parameters are six constants for the whole loop.',
    measure: ({ rows }) => ofRaw(rows, 'loop', LOCALS, 1.05),
  },
  {
    work: 'the same at 1,000,000 entities, beside 100,000',
    reach: 'at most 1.1 x as long for each',
    missed: 'At 1,000,000 entities six columns are 24 MB: memory sets the pace.',
    measure: ({ rows }) => besideSmaller(rows, 'loop', LOCALS, 1_000_000, 100_000, 1.1),
  },
  {
    work: 'each, three fields of two components, alone and after forty other loops',
    reach: 'at most 1.5 x raw',
    missed:
      'A callback for each row through getters and setters. V8 inlines the callback only as long as the loop that calls it has seen no other.',
    measure: ({ rows }) => [
      ...ofRaw(rows, 'loop', 'each', 1.5),
      ...ofRaw(rows, 'loop-after-forty', 'each', 1.5),
    ],
  },
  {
    work: 'kernel beside C, gcc -O3 -msse4.2',
    reach: 'at most 1.4 / 1.1 / 1.05 / 1.2 x C at 1k / 10k / 100k / 1M',
    missed:
      'Each run of a kernel costs some 300 ns, and each chunk begins a loop of its own; at 1,000,000 entities memory sets the pace.',
    measure: ({ rows }) => beside(rows, 'loop', 'kernel', 'c', (size) => C_LIMITS[size]),
  },
  {
    work: 'noctjs loops: our kernel beside the fastest peer',
    reach: 'first',
    measure: ({ rows }) => NOCT_LOOPS.flatMap((name) => besidePeers(rows, name, 'kernel', 1)),
  },
  {
    work: 'noctjs loops: our chunk loop beside the fastest peer',
    reach: 'at least level',
    missed:
      'wolf-ecs and oecs have one array for a component (wolf) or for an archetype (oecs), no chunks and no change ticks by chunk.',
    measure: ({ rows }) => NOCT_LOOPS.flatMap((name) => besidePeers(rows, name, LOCALS, 1)),
  },
  {
    work: 'add and remove one component, by call',
    reach: 'at most 1.1 x piecs',
    missed:
      'piecs moves an id between two lists; its values stay in arrays of the program, by id. A call of ours crosses into WebAssembly and moves all values of the row.',
    measure: ({ rows }) => [
      ...beside(rows, 'add-remove', 'per call', 'piecs', 1.1),
      ...beside(rows, 'add_remove', 'per call', 'piecs', 1.1),
    ],
  },
  {
    work: 'spawn and destroy, by call',
    reach: 'at most 1.3 x piecs',
    missed:
      'A spawn writes the handle, the record, the columns and their ticks, and a destroy fills the gap with the last row; piecs pushes and pops an id.',
    measure: ({ rows }) => [
      ...beside(rows, 'spawn-destroy', BY_CALL, 'piecs', 1.3),
      ...beside(rows, 'entity_cycle', 'spawn(C), accessor', 'piecs', 1.3),
    ],
  },
  {
    work: 'spawn with values of two components',
    reach: 'at most 2.5 x the bare spawn',
    missed: 'Two objects and what the components make of them are garbage for each entity.',
    measure: ({ rows }) => besideCase(rows, 'spawn-values', 'spawn-bare', 2.5),
  },
  {
    work: 'add with values',
    reach: 'at most 1.6 x the bare add',
    missed: 'As above.',
    measure: ({ rows }) => besideCase(rows, 'add-values', 'add-bare', 1.6),
  },
  {
    work: 'get three fields, 1,000 entities, alone and where twenty other shapes have been met',
    reach: `at most 45 ns where piecs adds and removes in ${PIECS_THERE}`,
    missed: 'The object that is returned has its fields stored one by one where many shapes have been met.',
    measure: ({ rows }) =>
      ['get-three', 'get-three-met'].flatMap((name) => ofPiecs(rows, name, BY_CALL, of(45))),
  },
  {
    work: 'set three fields, 1,000 entities, alone and where twenty other shapes have been met',
    reach: `at most 55 ns where piecs adds and removes in ${PIECS_THERE}`,
    missed:
      'The fields of the object that is given are read by name, where many shapes have been met slowly.',
    measure: ({ rows }) =>
      ['set-three', 'set-three-met'].flatMap((name) => ofPiecs(rows, name, BY_CALL, of(55))),
  },
  {
    work: 'one field by accessor, random among 100,000, in one archetype and in eight',
    reach: `at most 15 ns where piecs adds and removes in ${PIECS_THERE}`,
    missed:
      "Reads that depend on each other: the record, the chunk's descriptor, the value. In a random order over 100,000 entities each may miss the cache; an array by id misses once.",
    measure: ({ rows }) => [
      ...ofPiecs(rows, 'get', 'accessor.of', of(15), 100_000),
      ...ofPiecs(rows, 'get-mixed', 'by accessor', of(15), 100_000),
    ],
  },
  {
    work: 'has, 1,000 entities',
    reach: `at most 14 ns where piecs adds and removes in ${PIECS_THERE}`,
    missed: 'The record, the archetype and its list of components are read one after the other.',
    measure: ({ rows }) => ofPiecs(rows, 'has', BY_CALL, of(14)),
  },
  {
    work: 'toggle off and on, 1,000 entities',
    reach: `at most 20 ns where piecs adds and removes in ${PIECS_THERE}`,
    missed: 'Two calls that look the row up.',
    measure: ({ rows }) => ofPiecs(rows, 'toggle', 'per call', of(20)),
  },
  {
    work: 'add and remove by query, beside the fastest way of piecs',
    reach: '20 x as fast at 1,000 entities',
    missed: 'The columns of a component that is added are written with its defaults, for every row.',
    measure: ({ rows }) => timesAsFast(rows, 'add_remove', 'query.add/remove', 'piecs', 1_000, 20),
  },
  {
    work: 'spawn in bulk',
    reach: '3.6 ns',
    missed:
      'Handles are made and returned, and six columns are set to their defaults: at 100,000 entities that is 2.8 MB written.',
    measure: ({ rows }) => nanoseconds(rows, 'spawn', 'spawnMany', 3.6),
  },
  {
    work: 'destroy by query',
    reach: '2.4 ns',
    missed: 'All handles of the table go to the free list, one by one.',
    measure: ({ rows }) => nanoseconds(rows, 'destroy', 'query.destroy', 2.4),
  },
  {
    work: 'a tag added to every entity of a query',
    reach: '0.003 ms for 1,000,000',
    measure: ({ rows }) =>
      ours(rows, 'tag', 'query.add')
        .filter(({ size }) => size === 1_000_000)
        .map((row) => figure(sizeOf(row), median(row.nanoseconds) / 1e6, 0.003, 'ms', [row])),
  },
  {
    work: 'memory of 100,000 entities with 4 x f32',
    reach: 'at most 4 MB',
    measure: ({ rows }) =>
      ours(rows, 'memory')
        .filter(({ size }) => size === 100_000)
        .flatMap(memoryOf),
    missed:
      'Held is what a process has more of, heap and external. A world reserves 32 MB of addresses unless it is told ' +
      'otherwise, so that memory seldom has to grow; the system backs with memory what is used.',
  },
  {
    work: 'garbage of a frame, chunk loops and structural calls, 10,000 frames, worst process',
    reach: '0 bytes',
    missed:
      'Where 100 entities come and go in a frame, their handles soon exceed 2 ** 31, and V8 boxes such a number (16 bytes) when a function returns it.',
    measure: ({ rows }) =>
      ours(rows, 'garbage')
        .filter(({ way }) => CLEAN_FRAMES.includes(way))
        .map(garbageOf),
  },
  {
    work: "the seeds' table as a whole program, as people write it, beside plain objects",
    reach: 'faster at every size',
    missed:
      'A program that makes its world makes a WebAssembly instance and its memory, which takes longer than a thousand objects.',
    measure: ({ rows }) => PROGRAMS.flatMap((name) => besideObjects(rows, name)),
  },
  {
    work: 'a page of 50 entities from the middle of 1,000,000, two components of each read, as the inspector shows it',
    reach: 'at most 0.5 ms',
    measure: ({ rows }) =>
      ours(rows, 'inspect-page').map((row) =>
        figure(sizeOf(row), median(row.nanoseconds) / 1e6, 0.5, 'ms', [row]),
      ),
  },
  {
    work: 'import to first entity',
    reach: 'at most 16 ms',
    missed: 'The library is parsed, and its WebAssembly compiled.',
    measure: ({ rows }) =>
      ours(rows, 'startup').map((row) => figure('', median(row.nanoseconds) / 1e6, 16, 'ms', [row])),
  },
  {
    work: 'everything in one bundle, wasm included, gzip',
    reach: 'no aim of its own; the small program has 50 KB',
    measure: ({ facts }) =>
      facts?.bundle ? [figure('dist/strata-ecs.min.js', facts.bundle / KIBIBYTE, Infinity, 'KiB')] : [],
  },
]

/**
 * The aims with what was measured: `{ work, reach, missed, figures: [{ of, text, reached }] }`; `reached` is undefined
 * where the clock wandered. A run of all cases has them all, a partial one those it can tell of.
 */
export function measuredAims(results) {
  const aims = AIMS.map(({ measure, ...aim }) => ({ ...aim, figures: measure(results) }))
  if (!results.options.whole) return aims.filter(({ figures }) => figures.length > 0)
  const unknown = { of: '', text: 'not measured', reached: false }
  return aims.map((aim) => ({ ...aim, figures: aim.figures.length > 0 ? aim.figures : [unknown] }))
}

/** What is said of a figure. */
export const verdictOf = ({ reached }) =>
  reached === undefined ? 'no verdict, the clock wandered' : reached ? 'reached' : 'missed'

/** Rows of ours, the smallest size first; `way` undefined stands for all. */
const ours = (rows, name, way) =>
  rows
    .filter((row) => row.case === name && row.library === 'strata' && (way === undefined || row.way === way))
    .toSorted((a, b) => a.size - b.size)

/** @param from the rows that the value is from */
const figure = (of, value, most, unit, from = []) => ({
  of,
  text: `${toPrecision(value)} ${unit}`,
  reached: from.every(isSteady) ? value <= most : undefined,
})

/** What was held, and what the world says of itself. */
const memoryOf = (row) => [
  figure(`${row.way}: held`, median(valuesOf(MEMORY, row)) * MEGABYTES, 4, 'MB'),
  figure(`${row.way}: by its own count`, median(row.statistics.map(({ used }) => used)) / 1e6, 4, 'MB'),
]

const nanoseconds = (rows, name, way, most) =>
  ours(rows, name, way).map((row) =>
    figure(sizeOf(row), median(row.nanoseconds) / row.size, most, 'ns', [row]),
  )

const ofRaw = (rows, name, way, most) => beside(rows, name, way, 'raw', most, true)

/**
 * How many times as long as the fastest way of a library, or as its first one.
 *
 * @param most the limit, or a function that gives it for a size
 */
function beside(rows, name, way, library, most, first = false) {
  return ours(rows, name, way).flatMap((row) => {
    const rivals = rivalsOf(rows, row).filter((one) => one.library === library)
    const base = first ? rivals[0] : fastest(rivals)
    const limit = typeof most === 'function' ? most(row.size) : most
    return base && limit
      ? [figure(`${name} ${sizeOf(row)}`, medianRatio(row, base), limit, 'x', [row, base])]
      : []
  })
}

/** How many times as long as what another case does to as many entities, by the same form. */
const besideCase = (rows, name, other, most) =>
  ours(rows, name, BY_CALL).flatMap((row) => {
    const base = ours(rows, other, BY_CALL).find(({ size }) => size === row.size)
    return base ? [figure(sizeOf(row), medianRatio(row, base), most, 'x', [row, base])] : []
  })

/** How many times as long an entity takes as among fewer. */
function besideSmaller(rows, name, way, size, smaller, most) {
  const [large, small] = [size, smaller].map((n) => ours(rows, name, way).find((row) => row.size === n))
  if (!large || !small) return []
  return [figure('', (medianRatio(large, small) * smaller) / size, most, 'x', [large, small])]
}

/** How many times as long as an add and a remove of piecs among 1,000: what single calls are judged by on any machine. */
function ofPiecs(rows, name, way, most, size = 1_000) {
  const base = fastest(
    rows.filter((row) => row.case === 'add-remove' && row.library === 'piecs' && row.size === 1_000),
  )
  return ours(rows, name, way)
    .filter((row) => row.size === size && base)
    .map((row) => {
      const ratio = median(row.nanoseconds) / row.size / (median(base.nanoseconds) / base.size)
      return figure(`${name} ${sizeOf(row)}, at most ${most.toFixed(2)}`, ratio, most, 'x', [row, base])
    })
}

/** How many times as fast as the fastest way of any peer. */
function besidePeers(rows, name, way, least) {
  return ours(rows, name, way).flatMap((own) => {
    const peer = fastest(rivalsOf(rows, own).filter(({ library }) => isPeer(library)))
    return peer ? [asFast(own, peer, least)] : []
  })
}

function timesAsFast(rows, name, way, library, size, least) {
  return ours(rows, name, way)
    .filter((own) => own.size === size)
    .flatMap((own) => {
      const peer = fastest(rivalsOf(rows, own).filter((row) => row.library === library))
      return peer ? [asFast(own, peer, least)] : []
    })
}

const besideObjects = (rows, name) =>
  ours(rows, name, AS_WRITTEN).flatMap((own) => {
    const objects = rivalsOf(rows, own).find(({ way }) => way === 'game objects')
    return objects ? [asFast(own, { ...objects, label: 'objects' }, 1)] : []
  })

function asFast(own, rival, least) {
  const ratio = medianRatio(rival, own)
  const steady = [own, rival].every(isSteady)
  const text = `${toPrecision(ratio)} x as fast as ${rival.label}`
  return { of: `${own.case} ${sizeOf(own)}`, text, reached: steady ? ratio >= least : undefined }
}

const rivalsOf = (rows, { case: name, size }) => rows.filter((row) => row.case === name && row.size === size)

const fastest = (rows) => rows.toSorted((a, b) => median(a.nanoseconds) - median(b.nanoseconds))[0]

const sizeOf = ({ size }) => size.toLocaleString('en')

/** The process that left most. What the counters themselves leave is less than a byte a frame. */
function garbageOf(row) {
  const most = Math.max(...valuesOf(GARBAGE, row))
  const collections = Math.max(...row.garbage.map((one) => one.collections))
  return {
    of: row.way,
    text: collections > 0 ? `${collections} collections` : `${most.toFixed(2)} bytes`,
    reached: collections === 0 && most <= 1,
  }
}
