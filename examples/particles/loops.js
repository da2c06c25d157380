// Owns: the inner loops as one writes them in JavaScript, over the columns of chunks.
// Must never: do in another order what particles.kernel.ts does.

import { cos, random, randomFloat, sin } from 'strata-ecs/kernel'
import { Glow, Life, Position, Velocity } from './components.js'
import {
  BOUNCE,
  COOLING,
  DRAG,
  FASTEST,
  GAP,
  GRAVITY,
  JETS,
  LONGEST_LIFE,
  NOZZLE_HEIGHT,
  SECONDS_PER_FRAME,
  SHORTEST_LIFE,
  SLOWEST,
  SPREAD,
  WALL,
} from './settings.js'

const { abs, floor, fround, sqrt } = Math

// A module's own constants are constants of the machine code; imported ones are read in every step.
const dt = SECONDS_PER_FRAME
const gravity = GRAVITY
const drag = DRAG
const wall = WALL
const bounce = BOUNCE
const cooling = COOLING

/**
 * What a frame does to every particle. There are three of these: kernels.js, rounded-loops.js and this one.
 *
 * @typedef {object} InnerLoops
 * @property {(particles: Query) => void} move
 * @property {(drops: Query, moment: { seed: number, frame: number, aim: number }) => number} age
 * @property {(sparks: Query) => void} cool
 * @property {(sparks: Query) => number} light
 * @property {(particles: Query) => number} highest
 */

/** @returns {InnerLoops} */
export const plainLoops = () => ({ move, age, cool, light, highest })

// JavaScript computes in f64 and rounds where a column takes the result; a kernel rounds each operation to f32. So
// positions and velocities differ in their last bits.
function move(particles) {
  for (const chunk of particles) {
    const { x: px, y: py } = chunk.write(Position)
    const { x: vx, y: vy } = chunk.write(Velocity)
    const { start, end } = chunk
    for (let i = start; i < end; i++) {
      let u = vx[i]
      let v = vy[i]
      const kept = 1 - drag * sqrt(u * u + v * v) * dt
      u *= kept
      v = v * kept - gravity * dt
      let x = px[i] + u * dt
      let y = py[i] + v * dt
      if (abs(x) > wall) {
        const side = x > 0 ? wall : -wall
        x = side - (x - side) * bounce
        u *= -bounce
      }
      if (y < 0) {
        y *= -bounce
        u *= bounce
        v *= -bounce
      }
      px[i] = x
      py[i] = y
      vx[i] = u
      vy[i] = v
    }
  }
}

// Few are reborn in a frame, so rounding each operation costs nothing here, and all have the same lives everywhere.
export function age(drops, { seed, frame, aim }) {
  let reborn = 0
  for (const chunk of drops) {
    const { x: px, y: py } = chunk.write(Position)
    const { x: vx, y: vy } = chunk.write(Velocity)
    const { left } = chunk.write(Life)
    const { entities, start, end } = chunk
    for (let i = start; i < end; i++) {
      left[i] -= dt
      if (left[i] > 0) continue
      const key = random(seed, entities[i])
      const counter = frame * 4
      const jet = floor(fround(randomFloat(key, counter) * JETS)) - (JETS - 1) * 0.5
      const bend = fround(fround(randomFloat(key, counter + 1) - 0.5) * SPREAD)
      const angle = fround(fround(aim + fround(jet * GAP)) + bend)
      const speed = fround(SLOWEST + fround(randomFloat(key, counter + 2) * (FASTEST - SLOWEST)))
      const lifetime = fround(randomFloat(key, counter + 3) * (LONGEST_LIFE - SHORTEST_LIFE))
      const life = fround(SHORTEST_LIFE + lifetime)
      // It died within the frame and has been on its way since.
      const since = -left[i]
      vx[i] = sin(angle) * speed
      vy[i] = cos(angle) * speed
      px[i] = vx[i] * since
      py[i] = NOZZLE_HEIGHT + fround(vy[i] * since)
      left[i] = life - since
      reborn++
    }
  }
  return reborn
}

export function cool(sparks) {
  for (const chunk of sparks) {
    const { heat } = chunk.write(Glow)
    const { left } = chunk.write(Life)
    const { start, end } = chunk
    for (let i = start; i < end; i++) {
      heat[i] *= cooling
      left[i] -= dt
    }
  }
}

export function light(sparks) {
  let sum = 0
  for (const chunk of sparks) {
    const { heat } = chunk.read(Glow)
    const { start, end } = chunk
    for (let i = start; i < end; i++) sum += heat[i]
  }
  return sum
}

export function highest(particles) {
  let top = 0
  for (const chunk of particles) {
    const { y } = chunk.read(Position)
    const { start, end } = chunk
    for (let i = start; i < end; i++) if (y[i] > top) top = y[i]
  }
  return top
}
