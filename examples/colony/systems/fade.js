// Owns how scents fade, once an hour. It must never visit ground without scent: most of it has none.

import { Scent } from '../components.js'
import { FAINT, SCENT_PER_HOUR } from '../settings.js'

export function createFade(world) {
  const scented = world.query(Scent).where(Scent, 'strength', '>', 0)
  return function fade() {
    for (const chunk of scented) {
      const { strength } = chunk.write(Scent)
      for (let i = chunk.start; i < chunk.end; i++) {
        strength[i] = strength[i] < FAINT ? 0 : strength[i] * SCENT_PER_HOUR
      }
    }
  }
}
