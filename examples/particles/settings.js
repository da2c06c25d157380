// Owns the numbers of the simulation. All are values that f32 holds exactly: kernels get them as they are here.
// Must never: be changed while a simulation runs.

const { fround } = Math

export const SECONDS_PER_FRAME = fround(1 / 60)

/** Metres: the floor is at 0, the walls as far to the left and to the right of the nozzle, and there is no ceiling. */
export const WALL = 8
/** Metres. Where drops come out. */
export const NOZZLE_HEIGHT = 0.5

/** Metres per second, per second. */
export const GRAVITY = fround(9.81)
/** What part of its speed a particle loses to the air on each metre of its way. */
export const DRAG = fround(0.035)
/** What part of its speed is left after a bounce. */
export const BOUNCE = fround(0.45)

/** Metres per second, when a drop leaves the nozzle. */
export const SLOWEST = 10
export const FASTEST = 14.5
/** Jets that the nozzle has, radians from one to the next, and radians that a jet is wide. */
export const JETS = 7
export const GAP = fround(0.24)
export const SPREAD = fround(0.09)
/** Radians from the upright, in both directions, that the nozzle turns; and frames for there and back. */
export const SWING = fround(0.3)
export const FRAMES_PER_SWING = 150

/** Seconds that a drop lives. */
export const SHORTEST_LIFE = 2
export const LONGEST_LIFE = 5

/** Every so many frames a rocket bursts into sparks, one for so many drops. */
export const FRAMES_PER_BURST = 9
export const DROPS_PER_SPARK = 250
/** What part of its heat a spark keeps from one frame to the next. It begins with 1. */
export const COOLING = fround(0.965)
/** Sparks colder than this give no light. */
export const DARK = fround(0.125)
