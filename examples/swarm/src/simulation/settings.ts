// The numbers of the simulation: lengths in units of its square, times in seconds. Both languages read this file, so each number is
// written out: AssemblyScript would divide whole ones as such.

/** Side of the square; its edges join. A power of two, as all of the next four: multiplying by them is exact. */
export const SIZE = 1024
/** Seconds of a step. */
export const STEP = 0.015625
/** Cells along a side of the ground, and the side of a cell. */
export const CELLS = 128
export const CELL = 8
/** Numbers of a cell in each field of the ground. */
export const CELL_FLOATS = 4

/** Parts of a unit in which places are told where whole numbers serve, and how to come from these to a cell. */
export const PARTS = 32
export const CELL_SHIFT = 8

/** Where an agent looks is a matter of its handle and the tick: large odd numbers mix them well. */
export const GLANCE = 0x45d9f3b5
export const GLANCE_STEP = 0x61c88647

export const MOST_PREY = 1_000_000

/** How fast prey takes on the velocity of those around it, a second. */
export const ALIGNMENT = 3.0
/** Its own will to fly, a second, less what it takes from others; and how soon that tires it as it gets faster. */
export const DRIVE = -2.0
export const DRAG = 0.000244140625
/** The speed at which prey begins. */
export const CRUISE = 64.0
/** How strongly it goes where others are, and how many times the usual density is too many. */
export const COHESION = 160.0
export const COMFORT = 2.0
/** How strongly it flees from fire. */
export const PANIC = 300.0
/** Heat lost, a second. At a heat of 1 prey is on fire. */
export const COOLING = 1.0
/** Heat gained, a second, where all around are on fire. */
export const CONTAGION = 14.0
/** The part of the swarm on fire at which smoke smothers what else would catch it. */
export const SMOTHERING = 0.05
export const BURNING_SECONDS = 1.5
/** How far around itself lightning sets fire, and how often it strikes. */
export const LIGHTNING_RADIUS = 16.0
export const LIGHTNING_SECONDS = 5.0
/** How strong the wind blows, in units a second squared. */
export const WIND = 12.0

export const HUNTERS = 24
export const HUNTER_SPEED = 150.0
/** How far a hunter is seen, how far it sees, and how far it reaches. */
export const FEAR_RADIUS = 44.0
export const SIGHT = 80.0
export const REACH = 5.0
/** How hard prey flees from a hunter that is upon it, in units a second squared. */
export const FEAR = 500.0
export const DIGESTION_SECONDS = 2.0
/** Steps from one look around of a hunter to the next. */
export const LOOK_STEPS = 16

/** Part of the wish that may be born in a step. */
export const FERTILITY = 0.001
