// Owns the strata-ecs side, written with the public names only, from the built package. It must never reach into
// the engine or repeat what the engine does: a faster way belongs into the library, not into its benchmark.
import { move } from '../../build/bench/loop.kernel.js'
import { component, createWorld, f32 } from '../../dist/index.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { shuffledOrder } from '../cases/get.js'
import { particleWays } from './strata-particles.js'
import { rowWays } from './strata-rows.js'
import { depthOf } from '../cases/sorted.js'
import { ddWays } from './strata-ddmills.js'
import { partWays } from './strata-parts.js'

export const label = 'strata-ecs'
export const packageName = 'strata-ecs'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT

const Position = component('Position', { x: f32, y: f32, z: f32 })
const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })
const A = component('A', { value: f32 })
const B = component('B', { value: f32 })

function createMoving(size) {
  const world = createWorld()
  const moving = world.query(Position, Velocity)
  const handles = world.spawnMany(size, [Position, Velocity])
  const position = world.accessor(Position)
  const velocity = world.accessor(Velocity)
  for (let i = 0; i < size; i++) {
    position.of(handles[i]).x = startX(i)
    const v = velocity.of(handles[i])
    v.x = velocityX(i)
    v.y = velocityY(i)
    v.z = velocityZ(i)
  }
  function result() {
    const values = []
    for (const handle of handles) {
      const { x, y, z } = world.get(handle, Position)
      values.push(x, y, z)
    }
    return values
  }
  return { world, moving, result }
}

function moveAll(px, py, pz, vx, vy, vz, start, end, dt) {
  for (let i = start; i < end; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
    pz[i] += vz[i] * dt
  }
}

function loopByViews(size) {
  const { moving, result } = createMoving(size)
  function run() {
    for (const chunk of moving) {
      const p = chunk.write(Position)
      const v = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        p.x[i] += v.x[i] * dt
        p.y[i] += v.y[i] * dt
        p.z[i] += v.z[i] * dt
      }
    }
  }
  return { run, result }
}

function loopByColumns(size) {
  const { moving, result } = createMoving(size)
  function run() {
    for (const chunk of moving) {
      const { x, y, z } = chunk.write(Position)
      const { x: vx, y: vy, z: vz } = chunk.read(Velocity)
      const { start, end } = chunk
      for (let i = start; i < end; i++) {
        x[i] += vx[i] * dt
        y[i] += vy[i] * dt
        z[i] += vz[i] * dt
      }
    }
  }
  return { run, result }
}

function loopByFunction(size) {
  const { moving, result } = createMoving(size)
  function run() {
    for (const chunk of moving) {
      const p = chunk.write(Position)
      const v = chunk.read(Velocity)
      moveAll(p.x, p.y, p.z, v.x, v.y, v.z, chunk.start, chunk.end, dt)
    }
  }
  return { run, result }
}

// Columns of one width lie one stride apart in a chunk, so one running index reaches all six.
function loopByIndex(size) {
  const { moving, result } = createMoving(size)
  function run() {
    for (const chunk of moving) {
      const heap = chunk.heap.f32
      const x = chunk.index(Position, 'x')
      const y = chunk.index(Position, 'y') - x
      const z = chunk.index(Position, 'z') - x
      const vx = chunk.index(Velocity, 'x') - x
      const vy = chunk.index(Velocity, 'y') - x
      const vz = chunk.index(Velocity, 'z') - x
      for (let i = x + chunk.start, end = x + chunk.end; i < end; i++) {
        heap[i] += heap[i + vx] * dt
        heap[i + y] += heap[i + vy] * dt
        heap[i + z] += heap[i + vz] * dt
      }
      chunk.touch(Position)
    }
  }
  return { run, result }
}

function loopByKernel(size) {
  const { world, moving, result } = createMoving(size)
  const step = world.kernel(move, {
    px: [Position, 'x'],
    py: [Position, 'y'],
    pz: [Position, 'z'],
    vx: [Velocity, 'x'],
    vy: [Velocity, 'y'],
    vz: [Velocity, 'z'],
  })
  return { run: () => moving.run(step, { dt }), result }
}

function loopByEach(size) {
  const { moving, result } = createMoving(size)
  const move = (entity, p, v) => {
    p.x += v.x * dt
    p.y += v.y * dt
    p.z += v.z * dt
  }
  return { run: () => moving.each(move), result }
}

function createStill(size) {
  const world = createWorld()
  const moving = world.query(Position, Velocity)
  const still = world.query(Position)
  const handles = world.spawnMany(size, [Position])
  const position = world.accessor(Position)
  for (let i = 0; i < size; i++) position.of(handles[i]).x = i
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

function createNoctStage(size) {
  const world = createWorld()
  const withA = world.query(A)
  const withB = world.query(B)
  for (let i = 0; i < size; i++) world.spawn(A({ value: i }))
  const sorted = (query, Component) =>
    Array.from(query.entities(), (handle) => world.get(handle, Component).value).sort((a, b) => a - b)
  return { world, withA, withB, a: world.accessor(A), b: world.accessor(B), sorted }
}

function entityCycleCase(size, spawnAll, destroyAll) {
  const stage = createNoctStage(size)
  return {
    run() {
      spawnAll(stage)
      destroyAll(stage)
    },
    result() {
      spawnAll(stage)
      const values = stage.sorted(stage.withB, B)
      destroyAll(stage)
      return [...values, stage.withB.count, stage.withA.count]
    },
  }
}

const entityCycleEach = (size) =>
  entityCycleCase(
    size,
    ({ world, withA, a, b }) => {
      const sources = withA.entities()
      for (let i = 0; i < sources.length; i++) b.of(world.spawn(B)).value = a.of(sources[i]).value
    },
    ({ world, withB }) => {
      const doomed = withB.entities()
      for (let i = 0; i < doomed.length; i++) world.destroy(doomed[i])
    },
  )

const entityCycleWithValue = (size) =>
  entityCycleCase(
    size,
    ({ world, withA, a }) => {
      const sources = withA.entities()
      for (let i = 0; i < sources.length; i++) world.spawn(B({ value: a.of(sources[i]).value }))
    },
    ({ world, withB }) => {
      const doomed = withB.entities()
      for (let i = 0; i < doomed.length; i++) world.destroy(doomed[i])
    },
  )

// As a program would write it when it does not know the rules: inside the loop, so every change is deferred.
const entityCycleDeferred = (size) =>
  entityCycleCase(
    size,
    ({ world, withA }) => {
      for (const chunk of withA) {
        const { value } = chunk.read(A)
        for (let i = chunk.start; i < chunk.end; i++) world.spawn(B({ value: value[i] }))
      }
    },
    ({ world, withB }) => {
      for (const chunk of withB) {
        for (let i = chunk.start; i < chunk.end; i++) world.destroy(chunk.entities[i])
      }
    },
  )

// Inside the loop over A spawnMany would wait, and the arrays of A may be replaced by it: the values cross over in
// an array of the program's own.
const entityCycleBulk = (size) => {
  const values = new Float32Array(size)
  return entityCycleCase(
    size,
    ({ world, withA }) => {
      let copied = 0
      for (const chunk of withA) {
        const { start, end } = chunk
        values.set(chunk.read(A).value.subarray(start, end), copied)
        copied += end - start
      }
      let next = 0
      world.spawnMany(copied, [B], (chunk) => {
        const count = chunk.end - chunk.start
        chunk.write(B).value.set(values.subarray(next, next + count), chunk.start)
        next += count
      })
    },
    ({ withB }) => withB.destroy(),
  )
}

function noctAddRemoveCase(size, add, remove) {
  const stage = createNoctStage(size)
  const { world, withB, sorted } = stage
  return {
    run() {
      add(stage)
      remove(stage)
    },
    result() {
      add(stage)
      const values = [withB.count, sorted(withB, B).reduce((sum, value) => sum + value, 0)]
      for (const handle of withB.entities()) world.set(handle, B, { value: 7 })
      remove(stage)
      return [...values, withB.count, ...sorted(stage.withA, A)]
    },
  }
}

const noctAddRemoveEach = (size) =>
  noctAddRemoveCase(
    size,
    ({ world, withA }) => {
      const targets = withA.entities()
      for (let i = 0; i < targets.length; i++) world.add(targets[i], B)
    },
    ({ world, withB }) => {
      const targets = withB.entities()
      for (let i = 0; i < targets.length; i++) world.remove(targets[i], B)
    },
  )

const noctAddRemoveDeferred = (size) =>
  noctAddRemoveCase(
    size,
    ({ world, withA }) => {
      for (const chunk of withA) {
        for (let i = chunk.start; i < chunk.end; i++) world.add(chunk.entities[i], B)
      }
    },
    ({ world, withB }) => {
      for (const chunk of withB) {
        for (let i = chunk.start; i < chunk.end; i++) world.remove(chunk.entities[i], B)
      }
    },
  )

const noctAddRemoveByQuery = (size) =>
  noctAddRemoveCase(
    size,
    ({ withA }) => withA.add(B),
    ({ withB }) => withB.remove(B),
  )

const SparsePosition = component('Position', { x: f32, y: f32, z: f32 }, { storage: 'sparse' })
const SparseVelocity = component('Velocity', { x: f32, y: f32, z: f32 }, { storage: 'sparse' })

/** Positions in the order of creation, velocities in another one. */
function createMovingPools(size) {
  const world = createWorld()
  const handles = Array.from({ length: size }, (_, i) => world.spawn(SparsePosition({ x: startX(i) })))
  for (const i of shuffledOrder(size))
    world.add(handles[i], SparseVelocity({ x: velocityX(i), y: velocityY(i), z: velocityZ(i) }))
  function result() {
    const values = []
    for (const handle of handles) {
      const { x, y, z } = world.get(handle, SparsePosition)
      values.push(x, y, z)
    }
    return values
  }
  return { world, result }
}

function loopOverGroup(size) {
  const { world, result } = createMovingPools(size)
  const moving = world.group(SparsePosition, SparseVelocity)
  function run() {
    for (const chunk of moving) {
      const { x, y, z } = chunk.write(SparsePosition)
      const { x: vx, y: vy, z: vz } = chunk.read(SparseVelocity)
      const { start, end } = chunk
      for (let i = start; i < end; i++) {
        x[i] += vx[i] * dt
        y[i] += vy[i] * dt
        z[i] += vz[i] * dt
      }
    }
  }
  return { run, result }
}

function loopOverPools(size) {
  const { world, result } = createMovingPools(size)
  const moving = world.query(SparsePosition, SparseVelocity)
  function run() {
    for (const chunk of moving) {
      const positions = chunk.cursor(SparsePosition)
      const velocities = chunk.cursor(SparseVelocity)
      const { start, end } = chunk
      for (let i = start; i < end; i++) {
        const p = positions.at(i)
        const v = velocities.at(i)
        p.x += v.x * dt
        p.y += v.y * dt
        p.z += v.z * dt
      }
    }
  }
  return { run, result }
}

function eachOfGroup(size) {
  const { world, result } = createMovingPools(size)
  const moving = world.group(SparsePosition, SparseVelocity)
  const run = () =>
    moving.each((_, p, v) => {
      p.x += v.x * dt
      p.y += v.y * dt
      p.z += v.z * dt
    })
  return { run, result }
}

const Depth = component('Depth', { z: f32 })

function sorted(size) {
  const world = createWorld()
  const handles = Array.from({ length: size }, (_, i) => world.spawn(Depth({ z: depthOf(i) })))
  const query = world.query(Depth)
  const numberOf = new Map(handles.map((handle, i) => [handle, i]))
  return {
    run: () => query.sorted(Depth, 'z'),
    result: () => Array.from(query.sorted(Depth, 'z'), (handle) => numberOf.get(handle)),
  }
}

const Added = component('Added', { value: f32 })
const Elsewhere = component('Elsewhere', { value: f32 })
const FOUR = [Added, ...[1, 2, 3].map((n) => component(`Added${n}`, { value: f32 }))]

const directly = (world, action) => action(world)
const inBlock = (world, action) => world.defer(() => action(world))
function inBuffer(world, action, commands) {
  action(commands)
  commands.apply()
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
  function addEach(target) {
    for (let i = 0; i < size; i++) for (const component of components) target.add(handles[i], component)
  }
  function removeEach(target) {
    for (let i = 0; i < size; i++) for (const component of components) target.remove(handles[i], component)
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

export const ways = {
  loop: {
    'chunk views': loopByViews,
    'chunk views, columns as locals': loopByColumns,
    'chunk views, function': loopByFunction,
    'expert path': loopByIndex,
    each: loopByEach,
    kernel: loopByKernel,
  },
  get: { 'accessor.of': getByAccessor, 'world.get': getByCopy },
  spawn: { 'spawn(C({...}), C)': spawnWithValue, 'spawn(C, C), accessor': spawnThenAccessor, spawnMany },
  destroy: { 'per call': destroyEach, destroyMany, 'query.destroy': destroyByQuery },
  deferred: {
    'direct calls': (size) => deferred(size, [Added], directly),
    'in a defer block': (size) => deferred(size, [Added], inBlock),
    'in a buffer': (size) => deferred(size, [Added], inBuffer),
  },
  'deferred-four': {
    'direct calls': (size) => deferred(size, FOUR, directly),
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
  entity_cycle: {
    'spawn(C), accessor': entityCycleEach,
    'spawn(C({...}))': entityCycleWithValue,
    'in the loop, deferred': entityCycleDeferred,
    'spawnMany, query.destroy': entityCycleBulk,
  },
  add_remove: {
    'per call': noctAddRemoveEach,
    'in the loop, deferred': noctAddRemoveDeferred,
    'query.add/remove': noctAddRemoveByQuery,
  },
  ...rowWays,
  ...particleWays,
  sorted: { 'query.sorted': sorted },
  ...ddWays,
  ...partWays,
  group: {
    group: loopOverGroup,
    'group, each': eachOfGroup,
    'an archetype': loopByColumns,
    'two pools, cursors': loopOverPools,
  },
}
