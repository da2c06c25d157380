// Owns miniplex 2.0 in the cases with many combinations of components: a tag is a property that is true, as in its README;
// queries are walked with `for...of`. It must never make an entity other than whole.
import { World } from 'miniplex'
import { fragmentedWays, tagsOf } from '../cases/fragmentation.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { ARCHETYPES, RARE, START, TAGS, choiceOf } from '../cases/queries.js'

const dt = DT
const marks = Array.from({ length: TAGS }, (_, bit) => `mark${bit}`)

const taggedBy = (number, used) => Object.fromEntries(tagsOf(number, used).map((mark) => [mark, true]))

function fragmented(size, tags, numberOf) {
  const world = new World()
  const moving = world.with('position', 'velocity')
  const used = marks.slice(0, tags)
  const entities = Array.from({ length: size }, (_, i) =>
    world.add({
      position: { x: startX(i), y: 0, z: 0 },
      velocity: { x: velocityX(i), y: velocityY(i), z: velocityZ(i) },
      ...taggedBy(numberOf(i), used),
    }),
  )
  return {
    run() {
      for (const { position, velocity } of moving) {
        position.x += velocity.x * dt
        position.y += velocity.y * dt
        position.z += velocity.z * dt
      }
    },
    result: () => entities.flatMap(({ position: { x, y, z } }) => [x, y, z]),
  }
}

function createRare() {
  const world = new World()
  for (let number = 0; number < ARCHETYPES; number++) {
    const rare = number === RARE ? { rare: START } : {}
    world.add({ position: { x: 0, y: 0, z: 0 }, ...taggedBy(number, marks), ...rare })
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
      found += world.with('position', 'rare', ...present).without(...absent).size
    },
    result: () => [found],
  }
}

function rareQuery() {
  const rare = createRare().with('position', 'rare')
  return {
    run() {
      for (const entity of rare) entity.rare += 1
    },
    result: () => Array.from(rare, (entity) => entity.rare),
  }
}

export const archetypeWays = {
  ...fragmentedWays({ 'for...of': fragmented }),
  'query-new': { 'with, without': newQuery },
  'query-rare': { 'for...of': rareQuery },
}
