// Owns piecs 0.4 in the cases of single calls, and its loop among others: ids in piecs, values in arrays by id. It must
// never leave out the values: piecs stores none.
import { World, createEntitySystem } from 'piecs/dist/index.mjs'
import { callWays } from '../cases/calls.js'
import { createVectors, verbsById } from './by-id.js'

function createStage(size) {
  const world = new World()
  const [Position, Velocity, ...marks] = Array.from({ length: 5 }, () => world.createComponentId())
  const still = world.prefabricate([Position])
  const moving = world.prefabricate([Position, Velocity])
  // A system that does nothing: the world keeps the query up to date, as a program's systems would make it.
  const watch = createEntitySystem(
    () => {},
    (query) => query.prefabricated(moving),
  )
  world.registerSystem(watch).initialize()
  const vectors = createVectors(size + 1)
  const { position, velocity } = vectors
  const verbs = verbsById(vectors)
  const { write } = verbs
  function spawnWith(x, y, z, vx, vy, vz) {
    const id = world.createEntity(moving)
    write(position, id, x, y, z)
    write(velocity, id, vx, vy, vz)
    return id
  }
  function addWith(id, x, y, z) {
    world.addComponent(id, Velocity)
    write(velocity, id, x, y, z)
  }
  return {
    ...verbs,
    list: (length) => new Uint32Array(length),
    count: () => moving.entities.length,
    spawn: () => spawnWith(0, 0, 0, 0, 0, 0),
    spawnWith,
    spawnStill(x, y, z) {
      const id = world.createEntity(still)
      write(position, id, x, y, z)
      return id
    },
    kill: (id) => world.deleteEntity(id),
    add: (id) => addWith(id, 0, 0, 0),
    addWith,
    remove: (id) => world.removeComponent(id, Velocity),
    has: (id) => world.hasComponent(id, Velocity),
    mark: (id, bit) => world.addComponent(id, marks[bit]),
  }
}

export const callsWays = callWays({ 'arrays by id': createStage })

export function createOtherLoop(rows, k, step) {
  const world = new World()
  const both = world.prefabricate([world.createComponentId(), world.createComponentId()])
  const v = new Float32Array(rows)
  const w = new Float32Array(rows).fill(1)
  const loop = new Function(
    'v',
    'w',
    `return (ids) => { for (let i = 0, l = ids.length; i < l; i++) v[ids[i]] += w[ids[i]] * ${step} }`,
  )
  world.registerSystem(createEntitySystem(loop(v, w), (query) => query.prefabricated(both))).initialize()
  for (let i = 0; i < rows; i++) world.createEntity(both)
  return { run: () => world.update(), total: () => v.reduce((sum, value) => sum + value, 0) }
}
