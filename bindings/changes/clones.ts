// Owns copies of an entity, one or many, made at once or after the open loop. The core copies rows as they are.

import {
  ARCHETYPES_ALL,
  CHANGE_REMOVE,
  CHUNK_DATA_WORD,
  CHUNK_ROWS_WORD,
  CHUNK_TABLE_WORD,
  LIST_COUNT,
  LIST_ITEMS,
  ROW_BITS,
  STATUS_DEAD,
  STATUS_OUT_OF_MEMORY,
  TABLE_CHUNKS,
  WORLD_STATUS,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { manyOf } from '../memory/coreParts'
import { INDEX_MASK, type Entity, type EntityArray, NULL_ENTITY, entityArray } from '../memory/entity'
import { limitError } from '../memory/errors'
import { CHUNK_WORDS_SHIFT } from '../memory/heap'
import type { Ingredient } from '../components/componentValues'
import type { BundleNode } from '../state/bundle'
import { inSteps } from '../state/session'
import type { WorldState } from '../state/worldState'
import { changeAll } from './applyBulk'
import { changeError, perform } from './applyChange'
import { ADD } from './commandLog'
import { listedRows } from './listedRows'
import { destroyHandles } from './manyEntities'
import type { Overrides } from './cloneOverrides'

/** A copy of a living entity. */
export function copyEntity(state: WorldState, source: Entity, overrides: Overrides): Entity {
  if (state.locks !== 0) {
    const reserved = state.reserve()
    state.commands.later(() => orNone(state, () => fillClone(state, reserved, source, overrides)))
    return reserved
  }
  return orNone(state, () => {
    readyOverrides(state, overrides, 1)
    const withheld = beforeCopies(state, source, overrides)
    const entity = manyOf(state).entityClone(source) >>> 0
    state.heap.check()
    if (entity === NULL_ENTITY) throw limitError(state.heap.word(WORLD_STATUS) | 0, '')
    attendCopies(state, source, [entity], withheld, overrides)
    return entity as Entity
  })
}

/** Makes copies, or none: then targets keep no rows that were made for their links. What listeners of these queue waits. */
function orNone<T>(state: WorldState, copy: () => T): T {
  try {
    return state.together(copy)
  } catch (error) {
    state.relations?.tidy()
    throw error
  }
}

/** `count` copies of a living entity, in the order of their rows. */
export function copyMany(
  state: WorldState,
  source: Entity,
  count: number,
  overrides: Overrides,
): EntityArray<ArrayBuffer> {
  const handles = entityArray(count)
  if (count === 0) return handles
  if (state.locks !== 0)
    return reserveCopies(state, count, (kept) => fillClones(state, kept, source, overrides))
  return orNone(state, () => {
    readyOverrides(state, overrides, count)
    const withheld = beforeCopies(state, source, overrides)
    const status = manyOf(state).entitiesClone(source, count)
    state.heap.check()
    if (status < 0) throw limitError(status, '')
    readLastHandles(state, source, handles)
    attendCopies(state, source, handles, withheld, overrides)
    return handles
  })
}

/** Handles for copies that are made after the open loop. Those that get no row then, whatever happens, die. */
export function reserveCopies(
  state: WorldState,
  count: number,
  fill: (entities: EntityArray) => void,
): EntityArray<ArrayBuffer> {
  const handles = entityArray(count)
  state.requireIds(count)
  for (let i = 0; i < count; i++) handles[i] = state.reserve()
  const kept = handles.slice()
  state.commands.later(() => {
    try {
      fill(kept)
    } finally {
      // Without a row no query would find them.
      for (const entity of kept) if (!state.hasRow(entity)) state.core.entityDestroy(entity, 0)
    }
  })
  return handles
}

/** Copies into reserved entities. If memory runs out, those left without a row die; the first error is thrown after all were tried. */
export function fillClones(
  state: WorldState,
  entities: EntityArray,
  source: Entity,
  overrides: Overrides,
): void {
  let failure: { readonly error: unknown } | undefined
  for (const entity of entities) {
    try {
      orNone(state, () => fillClone(state, entity, source, overrides))
    } catch (error) {
      failure ??= { error }
    }
  }
  if (failure !== undefined) throw failure.error
}

/**
 * Gives a reserved entity what the source has by now. If the source or what a link takes along is dead, or memory runs out, the entity
 * dies.
 */
function fillClone(state: WorldState, entity: Entity, source: Entity, overrides: Overrides): void {
  let status = STATUS_OUT_OF_MEMORY
  let withheld = 0
  let living: Overrides | undefined
  try {
    const canLive = state.isAlive(source) && state.isAlive(entity)
    living = canLive ? readyOverrides(state, overrides, 1) : undefined
    if (living === undefined) status = STATUS_DEAD
    else {
      withheld = beforeCopies(state, source, living)
      status = manyOf(state).entityPlaceClone(entity, source)
      state.heap.check()
    }
  } finally {
    if (status < 0) state.core.entityDestroy(entity, 0)
  }
  if (status < 0 && status !== STATUS_DEAD) throw limitError(status, '')
  if (status >= 0) attendCopies(state, source, [entity], withheld, living as Overrides)
}

/**
 * What copies get, once the targets of its links have their rows: those are changes of their own, and must not be copied. Of what waited
 * no links to targets that have died meanwhile; undefined where such a link takes the copies along.
 *
 * @throws LimitError
 */
export function readyOverrides(
  state: WorldState,
  overrides: Overrides,
  count: number,
): Overrides | undefined {
  const { bundle, given, losses } = overrides
  if (!bundle.relates) return overrides
  // Makes its relations known to the world.
  bundle.addressIn(state)
  const left = state.relations?.prepareMany(bundle, given, count)
  return left && { bundle: left[0], given: left[1] as readonly Ingredient[], losses }
}

/**
 * To be called before copies of an entity are made. Returns the bundle of what copies do not get, or 0 if they get all; with
 * all its bits turned over, which is negative, where copies are nothing but rows, of which no listener hears.
 */
function beforeCopies(state: WorldState, source: number, { bundle, given, losses }: Overrides): number {
  const left = leftBehind(state, source, losses)
  const { reporting } = state
  // A query may find copies only because they lack what the source has.
  const isIgnored =
    state.watching === 0 ||
    (reporting?.ignoresEntity(source) === true &&
      reporting.ignores(bundle) &&
      (left === state.bundles || reporting.ignores(left)))
  if (isIgnored && !bundle.needsUpkeep && state.upkeep?.mayConcern(source) !== true)
    return ~addressOf(state, left)
  const withheld = withheldBy(state, source, left)
  state.reporting?.subscribers.copying(source, given.length > 0 || withheld !== 0)
  return withheld
}

function addressOf(state: WorldState, bundle: BundleNode): number {
  return bundle === state.bundles ? 0 : bundle.addressIn(state)
}

/** What an entity has and its copies drop: tags that keep entities out of queries, and what the call names. */
function leftBehind(state: WorldState, source: number, losses: BundleNode): BundleNode {
  let left = state.bundles
  const { hiding } = state
  if ((hiding.length === 0 && losses === left) || !state.isAlive(source)) return left
  for (const list of [hiding as readonly Definition[], losses.definitions]) {
    for (const definition of list)
      if (!left.contains(definition) && state.known(definition)?.isOn(source) === true)
        left = left.with(definition, 'cloneEntity')
  }
  return left
}

/**
 * The bundle of all that copies of an entity do not get, or 0 if they get all. Asked for before the copies are made, so that
 * what their change needs is there.
 */
function withheldBy(state: WorldState, source: number, left: BundleNode): number {
  if (!state.isAlive(source)) return 0
  let withheld = left
  for (const { definition, objects } of state.upkeep?.keptOf(source) ?? []) {
    if (objects === undefined || withheld.contains(definition)) continue
    if (!objects.clones) withheld = withheld.with(definition, 'cloneEntity')
    // A user's clone function may fail.
    else state.bundles.with(definition, 'cloneEntity').addressIn(state)
  }
  withheld = state.relations?.withheld(withheld, source) ?? withheld
  return addressOf(state, withheld)
}

/**
 * Copies of an entity were made: takes away what is withheld, gives them objects of their own and what the call gives them, tells
 * of each as of one change.
 *
 * @throws LimitError when the copies find no memory to move to, and what a maker throws; then they are gone
 */
function attendCopies(
  state: WorldState,
  source: number,
  copies: ArrayLike<number>,
  withheld: number,
  overrides: Overrides,
): void {
  const { bundle, given, losses } = overrides
  const address = withheld < 0 ? ~withheld : withheld
  if (address !== 0) withhold(state, copies, address)
  if (withheld < 0) return complete(state, copies, overrides)
  state.relations?.copied(copies)
  for (const { definition, objects: store } of state.upkeep?.keptOf(source) ?? []) {
    if (store?.clones !== true || losses.contains(definition)) continue
    const address = state.bundles.with(definition, 'cloneEntity').addressIn(state)
    for (let i = 0; i < copies.length; i++) {
      const copy = copies[i] as number
      if (state.upkeep?.objects.clone(store, source, copy) === true) continue
      // Its clone function failed.
      const status = state.core.entityChange(copy, CHANGE_REMOVE, address)
      // Tables may have moved, and the next copy's clone function may look at the world.
      state.heap.check()
      if (status < 0) state.fail(limitError(status, ''))
    }
  }
  // Only clone takes objects: then there is one copy.
  const makers = state.upkeep?.makersOf(copies[0] as number, bundle, undefined, given)
  complete(state, copies, overrides)
  state.reporting?.subscribers.copied(copies)
  state.changes?.tellMade(state, copies, bundle, given, makers)
}

/** Gives copies what the call gives them in addition, if anything. Where that fails there are no copies. */
function complete(state: WorldState, copies: ArrayLike<number>, { bundle, given }: Overrides): void {
  if (given.length === 0) return
  try {
    inSteps(state, () => addToCopies(state, copies, bundle, given))
  } catch (error) {
    inSteps(state, () => void destroyHandles(state, copies))
    state.settle()
    throw error
  }
}

function addToCopies(
  state: WorldState,
  copies: ArrayLike<number>,
  bundle: BundleNode,
  given: readonly Ingredient[],
): void {
  bundle.addressIn(state)
  if (!bundle.needsUpkeep) {
    changeAll(state, ADD, copies, bundle, given, listedRows)
    return
  }
  for (let i = 0; i < copies.length; i++) {
    const copy = copies[i] as number
    const status = perform(state, ADD, copy, bundle, undefined, given)
    if (status < 0) throw changeError(state, status, bundle, copy, 'cloneEntity')
  }
}

function withhold(state: WorldState, copies: ArrayLike<number>, withheld: number): void {
  let status = 0
  for (let i = 0; i < copies.length && status >= 0; i++) {
    status = state.core.entityChange(copies[i] as number, CHANGE_REMOVE, withheld)
  }
  if (status < 0) for (let i = 0; i < copies.length; i++) state.core.entityDestroy(copies[i] as number, 0)
  state.heap.check()
  if (status < 0) throw limitError(status, '')
}

/** Reads the handles in the last rows of the table in which an entity has its row. */
function readLastHandles({ heap }: WorldState, entity: Entity, handles: EntityArray): void {
  const u32 = heap.u32
  const location = heap.locationAt(entity & INDEX_MASK)
  // Copies of a reserved entity, which has no row yet, are entities without components: of archetype 0.
  const table =
    location === 0
      ? heap.word(heap.word(heap.word(ARCHETYPES_ALL) + LIST_ITEMS))
      : (u32[descriptorOf(location >>> ROW_BITS) + CHUNK_TABLE_WORD] as number)
  const list = heap.word(table + TABLE_CHUNKS)
  const ids = heap.word(list + LIST_ITEMS) >> 2
  let filled = handles.length
  for (let i = heap.word(list + LIST_COUNT) - 1; filled > 0; i--) {
    const descriptor = descriptorOf(u32[ids + i] as number)
    const rows = u32[descriptor + CHUNK_ROWS_WORD] as number
    const first = ((u32[descriptor + CHUNK_DATA_WORD] as number) >> 2) + Math.max(rows - filled, 0)
    const run = Math.min(rows, filled)
    filled -= run
    handles.set(u32.subarray(first, first + run) as EntityArray, filled)
  }

  function descriptorOf(chunkId: number): number {
    return heap.chunks + (chunkId << CHUNK_WORDS_SHIFT)
  }
}
