// Owns the strata-ecs side of the cases that go by handle: get, spawn, destroy, add, remove, deferred and observed
// changes. Written with the public names only, from the built package; it must never reach into the engine.
import { component, createWorld, f32 } from '../../dist/index.js'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'

const Position = component('Position', { x: f32, y: f32, z: f32 })
const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })

function createStill(size) {
  const world = createWorld()
  const moving = world.query(Position, Velocity)
  const still = world.query(Position)
  const handles = world.spawnMany(size, [Position])
  const position = world.accessor(Position)
  for (let i = 0; i < size; i++) position.of(handles[i]).x = placeOf(i)
  return { world, moving, still, handles, position, shuffled: shuffledOrder(size).map((i) => handles[i]) }
}

function getByAccessor(size) {
  const { position, shuffled } = createStill(size)
  function run() {
    let sum = 0
    for (let i = 0; i < size; i++) sum += position.of(shuffled[i]).x
    return sum
  }
  return { run, result: () => [run()] }
}

function getByCopy(size) {
  const { world, shuffled } = createStill(size)
  function run() {
    let sum = 0
    for (let i = 0; i < size; i++) sum += world.get(shuffled[i], Position).x
    return sum
  }
  return { run, result: () => [run()] }
}

function createPopulation(size) {
  const world = createWorld()
  const moving = world.query(Position, Velocity)
  return { world, moving, handles: new Uint32Array(size) }
}

function spawnCase(size, spawnAll) {
  const population = createPopulation(size)
  const { world, moving } = population
  return {
    before: () => moving.count > 0 && moving.destroy(),
    run: () => spawnAll(population),
    result() {
      const values = [moving.count]
      for (const handle of population.handles) {
        const p = world.get(handle, Position)
        const v = world.get(handle, Velocity)
        values.push(p.x, p.y + p.z, v.x + v.y + v.z)
      }
      for (const chunk of moving) {
        for (const column of Object.values(chunk.write(Position))) column.fill(7, chunk.start, chunk.end)
        for (const column of Object.values(chunk.write(Velocity))) column.fill(7, chunk.start, chunk.end)
      }
      return values
    },
  }
}

const spawnWithValue = (size) =>
  spawnCase(size, ({ world, handles }) => {
    for (let i = 0; i < handles.length; i++) handles[i] = world.spawn(Position({ x: i }), Velocity)
  })

function spawnThenAccessor(size) {
  let position
  return spawnCase(size, ({ world, handles }) => {
    position ??= world.accessor(Position)
    for (let i = 0; i < handles.length; i++) {
      const handle = world.spawn(Position, Velocity)
      position.of(handle).x = i
      handles[i] = handle
    }
  })
}

function spawnMany(size) {
  return spawnCase(size, (population) => {
    let next = 0
    population.handles = population.world.spawnMany(size, [Position, Velocity], (chunk) => {
      const { x } = chunk.write(Position)
      for (let i = chunk.start; i < chunk.end; i++) x[i] = next++
    })
  })
}

function destroyCase(size, destroyAll) {
  const population = createPopulation(size)
  const { world, moving } = population
  return {
    before() {
      for (let i = 0; i < size; i++) population.handles[i] = world.spawn(Position, Velocity)
      if (moving.count !== size) throw new Error('not all were spawned')
    },
    run: () => destroyAll(population),
    result: () => [moving.count, population.handles.filter((handle) => world.isAlive(handle)).length],
  }
}

const destroyEach = (size) =>
  destroyCase(size, ({ world, handles }) => {
    for (let i = 0; i < handles.length; i++) world.destroy(handles[i])
  })

const destroyMany = (size) => destroyCase(size, ({ world, handles }) => world.destroyMany(handles))

const destroyByQuery = (size) => destroyCase(size, ({ moving }) => moving.destroy())

function addRemoveCase(size, add, remove) {
  const stage = createStill(size)
  const { world, moving, handles } = stage
  return {
    run() {
      add(stage)
      remove(stage)
    },
    result() {
      add(stage)
      const values = [moving.count, 0]
      for (const handle of handles) {
        const v = world.get(handle, Velocity)
        values[1] += v.x + v.y + v.z
        world.set(handle, Velocity, { x: 7, y: 7, z: 7 })
      }
      remove(stage)
      values.push(moving.count)
      for (const handle of handles) values.push(world.get(handle, Position).x)
      return values
    },
  }
}

const addRemoveEach = (size) =>
  addRemoveCase(
    size,
    ({ world, handles }) => {
      for (let i = 0; i < handles.length; i++) world.add(handles[i], Velocity)
    },
    ({ world, handles }) => {
      for (let i = 0; i < handles.length; i++) world.remove(handles[i], Velocity)
    },
  )

const addRemoveByQuery = (size) =>
  addRemoveCase(
    size,
    ({ still }) => still.add(Velocity),
    ({ moving }) => moving.remove(Velocity),
  )

const Added = component('Added', { value: f32 })
const Elsewhere = component('Elsewhere', { value: f32 })
const FOUR = [Added, ...[1, 2, 3].map((n) => component(`Added${n}`, { value: f32 }))]

const directly = (world, action) => action(world)
const inBlock = (world, action) => world.defer(() => action(world))
function inBuffer(world, action, commands) {
  action(commands)
  commands.apply()
}
/** From inside a loop over what is changed, which is how most changes come to be deferred. */
function inLoop(world, action) {
  for (const chunk of world.query(Position)) {
    action(world, chunk.entities, chunk.start, chunk.end)
  }
}

/** `open` says where the changes go: into the world at once, into its queue, or into a buffer. */
function deferred(size, components, open) {
  const world = createWorld()
  const commands = world.commands()
  const handles = world.spawnMany(size, [Position])
  const position = world.accessor(Position)
  for (let i = 0; i < size; i++) position.of(handles[i]).x = i
  const all = world.query(...components)
  let added = 0
  function addEach(target, entities = handles, start = 0, end = size) {
    for (let i = start; i < end; i++) for (const component of components) target.add(entities[i], component)
  }
  function removeEach(target, entities = handles, start = 0, end = size) {
    for (let i = start; i < end; i++)
      for (const component of components) target.remove(entities[i], component)
  }
  function run() {
    open(world, addEach, commands)
    added = all.count
    open(world, removeEach, commands)
  }
  function result() {
    const values = [added, world.query(Added).count]
    for (const handle of handles) values.push(world.get(handle, Position).x)
    return values
  }
  return { run, result }
}

// Each calls `hear` for what it hears, so that nothing can be left out.
const nobody = () => {}
function elsewhere(world, hear) {
  world.onAdd(Elsewhere, hear)
  world.onRemove(Elsewhere, hear)
}
function here(world, hear) {
  world.onAdd(Added, hear)
  world.onRemove(Added, hear)
}

function observedAddRemove(size, listen) {
  const world = createWorld()
  const handles = world.spawnMany(size, [Position])
  const position = world.accessor(Position)
  for (let i = 0; i < size; i++) position.of(handles[i]).x = i
  const all = world.query(Position, Added)
  let heard = 0
  listen(world, () => void heard++)
  let added = 0
  function run() {
    heard = 0
    for (let i = 0; i < size; i++) world.add(handles[i], Added)
    added = all.count
    for (let i = 0; i < size; i++) world.remove(handles[i], Added)
  }
  function result() {
    if (heard !== (listen === here ? 2 * size : 0)) throw new Error(`heard ${heard} events`)
    return [added, world.query(Added).count, ...Array.from(handles, (e) => world.get(e, Position).x)]
  }
  return { run, result }
}

function observedSpawn(size, listen) {
  const world = createWorld()
  const all = world.query(Position, Added)
  let heard = 0
  listen(world, () => void heard++)
  let made = 0
  function run() {
    heard = 0
    for (let i = 0; i < size; i++) world.spawn(Position, Added)
    made = all.count
    all.destroy()
  }
  function result() {
    if (heard !== (listen === here ? 2 * size : 0)) throw new Error(`heard ${heard} events`)
    return [made, all.count]
  }
  return { run, result }
}

export const entityWays = {
  get: { 'accessor.of': getByAccessor, 'world.get': getByCopy },
  spawn: { 'spawn(C({...}), C)': spawnWithValue, 'spawn(C, C), accessor': spawnThenAccessor, spawnMany },
  destroy: { 'per call': destroyEach, destroyMany, 'query.destroy': destroyByQuery },
  deferred: {
    'direct calls': (size) => deferred(size, [Added], directly),
    'in a loop': (size) => deferred(size, [Added], inLoop),
    'in a defer block': (size) => deferred(size, [Added], inBlock),
    'in a buffer': (size) => deferred(size, [Added], inBuffer),
  },
  'deferred-four': {
    'direct calls': (size) => deferred(size, FOUR, directly),
    'in a loop': (size) => deferred(size, FOUR, inLoop),
    'in a defer block': (size) => deferred(size, FOUR, inBlock),
    'in a buffer': (size) => deferred(size, FOUR, inBuffer),
  },
  'observed-add-remove': {
    'nobody listens': (size) => observedAddRemove(size, nobody),
    'to another component': (size) => observedAddRemove(size, elsewhere),
    'to this one': (size) => observedAddRemove(size, here),
  },
  'observed-spawn': {
    'nobody listens': (size) => observedSpawn(size, nobody),
    'to another component': (size) => observedSpawn(size, elsewhere),
    'to this one': (size) => observedSpawn(size, here),
  },
  'add-remove': { 'per call': addRemoveEach, 'query.add/remove': addRemoveByQuery },
}
