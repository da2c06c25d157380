// The simulation: a field of bodies that sleep until a wave reaches them. three.js is in main.ts.

import {
  type Entity,
  addMany,
  component,
  createSchedule,
  createWorld,
  f32,
  setMany,
  spawnMany,
  tag,
} from 'strata-ecs'

export const Position = component('Position', { x: f32, y: f32, z: f32 })
export const Spring = component('Spring', { speed: f32 })
export const Tint = component('Tint', { r: f32, g: f32, b: f32 })
/** Bodies that move: others lie in chunks that nothing writes to, so nothing of them is uploaded. */
export const Awake = tag('Awake')

const STIFFNESS = 30
const DAMPING = 1.6
const AT_REST = 0.004

/** A square field of bodies, so many on each side. */
export function createField(side: number) {
  const world = createWorld()
  spawnMany(world, side * side, [Position, Spring, Tint], (chunk) => {
    const { x, z } = chunk.write(Position)
    const { r, g, b } = chunk.write(Tint)
    for (let i = chunk.start; i < chunk.end; i++) {
      const n = chunk.entities[i] - 1
      x[i] = (n % side) - Math.floor(side / 2)
      z[i] = Math.floor(n / side) - Math.floor(side / 2)
      r[i] = 0.05
      g[i] = 0.2
      b[i] = 0.35
    }
  })
  const all = world.query(Position)
  const awake = world.query(Position, Spring, Tint, Awake)

  const schedule = createSchedule(world)
    .add(function swing(_, dt) {
      for (const chunk of awake) {
        const { y } = chunk.write(Position)
        const { speed } = chunk.write(Spring)
        const { r, g, b } = chunk.write(Tint)
        for (let i = chunk.start; i < chunk.end; i++) {
          speed[i] += (-STIFFNESS * y[i] - DAMPING * speed[i]) * dt
          y[i] += speed[i] * dt
          const heat = Math.min(1, Math.abs(y[i]) / 2)
          r[i] = 0.05 + 0.95 * heat
          g[i] = 0.2 + 0.5 * heat
          b[i] = 0.35 - 0.2 * heat
        }
      }
    })
    .add(function fallAsleep(world) {
      awake.each((body, position, spring) => {
        if (Math.abs(position.y) + Math.abs(spring.speed) < AT_REST) world.remove(body, Awake)
      })
    })

  return {
    world,
    all,
    awake,
    step: (dt: number) => schedule.run(dt),
    /** Pushes the bodies around one; returns how many. */
    push(body: Entity, radius = 9): number {
      const middle = world.get(body, Position)
      if (middle === undefined) return 0
      const near: Entity[] = []
      const speeds: number[] = []
      all.each((other, { x, z }) => {
        const distance = Math.hypot(x - middle.x, z - middle.z)
        if (distance > radius) return
        near.push(other)
        speeds.push(18 * Math.cos((distance / radius) * (Math.PI / 2)))
      })
      addMany(world, near, Awake)
      setMany(world, near, Spring, { speed: speeds })
      return near.length
    },
  }
}
