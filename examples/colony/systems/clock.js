// Owns the time of day and the weather, from the number of frames. It must never ask the computer's clock.

import { Time } from '../resources.js'
import { DAWN, DRY_DAYS, DUSK, FRAMES_PER_DAY, HOURS_PER_FRAME, WEATHER_DAYS } from '../settings.js'

export function clock(world) {
  const time = world.resource(Time)
  time.hour = (DAWN + time.frame * HOURS_PER_FRAME) % 24
  time.day = 1 + Math.floor(time.frame / FRAMES_PER_DAY)
  time.light = time.hour >= DAWN && time.hour < DUSK
  time.dry = time.day % WEATHER_DAYS >= WEATHER_DAYS - DRY_DAYS
  time.frame++
}
