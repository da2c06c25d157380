// Owns the yardstick of the cases of ddmills: those that move lie in rows without holes, found by id. It must never know
// more than a program without an ECS would: who has no Position is in no row.
import { STEP_X, STEP_Y, ddmillsWays } from '../cases/ddmills.js'

class Rows {
  count = 0
  free = []
  next = 0

  constructor(capacity) {
    const column = () => new Float32Array(capacity + 2)
    this.x = column()
    this.y = column()
    this.stepX = column()
    this.stepY = column()
    this.ids = new Uint32Array(capacity + 2)
    this.rows = new Int32Array(capacity + 2).fill(-1)
  }

  spawnMoving() {
    const id = this.free.length > 0 ? this.free.pop() : this.next++
    const row = this.count++
    this.ids[row] = id
    this.rows[id] = row
    this.x[row] = this.y[row] = 0
    this.stepX[row] = STEP_X
    this.stepY[row] = STEP_Y
    return id
  }

  removePosition(id) {
    const row = this.rows[id]
    const last = --this.count
    const moved = this.ids[last]
    this.x[row] = this.x[last]
    this.y[row] = this.y[last]
    this.stepX[row] = this.stepX[last]
    this.stepY[row] = this.stepY[last]
    this.ids[row] = moved
    this.rows[moved] = row
    this.rows[id] = -1
  }

  destroy(id) {
    if (this.rows[id] >= 0) this.removePosition(id)
    this.free.push(id)
  }

  move() {
    const { x, y, stepX, stepY, count } = this
    for (let row = 0; row < count; row++) {
      x[row] += stepX[row]
      y[row] += stepY[row]
    }
    return count
  }

  sums() {
    const sum = (column) => column.subarray(0, this.count).reduce((total, value) => total + value, 0)
    return [sum(this.x), sum(this.y)]
  }

  stepOf(id) {
    return this.stepX[this.rows[id]] + this.stepY[this.rows[id]]
  }
}

export const ddWays = ddmillsWays({ 'rows by id': Rows })
