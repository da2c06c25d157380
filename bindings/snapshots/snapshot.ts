// Owns snapshots: what one holds beside the image of linear memory, how one is taken, and the check of one that a call was given.

import {
  ARCHETYPES_ALL,
  BUNDLES_ALL,
  CHUNKS_VERSION,
  COMPONENTS_COUNT,
  ENTITIES_ALIVE,
  LAYOUTS_ALL,
  LIST_COUNT,
  QUERIES_ALL,
  WORLD_TICK,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { MAKING, checkOptions, refuseByHand } from '../memory/arguments'
import { describe } from '../memory/describe'
import { LimitError, StrataTypeError } from '../memory/errors'
import type { Heap } from '../memory/heap'
import { Shown, several, showEntities } from '../memory/consoleText'
import { type GroupHooks, type WorldState, stateOf } from '../state/worldState'
import { keepParticipants, type ParticipantState, prepareParticipants } from '../state/worldParticipants'
import { copyInto } from '../state/seenTickOwners'
import { seal, unseal } from '../state/session'
import type { World } from '../world/world'
import { MemoryImage } from './memoryImage'

/** Of a world without queries for changes. */
const NO_OWNERS: readonly number[] = []

/**
 * The whole state of a world at one time. Made by snapshot; restore takes a world back to it, any number of
 * times. It holds a copy of the memory in use, and does not change with the world. It is valid in this process only.
 */
export class Snapshot extends Shown {
  /** Lets the compiler tell a snapshot from an object that looks like one. */
  declare protected readonly brand: true
  /** @internal */
  readonly image = new MemoryImage()
  /** @internal What rooms keep in JavaScript. */
  readonly kept: ParticipantState[] = []
  /** @internal Components by id. */
  definitions: readonly Definition[] = []
  /** @internal By the number of a look, whose it was. */
  readonly seenTickOwners: number[] = []
  /** @internal The state of the world that it is of. */
  state: WorldState | undefined
  /** @internal The core of that world. */
  core!: WebAssembly.Module
  /** @internal How often everything had been resolved again. */
  generation = -1
  /** @internal What was known then: see countKnown. */
  known = 0
  /** @internal What finds and walks the groups that are in it. */
  grouping: GroupHooks | undefined
  /** @internal How many groups had been formed. */
  groupings = 0
  /** @internal The version of all chunks, counted over all times. */
  chunksVersion = 0

  /** @internal Use snapshot. */
  constructor(key: symbol) {
    super()
    refuseByHand(key, 'Snapshot', 'snapshotWorld(world, …)')
  }

  /** Bytes of linear memory that it holds. */
  get byteLength(): number {
    return this.image.byteLength
  }

  /** The change tick of that time. */
  get tick(): number {
    return this.image.word(WORLD_TICK)
  }

  /** How many entities were alive. */
  get entities(): number {
    return this.image.word(ENTITIES_ALIVE)
  }

  /** @internal */
  line(): string {
    return `Snapshot(${showEntities(this.entities)}, tick ${this.tick}, ${several(this.byteLength, 'byte')})`
  }
}

/** Options of snapshot. */
export interface SnapshotOptions {
  /** A snapshot to write into, in place of a new one: what it held is lost, its memory is used again. */
  readonly into?: Snapshot | undefined
}

/**
 * Copies the whole state of the world: entities with their components, resources, change ticks, what queries with
 * `changed` and `added` have seen, what readers of removals have not taken, and the time and timers of its schedules.
 * Resources that are JavaScript values are copied if they have `save` and `load`, values of object components if these also say
 * `snapshots: true`. A snapshot outlives changes, reset and dispose of the world.
 * Cost: a copy of the memory in use, about 0.1 ms per MB. With `into`, nothing is allocated unless the world has grown.
 *
 * @param options `into`: a snapshot whose memory is used again
 * @returns a new snapshot, or the one to write into
 * @throws StrataError WORLD_LOCKED inside a loop; StrataTypeError INVALID_SNAPSHOT if `into` is not a snapshot; LimitError
 *   MEMORY_LIMIT; what the `save` of a resource or an object throws
 * @example const before = snapshotWorld(world)
 */
export function snapshotWorld(world: World, options: SnapshotOptions = {}): Snapshot {
  const state = stateOf(world, 'snapshotWorld')
  state.refuseDisposed()
  state.refuseWhileLocked('snapshotWorld')
  checkOptions('snapshotWorld', options)
  // Without a list of the names: a snapshot in each frame must not allocate.
  for (const name in options) if (name !== 'into') checkOptions('snapshotWorld', options, ['into'])
  const into = options?.into
  if (into !== undefined) checkSnapshot(into, 'snapshotWorld: into')
  return takeSnapshot(state, world['core'], into)
}

/** Throws unless it is a snapshot that was taken. */
export function checkSnapshot(snapshot: unknown, operation: string): asserts snapshot is Snapshot {
  if (snapshot instanceof Snapshot && snapshot.state !== undefined) return
  throw invalidSnapshot(operation, `takes what snapshotWorld(world) returned, not ${describe(snapshot)}`)
}

/** The error about what restore or snapshot was given. */
export function invalidSnapshot(operation: string, sentence: string): StrataTypeError {
  return new StrataTypeError('INVALID_SNAPSHOT', `${operation} ${sentence}.`)
}

/** A number that grows with everything that is made known: as long as it stays, so do ids and addresses. */
export function countKnown(heap: Heap): number {
  const listed = (list: number) => heap.word(heap.word(list) + LIST_COUNT)
  return (
    heap.word(COMPONENTS_COUNT) +
    listed(LAYOUTS_ALL) +
    listed(ARCHETYPES_ALL) +
    listed(BUNDLES_ALL) +
    listed(QUERIES_ALL)
  )
}

/**
 * Copies the state of a world into a snapshot, a new one or one that is there, which stays as it was if this throws.
 *
 * @throws LimitError MEMORY_LIMIT; what the `save` of a resource or an object throws
 */
export function takeSnapshot(
  state: WorldState,
  core: WebAssembly.Module,
  into: Snapshot | undefined,
  isFork = false,
): Snapshot {
  const snapshot = into ?? new Snapshot(MAKING)
  noteEarly(state)
  seal(state)
  try {
    prepareParticipants(state.participants, isFork)
  } finally {
    unseal(state)
  }
  takeImage(snapshot.image, state.heap)
  keepParticipants(state.participants, snapshot.kept)
  takeKnown(snapshot, state)
  snapshot.core = core
  return snapshot
}

/**
 * A new snapshot of the memory alone: what lies in JavaScript is not in it. No code of the program runs.
 *
 * @throws LimitError MEMORY_LIMIT
 */
export function takeMemory(state: WorldState): Snapshot {
  const snapshot = new Snapshot(MAKING)
  noteEarly(state)
  takeImage(snapshot.image, state.heap)
  takeKnown(snapshot, state)
  return snapshot
}

/** Notes in memory what queries have seen while there was no room for it. */
function noteEarly({ seenTicks }: WorldState): void {
  const early = seenTicks?.early
  if (early !== undefined && early.size > 0) for (const seenTick of early) seenTick.settle()
}

function takeKnown(snapshot: Snapshot, state: WorldState): void {
  const { heap, generation } = state
  const isSame = snapshot.state === state && snapshot.generation === generation
  if (!isSame || snapshot.definitions.length !== heap.word(COMPONENTS_COUNT))
    snapshot.definitions = state.definitionsById()
  copyInto(snapshot.seenTickOwners, state.seenTicks?.owners ?? NO_OWNERS)
  snapshot.grouping = state.grouping
  snapshot.state = state
  snapshot.known = countKnown(heap)
  noteVersions(snapshot, state)
}

/** What tells, when the snapshot is restored next, whether what the world has resolved still holds. */
export function noteVersions(snapshot: Snapshot, { heap, generation, groupings }: WorldState): void {
  snapshot.generation = generation
  snapshot.groupings = groupings
  snapshot.chunksVersion = chunksVersionOf(heap)
}

/** The version of all chunks, counted over all times: that in memory goes back with it. */
export const chunksVersionOf = (heap: Heap): number => heap.word(CHUNKS_VERSION) + heap.chunksBefore

function takeImage(image: MemoryImage, heap: Heap): void {
  try {
    image.take(heap)
  } catch (cause) {
    throw new LimitError(
      'MEMORY_LIMIT',
      'The host gives no memory for a snapshot of this world: take it into one that is there, snapshotWorld(world, { into }), or keep fewer.',
      { cause },
    )
  }
}
