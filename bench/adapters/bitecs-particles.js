// Owns the particle case in bitECS 0.4, twice: as its README writes a system, and with arrays that are constants, which is
// faster. It must never leave out the query: entities could come and go between two frames.
import { addComponents, addEntity, asBuffer, createWorld, query } from 'bitecs'
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

/** The id of the first entity is 1, of the next one 2: the numbers that new lives are drawn with. */
function createParticles(size) {
  const column = () => new Float32Array(size + 1)
  const Position = { x: column(), y: column() }
  const Velocity = { x: column(), y: column() }
  const Life = { left: column() }
  const world = createWorld({ components: { Position, Velocity, Life } })
  query(world, [Position, Velocity, Life], asBuffer)
  for (let i = 0; i < size; i++) {
    const id = addEntity(world)
    addComponents(world, id, Position, Velocity, Life)
    Position.x[id] = startX(i)
    Position.y[id] = startY(i)
    Velocity.x[id] = startVelocityX(i)
    Velocity.y[id] = startVelocityY(i)
    Life.left[id] = startLeft(i)
  }
  function result() {
    const values = new Float32Array(size * 5)
    for (let i = 0, id = 1; i < size; i++, id++) {
      values.set([Position.x[id], Position.y[id], Velocity.x[id], Velocity.y[id], Life.left[id]], i * 5)
    }
    return values
  }
  return { world, result }
}

function asInReadme(size) {
  const { world, result } = createParticles(size)
  let frame = 0
  function run() {
    frame++
    const { Position, Velocity, Life } = world.components
    for (const id of query(world, [Position, Velocity, Life])) {
      let u = Velocity.x[id]
      let v = Velocity.y[id]
      const kept = 1 - drag * sqrt(u * u + v * v) * dt
      u *= kept
      v = v * kept - gravity * dt
      let x = Position.x[id] + u * dt
      let y = Position.y[id] + v * dt
      if (abs(x) > wall) {
        const side = x > 0 ? wall : -wall
        x = side - (x - side) * bounce
        u *= -bounce
      }
      if (y < 0) {
        y *= -bounce
        v *= -bounce
      }
      Life.left[id] -= dt
      if (Life.left[id] <= 0) {
        x = y = 0
        u = newVelocityX(id, frame)
        v = newVelocityY(id, frame)
        Life.left[id] = newLeft(id, frame)
      }
      Position.x[id] = x
      Position.y[id] = y
      Velocity.x[id] = u
      Velocity.y[id] = v
    }
  }
  return { rounding: 'columns', run, result }
}

function overConstants(size) {
  const { world, result } = createParticles(size)
  const { Position, Velocity, Life } = world.components
  const { x: px, y: py } = Position
  const { x: vx, y: vy } = Velocity
  const { left } = Life
  let frame = 0
  function run() {
    frame++
    const flying = query(world, [Position, Velocity, Life], asBuffer)
    for (let i = 0; i < flying.length; i++) {
      const id = flying[i]
      let u = vx[id]
      let v = vy[id]
      const kept = 1 - drag * sqrt(u * u + v * v) * dt
      u *= kept
      v = v * kept - gravity * dt
      let x = px[id] + u * dt
      let y = py[id] + v * dt
      if (abs(x) > wall) {
        const side = x > 0 ? wall : -wall
        x = side - (x - side) * bounce
        u *= -bounce
      }
      if (y < 0) {
        y *= -bounce
        v *= -bounce
      }
      left[id] -= dt
      if (left[id] <= 0) {
        x = y = 0
        u = newVelocityX(id, frame)
        v = newVelocityY(id, frame)
        left[id] = newLeft(id, frame)
      }
      px[id] = x
      py[id] = y
      vx[id] = u
      vy[id] = v
    }
  }
  return { rounding: 'columns', run, result }
}

export const particleWays = {
  particles: { 'as in its README': asInReadme, 'arrays as constants': overConstants },
}
