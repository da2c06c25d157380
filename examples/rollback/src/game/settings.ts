// The numbers of the game: lengths in units of the arena, times in frames unless they say otherwise.

export const WIDTH = 480
export const HEIGHT = 300
/** Seconds of a frame. */
export const DT = 1 / 60

export const SHIP_RADIUS = 9
/** Units a second squared; the part of its speed that a ship keeps in a frame; units a second. */
export const THRUST = 620
export const GLIDE = 0.965
export const SHOT_SPEED = 330
export const SHOT_FRAMES = 60
export const SHOT_RADIUS = 2.5
export const RELOAD_FRAMES = 11
/** How long a ship that was hit cannot steer. */
export const STUNNED_FRAMES = 45
export const ROCKS = 12
export const ROCK_RADIUS = 20
/** A rock that would become smaller than this is gone. */
export const LEAST_ROCK_RADIUS = 8
export const ROCK_SPEED = 46
export const POINTS = { rock: 1, ship: 3 }
