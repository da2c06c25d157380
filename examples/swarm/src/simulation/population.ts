// How agents come into the world.

import type { World } from 'strata-ecs'
import { cos, randomFloat, sin } from 'strata-ecs/kernel'
import { Hunger, Hunter, Name, Position, Prey, Velocity } from './components.ts'
import { CRUISE, HUNTERS, SIZE } from './settings.ts'

const TURN = 2 * Math.PI
const NAMES = (
  'Altair Bellatrix Castor Deneb Electra Furud Gienah Hadar Izar Jabbah Kochab Lesath Mizar Nashira Oberon Pollux ' +
  'Regulus Sirius Tarazed Unuk Vega Wezen Yildun Zosma'
).split(' ')

/** Prey, scattered all over the square. `key`: equal ones give equal places. */
export function scatter(world: World, count: number, key: number): void {
  let drawn = 0
  world.spawnMany(count, [Position, Velocity, Prey], (chunk) => {
    const { x, y } = chunk.write(Position)
    const { x: vx, y: vy } = chunk.write(Velocity)
    for (let i = chunk.start; i < chunk.end; i++) {
      x[i] = randomFloat(key, drawn++) * SIZE
      y[i] = randomFloat(key, drawn++) * SIZE
      const angle = randomFloat(key, drawn++) * TURN
      vx[i] = cos(angle) * CRUISE
      vy[i] = sin(angle) * CRUISE
    }
  })
}

/** The hunters, each with a name. */
export function loose(world: World, key: number): void {
  for (let k = 0; k < HUNTERS; k++) {
    world.spawn(
      Position({ x: randomFloat(key, 2 * k) * SIZE, y: randomFloat(key, 2 * k + 1) * SIZE }),
      Velocity({ x: CRUISE }),
      Hunter,
      Hunger,
      Name({ value: NAMES[k % NAMES.length] }),
    )
  }
}
