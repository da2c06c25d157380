// Owns the yardstick: every case by hand on typed arrays, as functions that take separate arrays. It must never
// know more than a program without an ECS would: an id, the row it lives in, a free list, one array per field.
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { entityWays } from './raw-entities.js'
import { noctWays } from './raw-noct.js'
import { particleWays } from './raw-particles.js'
import { archetypeWays } from './raw-archetypes.js'
import { frameWays } from './raw-frame.js'
import { populationWays } from './raw-population.js'
import { rustWays } from './raw-rust.js'
import { rowWays } from './raw-rows.js'
import { timeWays } from './raw-time.js'
import { depthOf } from '../cases/sorted.js'
import { ddWays } from './raw-ddmills.js'
import { waysAfterForty } from '../cases/loop-after-forty.js'
import { callsWays, createOtherLoop } from './raw-calls.js'
import { familyWays } from './raw-relations.js'
import { sceneWays } from './raw-tree.js'

export const label = 'hand-written arrays'
export const packageName = undefined
export const uses =
  'Typed arrays, one for each field, and loops over them; a sparse set, a free list of ids, a radix sort. ' +
  'No library: what the work costs with nothing around it.'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT

const floats = (size) => new Float32Array(size)

function moveAll(px, py, pz, vx, vy, vz, count, dt) {
  for (let i = 0; i < count; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
    pz[i] += vz[i] * dt
  }
}

function createMoving(size) {
  const columns = Array.from({ length: 6 }, () => floats(size))
  const [px, , , vx, vy, vz] = columns
  for (let i = 0; i < size; i++) {
    px[i] = startX(i)
    vx[i] = velocityX(i)
    vy[i] = velocityY(i)
    vz[i] = velocityZ(i)
  }
  const result = () => Array.from({ length: size * 3 }, (_, k) => columns[k % 3][Math.floor(k / 3)])
  return { columns, result }
}

// The yardstick of the ratios. The arrays are elements of a list, which V8 does not take for constants: called
// with constants, a small loop would be inlined and become the case below.
function loop(size) {
  const { columns: c, result } = createMoving(size)
  return { run: () => moveAll(c[0], c[1], c[2], c[3], c[4], c[5], size, dt), result }
}

// The best V8 can do: every array, its address and its length are constants in the machine code. A program has
// this only with one world, made once, whose arrays are never replaced.
function loopOverConstants(size) {
  const { columns, result } = createMoving(size)
  const [px, py, pz, vx, vy, vz] = columns
  function run() {
    for (let i = 0; i < size; i++) {
      px[i] += vx[i] * dt
      py[i] += vy[i] * dt
      pz[i] += vz[i] * dt
    }
  }
  return { run, result }
}

const DIGITS = 2048

/** One pass of a radix sort: pairs of key and id go where the digit at `shift` says, equal ones in their order. */
function scatter(fromKeys, fromIds, toKeys, toIds, places, shift, count) {
  for (let i = 0; i < count; i++) {
    const key = fromKeys[i]
    const place = places[(key >>> shift) & (DIGITS - 1)]++
    toKeys[place] = key
    toIds[place] = fromIds[i]
  }
}

function startPlaces(places) {
  let place = 0
  for (let d = 0; d < DIGITS; d++) {
    const number = places[d]
    places[d] = place
    place += number
  }
}

// Three digits of 11 bits over the bits of the floats, turned so that they compare like unsigned numbers. The
// arrays to sort in are kept; the result is a fresh one, as a library has to give.
function sorted(size) {
  const depth = Float32Array.from({ length: size }, (_, i) => depthOf(i))
  const bits = new Uint32Array(depth.buffer)
  const ids = Uint32Array.from(depth, (_, i) => i)
  const [keysA, keysB, idsA, idsB] = Array.from({ length: 4 }, () => new Uint32Array(size))
  const [low, middle, high] = Array.from({ length: 3 }, () => new Uint32Array(DIGITS))
  function run() {
    low.fill(0)
    middle.fill(0)
    high.fill(0)
    for (let i = 0; i < size; i++) {
      const word = bits[i]
      const key = word & 0x80000000 ? ~word : word | 0x80000000
      keysA[i] = key
      idsA[i] = ids[i]
      low[key & (DIGITS - 1)]++
      middle[(key >>> 11) & (DIGITS - 1)]++
      high[key >>> 22]++
    }
    startPlaces(low)
    startPlaces(middle)
    startPlaces(high)
    scatter(keysA, idsA, keysB, idsB, low, 0, size)
    scatter(keysB, idsB, keysA, idsA, middle, 11, size)
    scatter(keysA, idsA, keysB, idsB, high, 22, size)
    return idsB.slice()
  }
  return { run, result: () => run() }
}

const loops = { 'arrays as parameters': loop, 'arrays as constants': loopOverConstants }

export const ways = {
  ...familyWays,
  ...sceneWays,
  loop: loops,
  ...waysAfterForty(loops, createOtherLoop),
  ...callsWays,
  ...entityWays,
  ...populationWays,
  ...archetypeWays,
  ...frameWays,
  ...rustWays(noctWays.simple_iter),
  ...noctWays,
  ...rowWays,
  ...timeWays,
  ...particleWays,
  sorted: { 'radix sort': sorted },
  ...ddWays,
  group: { 'arrays as parameters': loop },
}
