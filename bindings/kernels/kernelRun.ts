// Owns a kernel's run over a query: for each run of rows a block of arguments and the ticks of what is written, and one
// call for as many blocks as there is room for. While no chunk of the world comes or goes, the blocks of the last whole run are
// kept, and the next run writes only rows and ticks.
//
//   KERNEL_ARGUMENTS  ┌─────────┬─ ─ ─ ─┬────────────────┬──────┬───────────┬─ ─ ─ ─┬────────────────┬─ ─
//                     │ numbers │       │ start | end<<16 │ mask │ addresses │       │ start | end<<16 │ ...
//                     └─────────┴─ ─ ─ ─┴────────────────┴──────┴───────────┴─ ─ ─ ─┴────────────────┴─ ─
//                     once a run:        a block for each run of rows: an address for each column
//                     scalars, resources

import {
  CHUNK_CHANGED_WORD,
  CHUNK_ROWS_WORD,
  CHUNKS_VERSION,
  KERNEL_ARGUMENTS_ADDRESS,
  KERNEL_ARGUMENTS_BYTES,
  MASK_ADDRESS,
  MASK_ADDRESS_WORD,
  MASK_BYTES,
  WORLD_TICK_WORD,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import type { Placement } from '../cursors/placement'
import type { ChunkView } from '../iteration/chunkView'
import type { GroupPool, GroupView } from '../iteration/groupView'
import type { Heap } from '../memory/heap'
import type { Plan } from '../queryPlan/plan'
import type { Registration } from '../state/registration'
import type { BoundKernel } from './boundKernel'
import { type ColumnSlot, slotsOf } from './columnSlots'
import type { GuardedColumn } from './guardLink'
import { EMPTY, callKernel, watch } from './kernelCall'
import type { KernelConsumer } from './parentParameters'

/** Words of a block before the addresses: the run of rows, and the address of its mask. */
const HEAD_WORDS = 2
const HANDLE_BYTES = 4
const MASK_WORDS = MASK_BYTES / 4
/** What may be divided has so many masks wait for one call, at the end of the room for arguments. */
const MASKS = 16
const MASKS_WORD = (KERNEL_ARGUMENTS_ADDRESS + KERNEL_ARGUMENTS_BYTES - MASKS * MASK_BYTES) >> 2

/** Where things lie in chunks of one layout and size, in bytes from the chunk's start. */
class Addresses {
  constructor(
    /** For each slot. */
    readonly columns: Int32Array,
    /** For each written component: its ChunkTicks. */
    readonly ticks: Int32Array,
    /** For each written component whose rows are tracked: the column of their last changes. */
    readonly rowTicks: Int32Array,
  ) {}
}

/** One kernel over one query, as it is carried out now. */
export class KernelRun implements KernelConsumer {
  private readonly heap: Heap
  private readonly slots: readonly ColumnSlot[]
  /** Components that are written, by their numbers in the plan. */
  private readonly written: readonly number[]
  /** The query's components with data, and for each which of its group's pools it is in. */
  private readonly registrations: readonly (Registration | undefined)[]
  private readonly definitions: readonly Definition[]
  private readonly pools: readonly number[]
  /** By layout key; holes are layouts not met yet. */
  private readonly known: (Addresses | undefined)[] = []
  /** Index in Heap.u32 of the first block; words of a block; blocks for one call, of which so many wait for it. */
  private readonly firstBlock: number
  private readonly blockWords: number
  private readonly most: number
  private waiting = 0
  /** Masks that wait for a call, and how many can; 0 where each is used at once. */
  private masks = 0
  private readonly mostMasks: number
  private readonly chunks: RepeatedRun
  /** Whether runs are repeated: not where each row is marked, or each call is guarded. */
  private readonly repeats: boolean
  /** The results so far: an array, since a number in a field would be a new object each time. */
  private readonly total = new Float64Array(1)

  constructor(
    private readonly bound: BoundKernel<unknown, unknown, boolean>,
    plan: Plan,
  ) {
    this.heap = bound.state.heap
    this.registrations = plan.registrations
    this.definitions = plan.definitions
    this.pools = plan.registrations.map((registration) =>
      plan.requiredPools.indexOf(registration as Registration),
    )
    this.slots = slotsOf(bound, plan)
    const written = this.slots.filter(({ column }) => column?.parameter.writes === true)
    this.written = [...new Set(written.map(({ component }) => component))]
    const { end } = bound.resources
    this.firstBlock = end >> 2
    this.blockWords = HEAD_WORDS + this.slots.length
    // The runs of a mask are summed one after the other, with what came before: that is for one thread.
    this.mostMasks = bound.loaded.divided !== undefined && bound.kernel.result !== 'sum' ? MASKS : 0
    const room = KERNEL_ARGUMENTS_ADDRESS + KERNEL_ARGUMENTS_BYTES - end - this.mostMasks * MASK_BYTES
    const isGuarded = bound.loaded.guard !== undefined
    // The guard compares what one call did with what it was called for.
    this.most = isGuarded ? 1 : Math.floor(room / (this.blockWords * 4))
    this.repeats =
      !isGuarded &&
      !this.written.some((component) => (this.definitions[component] as Definition).details.tracksRows)
    this.chunks = new RepeatedRun(this.heap, this.firstBlock, this.blockWords)
  }

  begin(taken: Float64Array, sofar?: number): void {
    const { bound } = this
    bound.scalars.write(this.heap, taken)
    bound.resources.write()
    this.total[0] = sofar ?? EMPTY[bound.kernel.result]
    this.waiting = this.masks = 0
    this.chunks.forgetNotes()
  }

  /**
   * Begins a walk over nothing but whole chunks: calls the kernel as the last one did, if no chunk came or went since.
   * Else false: then hand them over.
   */
  repeat(): boolean {
    const { chunks } = this
    if (!this.repeats || !chunks.begin()) return false
    for (let i = 0; i < chunks.batches.length; i++) {
      this.waiting = chunks.write(chunks.batches[i] as KernelBatch)
      this.call()
    }
    return true
  }

  /** A chunk of such a walk. */
  takeWhole(chunk: ChunkView): void {
    this.chunks.note(chunk, this.addressesIn(chunk.layoutKey).ticks)
    this.takeChunk(chunk, false)
  }

  /** A run of a chunk's rows; with a mask, only those whose bits are set. */
  takeChunk(chunk: ChunkView, masked: boolean): void {
    const { u32, chunks } = this.heap
    const { data, start, end, chunkOffset } = chunk
    const { columns, ticks, rowTicks } = this.addressesIn(chunk.layoutKey)
    const block = this.firstBlock + this.waiting++ * this.blockWords
    u32[block] = start | (end << END_SHIFT)
    u32[block + 1] = masked ? this.maskAddress(u32, end) : 0
    for (let i = 0; i < columns.length; i++) u32[block + HEAD_WORDS + i] = data + (columns[i] as number)
    if (ticks.length > 0) {
      const now = u32[WORLD_TICK_WORD] as number
      for (let i = 0; i < ticks.length; i++) u32[(data + (ticks[i] as number)) >> 2] = now
      u32[chunks + chunkOffset + CHUNK_CHANGED_WORD] = now
      for (let i = 0; i < rowTicks.length; i++) {
        const first = (data + (rowTicks[i] as number)) >> 2
        if (masked) this.markMasked(first, end, now)
        else u32.fill(now, first + start, first + end)
      }
    }
    if (this.bound.loaded.guard !== undefined) this.watchChunk(chunkOffset)
    if (masked && this.masks === this.mostMasks) this.call(this.masks === 0 ? 0 : this.blockWords)
    else if (this.waiting === this.most) this.call()
  }

  /** The address of the mask of now, or of a copy that lasts until the call. */
  private maskAddress(u32: Uint32Array, rows: number): number {
    if (this.mostMasks === 0) return MASK_ADDRESS
    const room = MASKS_WORD + this.masks++ * MASK_WORDS
    // A walk over a mask reads words of 64 bits.
    u32.copyWithin(room, MASK_ADDRESS_WORD, MASK_ADDRESS_WORD + (((rows + 63) >> 6) << 1))
    return room << 2
  }

  /** A run of a group's rows: its columns begin at the run's first row, each in its own pool. */
  takeGroup(view: GroupView): void {
    const { slots, pools, written, definitions } = this
    const { u32 } = this.heap
    const block = this.firstBlock + this.waiting++ * this.blockWords
    u32[block] = view.start | (view.end << END_SHIFT)
    u32[block + 1] = 0
    for (let i = 0; i < slots.length; i++) {
      const { column, component } = slots[i] as ColumnSlot
      const pool = view.pools[pools[component] as number] as GroupPool
      const offset = column === undefined ? 0 : (pool.placement.offsets[column.field] as number)
      u32[block + HEAD_WORDS + i] = pool.data + offset + pool.row * (column?.rowBytes ?? HANDLE_BYTES)
    }
    for (let i = 0; i < written.length; i++) view.markChanged(definitions[written[i] as number])
    if (this.bound.loaded.guard !== undefined) this.watchGroup(view)
    if (this.waiting === this.most) this.call()
  }

  /** Ends a run: calls the kernel for what waits. */
  end(): void {
    this.call()
    this.chunks.end()
    this.bound.end(this.total)
  }

  get result(): number | undefined {
    return this.bound.kernel.result === 'none' ? undefined : this.total[0]
  }

  private watchChunk(chunkOffset: number): void {
    this.watch(
      this.slots.map(({ column, component }, i) => {
        const registration = this.registrations[component]
        return { word: this.slotWord(i), column, registration, chunkOffset, row: 0 }
      }),
    )
  }

  private watchGroup(view: GroupView): void {
    this.watch(
      this.slots.map(({ column, component }, i) => {
        const pool = view.pools[this.pools[component] as number] as GroupPool
        const { registration, chunkOffset, row } = pool
        return { word: this.slotWord(i), column, registration, chunkOffset, row }
      }),
    )
  }

  /** Index in Heap.u32 of a slot of the only block there is. */
  private slotWord(i: number): number {
    return this.firstBlock + HEAD_WORDS + i
  }

  private watch(columns: readonly GuardedColumn[]): void {
    watch(this.bound, { block: this.firstBlock, columns })
  }

  /** @param blockWords 0 if this thread is to do it alone */
  private call(blockWords = this.blockWords): void {
    const { waiting, total } = this
    if (waiting === 0) return
    this.waiting = this.masks = 0
    const result = callKernel(this.bound, waiting, total[0] as number, this.firstBlock, blockWords)
    if (result !== undefined) total[0] = result
    this.chunks.noteCall()
  }

  private addressesIn(layoutKey: number): Addresses {
    return this.known[layoutKey] ?? this.findAddresses(layoutKey)
  }

  private findAddresses(layoutKey: number): Addresses {
    const placements = this.registrations.map(
      (registration) => registration?.placement(layoutKey) as Placement,
    )
    const written = this.written.map((component) => placements[component] as Placement)
    const found = new Addresses(
      Int32Array.from(this.slots, ({ column, component }) =>
        column === undefined ? 0 : ((placements[component] as Placement).offsets[column.field] as number),
      ),
      Int32Array.from(written, ({ tickOffset }) => tickOffset),
      Int32Array.from(
        written.filter(({ rowTickOffset }) => rowTickOffset !== 0),
        ({ rowTickOffset }) => rowTickOffset,
      ),
    )
    // Without gaps, so that the array stays a dense one.
    while (this.known.length <= layoutKey) this.known.push(undefined)
    this.known[layoutKey] = found
    return found
  }

  /** Marks the rows of the mask; `first` is the index in Heap.u32 of row 0 of their ticks. */
  private markMasked(first: number, rows: number, now: number): void {
    const { u32 } = this.heap
    for (let row = 0; row < rows; row++) {
      const bits = u32[MASK_ADDRESS_WORD + (row >> 5)] as number
      if (((bits >>> (row & 31)) & 1) !== 0) u32[first + row] = now
    }
  }
}

/** Place of the row after the last one in the first word of a block. */
const END_SHIFT = 16
/** Up to so many words a loop copies faster than a call of `set`. */
const FEW_WORDS = 64

/** What one call takes. */
interface KernelBatch {
  blocks: Uint32Array
  /** For each block the words from Heap.chunks to its chunk's descriptor. */
  readonly chunkOffsets: number[]
  /** Indices in Heap.u32 of the change ticks of what is written. */
  readonly ticks: number[]
}

class RepeatedRun {
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
