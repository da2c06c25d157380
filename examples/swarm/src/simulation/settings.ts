// Owns the numbers of the simulation: lengths in units of its square, times in seconds.
// It must never hold what a person can change while it runs: see resources.ts.

/** Side of the square; its edges join. */
export const SIZE = 1024
/** Seconds of a step. A power of two: then speed * STEP is exact, and loops round as kernels do. */
export const STEP = 1 / 64

/** Cells along a side of the ground, a power of two, and the side of a cell. */
export const CELLS = 128
export const CELL = SIZE / CELLS

export const HUNTERS = 24
export const MOST_PREY = 1_000_000
