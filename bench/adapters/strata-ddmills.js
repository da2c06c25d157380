// Owns the strata-ecs side of the cases of ddmills, written with the public names only, from the built package. It must
// never reach into the engine.
import { move } from '../../build/bench/ddmills.kernel.js'
import { component, createWorld, f32 } from '../../dist/index.js'
import { STEP_X, STEP_Y, ddmillsWays } from '../cases/ddmills.js'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })

/** As the case has it: an entity first, each component by a call of its own. */
class WithValues {
  world = createWorld()
  moving = this.world.query(Position, Velocity)

  get count() {
    return this.moving.count
  }

  spawnMoving() {
    const { world } = this
    const entity = world.spawn()
    world.add(entity, Position)
    world.add(entity, Velocity({ x: STEP_X, y: STEP_Y }))
    return entity
  }

  removePosition(entity) {
    this.world.remove(entity, Position)
  }

  destroy(entity) {
    this.world.destroy(entity)
  }

  move() {
    let updates = 0
    for (const chunk of this.moving) {
      const { x, y } = chunk.write(Position)
      const { x: stepX, y: stepY } = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        x[i] += stepX[i]
        y[i] += stepY[i]
      }
      updates += chunk.end - chunk.start
    }
    return updates
  }

  sums() {
    const sums = [0, 0]
    this.moving.each((_, { x, y }) => {
      sums[0] += x
      sums[1] += y
    })
    return sums
  }

  stepOf(entity) {
    const { x, y } = this.world.get(entity, Velocity)
    return x + y
  }

  dispose() {
    this.world.dispose()
  }
}

/** The whole entity in one call, its velocity by an accessor. */
class InOneSpawn extends WithValues {
  velocity = this.world.accessor(Velocity)

  spawnMoving() {
    const entity = this.world.spawn(Position, Velocity)
    const step = this.velocity.of(entity)
    step.x = STEP_X
    step.y = STEP_Y
    return entity
  }
}

class ByKernel extends InOneSpawn {
  step = this.world.kernel(move, {
    x: [Position, 'x'],
    y: [Position, 'y'],
    stepX: [Velocity, 'x'],
    stepY: [Velocity, 'y'],
  })

  move() {
    this.moving.run(this.step)
    return this.moving.count
  }
}

export const ddWays = ddmillsWays({
  'part by part, with values': WithValues,
  'one spawn, accessor': InOneSpawn,
  'one spawn, accessor, kernel': ByKernel,
})
