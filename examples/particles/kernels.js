// Owns: the inner loops as kernels: which columns and numbers each of them gets.
// Must never: compute; that is done in particles.kernel.ts.

import { Glow, Life, Position, Velocity } from './components.js'
import {
  BOUNCE,
  COOLING,
  DRAG,
  FASTEST,
  GAP,
  GRAVITY,
  JETS,
  LONGEST_LIFE,
  NOZZLE_HEIGHT,
  SECONDS_PER_FRAME,
  SHORTEST_LIFE,
  SLOWEST,
  SPREAD,
  WALL,
} from './settings.js'

/**
 * @param {object} compiled what `strata-kernels build` makes of particles.kernel.ts
 * @returns {(world: import('strata-ecs').World) => import('./loops.js').InnerLoops}
 */
export const kernelsOf = (compiled) => (world) => {
  const place = { px: [Position, 'x'], py: [Position, 'y'], vx: [Velocity, 'x'], vy: [Velocity, 'y'] }
  const moveKernel = world.kernel(compiled.move, place)
  const ageKernel = world.kernel(compiled.age, { ...place, left: [Life, 'left'] })
  const coolKernel = world.kernel(compiled.cool, { heat: [Glow, 'heat'], left: [Life, 'left'] })
  const lightKernel = world.kernel(compiled.light, { heat: [Glow, 'heat'] })
  const highestKernel = world.kernel(compiled.highest, { py: [Position, 'y'] })

  const air = { dt: SECONDS_PER_FRAME, gravity: GRAVITY, drag: DRAG, wall: WALL, bounce: BOUNCE }
  const fountain = {
    dt: SECONDS_PER_FRAME,
    height: NOZZLE_HEIGHT,
    jets: JETS,
    gap: GAP,
    spread: SPREAD,
    slowest: SLOWEST,
    fastest: FASTEST,
    shortest: SHORTEST_LIFE,
    longest: LONGEST_LIFE,
  }
  const fading = { cooling: COOLING, dt: SECONDS_PER_FRAME }

  return {
    move: (particles) => particles.run(moveKernel, air),
    age: (drops, { seed, frame, aim }) => drops.run(ageKernel, { ...fountain, seed, frame, aim }),
    cool: (sparks) => sparks.run(coolKernel, fading),
    light: (sparks) => sparks.run(lightKernel),
    highest: (particles) => particles.run(highestKernel),
  }
}
