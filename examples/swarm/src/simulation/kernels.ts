// The inner loops as kernels: what each is bound to, and the queries it runs over.

import type { World } from 'strata-ecs'
import { Burning, Position, Prey, Velocity } from './components.ts'
import { burningOf, contagionAmong, flockOf, usualIn } from './flock.ts'
import { Clock, Ground } from './resources.ts'
import { COOLING, DRAG, DRIVE, SIZE, STEP } from './settings.ts'
import { advise, burn, fly, gather, look, smooth, warm } from './swarm.kernel.ts'

const x = [Position, 'x'] as const
const y = [Position, 'y'] as const
const vx = [Velocity, 'x'] as const
const vy = [Velocity, 'y'] as const
const heat = [Prey, 'heat'] as const
const sums = [Ground, 'sums'] as const
const calm = [Ground, 'calm'] as const
const urge = [Ground, 'urge'] as const
const advice = [Ground, 'advice'] as const

export function createKernels(world: World) {
  const flock = flockOf(world)
  const burning = burningOf(world)
  const gathering = world.kernel(gather, { x, y, vx, vy, sums })
  const warming = world.kernel(warm, { x, y, sums })
  const smoothing = world.kernel(smooth, { sums, calm })
  const advising = world.kernel(advise, { calm, urge, advice })
  const looking = world.kernel(look, { x, y, vx, vy, heat, advice })
  const flying = world.kernel(fly, { x, y, vx, vy, heat, age: [Prey, 'age'] })
  const burningDown = world.kernel(burn, { x, y, vx, vy, left: [Burning, 'left'] })
  const flight = { drive: DRIVE, drag: DRAG, cooling: COOLING, size: SIZE, step: STEP }
  const run = { size: SIZE, step: STEP }
  const moment = { tick: 0 }
  const air = { usual: 0, contagion: 0 }

  return {
    gather() {
      world.resource(Ground).sums.fill(0)
      flock.run(gathering)
      burning.run(warming)
    },
    settle() {
      air.usual = usualIn(flock)
      air.contagion = contagionAmong(flock, burning)
      world.run(smoothing)
      world.run(advising, air)
    },
    look() {
      moment.tick = world.resource(Clock).tick
      flock.run(looking, moment)
    },
    fly() {
      flock.run(flying, flight)
    },
    burn() {
      burning.run(burningDown, run)
    },
  }
}
