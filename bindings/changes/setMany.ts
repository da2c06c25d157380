// Owns writing values of one component to listed entities: each list of values is checked and copied first, then written along
// runs of rows. It must never read what is a user's once it writes.

import type { Component } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { withoutFields } from '../components/notAComponent'
import type { Schema, Storage } from '../components/schema'
import { type ListedColumn, type ValueLists, takeColumns, valuesAt } from '../components/valueLists'
import { takeHandles } from '../memory/givenLists'
import { writeListed } from '../values/bulkValues'
import { runLength } from '../cursors/rowRef'
import { type WorldState, stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { queueOf } from './commandQueue'
import { setTaken } from './setValues'

/**
 * Writes values of one component to all entities of a list, as `set` does it for each: an entity that does not have the
 * component gets it. Stale handles are skipped, together with their values. All values are checked before the first is
 * written.
 *
 * @param entities an array or typed array of handles
 * @param lists for each field to write a list of values, the first one for the first handle, and so on
 * @returns how many entities of the list are alive
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_VALUE, also for a list that is too
 *   short: nothing changes then. LimitError where the component must be added: those before have changed.
 * @example setMany(world, ships, Position, { x: new Float32Array(ships.length), y: heights })
 */
export function setMany<S extends Schema>(
  world: World,
  entities: ArrayLike<number>,
  component: Component<S, Storage>,
  lists: ValueLists<S>,
): number {
  const state = stateOf(world, 'setMany')
  state.refuseDisposed()
  const definition = definitionOf(component)
  if (definition?.kind !== 'component') throw withoutFields(component, 'setMany')
  // A copy: the list may be a view of this world's memory, which ends where adding a component lets memory grow.
  const handles = takeHandles('setMany', entities)
  const columns = takeColumns('setMany', definition, handles.length, lists)
  state.refuseDisposed()
  const living = state.livingOf(handles)
  state.together(() => writeAll(state, handles, definition, columns))
  return living.length
}

function writeAll(
  state: WorldState,
  handles: ArrayLike<number>,
  definition: Definition,
  columns: readonly ListedColumn[],
): void {
  const hasTexts = columns.some(({ field }) => field.kind === 'text')
  for (let i = 0; i < handles.length;) {
    const entity = handles[i] as number
    const ref =
      hasTexts || isAttended(state, definition) ? undefined : state.known(definition)?.locateHandle(entity)
    if (ref !== undefined) {
      const count = runLength(ref, handles, i)
      writeListed(ref, count, columns, i)
      i += count
    } else {
      if (state.isAlive(entity)) setTaken(state, entity, definition, valuesAt(definition, columns, i))
      i++
    }
  }
}

/** Whether single values must be reported, or may have to wait. */
function isAttended(state: WorldState, definition: Definition): boolean {
  if (state.locks !== 0 && queueOf(state).count > 0) return true
  return state.watching !== 0 && state.reporting?.hearsSet(definition) === true
}
