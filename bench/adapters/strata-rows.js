// Owns the strata-ecs side of the cases that tell rows apart: switched off, by value, changed. Written with the public
// names only, from the built package; it must never reach into the engine.
import { changed, component, createWorld, f32, tag, u32, vec } from '../../dist/index.js'
import { shuffledOrder } from '../cases/get.js'
import { valueOf, whereCases } from '../cases/where.js'
import { tagScene } from './scenes.js'

const Burning = component('Burning', { heat: u32 }, { toggle: true })
const Frozen = tag('Frozen')
const Sample = component('Sample', { x: f32 })
/** Fifteen rows fill a chunk. */
const Wide = component('Wide', { values: vec(f32, 256) })

function createBurning(size, off, on) {
  const world = createWorld()
  const burning = world.query(Burning)
  const handles = world.spawnMany(size, [Burning])
  for (let i = 0; i < size; i++) world.set(handles[i], Burning, { heat: i })
  const shuffled = shuffledOrder(size).map((i) => handles[i])
  const scene = { world, burning, shuffled }
  function result() {
    off(scene)
    const values = [burning.count]
    on(scene)
    values.push(burning.count)
    burning.each((_, b) => values.push(b.heat))
    return values
  }
  function run() {
    off(scene)
    on(scene)
  }
  return { run, result }
}

const toggleByCall = (size) =>
  createBurning(
    size,
    ({ world, shuffled }) => {
      for (let i = 0; i < shuffled.length; i++) world.disable(shuffled[i], Burning)
    },
    ({ world, shuffled }) => {
      for (let i = 0; i < shuffled.length; i++) world.enable(shuffled[i], Burning)
    },
  )

const toggleByQuery = (size) =>
  createBurning(
    size,
    ({ burning }) => burning.disable(Burning),
    ({ burning }) => burning.enable(Burning),
  )

function createTagged(size, addToAll) {
  const world = createWorld()
  const samples = world.query(Sample)
  const frozen = world.query(Frozen)
  const handles = world.spawnMany(size, [Sample])
  for (let i = 0; i < size; i++) world.set(handles[i], Sample, { x: i })
  return tagScene({
    addToAll: () => addToAll(world, samples),
    removeFromAll: () => frozen.remove(Frozen),
    tagged: () => frozen.count,
    values: () => Array.from(handles, (handle) => world.get(handle, Sample).x),
  })
}

const tagByCall = (size) =>
  createTagged(size, (world, samples) => {
    const found = samples.entities()
    for (let i = 0; i < found.length; i++) world.add(found[i], Frozen)
  })

const tagByQuery = (size) => createTagged(size, (_, samples) => samples.add(Frozen))

function createSamples(size) {
  const world = createWorld()
  const samples = world.query(Sample)
  let filled = 0
  world.spawnMany(size, [Sample], (chunk) => {
    const { x } = chunk.write(Sample)
    for (let i = chunk.start; i < chunk.end; i++) x[i] = valueOf(filled++)
  })
  return samples
}

function sumOf(query) {
  let sum = 0
  for (const chunk of query) {
    const { x } = chunk.read(Sample)
    for (let i = chunk.start; i < chunk.end; i++) sum += x[i]
  }
  return sum
}

const whereByLoop = (above) => (size) => {
  const query = createSamples(size).where(Sample, 'x', '>', above)
  return { run: () => sumOf(query), result: () => [query.count, sumOf(query)] }
}

const whereByCount = (above) => (size) => {
  const query = createSamples(size).where(Sample, 'x', '>', above)
  return { run: () => query.count, result: () => [query.count, sumOf(query)] }
}

/** The condition asked in JavaScript, over the columns. */
const whereByHand = (above) => (size) => {
  const samples = createSamples(size)
  function run() {
    let count = 0
    let sum = 0
    for (const chunk of samples) {
      const { x } = chunk.read(Sample)
      for (let i = chunk.start; i < chunk.end; i++) {
        if (x[i] <= above) continue
        count++
        sum += x[i]
      }
    }
    return [count, sum]
  }
  return { run, result: run }
}

function changedInChunks(size) {
  const world = createWorld()
  const wide = world.query(Wide)
  while (Array.from(wide).length < size) world.spawnMany(15, [Wide])
  const query = world.query(changed(Wide))
  const look = () => {
    let chunks = 0
    for (const chunk of query) if (chunk.end > 0) chunks++
    return chunks
  }
  look()
  function result() {
    const found = [look()]
    for (const chunk of wide.page(Math.floor(wide.count / 2), 1)) chunk.write(Wide)
    found.push(look(), look())
    return found
  }
  return { run: look, result }
}

export const rowWays = {
  tag: { 'per call': tagByCall, 'query.add': tagByQuery },
  toggle: { 'per call': toggleByCall, 'query.disable/enable': toggleByQuery },
  ...Object.fromEntries(
    whereCases.map(({ name, above }) => [
      name,
      {
        'where, loop': whereByLoop(above),
        'where, count only': whereByCount(above),
        'loop with if': whereByHand(above),
      },
    ]),
  ),
  changed: { 'changed(C)': changedInChunks },
}
