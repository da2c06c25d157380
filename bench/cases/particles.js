// Owns the particle case: a frame of particles that fly, bounce, age, die and begin anew. It must never import a library
// that is measured; the random numbers are those of kernels, and everybody draws the same.
import { randomFloat } from '../../dist/kernel.js'

const { abs, fround, sqrt } = Math

// Values that f32 holds exactly.
export const DT = fround(1 / 60)
export const GRAVITY = fround(9.81)
export const DRAG = fround(0.035)
export const WALL = 8
export const BOUNCE = fround(0.45)

/** The start of particle i, in order of creation. */
export const startX = (i) => ((i * 7919) % 1600) / 100 - WALL
export const startY = (i) => ((i * 4729) % 900) / 100
export const startVelocityX = (i) => ((i % 41) - 20) / 5
export const startVelocityY = (i) => ((i % 37) - 10) / 3
export const startLeft = (i) => ((i * 31) % 300) / 60 + 1 / 128

/** A new life of the particle with that number, which is 1 for the first one. Rounded as f32 arithmetic does. */
export const newVelocityX = (number, frame) => fround(fround(randomFloat(number, frame * 3) * 8) - 4)
export const newVelocityY = (number, frame) => fround(fround(randomFloat(number, frame * 3 + 1) * 6) + 8)
export const newLeft = (number, frame) => fround(fround(randomFloat(number, frame * 3 + 2) * 3) + 2)

const ROUNDINGS = { f32: fround, columns: (value) => value }

export default {
  name: 'particles',
  title: 'Particles: a frame of flight with drag, bouncing, ageing, dying and new lives, 5 x f32',
  sizes: [100_000, 1_000_000],
  /**
   * x, y, both velocities and the time left of every particle, in order of creation. Frames are counted from 1.
   *
   * @param {'f32' | 'columns'} rounding where results are rounded to f32: after each operation, or when a column takes
   *   them, as JavaScript does
   */
  reference(size, runs, rounding) {
    const round = ROUNDINGS[rounding]
    const state = new Float32Array(size * 5)
    for (let i = 0; i < size; i++) {
      state.set([startX(i), startY(i), startVelocityX(i), startVelocityY(i), startLeft(i)], i * 5)
    }
    for (let i = 0; i < size; i++) {
      for (let frame = 1; frame <= runs; frame++) fly(state, i * 5, i + 1, frame, round)
    }
    return state
  },
}

function fly(state, at, number, frame, round) {
  let [u, v] = [state[at + 2], state[at + 3]]
  const speed = round(sqrt(round(round(u * u) + round(v * v))))
  const kept = round(1 - round(round(DRAG * speed) * DT))
  u = round(u * kept)
  v = round(round(v * kept) - round(GRAVITY * DT))
  let x = round(state[at] + round(u * DT))
  let y = round(state[at + 1] + round(v * DT))
  if (abs(x) > WALL) {
    const side = x > 0 ? WALL : -WALL
    x = round(side - round(round(x - side) * BOUNCE))
    u = round(u * -BOUNCE)
  }
  if (y < 0) {
    y = round(y * -BOUNCE)
    v = round(v * -BOUNCE)
  }
  let left = fround(state[at + 4] - DT)
  if (left <= 0) {
    x = y = 0
    u = newVelocityX(number, frame)
    v = newVelocityY(number, frame)
    left = newLeft(number, frame)
  }
  state[at] = x
  state[at + 1] = y
  state[at + 2] = u
  state[at + 3] = v
  state[at + 4] = left
}
