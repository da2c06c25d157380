// The first morning: the ground and its plants, nests with their settlers, spiders, names. Every random number is a pure function of the
// seed, the moment, who asks and what for: nothing is kept, so a run can be continued from a copy of its world.

import { createAccessor, createCommands, spawnMany } from 'strata-ecs'
import { random } from 'strata-ecs/kernel'
import * as c from './components.js'

/** The handles of all cells, which are never destroyed, row by row: the entity at (x, y) is `cells[y * side + x]`. */
export const cellsOf = (world) => world.query(c.Cell, c.Scent).entities()

/** A place without a plant in the land around a nest: ants would never find one that stands on another. */
export function freePlace(world, cells, side, neighbour, key) {
  const ground = createAccessor(world, c.Cell)
  const left = neighbour.x - (neighbour.x % c.LAND)
  const top = neighbour.y - (neighbour.y % c.LAND)
  for (let draw = 0; ;) {
    const x = left + (random(key, draw++) % c.LAND)
    const y = top + (random(key, draw++) % c.LAND)
    if (!world.isAlive(ground.of(cells[y * side + x]).source)) return { x, y }
  }
}

/** Lets a plant cover the cells around its place; a plant that stood there first keeps them. */
export function cover(world, cells, side, source, { x, y }) {
  const ground = createAccessor(world, c.Cell)
  const from = (at) => Math.max(0, at - c.SOURCE_RADIUS)
  const to = (at) => Math.min(side - 1, at + c.SOURCE_RADIUS)
  for (let cy = from(y); cy <= to(y); cy++)
    for (let cx = from(x); cx <= to(x); cx++) {
      const cell = ground.of(cells[cy * side + cx])
      if (!world.isAlive(cell.source)) cell.source = source
    }
}

/** The listeners of schedule.js must be there already: they count the settlers, too. */
export function found(world, { ants, seed }) {
  const nests = Math.max(1, Math.round(ants / c.ANTS_PER_NEST))
  const lands = Math.ceil(Math.sqrt(nests))
  const side = lands * c.LAND
  world.setResource(c.Settings, { seed, side })

  const chance = random(seed, 0xffffffff)
  layGround(world, side)
  const cells = cellsOf(world)
  for (let i = 0; i < nests; i++) {
    const x = (i % lands) * c.LAND + c.LAND / 2
    const y = Math.floor(i / lands) * c.LAND + c.LAND / 2
    const settlers = Math.floor((ants * (i + 1)) / nests) - Math.floor((ants * i) / nests)
    plantAround(world, cells, side, { x, y }, random(chance, 2 * i))
    foundNest(world, i, { x, y, settlers }, chance)
    for (let k = 0; k < c.SPIDERS_PER_NEST; k++) {
      const key = random(chance, 2 * i + 1)
      world.spawn(c.Spider({ x: random(key, 2 * k) % side, y: random(key, 2 * k + 1) % side }))
    }
  }
}

function layGround(world, side) {
  let next = 0
  spawnMany(world, side * side, [c.Cell, c.Scent], (chunk) => {
    const { x, y } = chunk.write(c.Cell)
    for (let i = chunk.start; i < chunk.end; i++, next++) {
      x[i] = next % side
      y[i] = Math.floor(next / side)
    }
  })
}

function plantAround(world, cells, side, nest, key) {
  for (let i = 0; i < c.SOURCES_PER_NEST; i++) {
    const place = freePlace(world, cells, side, nest, random(key, i))
    const source = world.spawn(c.Source({ ...place, food: c.FULL_SOURCE }))
    cover(world, cells, side, source, place)
    world.resource(c.Totals).supplied += c.FULL_SOURCE
  }
}

/**
 * A nest and its ants come into being together: the ants name the nest in their fields before it exists, by the handle that the
 * buffer reserves for it.
 */
function foundNest(world, number, { x, y, settlers }, chance) {
  const commands = createCommands(world)
  const stored = settlers * c.FIRST_STORE_PER_ANT
  const nest = commands.spawn(c.Nest({ x, y, stored }), c.Name({ value: nestName(number) }))
  const nurses = Math.round(settlers * c.SETTLER_NURSES)
  for (let i = 0; i < settlers; i++) {
    // Of all ages, so that they do not all die on one day.
    const key = random(chance, (number << 16) + i)
    const [foragesFrom, diesOn] = [2 + (random(key, 0) % c.NURSING_DAYS), 2 + (random(key, 1) % c.OLD_AGE)]
    const body = c.Body({ nest, energy: c.FULL_ENERGY, foragesFrom, diesOn })
    if (i < nurses) commands.spawn(body, c.Nurse, c.Awake)
    else commands.spawn(body, c.Forager, c.Awake, c.Walk({ x, y, heading: i % 8 }))
  }
  commands.spawn(c.Larva({ nest, patience: c.PATIENCE }), c.Hungry)
  commands.apply()

  const totals = world.resource(c.Totals)
  totals.supplied += stored
  totals.settlers += settlers
}

const NESTS = 'Amber Birch Clay Dune Elder Fern Gorse Heath Ivory Juniper Knoll Larch Moss Nettle Oak Pine'
const ANTS = 'Ada Bo Cleo Dot Effie Fay Gil Hob Ida Jet Kit Lou Mab Nell Olive Pip Quill Ria Sal Tess'
export const nestName = (number) => named(NESTS.split(' '), number)
export const antName = (number) => named(ANTS.split(' '), number)

/** 'Amber', and after the last one of the list 'Amber 2', 'Amber 3' and so on. */
function named(list, number) {
  const [name, round] = [list[number % list.length], 1 + Math.floor(number / list.length)]
  return round === 1 ? name : `${name} ${round}`
}
