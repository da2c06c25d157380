// Owns oecs 0.3 in the cases of deferred changes: systems that change by the context, flushed between the phases. It must
// never change anything at once.
import { ECS, SCHEDULE } from '@oasys/oecs'

const SCALAR = { value: 'f32' }
const ZERO = { value: 0 }

const deferred = (kinds) => (size) => {
  const world = new ECS({ initial_capacity: size })
  const Position = world.register_component(SCALAR)
  const components = Array.from({ length: kinds }, () => world.register_component(SCALAR))
  const [all, first] = [world.query(...components), world.query(components[0])]
  const ids = Array.from({ length: size }, (_, i) => {
    const id = world.create_entity()
    world.add_component(id, Position, { value: i })
    return id
  })
  let added = 0
  const addEach = world.register_system((context) => {
    for (let i = 0; i < size; i++) {
      for (const component of components) context.add_component(ids[i], component, ZERO)
    }
  })
  const count = world.register_system(() => {
    added = all.count()
  })
  const removeEach = world.register_system((context) => {
    for (let i = 0; i < size; i++) {
      for (const component of components) context.remove_component(ids[i], component)
    }
  })
  world.add_systems(SCHEDULE.PRE_UPDATE, addEach)
  world.add_systems(SCHEDULE.UPDATE, count)
  world.add_systems(SCHEDULE.POST_UPDATE, removeEach)
  world.startup()
  return {
    run: () => world.update(0),
    result: () => [added, first.count(), ...ids.map((id) => world.get_field(id, Position, 'value'))],
  }
}

export const deferredWays = {
  deferred: { 'by the context of a system': deferred(1) },
  'deferred-four': { 'by the context of a system': deferred(4) },
}
