// Owns the figures this project set itself to reach, and how each is read off the results. It must never bend one to
// what was measured: a figure that is not reached stands there as missed, with what stands in the way.
import { isPeer } from './results.js'
import { median, medianRatio, toPrecision } from './statistics.js'

const LOCALS = 'chunk views, columns as locals'
const KIBIBYTE = 1024
const NOCT_LOOPS = ['packed_5', 'simple_iter', 'frag_iter', 'frag_iter_256']

/**
 * Each aim: what is done (`work`), what is to be reached (`reach`), how it is read off the results (`measure`), and what
 * stands in the way where it is not reached (`missed`).
 */
const AIMS = [
  {
    work: 'chunk loop over views, columns as locals',
    reach: 'at most 1.1 x raw',
    measure: ({ rows }) => ofRaw(rows, 'loop', LOCALS, 1.1),
  },
  {
    work: 'chunk loop, expert path',
    reach: 'at most 0.65 x raw',
    measure: ({ rows }) => ofRaw(rows, 'loop', 'expert path', 0.65),
  },
  {
    work: 'each with cursors',
    reach: 'at most 2.5 x raw',
    measure: ({ rows }) => ofRaw(rows, 'loop', 'each', 2.5),
  },
  {
    work: 'kernel with SIMD over chunks',
    reach: 'at most 0.2 x raw; 0.35 at 1,000,000',
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
    measure: ({ rows }) => NOCT_LOOPS.flatMap((name) => besidePeers(rows, name, LOCALS, 1)),
  },
  {
    work: 'add_remove, one call for an entity, beside the fastest peer',
    reach: 'at least level',
    measure: ({ rows }) => besidePeers(rows, 'add_remove', 'per call', 1),
  },
  {
    work: 'entity_cycle, one call for an entity, beside the fastest peer',
    reach: 'at least level',
    measure: ({ rows }) => besidePeers(rows, 'entity_cycle', 'spawn(C), accessor', 1),
  },
  {
    work: 'the same two in bulk, beside the fastest peer',
    reach: '5 x as fast',
    measure: ({ rows }) => [
      ...besidePeers(rows, 'add_remove', 'query.add/remove', 5),
      ...besidePeers(rows, 'entity_cycle', 'spawnMany, query.destroy', 5),
    ],
  },
  {
    work: 'spawn with two components, by call',
    reach: '15 ns',
    measure: ({ rows }) => nanoseconds(rows, 'spawn', 'spawn(C, C), accessor', 15),
  },
  {
    work: 'spawn with two components, in bulk',
    reach: '3.5 ns',
    measure: ({ rows }) => nanoseconds(rows, 'spawn', 'spawnMany', 3.5),
  },
  {
    work: 'destroy by call',
    reach: '15 ns',
    measure: ({ rows }) => nanoseconds(rows, 'destroy', 'per call', 15),
  },
  {
    work: 'destroy by query',
    reach: '5 ns',
    measure: ({ rows }) => nanoseconds(rows, 'destroy', 'query.destroy', 5),
  },
  {
    work: 'one field by handle, accessor.of',
    reach: '8 ns',
    measure: ({ rows }) => nanoseconds(rows, 'get', 'accessor', 8),
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
    measure: ({ facts }) => (facts?.garbage ? Object.entries(facts.garbage).map(garbageOf) : []),
  },
  {
    work: 'the package in a bundle, wasm included, gzip',
    reach: 'at most 20 KiB',
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

const rivalsOf = (rows, { case: name, size }) => rows.filter((row) => row.case === name && row.size === size)

const fastest = (rows) => rows.toSorted((a, b) => median(a.nanoseconds) - median(b.nanoseconds))[0]

const sizeOf = ({ size }) => size.toLocaleString('en')

const garbageOf = ([frame, { bytes, collections }]) => ({
  of: frame,
  // What the counters themselves leave is less than this.
  text: collections > 0 ? `${collections} collections` : `${bytes.toFixed(2)} bytes`,
  reached: collections === 0 && bytes <= 4,
})
