// Owns a kernel's run over the passes of a cascade: for each run of rows a block of arguments, and for each row the address
// of its parent's row. What one call took is kept, and given again until links or rows have changed.
//
//   KERNEL_ARGUMENTS  ┌─────────┬─────────┬─────────┬─ ─ ─ ─┬───────────────────┬─ ─ ─ ─
//                     │ numbers │ block 0 │ block 1 │       │ parents of slot 0 │ of slot 1
//                     └─────────┴─────────┴─────────┴─ ─ ─ ─┴───────────────────┴─ ─ ─ ─
//                     the blocks of kernels/kernelRun.ts           an address for each row, in the order of the blocks; 0: none
//
// Rows of one block never are each other's parents. It must never call the kernel for a child before its parent.

import {
  CHUNK_CHANGED_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  KERNEL_ARGUMENTS_ADDRESS,
  KERNEL_ARGUMENTS_BYTES,
  ROW_BITS,
  WORLD_TICK_WORD,
} from '../../build/layout'
import type { BoundKernel } from '../kernels/boundKernel'
import type { KernelConsumer } from '../kernels/parentParameters'
import type { ColumnSlot } from '../kernels/columnSlots'
import type { ChunkView } from '../iteration/chunkView'
import type { Plan } from '../queryPlan/plan'
import { INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import { CHUNK_WORDS_SHIFT, type Heap, ROW_MASK } from '../memory/heap'
import type { Registration } from '../state/registration'
import type { CascadeOrder } from './cascadeOrder'
import { type CascadeBatch, CascadeBatches } from './cascadeBatches'
import { ParentRows } from './parentRows'

/** Words of a block before the addresses, and the place of the row after the last one in the first of them. */
const HEAD_WORDS = 2
const END_SHIFT = 16

/** Where things lie in chunks of one layout and size, in bytes from the chunk's start. */
interface CascadeAddresses {
  /** For each slot; 0 for a list of parents. */
  readonly columns: Int32Array
  /** For each written component: its change ticks, and the column with those of its rows, where there is one. */
  readonly ticks: Int32Array
  readonly rowTicks: Int32Array
}

export class CascadeRun implements KernelConsumer {
  private readonly heap: Heap
  private readonly slots: readonly ColumnSlot[]
  /** The lists of parents, and the places of their slots. */
  private readonly parents: readonly ParentRows[]
  private readonly parentSlots: readonly number[]
  private readonly registrations: readonly (Registration | undefined)[]
  private readonly written: readonly Registration[]
  /** The pool that is walked; undefined for archetypes. */
  private readonly pool: Registration | undefined
  private readonly known: (CascadeAddresses | undefined)[] = []
  /** Indices in Heap.u32: of the first block, and of the first list. Words of a block, and rows for one call. */
  private readonly firstBlock: number
  private readonly firstList: number
  private readonly blockWords: number
  private readonly most: number
  /** Blocks and rows that wait for a call. */
  private blocks = 0
  private rows = 0
  /** The location of the row after the last one in the open block; 0 when there is none. */
  private next = 0
  private readonly isGuarded: boolean
  private readonly repeats: boolean
  private readonly batches: CascadeBatches
  /** The results so far: an array, since a number in a field would be a new object each time. */
  private readonly total = new Float64Array(1)

  constructor(
    private readonly bound: BoundKernel<unknown, unknown, boolean>,
    plan: Plan,
    private readonly descent: CascadeOrder,
  ) {
    const { state, resources, loaded } = bound
    this.heap = state.heap
    this.slots = bound.slotsOver(plan)
    this.registrations = plan.registrations
    this.parents = bound.parents.map((parent) => new ParentRows(state, parent))
    this.parentSlots = this.slots.flatMap(({ component }, i) => (component < 0 ? [i] : []))
    const writes = this.slots.filter(({ column }) => column?.parameter.writes === true)
    this.written = [...new Set(writes.map(({ component }) => plan.registrations[component] as Registration))]
    this.pool = plan.walksPool && plan.requiredPools.length === 1 ? plan.requiredPools[0] : undefined
    this.isGuarded = loaded.guard !== undefined
    this.repeats = !this.isGuarded && !this.written.some(({ definition }) => definition.details.tracksRows)
    this.blockWords = HEAD_WORDS + this.slots.length
    this.firstBlock = resources.end >> 2
    const room = ((KERNEL_ARGUMENTS_ADDRESS + KERNEL_ARGUMENTS_BYTES) >> 2) - this.firstBlock
    // Where no two rows follow each other, there are as many blocks as rows.
    this.most = Math.floor(room / (this.blockWords + this.parents.length))
    this.firstList = this.firstBlock + this.most * this.blockWords
    this.batches = new CascadeBatches(this.heap)
  }

  begin(taken: Float64Array): void {
    const { bound } = this
    bound.scalars.write(this.heap, taken)
    bound.resources.write()
    this.total[0] = bound.empty
    this.blocks = 0
    this.rows = 0
    this.next = 0
  }

  repeat(): boolean {
    return false
  }

  takeWhole(chunk: ChunkView): void {
    this.takeChunk(chunk)
  }

  takeGroup(): void {}

  // ── rows that a loop hands over ────────────────────────────────────────────────────────────────────────

  takeChunk({ data, start, end, layoutKey, chunkOffset, id }: ChunkView): void {
    const { heap, descent, pool } = this
    const { links } = descent
    const addresses = this.addressesIn(layoutKey)
    this.mark(data, chunkOffset, addresses)
    for (const offset of addresses.rowTicks) {
      const first = (data + offset) >> 2
      heap.u32.fill(heap.u32[WORLD_TICK_WORD] as number, first + start, first + end)
    }
    this.next = 0
    let first = start
    for (let row = start; row < end; row++) {
      const target = links?.targetOf(heap.u32[(data >> 2) + row] as number) ?? NULL_ENTITY
      if (this.rows === this.most) this.callGuarded(chunkOffset)
      // A parent in this very block would be a child's equal.
      const at = target === NULL_ENTITY ? 0 : this.locationOf(target, pool)
      const isInBlock = at >>> ROW_BITS === id && (at & ROW_MASK) >= first && (at & ROW_MASK) < row
      if (this.next === 0 || isInBlock) {
        if (this.isGuarded && this.blocks > 0) this.callGuarded(chunkOffset)
        first = row
        this.open(data, row, addresses)
      }
      this.add(row, target)
    }
    if (this.isGuarded) this.callGuarded(chunkOffset)
  }

  private locationOf(entity: number, pool: Registration | undefined): number {
    const { heap } = this
    const index = entity & INDEX_MASK
    if (index >= heap.entityCapacity || heap.handleAt(index) !== entity) return 0
    return pool === undefined ? heap.locationAt(index) : pool.findRow(index)
  }

  // ── all entities of the order ──────────────────────────────────────────────────────────────────────────

  takeList(order: Uint32Array): boolean {
    if (!this.repeats) return false
    const { batches, descent } = this
    let version = 0
    for (const parent of this.parents) version += parent.version()
    const kept = batches.begin(descent.passes, descent.state.timeline, version)
    // What the kernel writes is marked before it runs, also where it fails.
    batches.mark()
    if (kept === undefined) {
      const moved = batches.isMended ? descent.passes.moved : undefined
      for (const parent of this.parents) parent.forget(moved)
      this.build(order)
    } else for (let i = 0; i < kept.length; i++) this.repeatBatch(kept[i] as CascadeBatch)
    return true
  }

  private repeatBatch({ words, blocks, lists, rows }: CascadeBatch): void {
    const { u32 } = this.heap
    u32.set(words, this.firstBlock)
    for (let k = 0; k < lists.length; k++) u32.set(lists[k] as Uint32Array, this.firstList + k * this.most)
    this.blocks = blocks
    this.rows = rows
    this.call()
  }

  /** Calls the kernel for all entities of the order, and keeps what it was called with. */
  private build(order: Uint32Array): void {
    const { batches, descent, most } = this
    const levels = descent.passes
    const { starts } = levels
    let level = 0
    let from = 0
    try {
      while (from < order.length) {
        // Not every level is worth a call. A large one begins with a call of its own: it is found again when others change.
        const first = level
        const offset = from - (starts[level] as number)
        let batch = batches.keptAt(level, offset, levels)
        if (batch === undefined) {
          let room = most
          for (;;) {
            const end = starts[level + 1] as number
            const to = Math.min(from + room, end)
            this.buildRows(order, from, to)
            room -= to - from
            from = to
            if (to === end && level + 2 < starts.length) level++
            else if (to === end) break
            if (room === 0) break
            if (from === starts[level] && 2 * ((starts[level + 1] as number) - from) > most) break
          }
          const last = from === starts[level] ? level - 1 : level
          batch = this.keptBatch(first, offset, last)
          this.call()
        } else {
          this.repeatBatch(batch)
          from += batch.rows
          while (level + 2 < starts.length && from >= (starts[level + 1] as number)) level++
        }
        batches.add(batch)
      }
    } catch (error) {
      batches.forget()
      throw error
    }
  }

  /** Writes the blocks of entities of one level. */
  private buildRows(order: Uint32Array, from: number, to: number): void {
    const { heap, pool, batches, descent, parents, firstList, most } = this
    const { u32 } = heap
    const levels = descent.passes
    let chunk = -1
    let data = 0
    let addresses: CascadeAddresses | undefined
    let next = 0
    let block = 0
    let start = 0
    let first = 0
    let rows = this.rows
    for (let i = from; i < to; i++) {
      const entity = order[i] as number
      const index = entity & INDEX_MASK
      const location = pool === undefined ? heap.locationAt(index) : pool.findRow(index)
      const row = location & ROW_MASK
      // Listed at or after the first row of the block: in it.
      const target = levels.targetAt(index)
      const above = target === NULL_ENTITY ? 0 : levels.listedAt(target & INDEX_MASK)
      const own = levels.listedAt(index)
      if (location !== next || row === 0 || (above >= first && above < own)) {
        first = own
        const id = location >>> ROW_BITS
        if (id !== chunk) {
          chunk = id
          const chunkOffset = id << CHUNK_WORDS_SHIFT
          const descriptor = heap.chunks + chunkOffset
          data = u32[descriptor + CHUNK_DATA_WORD] as number
          addresses = this.addressesIn(u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number)
          if (batches.meets(id)) {
            this.mark(data, chunkOffset, addresses)
            batches.note(chunkOffset, data, addresses.ticks)
          }
        }
        block = this.firstBlock + this.blocks * this.blockWords
        this.rows = rows
        this.open(data, row, addresses as CascadeAddresses)
        start = row
      }
      u32[block] = start | ((row + 1) << END_SHIFT)
      next = location + 1
      for (let k = 0; k < parents.length; k++)
        u32[firstList + k * most + rows] = (parents[k] as ParentRows).addressFor(index, levels)
      rows++
    }
    this.rows = rows
  }

  /** What the call that waits takes. */
  private keptBatch(level: number, offset: number, lastLevel: number): CascadeBatch {
    const { heap, firstBlock, firstList, most, rows, blocks } = this
    const { u32 } = heap
    const words = u32.slice(firstBlock, firstBlock + blocks * this.blockWords)
    const lists = this.parents.map((_, k) => u32.slice(firstList + k * most, firstList + k * most + rows))
    return { words, blocks, lists, rows, level, offset, lastLevel }
  }

  // ── blocks ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Begins the block of a run of rows. */
  private open(data: number, row: number, { columns }: CascadeAddresses): void {
    const { parentSlots, firstList, most, rows } = this
    const { u32 } = this.heap
    const block = this.firstBlock + this.blocks++ * this.blockWords
    u32[block] = row
    u32[block + 1] = 0
    for (let i = 0; i < columns.length; i++) u32[block + HEAD_WORDS + i] = data + (columns[i] as number)
    // What would be the address of row 0.
    for (let k = 0; k < parentSlots.length; k++)
      u32[block + HEAD_WORDS + (parentSlots[k] as number)] = (firstList + k * most + rows - row) << 2
    this.next = 1
  }

  /** The next row of the open block. */
  private add(row: number, target: number): void {
    const { parents, firstList, most } = this
    const { u32 } = this.heap
    const block = this.firstBlock + (this.blocks - 1) * this.blockWords
    u32[block] = ((u32[block] as number) & 0xffff) | ((row + 1) << END_SHIFT)
    for (let k = 0; k < parents.length; k++)
      u32[firstList + k * most + this.rows] = (parents[k] as ParentRows).addressOf(target)
    this.rows++
  }

  private mark(data: number, chunkOffset: number, { ticks }: CascadeAddresses): void {
    if (ticks.length === 0) return
    const { u32, chunks } = this.heap
    const now = u32[WORLD_TICK_WORD] as number
    for (let i = 0; i < ticks.length; i++) u32[(data + (ticks[i] as number)) >> 2] = now
    u32[chunks + chunkOffset + CHUNK_CHANGED_WORD] = now
  }

  end(): void {
    this.call()
    this.bound.end(this.total)
  }

  get result(): number | undefined {
    return this.bound.kernel.result === 'none' ? undefined : this.total[0]
  }

  /** Calls the kernel for what waits, in one chunk where each call is guarded. */
  private callGuarded(chunkOffset: number): void {
    if (this.isGuarded && this.blocks > 0) {
      const columns = this.slots.flatMap(({ column, component }, i) => {
        const word = this.firstBlock + HEAD_WORDS + i
        const registration = this.registrations[component]
        return component < 0 ? [] : [{ word, column, registration, chunkOffset, row: 0 }]
      })
      this.bound.watch(this.firstBlock, columns)
    }
    this.call()
  }

  private call(): void {
    const { blocks, total } = this
    this.next = 0
    if (blocks === 0) return
    this.blocks = 0
    this.rows = 0
    const result = this.bound.call(blocks, total[0] as number)
    if (result !== undefined) total[0] = result
  }

  private addressesIn(layoutKey: number): CascadeAddresses {
    return this.known[layoutKey] ?? this.findAddresses(layoutKey)
  }

  private findAddresses(layoutKey: number): CascadeAddresses {
    const written = this.written.map((registration) => registration.placement(layoutKey))
    const found = {
      columns: Int32Array.from(this.slots, ({ column, component }) => {
        const registration = this.registrations[component]
        return column === undefined
          ? 0
          : ((registration as Registration).placement(layoutKey).offsets[column.field] as number)
      }),
      ticks: Int32Array.from(written, ({ tickOffset }) => tickOffset),
      rowTicks: Int32Array.from(written, ({ rowTickOffset }) => rowTickOffset).filter(
        (offset) => offset !== 0,
      ),
    }
    // Without gaps, so that the array stays a dense one.
    while (this.known.length <= layoutKey) this.known.push(undefined)
    this.known[layoutKey] = found
    return found
  }
}
