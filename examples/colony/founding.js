// The first morning, with what it takes: chance, the ground and its plants, nests with their settlers, spiders, names.

import * as c from './components.js'

// Every random number is a pure function of the seed, the moment, who asks and what for: nothing is kept, so a run can be continued
// from a copy of its world.

const GOLDEN_RATIO_32 = 0x9e3779b9

/** Scatters 32 bits so that neighbouring inputs give unrelated outputs (multipliers found by Chris Wellons). */
export function scatter(bits) {
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0xd35a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}

/** One key for all that happens at a moment. */
export const momentKey = (seed, moment) => scatter(scatter(seed ^ GOLDEN_RATIO_32) + moment)

/** 32 random bits for one who asks, an entity for example, at that moment. */
export const bitsOf = (key, who) => scatter(key ^ Math.imul(who, GOLDEN_RATIO_32))

/** A whole number from 0 to `count` - 1, made of 32 random bits. */
export const below = (bits, count) => Math.floor((bits / 4294967296) * count)

/** The handles of all cells, which are never destroyed, row by row: the entity at (x, y) is `cells[y * side + x]`. */
export const cellsOf = (world) => world.query(c.Cell, c.Scent).entities()

/** A place without a plant in the land around a nest, by random bits: ants would never find one that stands on another. */
export function freePlace(world, cells, side, neighbour, bits) {
  const ground = world.accessor(c.Cell)
  const left = neighbour.x - (neighbour.x % c.LAND)
  const top = neighbour.y - (neighbour.y % c.LAND)
  for (;;) {
    const x = left + below(bits, c.LAND)
    bits = scatter(bits)
    const y = top + below(bits, c.LAND)
    bits = scatter(bits)
    if (!world.isAlive(ground.of(cells[y * side + x]).source)) return { x, y }
  }
}

/** Lets a plant cover the cells around its place; a plant that stood there first keeps them. */
export function cover(world, cells, side, source, { x, y }) {
  const ground = world.accessor(c.Cell)
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

  const chance = momentKey(seed, 0xffffffff)
  layGround(world, side)
  const cells = cellsOf(world)
  for (let i = 0; i < nests; i++) {
    const x = (i % lands) * c.LAND + c.LAND / 2
    const y = Math.floor(i / lands) * c.LAND + c.LAND / 2
    const settlers = Math.floor((ants * (i + 1)) / nests) - Math.floor((ants * i) / nests)
    plantAround(world, cells, side, { x, y }, bitsOf(chance, 2 * i))
    foundNest(world, i, { x, y, settlers }, chance)
    for (let k = 0; k < c.SPIDERS_PER_NEST; k++) {
      const bits = scatter(bitsOf(chance, 2 * i + 1) + k)
      world.spawn(c.Spider({ x: below(bits, side), y: below(scatter(bits), side) }))
    }
  }
}

function layGround(world, side) {
  let next = 0
  world.spawnMany(side * side, [c.Cell, c.Scent], (chunk) => {
    const { x, y } = chunk.write(c.Cell)
    for (let i = chunk.start; i < chunk.end; i++, next++) {
      x[i] = next % side
      y[i] = Math.floor(next / side)
    }
  })
}

function plantAround(world, cells, side, nest, bits) {
  for (let i = 0; i < c.SOURCES_PER_NEST; i++) {
    const place = freePlace(world, cells, side, nest, scatter(bits + i))
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
  const commands = world.commands()
  const stored = settlers * c.FIRST_STORE_PER_ANT
  const nest = commands.spawn(c.Nest({ x, y, stored }), c.Name({ value: nestName(number) }))
  const nurses = Math.round(settlers * c.SETTLER_NURSES)
  for (let i = 0; i < settlers; i++) {
    // Of all ages, so that they do not all die on one day.
    const bits = bitsOf(chance, (number << 16) + i)
    const [foragesFrom, diesOn] = [2 + (bits % c.NURSING_DAYS), 2 + below(bits, c.OLD_AGE)]
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

const NESTS =
  'Amber Birch Clay Dune Elder Fern Gorse Heath Ivory Juniper Knoll Larch Moss Nettle Oak Pine'.split(' ')
const ANTS = 'Ada Bo Cleo Dot Effie Fay Gil Hob Ida Jet Kit Lou Mab Nell Olive Pip Quill Ria Sal Tess'.split(
  ' ',
)
export const nestName = (number) => named(NESTS, number)
export const antName = (number) => named(ANTS, number)

/** 'Amber', and after the last one of the list 'Amber II', 'Amber III' and so on. */
function named(list, number) {
  const round = Math.floor(number / list.length) + 1
  return round === 1 ? list[number % list.length] : `${list[number % list.length]} ${roman(round)}`
}

function roman(number) {
  const [ones, tens] = ['I II III IV V VI VII VIII IX', 'X XX XXX XL L LX LXX LXXX XC'].map((digits) => [
    '',
    ...digits.split(' '),
  ])
  return 'C'.repeat(number / 100) + tens[Math.floor(number / 10) % 10] + ones[number % 10]
}
