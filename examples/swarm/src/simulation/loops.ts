// The inner loops in TypeScript, over the columns of chunks. They come to the same bits as swarm.kernel.ts: what a kernel computes
// as f32 is rounded here too, where it is not exact anyway, as any product with a power of two is.

import type { World } from 'strata-ecs'
import { Burning, burningOf, Clock, flockOf, Ground, Position, Prey, Velocity } from './components.ts'
import { airOf } from './kernels.ts'
import * as settings from './settings.ts'
import { placeOf, wrap } from './torus.ts'

const { CELLS, CELL_FLOATS, CELL_SHIFT, PARTS, STEP } = settings
const { ALIGNMENT, COHESION, COMFORT, COOLING, DRAG, DRIVE, GLANCE, GLANCE_STEP, PANIC } = settings
const { fround, imul } = Math

export function createLoops(world: World) {
  const flock = flockOf(world)
  const burning = burningOf(world)

  function gather() {
    const { sums } = world.resource(Ground)
    sums.fill(0)
    for (const chunk of flock) {
      const { x, y } = chunk.read(Position)
      const { x: vx, y: vy } = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        const at = cellOf(partsOf(x[i]), partsOf(y[i]))
        sums[at] += 1
        sums[at + 1] += vx[i]
        sums[at + 2] += vy[i]
      }
    }
    for (const chunk of burning) {
      const { x, y } = chunk.read(Position)
      for (let i = chunk.start; i < chunk.end; i++) sums[cellOf(partsOf(x[i]), partsOf(y[i])) + 3] += 1
    }
  }

  function settle() {
    const { sums, calm, urge, advice } = world.resource(Ground)
    const { usual, contagion } = airOf(flock, burning)
    smooth(sums, calm)
    advise(calm, urge, advice, usual, contagion)
  }

  function look() {
    const { advice } = world.resource(Ground)
    const now = imul(world.resource(Clock).tick, GLANCE_STEP)
    for (const chunk of flock) {
      const { entities } = chunk
      const { x, y } = chunk.read(Position)
      const { x: vx, y: vy } = chunk.write(Velocity)
      const { heat } = chunk.write(Prey)
      for (let i = chunk.start; i < chunk.end; i++) {
        const glance = imul(entities[i], GLANCE) + now
        const across = glance >> 24
        const along = (glance << 8) >> 24
        const at = cellOf(partsOf(x[i]) + across, partsOf(y[i]) + along)
        vx[i] += advice[at]
        vy[i] += advice[at + 1]
        heat[i] += advice[at + 2]
      }
    }
  }

  function fly() {
    for (const chunk of flock) {
      const { entities } = chunk
      const { x, y } = chunk.write(Position)
      const { x: vx, y: vy } = chunk.write(Velocity)
      const { heat, age } = chunk.write(Prey)
      for (let i = chunk.start; i < chunk.end; i++) {
        const nature = (imul(entities[i], 0x61c88647) >>> 16) / 65536
        const speed = fround(fround(vx[i] * vx[i]) + fround(vy[i] * vy[i]))
        const push = fround(nature + DRIVE - speed * DRAG)
        const turn = nature - 0.5
        const ax = fround(fround(push * vx[i]) - fround(turn * vy[i]))
        const ay = fround(fround(push * vy[i]) + fround(turn * vx[i]))
        vx[i] += ax * STEP
        vy[i] += ay * STEP
        x[i] = wrap(fround(x[i] + vx[i] * STEP))
        y[i] = wrap(fround(y[i] + vy[i] * STEP))
        heat[i] = Math.max(heat[i] - COOLING * STEP, 0)
        age[i] += STEP
      }
    }
  }

  function burn() {
    for (const chunk of burning) {
      const { x, y } = chunk.write(Position)
      const { x: vx, y: vy } = chunk.read(Velocity)
      const { left } = chunk.write(Burning)
      for (let i = chunk.start; i < chunk.end; i++) {
        x[i] = wrap(fround(x[i] + vx[i] * STEP))
        y[i] = wrap(fround(y[i] + vy[i] * STEP))
        left[i] -= STEP
      }
    }
  }

  return { gather, settle, look, fly, burn }
}

function smooth(sums: Float32Array, calm: Float32Array) {
  for (let row = 0; row < CELLS; row++) {
    const above = placeOf(row - 1, 0)
    const here = placeOf(row, 0)
    const below = placeOf(row + 1, 0)
    for (let column = 0; column < CELLS; column++) {
      const left = placeOf(0, column - 1)
      const middle = placeOf(0, column)
      const right = placeOf(0, column + 1)
      for (let k = 0; k < CELL_FLOATS; k++) {
        const corners = fround(
          fround(fround(sums[above + left + k] + sums[above + right + k]) + sums[below + left + k]) +
            sums[below + right + k],
        )
        const sides = fround(
          fround(fround(sums[above + middle + k] + sums[below + middle + k]) + sums[here + left + k]) +
            sums[here + right + k],
        )
        calm[here + middle + k] = fround(corners * 0.0625 + sides * 0.125) + sums[here + middle + k] * 0.25
      }
    }
  }
}

function advise(
  calm: Float32Array,
  urge: Float32Array,
  advice: Float32Array,
  usual: number,
  contagion: number,
) {
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const at = placeOf(row, column)
      const west = placeOf(row, column - 1)
      const east = placeOf(row, column + 1)
      const north = placeOf(row - 1, column)
      const south = placeOf(row + 1, column)
      const prey = calm[at]
      const share = 1 / (prey + calm[at + 3] + 0.01)
      const pull = (COHESION * (COMFORT - prey / usual)) / (prey + usual)
      const dread = PANIC * share
      const ax = pull * (calm[east] - calm[west]) - dread * (calm[east + 3] - calm[west + 3])
      const ay = pull * (calm[south] - calm[north]) - dread * (calm[south + 3] - calm[north + 3])
      advice[at] = (ALIGNMENT * calm[at + 1] * share + ax + urge[at]) * STEP
      advice[at + 1] = (ALIGNMENT * calm[at + 2] * share + ay + urge[at + 1]) * STEP
      advice[at + 2] = contagion * calm[at + 3] * share * STEP
    }
  }
}

/** A coordinate in whole parts of a unit. */
function partsOf(coordinate: number): number {
  return (coordinate * PARTS) | 0
}

/** Where the numbers begin of the cell that a point is in, given in parts of a unit. */
function cellOf(x: number, y: number): number {
  return placeOf(y >> CELL_SHIFT, x >> CELL_SHIFT)
}
