// A player that needs no person: it flies about and fires, by the frame and a seed alone.

import { random } from 'strata-ecs/kernel'
import { FIRE } from './game/components.ts'

/** Frames for which it keeps its mind. */
const MIND = 14

export function botInput(seed: number, frame: number): number {
  const mind = random(seed, Math.floor(frame / MIND))
  const keys = (mind >>> 8) & 15
  // Now and then it only looks.
  return (mind & 3) === 0 ? 0 : keys | (mind & 4 ? FIRE : 0)
}
