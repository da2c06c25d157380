// Owns the kernel of the case `parts-update`. It must never do anything that the other ways of that case do not.

import { Column, Lanes } from 'strata-ecs/kernel'

export function update(rows: Lanes, vs: Column<i32>, force: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) {
    vs[i] += 1
    force[i] += 1
  }
}
