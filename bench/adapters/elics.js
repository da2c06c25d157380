// Owns the EliCS 3.4 side: systems that walk a query's set and write into `Component.data` by `entity.index`, checks off,
// which is how EliCS writes its own benchmark. It must never let a capacity be found too small: EliCS does not grow.
import { createComponent, createSystem, Types, World } from 'elics'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { LETTERS, lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'
import { archetypeWays } from './elics-archetypes.js'
import { populationWays } from './elics-population.js'
import {
  addRemoveScene,
  destroyScene,
  entityCycleScene,
  noctAddRemoveScene,
  spawnKillScene,
  spawnScene,
} from './scenes.js'
import { waysAfterForty } from '../cases/loop-after-forty.js'
import { callsWays, createOtherLoop } from './elics-calls.js'

export const label = 'EliCS'
export const packageName = 'elics'
export const uses =
  'Systems over the set of a query, values in `Component.data` by `entity.index`, as in its own benchmark; ' +
  'checks off. `createEntity`, `addComponent`, `removeComponent`, `destroy`, one call each.'

const dt = DT
const number = { type: Types.Float32, default: 0 }
const Position = createComponent('Position', { x: number, y: number, z: number })
const Velocity = createComponent('Velocity', { x: number, y: number, z: number })
const [A, B, C, D, E] = LETTERS.map((letter) => createComponent(letter, { value: number }))
const BY_LETTER = { A, B, C, D, E }

function createWorld(entityCapacity, components) {
  const world = new World({ entityCapacity, checksOn: false })
  for (const component of components) world.registerComponent(component)
  return world
}

class Move extends createSystem({ moving: { required: [Position, Velocity] } }) {
  update() {
    const { x: px, y: py, z: pz } = Position.data
    const { x: vx, y: vy, z: vz } = Velocity.data
    for (const { index } of this.queries.moving.entities) {
      px[index] += vx[index] * dt
      py[index] += vy[index] * dt
      pz[index] += vz[index] * dt
    }
  }
}

/** Position and Velocity, and a query for both that is kept up to date. */
function createStage(size) {
  const world = createWorld(size, [Position, Velocity]).registerSystem(Move)
  const { moving } = world.getSystem(Move).queries
  const columns = [Position, Velocity].flatMap(({ data: { x, y, z } }) => [x, y, z])
  return { world, columns, count: () => moving.entities.size }
}

function loop(size) {
  const { world, columns } = createStage(size)
  const entities = Array.from({ length: size }, (_, i) =>
    world
      .createEntity()
      .addComponent(Position, { x: startX(i) })
      .addComponent(Velocity, { x: velocityX(i), y: velocityY(i), z: velocityZ(i) }),
  )
  const [px, py, pz] = columns
  return {
    run: () => world.update(0, 0),
    result: () => entities.flatMap(({ index }) => [px[index], py[index], pz[index]]),
  }
}

function createStill(size) {
  const stage = createStage(size)
  const entities = Array.from({ length: size }, (_, i) =>
    stage.world.createEntity().addComponent(Position, { x: placeOf(i) }),
  )
  return { ...stage, entities }
}

function get(size) {
  const { entities } = createStill(size)
  const shuffled = Array.from(shuffledOrder(size), (i) => entities[i])
  function run() {
    const { x } = Position.data
    let sum = 0
    for (let i = 0; i < size; i++) sum += x[shuffled[i].index]
    return sum
  }
  return { run, result: () => [run()] }
}

function createPopulation(size) {
  const { world, columns, count } = createStage(size)
  const entities = new Array(size)
  return {
    count,
    read: (k) => columns.map((column) => column[entities[k].index]),
    soil: () => columns.forEach((column) => column.fill(7)),
    alive: (k) => entities[k].active,
    spawnAll() {
      for (let i = 0; i < size; i++) {
        entities[i] = world.createEntity().addComponent(Position, { x: i }).addComponent(Velocity)
      }
    },
    destroyAll() {
      for (let i = 0; i < size; i++) entities[i].destroy()
    },
  }
}

function addRemove(size) {
  const { entities, columns, count } = createStill(size)
  return addRemoveScene(size, {
    count,
    velocity: (k) => columns.slice(3).map((column) => column[entities[k].index]),
    x: (k) => columns[0][entities[k].index],
    soil: () => columns.slice(3).forEach((column) => column.fill(7)),
    add() {
      for (let i = 0; i < size; i++) entities[i].addComponent(Velocity)
    },
    remove() {
      for (let i = 0; i < size; i++) entities[i].removeComponent(Velocity)
    },
  })
}

const increaseSystem = (Component) =>
  class extends createSystem({ all: { required: [Component] } }) {
    update() {
      const { value } = Component.data
      for (const { index } of this.queries.all.entities) value[index] += 1
    }
  }

const swapSystem = (First, Second) =>
  class extends createSystem({ all: { required: [First, Second] } }) {
    update() {
      const { value: first } = First.data
      const { value: second } = Second.data
      for (const { index } of this.queries.all.entities) {
        const value = first[index]
        first[index] = second[index]
        second[index] = value
      }
    }
  }

function packed5(size) {
  const components = [A, B, C, D, E]
  const world = createWorld(size, components)
  for (const component of components) world.registerSystem(increaseSystem(component))
  const entities = Array.from({ length: size }, (_, i) => {
    const entity = world.createEntity()
    components.forEach((component, k) => entity.addComponent(component, { value: startOfPacked(i, k) }))
    return entity
  })
  return {
    run: () => world.update(0, 0),
    result: () =>
      entities.flatMap((entity) => components.map((component) => entity.getValue(component, 'value'))),
  }
}

function simpleIter(size) {
  const world = createWorld(size, [A, B, C, D, E])
  for (const pair of [
    [A, B],
    [C, D],
    [C, E],
  ])
    world.registerSystem(swapSystem(...pair))
  const entities = Array.from({ length: size }, (_, i) => {
    const entity = world.createEntity()
    for (const letter of lettersOf(i))
      entity.addComponent(BY_LETTER[letter], { value: startOfSimple(i, letter) })
    return entity
  })
  return {
    run: () => world.update(0, 0),
    result: () =>
      entities.flatMap((entity, i) =>
        lettersOf(i).map((letter) => entity.getValue(BY_LETTER[letter], 'value')),
      ),
  }
}

const fragIter = (types) => (size) => {
  const Data = createComponent('Data', { value: number })
  const own = Array.from({ length: types }, (_, type) => createComponent(`Own${type}`, { value: number }))
  const world = createWorld(size, [Data, ...own])
  world.registerSystem(increaseSystem(Data)).registerSystem(increaseSystem(own[types - 1]))
  const entities = Array.from({ length: size }, (_, i) => {
    const type = typeOf(i, types)
    return world
      .createEntity()
      .addComponent(Data, { value: startOfData(i) })
      .addComponent(own[type], { value: type })
  })
  return {
    run: () => world.update(0, 0),
    result: () =>
      entities.flatMap((entity, i) =>
        [Data, own[typeOf(i, types)]].map((component) => entity.getValue(component, 'value')),
      ),
  }
}

/** Each half is a system, called by itself, so that the check can look between them. */
function createNoctStage(size, First, Second) {
  const world = createWorld(size * 2, [A, B])
    .registerSystem(First)
    .registerSystem(Second)
  const [first, second] = [world.getSystem(First), world.getSystem(Second)]
  for (let i = 0; i < size; i++) world.createEntity().addComponent(A, { value: i })
  const valuesOf = ({ entities }, component) => Array.from(entities, (e) => e.getValue(component, 'value'))
  return {
    first: () => first.update(0, 0),
    second: () => second.update(0, 0),
    valuesOfA: () => valuesOf(first.queries.withA, A),
    valuesOfB: () => valuesOf(second.queries.withB, B),
  }
}

class SpawnEach extends createSystem({ withA: { required: [A] } }) {
  update() {
    const { value } = A.data
    for (const { index } of this.queries.withA.entities) {
      this.world.createEntity().addComponent(B, { value: value[index] })
    }
  }
}

class DestroyEach extends createSystem({ withB: { required: [B] } }) {
  update() {
    for (const entity of this.queries.withB.entities) entity.destroy()
  }
}

class AddEach extends createSystem({ withA: { required: [A] } }) {
  update() {
    for (const entity of this.queries.withA.entities) entity.addComponent(B)
  }
}

class RemoveEach extends createSystem({ withB: { required: [B] } }) {
  update() {
    for (const entity of this.queries.withB.entities) entity.removeComponent(B)
  }
}

function entityCycle(size) {
  const { first, second, ...values } = createNoctStage(size, SpawnEach, DestroyEach)
  return entityCycleScene({ ...values, spawnEach: first, destroyEach: second })
}

function noctAddRemove(size) {
  const { first, second, ...values } = createNoctStage(size, AddEach, RemoveEach)
  return noctAddRemoveScene({
    ...values,
    addEach: first,
    removeEach: second,
    soil: () => B.data.value.fill(7),
  })
}

const loops = { 'systems, data arrays': loop }

export const ways = {
  loop: loops,
  ...waysAfterForty(loops, createOtherLoop),
  ...callsWays,
  ...populationWays,
  ...archetypeWays,
  get: { 'data array by index': get },
  spawn: { 'per call': (size) => spawnScene(size, createPopulation(size)) },
  destroy: { 'per call': (size) => destroyScene(size, createPopulation(size)) },
  'spawn-kill': { 'per call': (size) => spawnKillScene(size, createPopulation(size)) },
  'add-remove': { 'per call': addRemove },
  packed_5: { 'systems, data arrays': packed5 },
  simple_iter: { 'systems, data arrays': simpleIter },
  schedule: { 'systems, data arrays': simpleIter },
  frag_iter: { 'systems, data arrays': fragIter(26) },
  frag_iter_256: { 'systems, data arrays': fragIter(256) },
  entity_cycle: { systems: entityCycle },
  add_remove: { systems: noctAddRemove },
}
