// Owns changes of listed entities: all get components, all lose some, or each gets values of its own. Lists are checked and
// copied before the first change. What listeners are called for is decided in applyBulk.ts.

import { STATUS_OUT_OF_MEMORY } from '../../build/layout'
import type { Component, ComponentLike } from '../components/component'
import {
  ComponentValue,
  type Ingredient,
  type Shared,
  type ValuesByComponent,
} from '../components/componentValues'
import { type Definition, definitionOf } from '../components/definition'
import { withoutFields } from '../components/notAComponent'
import { refuseShared } from '../components/objectOptions'
import type { Schema, Storage } from '../components/schema'
import { type ListedColumn, type ValueLists, takeColumns, valuesAt } from '../components/valueLists'
import { runLength } from '../cursors/rowRef'
import { manyOf } from '../memory/coreParts'
import type { EntityArray } from '../memory/entity'
import { readHandles, takeHandles } from '../memory/givenLists'
import { haveRows } from '../memory/handles'
import type { BundleNode } from '../state/bundle'
import { type WorldState, stateOf } from '../state/worldState'
import { writeListed } from '../values/bulkValues'
import type { World } from '../world/world'
import { changeAll } from './applyBulk'
import { changeError, perform } from './applyChange'
import { ADD, REMOVE } from './commandLog'
import { queueOf, requireValuesLater } from './commandQueue'
import { destroyMany } from './manyEntities'
import { setTaken } from './setValues'

/**
 * Adds components to all entities of a list, in one call. What entities have already keeps its values, except for fields
 * that are given values. Stale handles and repeats are skipped. Inside a loop this waits until the loop ends.
 *
 * @param entities an array or typed array of handles
 * @param ingredients components, tags and components with values; no object components
 * @returns how many entities of the list are alive
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError. Nothing
 *   changes then, except with relations, and for entities that have no components yet: those before the one that
 *   failed have changed.
 * @example addMany(world, selected, Frozen, Health({ hp: 9 }))
 */
export function addMany<const T extends readonly Ingredient[]>(
  world: World,
  entities: ArrayLike<number>,
  ...ingredients: Shared<T>
): number {
  const state = stateOf(world, 'addMany')
  // First, because a list may run code of the user's, and that may start the world over.
  const handles = takeListed(state, entities, 'addMany')
  const bundle = state.bundles.followAll(ingredients, 'addMany')
  refuseShared(bundle.definitions, 'addMany')
  return addToList(state, handles, bundle, ingredients)
}

/**
 * Removes components from all entities of a list, in one call. Stale handles and repeats are skipped. Inside a loop this
 * waits until the loop ends.
 *
 * @param entities an array or typed array of handles
 * @returns how many entities of the list are alive
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT; LimitError. Nothing changes then,
 *   except for entities that have no components yet: those before the one that failed have changed.
 */
export function removeMany(
  world: World,
  entities: ArrayLike<number>,
  ...components: ComponentLike[]
): number {
  const state = stateOf(world, 'removeMany')
  const handles = takeListed(state, entities, 'removeMany')
  return changeList(
    state,
    handles,
    state.bundles.withAll(components as never, 'removeMany'),
    undefined,
    false,
  )
}

/** world.destroyMany */
export function destroyListed(state: WorldState, entities: ArrayLike<number>): number {
  return destroyMany(state, takeListed(state, entities, 'destroyMany'))
}

/** The handles of a list. To read them may run code of the user's, after which the world may be disposed. */
function takeListed(state: WorldState, entities: ArrayLike<number>, operation: string): EntityArray {
  state.refuseDisposed()
  const handles = readHandles(operation, entities)
  state.refuseDisposed()
  return handles
}

/** Gives a bundle to those of a list that are alive, now or after the loop that is open. Returns how many there are. */
function addToList(
  state: WorldState,
  entities: ArrayLike<unknown>,
  bundle: BundleNode,
  given: readonly Ingredient[],
): number {
  const values = given.some((ingredient) => ingredient instanceof ComponentValue) ? given : undefined
  return changeList(state, entities, bundle, values, true)
}

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
  return changeRows(state, living, bundle, given, adds)
}

/** changeList for living entities that have rows, each named once, and no new links. */
export function changeRows(
  state: WorldState,
  living: EntityArray,
  bundle: BundleNode,
  given: ValuesByComponent,
  adds: boolean,
): number {
  const count = living.length
  const address = bundle.addressIn(state)
  const inOneCall = (): number => {
    const list = state.core.listBegin(count)
    state.heap.check()
    if (list === 0) return STATUS_OUT_OF_MEMORY
    state.heap.u32.set(living, list >> 2)
    return manyOf(state).listChange(list, count, address, adds)
  }
  const listed = { list: () => living, inOneCall }
  return changeAll(state, adds ? ADD : REMOVE, listed, bundle, given)
}

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
