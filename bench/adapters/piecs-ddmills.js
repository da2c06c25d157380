// Owns piecs 0.4 in the cases of ddmills: a registered system, values in arrays by entity id, as piecs stores ids only. It
// must never leave out the values.
import { createEntitySystem, World } from 'piecs/dist/index.mjs'
import { STEP_X, STEP_Y, ddmillsWays } from '../cases/ddmills.js'

class Stage {
  world = new World()
  updates = 0
  Position = this.world.createComponentId()
  Velocity = this.world.createComponentId()
  empty = this.world.prefabricate([])
  moving = this.world.prefabricate([this.Position, this.Velocity])

  // Deleted ids are reused at once.
  constructor(capacity) {
    const vector = () => ({ x: new Float32Array(capacity + 2), y: new Float32Array(capacity + 2) })
    this.position = vector()
    this.velocity = vector()
    const { x, y } = this.position
    const { x: stepX, y: stepY } = this.velocity
    const move = createEntitySystem(
      (entities) => {
        for (let i = 0, l = entities.length; i < l; i++) {
          const id = entities[i]
          x[id] += stepX[id]
          y[id] += stepY[id]
        }
        this.updates = entities.length
      },
      (query) => query.prefabricated(this.moving),
    )
    this.world.registerSystem(move).initialize()
  }

  get count() {
    return this.moving.entities.length
  }

  write(id) {
    this.position.x[id] = this.position.y[id] = 0
    this.velocity.x[id] = STEP_X
    this.velocity.y[id] = STEP_Y
    return id
  }

  removePosition(id) {
    this.world.removeComponent(id, this.Position)
  }

  destroy(id) {
    this.world.deleteEntity(id)
  }

  move() {
    this.updates = 0
    this.world.update()
    return this.updates
  }

  sums() {
    const { x, y } = this.position
    return [x, y].map((column) => this.moving.entities.reduce((sum, id) => sum + column[id], 0))
  }

  stepOf(id) {
    return this.velocity.x[id] + this.velocity.y[id]
  }
}

class PartByPart extends Stage {
  spawnMoving() {
    const id = this.world.createEntity(this.empty)
    this.world.addComponent(id, this.Position)
    this.world.addComponent(id, this.Velocity)
    return this.write(id)
  }
}

class Prefabricated extends Stage {
  spawnMoving() {
    return this.write(this.world.createEntity(this.moving))
  }
}

export const ddWays = ddmillsWays({ 'part by part': PartByPart, prefabricated: Prefabricated })
