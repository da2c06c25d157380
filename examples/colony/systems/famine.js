// Owns which nests are marked as starving. It must never loop: both changes are made in bulk, by condition.

import { Famine, Nest } from '../components.js'
import { not } from 'strata-ecs'

export function createFamine(world) {
  const becomesPoor = world.query(Nest, not(Famine)).where(Nest, 'stored', '==', 0)
  const recovers = world.query(Nest, Famine).where(Nest, 'stored', '>', 0)
  return function famine() {
    becomesPoor.add(Famine)
    recovers.remove(Famine)
  }
}
