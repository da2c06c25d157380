// Catching fire and burning to death. Heat is spread over the ground.

import type { World } from 'strata-ecs'
import { Burning, Prey } from '../components.ts'
import { burningOf, flockOf } from '../flock.ts'

/** All who are hot enough catch fire, in one call: they move to the archetype of what burns. */
export function createIgnition(world: World) {
  const hot = flockOf(world).where(Prey, 'heat', '>=', 1)
  return function ignite() {
    hot.add(Burning)
  }
}

/** All who have burnt down die, in one call. */
export function createAshes(world: World) {
  const burnt = burningOf(world).where(Burning, 'left', '<=', 0)
  return function ashes() {
    burnt.destroy()
  }
}
