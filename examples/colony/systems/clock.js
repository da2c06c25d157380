// Owns the time of day, from the number of frames. It must never ask the computer's clock.

import { Time } from '../resources.js'
import { DAWN, DUSK, FRAMES_PER_DAY, HOURS_PER_FRAME } from '../settings.js'

export function clock(world) {
  const time = world.resource(Time)
  time.hour = (DAWN + time.frame * HOURS_PER_FRAME) % 24
  time.day = 1 + Math.floor(time.frame / FRAMES_PER_DAY)
  time.light = time.hour >= DAWN && time.hour < DUSK
  time.frame++
}
