// Owns the strata-ecs side of the particle case, written with the public names only, from the built package and the
// kernels that `npm run bench` compiles. It must never reach into the engine.
import { component, createWorld, f32 } from '../../dist/index.js'
import { fly } from '../../build/bench/particles.kernel.js'
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

const { abs, fround, sqrt } = Math

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT
const gravity = GRAVITY
const drag = DRAG
const wall = WALL
const bounce = BOUNCE
const fall = fround(GRAVITY * DT)

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Life = component('Life', { left: f32 })

/** The handle of the first entity of a world is 1, of the next one 2: the numbers that new lives are drawn with. */
function createParticles(size) {
  const world = createWorld()
  const particles = world.query(Position, Velocity, Life)
  let next = 0
  world.spawnMany(size, [Position, Velocity, Life], (chunk) => {
    const p = chunk.write(Position)
    const v = chunk.write(Velocity)
    const { left } = chunk.write(Life)
    for (let i = chunk.start; i < chunk.end; i++, next++) {
      p.x[i] = startX(next)
      p.y[i] = startY(next)
      v.x[i] = startVelocityX(next)
      v.y[i] = startVelocityY(next)
      left[i] = startLeft(next)
    }
  })
  function result() {
    const values = new Float32Array(size * 5)
    for (const chunk of particles) {
      const p = chunk.read(Position)
      const v = chunk.read(Velocity)
      const { left } = chunk.read(Life)
      for (let i = chunk.start; i < chunk.end; i++) {
        values.set([p.x[i], p.y[i], v.x[i], v.y[i], left[i]], (chunk.entities[i] - 1) * 5)
      }
    }
    return values
  }
  return { world, particles, result }
}

function byLoop(size) {
  const { particles, result } = createParticles(size)
  let frame = 0
  function run() {
    frame++
    for (const chunk of particles) {
      const { x: px, y: py } = chunk.write(Position)
      const { x: vx, y: vy } = chunk.write(Velocity)
      const { left } = chunk.write(Life)
      const { entities, start, end } = chunk
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
          v *= -bounce
        }
        left[i] -= dt
        if (left[i] <= 0) {
          x = y = 0
          u = newVelocityX(entities[i], frame)
          v = newVelocityY(entities[i], frame)
          left[i] = newLeft(entities[i], frame)
        }
        px[i] = x
        py[i] = y
        vx[i] = u
        vy[i] = v
      }
    }
  }
  return { rounding: 'columns', run, result }
}

function byRoundedLoop(size) {
  const { particles, result } = createParticles(size)
  let frame = 0
  function run() {
    frame++
    for (const chunk of particles) {
      const { x: px, y: py } = chunk.write(Position)
      const { x: vx, y: vy } = chunk.write(Velocity)
      const { left } = chunk.write(Life)
      const { entities, start, end } = chunk
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
          v = fround(v * -bounce)
        }
        left[i] -= dt
        if (left[i] <= 0) {
          x = y = 0
          u = newVelocityX(entities[i], frame)
          v = newVelocityY(entities[i], frame)
          left[i] = newLeft(entities[i], frame)
        }
        px[i] = x
        py[i] = y
        vx[i] = u
        vy[i] = v
      }
    }
  }
  return { rounding: 'f32', run, result }
}

function byKernel(size) {
  const { world, particles, result } = createParticles(size)
  const step = world.kernel(fly, {
    px: [Position, 'x'],
    py: [Position, 'y'],
    vx: [Velocity, 'x'],
    vy: [Velocity, 'y'],
    left: [Life, 'left'],
  })
  let frame = 0
  return {
    rounding: 'f32',
    run: () => particles.run(step, { frame: ++frame, dt, gravity, drag, wall, bounce }),
    result,
  }
}

export const particleWays = {
  particles: {
    'chunk views, columns as locals': byLoop,
    'the same, rounded as f32': byRoundedLoop,
    kernel: byKernel,
  },
}
