// Owns what a kernel was called with for all chunks of a query, kept while no chunk of the world comes or goes: for the
// next run only rows and change ticks are written. It must never call the kernel, nor keep a run that left rows out.

import { CHUNKS_VERSION, CHUNK_CHANGED_WORD, CHUNK_ROWS_WORD, WORLD_TICK_WORD } from '../../build/layout'
import type { ChunkView } from '../iteration/chunkView'
import type { Heap } from '../memory/heap'

/** Place of the row behind the last one in the first word of a block. */
export const END_SHIFT = 16
/** Up to so many words a loop copies faster than a call of `set`. */
const FEW_WORDS = 64

/** What one call takes. */
export interface KernelBatch {
  blocks: Uint32Array
  /** For each block the words from Heap.chunks to its chunk's descriptor. */
  readonly chunkOffsets: number[]
  /** Indices in Heap.u32 of the change ticks of what is written. */
  readonly ticks: number[]
}

export class RepeatedRun {
  /** Call by call. */
  batches: KernelBatch[] = []
  private batch = emptyBatch()
  /** The world's chunks, as CHUNKS_VERSION counts them, when the last run began, and for the batches. */
  private version = -1
  private keptVersion = -1
  private notes = false

  constructor(
    private readonly heap: Heap,
    /** Index in Heap.u32 of the first block, and words of a block. */
    private readonly first: number,
    private readonly blockWords: number,
  ) {}

  /** Whether the batches are those of a run that begins now. If not, it is noted when chunks seem to stay. */
  begin(): boolean {
    const version = this.heap.word(CHUNKS_VERSION) + this.heap.chunksBefore
    if (version === this.keptVersion) return true
    // In some worlds chunks come and go in each frame: notes would be in vain.
    this.notes = version === this.version
    this.version = version
    this.batches = []
    this.batch = emptyBatch()
    return false
  }

  /** The next block is for this chunk, and for the change ticks that lie so many bytes behind its start. */
  note({ data, chunkOffset }: ChunkView, ticks: Int32Array): void {
    if (!this.notes) return
    const { batch } = this
    batch.chunkOffsets.push(chunkOffset)
    for (const offset of ticks) batch.ticks.push((data + offset) >> 2)
  }

  /** Begins a run: one before that ended by a trap has left its notes. */
  forgetNotes(): void {
    this.notes = false
  }

  /** What was noted was one call, and its blocks lie in memory. */
  noteCall(): void {
    if (!this.notes) return
    const { batch, first, blockWords } = this
    batch.blocks = this.heap.u32.slice(first, first + batch.chunkOffsets.length * blockWords)
    this.batches.push(batch)
    this.batch = emptyBatch()
  }

  /** The run has come to its end. */
  end(): void {
    if (this.notes) this.keptVersion = this.version
    this.notes = false
  }

  /** Writes the blocks of a batch, and marks what they are for changed. Returns how many there are. */
  write({ blocks, chunkOffsets, ticks }: KernelBatch): number {
    const { heap, first, blockWords } = this
    const { u32, chunks } = heap
    const now = u32[WORLD_TICK_WORD] as number
    if (blocks.length > FEW_WORDS) u32.set(blocks, first)
    else for (let i = 0; i < blocks.length; i++) u32[first + i] = blocks[i] as number
    for (let i = 0; i < chunkOffsets.length; i++) {
      const descriptor = chunks + (chunkOffsets[i] as number)
      u32[first + i * blockWords] = (u32[descriptor + CHUNK_ROWS_WORD] as number) << END_SHIFT
      if (ticks.length > 0) u32[descriptor + CHUNK_CHANGED_WORD] = now
    }
    for (let i = 0; i < ticks.length; i++) u32[ticks[i] as number] = now
    return chunkOffsets.length
  }
}

function emptyBatch(): KernelBatch {
  return { blocks: new Uint32Array(0), chunkOffsets: [], ticks: [] }
}
