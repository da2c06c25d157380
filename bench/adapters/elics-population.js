// Owns EliCS 3.4 where single values of many entities are written, and in the memory case. It must never let a capacity
// be found too small, nor larger than the entities ask for: EliCS does not grow.
import { Types, World, createComponent, createSystem } from 'elics'
import { shuffledOrder } from '../cases/get.js'
import { startX, startY, velocityX, velocityY } from '../cases/memory.js'
import { valueOf } from '../cases/set.js'

const number = { type: Types.Float32, default: 0 }
const Position = createComponent('Place', { x: number, y: number })
const Velocity = createComponent('Motion', { x: number, y: number })

class Watch extends createSystem({ moving: { required: [Position, Velocity] } }) {}

const createSizedWorld = (entityCapacity) =>
  new World({ entityCapacity, checksOn: false }).registerComponent(Position).registerComponent(Velocity)

function set(size) {
  const world = createSizedWorld(size)
  const entities = Array.from({ length: size }, () => world.createEntity().addComponent(Position))
  const shuffled = Array.from(shuffledOrder(size), (i) => entities[i])
  let round = 0
  return {
    run() {
      round++
      const { x } = Position.data
      for (let k = 0; k < size; k++) x[shuffled[k].index] = valueOf(k, round)
    },
    result: () => entities.map((entity) => entity.getValue(Position, 'x')),
  }
}

function memory(size) {
  let moving
  return {
    run() {
      const world = createSizedWorld(size).registerSystem(Watch)
      moving = world.getSystem(Watch).queries.moving
      for (let i = 0; i < size; i++) {
        world
          .createEntity()
          .addComponent(Position, { x: startX(i), y: startY(i) })
          .addComponent(Velocity, { x: velocityX(i), y: velocityY(i) })
      }
    },
    result() {
      const columns = [Position.data.x, Position.data.y, Velocity.data.x, Velocity.data.y]
      const sums = columns.map((column) => {
        let sum = 0
        for (const { index } of moving.entities) sum += column[index]
        return sum
      })
      return [moving.entities.size, ...sums]
    },
  }
}

export const populationWays = { set: { 'data array by index': set }, memory: { 'per call': memory } }
