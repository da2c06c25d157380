// One field of every entity is read by its handle, in a shuffled order: the order of creation would measure the prefetcher.
import * as moving from './moving.js'

function sumOf(ids, rowOf, x, count) {
  let sum = 0
  for (let i = 0; i < count; i++) sum += x[rowOf[ids[i]]]
  return sum
}

function raw(size) {
  const ids = moving.shuffledOrder(size)
  const rowOf = Uint32Array.from({ length: size }, (_, i) => i)
  const x = Float32Array.from({ length: size }, (_, i) => moving.placeOf(i))
  return { run: () => sumOf(ids, rowOf, x, size), result: () => [sumOf(ids, rowOf, x, size)] }
}

/** @param sumFrom makes of a stage and its shuffled handles what sums x over them */
const reading = (createStage, sumFrom) => async (size) => {
  const stage = await createStage(size)
  stage.fillStill()
  const run = sumFrom(stage, moving.shuffled(stage), size)
  return { run, result: () => [run()] }
}

const strataAccessor = reading(moving.strata, ({ position }, handles, size) => () => {
  let sum = 0
  for (let i = 0; i < size; i++) sum += position.of(handles[i]).x
  return sum
})

const strataGet = reading(moving.strata, ({ world, Position }, handles, size) => () => {
  let sum = 0
  for (let i = 0; i < size; i++) sum += world.get(handles[i], Position).x
  return sum
})

/** bitECS, piecs and wolf-ecs: arrays by id. */
const sumById =
  ({ Position: { x } }, ids, size) =>
  () => {
    let sum = 0
    for (let i = 0; i < size; i++) sum += x[ids[i]]
    return sum
  }

const kootaStore = reading(moving.koota, ({ getStore, world, Position }, entities, size) => () => {
  const { x } = getStore(world, Position)
  let sum = 0
  for (let i = 0; i < size; i++) sum += x[entities[i].id()]
  return sum
})

const miniplex = reading(moving.miniplex, (_, entities, size) => () => {
  let sum = 0
  for (let i = 0; i < size; i++) sum += entities[i].position.x
  return sum
})

export default {
  name: 'get',
  title: 'Get: one field by handle, shuffled order',
  sizes: [1_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
  // The sum that every run returns.
  reference: (size) => [(size * size) / 2],
  ways: {
    raw: { 'row by id': raw },
    strata: { 'accessor.of': strataAccessor, 'world.get': strataGet },
    bitecs: { 'array by id': reading(moving.bitecs, sumById) },
    piecs: { 'array by id': reading(moving.piecsUnwatched, sumById) },
    koota: { getStore: kootaStore },
    miniplex: { 'property of the entity': miniplex },
    wolf: { 'array by id': reading(moving.wolf, sumById) },
  },
}
