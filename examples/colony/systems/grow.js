// Owns what meals do to larvae, and what becomes of those that got none. It must never feed anybody.

import { Discarded, not } from 'strata-ecs'
import { Awake, Body, Fed, Hungry, Larva, Nurse } from '../components.js'
import { Time, Totals } from '../resources.js'
import { FULL_ENERGY, MEALS_TO_GROW, NURSING_DAYS, OLD_AGE, PATIENCE } from '../settings.js'

/** A larva that had its last meal becomes a nurse, in one move. */
export function createGrow(world) {
  const fed = world.query(Larva, Fed)
  return function grow() {
    const { day } = world.resource(Time)
    const totals = world.resource(Totals)
    fed.each((entity, larva) => {
      larva.meals++
      larva.patience = PATIENCE
      if (larva.meals < MEALS_TO_GROW) return
      totals.births++
      const body = Body({
        nest: larva.nest,
        energy: FULL_ENERGY,
        foragesFrom: day + NURSING_DAYS,
        diesOn: day + OLD_AGE,
      })
      world.exchange(entity, [Larva], [body, Nurse, Awake])
    })
  }
}

/** Whoever has digested joins the end of the queue. */
export function createGrowHungry(world) {
  const digesting = world.query(Larva, not(Hungry))
  return function growHungry() {
    digesting.add(Hungry)
  }
}

/** Who waited in vain for too long is lost. */
export function createLoseHope(world) {
  const hopeless = world.query(Larva, not(Discarded)).where(Larva, 'patience', '==', 0)
  return function loseHope() {
    world.resource(Totals).larvaeLost += hopeless.add(Discarded)
  }
}
