// Owns the food that spoils in the nests, a part of each store every morning. It must never spoil what still grows.

import { Nest } from '../components.js'
import { Totals } from '../resources.js'
import { SPOILED_A_DAY } from '../settings.js'

export function createSpoil(world) {
  const nests = world.query(Nest)
  return function spoil() {
    const totals = world.resource(Totals)
    nests.each((entity, nest) => {
      const spoiled = Math.floor(nest.stored * SPOILED_A_DAY)
      nest.stored -= spoiled
      totals.lost += spoiled
    })
  }
}
