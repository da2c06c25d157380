// Owns the kernel of the case `particles`. It must never do anything that the other ways of that case do not.

import { Column, Entities, Lanes, randomFloat } from 'strata-ecs/kernel'

export function fly(
  rows: Lanes,
  entities: Entities,
  px: Column<f32>,
  py: Column<f32>,
  vx: Column<f32>,
  vy: Column<f32>,
  left: Column<f32>,
  frame: u32,
  dt: f32,
  gravity: f32,
  drag: f32,
  wall: f32,
  bounce: f32,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    const speed = sqrt(vx[i] * vx[i] + vy[i] * vy[i])
    const kept: f32 = 1 - drag * speed * dt
    vx[i] *= kept
    vy[i] = vy[i] * kept - gravity * dt
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
    if (abs(px[i]) > wall) {
      const side = px[i] > 0 ? wall : -wall
      px[i] = side - (px[i] - side) * bounce
      vx[i] *= -bounce
    }
    if (py[i] < 0) {
      py[i] *= -bounce
      vy[i] *= -bounce
    }
    left[i] -= dt
    if (left[i] <= 0) {
      px[i] = 0
      py[i] = 0
      vx[i] = randomFloat(entities[i], frame * 3) * 8 - 4
      vy[i] = randomFloat(entities[i], frame * 3 + 1) * 6 + 8
      left[i] = randomFloat(entities[i], frame * 3 + 2) * 3 + 2
    }
  }
}
