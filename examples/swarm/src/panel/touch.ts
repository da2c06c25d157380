// What a person does to the swarm by a tap, or by lightning. Points are in units of the square.

import { NULL_ENTITY } from 'strata-ecs'
import { Position } from '../simulation/components.ts'
import { LIGHTNING_RADIUS } from '../simulation/settings.ts'
import type { Tap } from './address.ts'
import type { Page } from './panel.ts'

/** What a finger sets on fire at least. */
const FINGER_RADIUS = 6
/** How far around a point an agent is looked for by keyboard, as wide as need be. */
const REACHES = [8, 32, 128, 512]

export type Touch = ReturnType<typeof createTouch>

export function createTouch({ swarm, pick, tell }: Pick<Page, 'swarm' | 'pick' | 'tell'>) {
  const touch = {
    mode: 'pick' as Tap,
    tap: (x: number, y: number, radius: number): void => {
      if (touch.mode === 'fire') swarm.ignite(x, y, Math.max(radius, FINGER_RADIUS))
      else pick(swarm.nearest(x, y, radius))
    },
    /** Lightning strikes where somebody is. */
    strike: (): void => {
      const { flock, world } = swarm
      const target = flock.at(Math.floor(Math.random() * flock.count))
      const place = target === undefined ? undefined : world.get(target, Position)
      if (place === undefined) return tell('Nobody is left for lightning to strike.')
      swarm.ignite(place.x, place.y, LIGHTNING_RADIUS)
      tell('Lightning struck.')
    },
    pickNearest(x: number, y: number): void {
      for (const reach of REACHES) {
        const found = swarm.nearest(x, y, reach)
        if (found !== NULL_ENTITY) return pick(found)
      }
      tell('There is no agent to pick.')
    },
  }
  return touch
}
