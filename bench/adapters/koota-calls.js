// Owns koota 0.6 in the cases of single calls, and its loops among others: `entity.get` and `entity.set`, which its README
// shows first, and `getStore` by id beside them. It must never reach past what the README documents.
import { createQuery, createWorld, getStore, trait } from 'koota'
import { callWays } from '../cases/calls.js'
import { verbsById } from './by-id.js'

const Position = trait({ x: 0, y: 0, z: 0 })
const Velocity = trait({ x: 0, y: 0, z: 0 })
const marks = [trait(), trait(), trait()]
const SEVEN = { x: 7, y: 7, z: 7 }
const TIMES_MET = 500

const vectorOf = (entity, Vector) => {
  const { x, y, z } = entity.get(Vector)
  return [x, y, z]
}

function byCall() {
  const world = createWorld()
  const moving = createQuery(Position, Velocity)
  return {
    count: () => world.query(moving).length,
    spawn: () => world.spawn(Position, Velocity),
    spawnWith: (x, y, z, vx, vy, vz) => world.spawn(Position({ x, y, z }), Velocity({ x: vx, y: vy, z: vz })),
    spawnStill: (x, y, z) => world.spawn(Position({ x, y, z })),
    kill: (entity) => entity.destroy(),
    add: (entity) => entity.add(Velocity),
    addWith: (entity, x, y, z) => entity.add(Velocity({ x, y, z })),
    remove: (entity) => entity.remove(Velocity),
    has: (entity) => entity.has(Velocity),
    mark: (entity, bit) => entity.add(marks[bit]),
    sum(entity) {
      const { x, y, z } = entity.get(Position)
      return x + y + z
    },
    first: (entity) => entity.get(Position).x,
    put: (entity, x, y, z) => entity.set(Position, { x, y, z }),
    advance(entity, dt) {
      const { x, y, z } = entity.get(Position)
      const velocity = entity.get(Velocity)
      entity.set(Position, { x: x + velocity.x * dt, y: y + velocity.y * dt, z: z + velocity.z * dt })
    },
    meet(names) {
      const Other = trait(Object.fromEntries(names.map((name) => [name, 0])))
      const other = world.spawn(Other)
      for (let turn = 0; turn < TIMES_MET; turn++) {
        const values = other.get(Other)
        values[names[0]] += 0.5
        other.set(Other, values)
      }
    },
    place: (entity) => vectorOf(entity, Position),
    read: (entity) => [...vectorOf(entity, Position), ...vectorOf(entity, Velocity)],
    soilVelocity: (entity) => entity.set(Velocity, SEVEN),
    soil(entity) {
      entity.set(Position, SEVEN)
      entity.set(Velocity, SEVEN)
    },
  }
}

/** The stores are there from the first entity on. */
function byStore() {
  const world = createWorld()
  world.spawn(Position, Velocity).destroy()
  const [position, velocity] = [getStore(world, Position), getStore(world, Velocity)]
  const { sum, first, put, advance, place, read, meet } = verbsById({ position, velocity }, (entity) =>
    entity.id(),
  )
  return {
    spawnStill: (x, y, z) => world.spawn(Position({ x, y, z })),
    addWith: (entity, x, y, z) => entity.add(Velocity({ x, y, z })),
    mark: (entity, bit) => entity.add(marks[bit]),
    sum,
    first,
    put,
    advance,
    place,
    read,
    meet,
  }
}

const CHANGES = ['spawn-bare', 'spawn-values', 'spawn-destroy', 'add-bare', 'add-values', 'has']
export const callsWays = callWays({ 'by call': byCall, getStore: byStore }, { getStore: CHANGES })

/** koota has room for 16 worlds in a process. */
let others

export function createOtherLoop(rows, k, step) {
  const world = (others ??= createWorld())
  const [One, Two] = [trait({ v: 0 }), trait({ w: 1 })]
  const both = createQuery(One, Two)
  for (let i = 0; i < rows; i++) world.spawn(One, Two)
  const half = step / 2
  const each = new Function('components', `components[0].v += components[1].w * ${half}`)
  const stores = new Function(
    'stores',
    'entities',
    `const { v } = stores[0]
    const { w } = stores[1]
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i].id()
      v[id] += w[id] * ${half}
    }`,
  )
  return {
    run() {
      world.query(both).updateEach(each, { changeDetection: 'never' })
      world.query(both).useStores(stores)
    },
    total: () => Array.from(world.query(both), (entity) => entity.get(One).v).reduce((a, b) => a + b, 0),
  }
}
