// Owns the yardstick of random writing and of the memory that values take: typed arrays of just the right size. It must
// never keep more than the values and what finds them.
import { shuffledOrder } from '../cases/get.js'
import { startX, startY, velocityX, velocityY } from '../cases/memory.js'
import { valueOf } from '../cases/set.js'

function writeAll(ids, rowOf, x, round, count) {
  for (let k = 0; k < count; k++) x[rowOf[ids[k]]] = valueOf(k, round)
}

function set(size) {
  const ids = shuffledOrder(size)
  const rowOf = Uint32Array.from({ length: size }, (_, i) => i)
  const x = new Float32Array(size)
  let round = 0
  return { run: () => writeAll(ids, rowOf, x, ++round, size), result: () => Array.from(x) }
}

function memory(size) {
  let columns
  return {
    run() {
      columns = Array.from({ length: 4 }, () => new Float32Array(size))
      const [px, py, vx, vy] = columns
      for (let i = 0; i < size; i++) {
        px[i] = startX(i)
        py[i] = startY(i)
        vx[i] = velocityX(i)
        vy[i] = velocityY(i)
      }
    },
    result: () => [
      columns[0].length,
      ...columns.map((column) => column.reduce((sum, value) => sum + value, 0)),
    ],
  }
}

export const populationWays = { set: { 'row by id': set }, memory: { 'arrays of that size': memory } }
