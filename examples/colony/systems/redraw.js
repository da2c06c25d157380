// Owns the picture of the trails: one number from 0 to 9 for each cell. It must never look at a cell that did not change
// since it was looked at last, be that an hour ago or a night.

import { changed } from 'strata-ecs'
import { Cell, Scent } from '../components.js'
import { Settings, Totals } from '../resources.js'
import { shadeOf } from '../picture.js'

/** @param {Uint8Array} picture a shade for each cell, row by row */
export function createRedraw(world, picture) {
  const fresh = world.query(Cell, changed(Scent))
  return function redraw() {
    const { side } = world.resource(Settings)
    const totals = world.resource(Totals)
    for (const chunk of fresh) {
      const { x, y } = chunk.read(Cell)
      const { strength } = chunk.read(Scent)
      for (let i = chunk.start; i < chunk.end; i++) picture[y[i] * side + x[i]] = shadeOf(strength[i])
      totals.cellsRedrawn += chunk.end - chunk.start
    }
  }
}
