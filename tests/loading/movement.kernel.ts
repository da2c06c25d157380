// The kernels of kernels.js, as a user would write them.

import { Column, Lanes, ReadonlyColumn, Sum } from 'strata-ecs/kernel'

export function move(rows: Lanes, x: Column<f32>, speed: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) x[i] += speed[i] * dt
}

export function total(rows: Lanes, x: ReadonlyColumn<f32>): Sum<f32> {
  let sum: f32 = 0
  for (let i = rows.start; i < rows.end; i++) sum += x[i]
  return sum
}
