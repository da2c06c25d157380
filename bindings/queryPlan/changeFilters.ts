// Owns the filters that `changed` and `added` add to a look: the change ticks that are newer than what the query has seen.

import {
  FILTER_COLUMN_WORD,
  FILTER_COMPONENT_WORD,
  FILTER_LANE_WORD,
  FILTER_LOW_WORD,
  FILTER_NEGATED_WORD,
  LANE_CHUNK_TICK,
  LANE_ROW_TICK,
} from '../../build/layout'
import type { Registration } from '../state/registration'
import type { ChangeTerm, FilterList } from './changeTermHooks'
import { FILTER_WORDS } from './conditions'

export function gatherChanges(
  into: FilterList,
  changes: readonly ChangeTerm[],
  since: number | undefined,
): void {
  for (const { registration, changed, added, kept } of changes) {
    // Before the first look nothing was there.
    if (since === undefined) into.impossible ||= kept === true
    else {
      if (changed) addTicks(into, registration, 0, since, 0)
      if (added || kept) addTicks(into, registration, 1, since, added ? 0 : 1)
    }
  }
}

/** @param negated 1 for what is not later */
function addTicks(
  into: FilterList,
  registration: Registration,
  column: number,
  since: number,
  negated: number,
): void {
  const at = into.take() * FILTER_WORDS
  const { words } = into
  words[at + FILTER_LOW_WORD] = since
  words[at + FILTER_COMPONENT_WORD] = registration.id
  words[at + FILTER_COLUMN_WORD] = column
  words[at + FILTER_LANE_WORD] = registration.definition.details.tracksRows ? LANE_ROW_TICK : LANE_CHUNK_TICK
  words[at + FILTER_NEGATED_WORD] = negated
}
