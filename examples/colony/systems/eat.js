// Owns the meals of grown ants, from the store of their nest. Ants hand food on to each other, so it does not matter
// where they are. It must never let anybody eat what is not there.

import { Body, Nest } from '../components.js'
import { Totals } from '../resources.js'
import { MEAL, PECKISH } from '../settings.js'

export function createEat(world) {
  const peckish = world.query(Body).where(Body, 'energy', '<', PECKISH)
  const nests = world.accessor(Nest)

  return function eat() {
    const totals = world.resource(Totals)
    for (const chunk of peckish) {
      const { nest, energy } = chunk.write(Body)
      for (let i = chunk.start; i < chunk.end; i++) {
        const store = nests.of(nest[i])
        if (store.stored === 0) continue
        store.stored--
        energy[i] += MEAL
        totals.eaten++
      }
    }
  }
}
