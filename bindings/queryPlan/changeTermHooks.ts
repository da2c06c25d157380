// Owns what lower rooms ask of changed() and added(): those terms bring it, and a program without them does not carry it.

import type { AskedChanges } from '../components/terms'
import type { Heap } from '../memory/heap'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'
import type { ChunkList } from './chunkList'

/** What the terms attach to themselves, as AskedChanges.changing. */
export interface ChangeTermHooks {
  /**
   * What was seen of changes, in one world.
   *
   * @param owner what sees: once the program has dropped it, and the garbage collector found it, the memory is free
   */
  begin(state: WorldState, owner: object): SeenChanges
  /** Adds the ticks that are asked for to the filters of a look. `since` is undefined for the first look. */
  gather(into: FilterList, changes: readonly ChangeTerm[], since: number | undefined): void
  /** What leaves out chunks in which nothing changed. */
  search(heap: Heap, changes: readonly ChangeTerm[]): ChunkSearch
}

/** A component of which only what changed, or was added, is asked for. */
export interface ChangeTerm extends AskedChanges {
  readonly registration: Registration
}

/** Up to which change tick one query, or one condition of a system, has seen everything. */
export interface SeenChanges {
  /** Undefined when nothing was seen, or too long ago to be compared. */
  readonly seen: number | undefined
  /** Everything up to now was seen; what is written from now on bears a later tick. */
  markSeen(): void
  /** It is never asked again. */
  dispose(): void
}

/** The filters of a look while they are gathered. */
export interface FilterList {
  impossible: boolean
  readonly words: Uint32Array
  /** The number of one more filter. */
  take(): number
}

/** The search for chunks that may hold what is asked for. */
export interface ChunkSearch {
  /** Begins with the chunks of a pool, or of archetypes. Returns whether rows must be told apart. */
  begin(pool: Registration | undefined): boolean
  /** The place of the next listed chunk in which all that is asked for is newer than `since`; `count` after the last one. */
  find(list: ChunkList, place: number, since: number): number
}
