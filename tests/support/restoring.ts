// Goes back in time, and checks memory.

import { restoreWorld, type Snapshot, type World } from '../../bindings/index'
import { checkInvariants } from './invariants'

/** Restores, and checks that memory is whole. */
export function restoreChecked(world: World, snapshot: Snapshot): void {
  restoreWorld(world, snapshot)
  checkInvariants(world)
}
