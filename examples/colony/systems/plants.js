// Owns the growth of plants, and the seedling that an eaten-up one leaves elsewhere. It must never be eaten from here.

import { Discarded, not } from 'strata-ecs'
import { Cell, Source } from '../components.js'
import { cellsOf, plant } from '../ground.js'
import { below, bitsOf, momentKey, scatter } from '../random.js'
import { Settings, Time, Totals } from '../resources.js'
import { FULL_SOURCE, GROWTH_PER_HOUR, SEEDLING } from '../settings.js'

export function createPlants(world) {
  const sources = world.query(Source, not(Discarded))
  const cells = cellsOf(world)
  const ground = world.accessor(Cell)

  return function plants() {
    const { seed, side } = world.resource(Settings)
    const totals = world.resource(Totals)
    const { frame, dry } = world.resource(Time)
    const key = momentKey(seed, frame)
    sources.each((entity, source) => {
      if (source.food === 0) {
        scatterSeed(entity, key, side)
        totals.grown += SEEDLING
        return
      }
      const grown = dry ? 0 : Math.min(GROWTH_PER_HOUR, FULL_SOURCE - source.food)
      source.food += grown
      totals.grown += grown
    })
  }

  function scatterSeed(entity, key, side) {
    const place = freePlace(key, entity, side)
    const seedling = world.clone(entity)
    world.set(seedling, Source, { ...place, food: SEEDLING })
    plant(world, cells, side, seedling, place)
    world.discard(entity)
  }

  /** Where no plant stands; ants would never find one that stands on another. */
  function freePlace(key, entity, side) {
    for (let bits = bitsOf(key, entity); ; bits = scatter(bits)) {
      const x = below(bits, side)
      const y = below(scatter(bits + 1), side)
      if (!world.isAlive(ground.of(cells[y * side + x]).source)) return { x, y }
    }
  }
}
