// Owns the growth of plants, and the seedling that an eaten-up one leaves nearby. It must never be eaten from here.

import { Discarded, not } from 'strata-ecs'
import { Source } from '../components.js'
import { cellsOf, cover, freePlace } from '../ground.js'
import { bitsOf, momentKey } from '../random.js'
import { Settings, Time, Totals } from '../resources.js'
import { FULL_SOURCE, GROWTH_PER_HOUR, SEEDLING } from '../settings.js'

export function createPlants(world) {
  const sources = world.query(Source, not(Discarded))
  const cells = cellsOf(world)

  return function plants() {
    const { seed, side } = world.resource(Settings)
    const totals = world.resource(Totals)
    const { frame, dry } = world.resource(Time)
    const key = momentKey(seed, frame)
    sources.each((entity, source) => {
      if (source.food === 0) {
        leaveSeedling(entity, source, bitsOf(key, entity), side)
        totals.grown += SEEDLING
        return
      }
      const grown = dry ? 0 : Math.min(GROWTH_PER_HOUR, FULL_SOURCE - source.food)
      source.food += grown
      totals.grown += grown
    })
  }

  function leaveSeedling(plant, { x, y }, bits, side) {
    const place = freePlace(world, cells, side, { x, y }, bits)
    const seedling = world.clone(plant)
    world.set(seedling, Source, { ...place, food: SEEDLING })
    cover(world, cells, side, seedling, place)
    world.discard(plant)
  }
}
