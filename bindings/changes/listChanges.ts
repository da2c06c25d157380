// Owns changes of listed entities: all get components, all lose some, or each gets values of its own. Lists are checked and
// copied before the first change. What listeners are called for is decided in applyBulk.ts.

import type { AnyComponent, ComponentLike } from '../components/component'
import { ComponentValue, type Ingredient, type ValuesByComponent } from '../components/componentValues'
import { type Definition, definitionOf } from '../components/definition'
import { withoutFields } from '../components/notAComponent'
import { refuseShared } from '../components/objectOptions'
import type { Schema } from '../components/schema'
import { type ListedColumn, type ValueLists, takeColumns, valuesAt } from '../components/valueLists'
import { runLength } from '../cursors/rowRef'
import type { EntityArray } from '../memory/entity'
import { readHandles, takeHandles } from '../memory/givenLists'
import { haveRows } from '../memory/handles'
import type { BundleNode } from '../state/bundle'
import type { WorldState } from '../state/worldState'
import { writeListed } from '../values/bulkValues'
import { checkSwitch } from '../values/toggles'
import { changeAll } from './applyBulk'
import { changeError, perform } from './applyChange'
import { ADD, REMOVE } from './commandLog'
import { queueOf, requireValuesLater } from './commandQueue'
import { listedRows } from './listedRows'
import { destroyHandles } from './manyEntities'
import { setTaken } from './setValues'
import { switchEach } from './toggleChanges'

/** addMany for a list. */
export function addListed(
  state: WorldState,
  entities: ArrayLike<number>,
  ingredients: readonly Ingredient[],
): number {
  // First, because a list may run code of the user's, and that may start the world over.
  const handles = takeListed(state, entities, 'addMany')
  const bundle = state.bundles.followAll(ingredients, 'addMany')
  refuseShared(bundle.definitions, 'addMany')
  const values = ingredients.some((ingredient) => ingredient instanceof ComponentValue)
  return changeList(state, handles, bundle, values ? ingredients : undefined, true)
}

/** removeMany for a list. */
export function removeListed(
  state: WorldState,
  entities: ArrayLike<number>,
  components: readonly ComponentLike[],
): number {
  const handles = takeListed(state, entities, 'removeMany')
  const bundle = state.bundles.withAll(components as never, 'removeMany')
  return changeList(state, handles, bundle, undefined, false)
}

/** destroyMany for a list. */
export function destroyListed(state: WorldState, entities: ArrayLike<number>): number {
  return destroyHandles(state, takeListed(state, entities, 'destroyMany'))
}

/** enableMany and disableMany for a list. Returns how many of the living ones have the component; inside a loop, how many live. */
export function switchListed(
  state: WorldState,
  entities: ArrayLike<number>,
  component: unknown,
  off: boolean,
  operation: string,
): number {
  const definition = checkSwitch(component, operation)
  const living = state.livingOf(takeListed(state, entities, operation))
  state.claim(definition)
  if (state.locks === 0) return switchEach(state, living, definition, off)
  state.commands.later(() => void switchEach(state, living, definition, off))
  return living.length
}

/** The handles of a list. To read them may run code of the user's, after which the world may be disposed. */
function takeListed(state: WorldState, entities: ArrayLike<number>, operation: string): EntityArray {
  state.refuseDisposed()
  const handles = readHandles(operation, entities)
  state.refuseDisposed()
  return handles
}

/** Gives a bundle to those of a list that are alive, or takes it, now or after the loop that is open. Returns how many live. */
function changeList(
  state: WorldState,
  entities: ArrayLike<unknown>,
  bundle: BundleNode,
  given: ValuesByComponent,
  adds: boolean,
): number {
  const living = state.livingOf(entities)
  const count = living.length
  if (state.locks !== 0) {
    if (adds) for (const entity of living) requireValuesLater(state, entity, bundle, given, 'addMany')
    for (const entity of living) {
      if (adds) queueOf(state).add(entity, bundle, given)
      else queueOf(state).remove(entity, bundle)
    }
    return count
  }
  bundle.addressIn(state)
  if (count === 0) return 0
  if (bundle.relates || !haveRows(state, living)) {
    if (adds) state.relations?.check(living, bundle, given, 'addMany')
    state.together(() => {
      for (const entity of living) {
        const status = adds
          ? perform(state, ADD, entity, bundle, undefined, given)
          : perform(state, REMOVE, entity, undefined, bundle, undefined)
        if (status < 0) throw changeError(state, status, bundle, entity, adds ? 'addMany' : 'removeMany')
      }
    })
    return count
  }
  return changeAll(state, adds ? ADD : REMOVE, living, bundle, given, listedRows)
}

/** setMany for a list. All values are checked before the first is written. */
export function setListed(
  state: WorldState,
  entities: ArrayLike<number>,
  component: AnyComponent,
  lists: ValueLists<Schema>,
): number {
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
