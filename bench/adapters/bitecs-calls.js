// Owns bitECS 0.4 in the cases of single calls, and its loop among others: components of typed arrays, one call each. It
// must never leave out the zeros that a new component begins with: bitECS keeps what was there.
import {
  addComponent,
  addComponents,
  addEntity,
  asBuffer,
  createWorld,
  hasComponent,
  query,
  removeComponent,
  removeEntity,
} from 'bitecs'
import { callWays } from '../cases/calls.js'
import { createVectors, verbsById } from './by-id.js'

function createStage(size) {
  const world = createWorld()
  // Ids start at 1 and are reused at once.
  const vectors = createVectors(size + 2)
  const { position, velocity } = vectors
  const verbs = verbsById(vectors)
  const { write } = verbs
  const marks = [{}, {}, {}]
  query(world, [position, velocity], asBuffer)
  function spawnWith(x, y, z, vx, vy, vz) {
    const id = addEntity(world)
    addComponents(world, id, position, velocity)
    write(position, id, x, y, z)
    write(velocity, id, vx, vy, vz)
    return id
  }
  function addWith(id, x, y, z) {
    addComponent(world, id, velocity)
    write(velocity, id, x, y, z)
  }
  return {
    ...verbs,
    list: (length) => new Uint32Array(length),
    count: () => query(world, [position, velocity], asBuffer).length,
    spawn: () => spawnWith(0, 0, 0, 0, 0, 0),
    spawnWith,
    spawnStill(x, y, z) {
      const id = addEntity(world)
      addComponent(world, id, position)
      write(position, id, x, y, z)
      return id
    },
    kill: (id) => removeEntity(world, id),
    add: (id) => addWith(id, 0, 0, 0),
    addWith,
    remove: (id) => removeComponent(world, id, velocity),
    has: (id) => hasComponent(world, id, velocity),
    mark: (id, bit) => addComponent(world, id, marks[bit]),
  }
}

export const callsWays = callWays({ 'arrays by id': createStage })

export function createOtherLoop(rows, k, step) {
  const world = createWorld()
  const [one, two] = [{ v: new Float32Array(rows + 2) }, { w: new Float32Array(rows + 2).fill(1) }]
  for (let i = 0; i < rows; i++) addComponents(world, addEntity(world), one, two)
  const loop = new Function(
    'ids',
    'v',
    'w',
    `for (let i = 0; i < ids.length; i++) v[ids[i]] += w[ids[i]] * ${step}`,
  )
  return {
    run: () => loop(query(world, [one, two], asBuffer), one.v, two.w),
    total: () => one.v.reduce((sum, value) => sum + value, 0),
  }
}
