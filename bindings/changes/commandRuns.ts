// Owns the application of queued commands that are alike: the same change of one entity after the other, in one call. What needs
// more than the core and numbers is left to the queue: objects, links, listeners, several changes of one entity.

import { LIST_ADDRESS_WORD, LIST_HANDLES } from '../../build/layout'
import type { BundleNode } from '../state/bundle'
import type { WorldState } from '../state/worldState'
import { type CommandLog, ADD, DESTROY, REMOVE, SPAWN } from './commandLog'

/** Fewer cost more than they save. */
const FEWEST = 4

/**
 * Applies the commands from `first` on that are alike, as far as one call goes: up to `end`, to what is different, or to one
 * that meets a limit.
 *
 * @param heads for each command, the first one of its entity
 * @param next for each command, the next one of its entity; 0 when there is none
 * @returns how many were applied
 */
export function applyAlike(
  state: WorldState,
  log: CommandLog,
  heads: Int32Array,
  next: Int32Array,
  first: number,
  end: number,
): number {
  const last = first + FEWEST - 1
  // Most flushes are short, and most commands that are not alike differ at once.
  if (last >= end || log.kinds[first] !== log.kinds[last] || log.bundles[first] !== log.bundles[last])
    return 0
  if (state.watching !== 0) return 0
  const kind = log.kinds[first] as number
  const bundle = log.bundles[first]
  if (kind !== ADD && kind !== REMOVE && kind !== SPAWN && kind !== DESTROY) return 0
  if (bundle !== undefined && (bundle.address === 0 || bundle.needsUpkeep)) return 0
  let behind = first
  const most = Math.min(end, first + LIST_HANDLES)
  while (behind < most && log.kinds[behind] === kind && log.bundles[behind] === bundle) {
    if (heads[behind] !== behind || next[behind] !== 0 || log.payloads[behind] !== undefined) break
    behind++
  }
  const count = behind - first
  if (count < FEWEST) return 0
  const { core, heap } = state
  const { u32 } = heap
  for (let i = 0; i < count; i++) u32[LIST_ADDRESS_WORD + i] = log.entities[first + i] as number
  const applied = core.entitiesChange(count, kind, bundle?.address ?? 0)
  heap.check()
  if (bundle !== undefined && !log.numbers.isEmpty) writeAll(state, log, bundle, first, applied)
  return applied
}

/** Writes the values of commands that were applied. Entities that were dead by then are passed over. */
function writeAll(
  state: WorldState,
  log: CommandLog,
  bundle: BundleNode,
  first: number,
  count: number,
): void {
  for (let i = first; i < first + count; i++) {
    const start = log.starts[i] as number
    const entity = log.entities[i] as number
    if (start !== 0 && state.isAlive(entity)) log.numbers.write(bundle, entity, start)
  }
}
