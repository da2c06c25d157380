// Owns the changes of all entities that match a query, in one call. What listeners are called for is decided in
// changes/applyBulk.ts.

import { destroyHandles } from '../changes/manyEntities'
import { changeError, isHeard, perform } from '../changes/applyChange'
import { changeAll } from '../changes/applyBulk'
import { ADD, REMOVE } from '../changes/commandLog'
import { listedRows } from '../changes/listedRows'
import { switchAllObserved, switchEach } from '../changes/toggleChanges'
import type { ComponentLike } from '../components/component'
import { ComponentValue, type Ingredient } from '../components/componentValues'
import { ChunkView } from '../iteration/chunkView'
import type { Entity, EntityArray } from '../memory/entity'
import { StrataTypeError, limitError } from '../memory/errors'
import type { BundleNode } from '../state/bundle'
import { refuseShared } from '../components/objectOptions'
import { writeShared, writeSharedRows } from '../values/bulkValues'
import { SEVERAL } from '../state/changeObserver'
import { refuseDeadTargets } from '../state/requiredValues'
import { checkSwitch } from '../values/toggles'
import { type AnyQuery, changeMatching, isWindow, listBy, markQuerySeen } from './queryRows'
import { matchedRows } from './matchedRows'

/** addMany for a query. */
export function addToAll(query: AnyQuery, ingredients: readonly Ingredient[]): number {
  const bundle = bundleOf(query, ingredients, 'addMany')
  if (bundle.holdsObjects) refuseShared(bundle.definitions, 'addMany')
  return change(query, ADD, bundle, ingredients, () => addToAll(query, ingredients))
}

/** removeMany for a query. */
export function removeFromAll(query: AnyQuery, components: readonly ComponentLike[]): number {
  const bundle = bundleOf(query, components, 'removeMany')
  return change(query, REMOVE, bundle, undefined, () => removeFromAll(query, components))
}

/**
 * Whether a bulk change of so many entities has nothing to do. Counting has evaluated the conditions already: once
 * is enough.
 */
function isIdle(query: AnyQuery, matched: number): boolean {
  return matched === 0 && !(query.view.consumes && query.source.remembers)
}

/**
 * Gives a bundle to all that match, or takes it: in one call of the core, or link by link. Each entity is reported to listeners.
 *
 * @param kind ADD or REMOVE
 * @param again the call that is made when the loop ends
 */
function change(
  query: AnyQuery,
  kind: number,
  bundle: BundleNode,
  given: readonly Ingredient[] | undefined,
  again: () => unknown,
): number {
  const { state } = query.source
  const matched = query.count
  if (state.locks !== 0) {
    if (kind === ADD) refuseDeadTargets(state, bundle, given, 'addMany')
    state.commands.later(() => void again())
    return matched
  }
  const address = bundle.addressIn(state)
  if (isIdle(query, matched)) return 0
  // New links are made one by one, whether they are reported or not.
  if (kind === ADD && bundle.relates) return state.together(() => addLinks(query, bundle, given))
  if (isWindow(query)) {
    const changed = changeAll(state, kind, listBy(query, query.peek), bundle, given, listedRows)
    markQuerySeen(query)
    return changed
  }
  if (isHeard(state, bundle) || (kind === REMOVE && bundle.needsUpkeep))
    return changeAll(state, kind, listBy(query, query.peek), bundle, given, matchedRows(query))
  if (given?.some(hasValues) === true) return state.together(() => addValued(query, bundle, given))
  state.reporting?.subscribers.naming(bundle, undefined)
  const status = changeMatching(query, (matching, filters) =>
    kind === ADD
      ? state.core.queryAdd(matching, filters, address)
      : state.core.queryRemove(matching, filters, address),
  )
  if (status < 0) throw limitError(status, bundle.describeRows())
  state.settle()
  return matched
}

/** Adds components with links among them, entity by entity. */
function addLinks(query: AnyQuery, bundle: BundleNode, given: readonly Ingredient[] | undefined): number {
  const { state } = query.source
  const peeking = query.narrowed(query.peek)
  const matching = listBy(peeking, peeking.view)
  state.relations?.check(matching, bundle, given, 'addMany')
  for (let i = 0; i < matching.length; i++) {
    const entity = matching[i] as Entity
    const status = perform(state, ADD, entity, bundle, undefined, given)
    if (status < 0) throw changeError(state, status, bundle, entity, 'add')
  }
  markQuerySeen(query)
  return matching.length
}

/** Adds components with values, of which no listener hears, in bulk. Returns how many match. */
function addValued(query: AnyQuery, bundle: BundleNode, given: readonly Ingredient[]): number {
  const peeking = query.narrowed(query.peek)
  const matched = peeking.count
  // What may match no longer is listed first.
  const matching = matchesAfter(query) ? undefined : listBy(peeking, peeking.view)
  addBare(query, peeking, bundle, given)
  if (matching !== undefined) writeShared(bundle, matching, given)
  else {
    for (const run of peeking.iterate(peeking.view)) {
      const entities = run.entities.subarray(run.start, run.end)
      if (run instanceof ChunkView) writeSharedRows(bundle, run.chunkOffset, run.start, entities, given)
      else writeShared(bundle, entities, given)
    }
  }
  markQuerySeen(query)
  return matched
}

/** Whether a query surely matches the same entities in archetypes, whatever they get. */
function matchesAfter({ source, view }: AnyQuery): boolean {
  if (source.remembers || view.conditions.length > 0 || source.state.hiding.length > 0) return false
  const isKept = ({ role, group }: AnyQuery['source']['terms'][number]) =>
    group === -1 && (role === 'required' || role === 'optional')
  return !source.plan().walksPool && source.terms.every(isKept)
}

/** Adds the components without their values, whose texts there is room for. */
function addBare(query: AnyQuery, peeking: AnyQuery, bundle: BundleNode, given: readonly Ingredient[]): void {
  const { texts } = query.source.state
  const made = texts.prepareGiven(bundle, given)
  const bare = given.map((ingredient) =>
    ingredient instanceof ComponentValue ? ingredient.component : ingredient,
  )
  try {
    addToAll(peeking, bare)
  } catch (error) {
    texts.takeBack(made)
    throw error
  }
}

/** destroyMany for a query. */
export function destroyMatching(query: AnyQuery): number {
  const { state } = query.source
  state.refuseDisposed()
  if (state.locks !== 0) {
    state.commands.later(() => void destroyMatching(query))
    return query.count
  }
  const plan = query.source.plan()
  const isHeard =
    state.watching !== 0 && (plan.walksPool || state.reporting?.ignoresArchetypes(plan.archetypes()) !== true)
  // The core does not know pages, nor the order of a group or of an ordered tag.
  const isFound = !isWindow(query) && plan.group === 0 && plan.order === undefined
  if (!isHeard && isFound && state.upkeep === undefined) {
    const destroyed = changeMatching(query, (address, filters) => state.core.queryDestroy(address, filters))
    if (destroyed >= 0) return destroyed
    // The core has no memory for a list of its own.
  }
  return destroyHandles(state, listMatching(query))
}

/** enableMany and disableMany for a query. */
export function switchAll(query: AnyQuery, component: unknown, off: boolean, operation: string): number {
  const definition = checkSwitch(component, operation)
  const { state } = query.source
  state.refuseDisposed()
  if (state.locks !== 0) {
    state.commands.later(() => void switchAll(query, component, off, operation))
    return query.count
  }
  if (isWindow(query)) return switchEach(state, listMatching(query), definition, off)
  const { id } = state.register(definition)
  const inOneCall = () =>
    changeMatching(query, (address, filters) => state.core.querySwitch(address, filters, id, off ? 1 : 0))
  if (state.watching === 0) return inOneCall()
  state.reporting?.subscribers.switching(definition, SEVERAL)
  const switched = state.reports ? switchAllObserved(state, definition, off, inOneCall) : inOneCall()
  state.settle()
  return switched
}

/** The list for a change that is made entity by entity. Taking it counts as a look. */
function listMatching(query: AnyQuery): EntityArray {
  const matching = listBy(query, query.peek)
  markQuerySeen(query)
  return matching
}

function bundleOf(query: AnyQuery, ingredients: readonly unknown[], operation: string): BundleNode {
  const { state } = query.source
  state.refuseDisposed()
  if (ingredients.length === 0) {
    throw new StrataTypeError('NOT_A_COMPONENT', `${operation} takes at least one component.`)
  }
  return operation === 'addMany'
    ? state.bundles.followAll(ingredients, operation)
    : state.bundles.withAll(ingredients, operation)
}

function hasValues(ingredient: Ingredient): boolean {
  return ingredient instanceof ComponentValue && ingredient.values !== undefined
}
