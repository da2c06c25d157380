// Owns the oecs 0.3 side: systems over a query's archetypes with columns as locals, as its README writes them, and single,
// deferred and whole-archetype changes. It must never trust the README's page for the names: the types in dist have them.
import { ECS, SCHEDULE } from '@oasys/oecs'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { LETTERS, lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'
import { ddWays } from './oecs-ddmills.js'
import { deferredWays } from './oecs-deferred.js'
import { tagWays } from './oecs-tag.js'
import { addRemoveScene, destroyScene, entityCycleScene, noctAddRemoveScene, spawnScene } from './scenes.js'
import { waysAfterForty } from '../cases/loop-after-forty.js'
import { callsWays, createOtherLoop } from './oecs-calls.js'

export const label = 'oecs'
export const packageName = '@oasys/oecs'
export const uses =
  'Systems registered with a query, `for_each` over its archetypes, `get_column` and `get_column_mut` as ' +
  'locals; `get_field` by handle. `create_entity` with `add_components`, `add_component`, ' +
  '`remove_component`, `destroy_entity_deferred` with `flush`, the same through the context of a system, ' +
  '`batch_add_component` and `batch_remove_component` on archetypes. `initial_capacity` is that of the ' +
  'largest archetype.'

const dt = DT
const VECTOR = { x: 'f32', y: 'f32', z: 'f32' }
const SCALAR = { value: 'f32' }
const ZERO = { x: 0, y: 0, z: 0 }
const AXES = ['x', 'y', 'z']

/** Systems of the UPDATE phase: each a function of a query, the context and dt. */
function start(world, systems) {
  for (const [update, components] of systems) {
    world.add_systems(
      SCHEDULE.UPDATE,
      world.register_system(update, (query) => query.every(...components)),
    )
  }
  world.startup()
}

function createStage(size) {
  const world = new ECS({ initial_capacity: size })
  const Position = world.register_component(VECTOR)
  const Velocity = world.register_component(VECTOR)
  const moving = world.query(Position, Velocity)
  const ids = new Array(size).fill(-1)
  const read = (k, component) => AXES.map((axis) => world.get_field(ids[k], component, axis))
  function soil(component) {
    moving.for_each((archetype) => {
      for (const axis of AXES) archetype.get_column_mut(component, axis, 0).fill(7)
    })
  }
  return { world, Position, Velocity, moving, ids, read, soil, count: () => moving.count() }
}

function loop(size) {
  const { world, Position, Velocity, ids, read } = createStage(size)
  function move(query, context) {
    query.for_each((archetype) => {
      const px = archetype.get_column_mut(Position, 'x', context.world_tick)
      const py = archetype.get_column_mut(Position, 'y', context.world_tick)
      const pz = archetype.get_column_mut(Position, 'z', context.world_tick)
      const vx = archetype.get_column(Velocity, 'x')
      const vy = archetype.get_column(Velocity, 'y')
      const vz = archetype.get_column(Velocity, 'z')
      for (let i = 0, count = archetype.entity_count; i < count; i++) {
        px[i] += vx[i] * dt
        py[i] += vy[i] * dt
        pz[i] += vz[i] * dt
      }
    })
  }
  start(world, [[move, [Position, Velocity]]])
  for (let i = 0; i < size; i++) {
    ids[i] = world.create_entity()
    world.add_components(ids[i], [
      { def: Position, values: { x: startX(i), y: 0, z: 0 } },
      { def: Velocity, values: { x: velocityX(i), y: velocityY(i), z: velocityZ(i) } },
    ])
  }
  return { run: () => world.update(dt), result: () => ids.flatMap((_, k) => read(k, Position)) }
}

function createStill(size) {
  const stage = createStage(size)
  const { world, Position, ids } = stage
  for (let i = 0; i < size; i++) {
    ids[i] = world.create_entity()
    world.add_component(ids[i], Position, { x: placeOf(i), y: 0, z: 0 })
  }
  return stage
}

function get(size) {
  const { world, Position, ids } = createStill(size)
  const shuffled = Array.from(shuffledOrder(size), (i) => ids[i])
  function run() {
    let sum = 0
    for (let i = 0; i < size; i++) sum += world.get_field(shuffled[i], Position, 'x')
    return sum
  }
  return { run, result: () => [run()] }
}

function createPopulation(size) {
  const { world, Position, Velocity, ids, read, soil, count } = createStage(size)
  const position = { x: 0, y: 0, z: 0 }
  const entries = [
    { def: Position, values: position },
    { def: Velocity, values: ZERO },
  ]
  return {
    count,
    read: (k) => [...read(k, Position), ...read(k, Velocity)],
    soil: () => [Position, Velocity].forEach(soil),
    alive: (k) => world.is_alive(ids[k]),
    spawnAll() {
      for (let i = 0; i < size; i++) {
        ids[i] = world.create_entity()
        position.x = i
        world.add_components(ids[i], entries)
      }
    },
    destroyAll() {
      for (let i = 0; i < size; i++) world.destroy_entity_deferred(ids[i])
      world.flush()
    },
  }
}

function addRemove(size) {
  const { world, Position, Velocity, ids, read, soil, count } = createStill(size)
  return addRemoveScene(size, {
    count,
    velocity: (k) => read(k, Velocity),
    x: (k) => world.get_field(ids[k], Position, 'x'),
    soil: () => soil(Velocity),
    add() {
      for (let i = 0; i < size; i++) world.add_component(ids[i], Velocity, ZERO)
    },
    remove() {
      for (let i = 0; i < size; i++) world.remove_component(ids[i], Velocity)
    },
  })
}

const increaseSystem = (component) => [
  (query, context) =>
    query.for_each((archetype) => {
      const value = archetype.get_column_mut(component, 'value', context.world_tick)
      for (let i = 0, count = archetype.entity_count; i < count; i++) value[i] += 1
    }),
  [component],
]

const swapSystem = (first, second) => [
  (query, context) =>
    query.for_each((archetype) => {
      const a = archetype.get_column_mut(first, 'value', context.world_tick)
      const b = archetype.get_column_mut(second, 'value', context.world_tick)
      for (let i = 0, count = archetype.entity_count; i < count; i++) {
        const value = a[i]
        a[i] = b[i]
        b[i] = value
      }
    }),
  [first, second],
]

/** An entity with a value for each of the components; returns how to read them. */
function spawnWith(world, components, values) {
  const id = world.create_entity()
  world.add_components(
    id,
    components.map((def, k) => ({ def, values: { value: values[k] } })),
  )
  return () => components.map((component) => world.get_field(id, component, 'value'))
}

function packed5(size) {
  const world = new ECS({ initial_capacity: size })
  const components = LETTERS.map(() => world.register_component(SCALAR))
  start(world, components.map(increaseSystem))
  const readers = Array.from({ length: size }, (_, i) => {
    const values = components.map((_, k) => startOfPacked(i, k))
    return spawnWith(world, components, values)
  })
  return { run: () => world.update(0), result: () => readers.flatMap((read) => read()) }
}

function simpleIter(size) {
  const world = new ECS({ initial_capacity: size / 4 })
  const of = Object.fromEntries(LETTERS.map((letter) => [letter, world.register_component(SCALAR)]))
  const { A, B, C, D, E } = of
  start(world, [swapSystem(A, B), swapSystem(C, D), swapSystem(C, E)])
  const readers = Array.from({ length: size }, (_, i) => {
    const letters = lettersOf(i)
    const components = letters.map((letter) => of[letter])
    const values = letters.map((letter) => startOfSimple(i, letter))
    return spawnWith(world, components, values)
  })
  return { run: () => world.update(0), result: () => readers.flatMap((read) => read()) }
}

const fragIter = (types) => (size) => {
  const world = new ECS({ initial_capacity: size / types })
  const data = world.register_component(SCALAR)
  const own = Array.from({ length: types }, () => world.register_component(SCALAR))
  start(world, [increaseSystem(data), increaseSystem(own[types - 1])])
  const readers = Array.from({ length: size }, (_, i) => {
    const type = typeOf(i, types)
    return spawnWith(world, [data, own[type]], [startOfData(i), type])
  })
  return { run: () => world.update(0), result: () => readers.flatMap((read) => read()) }
}

function createNoctStage(size) {
  const world = new ECS({ initial_capacity: size })
  const [A, B] = [world.register_component(SCALAR), world.register_component(SCALAR)]
  const [withA, withB, withoutB] = [world.query(A), world.query(B), world.query(A).not(B)]
  function valuesOf(query, component) {
    const values = []
    query.for_each((archetype) => {
      values.push(...archetype.get_column(component, 'value').subarray(0, archetype.entity_count))
    })
    return values
  }
  function soil() {
    withB.for_each((archetype) => archetype.get_column_mut(B, 'value', 0).fill(7))
  }
  for (let i = 0; i < size; i++) world.add_component(world.create_entity(), A, { value: i })
  const valuesOfA = () => valuesOf(withA, A)
  const valuesOfB = () => valuesOf(withB, B)
  return { world, A, B, withA, withB, withoutB, soil, valuesOfA, valuesOfB }
}

function entityCycle(size) {
  const { world, A, B, withA, withB, ...values } = createNoctStage(size)
  return entityCycleScene({
    ...values,
    spawnEach() {
      withA.for_each((archetype) => {
        const value = archetype.get_column(A, 'value')
        for (let i = 0, count = archetype.entity_count; i < count; i++) {
          world.add_component(world.create_entity(), B, { value: value[i] })
        }
      })
    },
    destroyEach() {
      withB.for_each((archetype) => {
        const ids = archetype.entity_ids
        for (let i = 0, count = archetype.entity_count; i < count; i++) world.destroy_entity_deferred(ids[i])
      })
      world.flush()
    },
  })
}

// Backwards: a change takes the last row of the archetype away, or puts it where the loop has been.
function noctAddRemove(size) {
  const { world, B, withB, withoutB, ...scene } = createNoctStage(size)
  const zero = { value: 0 }
  return noctAddRemoveScene({
    ...scene,
    addEach() {
      withoutB.for_each((archetype) => {
        const ids = archetype.entity_ids
        for (let i = archetype.entity_count - 1; i >= 0; i--) world.add_component(ids[i], B, zero)
      })
    },
    removeEach() {
      withB.for_each((archetype) => {
        const ids = archetype.entity_ids
        for (let i = archetype.entity_count - 1; i >= 0; i--) world.remove_component(ids[i], B)
      })
    },
  })
}

function noctAddRemoveByArchetype(size) {
  const { world, B, withB, withoutB, ...scene } = createNoctStage(size)
  const zero = { value: 0 }
  return noctAddRemoveScene({
    ...scene,
    addEach: () => withoutB.for_each((archetype) => world.batch_add_component(archetype, B, zero)),
    removeEach: () => withB.for_each((archetype) => world.batch_remove_component(archetype, B)),
  })
}

const loops = { 'system, columns': loop }

export const ways = {
  loop: loops,
  ...waysAfterForty(loops, createOtherLoop),
  ...callsWays,
  get: { get_field: get },
  spawn: { add_components: (size) => spawnScene(size, createPopulation(size)) },
  destroy: { 'per call': (size) => destroyScene(size, createPopulation(size)) },
  'add-remove': { 'per call': addRemove },
  packed_5: { 'systems, columns': packed5 },
  simple_iter: { 'systems, columns': simpleIter },
  frag_iter: { 'systems, columns': fragIter(26) },
  frag_iter_256: { 'systems, columns': fragIter(256) },
  entity_cycle: { 'per call': entityCycle },
  add_remove: { 'per call': noctAddRemove, 'batch by archetype': noctAddRemoveByArchetype },
  ...deferredWays,
  ...tagWays,
  ...ddWays,
}
