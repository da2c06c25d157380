// The kernels of scenario.js, without a function that two engines round differently.

import { Column, Lanes, ReadonlyColumn, Sum, sin } from 'strata-ecs/kernel'

/** Moves, and lets the wind turn what moves. */
export function drift(
  rows: Lanes,
  x: Column<f32>,
  y: Column<f32>,
  speed: ReadonlyColumn<f32>,
  wind: f32,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    x[i] += speed[i] * sin(wind + y[i])
    y[i] += speed[i] * 0.125
    if (y[i] > 64) y[i] -= 128
  }
}

export function weigh(rows: Lanes, x: ReadonlyColumn<f32>): Sum<f32> {
  let sum: f32 = 0
  for (let i = rows.start; i < rows.end; i++) sum += x[i]
  return sum
}
