// Owns oecs 0.3 in the cases of ddmills: a registered system and single changes between its updates. It must never find
// the moving entities but by the system's query.
import { ECS, SCHEDULE } from '@oasys/oecs'
import { STEP_X, STEP_Y, ddmillsWays } from '../cases/ddmills.js'

const VECTOR = { x: 'f32', y: 'f32' }
const ORIGIN = { x: 0, y: 0 }
const STEP = { x: STEP_X, y: STEP_Y }

class Stage {
  updates = 0

  constructor(capacity) {
    this.world = new ECS({ initial_capacity: capacity })
    this.Position = this.world.register_component(VECTOR)
    this.Velocity = this.world.register_component(VECTOR)
    this.moving = this.world.query(this.Position, this.Velocity)
    const system = this.world.register_system(
      (query, context) => this.moveAll(query, context.world_tick),
      (query) => query.every(this.Position, this.Velocity),
    )
    this.world.add_systems(SCHEDULE.UPDATE, system)
    this.world.startup()
  }

  get count() {
    return this.moving.count()
  }

  removePosition(id) {
    this.world.remove_component(id, this.Position)
  }

  destroy(id) {
    this.world.destroy_entity_deferred(id)
    this.world.flush()
  }

  move() {
    this.updates = 0
    this.world.update(0)
    return this.updates
  }

  moveAll(query, tick) {
    const { Position, Velocity } = this
    query.for_each((archetype) => {
      const x = archetype.get_column_mut(Position, 'x', tick)
      const y = archetype.get_column_mut(Position, 'y', tick)
      const stepX = archetype.get_column(Velocity, 'x')
      const stepY = archetype.get_column(Velocity, 'y')
      const count = archetype.entity_count
      for (let i = 0; i < count; i++) {
        x[i] += stepX[i]
        y[i] += stepY[i]
      }
      this.updates += count
    })
  }

  sums() {
    const sums = [0, 0]
    this.moving.for_each((archetype) => {
      for (const [k, axis] of ['x', 'y'].entries()) {
        const column = archetype.get_column(this.Position, axis).subarray(0, archetype.entity_count)
        sums[k] += column.reduce((sum, value) => sum + value, 0)
      }
    })
    return sums
  }

  stepOf(id) {
    return this.world.get_field(id, this.Velocity, 'x') + this.world.get_field(id, this.Velocity, 'y')
  }
}

class PartByPart extends Stage {
  spawnMoving() {
    const { world, Position, Velocity } = this
    const id = world.create_entity()
    world.add_component(id, Position, ORIGIN).add_component(id, Velocity, STEP)
    return id
  }
}

class AllParts extends Stage {
  entries = [
    { def: this.Position, values: ORIGIN },
    { def: this.Velocity, values: STEP },
  ]

  spawnMoving() {
    const id = this.world.create_entity()
    this.world.add_components(id, this.entries)
    return id
  }
}

export const ddWays = ddmillsWays({ 'part by part': PartByPart, 'all parts in one call': AllParts })
