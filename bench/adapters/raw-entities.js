// Owns the yardstick of the cases in which entities come and go: by hand on typed arrays, as functions that take separate
// arrays. It must never know more than a program without an ECS would: an id, the row it lives in, a free list.
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { spawnKillScene } from './scenes.js'

const floats = (size) => new Float32Array(size)

function sumOf(ids, rowOf, x, count) {
  let sum = 0
  for (let i = 0; i < count; i++) sum += x[rowOf[ids[i]]]
  return sum
}

function get(size) {
  const ids = shuffledOrder(size)
  const rowOf = Uint32Array.from({ length: size }, (_, i) => i)
  const x = Float32Array.from({ length: size }, (_, i) => placeOf(i))
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

function spawnKill(size) {
  const { table, handles, spawn, destroy } = createPopulation(size)
  return spawnKillScene(size, {
    spawnAll: spawn,
    destroyAll: destroy,
    count: () => table.count,
    read: (k) => table.columns.map((column) => column[table.rowOf[handles[k]]]),
    alive: (k) => table.rowOf[handles[k]] >= 0,
    soil: () => table.columns.forEach((column) => column.fill(7)),
  })
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
  const positionX = Float32Array.from(ids, placeOf)
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

export const entityWays = {
  get: { 'row by id': get },
  spawn: { 'per call': spawn },
  destroy: { 'per call': destroy },
  'spawn-kill': { 'per call': spawnKill },
  'add-remove': { 'sparse set': addRemove },
  entity_cycle: { 'free list': entityCycle },
  add_remove: { 'sparse set': noctAddRemove },
}
