// Owns miniplex 2.0 where single values of many entities are written, and in the memory case. It must never make an
// entity other than its README does: as one object, added whole.
import { World } from 'miniplex'
import { shuffledOrder } from '../cases/get.js'
import { startX, startY, velocityX, velocityY } from '../cases/memory.js'
import { valueOf } from '../cases/set.js'

function set(size) {
  const world = new World()
  const entities = Array.from({ length: size }, () => world.add({ position: { x: 0, y: 0, z: 0 } }))
  const shuffled = Array.from(shuffledOrder(size), (i) => entities[i])
  let round = 0
  return {
    run() {
      round++
      for (let k = 0; k < size; k++) shuffled[k].position.x = valueOf(k, round)
    },
    result: () => entities.map(({ position }) => position.x),
  }
}

function memory(size) {
  let moving
  return {
    run() {
      const world = new World()
      moving = world.with('position', 'velocity')
      moving.connect()
      for (let i = 0; i < size; i++) {
        world.add({
          position: { x: startX(i), y: startY(i) },
          velocity: { x: velocityX(i), y: velocityY(i) },
        })
      }
    },
    result() {
      const sums = [0, 0, 0, 0, 0]
      for (const { position: p, velocity: v } of moving) {
        for (const [k, value] of [1, p.x, p.y, v.x, v.y].entries()) sums[k] += value
      }
      return sums
    },
  }
}

export const populationWays = { set: { 'property of the entity': set }, memory: { 'per call': memory } }
