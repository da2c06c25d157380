// Owns the change of caste: the older nurses leave the nest and become foragers, at dawn.
// It must never move an ant twice: taking one caste and giving the other is one exchange.

import { Body, Forager, Nest, Nurse, Walk } from '../components.js'
import { Time } from '../resources.js'
import { FEWEST_NURSES } from '../settings.js'

export function createPromote(world) {
  const nurses = world.query(Body, Nurse)
  const nests = world.accessor(Nest)
  return function promote() {
    const { day } = world.resource(Time)
    nurses.where(Body, 'foragesFrom', '<=', day).each((ant, { nest }) => {
      const { x, y, nurses: left } = nests.of(nest)
      if (left <= FEWEST_NURSES) return
      world.exchange(ant, [Nurse], [Forager, Walk({ x, y, heading: ant & 7 })])
    })
  }
}
