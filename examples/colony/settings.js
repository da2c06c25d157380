// Owns the numbers of the model, with their units. It must never hold state.

/** A frame is a quarter of an hour; the walkers take four steps in it. All are exact in binary. */
export const HOURS_PER_FRAME = 0.25
export const HOURS_PER_STEP = 0.0625
export const FRAMES_PER_DAY = 24 / HOURS_PER_FRAME
export const DAWN = 6
export const DUSK = 22

/** Cells on each side of the land that a nest has to itself. */
export const LAND = 64
export const ANTS_PER_NEST = 500
export const SETTLER_NURSES = 0.2
export const FIRST_STORE_PER_ANT = 1

export const SOURCES_PER_NEST = 8
export const SOURCE_RADIUS = 2
export const FULL_SOURCE = 300
export const SEEDLING = 1
/** Pieces of food that grow on a plant in an hour, unless the weather is dry. */
export const GROWTH_PER_HOUR = 5
export const WEATHER_DAYS = 20
export const DRY_DAYS = 6
export const SPOILED_A_DAY = 0.1

export const LOAD = 3
/** Scent of the first step home; each further step leaves a little less. */
export const FIRST_SCENT = 4
export const SCENT_FADES = 0.97
/** What an hour leaves of a scent, and what is too little to smell. */
export const SCENT_PER_HOUR = 0.6
export const FAINT = 0.05

/** Energy is counted in waking hours. */
export const FULL_ENERGY = 60
export const PECKISH = 30
export const MEAL = 24
export const OLD_AGE = 30
export const NURSING_DAYS = 6
/** A nest keeps its nurses, however old, when there are no more than these. */
export const FEWEST_NURSES = 20

export const EGGS_PER_DAY = 30
/** With so much food for every mouth a queen lays all eggs she can, with less fewer. */
export const STORE_OF_PLENTY = 2
export const MEALS_TO_GROW = 6
/** Nurses it takes to feed one larva in an hour. */
export const NURSES_PER_MEAL = 10
/** Hours in the queue that a larva lives through unfed. */
export const PATIENCE = 12

export const SPIDERS_PER_NEST = 3
export const VENOM = 45
export const STEPS_TO_DIGEST = 96

export const MARKED_ANTS = 6
