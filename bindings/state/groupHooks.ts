// Owns what the lower rooms ask of groups: group() brings it, and a program without groups does not carry it.
// It must never hold code that runs in a world without groups.

import type { Registration } from './registration'
import type { WorldState } from './worldState'

/** What group() leaves in a world, as WorldState.grouping. Groups lie in memory: a world that takes over memory takes it, too. */
export interface GroupHooks {
  /** The address of the group that consists of exactly these pools; 0 if they are not a group. */
  addressOf(state: WorldState, pools: readonly Registration[]): number
  /** The class of loops over a group: see iteration/strategyOf.ts. */
  readonly Loop: unknown
}
