// What JavaScript has to do with the cells: a world over their module, one call a day, a look at the result.

import { callModule, component, createWorld, f32, u32 } from 'strata-ecs'

export const Cell = component('Cell', { x: f32, energy: f32, age: u32 })

/** Grows cells for some days; the world, and how many there were each evening. */
export function grow(module, { cells = 1000, days = 200 } = {}) {
  const world = createWorld({ core: module })
  callModule(world, 'start', Cell)
  callModule(world, 'sow', cells)
  const evenings = Array.from({ length: days }, () => callModule(world, 'day'))
  return { world, evenings }
}
