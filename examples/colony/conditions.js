// Owns the run conditions of systems: questions to the clock. It must never change anything.

import { Time } from './resources.js'
import { DAWN, DUSK, HOURS_PER_FRAME } from './settings.js'

export const atDawn = (world) => world.resource(Time).hour === DAWN
export const atDusk = (world) => world.resource(Time).hour === DUSK
export const byDay = (world) => world.resource(Time).light
/** In the last frame before dawn: a day of the colony goes from dawn to dawn. */
export const atDaysEnd = (world) => world.resource(Time).hour === DAWN - HOURS_PER_FRAME
