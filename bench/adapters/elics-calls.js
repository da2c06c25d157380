// Owns EliCS 3.4 in the cases of single calls, and its loop among others: values in `Component.data` by `entity.index`,
// checks off. It must never let a capacity be found too small: EliCS does not grow.
import { createComponent, createSystem, Types, World } from 'elics'
import { callWays } from '../cases/calls.js'
import { verbsById } from './by-id.js'

const number = { type: Types.Float32, default: 0 }
const Position = createComponent('PlaceOfCalls', { x: number, y: number, z: number })
const Velocity = createComponent('MotionOfCalls', { x: number, y: number, z: number })
const marks = [0, 1, 2].map((bit) => createComponent(`Mark${bit}OfCalls`, {}))

class Watch extends createSystem({ moving: { required: [Position, Velocity] } }) {}

function createStage(size) {
  const world = new World({ entityCapacity: size, checksOn: false })
  for (const component of [Position, Velocity, ...marks]) world.registerComponent(component)
  const { moving } = world.registerSystem(Watch).getSystem(Watch).queries
  const verbs = verbsById({ position: Position.data, velocity: Velocity.data }, (entity) => entity.index)
  return {
    ...verbs,
    count: () => moving.entities.size,
    spawn: () => world.createEntity().addComponent(Position).addComponent(Velocity),
    spawnWith: (x, y, z, vx, vy, vz) =>
      world
        .createEntity()
        .addComponent(Position, { x, y, z })
        .addComponent(Velocity, { x: vx, y: vy, z: vz }),
    spawnStill: (x, y, z) => world.createEntity().addComponent(Position, { x, y, z }),
    kill: (entity) => entity.destroy(),
    add: (entity) => entity.addComponent(Velocity),
    addWith: (entity, x, y, z) => entity.addComponent(Velocity, { x, y, z }),
    remove: (entity) => entity.removeComponent(Velocity),
    has: (entity) => entity.hasComponent(Velocity),
    mark: (entity, bit) => entity.addComponent(marks[bit]),
  }
}

export const callsWays = callWays({ 'data array by index': createStage })

export function createOtherLoop(rows, k, step) {
  const One = createComponent(`One${k}`, { v: number })
  const Two = createComponent(`Two${k}`, { w: { ...number, default: 1 } })
  const loop = new Function(
    'entities',
    'v',
    'w',
    `for (const { index } of entities) v[index] += w[index] * ${step}`,
  )
  class Other extends createSystem({ both: { required: [One, Two] } }) {
    update() {
      loop(this.queries.both.entities, One.data.v, Two.data.w)
    }
  }
  const world = new World({ entityCapacity: rows, checksOn: false })
  world.registerComponent(One).registerComponent(Two).registerSystem(Other)
  for (let i = 0; i < rows; i++) world.createEntity().addComponent(One).addComponent(Two)
  return {
    run: () => world.update(0, 0),
    total: () => One.data.v.reduce((sum, value) => sum + value, 0),
  }
}
