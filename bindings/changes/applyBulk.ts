// Owns changes of many entities at once: each is told exactly once, and all of them change, or none.

import type { ValuesByComponent } from '../components/componentValues'
import { limitError } from '../memory/errors'
import type { Bundle } from '../state/bundle'
import { Change, type RowChange } from '../state/change'
import type { ChangeCalls } from '../state/changeHooks'
import type { Ending } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import { isQuiet } from './applyChange'
import { ADD } from './commandLog'

/**
 * Gives a bundle to living entities, each named once, or takes it. Returns how many they are.
 *
 * @param kind ADD or REMOVE
 * @param rows how their rows are changed
 * @throws LimitError, and nothing has changed
 */
export function changeAll(
  state: WorldState,
  kind: number,
  entities: ArrayLike<number>,
  bundle: Bundle,
  given: ValuesByComponent,
  rows: RowChange,
): number {
  // Makes components known to the world.
  bundle.addressIn(state)
  const [gains, losses] = kind === ADD ? [bundle, undefined] : [undefined, bundle]
  const change = new Change(kind, entities, gains, losses, given, rows)
  const status = isQuiet(state, gains, losses)
    ? changeQuietly(state, change)
    : (state.changes as ChangeCalls).apply(state, change)
  if (status < 0) throw limitError(status, bundle.describeRows())
  return entities.length
}

/** Makes a change around which nothing stands: a status. */
function changeQuietly(state: WorldState, change: Change): number {
  const { entities, gains, given, rows } = change
  const texts = gains === undefined ? [] : state.texts.prepareGiven(gains, given)
  const status = rows.make(state, change)
  if (status < 0) state.texts.takeBack(texts)
  else if (gains !== undefined && given !== undefined) rows.write(entities, gains, given)
  return status
}

/**
 * Destroys living entities, each named once: those of a query in the same way whether anybody is told or not, so that other rows and
 * handles come to lie where they would. Returns how many were destroyed.
 */
export function destroyAll(state: WorldState, entities: ArrayLike<number>, query?: Ending): number {
  if (state.relations !== undefined) return state.relations.destroy(entities, query)
  ;(state.changes as ChangeCalls).end(state, entities, query)
  return entities.length
}
