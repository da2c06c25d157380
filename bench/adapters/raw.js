// Owns the yardstick: every case by hand on typed arrays, as functions that take separate arrays. It must never
// know more than a program without an ECS would: an id, the row it lives in, a free list, one array per field.
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { shuffledOrder } from '../cases/get.js'
import { noctWays } from './raw-noct.js'
import { particleWays } from './raw-particles.js'
import { rowWays } from './raw-rows.js'
import { depthOf } from '../cases/sorted.js'
import { ddWays } from './raw-ddmills.js'

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

function sumOf(ids, rowOf, x, count) {
  let sum = 0
  for (let i = 0; i < count; i++) sum += x[rowOf[ids[i]]]
  return sum
}

function get(size) {
  const ids = shuffledOrder(size)
  const rowOf = Uint32Array.from({ length: size }, (_, i) => i)
  const x = Float32Array.from({ length: size }, (_, i) => i)
  return { run: () => sumOf(ids, rowOf, x, size), result: () => [sumOf(ids, rowOf, x, size)] }
}

/** Rows without holes, found by id: what a program keeps when its entities come and go. */
function createTable(capacity, fields) {
  return {
    count: 0,
    rowOf: new Int32Array(capacity).fill(-1),
    idOf: new Uint32Array(capacity),
    columns: Array.from({ length: fields }, () => floats(capacity)),
  }
}

function createIds(capacity) {
  return { next: 0, freeCount: 0, free: new Uint32Array(capacity) }
}

function spawnAll(ids, table, out, idOf, rowOf, free, px, py, pz, vx, vy, vz, count) {
  for (let i = 0; i < count; i++) {
    const id = ids.freeCount > 0 ? free[--ids.freeCount] : ids.next++
    const row = table.count++
    rowOf[id] = row
    idOf[row] = id
    px[row] = i
    py[row] = pz[row] = vx[row] = vy[row] = vz[row] = 0
    out[i] = id
  }
}

function destroyAll(ids, table, handles, idOf, rowOf, free, px, py, pz, vx, vy, vz, count) {
  for (let i = 0; i < count; i++) {
    const id = handles[i]
    const row = rowOf[id]
    if (row < 0) continue
    const last = --table.count
    const moved = idOf[last]
    idOf[row] = moved
    rowOf[moved] = row
    px[row] = px[last]
    py[row] = py[last]
    pz[row] = pz[last]
    vx[row] = vx[last]
    vy[row] = vy[last]
    vz[row] = vz[last]
    rowOf[id] = -1
    free[ids.freeCount++] = id
  }
}

function createPopulation(size) {
  const ids = createIds(size)
  const table = createTable(size, 6)
  const handles = new Uint32Array(size)
  const [px, py, pz, vx, vy, vz] = table.columns
  const { idOf, rowOf } = table
  return {
    table,
    handles,
    spawn: () => spawnAll(ids, table, handles, idOf, rowOf, ids.free, px, py, pz, vx, vy, vz, size),
    destroy: () => destroyAll(ids, table, handles, idOf, rowOf, ids.free, px, py, pz, vx, vy, vz, size),
  }
}

function spawn(size) {
  const { table, handles, spawn, destroy } = createPopulation(size)
  return {
    before: () => table.count > 0 && destroy(),
    run: spawn,
    result() {
      const [px, py, pz, vx, vy, vz] = table.columns
      const values = [table.count]
      for (const id of handles) {
        const row = table.rowOf[id]
        values.push(px[row], py[row] + pz[row], vx[row] + vy[row] + vz[row])
      }
      for (const column of table.columns) column.fill(7)
      return values
    },
  }
}

function destroy(size) {
  const { table, handles, spawn, destroy } = createPopulation(size)
  return {
    before() {
      spawn()
      if (table.count !== size) throw new Error('not all were spawned')
    },
    run: destroy,
    result: () => [table.count, handles.filter((id) => table.rowOf[id] >= 0).length],
  }
}

function addToAll(table, ids, idOf, rowOf, x, y, z, count) {
  for (let i = 0; i < count; i++) {
    const id = ids[i]
    if (rowOf[id] >= 0) continue
    const row = table.count++
    rowOf[id] = row
    idOf[row] = id
    x[row] = y[row] = z[row] = 0
  }
}

function removeFromAll(table, ids, idOf, rowOf, x, y, z, count) {
  for (let i = 0; i < count; i++) {
    const id = ids[i]
    const row = rowOf[id]
    if (row < 0) continue
    const last = --table.count
    const moved = idOf[last]
    idOf[row] = moved
    rowOf[moved] = row
    x[row] = x[last]
    y[row] = y[last]
    z[row] = z[last]
    rowOf[id] = -1
  }
}

function addRemove(size) {
  const ids = Uint32Array.from({ length: size }, (_, i) => i)
  const positionX = Float32Array.from(ids)
  const table = createTable(size, 3)
  const { idOf, rowOf } = table
  const [x, y, z] = table.columns
  const add = () => addToAll(table, ids, idOf, rowOf, x, y, z, size)
  const remove = () => removeFromAll(table, ids, idOf, rowOf, x, y, z, size)
  return {
    run() {
      add()
      remove()
    },
    result() {
      add()
      const values = [table.count, [x, y, z].flatMap((column) => [...column]).reduce((a, b) => a + b, 0)]
      for (const column of [x, y, z]) column.fill(7)
      remove()
      values.push(table.count, ...positionX)
      return values
    },
  }
}

function copyEach(ids, table, source, idOf, rowOf, free, value, count) {
  for (let i = 0; i < count; i++) {
    const id = ids.freeCount > 0 ? free[--ids.freeCount] : ids.next++
    const row = table.count++
    rowOf[id] = row
    idOf[row] = id
    value[row] = source[i]
  }
}

function destroyEach(ids, table, idOf, rowOf, free) {
  while (table.count > 0) {
    const id = idOf[--table.count]
    rowOf[id] = -1
    free[ids.freeCount++] = id
  }
}

function entityCycle(size) {
  const source = Float32Array.from({ length: size }, (_, i) => i)
  const ids = createIds(size)
  const table = createTable(size, 1)
  const { idOf, rowOf } = table
  const [value] = table.columns
  const spawn = () => copyEach(ids, table, source, idOf, rowOf, ids.free, value, size)
  const destroy = () => destroyEach(ids, table, idOf, rowOf, ids.free)
  return {
    run() {
      spawn()
      destroy()
    },
    result() {
      spawn()
      const values = [...value.slice(0, table.count)].sort((a, b) => a - b)
      destroy()
      return [...values, table.count, source.length]
    },
  }
}

function noctAddRemove(size) {
  const ids = Uint32Array.from({ length: size }, (_, i) => i)
  const source = Float32Array.from(ids)
  const table = createTable(size, 1)
  const { idOf, rowOf } = table
  const [value] = table.columns
  function add() {
    for (let i = 0; i < size; i++) {
      const row = table.count++
      rowOf[ids[i]] = row
      idOf[row] = ids[i]
      value[row] = 0
    }
  }
  function remove() {
    while (table.count > 0) rowOf[idOf[--table.count]] = -1
  }
  return {
    run() {
      add()
      remove()
    },
    result() {
      add()
      const values = [table.count, value.reduce((a, b) => a + b, 0)]
      value.fill(7)
      remove()
      return [...values, table.count, ...source]
    },
  }
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

export const ways = {
  loop: { 'arrays as parameters': loop, 'arrays as constants': loopOverConstants },
  get: { 'row by id': get },
  spawn: { 'per call': spawn },
  destroy: { 'per call': destroy },
  'add-remove': { 'sparse set': addRemove },
  ...noctWays,
  entity_cycle: { 'free list': entityCycle },
  add_remove: { 'sparse set': noctAddRemove },
  ...rowWays,
  ...particleWays,
  sorted: { 'radix sort': sorted },
  ...ddWays,
  group: { 'arrays as parameters': loop },
}
