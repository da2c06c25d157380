// The kernels of kernel.js, in AssemblyScript.

import { Column, Lanes, ReadonlyColumn, Rows, Sum } from 'strata-ecs/kernel'

/** Moves everything by its velocity, four rows at a time; dt in seconds. */
export function drift(rows: Lanes, x: Column<f32>, vx: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) x[i] += vx[i] * dt
}

/** The sum of all places, one row after the other: lanes have no f64. */
export function total(rows: Rows, x: ReadonlyColumn<f32>): Sum<f64> {
  let sum: f64 = 0
  for (let i = rows.start; i < rows.end; i++) sum += f64(x[i])
  return sum
}
