// Owns how the core is asked to change the rows of all that a query finds: in the very way in which they are changed without
// listeners, so that they come to lie where they would.

import { STATUS_DONE, STATUS_OUT_OF_MEMORY } from '../../build/layout'
import { beginList, bundleAddress } from '../changes/listedRows'
import { findsStill } from '../changes/rowChanges'
import { manyOf } from '../memory/coreParts'
import type { RowChange } from '../state/change'
import { writeShared } from '../values/bulkValues'
import { type AnyQuery, changeMatching, listBy, markQuerySeen } from './queryRows'

export function matchedRows(query: AnyQuery): RowChange {
  const { state } = query.source
  const isFiltered = query.view.conditions.length > 0 || query.source.remembers

  return {
    isOne: false,

    hold(_, change) {
      const { gains, entities } = change
      const address = bundleAddress(state, change)
      if (isFiltered && entities.length > 0 && !beginList(state, change)) return STATUS_OUT_OF_MEMORY
      const status = prepareMatching(query, (matching, filters) =>
        manyOf(state).queryPrepare(matching, filters, address, gains !== undefined),
      )
      change.isHeld = status >= 0
      if (status < 0 && change.list !== 0) manyOf(state).listCancel(change.list, entities.length)
      return status
    },

    make(_, change) {
      const { gains, entities, isHeld, isTold, list } = change
      const address = bundleAddress(state, change)
      const adds = gains !== undefined
      const { core } = state
      // What is held for the query is what the list needs, too, should a listener have written what the query filters by.
      const isSame = list === 0 || !isTold || findsStill(state, () => listBy(query, query.peek), entities)
      if (!isSame) {
        markQuerySeen(query)
        manyOf(state).listCommit(list, entities.length, address, adds)
        state.heap.check()
        return STATUS_DONE
      }
      const status = changeMatching(query, (matching, filters) => {
        if (isHeld) return manyOf(state).queryCommit(matching, filters, address, adds)
        return adds ? core.queryAdd(matching, filters, address) : core.queryRemove(matching, filters, address)
      })
      if (list !== 0) manyOf(state).listCancel(list, entities.length)
      return status
    },

    write: (entities, gains, given) => writeShared(gains, entities, given),
  }
}

/** Holds what the change in one call needs: a status. It does not count as a look. */
function prepareMatching(
  { source, view }: AnyQuery,
  call: (address: number, filterCount: number) => number,
): number {
  const plan = source.plan()
  const { bulkFilters: filters } = source
  filters.gather(plan, view.conditions, source.remembers ? source.seen : undefined)
  const status = filters.impossible ? 0 : call(plan.address, filters.write())
  source.state.heap.check()
  return status
}
