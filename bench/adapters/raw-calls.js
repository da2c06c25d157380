// Owns the yardstick of the cases of single calls, and of the loop among others: rows without holes found by id, by hand
// on typed arrays. It must never know more than a program without an ECS would.
import { callWays } from '../cases/calls.js'

function createTable(capacity) {
  return {
    count: 0,
    rowOf: new Int32Array(capacity).fill(-1),
    idOf: new Uint32Array(capacity),
    x: new Float32Array(capacity),
    y: new Float32Array(capacity),
    z: new Float32Array(capacity),
  }
}

function addRow(table, id, x, y, z) {
  const row = table.count++
  table.rowOf[id] = row
  table.idOf[row] = id
  table.x[row] = x
  table.y[row] = y
  table.z[row] = z
}

function removeRow(table, id) {
  const row = table.rowOf[id]
  if (row < 0) return
  const last = --table.count
  const moved = table.idOf[last]
  table.idOf[row] = moved
  table.rowOf[moved] = row
  table.x[row] = table.x[last]
  table.y[row] = table.y[last]
  table.z[row] = table.z[last]
  table.rowOf[id] = -1
}

const rowIn = ({ rowOf, x, y, z }, id) => [x[rowOf[id]], y[rowOf[id]], z[rowOf[id]]]

function createStage(size) {
  const positions = createTable(size)
  const velocities = createTable(size)
  const free = new Uint32Array(size)
  let [freeCount, next] = [0, 0]
  const takeId = () => (freeCount > 0 ? free[--freeCount] : next++)
  function soilRow(table, id) {
    const row = table.rowOf[id]
    table.x[row] = table.y[row] = table.z[row] = 7
  }
  return {
    list: (length) => new Uint32Array(length),
    count: () => velocities.count,
    spawn() {
      const id = takeId()
      addRow(positions, id, 0, 0, 0)
      addRow(velocities, id, 0, 0, 0)
      return id
    },
    spawnWith(x, y, z, vx, vy, vz) {
      const id = takeId()
      addRow(positions, id, x, y, z)
      addRow(velocities, id, vx, vy, vz)
      return id
    },
    spawnStill(x, y, z) {
      const id = takeId()
      addRow(positions, id, x, y, z)
      return id
    },
    kill(id) {
      removeRow(positions, id)
      removeRow(velocities, id)
      free[freeCount++] = id
    },
    add: (id) => addRow(velocities, id, 0, 0, 0),
    addWith: (id, x, y, z) => addRow(velocities, id, x, y, z),
    remove: (id) => removeRow(velocities, id),
    has: (id) => velocities.rowOf[id] >= 0,
    sum(id) {
      const row = positions.rowOf[id]
      return positions.x[row] + positions.y[row] + positions.z[row]
    },
    first: (id) => positions.x[positions.rowOf[id]],
    put(id, x, y, z) {
      const row = positions.rowOf[id]
      positions.x[row] = x
      positions.y[row] = y
      positions.z[row] = z
    },
    advance(id, dt) {
      const row = positions.rowOf[id]
      const other = velocities.rowOf[id]
      positions.x[row] += velocities.x[other] * dt
      positions.y[row] += velocities.y[other] * dt
      positions.z[row] += velocities.z[other] * dt
    },
    // Which tags an entity has moves nothing here, and arrays have no shapes to meet.
    mark() {},
    meet() {},
    place: (id) => rowIn(positions, id),
    read: (id) => [...rowIn(positions, id), ...rowIn(velocities, id)],
    soilVelocity: (id) => soilRow(velocities, id),
    soil(id) {
      soilRow(positions, id)
      soilRow(velocities, id)
    },
  }
}

export const callsWays = callWays({ 'row by id': createStage })

export function createOtherLoop(rows, k, step) {
  const v = new Float32Array(rows)
  const w = new Float32Array(rows).fill(1)
  const loop = new Function('v', 'w', 'count', `for (let i = 0; i < count; i++) v[i] += w[i] * ${step}`)
  return { run: () => loop(v, w, rows), total: () => v.reduce((sum, value) => sum + value, 0) }
}
