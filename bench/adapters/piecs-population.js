// Owns piecs 0.4 where single values of many entities are written, and in the memory case: values in arrays by entity id,
// as piecs stores ids only. It must never leave the values out, nor make their arrays larger than the entities ask for.
import { World, createEntitySystem } from 'piecs/dist/index.mjs'
import { shuffledOrder } from '../cases/get.js'
import { startX, startY, velocityX, velocityY } from '../cases/memory.js'
import { valueOf } from '../cases/set.js'

function set(size) {
  const world = new World()
  const still = world.prefabricate([world.createComponentId()])
  world.initialize()
  const ids = Uint32Array.from({ length: size }, () => world.createEntity(still))
  const shuffled = shuffledOrder(size).map((i) => ids[i])
  const x = new Float32Array(size)
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
  let columns
  let sums
  return {
    run() {
      world = new World()
      columns = Array.from({ length: 4 }, () => new Float32Array(size))
      const [px, py, vx, vy] = columns
      const [Position, Velocity] = [world.createComponentId(), world.createComponentId()]
      const moving = world.prefabricate([Position, Velocity])
      const add = createEntitySystem(
        (entities) => {
          sums[0] += entities.length
          columns.forEach((column, k) => {
            for (let i = 0; i < entities.length; i++) sums[k + 1] += column[entities[i]]
          })
        },
        (query) => query.every(Position, Velocity),
      )
      world.registerSystem(add).initialize()
      for (let i = 0; i < size; i++) {
        const id = world.createEntity(moving)
        px[id] = startX(i)
        py[id] = startY(i)
        vx[id] = velocityX(i)
        vy[id] = velocityY(i)
      }
    },
    result() {
      sums = [0, 0, 0, 0, 0]
      world.update()
      return sums
    },
  }
}

export const populationWays = { set: { 'array by id': set }, memory: { 'arrays by id': memory } }
