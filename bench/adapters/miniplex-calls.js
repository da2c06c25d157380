// Owns miniplex 2.0 in the cases of single calls, and its loops among others: entities are plain objects, and so are their
// components. It must never change an entity behind the world's back.
import { World } from 'miniplex'
import { callWays } from '../cases/calls.js'

const MARKS = ['first', 'second', 'third']
const TIMES_MET = 500

const valuesOf = ({ x, y, z }) => [x, y, z]
const soilVector = (vector) => Object.assign(vector, { x: 7, y: 7, z: 7 })

function createStage() {
  const world = new World()
  const moving = world.with('position', 'velocity')
  const spawnWith = (x, y, z, vx, vy, vz) =>
    world.add({ position: { x, y, z }, velocity: { x: vx, y: vy, z: vz } })
  const addWith = (entity, x, y, z) => world.addComponent(entity, 'velocity', { x, y, z })
  return {
    count: () => moving.size,
    spawn: () => spawnWith(0, 0, 0, 0, 0, 0),
    spawnWith,
    spawnStill: (x, y, z) => world.add({ position: { x, y, z } }),
    kill: (entity) => world.remove(entity),
    add: (entity) => addWith(entity, 0, 0, 0),
    addWith,
    remove: (entity) => world.removeComponent(entity, 'velocity'),
    has: (entity) => entity.velocity !== undefined,
    mark: (entity, bit) => world.addComponent(entity, MARKS[bit], true),
    sum({ position }) {
      return position.x + position.y + position.z
    },
    first: ({ position }) => position.x,
    put({ position }, x, y, z) {
      position.x = x
      position.y = y
      position.z = z
    },
    advance({ position, velocity }, dt) {
      position.x += velocity.x * dt
      position.y += velocity.y * dt
      position.z += velocity.z * dt
    },
    meet(names, k) {
      const name = `other${k}`
      const other = world.add({ [name]: Object.fromEntries(names.map((field) => [field, 0])) })
      for (let turn = 0; turn < TIMES_MET; turn++) other[name][names[0]] += 0.5
    },
    place: ({ position }) => valuesOf(position),
    read: ({ position, velocity }) => [...valuesOf(position), ...valuesOf(velocity)],
    soilVelocity: ({ velocity }) => soilVector(velocity),
    soil({ position, velocity }) {
      soilVector(position)
      soilVector(velocity)
    },
  }
}

export const callsWays = callWays({ 'property of the entity': createStage })

export function createOtherLoop(rows, k, step) {
  const world = new World()
  const [one, two] = [`one${k}`, `two${k}`]
  const both = world.with(one, two)
  for (let i = 0; i < rows; i++) world.add({ [one]: { v: 0 }, [two]: { w: 1 } })
  const loop = new Function(
    'entities',
    `for (const entity of entities) entity.${one}.v += entity.${two}.w * ${step / 2}`,
  )
  return {
    run() {
      loop(both)
      loop(both.entities)
    },
    total: () => both.entities.reduce((sum, entity) => sum + entity[one].v, 0),
  }
}
