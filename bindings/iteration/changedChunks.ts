// Owns the search for chunks that may hold what `changed` and `added` ask for; others are skipped, their rows unseen.

import {
  CHUNK_CHANGED_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_TICKS_ADDED_WORD,
  CHUNK_TICKS_CHANGED_WORD,
} from '../../build/layout'
import type { ChangeTerm, ChunkSearch } from '../queryPlan/changeTermHooks'
import type { ChunkList } from '../queryPlan/chunkList'
import type { Heap } from '../memory/heap'
import type { Registration } from '../state/registration'

export class ChangedChunks implements ChunkSearch {
  /** Whether a chunk in which nothing changed can be passed over: some change asked for would lie in it. */
  private passesUnchanged = false

  constructor(
    private readonly heap: Heap,
    private readonly changes: readonly ChangeTerm[],
  ) {}

  /**
   * Finds out where the changes that are asked for are told: in the chunks of the pool, or of archetypes, or elsewhere.
   * Returns whether rows must be told apart for them.
   */
  begin(pool: Registration | undefined): boolean {
    let masked = false
    this.passesUnchanged = false
    for (const { registration } of this.changes) {
      const here = pool === undefined ? !registration.pooled : registration === pool
      if (here) this.passesUnchanged = true
      if (!here || registration.definition.details.tracksRows) masked = true
    }
    return masked
  }

  /** The place of the next listed chunk in which all that is asked for is newer than `since`; `count` when there is none. */
  find({ chunkOffsets, count }: ChunkList, place: number, since: number): number {
    const { u32, chunks } = this.heap
    for (; place < count; place++) {
      const descriptor = chunks + (chunkOffsets[place] as number)
      // The descriptors lie side by side; what is inside the chunk is looked at only when one says so.
      const summary = u32[descriptor + CHUNK_CHANGED_WORD] as number
      if (this.passesUnchanged && ((summary - since) | 0) <= 0) continue
      if (this.isChanged(descriptor, since)) break
    }
    return place
  }

  /** Whether every change that is asked for and lies in the chunk is newer than `since`. */
  private isChanged(descriptor: number, since: number): boolean {
    const { u32 } = this.heap
    const data = u32[descriptor + CHUNK_DATA_WORD] as number
    const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
    const { changes } = this
    for (let i = 0; i < changes.length; i++) {
      const { registration, changed, added } = changes[i] as ChangeTerm
      const placement = registration.placement(layoutKey)
      if (!placement.present) continue
      const ticks = (data + placement.tickOffset) >> 2
      if (changed && (((u32[ticks + CHUNK_TICKS_CHANGED_WORD] as number) - since) | 0) <= 0) return false
      if (added && (((u32[ticks + CHUNK_TICKS_ADDED_WORD] as number) - since) | 0) <= 0) return false
    }
    return true
  }
}
