// Owns the figures of a day, taken when it ends. It must never change the world.

import { takeFigures } from '../figures.js'

/** @param {object[]} days gets one more entry each day */
export function createRecord(world, days) {
  const figures = takeFigures(world)
  return function record() {
    days.push(figures())
  }
}
