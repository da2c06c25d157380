// Which body is under a point of the page.

import type { Point } from '../../../page/pointers.ts'
import type { Camera } from './camera.ts'

/**
 * A body can be taken hold of this many pixels from its edge, because fingers are broad; of one smaller than a pixel, fewer:
 * a hand that turns the view must not catch debris everywhere.
 */
const REACH = 14

/**
 * The slot of the body at a point, -1 when there is none. Of several the largest in sight wins, so that a planet is not lost
 * among its debris.
 *
 * @param looks for each slot size, kind, hue and 0
 * @param except a slot that does not count
 */
export function pick(
  camera: Camera,
  places: Float32Array,
  looks: Float32Array,
  { x, y }: Point,
  except: number,
): number {
  let found = -1
  let best = -Infinity
  for (let slot = 0; slot < looks.length / 4; slot++) {
    if (slot === except) continue
    const spot = camera.spot(places[4 * slot], places[4 * slot + 1], places[4 * slot + 2])
    if (spot.depth <= 0) continue
    const radius = (looks[4 * slot] * camera.scale) / spot.depth
    const reach = radius + REACH * Math.min(1, radius * radius)
    const away = Math.hypot(spot.x - x, spot.y - y)
    if (away > reach) continue
    const worth = Math.log(radius + 0.1) - (away / reach) * 3
    if (worth > best) {
      best = worth
      found = slot
    }
  }
  return found
}
