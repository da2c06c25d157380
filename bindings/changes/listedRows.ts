// Owns how the core is asked to change the rows of a list of entities, in one call: all of them, or none.

import { STATUS_DONE, STATUS_OUT_OF_MEMORY } from '../../build/layout'
import { manyOf } from '../memory/coreParts'
import type { Change, RowChange } from '../state/change'
import type { WorldState } from '../state/worldState'
import { writeShared } from '../values/bulkValues'
import { addressOf } from './entityRows'
import { isWithoutMemory, pooledRows } from './rowChanges'

/** Copies the entities of a change into the core's memory: false where there is no room for a list. */
export function beginList(state: WorldState, change: Change): boolean {
  const { entities } = change
  change.list = state.core.listBegin(entities.length)
  state.heap.check()
  if (change.list !== 0) state.heap.u32.set(entities, change.list >> 2)
  return change.list !== 0
}

/** The bundle that the entities of a change get, or lose: they do one of both. */
export function bundleAddress(state: WorldState, { gains, losses }: Change): number {
  return addressOf(state, gains ?? losses)
}

export const listedRows: RowChange = {
  isOne: false,

  hold(state, change) {
    const { entities, gains, losses } = change
    if (entities.length === 0 || isWithoutMemory(gains, losses)) return STATUS_DONE
    const address = bundleAddress(state, change)
    if (!beginList(state, change)) return STATUS_OUT_OF_MEMORY
    const status = manyOf(state).listPrepare(change.list, entities.length, address, gains !== undefined)
    state.heap.check()
    change.isHeld = status >= 0
    return status
  },

  make(state, change) {
    const { entities, gains, losses, isHeld } = change
    if (entities.length === 0) return STATUS_DONE
    const address = bundleAddress(state, change)
    const isListed = isHeld || beginList(state, change)
    if (!isListed && isWithoutMemory(gains, losses)) return pooledRows.make(state, change)
    if (!isListed) return STATUS_OUT_OF_MEMORY
    const many = manyOf(state)
    let status: number = STATUS_DONE
    if (isHeld) many.listCommit(change.list, entities.length, address, gains !== undefined)
    else status = many.listChange(change.list, entities.length, address, gains !== undefined)
    state.heap.check()
    return status
  },

  write: (entities, gains, given) => writeShared(gains, entities, given),
}
