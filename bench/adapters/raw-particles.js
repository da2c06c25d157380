// Owns the particle case by hand on typed arrays. It must never know more than a program without an ECS would.
import {
  BOUNCE,
  DRAG,
  DT,
  GRAVITY,
  WALL,
  newLeft,
  newVelocityX,
  newVelocityY,
  startLeft,
  startVelocityX,
  startVelocityY,
  startX,
  startY,
} from '../cases/particles.js'

const { abs, sqrt } = Math

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT
const gravity = GRAVITY
const drag = DRAG
const wall = WALL
const bounce = BOUNCE

function flyAll(px, py, vx, vy, left, count, frame) {
  for (let i = 0; i < count; i++) {
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
      v *= -bounce
    }
    left[i] -= dt
    if (left[i] <= 0) {
      x = y = 0
      u = newVelocityX(i + 1, frame)
      v = newVelocityY(i + 1, frame)
      left[i] = newLeft(i + 1, frame)
    }
    px[i] = x
    py[i] = y
    vx[i] = u
    vy[i] = v
  }
}

// The arrays are elements of a list, which V8 does not take for constants: see raw.js.
function particles(size) {
  const starts = [startX, startY, startVelocityX, startVelocityY, startLeft]
  const c = starts.map((start) => Float32Array.from({ length: size }, (_, i) => start(i)))
  let frame = 0
  return {
    rounding: 'columns',
    run: () => flyAll(c[0], c[1], c[2], c[3], c[4], size, ++frame),
    result: () => Float32Array.from({ length: size * 5 }, (_, k) => c[k % 5][Math.floor(k / 5)]),
  }
}

export const particleWays = { particles: { 'arrays as parameters': particles } }
