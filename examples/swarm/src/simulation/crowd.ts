// Owns what every cell has to know of the swarm as a whole. It must never look at one agent.

import type { Query } from 'strata-ecs'
import { CELLS, CONTAGION, SMOTHERING } from './settings.ts'

/** How many of them would be in a cell if they were spread evenly; a little more, so that it is never 0. */
export const usualIn = (agents: Query): number => agents.count / (CELLS * CELLS) + 0.01

/** Heat gained, a second, where all around are on fire: less the more of the swarm burns. */
export const contagionAmong = (flock: Query, burning: Query): number =>
  CONTAGION * Math.max(0, 1 - burning.count / (flock.count + 1) / SMOTHERING)
