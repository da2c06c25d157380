// Owns the first morning: ground, plants, nests with their settlers, spiders.
// It must never be needed again: what comes later, systems make.

import {
  Awake,
  Body,
  Cell,
  Forager,
  Hungry,
  Larva,
  Name,
  Nest,
  Nurse,
  Scent,
  Source,
  Spider,
  Walk,
} from './components.js'
import { cellsOf, cover, freePlace } from './ground.js'
import { nestName } from './names.js'
import { below, bitsOf, momentKey, scatter } from './random.js'
import { Settings, Totals } from './resources.js'
import {
  ANTS_PER_NEST,
  FIRST_STORE_PER_ANT,
  FULL_ENERGY,
  FULL_SOURCE,
  LAND,
  NURSING_DAYS,
  OLD_AGE,
  PATIENCE,
  SETTLER_NURSES,
  SOURCES_PER_NEST,
  SPIDERS_PER_NEST,
} from './settings.js'

/** The listeners of census.js must be there already: they count the settlers, too. */
export function found(world, { ants, seed }) {
  const nests = Math.max(1, Math.round(ants / ANTS_PER_NEST))
  const lands = Math.ceil(Math.sqrt(nests))
  const side = lands * LAND
  world.setResource(Settings, { seed, side })

  const chance = momentKey(seed, 0xffffffff)
  layGround(world, side)
  const cells = cellsOf(world)
  for (let i = 0; i < nests; i++) {
    const x = (i % lands) * LAND + LAND / 2
    const y = Math.floor(i / lands) * LAND + LAND / 2
    const settlers = Math.floor((ants * (i + 1)) / nests) - Math.floor((ants * i) / nests)
    plantAround(world, cells, side, { x, y }, bitsOf(chance, 2 * i))
    foundNest(world, i, { x, y, settlers }, chance)
    scatterSpiders(world, side, bitsOf(chance, 2 * i + 1))
  }
}

function layGround(world, side) {
  let next = 0
  world.spawnMany(side * side, [Cell, Scent], (chunk) => {
    const { x, y } = chunk.write(Cell)
    for (let i = chunk.start; i < chunk.end; i++, next++) {
      x[i] = next % side
      y[i] = Math.floor(next / side)
    }
  })
}

function plantAround(world, cells, side, nest, bits) {
  const totals = world.resource(Totals)
  for (let i = 0; i < SOURCES_PER_NEST; i++) {
    const place = freePlace(world, cells, side, nest, scatter(bits + i))
    const source = world.spawn(Source({ ...place, food: FULL_SOURCE }))
    cover(world, cells, side, source, place)
    totals.supplied += FULL_SOURCE
  }
}

function scatterSpiders(world, side, bits) {
  for (let i = 0; i < SPIDERS_PER_NEST; i++) {
    const ofThis = scatter(bits + i)
    world.spawn(Spider({ x: below(ofThis, side), y: below(scatter(ofThis), side) }))
  }
}

/**
 * A nest and its ants come into being together: the ants name the nest in their fields before it exists, by the
 * handle that the buffer reserves for it.
 */
function foundNest(world, number, { x, y, settlers }, chance) {
  const commands = world.commands()
  const stored = settlers * FIRST_STORE_PER_ANT
  const nest = commands.spawn(Nest({ x, y, stored }), Name({ value: nestName(number) }))
  const nurses = Math.round(settlers * SETTLER_NURSES)
  for (let i = 0; i < settlers; i++) {
    // Of all ages, so that they do not all die on one day.
    const bits = bitsOf(chance, (number << 16) + i)
    const body = Body({
      nest,
      energy: FULL_ENERGY,
      foragesFrom: 2 + (bits % NURSING_DAYS),
      diesOn: 2 + below(bits, OLD_AGE),
    })
    if (i < nurses) commands.spawn(body, Nurse, Awake)
    else commands.spawn(body, Forager, Awake, Walk({ x, y, heading: i % 8 }))
  }
  commands.spawn(Larva({ nest, patience: PATIENCE }), Hungry)
  commands.apply()

  const totals = world.resource(Totals)
  totals.supplied += stored
  totals.settlers += settlers
}
