// Flying and burning as compiled loops: plain functions over one agent. They come to the same bits as loops.ts: each operation is
// rounded to f32, so that four agents are computed at a time.

import { entity } from 'strata-ecs'
import { compile, read } from 'strata-ecs/compile'
import { Burning, Position, Prey, Velocity } from './components.ts'
import { COOLING, DRAG, DRIVE, SIZE, STEP } from './settings.ts'

/** A coordinate beyond the square, on its other side. */
const wrap = (coordinate: number, size: number) =>
  Math.fround(coordinate - Math.fround(size * Math.floor(Math.fround(coordinate / size))))

/** Everyone of the flock flies on: tires, turns a little to its own side, cools down and gets older. */
export const fly = compile(
  [entity, Position, Velocity, Prey],
  { DRIVE, DRAG, COOLING, SIZE, STEP, wrap },
  (self, position, velocity, prey, { DRIVE, DRAG, COOLING, SIZE, STEP, wrap }) => {
    const { fround } = Math
    const { x: vx, y: vy } = velocity
    const nature = (Math.imul(self, 0x61c88647) >>> 16) / 65536
    const speed = fround(fround(vx * vx) + fround(vy * vy))
    const push = fround(fround(nature + DRIVE) - fround(speed * DRAG))
    const turn = nature - 0.5
    const ax = fround(fround(push * vx) - fround(turn * vy))
    const ay = fround(fround(push * vy) + fround(turn * vx))
    velocity.x += fround(ax * STEP)
    velocity.y += fround(ay * STEP)
    position.x = wrap(fround(position.x + fround(velocity.x * STEP)), SIZE)
    position.y = wrap(fround(position.y + fround(velocity.y * STEP)), SIZE)
    prey.heat = Math.max(fround(prey.heat - fround(COOLING * STEP)), 0)
    prey.age += STEP
  },
)

/** Whatever burns goes on blindly, and burns down. */
export const burn = compile(
  [Position, read(Velocity), Burning],
  { SIZE, STEP, wrap },
  (position, velocity, burning, { SIZE, STEP, wrap }) => {
    position.x = wrap(Math.fround(position.x + Math.fround(velocity.x * STEP)), SIZE)
    position.y = wrap(Math.fround(position.y + Math.fround(velocity.y * STEP)), SIZE)
    burning.left -= STEP
  },
)
