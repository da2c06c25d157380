// One field of every entity is written by its handle, in the shuffled order of the case `get`, every run other values.
import * as moving from './moving.js'

/** Below this an f32 has every half. */
const EXACT = 2 ** 23

function writeAll(ids, rowOf, x, round, count) {
  for (let k = 0; k < count; k++) x[rowOf[ids[k]]] = moving.valueIn(k, round)
}

function raw(size) {
  const ids = moving.shuffledOrder(size)
  const rowOf = Uint32Array.from({ length: size }, (_, i) => i)
  const x = new Float32Array(size)
  let round = 0
  return { run: () => writeAll(ids, rowOf, x, ++round, size), result: () => Array.from(x) }
}

/** Counted from 1; a row begins anew. */
let round

/** @param writeFrom makes of a stage and its shuffled handles what writes the values of a round, read anew in each step */
const writing = (createStage, writeFrom) => async (size) => {
  const stage = await createStage(size)
  stage.fillStill()
  round = 0
  const write = writeFrom(stage, moving.shuffled(stage), size)
  return {
    run: () => (round++, write()),
    result: () => Array.from(stage.handles, (_, k) => stage.read(k)[0]),
  }
}

const strataAccessor = writing(moving.strata, ({ position }, handles, size) => () => {
  for (let k = 0; k < size; k++) position.of(handles[k]).x = moving.valueIn(k, round)
})

const strataSet = writing(moving.strata, ({ world, Position }, handles, size) => () => {
  for (let k = 0; k < size; k++) world.set(handles[k], Position, { x: moving.valueIn(k, round) })
})

/** bitECS, piecs and wolf-ecs: arrays by id. */
const writeById =
  ({ Position: { x } }, ids, size) =>
  () => {
    for (let k = 0; k < size; k++) x[ids[k]] = moving.valueIn(k, round)
  }

async function koota(size) {
  const { createWorld, trait } = await import('koota')
  const Position = trait({ x: 0, y: 0 })
  const world = createWorld()
  const entities = Array.from({ length: size }, () => world.spawn(Position))
  const shuffled = Array.from(moving.shuffledOrder(size), (i) => entities[i])
  round = 0
  return {
    run() {
      round++
      for (let k = 0; k < size; k++) shuffled[k].set(Position, { x: moving.valueIn(k, round) })
    },
    result: () => entities.map((entity) => entity.get(Position).x),
  }
}

const miniplex = writing(moving.miniplex, (_, entities, size) => () => {
  for (let k = 0; k < size; k++) entities[k].position.x = moving.valueIn(k, round)
})

export default {
  name: 'set',
  title: 'Set: one field by handle, shuffled order',
  sizes: [1_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
  /** The field of every entity, in order of creation. */
  reference(size, runs) {
    if (moving.valueIn(size, runs) >= EXACT)
      throw new RangeError(`${runs} runs leave the range in which f32 is exact; shorten --milliseconds.`)
    const values = new Array(size)
    moving.shuffledOrder(size).forEach((i, k) => (values[i] = moving.valueIn(k, runs)))
    return values
  },
  ways: {
    raw: { 'row by id': raw },
    strata: { 'accessor.of': strataAccessor, 'world.set': strataSet },
    bitecs: { 'array by id': writing(moving.bitecs, writeById) },
    piecs: { 'array by id': writing(moving.piecsUnwatched, writeById) },
    koota: { 'entity.set': koota },
    miniplex: { 'property of the entity': miniplex },
    wolf: { 'array by id': writing(moving.wolf, writeById) },
  },
}
