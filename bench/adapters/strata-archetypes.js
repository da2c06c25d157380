// Owns the strata-ecs side of the cases with many archetypes: loops over all of them, and queries for one. Written with
// the public names only, from the built package; it must never reach into the engine.
import { component, createWorld, i32, not, tag } from '../../dist/index.js'
import { fragmentedWays, tagsOf } from '../cases/fragmentation.js'
import { startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { ARCHETYPES, RARE, START, TAGS, choiceOf } from '../cases/queries.js'
import { Position, Velocity, byColumns, byEach, byIndex, byKernel } from './strata-moving.js'

const Rare = component('Rare', { value: i32 })
const marks = Array.from({ length: TAGS }, (_, bit) => tag(`Mark${bit}`))

const fragmented = (stepOf) => (size, tags, numberOf) => {
  const world = createWorld()
  const used = marks.slice(0, tags)
  const handles = Array.from({ length: size }, (_, i) =>
    world.spawn(
      Position({ x: startX(i) }),
      Velocity({ x: velocityX(i), y: velocityY(i), z: velocityZ(i) }),
      ...tagsOf(numberOf(i), used),
    ),
  )
  return {
    run: stepOf(world.query(Position, Velocity), world),
    result: () => handles.flatMap((handle) => Object.values(world.get(handle, Position))),
  }
}

function createRare() {
  const world = createWorld()
  for (let number = 0; number < ARCHETYPES; number++) {
    const rare = number === RARE ? [Rare({ value: START })] : []
    world.spawn(Position, ...tagsOf(number, marks), ...rare)
  }
  return world
}

function newQuery() {
  const world = createRare()
  let asked = 0
  let found = 0
  return {
    run() {
      const { present, absent } = choiceOf(++asked, marks)
      found += world.query(Position, Rare, ...present, ...absent.map((mark) => not(mark))).count
    },
    result: () => [found],
  }
}

const rareQuery = (stepOf) => () => {
  const world = createRare()
  const rare = world.query(Position, Rare)
  return { run: stepOf(rare, world), result: () => [world.get(rare.single(), Rare).value] }
}

const increaseInChunks = (rare) => () => {
  for (const chunk of rare) {
    const { value } = chunk.write(Rare)
    for (let i = chunk.start; i < chunk.end; i++) value[i] += 1
  }
}

function increaseEach(rare) {
  const increase = (entity, position, component) => {
    component.value += 1
  }
  return () => rare.each(increase)
}

function increaseSingle(rare, world) {
  const values = world.accessor(Rare)
  return () => {
    values.of(rare.single()).value += 1
  }
}

export const archetypeWays = {
  ...fragmentedWays({
    'chunk views, columns as locals': fragmented(byColumns),
    'expert path': fragmented(byIndex),
    each: fragmented(byEach),
    kernel: fragmented(byKernel),
  }),
  'query-new': { 'world.query': newQuery },
  'query-rare': {
    'chunk views': rareQuery(increaseInChunks),
    each: rareQuery(increaseEach),
    'single, accessor': rareQuery(increaseSingle),
  },
}
