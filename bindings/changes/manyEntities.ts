// Owns spawning and destroying many entities in one call: the rows, the handles, and the callback that fills new rows. It must
// never call user code while a change is half done.

import {
  CHUNK_ROWS_WORD,
  ENTITIES_ALIVE,
  LIST_COUNT,
  LIST_ITEMS,
  ROW_BITS,
  STATUS_DEAD,
  STATUS_OUT_OF_MEMORY,
  TABLE_CHUNKS,
} from '../../build/layout'
import type { ValuesByComponent } from '../components/componentValues'
import { requireValues } from '../state/requiredValues'
import { ChunkView, type EntityArrays } from '../iteration/chunkView'
import type { ColumnAccess } from '../queryPlan/plan'
import { refusePromise } from '../memory/arguments'
import { INDEX_MASK, type EntityArray, NULL_ENTITY, entityArray } from '../memory/entity'
import { limitError } from '../memory/errors'
import { CHUNK_WORDS_SHIFT, ROW_MASK } from '../memory/heap'
import type { BundleNode } from '../state/bundle'
import type { Registration } from '../state/registration'
import { writeShared } from '../values/bulkValues'
import type { WorldState } from '../state/worldState'
import { perform } from './applyChange'
import { destroyAll } from './applyBulk'
import { ADD } from './commandLog'
import { queueOf } from './commandQueue'
import { destroyRows } from './entityRows'

type Fill = ((chunk: unknown) => unknown) | undefined

/**
 * Spawns now, or after the loop that is open. Returns the handles in the order of the rows.
 *
 * @param named the handles to make alive, from takeNamed; undefined for any
 */
export function spawnRows(
  state: WorldState,
  arrays: EntityArrays,
  count: number,
  bundle: BundleNode,
  given: ValuesByComponent,
  fill: Fill,
  named?: EntityArray<ArrayBuffer>,
): EntityArray<ArrayBuffer> {
  if (count === 0) return entityArray(0)
  requireValues(state, bundle, given, NULL_ENTITY, 'spawnMany')
  if (state.locks !== 0) return reserveRows(state, arrays, count, bundle, given, fill, named)
  // Rows for the targets of their links are a change, too, and so are links that lead to them again.
  return state.together(() => spawnRowsNow(state, arrays, count, bundle, given, fill, named))
}

function spawnRowsNow(
  state: WorldState,
  arrays: EntityArrays,
  count: number,
  bundle: BundleNode,
  given: ValuesByComponent,
  fill: Fill,
  named: EntityArray<ArrayBuffer> | undefined,
): EntityArray<ArrayBuffer> {
  const address = bundle.addressIn(state)
  let texts: readonly number[] = []
  let status = STATUS_OUT_OF_MEMORY
  try {
    if (bundle.relates) state.relations?.prepareMany(bundle, given, count)
    texts = state.texts.prepareGiven(bundle, given)
    state.reporting?.subscribers.spawning(bundle)
    status = spawnNow(state, address, count, named)
    if (status >= 0 && named !== undefined) status = state.relations?.returned(named) ?? status
  } finally {
    if (status < 0) takeBack(state, texts)
  }
  if (status < 0) throw limitError(status, bundle.describeRows())
  state.reporting?.subscribers.made()
  const handles = named ?? entityArray(count)
  let filled = 0
  if (named === undefined) {
    visitLastRows(state, arrays, bundle, count, (chunk) => {
      handles.set(chunk.entities.subarray(chunk.start, chunk.end), filled)
      filled += chunk.end - chunk.start
    })
  }
  writeShared(bundle, handles, given)
  if (fill === undefined && state.watching === 0 && !bundle.needsUpkeep) return handles
  fillAndTell(state, handles, bundle, given, () => {
    if (fill !== undefined && poolOf(bundle) === undefined) visitLastRows(state, arrays, bundle, count, fill)
    else visitRowsOf(state, arrays, bundle, handles, fill)
  })
  return handles
}

/** Nothing was made: texts that were stored for it go, and targets keep no rows that were made for its links. */
function takeBack(state: WorldState, texts: readonly number[]): void {
  state.texts.takeBack(texts)
  state.relations?.tidy()
}

/** A status of the core. */
function spawnNow(state: WorldState, address: number, count: number, named: EntityArray | undefined): number {
  const { core, heap } = state
  let list = 0
  if (named !== undefined) {
    list = core.listBegin(count)
    heap.check()
    if (list === 0) return STATUS_OUT_OF_MEMORY
    heap.u32.set(named, list >> 2)
  }
  const status = core.entitiesSpawn(address, count, list)
  heap.check()
  return status
}

/** Reserves the handles; they become entities when the loop ends, then all are filled. */
function reserveRows(
  state: WorldState,
  arrays: EntityArrays,
  count: number,
  bundle: BundleNode,
  given: ValuesByComponent,
  fill: Fill,
  named: EntityArray<ArrayBuffer> | undefined,
): EntityArray<ArrayBuffer> {
  const handles = named ?? entityArray(count)
  if (named === undefined) state.requireIds(count)
  for (let i = 0; i < count; i++) {
    if (named === undefined) handles[i] = state.reserve()
    else state.core.entityClaim(named[i] as number)
  }
  const kept = handles.slice()
  state.commands.later(() => {
    let rest = bundle
    let values = given
    let early = entityArray(0)
    let filled = early
    let texts: readonly number[] = []
    try {
      bundle.addressIn(state)
      if (bundle.relates) {
        const left = state.relations?.prepareMany(bundle, given, count)
        // Their target has died meanwhile, and takes them along.
        if (left === undefined) return
        ;[rest, values] = left
      }
      // A buffer may have given some their rows: they are there, and get the rest like any other.
      const isThere = (entity: number): boolean => state.isAlive(entity) && state.hasRow(entity)
      const fits = (status: number): boolean => {
        state.heap.check()
        if (status < 0 && status !== STATUS_DEAD) state.fail(limitError(status, rest.describeRows()))
        return status >= 0
      }
      early = kept.filter(
        (entity) => isThere(entity) && fits(perform(state, ADD, entity, rest, undefined, values)),
      )
      texts = state.texts.prepareGiven(rest, values)
      const address = rest.addressIn(state)
      state.reporting?.subscribers.spawning(rest)
      filled = kept.filter((entity) => !isThere(entity) && fits(state.core.entityPlace(entity, address)))
    } finally {
      // Without a row no query would find them.
      for (const entity of kept) if (!state.hasRow(entity)) state.core.entityDestroy(entity, 0)
      if (filled.length > 0) state.reporting?.subscribers.made()
      else takeBack(state, texts)
    }
    writeShared(rest, filled, values)
    fillAndTell(state, filled, rest, values, () => {
      visitRowsOf(state, arrays, rest, filled, fill)
      visitRowsOf(state, arrays, rest, early, fill)
    })
  })
  // Links that lead to them again give them rows: only then.
  if (named !== undefined) state.relations?.returned(named)
  return handles
}

/** The callback is a loop like any other: what it changes in structure waits until everybody heard of the new entities. */
function fillAndTell(
  state: WorldState,
  handles: EntityArray,
  bundle: BundleNode,
  given: ValuesByComponent,
  fill: () => void,
): void {
  state.lock()
  try {
    fill()
  } finally {
    try {
      state.changes?.tellSpawned(state, handles, bundle, given)
    } finally {
      state.unlock()
    }
  }
}

/** Calls back for each run of the last `count` rows of the bundle's archetype. */
function visitLastRows(
  state: WorldState,
  arrays: EntityArrays,
  bundle: BundleNode,
  count: number,
  visit: (chunk: ChunkView) => unknown,
): void {
  const { heap } = state
  const archetype = state.core.bundleArchetype(bundle.addressIn(state))
  const chunk = new ChunkView(state, arrays, accessOf(bundle))
  const list = heap.word(archetype + TABLE_CHUNKS)
  const ids = heap.word(list + LIST_ITEMS)
  const chunkCount = heap.word(list + LIST_COUNT)
  // Back from the last chunk to the one with the first new row: the older ones may be many.
  let first = chunkCount
  let rows = 0
  while (rows < count) {
    const id = heap.word(ids + --first * 4)
    rows += heap.u32[heap.chunks + (id << CHUNK_WORDS_SHIFT) + CHUNK_ROWS_WORD] as number
  }
  for (let i = first; i < chunkCount; i++) {
    chunk.enter(heap.word(ids + i * 4))
    if (i === first) chunk.start = rows - count
    refusePromise('spawnMany', visit(chunk))
  }
}

/** Calls back, if there is a callback, for each run of rows in which the entities of a list follow each other, wherever they lie. */
function visitRowsOf(
  state: WorldState,
  arrays: EntityArrays,
  bundle: BundleNode,
  handles: EntityArray,
  fill: Fill,
): void {
  if (fill === undefined) return
  const pool = poolOf(bundle)
  const chunk = new ChunkView(state, arrays, accessOf(bundle))
  const locationOf = (entity: number): number =>
    pool !== undefined ? pool.findRow(entity & INDEX_MASK) : state.heap.locationAt(entity & INDEX_MASK)
  for (let i = 0; i < handles.length;) {
    const first = locationOf(handles[i] as number)
    let count = 1
    while (i + count < handles.length && locationOf(handles[i + count] as number) === first + count) count++
    chunk.enter(first >>> ROW_BITS)
    chunk.start = first & ROW_MASK
    chunk.end = chunk.start + count
    refusePromise('spawnMany', fill(chunk))
    i += count
  }
}

const hasData = ({ definition }: Registration): boolean => definition.fields.length > 0

/** The pool whose rows are shown: that of the one sparse component, where no table component has columns. */
function poolOf(bundle: BundleNode): Registration | undefined {
  const [first, second] = bundle.registrations.filter((one) => one.pooled || hasData(one))
  return second === undefined && first?.pooled === true ? first : undefined
}

/** Columns and cursors by the same rule as in a query. */
function accessOf(bundle: BundleNode): ColumnAccess {
  const data = bundle.registrations.filter(hasData)
  const pool = poolOf(bundle)
  return {
    definitions: data.map(({ definition }) => definition),
    registrations: data,
    walksPool: pool !== undefined,
    isColumn: data.map((registration) => registration === pool || !registration.pooled),
    describe: () => 'what spawnMany makes',
  }
}

/** Destroys those of a list that are alive, now or after the loop that is open. Returns how many were, or are. */
export function destroyHandles(state: WorldState, entities: ArrayLike<unknown>): number {
  if (state.locks !== 0) return destroyManyLater(state, entities)
  const listed = entities as ArrayLike<number>
  const isWatched = state.watching !== 0 && state.reporting?.ignoresAll(listed) !== true
  if (isWatched && state.reports) return destroyAll(state, state.livingOf(listed))
  if (isWatched) state.reporting?.subscribers.dying(listed)
  const before = state.heap.word(ENTITIES_ALIVE)
  const spared = state.upkeep?.spare(listed)
  let destroyed = before - state.heap.word(ENTITIES_ALIVE)
  const inOneCall = () => {
    destroyRows(state, listed)
    destroyed = before - state.heap.word(ENTITIES_ALIVE)
  }
  if (spared === undefined) inOneCall()
  else if (spared.length > 0) {
    // The others of the list die in their places among them.
    const list = () => state.livingOf(spared)
    destroyAll(state, list(), { list, inOneCall })
    return destroyed
  }
  state.settle()
  return destroyed
}

function destroyManyLater(state: WorldState, entities: ArrayLike<unknown>): number {
  const kept = state.livingOf(entities)
  for (const entity of kept) queueOf(state).destroy(entity)
  return kept.length
}
