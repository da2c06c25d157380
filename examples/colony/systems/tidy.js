// Owns the housekeeping at dawn: handles of the dead become NULL_ENTITY, names that nobody bears are forgotten.

import { Totals } from '../resources.js'

export function tidy(world) {
  const totals = world.resource(Totals)
  totals.referencesSwept += world.sweepReferences()
  totals.textsSwept += world.sweepTexts()
}

/** Destroys the discarded and takes frame components away. The very last system of a frame. */
export function endFrame(world) {
  world.endFrame()
}
