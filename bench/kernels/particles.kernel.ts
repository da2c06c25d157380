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
    let u = vx[i]
    let v = vy[i]
    const kept: f32 = 1 - drag * sqrt(u * u + v * v) * dt
    u *= kept
    v = v * kept - gravity * dt
    let x = px[i] + u * dt
    let y = py[i] + v * dt
    if (abs(x) > wall) {
      const side = x > 0 ? wall : -wall
      x = side - (x - side) * bounce
      u *= -bounce
    }
    // Many lie on the floor: choosing costs less than asking whether one of four does.
    const low = y < 0
    y = low ? y * -bounce : y
    v = low ? v * -bounce : v
    left[i] -= dt
    if (left[i] <= 0) {
      x = 0
      y = 0
      u = randomFloat(entities[i], frame * 3) * 8 - 4
      v = randomFloat(entities[i], frame * 3 + 1) * 6 + 8
      left[i] = randomFloat(entities[i], frame * 3 + 2) * 3 + 2
    }
    px[i] = x
    py[i] = y
    vx[i] = u
    vy[i] = v
  }
}
