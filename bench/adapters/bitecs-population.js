// Owns bitECS 0.4 where single values of many entities are written, and in the memory case: components of typed arrays,
// as its docs recommend for speed. It must never make the arrays larger than the entities ask for.
import { addComponent, addComponents, addEntity, asBuffer, createWorld, query } from 'bitecs'
import { shuffledOrder } from '../cases/get.js'
import { startX, startY, velocityX, velocityY } from '../cases/memory.js'
import { valueOf } from '../cases/set.js'

function set(size) {
  const world = createWorld()
  const Position = {
    x: new Float32Array(size + 1),
    y: new Float32Array(size + 1),
    z: new Float32Array(size + 1),
  }
  const ids = Uint32Array.from({ length: size }, () => addEntity(world))
  for (const id of ids) addComponent(world, id, Position)
  const shuffled = shuffledOrder(size).map((i) => ids[i])
  const { x } = Position
  let round = 0
  return {
    run() {
      round++
      for (let k = 0; k < size; k++) x[shuffled[k]] = valueOf(k, round)
    },
    result: () => Array.from(ids, (id) => x[id]),
  }
}

function memory(size) {
  let world
  let Position
  let Velocity
  return {
    run() {
      world = createWorld()
      const pair = () => ({ x: new Float32Array(size + 1), y: new Float32Array(size + 1) })
      Position = pair()
      Velocity = pair()
      query(world, [Position, Velocity], asBuffer)
      for (let i = 0; i < size; i++) {
        const id = addEntity(world)
        addComponents(world, id, Position, Velocity)
        Position.x[id] = startX(i)
        Position.y[id] = startY(i)
        Velocity.x[id] = velocityX(i)
        Velocity.y[id] = velocityY(i)
      }
    },
    result() {
      const found = query(world, [Position, Velocity], asBuffer)
      const columns = [Position.x, Position.y, Velocity.x, Velocity.y]
      const sums = columns.map((column) => found.reduce((sum, id) => sum + column[id], 0))
      return [found.length, ...sums]
    },
  }
}

export const populationWays = { set: { 'array by id': set }, memory: { 'typed arrays': memory } }
