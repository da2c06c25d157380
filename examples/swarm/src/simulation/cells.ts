// Owns where in the ground a cell is. swarm.kernel.ts says the same for kernels.
// It must never know what the numbers of a cell mean.

import { CELLS, CELL_FLOATS } from './settings.ts'

/** Where the numbers of a cell begin. Cells outside of the square are on its other side. */
export function placeOf(row: number, column: number): number {
  return ((row & (CELLS - 1)) * CELLS + (column & (CELLS - 1))) * CELL_FLOATS
}
