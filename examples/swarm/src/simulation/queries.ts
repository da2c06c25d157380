// Owns which agents are meant by what. It must never change any.

import { not, type World } from 'strata-ecs'
import { Burning, Hunter, Position, Prey, Velocity } from './components.ts'

/** Prey that is not on fire: it flocks. */
export const flockOf = (world: World) => world.query(Position, Velocity, Prey, not(Burning))
export const burningOf = (world: World) => world.query(Position, Velocity, Prey, Burning)
export const huntersOf = (world: World) => world.query(Position, Velocity, Hunter)
