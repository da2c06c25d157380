// The inner loops that read and write the ground, in AssemblyScript; flight.ts has the others. They come to the same bits as
// loops.ts, which says the same in TypeScript. `gather` and `smooth` compute as f32, the four numbers of a cell at a time; the others
// as f64, and what they store is rounded to f32.

import { Column, Entities, ReadonlyColumn, ReadonlyResource, Resource, Rows } from 'strata-ecs/kernel'
import {
  ALIGNMENT,
  CELLS,
  CELL_FLOATS,
  CELL_SHIFT,
  COHESION,
  COMFORT,
  GLANCE,
  GLANCE_STEP,
  PANIC,
  PARTS,
  STEP,
} from './settings'

/** Every agent adds itself to the cell that it is in. */
export function gather(
  rows: Rows,
  x: ReadonlyColumn<f32>,
  y: ReadonlyColumn<f32>,
  vx: ReadonlyColumn<f32>,
  vy: ReadonlyColumn<f32>,
  sums: Resource<f32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    const cell = addressOf(sums, cellOf(partsOf(x[i]), partsOf(y[i])))
    const own = f32x4.replace_lane(f32x4.replace_lane(f32x4(1, 0, 0, 0), 1, vx[i]), 2, vy[i])
    v128.store(cell, f32x4.add(v128.load(cell), own))
  }
}

/** Whatever burns heats the cell that it is in. */
export function warm(rows: Rows, x: ReadonlyColumn<f32>, y: ReadonlyColumn<f32>, sums: Resource<f32>): void {
  for (let i = rows.start; i < rows.end; i++) sums[cellOf(partsOf(x[i]), partsOf(y[i])) + 3] += 1
}

/** Every cell takes on a part of what its eight neighbours are. */
export function smooth(sums: ReadonlyResource<f32>, calm: Resource<f32>): void {
  for (let row = 0; row < CELLS; row++) {
    const above = placeOf(row - 1, 0)
    const here = placeOf(row, 0)
    const below = placeOf(row + 1, 0)
    for (let column = 0; column < CELLS; column++) {
      const left = placeOf(0, column - 1)
      const middle = placeOf(0, column)
      const right = placeOf(0, column + 1)
      const corners = f32x4.add(
        f32x4.add(
          f32x4.add(cellAt(sums, above + left), cellAt(sums, above + right)),
          cellAt(sums, below + left),
        ),
        cellAt(sums, below + right),
      )
      const sides = f32x4.add(
        f32x4.add(
          f32x4.add(cellAt(sums, above + middle), cellAt(sums, below + middle)),
          cellAt(sums, here + left),
        ),
        cellAt(sums, here + right),
      )
      const around = f32x4.add(f32x4.mul(corners, f32x4.splat(0.0625)), f32x4.mul(sides, f32x4.splat(0.125)))
      const own = f32x4.mul(cellAt(sums, here + middle), f32x4.splat(0.25))
      v128.store(addressOf(calm, here + middle), f32x4.add(around, own))
    }
  }
}

/**
 * Every cell makes up its mind: what to tell those who look at it. `usual`: how many are in
 * a cell on average. `contagion`: heat gained, a second, where all around are on fire.
 */
export function advise(
  calm: ReadonlyResource<f32>,
  urge: ReadonlyResource<f32>,
  advice: Resource<f32>,
  usual: f64,
  contagion: f64,
): void {
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const at = placeOf(row, column)
      const west = placeOf(row, column - 1)
      const east = placeOf(row, column + 1)
      const north = placeOf(row - 1, column)
      const south = placeOf(row + 1, column)
      const prey: f64 = calm[at]
      const share = 1 / (prey + calm[at + 3] + 0.01)
      const pull = (COHESION * (COMFORT - prey / usual)) / (prey + usual)
      const dread = PANIC * share
      const ax = pull * (f64(calm[east]) - calm[west]) - dread * (f64(calm[east + 3]) - calm[west + 3])
      const ay = pull * (f64(calm[south]) - calm[north]) - dread * (f64(calm[south + 3]) - calm[north + 3])
      advice[at] = f32((ALIGNMENT * calm[at + 1] * share + ax + urge[at]) * STEP)
      advice[at + 1] = f32((ALIGNMENT * calm[at + 2] * share + ay + urge[at + 1]) * STEP)
      advice[at + 2] = f32(contagion * calm[at + 3] * share * STEP)
    }
  }
}

/**
 * Everyone of the flock looks at a cell and does as it says. It looks at a point up to half a cell away, another one in
 * each step: over some steps it has seen a blend of the cells around it, for the price of one.
 */
export function look(
  rows: Rows,
  entities: Entities,
  x: ReadonlyColumn<f32>,
  y: ReadonlyColumn<f32>,
  vx: Column<f32>,
  vy: Column<f32>,
  heat: Column<f32>,
  advice: ReadonlyResource<f32>,
  tick: u32,
): void {
  const now = tick * GLANCE_STEP
  for (let i = rows.start; i < rows.end; i++) {
    const glance = i32(entities[i] * GLANCE + now)
    const across = glance >> 24
    const along = (glance << 8) >> 24
    const at = cellOf(partsOf(x[i]) + across, partsOf(y[i]) + along)
    vx[i] += advice[at]
    vy[i] += advice[at + 1]
    heat[i] += advice[at + 2]
  }
}

/** The four numbers of a cell. */
function cellAt(cells: ReadonlyResource<f32>, place: i32): v128 {
  return v128.load(addressOf(cells, place))
}

/** Where in memory a number of the ground is. */
function addressOf(cells: ReadonlyResource<f32>, place: i32): usize {
  return changetype<usize>(cells) + ((<usize>place) << 2)
}

/** A coordinate in whole parts of a unit. */
function partsOf(coordinate: f32): i32 {
  return i32(coordinate * f32(PARTS))
}

/** Where the numbers of a cell begin. Cells outside of the square are on its other side. */
function placeOf(row: i32, column: i32): i32 {
  return ((row & (CELLS - 1)) * CELLS + (column & (CELLS - 1))) * CELL_FLOATS
}

/** The same for the cell that a point is in, given in parts of a unit. */
function cellOf(x: i32, y: i32): i32 {
  return placeOf(y >> CELL_SHIFT, x >> CELL_SHIFT)
}
