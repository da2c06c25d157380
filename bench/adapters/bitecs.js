// Owns the bitECS 0.4 side: structure-of-arrays components in typed arrays and `query`, as its docs recommend for
// speed. It must never register its queries late: entities come and go while a query watches, as in a program.
import {
  addComponent,
  addComponents,
  addEntity,
  asBuffer,
  createWorld,
  entityExists,
  query,
  removeComponent,
  removeEntity,
} from 'bitecs'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { LETTERS, lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'
import { particleWays } from './bitecs-particles.js'
import { ddWays } from './bitecs-ddmills.js'
import { archetypeWays } from './bitecs-archetypes.js'
import { frameWays } from './bitecs-frame.js'
import { populationWays } from './bitecs-population.js'
import { rustWays } from './bitecs-rust.js'
import { destroyScene, spawnKillScene, spawnScene } from './scenes.js'
import { tagWays } from './bitecs-tag.js'
import { waysAfterForty } from '../cases/loop-after-forty.js'
import { callsWays, createOtherLoop } from './bitecs-calls.js'
import { familyWays } from './bitecs-relations.js'

export const label = 'bitECS'
export const packageName = 'bitecs'
export const uses =
  'Components as structures of typed arrays, `query` with `asBuffer` once a pass, and an index loop; ' +
  'entities come and go by `addEntity`, `addComponent`, `addComponents`, `removeComponent`, `removeEntity`, ' +
  'one call each. It has no bulk calls.'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT

// Entity ids start at 1 and are recycled at once: twice the population is always room enough.
const vector = (size) => ({
  x: new Float32Array(size * 2 + 2),
  y: new Float32Array(size * 2 + 2),
  z: new Float32Array(size * 2 + 2),
})

function createStage(size) {
  const world = createWorld()
  const Position = vector(size)
  const Velocity = vector(size)
  query(world, [Position, Velocity], asBuffer)
  return { world, Position, Velocity }
}

function loop(size) {
  const { world, Position, Velocity } = createStage(size)
  const ids = []
  for (let i = 0; i < size; i++) {
    const id = addEntity(world)
    addComponents(world, id, Position, Velocity)
    Position.x[id] = startX(i)
    Velocity.x[id] = velocityX(i)
    Velocity.y[id] = velocityY(i)
    Velocity.z[id] = velocityZ(i)
    ids.push(id)
  }
  const { x: px, y: py, z: pz } = Position
  const { x: vx, y: vy, z: vz } = Velocity
  return {
    run() {
      const moving = query(world, [Position, Velocity], asBuffer)
      for (let i = 0; i < moving.length; i++) {
        const id = moving[i]
        px[id] += vx[id] * dt
        py[id] += vy[id] * dt
        pz[id] += vz[id] * dt
      }
    },
    result: () => ids.flatMap((id) => [px[id], py[id], pz[id]]),
  }
}

function get(size) {
  const { world, Position } = createStage(size)
  const ids = new Uint32Array(size)
  for (let i = 0; i < size; i++) {
    ids[i] = addEntity(world)
    addComponent(world, ids[i], Position)
    Position.x[ids[i]] = placeOf(i)
  }
  const shuffled = shuffledOrder(size).map((i) => ids[i])
  const x = Position.x
  function run() {
    let sum = 0
    for (let i = 0; i < size; i++) sum += x[shuffled[i]]
    return sum
  }
  return { run, result: () => [run()] }
}

function createPopulation(size) {
  const { world, Position, Velocity } = createStage(size)
  const ids = new Uint32Array(size)
  const columns = [Position, Velocity].flatMap(({ x, y, z }) => [x, y, z])
  return {
    count: () => query(world, [Position, Velocity], asBuffer).length,
    read: (k) => columns.map((column) => column[ids[k]]),
    soil: () => columns.forEach((column) => column.fill(7)),
    alive: (k) => entityExists(world, ids[k]),
    spawnAll() {
      for (let i = 0; i < size; i++) {
        const id = addEntity(world)
        addComponent(world, id, Position)
        Position.x[id] = i
        Position.y[id] = Position.z[id] = 0
        addComponent(world, id, Velocity)
        Velocity.x[id] = Velocity.y[id] = Velocity.z[id] = 0
        ids[i] = id
      }
    },
    destroyAll() {
      for (let i = 0; i < size; i++) removeEntity(world, ids[i])
    },
  }
}

function addRemove(size) {
  const { world, Position, Velocity } = createStage(size)
  const ids = new Uint32Array(size)
  for (let i = 0; i < size; i++) {
    ids[i] = addEntity(world)
    addComponent(world, ids[i], Position)
    Position.x[ids[i]] = placeOf(i)
  }
  const count = () => query(world, [Position, Velocity], asBuffer).length
  function add() {
    for (let i = 0; i < size; i++) {
      const id = ids[i]
      addComponent(world, id, Velocity)
      Velocity.x[id] = Velocity.y[id] = Velocity.z[id] = 0
    }
  }
  function remove() {
    for (let i = 0; i < size; i++) removeComponent(world, ids[i], Velocity)
  }
  return {
    run() {
      add()
      remove()
    },
    result() {
      add()
      const values = [
        count(),
        ids.reduce((sum, id) => sum + Velocity.x[id] + Velocity.y[id] + Velocity.z[id], 0),
      ]
      for (const column of Object.values(Velocity)) column.fill(7)
      remove()
      values.push(count())
      for (const id of ids) values.push(Position.x[id])
      return values
    },
  }
}

const scalar = (size) => ({ value: new Float32Array(size + 1) })

function increase(world, component) {
  const ids = query(world, [component], asBuffer)
  const { value } = component
  for (let i = 0; i < ids.length; i++) value[ids[i]] += 1
}

function swap(world, first, second) {
  const ids = query(world, [first, second], asBuffer)
  const { value: a } = first
  const { value: b } = second
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]
    const value = a[id]
    a[id] = b[id]
    b[id] = value
  }
}

/** An entity with a value for each of the components; returns how to read them. */
function spawnWith(world, components, values) {
  const id = addEntity(world)
  addComponents(world, id, ...components)
  components.forEach((component, k) => (component.value[id] = values[k]))
  return () => components.map((component) => component.value[id])
}

function packed5(size) {
  const world = createWorld()
  const components = Array.from({ length: 5 }, () => scalar(size))
  const readers = Array.from({ length: size }, (_, i) =>
    spawnWith(
      world,
      components,
      components.map((_, k) => startOfPacked(i, k)),
    ),
  )
  return {
    run() {
      for (let k = 0; k < components.length; k++) increase(world, components[k])
    },
    result: () => readers.flatMap((read) => read()),
  }
}

function simpleIter(size) {
  const world = createWorld()
  const of = Object.fromEntries(LETTERS.map((letter) => [letter, scalar(size)]))
  const readers = Array.from({ length: size }, (_, i) => {
    const letters = lettersOf(i)
    const values = letters.map((letter) => startOfSimple(i, letter))
    return spawnWith(
      world,
      letters.map((letter) => of[letter]),
      values,
    )
  })
  return {
    run() {
      swap(world, of.A, of.B)
      swap(world, of.C, of.D)
      swap(world, of.C, of.E)
    },
    result: () => readers.flatMap((read) => read()),
  }
}

const fragIter = (types) => (size) => {
  const world = createWorld()
  const data = scalar(size)
  const own = Array.from({ length: types }, () => scalar(size))
  const readers = Array.from({ length: size }, (_, i) => {
    const type = typeOf(i, types)
    return spawnWith(world, [data, own[type]], [startOfData(i), type])
  })
  return {
    run() {
      increase(world, data)
      increase(world, own[types - 1])
    },
    result: () => readers.flatMap((read) => read()),
  }
}

function createNoctStage(size) {
  const world = createWorld()
  const A = { value: new Float32Array(size * 3) }
  const B = { value: new Float32Array(size * 3) }
  query(world, [A])
  query(world, [B])
  for (let i = 0; i < size; i++) {
    const id = addEntity(world)
    addComponent(world, id, A)
    A.value[id] = i
  }
  const sorted = (component) =>
    [...query(world, [component])].map((id) => component.value[id]).sort((a, b) => a - b)
  return { world, A, B, sorted }
}

function entityCycle(size) {
  const { world, A, B, sorted } = createNoctStage(size)
  function spawnEach() {
    const sources = query(world, [A])
    for (let i = 0; i < sources.length; i++) {
      const id = addEntity(world)
      addComponent(world, id, B)
      B.value[id] = A.value[sources[i]]
    }
  }
  // Removed entities stay in a query's list until the next query, so the loop may walk it forwards.
  function destroyEach() {
    const doomed = query(world, [B])
    for (let i = 0; i < doomed.length; i++) removeEntity(world, doomed[i])
  }
  return {
    run() {
      spawnEach()
      destroyEach()
    },
    result() {
      spawnEach()
      const values = sorted(B)
      destroyEach()
      return [...values, query(world, [B]).length, query(world, [A]).length]
    },
  }
}

function noctAddRemove(size) {
  const { world, A, B, sorted } = createNoctStage(size)
  function add() {
    const targets = query(world, [A])
    for (let i = 0; i < targets.length; i++) {
      addComponent(world, targets[i], B)
      B.value[targets[i]] = 0
    }
  }
  function remove() {
    const targets = query(world, [B])
    for (let i = 0; i < targets.length; i++) removeComponent(world, targets[i], B)
  }
  return {
    run() {
      add()
      remove()
    },
    result() {
      add()
      const b = sorted(B)
      const values = [b.length, b.reduce((sum, value) => sum + value, 0)]
      B.value.fill(7)
      remove()
      return [...values, query(world, [B]).length, ...sorted(A)]
    },
  }
}

const loops = { 'query + SoA': loop }

export const ways = {
  ...familyWays,
  loop: loops,
  ...waysAfterForty(loops, createOtherLoop),
  ...callsWays,
  ...particleWays,
  ...ddWays,
  ...populationWays,
  ...archetypeWays,
  ...frameWays,
  ...rustWays({ 'query + SoA': simpleIter }),
  ...tagWays,
  get: { 'array by id': get },
  spawn: { 'per call': (size) => spawnScene(size, createPopulation(size)) },
  destroy: { 'per call': (size) => destroyScene(size, createPopulation(size)) },
  'spawn-kill': { 'per call': (size) => spawnKillScene(size, createPopulation(size)) },
  'add-remove': { 'per call': addRemove },
  packed_5: { 'query + SoA': packed5 },
  simple_iter: { 'query + SoA': simpleIter },
  frag_iter: { 'query + SoA': fragIter(26) },
  frag_iter_256: { 'query + SoA': fragIter(256) },
  entity_cycle: { 'per call': entityCycle },
  add_remove: { 'per call': noctAddRemove },
}
