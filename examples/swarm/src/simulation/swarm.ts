// Owns the simulation as the page sees it: one world, its schedule, and what a person can do to it.
// It must never know of the page.

import { NULL_ENTITY, createSchedule, createWorld, not, type Entity, type World } from 'strata-ecs'
import { randomFloat } from 'strata-ecs/kernel'
import { Burning, Hunger, Hunter, Name, Picked, Position, Prey, Velocity } from './components.ts'
import { createLoops } from './loops.ts'
import { FLOW_FLOATS, Ground, newGround } from './resources.ts'
import { CELL, CELLS, HUNTERS, SIZE, STEP } from './settings.ts'

export interface SwarmOptions {
  /** How many prey, 0 to MOST_PREY; default 50,000. */
  readonly prey?: number
  /** Equal seeds give equal worlds; default 1. */
  readonly seed?: number
  /** Inner loops as kernels, else as TypeScript; default true. */
  readonly kernels?: boolean
  /** The core, for worlds over the checked one. */
  readonly module?: WebAssembly.Module
}

export type Swarm = ReturnType<typeof createSwarm>

export const flockOf = (world: World) => world.query(Position, Velocity, Prey, not(Burning))
export const burningOf = (world: World) => world.query(Position, Velocity, Prey, Burning)
export const huntersOf = (world: World) => world.query(Position, Velocity, Hunter)

const MANNERS = { cruise: 60, align: 4, crowd: 600, comfort: 3 }

/** A swarm with its world. */
export function createSwarm({ prey = 50_000, seed = 1, kernels = true, module }: SwarmOptions = {}) {
  const world = createWorld(module ? { module } : {})
  const ground = newGround()
  world.setResource(Ground, ground)
  const inner = createLoops(world)
  const flock = flockOf(world)
  const burning = burningOf(world)
  const hunters = huntersOf(world)
  const picked = world.query(Picked)
  const everyPrey = world.query(Prey)
  const hot = flock.where(Prey, 'heat', '>=', 1)
  const dead = burning.where(Burning, 'left', '<=', 0)
  let n = 0
  let tick = 0

  function populate(count: number) {
    const missing = count - everyPrey.count
    if (missing < 0) everyPrey.page(0, -missing).destroy()
    else
      world.spawnMany(missing, [Position, Velocity, Prey], (chunk) => {
        const p = chunk.write(Position)
        const v = chunk.write(Velocity)
        for (let i = chunk.start; i < chunk.end; i++, n++) {
          p.x[i] = randomFloat(seed, n * 4) * SIZE * 0.9999
          p.y[i] = randomFloat(seed, n * 4 + 1) * SIZE * 0.9999
          const a = randomFloat(seed, n * 4 + 2) * 6.2831
          v.x[i] = Math.cos(a) * 60
          v.y[i] = Math.sin(a) * 60
        }
      })
  }
  populate(prey)
  for (let k = 0; k < HUNTERS; k++)
    world.spawn(
      Position({ x: randomFloat(seed + 1, k) * SIZE, y: randomFloat(seed + 2, k) * SIZE }),
      Velocity({ x: 50, y: 30 }),
      Hunter,
      Hunger,
      Name({ value: `Hunter ${k + 1}` }),
    )

  const schedule = createSchedule(world)
    .add(
      () => {
        ground.sums.fill(0)
        inner.gather()
        inner.smooth()
      },
      { name: 'gather' },
    )
    .add(
      () => {
        const { flow } = ground
        const t = tick * STEP
        const wind = 20
        for (let row = 0; row < CELLS; row++)
          for (let c = 0; c < CELLS; c++) {
            const k = (row * CELLS + c) * FLOW_FLOATS
            const X = (c / CELLS) * 6.28318
            const Y = (row / CELLS) * 6.28318
            flow[k + 4] = wind * (Math.sin(Y + t * 0.11) + 0.7 * Math.sin(2 * Y - t * 0.17))
            flow[k + 5] = wind * (Math.cos(X - t * 0.13) + 0.7 * Math.sin(2 * X + t * 0.19))
          }
      },
      { name: 'weather' },
    )
    .add(
      () => {
        const { flow } = ground
        hunters.each((_, p, v) => {
          const hc = (p.x / CELL) | 0
          const hr = (p.y / CELL) | 0
          let bx = 0
          let by = 0
          for (let dr = -6; dr <= 6; dr++)
            for (let dc = -6; dc <= 6; dc++) {
              const k = (((hr + dr) & (CELLS - 1)) * CELLS + ((hc + dc) & (CELLS - 1))) * FLOW_FLOATS
              const d2 = dr * dr + dc * dc
              if (d2 > 36) continue
              const w = 1 - d2 / 36
              const d = Math.sqrt(d2) + 0.5
              flow[k + 4]! += (900 * w * dc) / d
              flow[k + 5]! += (900 * w * dr) / d
              bx += (flow[k]! * dc) / d
              by += (flow[k]! * dr) / d
            }
          const b = Math.hypot(bx, by) + 0.001
          v.x += ((bx / b) * 110 - v.x) * 1.5 * STEP
          v.y += ((by / b) * 110 - v.y) * 1.5 * STEP
          p.x = (p.x + v.x * STEP + SIZE) % SIZE
          p.y = (p.y + v.y * STEP + SIZE) % SIZE
        })
      },
      { name: 'hunt' },
    )
    .add(() => inner.flock({ mean: flock.count / CELLS / CELLS, ...MANNERS }), { name: 'flock' })
    .add(
      () => {
        inner.burn()
        hot.add(Burning({ left: 1.5 }))
        dead.destroy()
      },
      { name: 'burn' },
    )
    .add(
      () => {
        tick++
        populate(Math.max(everyPrey.count, Math.min(prey, everyPrey.count + prey / 500)))
      },
      { name: 'breed' },
    )

  return {
    world,
    schedule,
    /** What there is to draw: all have Position and Velocity. */
    flock,
    burning,
    hunters,
    picked,
    /** How many prey there should be. */
    get prey() {
      return prey
    },
    set prey(count: number) {
      prey = count
      populate(count)
    },
    get population() {
      return everyPrey.count
    },
    get kernels() {
      return kernels
    },
    set kernels(on: boolean) {
      kernels = on
    },
    /** Steps made so far. */
    get tick() {
      return tick
    },
    /** Moves everything on by STEP seconds. */
    step() {
      schedule.run(STEP)
    },
    /** Sets the flock on fire around a point; returns how many. The edges join. */
    ignite(x: number, y: number, radius: number): number {
      return flock
        .where(Position, 'x', '>', x - radius)
        .where(Position, 'x', '<', x + radius)
        .where(Position, 'y', '>', y - radius)
        .where(Position, 'y', '<', y + radius)
        .add(Burning({ left: 1.5 }))
    },
    /** The agent nearest to a point, NULL_ENTITY when none is so near. */
    nearest(x: number, y: number, within: number): Entity {
      let best = within * within
      let found: Entity = NULL_ENTITY
      const position = world.accessor(Position)
      const near = world
        .query(Position)
        .where(Position, 'x', '>', x - within)
        .where(Position, 'x', '<', x + within)
        .where(Position, 'y', '>', y - within)
        .where(Position, 'y', '<', y + within)
      for (const entity of near.entities()) {
        const at = position.of(entity as Entity)
        const distance = (at.x - x) ** 2 + (at.y - y) ** 2
        if (distance < best) {
          best = distance
          found = entity as Entity
        }
      }
      return found
    },
    /** Picks an agent, in place of the one before; NULL_ENTITY: none. */
    pick(entity: Entity) {
      picked.remove(Picked)
      if (world.isAlive(entity)) world.add(entity, Picked)
    },
    dispose() {
      schedule.dispose()
      world.dispose()
    },
  }
}
