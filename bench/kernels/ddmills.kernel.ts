// Owns the kernel of the cases of ddmills. It must never do anything that the other ways of those cases do not.

import { Column, Lanes, ReadonlyColumn } from 'strata-ecs/kernel'

export function move(
  rows: Lanes,
  x: Column<f32>,
  y: Column<f32>,
  stepX: ReadonlyColumn<f32>,
  stepY: ReadonlyColumn<f32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    x[i] += stepX[i]
    y[i] += stepY[i]
  }
}
