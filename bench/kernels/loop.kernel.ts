// The kernel of the case `loop`.

import { Column, Lanes, ReadonlyColumn } from 'strata-ecs/kernel'

export function move(
  rows: Lanes,
  px: Column<f32>,
  py: Column<f32>,
  pz: Column<f32>,
  vx: ReadonlyColumn<f32>,
  vy: ReadonlyColumn<f32>,
  vz: ReadonlyColumn<f32>,
  dt: f32,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
    pz[i] += vz[i] * dt
  }
}
