// Hunters: what they see, whom they chase, what they eat, and the fear of them.

import { NULL_ENTITY, not, type World } from 'strata-ecs'
import { Hunger, Hunter, Position, Velocity } from '../components.ts'
import { flockOf, huntersOf } from '../flock.ts'
import { Clock, Ground, placeOf } from '../resources.ts'
import {
  CELL,
  DIGESTION_SECONDS,
  FEAR,
  FEAR_RADIUS,
  HUNTER_SPEED,
  LOOK_STEPS,
  REACH,
  SIGHT,
  STEP,
} from '../settings.ts'
import { around, wayTo, wrap } from '../torus.ts'

const FEAR_CELLS = Math.ceil(FEAR_RADIUS / CELL)

/** Every hunter frightens the cells around it. */
export function createFear(world: World) {
  const hunters = huntersOf(world)
  return function fear() {
    const { urge } = world.resource(Ground)
    hunters.each((_, { x, y }) => {
      const column = Math.floor(x / CELL)
      const row = Math.floor(y / CELL)
      for (let dr = -FEAR_CELLS; dr <= FEAR_CELLS; dr++) {
        for (let dc = -FEAR_CELLS; dc <= FEAR_CELLS; dc++) {
          const distance = Math.sqrt(dr * dr + dc * dc) * CELL
          if (distance >= FEAR_RADIUS) continue
          const at = placeOf(row + dr, column + dc)
          const push = (FEAR * (1 - distance / FEAR_RADIUS)) / (distance + CELL / 2)
          urge[at] += push * dc * CELL
          urge[at + 1] += push * dr * CELL
        }
      }
    })
  }
}

/**
 * Hungry hunters chase one of the prey each, and eat what is within reach of it. The one that is chased may have died
 * since: its handle says so.
 */
export function createHunt(world: World) {
  const hungry = world.query(Position, Velocity, Hunter, Hunger)
  const flock = flockOf(world)
  const position = world.accessor(Position)
  return function hunt() {
    const { tick } = world.resource(Clock)
    hungry.each((hunter, at, velocity, chase, hunger) => {
      if (!world.isAlive(chase.target)) {
        chase.target = NULL_ENTITY
        // Not all of them in the same step.
        if ((tick + hunter) % LOOK_STEPS === 0) chase.target = preyNear(at.x, at.y)
        return
      }
      const prey = position.of(chase.target)
      const [dx, dy] = [wayTo(at.x, prey.x), wayTo(at.y, prey.y)]
      const distance = Math.sqrt(dx * dx + dy * dy) + 0.001
      velocity.x += ((dx / distance) * HUNTER_SPEED - velocity.x) * 4 * STEP
      velocity.y += ((dy / distance) * HUNTER_SPEED - velocity.y) * 4 * STEP
      if (distance > REACH) return
      for (const caught of around(flock, prey.x, prey.y, REACH)) chase.caught += caught.destroy()
      hunger.sated = DIGESTION_SECONDS
      world.disable(hunter, Hunger)
    })
  }

  function preyNear(x: number, y: number) {
    for (const some of around(flock, x, y, SIGHT)) {
      const first = some.first()
      if (first !== undefined) return first
    }
    return NULL_ENTITY
  }
}

/** Hunters fly on; those that digest become hungry again. */
export function createProwl(world: World) {
  const hunters = huntersOf(world)
  const sated = world.query(Hunter, not(Hunger))
  const hunger = world.accessor(Hunger)
  return function prowl() {
    hunters.each((_, position, velocity) => {
      position.x = wrap(position.x + velocity.x * STEP)
      position.y = wrap(position.y + velocity.y * STEP)
    })
    sated.each((hunter) => {
      const own = hunger.of(hunter)
      own.sated -= STEP
      if (own.sated <= 0) world.enable(hunter, Hunger)
    })
  }
}
