// Owns wolf-ecs 2.1.3 in the cases with many archetypes: tags, and two nested loops over a query's archetypes, backwards,
// as its README writes what must be fast. It must never define so many components that a query needs bit 31.
import { ECS, all, not, types } from 'wolf-ecs'
import { fragmentedWays, tagsOf } from '../cases/fragmentation.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { ARCHETYPES, RARE, START, TAGS, choiceOf } from '../cases/queries.js'

const dt = DT
const VECTOR = { x: types.f32, y: types.f32, z: types.f32 }

const createMarks = (ecs, count) => Array.from({ length: count }, () => ecs.defineComponent())

function fragmented(size, tags, numberOf) {
  const ecs = new ECS(size)
  const [Position, Velocity] = [ecs.defineComponent(VECTOR), ecs.defineComponent(VECTOR)]
  const marks = createMarks(ecs, tags)
  const moving = ecs.createQuery(Position, Velocity)
  const { x: px, y: py, z: pz } = Position
  const { x: vx, y: vy, z: vz } = Velocity
  const ids = Array.from({ length: size }, (_, i) => {
    const id = ecs.createEntity()
    for (const component of [Position, Velocity, ...tagsOf(numberOf(i), marks)])
      ecs.addComponent(id, component)
    px[id] = startX(i)
    vx[id] = velocityX(i)
    vy[id] = velocityY(i)
    vz[id] = velocityZ(i)
    return id
  })
  return {
    run() {
      for (let i = 0; i < moving.a.length; i++) {
        const entities = moving.a[i].e
        for (let j = entities.length - 1; j >= 0; j--) {
          const id = entities[j]
          px[id] += vx[id] * dt
          py[id] += vy[id] * dt
          pz[id] += vz[id] * dt
        }
      }
    },
    result: () => ids.flatMap((id) => [px[id], py[id], pz[id]]),
  }
}

function createRare() {
  const ecs = new ECS(ARCHETYPES)
  const Position = ecs.defineComponent(VECTOR)
  const Rare = ecs.defineComponent({ value: types.i32 })
  const marks = createMarks(ecs, TAGS)
  for (let number = 0; number < ARCHETYPES; number++) {
    const id = ecs.createEntity()
    for (const component of [Position, ...tagsOf(number, marks)]) ecs.addComponent(id, component)
    if (number !== RARE) continue
    ecs.addComponent(id, Rare)
    Rare.value[id] = START
  }
  return { ecs, Position, Rare, marks }
}

const countOf = (query) => query.a.reduce((sum, archetype) => sum + archetype.e.length, 0)

function newQuery() {
  const { ecs, Position, Rare, marks } = createRare()
  let asked = 0
  let found = 0
  return {
    run() {
      const { present, absent } = choiceOf(++asked, marks)
      found += countOf(ecs.createQuery(all(Position, Rare, ...present), ...absent.map((mark) => not(mark))))
    },
    result: () => [found],
  }
}

function rareQuery() {
  const { ecs, Position, Rare } = createRare()
  const rare = ecs.createQuery(Position, Rare)
  const { value } = Rare
  return {
    run() {
      for (let i = 0; i < rare.a.length; i++) {
        const entities = rare.a[i].e
        for (let j = entities.length - 1; j >= 0; j--) value[entities[j]] += 1
      }
    },
    result: () => rare.a.flatMap((archetype) => archetype.e.map((id) => value[id])),
  }
}

export const archetypeWays = {
  ...fragmentedWays({ 'nested loops': fragmented }),
  'query-new': { createQuery: newQuery },
  'query-rare': { 'nested loops': rareQuery },
}
