// Owns the arguments with which a kernel was called along the levels of a cascade, call by call, for as long as they hold.

import { CHUNK_CHANGED_WORD, WORLD_TICK_WORD } from '../../build/layout'
import type { Heap } from '../memory/heap'
import type { CascadeLevels } from './cascadeLevels'

/** What one call took. */
export interface CascadeBatch {
  /** Its blocks. */
  readonly words: Uint32Array
  readonly blocks: number
  /** For each parameter that reads parents: the addresses of their rows. */
  readonly lists: readonly Uint32Array[]
  readonly rows: number
  /** The level that it begins in, and after how many entities of that; the level of its last row. */
  readonly level: number
  readonly offset: number
  readonly lastLevel: number
}

export class CascadeBatches {
  /** Call by call. */
  private list: CascadeBatch[] = []
  /** Those of the last run that still may hold, in its order, and the next of them. */
  private earlier: CascadeBatch[] = []
  private next = 0
  /** What they were made from. */
  private timeline = -1
  private changes = -1
  private members = -1
  private parents = -1
  /** By chunk: whether it was met while they were made. */
  private met = new Uint8Array(0)
  /** Of the chunks met: the words from Heap.chunks to their descriptors, and indices in Heap.u32 of the change ticks. */
  private readonly chunkOffsets: number[] = []
  private readonly ticks: number[] = []

  constructor(private readonly heap: Heap) {}

  /**
   * Begins a run.
   *
   * @param parents differs from before when rows of parents have other addresses
   * @returns the batches, if they are those of the last run; undefined when some are to be made
   */
  begin(levels: CascadeLevels, timeline: number, parents: number): readonly CascadeBatch[] | undefined {
    const isSame = this.timeline === timeline && this.parents === parents && this.members === levels.makings
    if (isSame && levels.changes === this.changes) return this.list
    this.earlier = isSame && levels.changes === this.changes + 1 ? this.list : []
    this.next = 0
    this.list = []
    if (this.earlier.length === 0) this.forgetChunks()
    this.timeline = timeline
    this.parents = parents
    this.members = levels.makings
    this.changes = levels.changes
    return undefined
  }

  /** Whether what was known of the last run holds, but for what has changed in the levels since. */
  get isMended(): boolean {
    return this.earlier.length > 0
  }

  /** The run was not finished: nothing of it is to be given again. */
  forget(): void {
    this.timeline = -1
  }

  /** The batch of the last run that begins here, if what it takes is as it was. */
  keptAt(
    level: number,
    offset: number,
    { touched, starts, movedAt }: CascadeLevels,
  ): CascadeBatch | undefined {
    const { earlier } = this
    for (; this.next < earlier.length; this.next++) {
      const batch = earlier[this.next] as CascadeBatch
      if (batch.level > level || (batch.level === level && batch.offset > offset)) return undefined
      if (batch.level < level || batch.offset < offset) continue
      for (let k = level; k <= batch.lastLevel; k++) if (touched[k] !== 0) return undefined
      const first = (starts[level] as number) + offset
      if (movedAt.some((place) => place >= first && place < first + batch.rows)) return undefined
      return batch
    }
    return undefined
  }

  private forgetChunks(): void {
    this.chunkOffsets.length = 0
    this.ticks.length = 0
    this.met.fill(0)
  }

  add(batch: CascadeBatch): void {
    this.list.push(batch)
  }

  /** Whether a chunk is met for the first time. */
  meets(id: number): boolean {
    if (id >= this.met.length) {
      const met = new Uint8Array(2 * id + 64)
      met.set(this.met)
      this.met = met
    }
    if (this.met[id] === 1) return false
    this.met[id] = 1
    return true
  }

  /** A chunk that was met, and the change ticks that lie so many bytes behind its start. */
  note(chunkOffset: number, data: number, offsets: Int32Array): void {
    if (offsets.length > 0) this.chunkOffsets.push(chunkOffset)
    for (const offset of offsets) this.ticks.push((data + offset) >> 2)
  }

  /** Marks as changed what is written in all chunks that were met. */
  mark(): void {
    const { chunkOffsets, ticks } = this
    const { u32, chunks } = this.heap
    const now = u32[WORLD_TICK_WORD] as number
    for (let i = 0; i < chunkOffsets.length; i++)
      u32[chunks + (chunkOffsets[i] as number) + CHUNK_CHANGED_WORD] = now
    for (let i = 0; i < ticks.length; i++) u32[ticks[i] as number] = now
  }
}
