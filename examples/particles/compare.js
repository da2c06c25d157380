// Owns: what two runs have in common: nothing differs, or how far apart the particles are.
// Must never: change a simulation.

import { Glow, Life, Position, Velocity } from './components.js'

/** Metres that rounding may put a particle elsewhere in the seconds of its life. */
export const NEAR = 0.001
/**
 * The part of all particles that may be farther off. One that touches a wall within a rounding of the end of a frame
 * bounces a frame earlier or later.
 */
export const FAR_PART = 1 / 5000

/**
 * Whether two simulations that have run equally long with the same seed agree: all handles, lives and heats are equal, and
 * nearly all particles are within NEAR of each other.
 */
export function agreement(one, other) {
  const found = { agrees: true, particles: 0, apart: 0, farthest: 0 }
  for (const name of ['drops', 'sparks']) {
    const a = columnsOf(one[name])
    const b = columnsOf(other[name])
    found.agrees &&= ['entities', 'left', 'heat'].every((column) => areEqual(a[column], b[column]))
    found.particles += a.x.length
    for (let i = 0; i < a.x.length; i++) {
      const distance = Math.hypot(a.x[i] - b.x[i], a.y[i] - b.y[i])
      if (!(distance <= NEAR)) found.apart++
      found.farthest = Math.max(found.farthest, distance)
    }
  }
  found.agrees &&= found.apart <= Math.ceil(found.particles * FAR_PART)
  return found
}

/** Every value of a query's particles, in its order; a heat of 0 where there is none. */
export function columnsOf(query) {
  const count = query.count
  const columns = {
    entities: new Uint32Array(count),
    x: new Float32Array(count),
    y: new Float32Array(count),
    vx: new Float32Array(count),
    vy: new Float32Array(count),
    left: new Float32Array(count),
    heat: new Float32Array(count),
  }
  let done = 0
  for (const chunk of query) {
    const { start, end } = chunk
    const copy = (to, from) => to.set(from.subarray(start, end), done)
    const position = chunk.read(Position)
    const velocity = chunk.read(Velocity)
    copy(columns.entities, chunk.entities)
    copy(columns.x, position.x)
    copy(columns.y, position.y)
    copy(columns.vx, velocity.x)
    copy(columns.vy, velocity.y)
    copy(columns.left, chunk.read(Life).left)
    const glow = chunk.read(Glow)
    if (glow !== undefined) copy(columns.heat, glow.heat)
    done += end - start
  }
  return columns
}

const areEqual = (a, b) => a.length === b.length && a.every((value, i) => value === b[i])
