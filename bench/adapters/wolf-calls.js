// Owns wolf-ecs 2.1.3 in the cases of single calls, and its loop among others: values in the typed arrays of the
// component, by id. It must never leave out the zeros of a new component: wolf-ecs keeps what was there.
import { ECS, types } from 'wolf-ecs'
import { callWays } from '../cases/calls.js'
import { verbsById } from './by-id.js'

const VECTOR = { x: types.f32, y: types.f32, z: types.f32 }

function createStage(size) {
  const ecs = new ECS(size)
  const [position, velocity] = [ecs.defineComponent(VECTOR), ecs.defineComponent(VECTOR)]
  const marks = Array.from({ length: 3 }, () => ecs.defineComponent())
  const moving = ecs.createQuery(position, velocity)
  const verbs = verbsById({ position, velocity })
  const { write } = verbs
  function spawnWith(x, y, z, vx, vy, vz) {
    const id = ecs.createEntity()
    ecs.addComponent(id, position).addComponent(id, velocity)
    write(position, id, x, y, z)
    write(velocity, id, vx, vy, vz)
    return id
  }
  function addWith(id, x, y, z) {
    ecs.addComponent(id, velocity)
    write(velocity, id, x, y, z)
  }
  return {
    ...verbs,
    list: (length) => new Uint32Array(length),
    count: () => moving.a.reduce((sum, archetype) => sum + archetype.e.length, 0),
    spawn: () => spawnWith(0, 0, 0, 0, 0, 0),
    spawnWith,
    spawnStill(x, y, z) {
      const id = ecs.createEntity()
      ecs.addComponent(id, position)
      write(position, id, x, y, z)
      return id
    },
    kill: (id) => ecs.destroyEntity(id),
    add: (id) => addWith(id, 0, 0, 0),
    addWith,
    remove: (id) => ecs.removeComponent(id, velocity),
    mark: (id, bit) => ecs.addComponent(id, marks[bit]),
  }
}

// wolf-ecs has no question for what an entity has.
export const callsWays = callWays({ 'arrays by id': createStage }, { 'arrays by id': ['has'] })

export function createOtherLoop(rows, k, step) {
  const ecs = new ECS(rows)
  const one = ecs.defineComponent({ v: types.f32 })
  const two = ecs.defineComponent({ w: types.f32 })
  const both = ecs.createQuery(one, two)
  for (let i = 0; i < rows; i++) {
    const id = ecs.createEntity()
    ecs.addComponent(id, one).addComponent(id, two)
    one.v[id] = 0
    two.w[id] = 1
  }
  const loop = new Function(
    'query',
    'v',
    'w',
    `for (let i = 0; i < query.a.length; i++) {
      const ids = query.a[i].e
      for (let j = ids.length - 1; j >= 0; j--) v[ids[j]] += w[ids[j]] * ${step}
    }`,
  )
  return {
    run: () => loop(both, one.v, two.w),
    total: () => one.v.slice(0, rows).reduce((sum, value) => sum + value, 0),
  }
}
