// What happens four times in a frame: spiders hunt, ants search, carriers walk home.

import { createAccessor, createGroup, not } from 'strata-ecs'
import { random } from 'strata-ecs/kernel'
import * as c from './components.js'
import { cellsOf } from './founding.js'

// A module's own constants are constants of the machine code.
const { Awake, Bitten, Body, Cell, Load, Nest, Scent, Settings, Source, Spider, Time, Totals, Walk } = c
const { FAINT, FIRST_SCENT, LOAD, SCENT_FADES, STEPS_TO_DIGEST, VENOM } = c

/** The eight headings, clockwise from the east, and the one that leads towards another place; 0 where they are the same. */
const DX = Int8Array.of(1, 1, 0, -1, -1, -1, 0, 1)
const DY = Int8Array.of(0, 1, 1, 1, 0, -1, -1, -1)
const HEADINGS = Uint8Array.of(5, 6, 7, 4, 0, 0, 3, 2, 1)
const headingTo = (dx, dy) => HEADINGS[(Math.sign(dy) + 1) * 3 + Math.sign(dx) + 1]

/** Spiders choose an ant that walks, run after it, bite. Whether it survives is decided elsewhere. */
export function createHunt(world) {
  const spiders = world.query(Spider)
  const walkers = world.query(Walk)
  const walks = createAccessor(world, Walk)

  return function hunt() {
    const { seed } = world.resource(Settings)
    const { step } = world.resource(Time)
    const key = random(seed, step)
    const count = walkers.count
    if (count === 0) return

    spiders.each((entity, spider) => {
      if (step < spider.restsUntil) return
      // An ant that died is still named here until the next sweep. Its handle never leads to another ant.
      if (!world.has(spider.prey, Walk)) spider.prey = walkers.at(random(key, entity) % count)
      const { x, y } = walks.of(spider.prey)
      if (x === spider.x && y === spider.y) {
        world.add(spider.prey, Bitten({ by: entity, venom: VENOM }))
        spider.restsUntil = step + STEPS_TO_DIGEST
        return
      }
      const heading = headingTo(x - spider.x, y - spider.y)
      spider.x += DX[heading]
      spider.y += DY[heading]
    })
  }
}

/**
 * Where the values of one field of all cells lie in the heap-wide arrays: the value of (x, y) is `heap[places[y * side + x]]`. Good
 * for as long as no cell comes or goes. It is made for reading: what is written this way marks nothing changed.
 */
function placesOf(world, component, field) {
  const cells = world.query(Cell, Scent)
  const places = new Uint32Array(cells.count)
  let next = 0
  for (const chunk of cells) {
    const first = chunk.index(component, field)
    for (let i = chunk.start; i < chunk.end; i++) places[next++] = first + i
  }
  return places
}

// Turns of the head in eighths of a circle, by random bits: mostly straight on.
const WANDERING = Int8Array.of(0, 0, 0, 0, 0, 0, 1, -1)

/** No turn at all: there is nothing to smell. */
const LOST = 8

/**
 * Ants without food follow scents, else walk at random, until they stand on a plant. One in four is a scout, who follows no trail
 * and finds what the others do not know.
 */
export function createSearch(world) {
  // Walk is the only sparse component with a column here. Carriers lie packed in front of its pool, because of the
  // group with Load, so the others are long runs of rows.
  const searchers = world.query(Walk, Awake, not(Load))
  // Each of them smells three cells in a step: that is where the time goes, and what the heap-wide arrays are for.
  const scentAt = placesOf(world, Scent, 'strength')
  const sourceAt = placesOf(world, Cell, 'source')
  const sources = createAccessor(world, Source)
  const bodies = createAccessor(world, Body)
  const nests = createAccessor(world, Nest)

  return function search() {
    const { seed, side } = world.resource(Settings)
    const time = world.resource(Time)
    const key = random(seed, time.step++)

    for (const chunk of searchers) {
      const { x, y, heading } = chunk.write(Walk)
      const { entities, heap } = chunk
      for (let i = chunk.start; i < chunk.end; i++) {
        const bits = random(key, entities[i])
        const scout = (entities[i] & 3) === 0
        const turn = scout ? LOST : bestTurn(heap.f32, x[i], y[i], heading[i], side)
        const towards =
          (heading[i] + (turn === LOST || bits >>> 29 === 0 ? WANDERING[bits & 7] : turn) + 8) & 7
        const nextX = x[i] + DX[towards]
        const nextY = y[i] + DY[towards]
        if (nextX < 0 || nextY < 0 || nextX >= side || nextY >= side) {
          heading[i] = (towards + 3 + (bits & 2)) & 7
          continue
        }
        heading[i] = towards
        x[i] = nextX
        y[i] = nextY
        const source = heap.u32[sourceAt[nextY * side + nextX]]
        if (world.isAlive(source) && pickUp(entities[i], source)) heading[i] = (towards + 4) & 7
      }
    }
  }

  /** Where among left, straight on and right it smells most; LOST where there is nothing. */
  function bestTurn(strengths, x, y, heading, side) {
    let best = LOST
    let most = FAINT
    for (let turn = -1; turn <= 1; turn++) {
      const towards = (heading + turn + 8) & 7
      const atX = x + DX[towards]
      const atY = y + DY[towards]
      if (atX < 0 || atY < 0 || atX >= side || atY >= side) continue
      const strength = strengths[scentAt[atY * side + atX]]
      if (strength <= most) continue
      most = strength
      best = turn
    }
    return best
  }

  /** The load is added when the loop is over; the plant is lighter at once, for the next ant that comes by. */
  function pickUp(ant, source) {
    const plant = sources.of(source)
    if (plant.food === 0) return false
    const food = Math.min(LOAD, plant.food)
    plant.food -= food
    const { nest } = bodies.of(ant)
    const { x: homeX, y: homeY } = nests.of(nest)
    world.add(ant, Load({ food, scent: FIRST_SCENT, nest, homeX, homeY }))
    return true
  }
}

/** Carriers walk home, leave their scent, and unload: one loop over plain columns, for the group has them side by side. */
export function createCarry(world) {
  const carriers = createGroup(world, Walk, Load)
  const cells = cellsOf(world)
  const scents = createAccessor(world, Scent)
  const nests = createAccessor(world, Nest)

  return function carry() {
    const { side } = world.resource(Settings)
    const totals = world.resource(Totals)
    for (const chunk of carriers) {
      const { x, y, heading } = chunk.write(Walk)
      const load = chunk.write(Load)
      const { food, scent, nest, homeX, homeY } = load
      for (let i = chunk.start; i < chunk.end; i++) {
        const here = scents.of(cells[y[i] * side + x[i]])
        // The strongest counts, not the sum: so a trail always grows stronger towards the food.
        here.strength = Math.max(here.strength, scent[i])
        scent[i] *= SCENT_FADES

        heading[i] = headingTo(homeX[i] - x[i], homeY[i] - y[i])
        if (x[i] !== homeX[i] || y[i] !== homeY[i]) {
          x[i] += DX[heading[i]]
          y[i] += DY[heading[i]]
          continue
        }
        nests.of(nest[i]).stored += food[i]
        totals.trips++
        world.remove(chunk.entities[i], Load)
      }
    }
  }
}
