// Owns the growth of plants, and the seedling that an eaten-up one leaves elsewhere. It must never be eaten from here.

import { Discarded, not } from 'strata-ecs'
import { Source } from '../components.js'
import { cellsOf, plant } from '../ground.js'
import { below, bitsOf, momentKey } from '../random.js'
import { Settings, Time, Totals } from '../resources.js'
import { FULL_SOURCE, GROWTH_PER_HOUR, SEEDLING } from '../settings.js'

export function createPlants(world) {
  const sources = world.query(Source, not(Discarded))
  const cells = cellsOf(world)

  return function plants() {
    const { seed, side } = world.resource(Settings)
    const totals = world.resource(Totals)
    const key = momentKey(seed, world.resource(Time).frame)
    sources.each((entity, source) => {
      if (source.food === 0) {
        scatterSeed(entity, key, side)
        totals.grown += SEEDLING
        return
      }
      const grown = Math.min(GROWTH_PER_HOUR, FULL_SOURCE - source.food)
      source.food += grown
      totals.grown += grown
    })
  }

  function scatterSeed(entity, key, side) {
    const bits = bitsOf(key, entity)
    const place = { x: below(bits, side), y: below(Math.imul(bits, 0x9e3779b9) >>> 0, side) }
    const seedling = world.clone(entity)
    world.set(seedling, Source, { ...place, food: SEEDLING })
    plant(world, cells, side, seedling, place)
    world.discard(entity)
  }
}
