// What pushes prey from outside: wind that turns with time, and the sparks that fall from the sky.

import type { World } from 'strata-ecs'
import { cos, random, sin } from 'strata-ecs/kernel'
import { Position } from '../components.ts'
import { flockOf } from '../flock.ts'
import { Clock, Ground, placeOf, Sparks } from '../resources.ts'
import { CELL, CELLS, LIGHTNING_RADIUS, STEP, WIND } from '../settings.ts'

const TURN = 2 * Math.PI
/** Heat: at 1 prey is on fire. */
const MORE_THAN_ENOUGH = 2

/** Wind that blows from west or east on each line of cells, from north or south on each column. */
export function createWind(world: World) {
  const along = new Float32Array(CELLS)
  const across = new Float32Array(CELLS)
  return function wind() {
    const { urge } = world.resource(Ground)
    const seconds = world.resource(Clock).tick * STEP
    for (let k = 0; k < CELLS; k++) {
      const angle = (TURN * k) / CELLS
      along[k] = WIND * (sin(angle + seconds * 0.11) + 0.7 * sin(2 * angle - seconds * 0.17))
      across[k] = WIND * (cos(angle - seconds * 0.13) + 0.7 * sin(2 * angle + seconds * 0.19))
    }
    for (let row = 0; row < CELLS; row++) {
      for (let column = 0; column < CELLS; column++) {
        const at = placeOf(row, column)
        urge[at] = along[row]
        urge[at + 1] = across[column]
      }
    }
  }
}

/** Lightning strikes somebody, whoever it is. */
export function createLightning(world: World) {
  const flock = flockOf(world)
  const position = world.accessor(Position)
  return function lightning() {
    const { tick, seed } = world.resource(Clock)
    const struck = flock.at(random(seed, tick) % Math.max(flock.count, 1))
    if (struck === undefined) return
    const { x, y } = position.of(struck)
    world.resource(Sparks)!.push({ x, y, radius: LIGHTNING_RADIUS })
  }
}

/** Sparks tell all who look at the cells around them to catch fire. */
export function createSparks(world: World) {
  return function sparks() {
    const list = world.resource(Sparks)!
    const { advice } = world.resource(Ground)
    for (const { x, y, radius } of list) {
      const cells = Math.ceil(radius / CELL)
      const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)]
      for (let dr = -cells; dr <= cells; dr++)
        for (let dc = -cells; dc <= cells; dc++) {
          if (dr * dr + dc * dc > cells * cells) continue
          advice[placeOf(row + dr, column + dc) + 2] += MORE_THAN_ENOUGH
        }
    }
    list.length = 0
  }
}
