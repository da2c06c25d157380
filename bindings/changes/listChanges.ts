// Owns changes of listed entities: all get components, or all lose some.
// It must never decide what listeners hear: applyBulk.ts does.

import { STATUS_OUT_OF_MEMORY } from '../../build/layout'
import type { ComponentLike } from '../components/component'
import {
  type ValuesByComponent,
  type Ingredient,
  ComponentValue,
  type Shared,
} from '../components/componentValues'
import { manyOf } from '../memory/coreParts'
import type { EntityArray } from '../memory/entity'
import { readHandles } from '../memory/givenLists'
import { haveRows } from '../memory/handles'
import type { BundleNode } from '../state/bundle'
import { refuseShared } from '../components/objectOptions'
import { type WorldState, stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { changeError, perform } from './applyChange'
import { changeAll } from './applyBulk'
import { ADD, REMOVE } from './commandLog'
import { destroyMany } from './manyEntities'
import { queueOf, requireValuesLater } from './commandQueue'

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
