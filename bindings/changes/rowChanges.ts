// Owns how the rows of reported changes are changed: those of one entity, and those in pools. listedRows.ts has lists,
// queries/matchedRows.ts what queries find.

import { CHANGE_REMOVE, STATUS_DONE, STATUS_NOTHING } from '../../build/layout'
import { heldOf } from '../memory/coreParts'
import type { Bundle } from '../state/bundle'
import type { RowChange } from '../state/change'
import type { WorldState } from '../state/worldState'
import { writeShared } from '../values/bulkValues'
import { writeIngredients } from '../values/rowValues'
import { EXCHANGE } from './commandLog'
import { addressOf, changeRow } from './entityRows'

/** Whether a change only takes rows out of pools, which needs no memory. */
export function isWithoutMemory(gains: Bundle | undefined, losses: Bundle | undefined): boolean {
  return gains === undefined && losses?.isPooled === true
}

/** The row of one entity. */
export const oneRow: RowChange = {
  isOne: true,

  hold(state, change) {
    const { entity, gains, losses } = change
    if (isWithoutMemory(gains, losses)) return STATUS_NOTHING
    const status = heldOf(state).entityPrepare(entity, addressOf(state, gains), addressOf(state, losses))
    state.heap.check()
    return status
  },

  make(state, { kind, entity, gains, losses }) {
    // An addition that replaces links takes them, too.
    const isExchange = gains !== undefined && losses !== undefined
    const [added, removed] = [addressOf(state, gains), addressOf(state, losses)]
    return changeRow(state, isExchange ? EXCHANGE : kind, entity, added, removed)
  },

  write(entities, gains, given) {
    writeIngredients(gains, entities[0] as number, given)
  },
}

/** Takes rows out of pools, one after the other: also where there is no memory for a list. */
export const pooledRows: RowChange = {
  isOne: false,
  hold: () => STATUS_NOTHING,

  make(state, { entities, losses }) {
    const removed = addressOf(state, losses)
    for (let i = 0; i < entities.length; i++)
      state.core.entityChange(entities[i] as number, CHANGE_REMOVE, removed)
    state.heap.check()
    return STATUS_DONE
  },

  write: (entities, gains, given) => writeShared(gains, entities, given),
}

/** Whether a query still finds what was told: a listener may have written a value that it filters by. */
export function findsStill(
  state: WorldState,
  list: (() => ArrayLike<number>) | undefined,
  told: ArrayLike<number>,
): boolean {
  if (list === undefined) return false
  state.lock()
  try {
    const now = list()
    return now.length === told.length && Array.prototype.every.call(now, (entity, i) => entity === told[i])
  } finally {
    // Not unlock: what listeners queued must wait until the change is made.
    state.release()
  }
}
