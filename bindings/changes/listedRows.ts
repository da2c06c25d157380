// Owns how the core is asked to change the rows of a list of entities, in one call: all of them, or none.

import { STATUS_DONE, STATUS_NOTHING, STATUS_OUT_OF_MEMORY } from '../../build/layout'
import { manyOf } from '../memory/coreParts'
import type { Change, RowChange } from '../state/change'
import type { WorldState } from '../state/worldState'
import { writeShared } from '../values/bulkValues'
import { addressOf } from './entityRows'
import { isWithoutMemory, pooledRows } from './rowChanges'

/** Copies the entities of a change into the core's memory, unless they are there: false where there is no room for a list. */
function isListed(state: WorldState, change: Change): boolean {
  if (change.list !== 0) return true
  const { entities } = change
  change.list = state.core.listBegin(entities.length)
  state.heap.check()
  if (change.list !== 0) state.heap.u32.set(entities, change.list >> 2)
  return change.list !== 0
}

export const listedRows: RowChange = {
  isOne: false,

  hold(state, change) {
    const { entities, gains, losses } = change
    if (entities.length === 0 || isWithoutMemory(gains, losses)) return STATUS_NOTHING
    if (!isListed(state, change)) return STATUS_OUT_OF_MEMORY
    const address = addressOf(state, gains ?? losses)
    const status = manyOf(state).listPrepare(change.list, entities.length, address, gains !== undefined)
    state.heap.check()
    return status
  },

  make(state, change) {
    const { entities, gains, losses } = change
    if (entities.length === 0) return STATUS_DONE
    if (!isListed(state, change))
      return isWithoutMemory(gains, losses) ? pooledRows.make(state, change) : STATUS_OUT_OF_MEMORY
    const address = addressOf(state, gains ?? losses)
    const status = manyOf(state).listChange(change.list, entities.length, address, gains !== undefined)
    state.heap.check()
    return status
  },

  write: (entities, gains, given) => writeShared(gains, entities, given),
}
