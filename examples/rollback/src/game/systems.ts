// What happens in a frame. Everything it reads and writes is in the world, and it computes with + - * / and square
// roots alone: so the same inputs come to the same bits on every machine.

import { createAccessor, type Entity, type World } from 'strata-ecs'
import { random, randomFloat } from 'strata-ecs/kernel'
import * as c from './components.ts'

const { Body, Clock, Inputs, Rock, Score, Ship, Shot } = c
const { DT, HEIGHT, ROCK_RADIUS, ROCK_SPEED, SHIP_RADIUS, SHOT_RADIUS, WIDTH } = c

/** Ships do what their players say. */
export function createSteering(world: World) {
  const ships = world.query(Body, Ship)
  return function steer() {
    const { first, second } = world.resource(Inputs)
    ships.each((_, body, ship) => {
      body.vx *= c.GLIDE
      body.vy *= c.GLIDE
      if (ship.reload > 0) ship.reload--
      if (ship.stunned > 0) {
        ship.stunned--
        return
      }
      const input = ship.player === 0 ? first : second
      // Opposite keys cancel out.
      const across = (input & c.RIGHT ? 1 : 0) - (input & c.LEFT ? 1 : 0)
      const down = (input & c.DOWN ? 1 : 0) - (input & c.UP ? 1 : 0)
      if (across !== 0 || down !== 0) {
        const length = Math.sqrt(across * across + down * down)
        ship.lookX = across / length
        ship.lookY = down / length
        body.vx += ship.lookX * c.THRUST * DT
        body.vy += ship.lookY * c.THRUST * DT
      }
      if (!(input & c.FIRE) || ship.reload > 0) return
      ship.reload = c.RELOAD_FRAMES
      const reach = SHIP_RADIUS + SHOT_RADIUS
      world.spawn(
        Body({
          x: body.x + ship.lookX * reach,
          y: body.y + ship.lookY * reach,
          vx: body.vx + ship.lookX * c.SHOT_SPEED,
          vy: body.vy + ship.lookY * c.SHOT_SPEED,
        }),
        Shot({ player: ship.player, left: c.SHOT_FRAMES }),
      )
    })
  }
}

/** Everything moves on; ships and rocks bounce off the walls, shots end there. */
export function createMotion(world: World) {
  const bodies = world.query(Body)
  const ships = world.query(Body, Ship)
  const rocks = world.query(Body, Rock)
  const shots = world.query(Body, Shot)
  return function move() {
    for (const chunk of bodies) {
      const { x, y, vx, vy } = chunk.write(Body)
      for (let i = chunk.start; i < chunk.end; i++) {
        x[i] += vx[i] * DT
        y[i] += vy[i] * DT
      }
    }
    ships.each((_, body) => bounce(body, SHIP_RADIUS))
    rocks.each((_, body, { radius }) => bounce(body, radius))
    shots.each((shot, { x, y }, own) => {
      own.left--
      if (own.left === 0 || x < 0 || x > WIDTH || y < 0 || y > HEIGHT) world.destroy(shot)
    })
  }
}

interface Moving {
  x: number
  y: number
  vx: number
  vy: number
}

function bounce(body: Moving, radius: number): void {
  if (body.x < radius) [body.x, body.vx] = [radius, Math.abs(body.vx)]
  if (body.x > WIDTH - radius) [body.x, body.vx] = [WIDTH - radius, -Math.abs(body.vx)]
  if (body.y < radius) [body.y, body.vy] = [radius, Math.abs(body.vy)]
  if (body.y > HEIGHT - radius) [body.y, body.vy] = [HEIGHT - radius, -Math.abs(body.vy)]
}

/** Shots break rocks, and stun the other player's ship. */
export function createHits(world: World) {
  const shots = world.query(Body, Shot)
  const rocks = world.query(Body, Rock)
  const ships = world.query(Body, Ship)
  const body = createAccessor(world, Body)
  const rockOf = createAccessor(world, Rock)
  const broken = new Set<Entity>()

  return function hit() {
    const score = world.resource(Score)
    broken.clear()
    shots.each((shot, at, { player }) => {
      let points = 0
      rocks.each((rock, there, { radius }) => {
        if (points > 0 || broken.has(rock) || !touch(at, there, radius + SHOT_RADIUS)) return
        points = c.POINTS.rock
        broken.add(rock)
      })
      ships.each((_, there, ship) => {
        if (points > 0 || ship.player === player || !touch(at, there, SHIP_RADIUS + SHOT_RADIUS)) return
        points = c.POINTS.ship
        ship.stunned = c.STUNNED_FRAMES
        there.vx += at.vx * 0.5
        there.vy += at.vy * 0.5
      })
      if (points === 0) return
      if (player === 0) score.first += points
      else score.second += points
      world.destroy(shot)
    })
    for (const rock of broken) split(rock)
  }

  /** A rock that was hit becomes two, or none. */
  function split(rock: Entity): void {
    const { x, y, vx, vy } = body.of(rock)
    const radius = rockOf.of(rock).radius * 0.68
    world.destroy(rock)
    if (radius < c.LEAST_ROCK_RADIUS) return
    world.spawn(Body({ x, y, vx: vx - vy, vy: vy + vx }), Rock({ radius }))
    world.spawn(Body({ x, y, vx: vx + vy, vy: vy - vx }), Rock({ radius }))
  }
}

/** Rocks push ships away and stun them for a moment. */
export function createCrashes(world: World) {
  const ships = world.query(Body, Ship)
  const rocks = world.query(Body, Rock)
  return function crash() {
    ships.each((_, body, ship) => {
      rocks.each((_, rock, { radius }) => {
        if (!touch(body, rock, radius + SHIP_RADIUS)) return
        const [dx, dy] = [body.x - rock.x, body.y - rock.y]
        const distance = Math.sqrt(dx * dx + dy * dy) + 0.001
        body.vx = rock.vx + (dx / distance) * 140
        body.vy = rock.vy + (dy / distance) * 140
        if (ship.stunned === 0) ship.stunned = c.STUNNED_FRAMES / 3
      })
    })
  }
}

function touch(a: Readonly<Moving>, b: Readonly<Moving>, distance: number): boolean {
  const [dx, dy] = [a.x - b.x, a.y - b.y]
  return dx * dx + dy * dy < distance * distance
}

/** New rocks come in from above while there are too few. */
export function createRockfall(world: World) {
  const rocks = world.query(Rock)
  return function rockfall() {
    const { frame, seed } = world.resource(Clock)
    if (rocks.count >= c.ROCKS || frame % 40 !== 0) return
    spawnRock(world, random(seed, frame), ROCK_RADIUS)
  }
}

/** A rock at the top of the arena. `key`: equal ones give equal rocks. */
export function spawnRock(world: World, key: number, y: number): void {
  world.spawn(
    Body({
      x: randomFloat(key, 0) * WIDTH,
      y,
      vx: (randomFloat(key, 1) - 0.5) * 2 * ROCK_SPEED,
      vy: (randomFloat(key, 2) + 0.3) * ROCK_SPEED,
    }),
    Rock({ radius: ROCK_RADIUS * (0.7 + 0.5 * randomFloat(key, 3)) }),
  )
}
