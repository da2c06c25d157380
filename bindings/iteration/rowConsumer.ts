// Owns what a loop hands its rows to when no user's code walks them: a kernel's run.
// It must never know what is done with the rows.

import type { ChunkView } from './chunkView'
import type { GroupView } from './groupView'

export interface RowConsumer {
  /** Does again what the last loop over the same chunks did; false when the chunks must be handed over. */
  repeat(): boolean
  /** Takes all entities of a list, in its order; false, or no such function, when their rows must be handed over. */
  takeList?(entities: Uint32Array): boolean
  /** Takes all rows of a chunk. */
  takeWhole(chunk: ChunkView): void
  /** Takes the rows on which the chunk stands; `masked`: only those of its mask. */
  takeChunk(chunk: ChunkView, masked: boolean): void
  /** Takes the rows on which a group's view stands. */
  takeGroup(view: GroupView): void
  /** Called after the last row. */
  end(): void
}
