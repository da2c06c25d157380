// Owns when foragers sleep. Switching a tag for thousands of ants flips bits and moves no row.
// It must never touch nurses, who work day and night.

import { Awake, Forager } from '../components.js'
import { Totals } from '../resources.js'

export function createSleep(world) {
  const foragers = world.query(Forager, Awake)
  return function sleep() {
    world.resource(Totals).nightsAsleep += foragers.disable(Awake)
  }
}

export function createWake(world) {
  const foragers = world.query(Forager, Awake)
  return function wake() {
    foragers.enable(Awake)
  }
}
