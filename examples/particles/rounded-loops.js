// Owns: the inner loops in JavaScript with every operation rounded to f32, as WebAssembly does: equal to the last bit.
// Must never: leave a rounding out; it shows in the checksum only after some frames.

import { Position, Velocity } from './components.js'
import { age, cool, highest, light } from './loops.js'
import { BOUNCE, DRAG, GRAVITY, SECONDS_PER_FRAME, WALL } from './settings.js'

const { abs, fround, sqrt } = Math

const dt = SECONDS_PER_FRAME
const drag = DRAG
const wall = WALL
const bounce = BOUNCE
const fall = fround(GRAVITY * SECONDS_PER_FRAME)

/** @returns {import('./loops.js').InnerLoops} */
export const roundedLoops = () => ({ move, age, cool, light, highest })

function move(particles) {
  for (const chunk of particles) {
    const { x: px, y: py } = chunk.write(Position)
    const { x: vx, y: vy } = chunk.write(Velocity)
    const { start, end } = chunk
    for (let i = start; i < end; i++) {
      let u = vx[i]
      let v = vy[i]
      const speed = fround(sqrt(fround(fround(u * u) + fround(v * v))))
      const kept = fround(1 - fround(fround(drag * speed) * dt))
      u = fround(u * kept)
      v = fround(fround(v * kept) - fall)
      let x = fround(px[i] + fround(u * dt))
      let y = fround(py[i] + fround(v * dt))
      if (abs(x) > wall) {
        const side = x > 0 ? wall : -wall
        x = fround(side - fround(fround(x - side) * bounce))
        u = fround(u * -bounce)
      }
      if (y < 0) {
        y = fround(y * -bounce)
        u = fround(u * bounce)
        v = fround(v * -bounce)
      }
      px[i] = x
      py[i] = y
      vx[i] = u
      vy[i] = v
    }
  }
}
