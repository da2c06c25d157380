// Owns the feeding of larvae: those who have waited longest come first, as far as hands and food reach.
// It must never decide what a meal does to a larva: grow.js does.

import { Fed, Hungry, Larva, Nest } from '../components.js'
import { Totals } from '../resources.js'
import { NURSES_PER_MEAL } from '../settings.js'

export function createNurse(world) {
  const nests = world.query(Nest)
  // The tag is ordered by insertion, and so is every loop over a query that wants it.
  const queue = world.query(Larva, Hungry)
  const nestOf = world.accessor(Nest)

  return function nurse() {
    const totals = world.resource(Totals)
    for (const chunk of nests) {
      const { quota, nurses } = chunk.write(Nest)
      for (let i = chunk.start; i < chunk.end; i++) quota[i] = Math.ceil(nurses[i] / NURSES_PER_MEAL)
    }
    queue.each((entity, larva) => {
      const nest = nestOf.of(larva.nest)
      if (nest.quota === 0 || nest.stored === 0) {
        larva.patience--
        totals.waits++
        return
      }
      nest.quota--
      nest.stored--
      totals.eaten++
      totals.meals++
      world.remove(entity, Hungry)
      world.add(entity, Fed)
    })
  }
}
