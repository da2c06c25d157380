// Owns the strata-ecs side, written with the public names only, from the built package. It must never reach into
// the engine or repeat what the engine does: a faster way belongs into the library, not into its benchmark.
import { component, createWorld, f32 } from '../../dist/index.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { shuffledOrder } from '../cases/get.js'
import { waysAfterForty } from '../cases/loop-after-forty.js'
import { callsWays, createOtherLoop } from './strata-calls.js'
import { entityWays } from './strata-entities.js'
import { garbageWays } from './strata-garbage.js'
import { Position, Velocity, byColumns, byEach, byIndex, byKernel, byViews } from './strata-moving.js'
import { noctWays } from './strata-noct.js'
import { particleWays } from './strata-particles.js'
import { archetypeWays } from './strata-archetypes.js'
import { frameWays } from './strata-frame.js'
import { inspectWays } from './strata-inspect.js'
import { populationWays } from './strata-population.js'
import { rustWays } from './strata-rust.js'
import { rowWays } from './strata-rows.js'
import { depthOf } from '../cases/sorted.js'
import { ddWays } from './strata-ddmills.js'
import { partWays } from './strata-parts.js'
import { timeWays } from './strata-time.js'
import { familyWays } from './strata-relations.js'
import { sceneWays } from './strata-tree.js'

export const label = 'strata-ecs'
export const packageName = 'strata-ecs'
export const uses =
  'The public names only. Chunk loops over views and over the whole memory, `each`, kernels compiled to ' +
  'wasm; `accessor.of` and `world.get` by handle. `spawn`, `add`, `remove`, `destroy` one by one, deferred ' +
  'and in buffers; `spawnMany`, `destroyMany` and changes of all that a query finds. The slowest way stands ' +
  'beside the fastest.'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT

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

const moved = (stepOf) => (size) => {
  const { world, moving, result } = createMoving(size)
  return { run: stepOf(moving, world), result }
}

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
      for (let i = chunk.start; i < chunk.end; i++) {
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
      for (let i = chunk.start; i < chunk.end; i++) {
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

const loops = {
  'chunk views': moved(byViews),
  'chunk views, columns as locals': moved(byColumns),
  'expert path': moved(byIndex),
  each: moved(byEach),
  kernel: moved(byKernel),
}

export const ways = {
  ...familyWays,
  ...sceneWays,
  loop: loops,
  ...waysAfterForty(loops, createOtherLoop),
  ...callsWays,
  ...garbageWays,
  ...entityWays,
  ...populationWays,
  ...archetypeWays,
  ...frameWays,
  ...rustWays,
  ...noctWays,
  ...rowWays,
  ...particleWays,
  sorted: { 'query.sorted': sorted },
  ...ddWays,
  ...partWays,
  ...timeWays,
  ...inspectWays,
  group: {
    group: loopOverGroup,
    'group, each': eachOfGroup,
    'an archetype': moved(byColumns),
    'two pools, cursors': loopOverPools,
  },
}
