// Owns the inner loops in TypeScript, over the columns of chunks. Numbers are computed as f64 and stored as f32: so
// swarm.kernel.ts comes to the same bits. It must never make or destroy an agent.

import type { World } from 'strata-ecs'
import { Burning, Position, Prey, Velocity } from './components.ts'
import { FLOW_FLOATS, Ground, SUM_FLOATS } from './resources.ts'
import { CELL, CELLS, SIZE, STEP } from './settings.ts'
import { burningOf, flockOf } from './swarm.ts'

const MASK = CELLS - 1

export function createLoops(world: World) {
  const flocking = flockOf(world)
  const burning = burningOf(world)
  const ground = world.resource(Ground)!

  /** Every agent adds itself to its cell. */
  function gather() {
    const { sums } = ground
    for (const chunk of flocking) {
      const { x, y } = chunk.read(Position)
      const { x: vx, y: vy } = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        const k = (((y[i]! / CELL) | 0) * CELLS + ((x[i]! / CELL) | 0)) * SUM_FLOATS
        sums[k]! += 1
        sums[k + 1]! += vx[i]!
        sums[k + 2]! += vy[i]!
      }
    }
    for (const chunk of burning) {
      const { x, y } = chunk.read(Position)
      for (let i = chunk.start; i < chunk.end; i++) {
        const k = (((y[i]! / CELL) | 0) * CELLS + ((x[i]! / CELL) | 0)) * SUM_FLOATS
        sums[k + 3]! += 1
      }
    }
  }

  /** Each cell becomes the weighted mean of itself and its eight neighbours. */
  function smooth() {
    const { sums, flow } = ground
    for (let row = 0; row < CELLS; row++) {
      const above = ((row - 1) & MASK) * CELLS
      const here = row * CELLS
      const below = ((row + 1) & MASK) * CELLS
      for (let column = 0; column < CELLS; column++) {
        const left = (column - 1) & MASK
        const right = (column + 1) & MASK
        for (let f = 0; f < SUM_FLOATS; f++) {
          const at = (cell: number) => sums[cell * SUM_FLOATS + f]!
          flow[(here + column) * FLOW_FLOATS + f] =
            (at(above + left) + at(above + right) + at(below + left) + at(below + right)) * 0.0625 +
            (at(above + column) + at(below + column) + at(here + left) + at(here + right)) * 0.125 +
            at(here + column) * 0.25
        }
      }
    }
  }

  /** Every one of the flock looks at the ground, and steers. */
  function flock({ mean, cruise, align, crowd, comfort }: Manners) {
    const { flow } = ground
    for (const chunk of flocking) {
      const entities = chunk.entities
      const { x, y } = chunk.write(Position)
      const { x: vx, y: vy } = chunk.write(Velocity)
      const { heat, age } = chunk.write(Prey)
      for (let i = chunk.start; i < chunk.end; i++) {
        const u = x[i]! / CELL + (CELLS - 0.5)
        const v = y[i]! / CELL + (CELLS - 0.5)
        const cu = u | 0
        const cv = v | 0
        const fu = u - cu
        const fv = v - cv
        const c0 = cu & MASK
        const c1 = (cu + 1) & MASK
        const r0 = (cv & MASK) * CELLS
        const r1 = ((cv + 1) & MASK) * CELLS
        const a = (r0 + c0) * FLOW_FLOATS
        const b = (r0 + c1) * FLOW_FLOATS
        const c = (r1 + c0) * FLOW_FLOATS
        const d = (r1 + c1) * FLOW_FLOATS
        const wa = (1 - fu) * (1 - fv)
        const wb = fu * (1 - fv)
        const wc = (1 - fu) * fv
        const wd = fu * fv
        const na = flow[a]!
        const nb = flow[b]!
        const nc = flow[c]!
        const nd = flow[d]!
        const n = na * wa + nb * wb + nc * wc + nd * wd
        const inverse = 1 / (n + 0.001)
        const mx = (flow[a + 1]! * wa + flow[b + 1]! * wb + flow[c + 1]! * wc + flow[d + 1]! * wd) * inverse
        const my = (flow[a + 2]! * wa + flow[b + 2]! * wb + flow[c + 2]! * wc + flow[d + 2]! * wd) * inverse
        const hot = (flow[a + 3]! * wa + flow[b + 3]! * wb + flow[c + 3]! * wc + flow[d + 3]! * wd) * inverse
        const gx = (nb - na) * (1 - fv) + (nd - nc) * fv
        const gy = (nc - na) * (1 - fu) + (nd - nb) * fu
        const pull = (crowd * (comfort - n / mean)) / (n + mean)
        let ax =
          align * (mx - vx[i]!) +
          pull * gx +
          flow[a + 4]! * wa +
          flow[b + 4]! * wb +
          flow[c + 4]! * wc +
          flow[d + 4]! * wd
        let ay =
          align * (my - vy[i]!) +
          pull * gy +
          flow[a + 5]! * wa +
          flow[b + 5]! * wb +
          flow[c + 5]! * wc +
          flow[d + 5]! * wd
        const own = (Math.imul(entities[i]!, 0x9e3779b1) >>> 16) / 65536
        const speed = Math.sqrt(vx[i]! * vx[i]! + vy[i]! * vy[i]!) + 0.001
        const push = 2 * ((cruise * (0.7 + 0.6 * own)) / speed - 1)
        const turn = (own - 0.5) * 1.2
        ax += push * vx[i]! - turn * vy[i]!
        ay += push * vy[i]! + turn * vx[i]!
        vx[i]! += ax * STEP
        vy[i]! += ay * STEP
        const nx = x[i]! + vx[i]! * STEP
        const ny = y[i]! + vy[i]! * STEP
        x[i] = nx - SIZE * Math.floor(nx / SIZE)
        y[i] = ny - SIZE * Math.floor(ny / SIZE)
        heat[i] = Math.max(0, heat[i]! + (hot * 4 - 0.3) * STEP)
        age[i]! += STEP
      }
    }
  }

  /** Whoever burns runs blindly. */
  function burn() {
    for (const chunk of burning) {
      const { x, y } = chunk.write(Position)
      const { x: vx, y: vy } = chunk.write(Velocity)
      const { left } = chunk.write(Burning)
      for (let i = chunk.start; i < chunk.end; i++) {
        const nx = x[i]! + vx[i]! * STEP
        const ny = y[i]! + vy[i]! * STEP
        x[i] = nx - SIZE * Math.floor(nx / SIZE)
        y[i] = ny - SIZE * Math.floor(ny / SIZE)
        left[i]! -= STEP
      }
    }
  }

  return { gather, smooth, flock, burn }
}

/** How the flock behaves. */
export interface Manners {
  /** Agents in a cell on average. */
  readonly mean: number
  readonly cruise: number
  readonly align: number
  readonly crowd: number
  readonly comfort: number
}
