// Owns the walk of carriers: straight home, laying a trail that grows fainter on the way.
// It must never look at rows of other ants: a group has all it needs side by side.

import { Load, Nest, Scent, Walk } from '../components.js'
import { cellsOf, DX, DY, headingTo } from '../ground.js'
import { Settings, Totals } from '../resources.js'
import { SCENT_FADES } from '../settings.js'

export function createCarry(world) {
  const carriers = world.group(Walk, Load)
  const cells = cellsOf(world)
  const scents = world.accessor(Scent)
  const nests = world.accessor(Nest)

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
