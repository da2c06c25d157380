// Owns bitECS 0.4 in the cases of ddmills: components of typed arrays and `query`, as its docs recommend for speed. It
// must never register its query late: entities come and go while it watches, as in a program.
import {
  addComponent,
  addEntity,
  asBuffer,
  createWorld,
  entityExists,
  query,
  removeComponent,
  removeEntity,
} from 'bitecs'
import { STEP_X, STEP_Y, ddmillsWays } from '../cases/ddmills.js'

class Arrays {
  world = createWorld()

  // Ids start at 1 and are recycled at once.
  constructor(capacity) {
    const vector = () => ({ x: new Float32Array(capacity + 2), y: new Float32Array(capacity + 2) })
    this.Position = vector()
    this.Velocity = vector()
    this.components = [this.Position, this.Velocity]
    query(this.world, this.components, asBuffer)
  }

  get count() {
    return query(this.world, this.components, asBuffer).length
  }

  spawnMoving() {
    const { world, Position, Velocity } = this
    const id = addEntity(world)
    addComponent(world, id, Position)
    Position.x[id] = Position.y[id] = 0
    addComponent(world, id, Velocity)
    Velocity.x[id] = STEP_X
    Velocity.y[id] = STEP_Y
    return id
  }

  removePosition(id) {
    removeComponent(this.world, id, this.Position)
  }

  destroy(id) {
    removeEntity(this.world, id)
  }

  move() {
    const moving = query(this.world, this.components, asBuffer)
    const { x, y } = this.Position
    const { x: stepX, y: stepY } = this.Velocity
    for (let i = 0; i < moving.length; i++) {
      const id = moving[i]
      x[id] += stepX[id]
      y[id] += stepY[id]
    }
    return moving.length
  }

  sums() {
    const moving = query(this.world, this.components, asBuffer)
    const { x, y } = this.Position
    return [x, y].map((column) => moving.reduce((sum, id) => sum + column[id], 0))
  }

  stepOf(id) {
    if (!entityExists(this.world, id)) return 0
    return this.Velocity.x[id] + this.Velocity.y[id]
  }
}

export const ddWays = ddmillsWays({ 'query + SoA': Arrays })
