// Which agents are meant by what, and what every cell has to know of the swarm as a whole.

import { not, type Query, type World } from 'strata-ecs'
import { Burning, Hunter, Position, Prey, Velocity } from './components.ts'
import { CELLS, CONTAGION, SMOTHERING } from './settings.ts'

/** Prey that is not on fire: it flocks. */
export const flockOf = (world: World) => world.query(Position, Velocity, Prey, not(Burning))
export const burningOf = (world: World) => world.query(Position, Velocity, Prey, Burning)
export const huntersOf = (world: World) => world.query(Position, Velocity, Hunter)

/** How many of them would be in a cell if they were spread evenly; a little more, so that it is never 0. */
export const usualIn = (agents: Query): number => agents.count / (CELLS * CELLS) + 0.01

/** Heat gained, a second, where all around are on fire: less the more of the swarm burns. */
export const contagionAmong = (flock: Query, burning: Query): number =>
  CONTAGION * Math.max(0, 1 - burning.count / (flock.count + 1) / SMOTHERING)
