// Owns how the core is asked to change the rows of all that a query finds: in the very way in which they are changed without
// listeners, so that they come to lie where they would.

import { addressOf } from '../changes/entityRows'
import { listedRows } from '../changes/listedRows'
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

    hold(_, { entities, gains, losses }) {
      const address = addressOf(state, gains ?? losses)
      return prepareMatching(query, (matching, filters) =>
        manyOf(state).queryPrepare(
          matching,
          filters,
          address,
          gains !== undefined,
          isFiltered ? entities.length * Uint32Array.BYTES_PER_ELEMENT : 0,
        ),
      )
    },

    make(_, change) {
      const { entities, gains, losses, isTold } = change
      const address = addressOf(state, gains ?? losses)
      const { core } = state
      // What is held for the query is what the list needs, too, should a listener have written what the query filters by.
      if (isTold && isFiltered && !findsStill(state, () => listBy(query, query.peek), entities)) {
        markQuerySeen(query)
        return listedRows.make(state, change)
      }
      return changeMatching(query, (matching, filters) =>
        gains === undefined
          ? core.queryRemove(matching, filters, address)
          : core.queryAdd(matching, filters, address),
      )
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
