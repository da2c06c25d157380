// Owns restore: a world takes over the memory of a snapshot, forgets what it has learnt since, and lets what is kept in
// JavaScript go back, too. It must never report an event: presentation is told once, at the end.

import {
  BLOCKS_MAXIMUM,
  BLOCKS_MAXIMUM_WORD,
  CHUNKS_VERSION,
  STATUS_OUT_OF_MEMORY,
  WORLD_MAXIMUM_WORD,
  WORLD_MAX_ENTITIES,
  WORLD_STRICT_IDS,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { PAGE_BYTES } from '../memory/core'
import { limitError } from '../memory/errors'
import { type ObjectStores, adoptComponents } from '../state/registry'
import { restoreParticipants, tellRestored } from '../state/worldParticipants'
import { type WorldState, stateOf } from '../state/worldState'
import type { World } from '../world/world'
import {
  type Snapshot,
  checkSnapshot,
  chunksVersionOf,
  countKnown,
  invalidSnapshot,
  noteVersions,
} from './snapshot'

/**
 * Takes the world back to a snapshot. Every handle names what it named then: entities that died since are alive, those
 * that were made since are not. Queries, accessors, kernels, schedules and subscriptions keep working. No events are
 * reported: listeners of onRestore and subscribers of queries are called once, at the end.
 * Commands that were recorded before are stale: see Commands. A schedule that is running keeps its time.
 * Cost: a copy of the memory that was in use; if components or archetypes were met since, everything that queries and
 * accessors have resolved is resolved again when they are used next.
 *
 * @param snapshot of this world, or of another one with the same options and core
 * @throws StrataError WORLD_LOCKED inside a loop; StrataTypeError INVALID_SNAPSHOT; LimitError MEMORY_LIMIT. Nothing
 *   changes then. After restoring, the first error thrown by a listener, `revive`, `load` or `dispose`
 */
export function restoreWorld(world: World, snapshot: Snapshot): void {
  const state = stateOf(world, 'restoreWorld')
  state.refuseDisposed()
  state.refuseWhileLocked('restoreWorld')
  checkSnapshot(snapshot, 'restoreWorld')
  restoreSnapshot(state, world['core'], snapshot)
}

/**
 * Takes a world back to a snapshot, of its own or of another world with the same options.
 *
 * @throws StrataTypeError INVALID_SNAPSHOT, LimitError MEMORY_LIMIT: nothing has changed then. What functions of the user's
 *   throw: then all is done
 */
export function restoreSnapshot(state: WorldState, core: WebAssembly.Module, snapshot: Snapshot): void {
  checkFit(state, core, snapshot)
  makeRoom(state, snapshot)
  // What a stack overflow has left in the queue belongs to the time that ends.
  state.commands.forget()
  replaceMemory(state, snapshot)
  const absent = tellRestored(state.participants, snapshot.kept)
  restoreKept(state, snapshot)
  state.reporting?.tellRestored({ absent })
  state.settle()
}

/** What JavaScript keeps: resources that are values, schedules. Some of it by functions of the program. */
function restoreKept(state: WorldState, { kept }: Snapshot): void {
  const nested = state.beginCalls()
  try {
    restoreParticipants(state, kept)
  } finally {
    state.endCalls(nested)
  }
}

/**
 * The memory and what is known of it. No code of the user's runs here.
 *
 * @param stores the values that object components have from now on; by default the ones they have
 */
export function replaceMemory(state: WorldState, snapshot: Snapshot, stores?: ObjectStores): void {
  const { heap } = state
  const isOwn = snapshot.state === state
  const staysKnown =
    isOwn &&
    stores === undefined &&
    snapshot.generation === state.generation &&
    snapshot.groupings === state.groupings &&
    snapshot.known === countKnown(heap)
  const chunksVersion = chunksVersionOf(heap)
  const maximum = heap.word(BLOCKS_MAXIMUM)
  state.keepVersions()
  snapshot.image.put(heap)
  state.grouping ??= snapshot.grouping
  if (staysKnown) {
    // Chunks that came or went since: lists of them that were made meanwhile must not be taken for those of now.
    if (snapshot.chunksVersion !== chunksVersion) snapshot.chunksVersion = chunksVersion + 1
    resume(state, snapshot.chunksVersion)
  } else {
    adopt(state, snapshot.definitions, stores)
  }
  if (isOwn) {
    state.seenTicks?.restore(snapshot.seenTickOwners)
    noteVersions(snapshot, state)
  } else {
    state.seenTicks?.restore([])
    heap.u32[WORLD_MAXIMUM_WORD] = maximum
    heap.u32[BLOCKS_MAXIMUM_WORD] = maximum
  }
}

/**
 * Looks at a memory whose content was replaced by that of a time when it had these components. What was resolved is
 * resolved again; objects keep the values that they have, unless others are given.
 */
function adopt(
  state: WorldState,
  definitions: readonly Definition[],
  stores: ObjectStores | undefined,
): void {
  adoptComponents(state, definitions, stores)
  if (stores !== undefined) state.upkeep?.forgetLeft()
  state.generation++
  state.timeline++
  state.heap.refresh(true)
  state.heap.endLeftBehind()
}

/**
 * Goes on after memory was restored to a snapshot, if no component, archetype, query or bundle has been added since: all their
 * addresses remain valid.
 *
 * @param chunksVersion the new version of all chunks, which never repeats
 */
function resume(state: WorldState, chunksVersion: number): void {
  const { heap } = state
  state.timeline++
  state.texts.forget()
  heap.chunksBefore = chunksVersion - heap.word(CHUNKS_VERSION)
  heap.refresh()
  heap.endLeftBehind()
}

function checkFit(state: WorldState, core: WebAssembly.Module, snapshot: Snapshot): void {
  if (snapshot.state === state) return
  const { heap } = state
  const { image } = snapshot
  if (snapshot.core !== core) {
    throw invalidSnapshot(
      'restoreWorld',
      'takes snapshots of worlds over the same core: this one was made over another one',
    )
  }
  for (const [address, option] of [
    [WORLD_MAX_ENTITIES, 'maxEntities'],
    [WORLD_STRICT_IDS, 'ids'],
  ] as const) {
    if (image.word(address) === heap.word(address)) continue
    throw invalidSnapshot(
      'restoreWorld',
      `takes snapshots of worlds with the same options: '${option}' differs`,
    )
  }
}

/**
 * Lets the memory grow to what the snapshot needs.
 *
 * @throws LimitError MEMORY_LIMIT
 */
export function makeRoom(state: WorldState, { image }: Snapshot): void {
  const { heap, core } = state
  const missing = image.end - heap.u8.length
  if (missing <= 0) return
  if (image.end > heap.word(BLOCKS_MAXIMUM)) throw limitError(STATUS_OUT_OF_MEMORY, '')
  try {
    core.memory.grow(missing / PAGE_BYTES)
  } catch {
    throw limitError(STATUS_OUT_OF_MEMORY, '')
  }
  heap.refresh()
}
