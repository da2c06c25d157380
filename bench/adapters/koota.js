// Owns the koota 0.6 side: `createQuery` once and `useStores` for loops, as its README recommends where speed matters,
// and `updateEach`, which it shows first, beside it. It must never reach past what the README documents.
import { createQuery, createWorld, getStore, trait } from 'koota'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { LETTERS, lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'
import { archetypeWays } from './koota-archetypes.js'
import { populationWays } from './koota-population.js'
import { rustWays } from './koota-rust.js'
import {
  addRemoveScene,
  destroyScene,
  entityCycleScene,
  noctAddRemoveScene,
  spawnKillScene,
  spawnScene,
} from './scenes.js'
import { waysAfterForty } from '../cases/loop-after-forty.js'
import { callsWays, createOtherLoop } from './koota-calls.js'
import { familyWays } from './koota-relations.js'

export const label = 'koota'
export const packageName = 'koota'
export const uses =
  'Queries made by `createQuery`, `useStores` with loops over the stores, which its README names for ' +
  'critical loops; beside it `updateEach` without change detection. `entity.get`, and `getStore` by id. ' +
  '`world.spawn` with values, `entity.add`, `entity.remove`, `entity.destroy`. SoA traits.'

/**
 * Above this the case is left out. The query that follows n removals copies the list of those that left once for each of
 * them: 0.1 s at 10,000, 1.5 s at 20,000, 20 s at 40,000, minutes at 100,000.
 */
export const largest = {
  spawn: 10_000,
  destroy: 10_000,
  'spawn-kill': 10_000,
  'spawn-bare': 10_000,
  'spawn-values': 10_000,
  'spawn-destroy': 10_000,
  'add-remove': 10_000,
  'add-bare': 10_000,
  'add-values': 10_000,
  entity_cycle: 10_000,
  add_remove: 10_000,
}

const dt = DT
const Position = trait({ x: 0, y: 0, z: 0 })
const Velocity = trait({ x: 0, y: 0, z: 0 })
const [A, B, C, D, E] = LETTERS.map(() => trait({ value: 0 }))
const BY_LETTER = { A, B, C, D, E }

// Functions are made once, as the README advises.
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

function moveOne([p, v]) {
  p.x += v.x * dt
  p.y += v.y * dt
  p.z += v.z * dt
}

function increaseStore([{ value }], entities) {
  for (let i = 0; i < entities.length; i++) value[entities[i].id()] += 1
}

function increaseOne([component]) {
  component.value += 1
}

function swapStores([{ value: first }, { value: second }], entities) {
  for (let i = 0; i < entities.length; i++) {
    const id = entities[i].id()
    const value = first[id]
    first[id] = second[id]
    second[id] = value
  }
}

function swapOne([first, second]) {
  const value = first.value
  first.value = second.value
  second.value = value
}

const byStores = {
  move: (world, query) => world.query(query).useStores(moveStores),
  increase: (world, query) => world.query(query).useStores(increaseStore),
  swap: (world, query) => world.query(query).useStores(swapStores),
}

// Nobody listens, and the README has this to silence change detection.
const UNTRACKED = { changeDetection: 'never' }

const byUpdateEach = {
  move: (world, query) => world.query(query).updateEach(moveOne, UNTRACKED),
  increase: (world, query) => world.query(query).updateEach(increaseOne, UNTRACKED),
  swap: (world, query) => world.query(query).updateEach(swapOne, UNTRACKED),
}

const loop = (way) => (size) => {
  const world = createWorld()
  const moving = createQuery(Position, Velocity)
  const entities = Array.from({ length: size }, (_, i) =>
    world.spawn(Position({ x: startX(i) }), Velocity({ x: velocityX(i), y: velocityY(i), z: velocityZ(i) })),
  )
  return { run: () => way.move(world, moving), result: () => entities.flatMap((e) => vectorOf(e, Position)) }
}

function vectorOf(entity, Vector) {
  const { x, y, z } = entity.get(Vector)
  return [x, y, z]
}

function createStill(size) {
  const world = createWorld()
  const moving = createQuery(Position, Velocity)
  const count = () => world.query(moving).length
  return {
    world,
    entities: Array.from({ length: size }, (_, i) => world.spawn(Position({ x: placeOf(i) }))),
    count,
  }
}

function get(size) {
  const { entities } = createStill(size)
  const shuffled = Array.from(shuffledOrder(size), (i) => entities[i])
  function run() {
    let sum = 0
    for (let i = 0; i < size; i++) sum += shuffled[i].get(Position).x
    return sum
  }
  return { run, result: () => [run()] }
}

function getFromStore(size) {
  const { world, entities } = createStill(size)
  const shuffled = Array.from(shuffledOrder(size), (i) => entities[i])
  function run() {
    const { x } = getStore(world, Position)
    let sum = 0
    for (let i = 0; i < size; i++) sum += x[shuffled[i].id()]
    return sum
  }
  return { run, result: () => [run()] }
}

function createPopulation(size) {
  const world = createWorld()
  const moving = createQuery(Position, Velocity)
  const entities = new Array(size)
  const seven = { x: 7, y: 7, z: 7 }
  return {
    count: () => world.query(moving).length,
    read: (k) => [...vectorOf(entities[k], Position), ...vectorOf(entities[k], Velocity)],
    soil: () => entities.forEach((entity) => (entity.set(Position, seven), entity.set(Velocity, seven))),
    alive: (k) => entities[k].isAlive(),
    spawnAll() {
      for (let i = 0; i < size; i++) entities[i] = world.spawn(Position({ x: i }), Velocity)
    },
    destroyAll() {
      for (let i = 0; i < size; i++) entities[i].destroy()
    },
  }
}

function addRemove(size) {
  const { entities, count } = createStill(size)
  return addRemoveScene(size, {
    count,
    velocity: (k) => vectorOf(entities[k], Velocity),
    x: (k) => entities[k].get(Position).x,
    soil: () => entities.forEach((entity) => entity.set(Velocity, { x: 7, y: 7, z: 7 })),
    add() {
      for (let i = 0; i < size; i++) entities[i].add(Velocity)
    },
    remove() {
      for (let i = 0; i < size; i++) entities[i].remove(Velocity)
    },
  })
}

const packed5 = (way) => (size) => {
  const world = createWorld()
  const traits = [A, B, C, D, E]
  const queries = traits.map((Trait) => createQuery(Trait))
  const entities = Array.from({ length: size }, (_, i) =>
    world.spawn(...traits.map((Trait, k) => Trait({ value: startOfPacked(i, k) }))),
  )
  return {
    run() {
      for (let k = 0; k < 5; k++) way.increase(world, queries[k])
    },
    result: () => entities.flatMap((entity) => traits.map((Trait) => entity.get(Trait).value)),
  }
}

const simpleIter = (way) => (size) => {
  const world = createWorld()
  const [ab, cd, ce] = [createQuery(A, B), createQuery(C, D), createQuery(C, E)]
  const entities = Array.from({ length: size }, (_, i) =>
    world.spawn(...lettersOf(i).map((letter) => BY_LETTER[letter]({ value: startOfSimple(i, letter) }))),
  )
  return {
    run() {
      way.swap(world, ab)
      way.swap(world, cd)
      way.swap(world, ce)
    },
    result: () =>
      entities.flatMap((entity, i) => lettersOf(i).map((letter) => entity.get(BY_LETTER[letter]).value)),
  }
}

const fragIter = (way, types) => (size) => {
  const world = createWorld()
  const Data = trait({ value: 0 })
  const own = Array.from({ length: types }, () => trait({ value: 0 }))
  const [withData, withLast] = [createQuery(Data), createQuery(own[types - 1])]
  const entities = Array.from({ length: size }, (_, i) => {
    const type = typeOf(i, types)
    return world.spawn(Data({ value: startOfData(i) }), own[type]({ value: type }))
  })
  return {
    run() {
      way.increase(world, withData)
      way.increase(world, withLast)
    },
    result: () => entities.flatMap((e, i) => [e.get(Data).value, e.get(own[typeOf(i, types)]).value]),
  }
}

function createNoctStage(size) {
  const world = createWorld()
  const [withA, withB] = [createQuery(A), createQuery(B)]
  for (let i = 0; i < size; i++) world.spawn(A({ value: i }))
  const valuesOf = (query, Trait) => Array.from(world.query(query), (entity) => entity.get(Trait).value)
  return { world, withA, withB, valuesOfA: () => valuesOf(withA, A), valuesOfB: () => valuesOf(withB, B) }
}

function entityCycle(size) {
  const { world, withA, withB, valuesOfA, valuesOfB } = createNoctStage(size)
  return entityCycleScene({
    valuesOfA,
    valuesOfB,
    spawnEach() {
      for (const entity of world.query(withA)) world.spawn(B({ value: entity.get(A).value }))
    },
    destroyEach() {
      for (const entity of world.query(withB)) entity.destroy()
    },
  })
}

function noctAddRemove(size) {
  const { world, withA, withB, valuesOfA, valuesOfB } = createNoctStage(size)
  return noctAddRemoveScene({
    valuesOfA,
    valuesOfB,
    soil: () => world.query(withB).forEach((entity) => entity.set(B, { value: 7 })),
    addEach() {
      for (const entity of world.query(withA)) entity.add(B)
    },
    removeEach() {
      for (const entity of world.query(withB)) entity.remove(B)
    },
  })
}

const waysOf = (work) => ({ useStores: work(byStores), updateEach: work(byUpdateEach) })

const loops = waysOf(loop)

export const ways = {
  ...familyWays,
  loop: loops,
  ...waysAfterForty(loops, createOtherLoop),
  ...callsWays,
  ...populationWays,
  ...archetypeWays,
  ...rustWays(waysOf(simpleIter)),
  get: { 'entity.get': get, getStore: getFromStore },
  spawn: { 'per call': (size) => spawnScene(size, createPopulation(size)) },
  destroy: { 'per call': (size) => destroyScene(size, createPopulation(size)) },
  'spawn-kill': { 'per call': (size) => spawnKillScene(size, createPopulation(size)) },
  'add-remove': { 'per call': addRemove },
  packed_5: waysOf(packed5),
  simple_iter: waysOf(simpleIter),
  frag_iter: waysOf((way) => fragIter(way, 26)),
  frag_iter_256: waysOf((way) => fragIter(way, 256)),
  entity_cycle: { 'per call': entityCycle },
  add_remove: { 'per call': noctAddRemove },
}
