// Owns the look over a kernel's shoulder in worlds over the checked core: what it is called with is compared with the
// layout, and what lies around its rows with a copy. It must never be reached from a world over the release core.
//
//   zone   ├─ 256 bytes ─┼────────────── chunk ──────────────┼─ 256 bytes ─┤      copied before the call; behind it, all
//                        │ entities │ x ▒▒▒▒▒▒ │ y … │ ticks │                  but the rows that it may write (▒) must be
//                                                                              what it was

import {
  BLOCKS_END,
  CHUNK_BYTES,
  CHUNK_CAPACITY,
  CHUNK_DATA,
  CHUNK_LAYOUT_KEY,
  CHUNK_RECORD_BYTES,
  CHUNK_ROWS,
  CHUNK_TICKS_BYTES,
  CORE_START,
  FULL_CHUNK,
  HEAP_ADDRESS,
  KERNEL_ARGUMENTS_ADDRESS,
  KERNEL_ARGUMENTS_BYTES,
  MASK_ADDRESS,
  SMALL_CHUNK_BYTES,
} from '../build/layout'
import { StrataError } from './errors'
import { type Field, SHIFT_OF } from './fields'
import { type KernelDescription, nameOf } from './kernel'
import type { BoundColumn } from './kernelBinding'
import type { KernelWindows } from './kernelInstance'
import type { KernelModule } from './kernelModule'
import type { Placement, Registration } from './registration'
import type { WorldState } from './worldState'

/** How far around a chunk a kernel is seen to write. */
const GUARD_BYTES = 256
const HANDLE_BYTES = 4
const ROWS = KERNEL_ARGUMENTS_ADDRESS >> 2

/** A column that a kernel is called with, and where it must be. */
export interface GuardedColumn {
  /** Index in Heap.u32 of the slot that holds its address. */
  readonly word: number
  /** Undefined for the handles of the rows. */
  readonly column: BoundColumn | undefined
  readonly registration: Registration | undefined
  /** Index in Heap.u32 of the chunk's descriptor, and the row of the chunk that counts as row 0. */
  readonly descriptor: number
  readonly row: number
}

/** Some bytes of memory as they were. */
interface Zone {
  readonly start: number
  readonly copy: Uint8Array
}

/** One call, from before to after. */
interface Call {
  readonly kernel: KernelDescription
  readonly columns: readonly GuardedColumn[]
  readonly start: number
  readonly end: number
  readonly zones: readonly Zone[]
  /** What the kernel may write: pairs of a first address and the one behind the last. */
  readonly writable: readonly number[]
}

export class KernelGuard {
  private call: Call | undefined

  constructor(
    private readonly state: WorldState,
    private readonly windows: KernelWindows,
    private readonly module: KernelModule,
  ) {}

  /**
   * Checks the arguments as they lie in memory, and copies what the call must leave alone.
   *
   * @throws StrataError CHECK_FAILED when the bindings themselves are wrong; the kernel was not called then
   */
  before(kernel: KernelDescription, columns: readonly GuardedColumn[]): void {
    const { u32 } = this.state.heap
    const rows = u32[ROWS] as number
    const start = rows & 0xffff
    const end = rows >>> 16
    const mask = u32[ROWS + 1] as number
    if (start >= end) throw broken(kernel, `rows ${start} to ${end}`)
    if (mask !== 0 && mask !== MASK_ADDRESS) throw broken(kernel, `a mask at ${mask}`)
    for (const column of columns) this.checkColumn(kernel, column, end)
    this.call = {
      kernel,
      columns,
      start,
      end,
      zones: this.zones(columns),
      writable: this.writable(columns, start, end, mask),
    }
  }

  private checkColumn(kernel: KernelDescription, guarded: GuardedColumn, end: number): void {
    const { u32 } = this.state.heap
    const { column, descriptor, row } = guarded
    const data = u32[descriptor + (CHUNK_DATA >> 2)] as number
    const rows = u32[descriptor + (CHUNK_ROWS >> 2)] as number
    const placement = this.placementOf(guarded)
    const offset = column === undefined ? 0 : placement?.offsets[column.field]
    const rowBytes = column?.rowBytes ?? HANDLE_BYTES
    const name = column?.parameter.name ?? 'the handles'
    if (row + end > rows) throw broken(kernel, `${end} rows from row ${row} of a chunk with ${rows}`)
    const address = u32[guarded.word] as number
    if (offset === undefined || address !== data + offset + row * rowBytes) {
      throw broken(kernel, `${name} at ${address}, where its column is not`)
    }
    if (address + end * rowBytes > data + this.bytesOf(descriptor)) {
      throw broken(kernel, `${name} beyond the end of its chunk`)
    }
  }

  private placementOf({ registration, descriptor }: GuardedColumn): Placement | undefined {
    return registration?.placement(this.state.heap.u32[descriptor + (CHUNK_LAYOUT_KEY >> 2)] as number)
  }

  private bytesOf(descriptor: number): number {
    const layoutKey = this.state.heap.u32[descriptor + (CHUNK_LAYOUT_KEY >> 2)] as number
    return layoutKey & FULL_CHUNK ? CHUNK_BYTES : SMALL_CHUNK_BYTES
  }

  /** The core's own state, the data of other kernels, and each chunk with its descriptor and what lies around it. */
  private zones(columns: readonly GuardedColumn[]): Zone[] {
    const { heap } = this.state
    const zones = [this.copy(CORE_START, KERNEL_ARGUMENTS_ADDRESS + KERNEL_ARGUMENTS_BYTES)]
    for (const { start, end } of this.windows.others(this.module)) zones.push(this.copy(start, end))
    for (const descriptor of new Set(columns.map((column) => column.descriptor))) {
      const data = heap.u32[descriptor + (CHUNK_DATA >> 2)] as number
      const end = Math.min(data + this.bytesOf(descriptor) + GUARD_BYTES, heap.word(BLOCKS_END))
      zones.push(this.copy(Math.max(data - GUARD_BYTES, HEAP_ADDRESS), end))
      zones.push(this.copy(descriptor << 2, (descriptor << 2) + CHUNK_RECORD_BYTES))
    }
    return zones
  }

  /** Whole words, so that they can be compared as such. */
  private copy(start: number, end: number): Zone {
    return { start: start & ~3, copy: this.state.heap.u8.slice(start & ~3, (end + 3) & ~3) }
  }

  private writable(columns: readonly GuardedColumn[], start: number, end: number, mask: number): number[] {
    const { window } = this.module
    const ranges = [window.start, window.end]
    const runs = mask === 0 ? [start, end] : this.runsOf(mask, start, end)
    const { u32 } = this.state.heap
    for (const { word, column } of columns) {
      if (column?.parameter.writes !== true) continue
      for (const row of runs) ranges.push((u32[word] as number) + row * column.rowBytes)
    }
    return ranges
  }

  /** The runs of rows whose bits are set, as pairs. */
  private runsOf(mask: number, start: number, end: number): number[] {
    const { u8 } = this.state.heap
    const isSet = (row: number) => (((u8[mask + (row >> 3)] as number) >> (row & 7)) & 1) !== 0
    const runs: number[] = []
    for (let row = start; row < end; row++) {
      if (!isSet(row)) continue
      const first = row
      while (row < end && isSet(row)) row++
      runs.push(first, row)
    }
    return runs
  }

  /**
   * Compares. What the kernel wrote where it may not write is put back.
   *
   * @param cause what the kernel threw, if it did
   * @throws StrataError KERNEL_FAILED that says what was overwritten
   */
  after(cause?: unknown): void {
    const { call } = this
    this.call = undefined
    const { u8 } = this.state.heap
    // A memory that grew is another error; then these arrays are empty.
    if (call === undefined || u8.length === 0) return
    let first = -1
    for (const zone of call.zones) {
      this.adopt(zone, call.writable)
      const address = firstDifference(u8, zone)
      if (address < 0) continue
      if (first < 0) first = address
      u8.set(zone.copy, zone.start)
    }
    if (first >= 0) throw this.overwritten(call, first, cause)
  }

  /** What the kernel was allowed to write is as it should be. */
  private adopt({ start, copy }: Zone, writable: readonly number[]): void {
    const { u8 } = this.state.heap
    for (let i = 0; i < writable.length; i += 2) {
      const from = Math.max(writable[i] as number, start)
      const to = Math.min(writable[i + 1] as number, start + copy.length)
      if (from < to) copy.set(u8.subarray(from, to), from - start)
    }
  }

  private overwritten(call: Call, address: number, cause: unknown): StrataError {
    const { kernel, start, end } = call
    return new StrataError(
      'KERNEL_FAILED',
      `query.run: ${nameOf(kernel)}, called for rows ${start} to ${end - 1}, overwrote ${this.describe(call, address)}. ` +
        'That was put back. A kernel may write the rows that it is called for, in columns that are not read-only.',
      cause === undefined ? undefined : { cause },
    )
  }

  private describe({ columns }: Call, address: number): string {
    const { heap } = this.state
    const window = this.windows
      .others(this.module)
      .find(({ start, end }) => address >= start && address < end)
    if (window !== undefined) return `data of ${window.owner} in page 0`
    if (address < HEAP_ADDRESS) return 'the state of the core'
    for (const { descriptor, row } of columns) {
      const offset = address - (heap.u32[descriptor + (CHUNK_DATA >> 2)] as number)
      if (offset >= 0 && offset < this.bytesOf(descriptor))
        return this.describeInChunk(descriptor, offset, row)
    }
    return `memory outside of its columns, at 0x${address.toString(16)}`
  }

  /** What lies `offset` bytes from the beginning of a chunk; `base` is the row that the kernel calls 0. */
  private describeInChunk(descriptor: number, offset: number, base: number): string {
    const { u32 } = this.state.heap
    const capacity = u32[descriptor + (CHUNK_CAPACITY >> 2)] as number
    const layoutKey = u32[descriptor + (CHUNK_LAYOUT_KEY >> 2)] as number
    if (offset < capacity * HANDLE_BYTES) return `the handle of row ${(offset >> 2) - base}`
    for (const registration of this.state.allKnown()) {
      const placement = registration.placement(layoutKey)
      if (!placement.present) continue
      const { fields, fieldNames, componentName } = registration.definition
      const within = (from: number, bytes: number) => from !== 0 && offset >= from && offset < from + bytes
      for (let k = 0; k < fields.length; k++) {
        const { length, kind } = fields[k] as Field
        const rowBytes = length << SHIFT_OF[kind]
        const column = placement.offsets[k] as number
        if (!within(column, capacity * rowBytes)) continue
        return `${componentName}.${fieldNames[k]} of row ${Math.floor((offset - column) / rowBytes) - base}`
      }
      if (within(placement.tickOffset, CHUNK_TICKS_BYTES)) return `the change ticks of ${componentName}`
      // Two columns follow each other: of the last change, and of the adding.
      if (within(placement.rowTickOffset, 2 * capacity * 4))
        return `the change ticks of rows of ${componentName}`
      if (within(placement.toggleOffset, (capacity + 7) >> 3))
        return `which rows have ${componentName} switched off`
    }
    return 'memory between the columns of its chunk'
  }
}

/** The first address at which memory is not as in the copy; -1 when there is none. */
function firstDifference(memory: Uint8Array, { start, copy }: Zone): number {
  const words = copy.length >> 2
  const was = new Uint32Array(copy.buffer, 0, words)
  const is = new Uint32Array(memory.buffer, start, words)
  for (let i = 0; i < words; i++) {
    if (was[i] === is[i]) continue
    let address = start + i * 4
    while (memory[address] === copy[address - start]) address++
    return address
  }
  return -1
}

function broken(kernel: KernelDescription, what: string): StrataError {
  return new StrataError('CHECK_FAILED', `query.run: ${nameOf(kernel)} would have been called with ${what}.`)
}
