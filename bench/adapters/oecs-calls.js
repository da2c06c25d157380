// Owns oecs 0.3 in the cases of single calls, and its loop among others: fields by handle, one call each. It must never
// leave an entity that was destroyed to a later flush: what it held is checked.
import { ECS, SCHEDULE } from '@oasys/oecs'
import { callWays } from '../cases/calls.js'

const VECTOR = { x: 'f32', y: 'f32', z: 'f32' }
const AXES = ['x', 'y', 'z']
const ZERO = { x: 0, y: 0, z: 0 }
const TIMES_MET = 500

function createStage(size) {
  const world = new ECS({ initial_capacity: size })
  const [Position, Velocity] = [world.register_component(VECTOR), world.register_component(VECTOR)]
  const marks = Array.from({ length: 3 }, () => world.register_component({}))
  const moving = world.query(Position, Velocity)
  const bare = [
    { def: Position, values: ZERO },
    { def: Velocity, values: ZERO },
  ]
  const valuesOf = (id, component) => AXES.map((axis) => world.get_field(id, component, axis))
  const soilOf = (id, component) => AXES.forEach((axis) => world.set_field(id, component, axis, 7))
  return {
    list: (length) => new Uint32Array(length),
    count: () => moving.count(),
    spawn() {
      const id = world.create_entity()
      world.add_components(id, bare)
      return id
    },
    spawnWith(x, y, z, vx, vy, vz) {
      const id = world.create_entity()
      world.add_components(id, [
        { def: Position, values: { x, y, z } },
        { def: Velocity, values: { x: vx, y: vy, z: vz } },
      ])
      return id
    },
    spawnStill(x, y, z) {
      const id = world.create_entity()
      world.add_component(id, Position, { x, y, z })
      return id
    },
    // There is no call that destroys at once.
    kill(id) {
      world.destroy_entity_deferred(id)
      world.flush()
    },
    add: (id) => world.add_component(id, Velocity, ZERO),
    addWith: (id, x, y, z) => world.add_component(id, Velocity, { x, y, z }),
    remove: (id) => world.remove_component(id, Velocity),
    has: (id) => world.has_component(id, Velocity),
    mark: (id, bit) => world.add_component(id, marks[bit]),
    sum: (id) =>
      world.get_field(id, Position, 'x') +
      world.get_field(id, Position, 'y') +
      world.get_field(id, Position, 'z'),
    first: (id) => world.get_field(id, Position, 'x'),
    put(id, x, y, z) {
      world.set_field(id, Position, 'x', x)
      world.set_field(id, Position, 'y', y)
      world.set_field(id, Position, 'z', z)
    },
    advance(id, dt) {
      for (const axis of AXES) {
        const moved = world.get_field(id, Position, axis) + world.get_field(id, Velocity, axis) * dt
        world.set_field(id, Position, axis, moved)
      }
    },
    meet(names) {
      const Other = world.register_component(Object.fromEntries(names.map((name) => [name, 'f32'])))
      const other = world.create_entity()
      world.add_component(other, Other, Object.fromEntries(names.map((name) => [name, 0])))
      for (let turn = 0; turn < TIMES_MET; turn++) {
        world.set_field(other, Other, names[0], world.get_field(other, Other, names[0]) + 0.5)
      }
    },
    place: (id) => valuesOf(id, Position),
    read: (id) => [...valuesOf(id, Position), ...valuesOf(id, Velocity)],
    soilVelocity: (id) => soilOf(id, Velocity),
    soil(id) {
      soilOf(id, Position)
      soilOf(id, Velocity)
    },
  }
}

export const callsWays = callWays({ 'by call': createStage })

export function createOtherLoop(rows, k, step) {
  const world = new ECS({ initial_capacity: rows })
  const One = world.register_component({ v: 'f32' })
  const Two = world.register_component({ w: 'f32' })
  const loop = new Function('v', 'w', 'count', `for (let i = 0; i < count; i++) v[i] += w[i] * ${step}`)
  function update(query, context) {
    query.for_each((archetype) =>
      loop(
        archetype.get_column_mut(One, 'v', context.world_tick),
        archetype.get_column(Two, 'w'),
        archetype.entity_count,
      ),
    )
  }
  world.add_systems(
    SCHEDULE.UPDATE,
    world.register_system(update, (query) => query.every(One, Two)),
  )
  world.startup()
  const ids = Array.from({ length: rows }, () => {
    const id = world.create_entity()
    world.add_components(id, [
      { def: One, values: { v: 0 } },
      { def: Two, values: { w: 1 } },
    ])
    return id
  })
  return {
    run: () => world.update(0),
    total: () => ids.reduce((sum, id) => sum + world.get_field(id, One, 'v'), 0),
  }
}
