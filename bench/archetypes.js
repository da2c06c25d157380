// Owns the proof that many archetypes stay small and are not walked: 10,000 archetypes with one entity each, their
// memory, and new queries for a rare component among them. It must never measure the same query twice, because the
// second would be answered from the cache.
import { component, createWorld, f32, not, tag } from '../dist/index.js'

const ARCHETYPES = 10_000
const BITS = 14
const RARE = 12
const MEGABYTE = 2 ** 20
const BYTES_ALLOWED = 32 * MEGABYTE
const MICROSECONDS_ALLOWED = 50

const Position = component('Position', { x: f32, y: f32 })
const Rare = component('Rare', { value: f32 })
// One bit of the archetype's number each: half have data, so that there are columns to lay out.
const marks = Array.from({ length: BITS }, (_, bit) =>
  bit % 2 === 0 ? tag(`Tag${bit}`) : component(`Part${bit}`, { value: f32 }),
)

// The limit is the first world's own: beyond it the creation would throw. The queries below keep match lists, whose
// memory is theirs, and run in a second world.
const limited = createWorld({ memory: { maximum: BYTES_ALLOWED } })
const created = performance.now()
spawnAll(limited)
const milliseconds = performance.now() - created
const stats = limited.stats()

const world = createWorld()
const handles = spawnAll(world)

// The rare ones are spread over the numbers; adding moves each into an archetype of its own again.
const rareNumbers = Array.from({ length: RARE }, (_, k) => Math.floor(((k + 0.5) * ARCHETYPES) / RARE))
for (const number of rareNumbers) world.add(handles[number], Rare({ value: number }))

const terms = distinctTerms()
const rare = timeQueries(Rare, (number) => rareNumbers.includes(number))
const common = timeQueries(Position, () => true)

let failed = false
report('archetypes', stats.archetypes, stats.archetypes >= ARCHETYPES)
report('entities', stats.entities, stats.entities === ARCHETYPES)
report('bytes used', megabytes(stats.bytesUsed), stats.bytesUsed <= BYTES_ALLOWED)
report('bytes reserved', megabytes(stats.bytesReserved), stats.bytesReserved <= BYTES_ALLOWED)
report(
  'creation',
  `${milliseconds.toFixed(1)} ms, ${((milliseconds * 1e6) / ARCHETYPES).toFixed(0)} ns each`,
  true,
)
report(
  `new query for ${RARE} rare entities`,
  `${describe(rare)} (${terms.length} different ones, all results right)`,
  rare.median < MICROSECONDS_ALLOWED,
)
report(`new query for all ${ARCHETYPES.toLocaleString('en')}, to compare`, describe(common), true)
process.exitCode = failed ? 1 : 0

/** One entity in each archetype. */
function spawnAll(world) {
  const handles = []
  for (let number = 0; number < ARCHETYPES; number++) {
    const chosen = marks.filter((_, bit) => number & (1 << bit))
    handles.push(world.spawn(Position({ x: number }), ...chosen))
  }
  return handles
}

/** Every choice of two and of three bits: as many queries that nothing has asked before. */
function distinctTerms() {
  const choices = []
  for (let a = 0; a < BITS; a++) {
    for (let b = 0; b < a; b++) {
      choices.push([a, b])
      for (let c = 0; c < b; c++) choices.push([a, b, c])
    }
  }
  return choices
}

function timeQueries(required, isMember) {
  const times = []
  for (const bits of terms) {
    const excluded = bits.map((bit) => not(marks[bit]))
    const begin = performance.now()
    const found = world.query(required, ...excluded).entities()
    times.push((performance.now() - begin) * 1_000)
    check(found, bits, isMember)
  }
  times.sort((a, b) => a - b)
  return { median: times[times.length >> 1], slowest: times[Math.floor(times.length * 0.99)] }
}

function check(found, bits, isMember) {
  const mask = bits.reduce((sum, bit) => sum | (1 << bit), 0)
  const wanted = new Set()
  for (let number = 0; number < ARCHETYPES; number++) {
    if (isMember(number) && (number & mask) === 0) wanted.add(handles[number])
  }
  const right = found.length === wanted.size && found.every((handle) => wanted.has(handle))
  if (!right) throw new Error(`not(${bits}) found ${found.length} entities, should be ${wanted.size}`)
}

function describe({ median, slowest }) {
  return `median ${median.toFixed(1)} us, 99th percentile ${slowest.toFixed(1)} us`
}

function megabytes(bytes) {
  return `${(bytes / MEGABYTE).toFixed(1)} MiB`
}

function report(name, text, right) {
  failed ||= !right
  console.log(`${name.padEnd(40)} ${text}${right ? '' : '  TOO MUCH'}`)
}
