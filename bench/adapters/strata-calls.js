// Owns the strata-ecs side of the cases of single calls, and of the loop among others: written with the public names only,
// from the built package; it must never reach into the engine.
import { component, createWorld, f32, tag } from '../../dist/index.js'
import { callWays } from '../cases/calls.js'

const VECTOR = { x: f32, y: f32, z: f32 }
const Position = component('Position', VECTOR)
const Velocity = component('Velocity', VECTOR)
const marks = [0, 1, 2].map((bit) => tag(`Mark${bit}`))

const SEVEN = { x: 7, y: 7, z: 7 }
const TIMES_MET = 500

function createBase() {
  const world = createWorld()
  const moving = world.query(Position, Velocity)
  const place = (handle) => Object.values(world.get(handle, Position))
  return {
    world,
    list: (size) => new Uint32Array(size),
    count: () => moving.count,
    kill: (handle) => world.destroy(handle),
    spawnStill: (x, y, z) => world.spawn(Position({ x, y, z })),
    remove: (handle) => world.remove(handle, Velocity),
    mark: (handle, bit) => world.add(handle, marks[bit]),
    place,
    read: (handle) => [...place(handle), ...Object.values(world.get(handle, Velocity))],
    soilVelocity: (handle) => world.set(handle, Velocity, SEVEN),
    soil(handle) {
      world.set(handle, Position, SEVEN)
      world.set(handle, Velocity, SEVEN)
    },
  }
}

/** Values in the calls, as people write it first. */
function byCall() {
  const base = createBase()
  const { world } = base
  return {
    ...base,
    spawn: () => world.spawn(Position, Velocity),
    spawnWith: (x, y, z, vx, vy, vz) => world.spawn(Position({ x, y, z }), Velocity({ x: vx, y: vy, z: vz })),
    add: (handle) => world.add(handle, Velocity),
    addWith: (handle, x, y, z) => world.add(handle, Velocity({ x, y, z })),
    has: (handle) => world.has(handle, Velocity),
    sum(handle) {
      const { x, y, z } = world.get(handle, Position)
      return x + y + z
    },
    first: (handle) => world.get(handle, Position).x,
    put: (handle, x, y, z) => world.set(handle, Position, { x, y, z }),
    advance(handle, dt) {
      const { x, y, z } = world.get(handle, Position)
      const velocity = world.get(handle, Velocity)
      world.set(handle, Position, { x: x + velocity.x * dt, y: y + velocity.y * dt, z: z + velocity.z * dt })
    },
    meet(names, k) {
      const Other = component(`Other${k}`, Object.fromEntries(names.map((name) => [name, f32])))
      const other = world.spawn(Other)
      for (let turn = 0; turn < TIMES_MET; turn++) {
        const values = world.get(other, Other)
        values[names[0]] += 0.5
        world.set(other, Other, values)
      }
    },
  }
}

/** Values through accessors, which leaves no garbage. */
function byAccessor() {
  const base = createBase()
  const { world } = base
  const positions = world.accessor(Position)
  const velocities = world.accessor(Velocity)
  function write(vector, x, y, z) {
    vector.x = x
    vector.y = y
    vector.z = z
  }
  return {
    ...base,
    spawnWith(x, y, z, vx, vy, vz) {
      const handle = world.spawn(Position, Velocity)
      write(positions.of(handle), x, y, z)
      write(velocities.of(handle), vx, vy, vz)
      return handle
    },
    addWith(handle, x, y, z) {
      world.add(handle, Velocity)
      write(velocities.of(handle), x, y, z)
    },
    sum(handle) {
      const position = positions.of(handle)
      return position.x + position.y + position.z
    },
    first: (handle) => positions.of(handle).x,
    put: (handle, x, y, z) => write(positions.of(handle), x, y, z),
    advance(handle, dt) {
      const position = positions.of(handle)
      const velocity = velocities.of(handle)
      position.x += velocity.x * dt
      position.y += velocity.y * dt
      position.z += velocity.z * dt
    },
    meet(names, k) {
      const Other = component(`Other${k}`, Object.fromEntries(names.map((name) => [name, f32])))
      const other = world.spawn(Other)
      const others = world.accessor(Other)
      for (let turn = 0; turn < TIMES_MET; turn++) others.of(other)[names[0]] += 0.5
    },
  }
}

const NO_VALUES = ['spawn-bare', 'spawn-destroy', 'add-bare', 'has']
export const callsWays = callWays(
  { 'by call': byCall, 'by accessor': byAccessor },
  { 'by accessor': NO_VALUES },
)

/** Two components, a loop of each form of its own text. */
export function createOtherLoop(rows, k, step) {
  const world = createWorld()
  const One = component(`One${k}`, { v: f32 })
  const Two = component(`Two${k}`, { w: f32 })
  world.spawnMany(rows, [One, Two({ w: 1 })])
  const query = world.query(One, Two)
  const half = step / 2
  const each = new Function('entity', 'one', 'two', `one.v += two.w * ${half}`)
  const chunks = new Function(
    'query',
    'One',
    'Two',
    `for (const chunk of query) {
      const { v } = chunk.write(One)
      const { w } = chunk.read(Two)
      for (let i = chunk.start; i < chunk.end; i++) v[i] += w[i] * ${half}
    }`,
  )
  return {
    run() {
      query.each(each)
      chunks(query, One, Two)
    },
    total() {
      let sum = 0
      query.each((_, one) => (sum += one.v))
      return sum
    },
  }
}
