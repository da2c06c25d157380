// Owns the yardstick of the cases with many archetypes: arrays of its own for each of them, as functions that take separate
// arrays; what is rare is a list that the program keeps. It must never put the archetypes into one array: then there would
// be nothing fragmented.
import { fragmentedWays } from '../cases/fragmentation.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { START } from '../cases/queries.js'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT

function moveAll(px, py, pz, vx, vy, vz, count, dt) {
  for (let i = 0; i < count; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
    pz[i] += vz[i] * dt
  }
}

function fragmented(size, tags, numberOf) {
  const members = new Map()
  for (let i = 0; i < size; i++) {
    const number = numberOf(i)
    if (!members.has(number)) members.set(number, [])
    members.get(number).push(i)
  }
  const tables = Array.from(members.values(), (list) => {
    const columnOf = (value) => Float32Array.from(list, value)
    return [startX, () => 0, () => 0, velocityX, velocityY, velocityZ].map(columnOf)
  })
  return {
    run() {
      for (let k = 0; k < tables.length; k++) {
        const c = tables[k]
        moveAll(c[0], c[1], c[2], c[3], c[4], c[5], c[0].length, dt)
      }
    },
    result() {
      const values = new Array(size * 3)
      for (const [k, list] of [...members.values()].entries()) {
        list.forEach((i, row) =>
          [0, 1, 2].forEach((field) => (values[i * 3 + field] = tables[k][field][row])),
        )
      }
      return values
    },
  }
}

function increaseAll(values, ids, count) {
  for (let k = 0; k < count; k++) values[ids[k]] += 1
}

function rareQuery() {
  const values = Int32Array.of(START)
  const ids = Uint32Array.of(0)
  return { run: () => increaseAll(values, ids, ids.length), result: () => Array.from(values) }
}

export const archetypeWays = {
  ...fragmentedWays({ 'arrays of each archetype': fragmented }),
  'query-rare': { 'a list of ids': rareQuery },
}
