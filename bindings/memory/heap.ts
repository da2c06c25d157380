// Owns the typed arrays over linear memory and the addresses of tables that may move. Whether they still hold is told by one
// number, the epoch: comparing buffers would cost more.

import {
  BLOCKS_EPOCH,
  BLOCKS_EPOCH_WORD,
  CHUNKS_TABLE,
  CHUNK_RECORD_WORDS,
  ENTITIES_CAPACITY,
  ENTITIES_RECORDS,
  RECORD_WORDS,
  ROW_BITS,
} from '../../build/layout'
import type { CursorChecks } from './core'
import { MemoryListeners } from './memoryListeners'

/** log2 of the u32 in one entity record, and in one chunk descriptor. */
export const RECORD_WORDS_SHIFT = /* @__PURE__ */ Math.log2(RECORD_WORDS)
export const CHUNK_WORDS_SHIFT = /* @__PURE__ */ Math.log2(CHUNK_RECORD_WORDS)
/** A location is the number of a chunk, and below it the row in the chunk. */
export const ROW_MASK = (1 << ROW_BITS) - 1

/** The strings that the ids in text columns stand for. */
export interface Strings {
  /** The string of an id. */
  at(id: number): string
  /** The id of a string, which is kept from now on. */
  intern(value: string): number
}

/** Typed arrays over all of a world's memory. They are replaced when the memory grows: do not keep them. */
export class Heap {
  declare i8: Int8Array
  declare u8: Uint8Array
  declare i16: Int16Array
  declare u16: Uint16Array
  declare i32: Int32Array
  declare u32: Uint32Array
  declare f32: Float32Array
  declare f64: Float64Array
  /** Index in u32 of the first entity record; a record is two numbers. */
  records = 0
  entityCapacity = 0
  /** To be added to CHUNKS_VERSION, so that it never comes again when memory goes back to an earlier time. */
  chunksBefore = 0
  /** Index in u32 of the first chunk descriptor; a descriptor is eight numbers. */
  chunks = 0
  /** Set by Registry, before any component is known. */
  texts!: Strings
  /** Keeps rows where they are until `unlock`; both set by Registry. */
  lock: () => void = () => {}
  unlock: () => void = () => {}
  /** Over the checked core: what is asked of cursors, which refuse what `set` refuses as well. */
  cursorChecks: CursorChecks | undefined
  /** Whoever keeps something that follows from where the memory lies. */
  readonly readers = new MemoryListeners()
  /** Whether arrays that a program may hold lie over memory that is something else's from now on. */
  leftBehind = false
  private epoch = 0

  constructor(private memory: WebAssembly.Memory | undefined) {
    this.refresh()
  }

  /** Call after anything that may have allocated. One read when nothing moved. */
  check(): void {
    // Arrays over a memory that grew are detached and give undefined, which is no epoch either.
    if (this.u32[BLOCKS_EPOCH_WORD] !== this.epoch) this.refresh()
  }

  /** Reads everything again. `restarted`: what was made over the memory is of no use, even if the memory is the same. */
  refresh(restarted = false): void {
    const buffer = this.memory?.buffer ?? new ArrayBuffer(0)
    const replaced = restarted || this.u32 === undefined || this.u32.buffer !== buffer
    if (replaced) {
      this.i8 = new Int8Array(buffer)
      this.u8 = new Uint8Array(buffer)
      this.i16 = new Int16Array(buffer)
      this.u16 = new Uint16Array(buffer)
      this.i32 = new Int32Array(buffer)
      this.u32 = new Uint32Array(buffer)
      this.f32 = new Float32Array(buffer)
      this.f64 = new Float64Array(buffer)
    }
    this.epoch = this.word(BLOCKS_EPOCH)
    this.records = this.word(ENTITIES_RECORDS) >> 2
    this.entityCapacity = this.word(ENTITIES_CAPACITY) | 0
    this.chunks = this.word(CHUNKS_TABLE) >> 2
    this.readers.tell(replaced)
  }

  /** Ends the arrays that were left behind, and with them all others over the memory: they have no elements any more. */
  endLeftBehind(): void {
    if (!this.leftBehind) return
    this.leftBehind = false
    // By nothing: the memory is as large as before, and its buffer is another one.
    this.memory?.grow(0)
    this.refresh()
  }

  /** Lets the memory be collected; arrays become empty ones in which nothing is alive. */
  release(): void {
    this.memory = undefined
    this.refresh()
  }

  /** The handle at an index, and where its row is: 0 for none. An index beyond entityCapacity has neither. */
  handleAt(index: number): number {
    return this.u32[this.records + (index << RECORD_WORDS_SHIFT)] as number
  }

  locationAt(index: number): number {
    return this.u32[this.records + (index << RECORD_WORDS_SHIFT) + 1] as number
  }

  /** Index in u32 of the descriptor of the chunk in which a location lies. Holds until the table moves: never keep it. */
  descriptorAt(location: number): number {
    return this.chunks + ((location >>> ROW_BITS) << CHUNK_WORDS_SHIFT)
  }

  /** The 32-bit number at a byte address. */
  word(address: number): number {
    return this.u32[address >> 2] as number
  }
}
