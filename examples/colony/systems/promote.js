// Owns the change of caste: the older nurses leave the nest and become foragers, at dawn.
// It must never move an ant twice: taking one caste and giving the other is one exchange.

import { Body, Forager, Nest, Nurse, Walk } from '../components.js'
import { Time } from '../resources.js'
import { FEWEST_NURSES } from '../settings.js'

export function createPromote(world) {
  const nests = world.query(Nest)
  const nurses = world.query(Body, Nurse)
  const nestOf = world.accessor(Nest)

  return function promote() {
    const { day } = world.resource(Time)
    nests.each((entity, nest) => (nest.quota = Math.max(0, nest.nurses - FEWEST_NURSES)))
    nurses.where(Body, 'foragesFrom', '<=', day).each((ant, { nest }) => {
      const home = nestOf.of(nest)
      if (home.quota === 0) return
      home.quota--
      world.exchange(ant, [Nurse], [Forager, Walk({ x: home.x, y: home.y, heading: ant & 7 })])
    })
  }
}
