// Owns what a person does to the swarm from outside: a tap, lightning, and the same by keyboard at the middle of the view.
// It must never know where on the screen something is: points are in units of the square.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import { Position } from '../simulation/components.ts'
import { LIGHTNING_RADIUS } from '../simulation/settings.ts'
import type { Swarm } from '../simulation/swarm.ts'
import type { Tap } from './address.ts'

/** What a finger sets on fire at least, in units. */
const FINGER_RADIUS = 6
/** How far around a point an agent is looked for by keyboard, as wide as need be. */
const REACHES = [8, 32, 128, 512]

export class Touch {
  /** What a tap does. */
  mode: Tap = 'pick'

  constructor(
    private readonly swarm: Swarm,
    private readonly pick: (entity: Entity) => void,
    private readonly tell: (news: string) => void,
  ) {}

  tap(x: number, y: number, radius: number): void {
    if (this.mode === 'fire') this.ignite(x, y, Math.max(radius, FINGER_RADIUS))
    else this.pick(this.swarm.nearest(x, y, radius))
  }

  /** Sets fire; the next step does it. */
  ignite(x: number, y: number, radius: number): void {
    this.swarm.ignite(x, y, radius)
  }

  /** Strikes where somebody is. */
  strike(): void {
    const { flock, world } = this.swarm
    const target = flock.at(Math.floor(Math.random() * flock.count))
    const place = target === undefined ? undefined : world.get(target, Position)
    if (place === undefined) return this.tell('Nobody is left for lightning to strike.')
    this.ignite(place.x, place.y, LIGHTNING_RADIUS)
    this.tell('Lightning struck.')
  }

  /** Picks the agent that is nearest to a point. */
  pickNearest(x: number, y: number): void {
    for (const reach of REACHES) {
      const found = this.swarm.nearest(x, y, reach)
      if (found !== NULL_ENTITY) return this.pick(found)
    }
    this.tell('There is no agent to pick.')
  }
}
