// Owns: the inner loops of the simulation as kernels; loops.js and rounded-loops.js have the same in JavaScript.
// Must never: do in another order what those do, for then the last bits of the results differ.

import { Column, Count, Entities, Lanes, Max, ReadonlyColumn, Rows, Sum } from 'strata-ecs/kernel'
import { cos, random, randomFloat, sin } from 'strata-ecs/kernel'

/** A frame of free flight through air, and bouncing off the walls and the floor. */
export function move(
  rows: Lanes,
  px: Column<f32>,
  py: Column<f32>,
  vx: Column<f32>,
  vy: Column<f32>,
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
    // Many drops lie on the floor: choosing costs less than asking whether one of four does, as an `if` would.
    const low = y < 0
    y = low ? y * -bounce : y
    u = low ? u * bounce : u
    v = low ? v * -bounce : v
    px[i] = x
    py[i] = y
    vx[i] = u
    vy[i] = v
  }
}

/** Drops grow older by a frame; the dead come out of the nozzle again. Returns how many did. */
export function age(
  rows: Lanes,
  entities: Entities,
  left: Column<f32>,
  px: Column<f32>,
  py: Column<f32>,
  vx: Column<f32>,
  vy: Column<f32>,
  dt: f32,
  seed: u32,
  frame: u32,
  height: f32,
  aim: f32,
  jets: f32,
  gap: f32,
  spread: f32,
  slowest: f32,
  fastest: f32,
  shortest: f32,
  longest: f32,
): Count {
  let reborn: u32 = 0
  for (let i = rows.start; i < rows.end; i++) {
    left[i] -= dt
    if (left[i] <= 0) {
      const key = random(seed, entities[i])
      const counter = frame * 4
      const jet = floor(randomFloat(key, counter) * jets) - (jets - 1) * 0.5
      const angle = aim + jet * gap + (randomFloat(key, counter + 1) - 0.5) * spread
      const speed = slowest + randomFloat(key, counter + 2) * (fastest - slowest)
      const life = shortest + randomFloat(key, counter + 3) * (longest - shortest)
      // It died within the frame and has been on its way since.
      const since = -left[i]
      vx[i] = sin(angle) * speed
      vy[i] = cos(angle) * speed
      px[i] = vx[i] * since
      py[i] = height + vy[i] * since
      left[i] = life - since
      reborn++
    }
  }
  return reborn
}

/** Sparks lose heat and grow older. */
export function cool(rows: Lanes, heat: Column<f32>, left: Column<f32>, cooling: f32, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) {
    heat[i] *= cooling
    left[i] -= dt
  }
}

/** The heat of all. Numbers of f32 added up in f64 are added exactly, so their order does not matter. */
export function light(rows: Rows, heat: ReadonlyColumn<f32>): Sum<f64> {
  let sum: f64 = 0
  for (let i = rows.start; i < rows.end; i++) sum += heat[i]
  return sum
}

/** How high the highest is. */
export function highest(rows: Lanes, py: ReadonlyColumn<f32>): Max<f32> {
  let top: f32 = 0
  for (let i = rows.start; i < rows.end; i++) top = max(top, py[i])
  return top
}
