// Owns the figures this project set itself to reach, and how each is read off the results. It must never bend one to
// what was measured: a figure that is not reached stands there as missed, with what stands in the way.
import { valuesOf } from './quantities.js'
import { isPeer } from './results.js'
import { median, medianRatio, toPrecision } from './statistics.js'

const LOCALS = 'chunk views, columns as locals'
const KIBIBYTE = 1024
/** The tables have units of 2 ** 20 bytes. */
const MEGABYTES = 2 ** 20 / 1e6
const MEMORY = { quantity: 'memory' }
const NOCT_LOOPS = ['packed_5', 'simple_iter', 'frag_iter', 'frag_iter_256']

/**
 * Each aim: what is done (`work`), what is to be reached (`reach`), how it is read off the results (`measure`), and what
 * stands in the way where it is not reached (`missed`).
 */
const AIMS = [
  {
    work: 'chunk loop over views, columns as locals',
    reach: 'at most 1.1 x raw',
    missed:
      'The arrays of a chunk begin wherever the chunk is, so V8 computes an address for each of six columns, where parameters are six constants for the whole loop. At 1,000,000 entities memory sets the pace; seven pieces of 2 KiB a chunk are probably fetched less far ahead than six long arrays.',
    measure: ({ rows }) => ofRaw(rows, 'loop', LOCALS, 1.1),
  },
  {
    work: 'chunk loop, expert path',
    reach: 'at most 0.65 x raw',
    missed:
      'One array over the whole heap saves the loads of six base addresses; the strides between columns are still variables. With strides that are constants of the program the floor measured was 0.5 to 0.68, and a library cannot have those.',
    measure: ({ rows }) => ofRaw(rows, 'loop', 'expert path', 0.65),
  },
  {
    work: 'each with cursors',
    reach: 'at most 2.5 x raw',
    missed:
      'A callback for each row through the getters and setters of one cursor. V8 inlines the callback only while a loop has seen one of them; the loop is kept out of its caller and one cursor serves all components of a shape, so that more than one costs a call, and no longer a dictionary.',
    measure: ({ rows }) => ofRaw(rows, 'loop', 'each', 2.5),
  },
  {
    work: 'kernel with SIMD over chunks',
    reach: 'at most 0.2 x raw; 0.35 at 1,000,000',
    missed:
      'At 1,000,000 entities six columns are 24 MB, and the kernel moves them as fast as a copy does here.',
    measure: ({ rows }) => ofRaw(rows, 'loop', 'kernel', (size) => (size < 1_000_000 ? 0.2 : 0.35)),
  },
  {
    work: 'noctjs loops: our fastest way beside the fastest peer',
    reach: 'first',
    measure: ({ rows }) => NOCT_LOOPS.flatMap((name) => besidePeers(rows, name, undefined, 1)),
  },
  {
    work: 'noctjs loops: our chunk loop beside the fastest peer',
    reach: 'first',
    missed:
      'wolf-ecs and oecs have one array for a component (wolf) or for an archetype (oecs), no chunks and no change ticks by chunk. What is left of the step is the iterator, the view of a column and the tick; lists of chunks kept from loop to loop took a third off. The kernel is first everywhere.',
    measure: ({ rows }) => NOCT_LOOPS.flatMap((name) => besidePeers(rows, name, LOCALS, 1)),
  },
  {
    work: 'add_remove, one call for an entity, beside the fastest peer',
    reach: 'at least level',
    missed:
      'piecs moves an id between two lists; its values stay in arrays of the program, by id. A call of ours crosses into WebAssembly (about 3 ns) and moves all values of the row, which takes most of the time; arguments without arrays, shorter ways into the core and spare chunks made it 15 to 30 % faster.',
    measure: ({ rows }) => besidePeers(rows.filter(isNoBulk), 'add_remove', 'per call', 1),
  },
  {
    work: 'entity_cycle, one call for an entity, beside the fastest peer',
    reach: 'at least level',
    missed:
      'As above. A spawn writes the handle, the record, the columns and their ticks, and a destroy fills the gap with the last row; piecs pushes and pops an id.',
    measure: ({ rows }) => besidePeers(rows.filter(isNoBulk), 'entity_cycle', 'spawn(C), accessor', 1),
  },
  {
    work: 'the same two in bulk, beside the fastest peer',
    reach: '5 x as fast',
    missed:
      'The bulk forms copy values out of A and into B and hand out handles, which is what they spend their time on; piecs copies nothing but ids, and oecs has a batch that hands over whole archetypes.',
    measure: ({ rows }) => [
      ...besidePeers(rows, 'add_remove', 'query.add/remove', 5),
      ...besidePeers(rows, 'entity_cycle', 'spawnMany, query.destroy', 5),
    ],
  },
  {
    work: 'spawn with two components, by call',
    reach: '15 ns',
    missed:
      'The write of a field through an accessor is part of it. The core alone takes most of the rest; a table that grows at 100,000 entities leaves the cache.',
    measure: ({ rows }) => nanoseconds(rows, 'spawn', 'spawn(C, C), accessor', 15),
  },
  {
    work: 'spawn with two components, in bulk',
    reach: '3.5 ns',
    missed:
      'Handles are made and returned, and six columns are set to their defaults: at 100,000 entities that is 2.8 MB written.',
    measure: ({ rows }) => nanoseconds(rows, 'spawn', 'spawnMany', 3.5),
  },
  {
    work: 'destroy by call',
    reach: '15 ns',
    missed:
      'Each call crosses into WebAssembly, and the last row of the table fills the gap: six values are copied.',
    measure: ({ rows }) => nanoseconds(rows, 'destroy', 'per call', 15),
  },
  {
    work: 'destroy by query',
    reach: '5 ns',
    missed: 'All handles of the table go to the free list, one by one.',
    measure: ({ rows }) => nanoseconds(rows, 'destroy', 'query.destroy', 5),
  },
  {
    work: 'one field by handle, accessor.of',
    reach: '8 ns',
    missed:
      "Four reads that depend on each other: the record, the chunk's descriptor, its layout, the value. In a random order over 100,000 entities each may miss the cache; an array by id misses once.",
    measure: ({ rows }) => nanoseconds(rows, 'get', 'accessor.of', 8),
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
    work: 'a tag added to every entity of a query',
    reach: '0.1 ms for 1,000,000',
    measure: ({ rows }) =>
      ours(rows, 'tag', 'query.add')
        .filter(({ size }) => size === 1_000_000)
        .map((row) => figure(sizeOf(row), median(row.nanoseconds) / 1e6, 0.1, 'ms')),
  },
  {
    work: 'garbage of a frame on the chunk path, 10,000 frames',
    reach: '0 bytes',
    missed:
      'In about one process of four, V8 boxes one number a frame (16 bytes): seen since loops walk a list of chunks; which number it is was not found yet.',
    measure: ({ facts }) => (facts?.garbage ? Object.entries(facts.garbage).map(garbageOf) : []),
  },
  {
    work: 'the package in a bundle, wasm included, gzip',
    reach: 'at most 20 KiB',
    missed:
      '20 KiB are the core alone, which has sorting, groups, ordered tags, texts, toggles and row filters by now; the schedule, events, kernels and the checks of every argument are the rest. A bundler drops what is not imported from the schedule, 6 KiB.',
    measure: ({ facts }) =>
      facts?.bundle ? [figure('dist/index.js', facts.bundle / KIBIBYTE, 20, 'KiB')] : [],
  },
]

/**
 * The aims with what was measured: `{ work, reach, missed, figures: [{ of, text, reached }] }`. A run of all cases has them
 * all, a partial one those it can tell of.
 */
export function measuredAims(results) {
  const aims = AIMS.map(({ measure, ...aim }) => ({ ...aim, figures: measure(results) }))
  if (!results.options.whole) return aims.filter(({ figures }) => figures.length > 0)
  const unknown = { of: '', text: 'not measured', reached: false }
  return aims.map((aim) => ({ ...aim, figures: aim.figures.length > 0 ? aim.figures : [unknown] }))
}

/** Rows of ours, the smallest size first; `way` undefined stands for all. */
const ours = (rows, name, way) =>
  rows
    .filter((row) => row.case === name && row.library === 'strata' && (way === undefined || row.way === way))
    .toSorted((a, b) => a.size - b.size)

const figure = (of, value, most, unit) => ({
  of,
  text: `${toPrecision(value)} ${unit}`,
  reached: value <= most,
})

/** What was held, and what the world says of itself. */
const memoryOf = (row) => [
  figure(`${row.way}: held`, median(valuesOf(MEMORY, row)) * MEGABYTES, 4, 'MB'),
  figure(`${row.way}: by its own count`, median(row.statistics.map(({ used }) => used)) / 1e6, 4, 'MB'),
]

const nanoseconds = (rows, name, way, most) =>
  ours(rows, name, way).map((row) => figure(sizeOf(row), median(row.nanoseconds) / row.size, most, 'ns'))

/** @param most the limit, or a function that gives it for a size */
function ofRaw(rows, name, way, most) {
  return ours(rows, name, way).flatMap((row) => {
    const raw = rivalsOf(rows, row).find(({ library }) => library === 'raw')
    const limit = typeof most === 'function' ? most(row.size) : most
    return raw ? [figure(sizeOf(row), medianRatio(row, raw), limit, 'x')] : []
  })
}

/** How many times as fast as the fastest way of any peer; `way` undefined stands for our fastest. */
function besidePeers(rows, name, way, least) {
  const found = ours(rows, name, way)
  const sizes = [...new Set(found.map(({ size }) => size))]
  return sizes.flatMap((size) => {
    const own = fastest(found.filter((row) => row.size === size))
    const peer = fastest(rivalsOf(rows, own).filter(({ library }) => isPeer(library)))
    if (!peer) return []
    const ratio = medianRatio(peer, own)
    const text = `${toPrecision(ratio)} x as fast as ${peer.label}`
    return [{ of: `${name} ${sizeOf(own)}`, text, reached: ratio >= least }]
  })
}

/** Whether a peer's way goes entity by entity; oecs can change a whole archetype in one call. */
const isNoBulk = ({ way }) => way !== 'batch by archetype'

const rivalsOf = (rows, { case: name, size }) => rows.filter((row) => row.case === name && row.size === size)

const fastest = (rows) => rows.toSorted((a, b) => median(a.nanoseconds) - median(b.nanoseconds))[0]

const sizeOf = ({ size }) => size.toLocaleString('en')

const garbageOf = ([frame, { bytes, collections }]) => ({
  of: frame,
  // What the counters themselves leave is less than this.
  text: collections > 0 ? `${collections} collections` : `${bytes.toFixed(2)} bytes`,
  reached: collections === 0 && bytes <= 4,
})
