// Goes back in time, and checks memory.

import type { Snapshot, World } from '../../bindings/index'
import { checkInvariants } from './invariants'

/** Restores, and checks that memory is whole. */
export function restore(world: World, snapshot: Snapshot): void {
  world.restore(snapshot)
  checkInvariants(world)
}
