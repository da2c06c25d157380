// The inner loops as kernels and compiled loops: what each is bound to, and the queries it runs over.

import { createKernel, type Query, type World } from 'strata-ecs'
import { burningOf, Clock, flockOf, Ground, Position, Prey, Velocity } from './components.ts'
import { burn, fly } from './flight.ts'
import { CELLS, CONTAGION, SMOTHERING } from './settings.ts'
import * as kernels from './swarm.kernel.ts'

export function createKernels(world: World) {
  const [flock, burning] = [flockOf(world), burningOf(world)]
  const place = { x: [Position, 'x'], y: [Position, 'y'] } as const
  const flight = { ...place, vx: [Velocity, 'x'], vy: [Velocity, 'y'] } as const
  const heat = [Prey, 'heat'] as const
  const [sums, calm] = [[Ground, 'sums'] as const, [Ground, 'calm'] as const]
  const [urge, advice] = [[Ground, 'urge'] as const, [Ground, 'advice'] as const]

  const gather = createKernel(world, kernels.gather, { ...flight, sums })
  const warm = createKernel(world, kernels.warm, { ...place, sums })
  const smooth = createKernel(world, kernels.smooth, { sums, calm })
  const advise = createKernel(world, kernels.advise, { calm, urge, advice })
  const look = createKernel(world, kernels.look, { ...flight, heat, advice })
  const moment = { tick: 0 }

  return {
    gather() {
      world.resource(Ground).sums.fill(0)
      flock.run(gather)
      burning.run(warm)
    },
    settle() {
      smooth.run()
      advise.run(airOf(flock, burning))
    },
    look() {
      moment.tick = world.resource(Clock).tick
      flock.run(look, moment)
    },
    fly() {
      flock.run(fly)
    },
    burn() {
      burning.run(burn)
    },
  }
}

/** What every cell has to know of the swarm as a whole. */
export const airOf = (flock: Query, burning: Query) => ({
  /** How many would be in a cell if they were spread evenly; a little more, so that it is never 0. */
  usual: flock.count / (CELLS * CELLS) + 0.01,
  /** Heat gained, a second, where all around are on fire: less the more of the swarm burns. */
  contagion: CONTAGION * Math.max(0, 1 - burning.count / (flock.count + 1) / SMOTHERING),
})
