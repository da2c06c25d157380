// Owns the guard of kernels in worlds over the checked core: it compares the arguments with the layout, and the memory around the
// rows with a copy. It must never be reached from index.ts, nor throw: see guardLink.ts.
//
//   zone   ├─ 256 bytes ─┼────────────── chunk ──────────────┼─ 256 bytes ─┤      copied before the call; after it, all
//                        │ ticks │ entities │ x ▒▒▒▒▒▒ │ y … │                  but the rows that it may write (▒) must be
//                                                                              what it was
//
// A resource is guarded in the same way: 256 bytes before and after it, and its own bytes where it is only read.

import {
  BLOCKS_END,
  CHUNK_CAPACITY_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_RECORD_BYTES,
  CHUNK_ROWS_WORD,
  CHUNK_TICKS_BYTES,
  CORE_START,
  HEAP_ADDRESS,
  KERNEL_ARGUMENTS_ADDRESS,
  MASK_ADDRESS,
  SIZE_MASK,
  STATE_END,
} from '../../build/layout'
import { type Field, isVec } from '../components/fields'
import { CHUNK_SIZES, blockOf } from '../memory/coreTables'
import type { Placement } from '../cursors/placement'
import { type Registration, onlyRowOf } from '../state/registration'
import type { WorldState } from '../state/worldState'
import type { Guard, GuardedCall, GuardedColumn, GuardedResource } from './guardLink'
import type { KernelWindows } from './kernelInstance'
import type { KernelModule } from './kernelModule'

/** How far around a chunk a kernel is seen to write. */
const GUARD_BYTES = 256
/** Of a resource that is only read, so many bytes are compared: it may have millions. */
const COMPARED_BYTES = 0x10000
const HANDLE_BYTES = 4
/** Numbers and one block: as much as a kernel of the most parameters takes. */
const ARGUMENTS_BYTES = 0x400

/** Some bytes of memory as they were. */
interface Zone {
  /** Index of the first word in Heap.u32. */
  readonly first: number
  readonly copy: Uint32Array
}

/** One call, from before to after. */
interface WatchedCall extends GuardedCall {
  /** Its rows; both 0 when there are none. */
  readonly start: number
  readonly end: number
  readonly zones: readonly Zone[]
  /** What the kernel may write: pairs of a first address and the one behind the last. */
  readonly writable: readonly number[]
}

export class KernelGuard implements Guard {
  private call: WatchedCall | undefined
  /** Words for copies, used again in each call. */
  private store = new Uint32Array(0)
  private used = 0

  constructor(
    private readonly state: WorldState,
    private readonly windows: KernelWindows,
    private readonly module: KernelModule,
  ) {}

  /**
   * Checks the arguments as they lie in memory, and copies what the call must leave alone. What it returns is a
   * mistake of the bindings themselves.
   */
  before(call: GuardedCall): string | undefined {
    const { operation, kernel, block, columns, resources } = call
    const { u32 } = this.state.heap
    const rows = block === undefined ? 0 : (u32[block] as number)
    const start = rows & 0xffff
    const end = rows >>> 16
    const mask = block === undefined ? 0 : (u32[block + 1] as number)
    let wrong = block !== undefined && start >= end ? `rows ${start} to ${end}` : undefined
    if (mask !== 0 && mask !== MASK_ADDRESS) wrong ??= `a mask at ${mask}`
    for (const column of columns) wrong ??= this.wrongWith(column, end)
    for (const resource of resources) wrong ??= this.wrongWithResource(resource)
    if (wrong !== undefined) return `${operation}: ${kernel} would have been called with ${wrong}.`
    const zones = [...this.zones(columns), ...resources.flatMap((resource) => this.zonesAround(resource))]
    const writable = [...this.writable(columns, start, end, mask), ...this.writableIn(resources)]
    this.call = { ...call, start, end, zones, writable }
    return undefined
  }

  private wrongWith(guarded: GuardedColumn, end: number): string | undefined {
    const { u32 } = this.state.heap
    const { column, row } = guarded
    const descriptor = this.descriptorOf(guarded)
    const data = u32[descriptor + CHUNK_DATA_WORD] as number
    const rows = u32[descriptor + CHUNK_ROWS_WORD] as number
    const placement = this.placementOf(guarded)
    const offset = column === undefined ? 0 : placement?.offsets[column.field]
    const rowBytes = column?.rowBytes ?? HANDLE_BYTES
    const name = column?.parameter.name ?? 'the handles'
    if (row + end > rows) return `${end} rows from row ${row} of a chunk with ${rows}`
    const address = u32[guarded.word] as number
    if (offset === undefined || address !== data + offset + row * rowBytes) {
      return `${name} at ${address}, where its column is not`
    }
    if (address + end * rowBytes > this.endOf(descriptor)) {
      return `${name} beyond the end of its chunk`
    }
    return undefined
  }

  private wrongWithResource({ word, resource, registration }: GuardedResource): string | undefined {
    const address = this.state.heap.u32[word] as number
    const { parameter, field } = resource
    const ref = onlyRowOf(registration)
    if (ref === undefined || address !== ref.data + (ref.placement.offsets[field] as number)) {
      return `${parameter.name} at ${address}, where its resource is not`
    }
    return undefined
  }

  private placementOf(guarded: GuardedColumn): Placement | undefined {
    const descriptor = this.descriptorOf(guarded)
    return guarded.registration?.placement(this.state.heap.u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number)
  }

  /** Index in Heap.u32. */
  private descriptorOf({ chunkOffset }: GuardedColumn): number {
    return this.state.heap.chunks + chunkOffset
  }

  private endOf(descriptor: number): number {
    const { heap } = this.state
    const layoutKey = heap.u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
    return blockOf(heap, descriptor) + (CHUNK_SIZES[layoutKey & SIZE_MASK] as number)
  }

  /** The core's own state, the data of kernels, and each chunk with its descriptor and what lies around it. */
  private zones(columns: readonly GuardedColumn[]): Zone[] {
    const { heap } = this.state
    this.used = 0
    const zones = [
      this.copy(CORE_START, STATE_END),
      this.copy(MASK_ADDRESS, KERNEL_ARGUMENTS_ADDRESS + ARGUMENTS_BYTES),
    ]
    for (const { start, end } of this.windows.all) zones.push(this.copy(start, end))
    for (const descriptor of new Set(columns.map((column) => this.descriptorOf(column)))) {
      const start = Math.max(blockOf(heap, descriptor) - GUARD_BYTES, HEAP_ADDRESS)
      const end = Math.min(this.endOf(descriptor) + GUARD_BYTES, heap.word(BLOCKS_END))
      zones.push(this.copy(start, end))
      zones.push(this.copy(descriptor << 2, (descriptor << 2) + CHUNK_RECORD_BYTES))
    }
    return zones
  }

  /** What lies around a field of a resource, and its own bytes where they are only read. */
  private zonesAround({ word, resource }: GuardedResource): Zone[] {
    const { heap } = this.state
    const start = heap.u32[word] as number
    const end = start + resource.rowBytes
    const compared = resource.parameter.writes ? start : Math.min(start + COMPARED_BYTES, end)
    return [
      this.copy(Math.max(start - GUARD_BYTES, HEAP_ADDRESS), compared),
      this.copy(end, Math.min(end + GUARD_BYTES, heap.word(BLOCKS_END))),
    ]
  }

  /** Whole words, so that they can be compared as such. */
  private copy(start: number, end: number): Zone {
    const { u32 } = this.state.heap
    const first = start >> 2
    const words = ((end + 3) >> 2) - first
    // Zones made before keep the store that they are in.
    if (this.used + words > this.store.length) {
      this.store = new Uint32Array(2 * (this.used + words))
      this.used = 0
    }
    const copy = this.store.subarray(this.used, this.used + words)
    this.used += words
    copy.set(u32.subarray(first, first + words))
    return { first, copy }
  }

  private writable(columns: readonly GuardedColumn[], start: number, end: number, mask: number): number[] {
    const ranges: number[] = []
    const runs = mask === 0 ? [start, end] : this.runsOf(mask, start, end)
    const { u32 } = this.state.heap
    for (const { word, column } of columns) {
      if (column?.parameter.writes !== true) continue
      for (const row of runs) ranges.push((u32[word] as number) + row * column.rowBytes)
    }
    return ranges
  }

  private writableIn(resources: readonly GuardedResource[]): number[] {
    const written = resources.filter(({ resource }) => resource.parameter.writes)
    return written.flatMap(({ word, resource }) => {
      const start = this.state.heap.u32[word] as number
      return [start, start + resource.rowBytes]
    })
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

  /** Compares. What the kernel wrote where it may not write is put back. */
  after(): string | undefined {
    const { call } = this
    this.call = undefined
    const { u8, u32 } = this.state.heap
    // A memory that grew is another error; then these arrays are empty.
    if (call === undefined || u32.length === 0) return undefined
    let first = -1
    for (const zone of call.zones) {
      this.adopt(zone, call.writable)
      const word = firstDifference(u32, zone)
      if (word < 0) continue
      if (first < 0) first = firstByte(u8, zone, word)
      u32.set(zone.copy, zone.first)
    }
    return first < 0 ? undefined : this.overwritten(call, first)
  }

  /** What the kernel was allowed to write is as it should be. */
  private adopt(zone: Zone, writable: readonly number[]): void {
    const { u8 } = this.state.heap
    const start = zone.first << 2
    const copy = bytesOf(zone)
    for (let i = 0; i < writable.length; i += 2) {
      const from = Math.max(writable[i] as number, start)
      const to = Math.min(writable[i + 1] as number, start + copy.length)
      if (from < to) copy.set(u8.subarray(from, to), from - start)
    }
  }

  private overwritten(call: WatchedCall, address: number): string {
    const { operation, kernel, start, end } = call
    const rows = end === 0 ? '' : `, called for rows ${start} to ${end - 1},`
    return (
      `${operation}: ${kernel}${rows} overwrote ${this.describe(call, address)}. That was put back. ` +
      'A kernel may write the rows that it is called for, and resources, where they are not read-only.'
    )
  }

  private describe({ columns, resources }: WatchedCall, address: number): string {
    const { heap } = this.state
    const window = this.windows.all.find(({ start, end }) => address >= start && address < end)
    if (window?.module === this.module) return 'its own tables in page 0, which threads may share'
    if (window !== undefined) return `data of ${window.owner} in page 0`
    if (address < HEAP_ADDRESS) return 'the state of the core'
    for (const column of columns) {
      const descriptor = this.descriptorOf(column)
      if (address >= blockOf(heap, descriptor) && address < this.endOf(descriptor)) {
        const offset = address - (heap.u32[descriptor + CHUNK_DATA_WORD] as number)
        return this.describeInChunk(descriptor, offset, column.row)
      }
    }
    for (const { registration } of resources) {
      const found = registration && this.describeInResource(registration, address)
      if (found !== undefined) return found
    }
    return `memory that it is not bound to, at 0x${address.toString(16)}`
  }

  /** What of a resource lies at an address; undefined when it is none of it. */
  private describeInResource(registration: Registration, address: number): string | undefined {
    const ref = onlyRowOf(registration)
    if (ref === undefined) return undefined
    const { data, placement, definition } = ref
    const { fields, fieldNames, componentName } = definition
    for (let k = 0; k < fields.length; k++) {
      const field = fields[k] as Field
      const value = (address - data - (placement.offsets[k] as number)) >> field.shift
      if (value < 0 || value >= field.length) continue
      return `${componentName}.${fieldNames[k]}${isVec(field) ? `[${value}]` : ''}`
    }
    const tick = address - data - placement.tickOffset
    return tick >= 0 && tick < CHUNK_TICKS_BYTES ? `the change ticks of ${componentName}` : undefined
  }

  /** What lies `offset` bytes behind the first row's handle, or in front of it; `base` is the row that the kernel calls 0. */
  private describeInChunk(descriptor: number, offset: number, base: number): string {
    const { u32 } = this.state.heap
    const capacity = u32[descriptor + CHUNK_CAPACITY_WORD] as number
    const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
    if (offset >= 0 && offset < capacity * HANDLE_BYTES) return `the handle of row ${(offset >> 2) - base}`
    for (const registration of this.state.allKnown()) {
      const placement = registration.placement(layoutKey)
      if (!placement.present) continue
      const { fields, fieldNames, componentName } = registration.definition
      const within = (from: number, bytes: number) => from !== 0 && offset >= from && offset < from + bytes
      for (let k = 0; k < fields.length; k++) {
        const { length, shift } = fields[k] as Field
        const rowBytes = length << shift
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

function bytesOf({ copy }: Zone): Uint8Array {
  return new Uint8Array(copy.buffer, copy.byteOffset, copy.byteLength)
}

/** Index of the first word of memory that is not as in the copy; -1 when there is none. */
function firstDifference(words: Uint32Array, { first, copy }: Zone): number {
  for (let i = 0; i < copy.length; i++) if (copy[i] !== words[first + i]) return first + i
  return -1
}

/** The address of the first byte that differs in a word. */
function firstByte(memory: Uint8Array, zone: Zone, word: number): number {
  const copy = bytesOf(zone)
  let address = word << 2
  while (memory[address] === copy[address - (zone.first << 2)]) address++
  return address
}
