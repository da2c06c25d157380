// Owns the wolf-ecs 2.1.3 side: typed arrays by entity id, and two nested loops over a query's archetypes, backwards, as
// its README writes what must be fast. Data must be defined first: a query for the component with bit 31 finds nothing.
import { ECS, not, types } from 'wolf-ecs'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { LETTERS, lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'
import { archetypeWays } from './wolf-archetypes.js'
import { populationWays } from './wolf-population.js'
import {
  addRemoveScene,
  destroyScene,
  entityCycleScene,
  noctAddRemoveScene,
  spawnKillScene,
  spawnScene,
} from './scenes.js'
import { waysAfterForty } from '../cases/loop-after-forty.js'
import { callsWays, createOtherLoop } from './wolf-calls.js'

export const label = 'wolf-ecs'
export const packageName = 'wolf-ecs'
export const uses =
  'Two nested index loops over the archetypes of a query, which its README names as the most performant, ' +
  'values in the typed arrays of the component by id. `createEntity`, `addComponent`, `removeComponent`, ' +
  '`destroyEntity`, one call each.'

const dt = DT
const VECTOR = { x: types.f32, y: types.f32, z: types.f32 }
const SCALAR = { value: types.f32 }

function createStage(size) {
  const ecs = new ECS(size)
  const Position = ecs.defineComponent(VECTOR)
  const Velocity = ecs.defineComponent(VECTOR)
  const moving = ecs.createQuery(Position, Velocity)
  const count = () => moving.a.reduce((sum, archetype) => sum + archetype.e.length, 0)
  const ids = new Array(size).fill(-1)
  const columns = [Position, Velocity].flatMap(({ x, y, z }) => [x, y, z])
  const read = (k) => columns.map((column) => column[ids[k]])
  return { ecs, Position, Velocity, moving, count, ids, columns, read }
}

function loop(size) {
  const { ecs, Position, Velocity, moving, ids, read } = createStage(size)
  const { x: px, y: py, z: pz } = Position
  const { x: vx, y: vy, z: vz } = Velocity
  for (let i = 0; i < size; i++) {
    const id = (ids[i] = ecs.createEntity())
    ecs.addComponent(id, Position).addComponent(id, Velocity)
    px[id] = startX(i)
    vx[id] = velocityX(i)
    vy[id] = velocityY(i)
    vz[id] = velocityZ(i)
  }
  function run() {
    for (let i = 0; i < moving.a.length; i++) {
      const entities = moving.a[i].e
      for (let j = entities.length - 1; j >= 0; j--) {
        const id = entities[j]
        px[id] += vx[id] * dt
        py[id] += vy[id] * dt
        pz[id] += vz[id] * dt
      }
    }
  }
  return { run, result: () => ids.flatMap((_, k) => read(k).slice(0, 3)) }
}

function createStill(size) {
  const stage = createStage(size)
  const { ecs, Position, ids } = stage
  for (let i = 0; i < size; i++) {
    ids[i] = ecs.createEntity()
    ecs.addComponent(ids[i], Position)
    Position.x[ids[i]] = placeOf(i)
  }
  return stage
}

function get(size) {
  const { Position, ids } = createStill(size)
  const shuffled = shuffledOrder(size).map((i) => ids[i])
  const { x } = Position
  function run() {
    let sum = 0
    for (let i = 0; i < size; i++) sum += x[shuffled[i]]
    return sum
  }
  return { run, result: () => [run()] }
}

function createPopulation(size) {
  const { ecs, Position, Velocity, count, ids, columns, read } = createStage(size)
  return {
    count,
    read,
    soil: () => columns.forEach((column) => column.fill(7)),
    // wolf-ecs has no public question for this.
    alive: (k) => ecs._validID(ids[k]),
    spawnAll() {
      for (let i = 0; i < size; i++) {
        const id = ecs.createEntity()
        ecs.addComponent(id, Position).addComponent(id, Velocity)
        Position.x[id] = i
        Position.y[id] = Position.z[id] = 0
        Velocity.x[id] = Velocity.y[id] = Velocity.z[id] = 0
        ids[i] = id
      }
    },
    destroyAll() {
      for (let i = 0; i < size; i++) ecs.destroyEntity(ids[i])
    },
  }
}

function addRemove(size) {
  const { ecs, Velocity, count, ids, columns, read } = createStill(size)
  return addRemoveScene(size, {
    count,
    velocity: (k) => read(k).slice(3),
    x: (k) => read(k)[0],
    soil: () => columns.slice(3).forEach((column) => column.fill(7)),
    add() {
      for (let i = 0; i < size; i++) {
        const id = ids[i]
        ecs.addComponent(id, Velocity)
        Velocity.x[id] = Velocity.y[id] = Velocity.z[id] = 0
      }
    },
    remove() {
      for (let i = 0; i < size; i++) ecs.removeComponent(ids[i], Velocity)
    },
  })
}

function increase(query, value) {
  for (let i = 0; i < query.a.length; i++) {
    const entities = query.a[i].e
    for (let j = entities.length - 1; j >= 0; j--) value[entities[j]] += 1
  }
}

function swap(query, first, second) {
  for (let i = 0; i < query.a.length; i++) {
    const entities = query.a[i].e
    for (let j = entities.length - 1; j >= 0; j--) {
      const id = entities[j]
      const value = first[id]
      first[id] = second[id]
      second[id] = value
    }
  }
}

/** An entity with a value for each of the components; returns how to read them. */
function spawnWith(ecs, components, values) {
  const id = ecs.createEntity()
  components.forEach((component, k) => {
    ecs.addComponent(id, component)
    component.value[id] = values[k]
  })
  return () => components.map((component) => component.value[id])
}

function packed5(size) {
  const ecs = new ECS(size)
  const components = Array.from({ length: 5 }, () => ecs.defineComponent(SCALAR))
  const queries = components.map((component) => ecs.createQuery(component))
  const readers = Array.from({ length: size }, (_, i) => {
    const values = components.map((_, k) => startOfPacked(i, k))
    return spawnWith(ecs, components, values)
  })
  return {
    run() {
      for (let k = 0; k < 5; k++) increase(queries[k], components[k].value)
    },
    result: () => readers.flatMap((read) => read()),
  }
}

function simpleIter(size) {
  const ecs = new ECS(size)
  const of = Object.fromEntries(LETTERS.map((letter) => [letter, ecs.defineComponent(SCALAR)]))
  const { A, B, C, D, E } = of
  const [ab, cd, ce] = [ecs.createQuery(A, B), ecs.createQuery(C, D), ecs.createQuery(C, E)]
  const readers = Array.from({ length: size }, (_, i) => {
    const letters = lettersOf(i)
    const components = letters.map((letter) => of[letter])
    const values = letters.map((letter) => startOfSimple(i, letter))
    return spawnWith(ecs, components, values)
  })
  return {
    run() {
      swap(ab, A.value, B.value)
      swap(cd, C.value, D.value)
      swap(ce, C.value, E.value)
    },
    result: () => readers.flatMap((read) => read()),
  }
}

const fragIter = (types) => (size) => {
  const ecs = new ECS(size)
  const data = ecs.defineComponent(SCALAR)
  const own = Array.from({ length: types }, () => ecs.defineComponent(SCALAR))
  const last = own[types - 1]
  const [withData, withLast] = [ecs.createQuery(data), ecs.createQuery(last)]
  const readers = Array.from({ length: size }, (_, i) => {
    const type = typeOf(i, types)
    return spawnWith(ecs, [data, own[type]], [startOfData(i), type])
  })
  return {
    run() {
      increase(withData, data.value)
      increase(withLast, last.value)
    },
    result: () => readers.flatMap((read) => read()),
  }
}

function createNoctStage(size) {
  const ecs = new ECS(size * 2)
  const [A, B] = [ecs.defineComponent(SCALAR), ecs.defineComponent(SCALAR)]
  const [withA, withB] = [ecs.createQuery(A), ecs.createQuery(B)]
  const valuesOf = (query, { value }) => query.a.flatMap((archetype) => archetype.e.map((id) => value[id]))
  for (let i = 0; i < size; i++) {
    const id = ecs.createEntity()
    ecs.addComponent(id, A)
    A.value[id] = i
  }
  return { ecs, A, B, withA, withB, valuesOfA: () => valuesOf(withA, A), valuesOfB: () => valuesOf(withB, B) }
}

function entityCycle(size) {
  const { ecs, A, B, withA, withB, valuesOfA, valuesOfB } = createNoctStage(size)
  return entityCycleScene({
    valuesOfA,
    valuesOfB,
    spawnEach() {
      for (let i = 0; i < withA.a.length; i++) {
        const entities = withA.a[i].e
        for (let j = entities.length - 1; j >= 0; j--) {
          const id = ecs.createEntity()
          ecs.addComponent(id, B)
          B.value[id] = A.value[entities[j]]
        }
      }
    },
    destroyEach() {
      for (let i = 0; i < withB.a.length; i++) {
        const entities = withB.a[i].e
        for (let j = entities.length - 1; j >= 0; j--) ecs.destroyEntity(entities[j])
      }
    },
  })
}

function noctAddRemove(size) {
  const { ecs, A, B, withB, valuesOfA, valuesOfB } = createNoctStage(size)
  // The archetype that an entity gets into is visited later in the loop, if it has A, too.
  const withoutB = ecs.createQuery(A, not(B))
  return noctAddRemoveScene({
    valuesOfA,
    valuesOfB,
    soil: () => B.value.fill(7),
    addEach() {
      for (let i = 0; i < withoutB.a.length; i++) {
        const entities = withoutB.a[i].e
        for (let j = entities.length - 1; j >= 0; j--) {
          const id = entities[j]
          ecs.addComponent(id, B)
          B.value[id] = 0
        }
      }
    },
    removeEach() {
      for (let i = 0; i < withB.a.length; i++) {
        const entities = withB.a[i].e
        for (let j = entities.length - 1; j >= 0; j--) ecs.removeComponent(entities[j], B)
      }
    },
  })
}

const loops = { 'nested loops': loop }

export const ways = {
  loop: loops,
  ...waysAfterForty(loops, createOtherLoop),
  ...callsWays,
  ...populationWays,
  ...archetypeWays,
  get: { 'array by id': get },
  spawn: { 'per call': (size) => spawnScene(size, createPopulation(size)) },
  destroy: { 'per call': (size) => destroyScene(size, createPopulation(size)) },
  'spawn-kill': { 'per call': (size) => spawnKillScene(size, createPopulation(size)) },
  'add-remove': { 'per call': addRemove },
  packed_5: { 'nested loops': packed5 },
  simple_iter: { 'nested loops': simpleIter },
  schedule: { 'nested loops': simpleIter },
  frag_iter: { 'nested loops': fragIter(26) },
  frag_iter_256: { 'nested loops': fragIter(256) },
  entity_cycle: { 'per call': entityCycle },
  add_remove: { 'per call': noctAddRemove },
}
