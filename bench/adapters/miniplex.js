// Owns the miniplex 2.0 side: queries made once and walked with `for...of`, which its README recommends as safe for removal,
// and the array that a query keeps, which is faster. It must never walk the array where entities leave: that skips some.
import { World } from 'miniplex'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { LETTERS as PACKED, startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'
import { archetypeWays } from './miniplex-archetypes.js'
import { frameWays } from './miniplex-frame.js'
import { populationWays } from './miniplex-population.js'
import { rustWays } from './miniplex-rust.js'
import {
  addRemoveScene,
  destroyScene,
  entityCycleScene,
  noctAddRemoveScene,
  spawnKillScene,
  spawnScene,
} from './scenes.js'
import { waysAfterForty } from '../cases/loop-after-forty.js'
import { callsWays, createOtherLoop } from './miniplex-calls.js'

export const label = 'miniplex'
export const packageName = 'miniplex'
export const uses =
  'Queries made once by `world.with`, walked with `for...of`, which its README recommends; beside it the ' +
  'array `query.entities`, which it advises against where entities are removed. Entities are plain objects. ' +
  '`world.add`, `world.addComponent`, `world.removeComponent`, `world.remove`, one call each.'

const dt = DT

// Entities are plain objects; a component of one number is that number, as in the README.
const byQuery = (query) => query
const byArray = (query) => query.entities

const loop = (all) => (size) => {
  const world = new World()
  const moving = world.with('position', 'velocity')
  const entities = Array.from({ length: size }, (_, i) =>
    world.add({
      position: { x: startX(i), y: 0, z: 0 },
      velocity: { x: velocityX(i), y: velocityY(i), z: velocityZ(i) },
    }),
  )
  function run() {
    for (const { position, velocity } of all(moving)) {
      position.x += velocity.x * dt
      position.y += velocity.y * dt
      position.z += velocity.z * dt
    }
  }
  return { run, result: () => entities.flatMap(({ position: { x, y, z } }) => [x, y, z]) }
}

function createStill(size) {
  const world = new World()
  const moving = world.with('position', 'velocity')
  const entities = Array.from({ length: size }, (_, i) =>
    world.add({ position: { x: placeOf(i), y: 0, z: 0 } }),
  )
  return { world, moving, entities }
}

function get(size) {
  const { entities } = createStill(size)
  const shuffled = Array.from(shuffledOrder(size), (i) => entities[i])
  function run() {
    let sum = 0
    for (let i = 0; i < size; i++) sum += shuffled[i].position.x
    return sum
  }
  return { run, result: () => [run()] }
}

function createPopulation(size) {
  const world = new World()
  const moving = world.with('position', 'velocity')
  const entities = new Array(size)
  return {
    count: () => moving.size,
    read(k) {
      const { position: p, velocity: v } = entities[k]
      return [p.x, p.y, p.z, v.x, v.y, v.z]
    },
    soil: () => entities.forEach(({ position, velocity }) => [position, velocity].forEach(soilVector)),
    alive: (k) => world.has(entities[k]),
    spawnAll() {
      for (let i = 0; i < size; i++) {
        entities[i] = world.add({ position: { x: i, y: 0, z: 0 }, velocity: { x: 0, y: 0, z: 0 } })
      }
    },
    destroyAll() {
      for (let i = 0; i < size; i++) world.remove(entities[i])
    },
  }
}

const soilVector = (vector) => Object.assign(vector, { x: 7, y: 7, z: 7 })

function addRemove(size) {
  const { world, moving, entities } = createStill(size)
  return addRemoveScene(size, {
    count: () => moving.size,
    velocity: (k) => Object.values(entities[k].velocity),
    x: (k) => entities[k].position.x,
    soil: () => entities.forEach(({ velocity }) => soilVector(velocity)),
    add() {
      for (let i = 0; i < size; i++) world.addComponent(entities[i], 'velocity', { x: 0, y: 0, z: 0 })
    },
    remove() {
      for (let i = 0; i < size; i++) world.removeComponent(entities[i], 'velocity')
    },
  })
}

const packed5 = (all) => (size) => {
  const world = new World()
  const [withA, withB, withC, withD, withE] = PACKED.map((letter) => world.with(letter))
  const entities = Array.from({ length: size }, (_, i) => {
    const [A, B, C, D, E] = PACKED.map((_, k) => startOfPacked(i, k))
    return world.add({ A, B, C, D, E })
  })
  function run() {
    for (const entity of all(withA)) entity.A += 1
    for (const entity of all(withB)) entity.B += 1
    for (const entity of all(withC)) entity.C += 1
    for (const entity of all(withD)) entity.D += 1
    for (const entity of all(withE)) entity.E += 1
  }
  return { run, result: () => entities.flatMap(({ A, B, C, D, E }) => [A, B, C, D, E]) }
}

const simpleIter = (all) => (size) => {
  const world = new World()
  const [ab, cd, ce] = [world.with('A', 'B'), world.with('C', 'D'), world.with('C', 'E')]
  const entities = Array.from({ length: size }, (_, i) =>
    world.add(Object.fromEntries(lettersOf(i).map((letter) => [letter, startOfSimple(i, letter)]))),
  )
  function run() {
    for (const entity of all(ab)) [entity.A, entity.B] = [entity.B, entity.A]
    for (const entity of all(cd)) [entity.C, entity.D] = [entity.D, entity.C]
    for (const entity of all(ce)) [entity.C, entity.E] = [entity.E, entity.C]
  }
  return { run, result: () => entities.flatMap((entity) => Object.values(entity)) }
}

const fragIter = (all, types) => (size) => {
  const world = new World()
  const last = `own${types - 1}`
  const [withData, withLast] = [world.with('data'), world.with(last)]
  const entities = Array.from({ length: size }, (_, i) => {
    const type = typeOf(i, types)
    return world.add({ data: startOfData(i), [`own${type}`]: type })
  })
  function run() {
    for (const entity of all(withData)) entity.data += 1
    for (const entity of all(withLast)) entity[last] += 1
  }
  return { run, result: () => entities.flatMap((entity) => Object.values(entity)) }
}

function createNoctStage(size) {
  const world = new World()
  const [withA, withB] = [world.with('A'), world.with('B')]
  for (let i = 0; i < size; i++) world.add({ A: i })
  const valuesOfA = () => Array.from(withA, ({ A }) => A)
  const valuesOfB = () => Array.from(withB, ({ B }) => B)
  return { world, withA, withB, valuesOfA, valuesOfB }
}

function entityCycle(size) {
  const { world, withA, withB, valuesOfA, valuesOfB } = createNoctStage(size)
  return entityCycleScene({
    valuesOfA,
    valuesOfB,
    spawnEach() {
      for (const { A } of withA) world.add({ B: A })
    },
    destroyEach() {
      for (const entity of withB) world.remove(entity)
    },
  })
}

function noctAddRemove(size) {
  const { world, withA, withB, valuesOfA, valuesOfB } = createNoctStage(size)
  return noctAddRemoveScene({
    valuesOfA,
    valuesOfB,
    soil() {
      for (const entity of withB) entity.B = 7
    },
    addEach() {
      for (const entity of withA) world.addComponent(entity, 'B', 0)
    },
    removeEach() {
      for (const entity of withB) world.removeComponent(entity, 'B')
    },
  })
}

const waysOf = (work) => ({ 'for...of': work(byQuery), 'query.entities': work(byArray) })

const loops = waysOf(loop)

export const ways = {
  loop: loops,
  ...waysAfterForty(loops, createOtherLoop),
  ...callsWays,
  ...populationWays,
  ...archetypeWays,
  ...frameWays,
  ...rustWays(waysOf(simpleIter)),
  get: { 'property of the entity': get },
  spawn: { 'per call': (size) => spawnScene(size, createPopulation(size)) },
  destroy: { 'per call': (size) => destroyScene(size, createPopulation(size)) },
  'spawn-kill': { 'per call': (size) => spawnKillScene(size, createPopulation(size)) },
  'add-remove': { 'per call': addRemove },
  packed_5: waysOf(packed5),
  simple_iter: waysOf(simpleIter),
  frag_iter: waysOf((all) => fragIter(all, 26)),
  frag_iter_256: waysOf((all) => fragIter(all, 256)),
  entity_cycle: { 'per call': entityCycle },
  add_remove: { 'per call': noctAddRemove },
}
