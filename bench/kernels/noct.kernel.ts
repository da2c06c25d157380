// Owns the kernels of the cases of noctjs. It must never do anything that the other ways of those cases do not.

import { Column, Lanes } from 'strata-ecs/kernel'

export function increase(rows: Lanes, value: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) value[i] += 1
}

export function swap(rows: Lanes, first: Column<f32>, second: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) {
    const value = first[i]
    first[i] = second[i]
    second[i] = value
  }
}
