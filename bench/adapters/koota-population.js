// Owns koota 0.6 where single values of many entities are written, and in the memory case. It must never reach past what
// the README documents.
import { createQuery, createWorld, trait } from 'koota'
import { shuffledOrder } from '../cases/get.js'
import { startX, startY, velocityX, velocityY } from '../cases/memory.js'
import { valueOf } from '../cases/set.js'

const Position = trait({ x: 0, y: 0 })
const Velocity = trait({ x: 0, y: 0 })

function set(size) {
  const world = createWorld()
  const entities = Array.from({ length: size }, () => world.spawn(Position))
  const shuffled = Array.from(shuffledOrder(size), (i) => entities[i])
  let round = 0
  return {
    run() {
      round++
      for (let k = 0; k < size; k++) shuffled[k].set(Position, { x: valueOf(k, round) })
    },
    result: () => entities.map((entity) => entity.get(Position).x),
  }
}

function memory(size) {
  let world
  let moving
  return {
    run() {
      world = createWorld()
      moving = createQuery(Position, Velocity)
      world.query(moving)
      for (let i = 0; i < size; i++) {
        world.spawn(Position({ x: startX(i), y: startY(i) }), Velocity({ x: velocityX(i), y: velocityY(i) }))
      }
    },
    result() {
      const sums = [0, 0, 0, 0, 0]
      for (const entity of world.query(moving)) {
        const [p, v] = [entity.get(Position), entity.get(Velocity)]
        for (const [k, value] of [1, p.x, p.y, v.x, v.y].entries()) sums[k] += value
      }
      return sums
    },
  }
}

export const populationWays = { set: { 'entity.set': set }, memory: { 'per call': memory } }
