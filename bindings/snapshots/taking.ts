// Owns the checks of what world.snapshot and world.restore are given.

import { checkOptions } from '../memory/arguments'
import type { WorldState } from '../rows/worldState'
import { checkSnapshot, restoreSnapshot } from './restoring'
import { type Snapshot, takeSnapshot } from './snapshot'

/** Options of world.snapshot. */
export interface SnapshotOptions {
  /** A snapshot to write into, in place of a new one: what it held is lost, its memory is used again. */
  readonly into?: Snapshot | undefined
}

type Module = WebAssembly.Module | undefined

/** world.snapshot */
export function snapshotOf(state: WorldState, module: Module, options: SnapshotOptions): Snapshot {
  state.refuseDisposed()
  state.refuseWhileLocked('snapshot')
  checkOptions('snapshot', options)
  // Without a list of the names: a snapshot in each frame must not allocate.
  for (const name in options) if (name !== 'into') checkOptions('snapshot', options, ['into'])
  const into = options?.into
  if (into !== undefined) checkSnapshot(into, 'snapshot: into')
  return takeSnapshot(state, module, into)
}

/** world.restore */
export function restoreTo(state: WorldState, module: Module, snapshot: Snapshot): void {
  state.refuseDisposed()
  state.refuseWhileLocked('restore')
  checkSnapshot(snapshot, 'restore')
  restoreSnapshot(state, module, snapshot)
}
