// Birth: prey has young until there is as much of it as is wished for.

import type { Entity, World } from 'strata-ecs'
import { random, randomFloat } from 'strata-ecs/kernel'
import { Position, Prey, Velocity } from '../components.ts'
import { flockOf } from '../flock.ts'
import { Clock, Wish } from '../resources.ts'
import { FERTILITY } from '../settings.ts'
import { scatter } from '../population.ts'
import { wrap } from '../torus.ts'

/** Young come beside their parents, who are any of the flock, and fly with them. */
export function createBirths(world: World) {
  const prey = world.query(Prey)
  const flock = flockOf(world)
  const [position, velocity] = [world.accessor(Position), world.accessor(Velocity)]
  return function births() {
    const wish = world.resource(Wish).prey
    const young = Math.min(wish - prey.count, Math.ceil(wish * FERTILITY))
    if (young <= 0) return
    const { tick, seed } = world.resource(Clock)
    const key = random(seed, tick)
    const parents = flock.count
    if (parents === 0) return scatter(world, young, key)
    let drawn = 0
    const chosen = Array.from({ length: young }, () => flock.at(random(key, drawn++) % parents) as Entity)
    let next = 0
    world.spawnMany(young, [Position, Velocity, Prey], (chunk) => {
      const { x, y } = chunk.write(Position)
      const { x: vx, y: vy } = chunk.write(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        const parent = chosen[next++]
        const at = position.of(parent)
        const flies = velocity.of(parent)
        x[i] = wrap(at.x + randomFloat(key, drawn++) * 4 - 2)
        y[i] = wrap(at.y + randomFloat(key, drawn++) * 4 - 2)
        vx[i] = flies.x
        vy[i] = flies.y
      }
    })
  }
}
