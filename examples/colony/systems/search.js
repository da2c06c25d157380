// Owns the walk of ants without food: along scents, else at random, until they stand on a plant. One in four is a scout,
// who follows no trail and finds what the others do not know.
// It must never move a carrier; carry.js does.

import { Awake, Body, Cell, Load, Nest, Scent, Source, Walk } from '../components.js'
import { placesOf, DX, DY } from '../ground.js'
import { bitsOf, momentKey } from '../random.js'
import { Settings, Time } from '../resources.js'
import { FAINT, FIRST_SCENT, LOAD } from '../settings.js'
import { not } from 'strata-ecs'

// Turns of the head in eighths of a circle, by random bits: mostly straight on.
const WANDERING = Int8Array.of(0, 0, 0, 0, 0, 0, 1, -1)

/** No turn at all: there is nothing to smell. */
const LOST = 8

export function createSearch(world) {
  // Walk is the only sparse component with a column here. Carriers lie packed in front of its pool, because of the
  // group with Load, so the others are long runs of rows.
  const searchers = world.query(Walk, Awake, not(Load))
  // Each of them smells three cells in a step: that is where the time goes, and what the heap-wide arrays are for.
  const scentAt = placesOf(world, Scent, 'strength')
  const sourceAt = placesOf(world, Cell, 'source')
  const sources = world.accessor(Source)
  const bodies = world.accessor(Body)
  const nests = world.accessor(Nest)

  return function search() {
    const { seed, side } = world.resource(Settings)
    const time = world.resource(Time)
    const key = momentKey(seed, time.step++)

    for (const chunk of searchers) {
      const { x, y, heading } = chunk.write(Walk)
      const { entities, heap } = chunk
      for (let i = chunk.start; i < chunk.end; i++) {
        const bits = bitsOf(key, entities[i])
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
