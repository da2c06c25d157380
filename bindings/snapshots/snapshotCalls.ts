// Owns snapshot and restore: the checks of what they are given, and of when they are called.

import { checkOptions } from '../memory/arguments'
import { stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { checkSnapshot, restoreSnapshot } from './restore'
import { type Snapshot, takeSnapshot } from './snapshot'

/** Options of snapshot. */
export interface SnapshotOptions {
  /** A snapshot to write into, in place of a new one: what it held is lost, its memory is used again. */
  readonly into?: Snapshot | undefined
}

/**
 * Copies the whole state of the world: entities with their components, resources, change ticks, what queries with
 * `changed` and `added` have seen, what readers of removals have not taken, and the time and timers of its schedules.
 * Resources that are JavaScript values are copied if they have `save` and `load`, values of object components if these also say
 * `snapshots: true`. A snapshot outlives changes, reset and dispose of the world.
 * Cost: a copy of the memory in use, about 0.1 ms per MB. With `into`, nothing is allocated unless the world has grown.
 *
 * @param options `into`: a snapshot whose memory is used again
 * @returns a new snapshot, or the one to write into
 * @throws StrataError WORLD_LOCKED inside a loop; StrataTypeError INVALID_SNAPSHOT if `into` is none; LimitError
 *   MEMORY_LIMIT; what the `save` of a resource or an object throws
 * @example const before = snapshot(world)
 */
export function snapshot(world: World, options: SnapshotOptions = {}): Snapshot {
  const state = stateOf(world, 'snapshot')
  state.refuseDisposed()
  state.refuseWhileLocked('snapshot')
  checkOptions('snapshot', options)
  // Without a list of the names: a snapshot in each frame must not allocate.
  for (const name in options) if (name !== 'into') checkOptions('snapshot', options, ['into'])
  const into = options?.into
  if (into !== undefined) checkSnapshot(into, 'snapshot: into')
  return takeSnapshot(state, world['core'], into)
}

/**
 * Takes the world back to a snapshot. Every handle names what it named then: entities that died since are alive, those
 * that were made since are not. Queries, accessors, kernels, schedules and subscriptions keep working. No events are
 * reported: listeners of onRestore and subscribers of queries are called once, at the end.
 * Commands that were recorded before are stale: see Commands. A schedule that is running keeps its time.
 * Cost: a copy of the memory that was in use; if components or archetypes were met since, everything that queries and
 * accessors have resolved is resolved again when they are used next.
 *
 * @param snapshot of this world, or of another one with the same options and core
 * @throws StrataError WORLD_LOCKED inside a loop; StrataTypeError INVALID_SNAPSHOT; LimitError MEMORY_LIMIT. Nothing
 *   changes then. After restoring, the first error thrown by a listener, `revive`, `load` or `dispose`
 */
export function restore(world: World, snapshot: Snapshot): void {
  const state = stateOf(world, 'restore')
  state.refuseDisposed()
  state.refuseWhileLocked('restore')
  checkSnapshot(snapshot, 'restore')
  restoreSnapshot(state, world['core'], snapshot)
}
