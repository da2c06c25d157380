// Owns wolf-ecs 2.1.3 where single values of many entities are written, and in the memory case. It must never let the
// world be made for more entities than there are: its arrays have that length.
import { ECS, types } from 'wolf-ecs'
import { shuffledOrder } from '../cases/get.js'
import { startX, startY, velocityX, velocityY } from '../cases/memory.js'
import { valueOf } from '../cases/set.js'

const PAIR = { x: types.f32, y: types.f32 }

function set(size) {
  const ecs = new ECS(size)
  const Position = ecs.defineComponent(PAIR)
  const ids = Array.from({ length: size }, () => {
    const id = ecs.createEntity()
    ecs.addComponent(id, Position)
    return id
  })
  const shuffled = shuffledOrder(size).map((i) => ids[i])
  const { x } = Position
  let round = 0
  return {
    run() {
      round++
      for (let k = 0; k < size; k++) x[shuffled[k]] = valueOf(k, round)
    },
    result: () => ids.map((id) => x[id]),
  }
}

function memory(size) {
  let moving
  let columns
  return {
    run() {
      const ecs = new ECS(size)
      const [Position, Velocity] = [ecs.defineComponent(PAIR), ecs.defineComponent(PAIR)]
      moving = ecs.createQuery(Position, Velocity)
      columns = [Position.x, Position.y, Velocity.x, Velocity.y]
      for (let i = 0; i < size; i++) {
        const id = ecs.createEntity()
        ecs.addComponent(id, Position).addComponent(id, Velocity)
        Position.x[id] = startX(i)
        Position.y[id] = startY(i)
        Velocity.x[id] = velocityX(i)
        Velocity.y[id] = velocityY(i)
      }
    },
    result() {
      const ids = moving.a.flatMap((archetype) => archetype.e)
      return [ids.length, ...columns.map((column) => ids.reduce((sum, id) => sum + column[id], 0))]
    },
  }
}

export const populationWays = { set: { 'array by id': set }, memory: { 'nested loops': memory } }
