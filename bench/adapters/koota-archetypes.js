// Owns koota 0.6 in the cases with many combinations of traits: tags, `createQuery` once and `useStores`, as its README
// recommends where speed matters. It must never reach past what the README documents.
import { Not, createQuery, createWorld, trait } from 'koota'
import { fragmentedWays, tagsOf } from '../cases/fragmentation.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { ARCHETYPES, RARE, START, TAGS, choiceOf } from '../cases/queries.js'

const dt = DT
const Position = trait({ x: 0, y: 0, z: 0 })
const Velocity = trait({ x: 0, y: 0, z: 0 })
const Rare = trait({ value: 0 })
const marks = Array.from({ length: TAGS }, () => trait())

function moveStores([p, v], entities) {
  const { x: px, y: py, z: pz } = p
  const { x: vx, y: vy, z: vz } = v
  for (let i = 0; i < entities.length; i++) {
    const id = entities[i].id()
    px[id] += vx[id] * dt
    py[id] += vy[id] * dt
    pz[id] += vz[id] * dt
  }
}

function fragmented(size, tags, numberOf) {
  const world = createWorld()
  const moving = createQuery(Position, Velocity)
  const used = marks.slice(0, tags)
  const entities = Array.from({ length: size }, (_, i) =>
    world.spawn(
      Position({ x: startX(i) }),
      Velocity({ x: velocityX(i), y: velocityY(i), z: velocityZ(i) }),
      ...tagsOf(numberOf(i), used),
    ),
  )
  return {
    run: () => world.query(moving).useStores(moveStores),
    result: () => entities.flatMap((entity) => Object.values(entity.get(Position))),
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
      found += world.query(Position, Rare, ...present, ...absent.map((mark) => Not(mark))).length
    },
    result: () => [found],
  }
}

function increaseStore([, { value }], entities) {
  for (let i = 0; i < entities.length; i++) value[entities[i].id()] += 1
}

function rareQuery() {
  const world = createRare()
  const rare = createQuery(Position, Rare)
  return {
    run: () => world.query(rare).useStores(increaseStore),
    result: () => Array.from(world.query(rare), (entity) => entity.get(Rare).value),
  }
}

export const archetypeWays = {
  ...fragmentedWays({ useStores: fragmented }),
  'query-new': { 'world.query': newQuery },
  'query-rare': { useStores: rareQuery },
}
