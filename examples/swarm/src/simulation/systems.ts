// What happens in a step beside the inner loops: weather, fire, hunters, births.

import {
  addMany,
  createAccessor,
  destroyMany,
  NULL_ENTITY,
  not,
  spawnMany,
  type Entity,
  type World,
} from 'strata-ecs'
import { cos, random, randomFloat, sin } from 'strata-ecs/kernel'
import * as c from './components.ts'
import * as s from './settings.ts'
import { around, placeOf, wayTo, wrap } from './torus.ts'

const { Burning, Clock, Ground, Hunger, Hunter, Name, Position, Prey, Sparks, Velocity, Wish } = c
const { CELL, CELLS, STEP } = s
const TURN = 2 * Math.PI

/** Wind that blows from west or east on each line of cells, from north or south on each column. */
export function createWind(world: World) {
  const along = new Float32Array(CELLS)
  const across = new Float32Array(CELLS)
  return function wind() {
    const { urge } = world.resource(Ground)
    const seconds = world.resource(Clock).tick * STEP
    for (let k = 0; k < CELLS; k++) {
      const angle = (TURN * k) / CELLS
      along[k] = s.WIND * (sin(angle + seconds * 0.11) + 0.7 * sin(2 * angle - seconds * 0.17))
      across[k] = s.WIND * (cos(angle - seconds * 0.13) + 0.7 * sin(2 * angle + seconds * 0.19))
    }
    for (let row = 0; row < CELLS; row++)
      for (let column = 0; column < CELLS; column++) {
        const at = placeOf(row, column)
        urge[at] = along[row]
        urge[at + 1] = across[column]
      }
  }
}

/** The cells around a place, as far as a radius in cells, with the way to each in cells. */
function cellsAround(
  x: number,
  y: number,
  radius: number,
  visit: (at: number, dc: number, dr: number) => void,
) {
  const column = Math.floor(x / CELL)
  const row = Math.floor(y / CELL)
  for (let dr = -radius; dr <= radius; dr++)
    for (let dc = -radius; dc <= radius; dc++) visit(placeOf(row + dr, column + dc), dc, dr)
}

export function createFear(world: World) {
  const hunters = c.huntersOf(world)
  return function fear() {
    const { urge } = world.resource(Ground)
    hunters.each((_, { x, y }) =>
      cellsAround(x, y, Math.ceil(s.FEAR_RADIUS / CELL), (at, dc, dr) => {
        const distance = Math.sqrt(dr * dr + dc * dc) * CELL
        if (distance >= s.FEAR_RADIUS) return
        const push = (s.FEAR * (1 - distance / s.FEAR_RADIUS)) / (distance + CELL / 2)
        urge[at] += push * dc * CELL
        urge[at + 1] += push * dr * CELL
      }),
    )
  }
}

/** Lightning strikes an agent, whichever it is. */
export function createLightning(world: World) {
  const flock = c.flockOf(world)
  return function lightning() {
    const { tick, seed } = world.resource(Clock)
    const struck = flock.at(random(seed, tick) % Math.max(flock.count, 1))
    const place = struck === undefined ? undefined : world.get(struck, Position)
    if (place) world.resource(Sparks)!.push({ ...place, radius: s.LIGHTNING_RADIUS })
  }
}

/** Sparks tell all who look at the cells around them to catch fire. */
export function createSparks(world: World) {
  return function sparks() {
    const list = world.resource(Sparks)!
    const { advice } = world.resource(Ground)
    for (const { x, y, radius } of list) {
      const reach = Math.ceil(radius / CELL)
      // At a heat of 1 prey is on fire: this is more than enough.
      cellsAround(x, y, reach, (at, dc, dr) => {
        if (dr * dr + dc * dc <= reach * reach) advice[at + 2] += 2
      })
    }
    list.length = 0
  }
}

/** All who are hot enough catch fire, in one call: they move to the archetype of what burns. */
export function createIgnition(world: World) {
  const hot = c.flockOf(world).where(Prey, 'heat', '>=', 1)
  return function ignite() {
    addMany(hot, Burning)
  }
}

/** All who have burnt down die, in one call. */
export function createAshes(world: World) {
  const burnt = c.burningOf(world).where(Burning, 'left', '<=', 0)
  return function ashes() {
    destroyMany(burnt)
  }
}

/**
 * Hungry hunters chase one of the prey each, and eat what is within reach of it. The one that is chased may have died
 * since: its handle says so.
 */
export function createHunt(world: World) {
  const hungry = world.query(Position, Velocity, Hunter, Hunger)
  const flock = c.flockOf(world)
  const position = createAccessor(world, Position)
  return function hunt() {
    const { tick } = world.resource(Clock)
    hungry.each((hunter, at, velocity, chase, hunger) => {
      if (!world.isAlive(chase.target)) {
        chase.target = NULL_ENTITY
        // Not all of them in the same step.
        if ((tick + hunter) % s.LOOK_STEPS === 0) chase.target = preyNear(at.x, at.y)
        return
      }
      const prey = position.of(chase.target)
      const [dx, dy] = [wayTo(at.x, prey.x), wayTo(at.y, prey.y)]
      const distance = Math.sqrt(dx * dx + dy * dy) + 0.001
      velocity.x += ((dx / distance) * s.HUNTER_SPEED - velocity.x) * 4 * STEP
      velocity.y += ((dy / distance) * s.HUNTER_SPEED - velocity.y) * 4 * STEP
      if (distance > s.REACH) return
      for (const caught of around(flock, prey.x, prey.y, s.REACH)) chase.caught += destroyMany(caught)
      hunger.sated = s.DIGESTION_SECONDS
      world.disable(hunter, Hunger)
    })
  }

  function preyNear(x: number, y: number) {
    for (const some of around(flock, x, y, s.SIGHT)) {
      const first = some.first()
      if (first !== undefined) return first
    }
    return NULL_ENTITY
  }
}

/** Hunters fly on; those that digest become hungry again. */
export function createProwl(world: World) {
  const hunters = c.huntersOf(world)
  const sated = world.query(Hunter, not(Hunger))
  const hunger = createAccessor(world, Hunger)
  return function prowl() {
    hunters.each((_, position, velocity) => {
      position.x = wrap(position.x + velocity.x * STEP)
      position.y = wrap(position.y + velocity.y * STEP)
    })
    sated.each((hunter) => {
      const own = hunger.of(hunter)
      own.sated -= STEP
      if (own.sated <= 0) world.enable(hunter, Hunger)
    })
  }
}

/** Prey has young until there is as much of it as is wished for: beside its parents, who are any of the flock, and with their velocity. */
export function createBirths(world: World) {
  const prey = world.query(Prey)
  const flock = c.flockOf(world)
  const [position, velocity] = [createAccessor(world, Position), createAccessor(world, Velocity)]
  return function births() {
    const wish = world.resource(Wish).prey
    const young = Math.min(wish - prey.count, Math.ceil(wish * s.FERTILITY))
    if (young <= 0) return
    const { tick, seed } = world.resource(Clock)
    const key = random(seed, tick)
    const parents = flock.count
    if (parents === 0) return scatter(world, young, key)
    let drawn = 0
    const chosen = Array.from({ length: young }, () => flock.at(random(key, drawn++) % parents) as Entity)
    let next = 0
    spawnMany(world, young, [Position, Velocity, Prey], (chunk) => {
      const { x, y } = chunk.write(Position)
      const { x: vx, y: vy } = chunk.write(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        const parent = chosen[next++]
        const at = position.of(parent)
        const flies = velocity.of(parent)
        x[i] = wrap(at.x + randomFloat(key, drawn++) * 4 - 2)
        y[i] = wrap(at.y + randomFloat(key, drawn++) * 4 - 2)
        vx[i] = flies.x
        vy[i] = flies.y
      }
    })
  }
}

/** Prey, scattered all over the square. `key`: equal ones give equal places. */
export function scatter(world: World, count: number, key: number): void {
  let drawn = 0
  spawnMany(world, count, [Position, Velocity, Prey], (chunk) => {
    const { x, y } = chunk.write(Position)
    const { x: vx, y: vy } = chunk.write(Velocity)
    for (let i = chunk.start; i < chunk.end; i++) {
      x[i] = randomFloat(key, drawn++) * s.SIZE
      y[i] = randomFloat(key, drawn++) * s.SIZE
      const angle = randomFloat(key, drawn++) * TURN
      vx[i] = cos(angle) * s.CRUISE
      vy[i] = sin(angle) * s.CRUISE
    }
  })
}

const NAMES = (
  'Altair Bellatrix Castor Deneb Electra Furud Gienah Hadar Izar Jabbah Kochab Lesath Mizar Nashira Oberon Pollux ' +
  'Regulus Sirius Tarazed Unuk Vega Wezen Yildun Zosma'
).split(' ')

export function loose(world: World, key: number): void {
  for (let k = 0; k < s.HUNTERS; k++) {
    world.spawn(
      Position({ x: randomFloat(key, 2 * k) * s.SIZE, y: randomFloat(key, 2 * k + 1) * s.SIZE }),
      Velocity({ x: s.CRUISE }),
      Hunter,
      Hunger,
      Name({ value: NAMES[k % NAMES.length] }),
    )
  }
}
