// The linear memory of one world as every check reads it: words, lists and hash tables, and the ledger into which their memory is
// entered.

import { LAYOUT } from '../layout'
import type { World } from '../../../bindings/index'
import { fail, hex } from './failure'
import { Ledger } from './ledger'

const L = LAYOUT

/**
 * 'all': every row, link and page entry. 'tables': everything but what costs time for each row; for worlds of
 * many entities between two full checks.
 */
export type Depth = 'all' | 'tables'

interface State {
  readonly heap: { readonly u32: Uint32Array }
  readonly locks: number
  readonly timeline: number
}

/** What the last check of a world found, and at which time of that world. */
const ledgers = new WeakMap<State, { readonly timeline: number; readonly ledger: Ledger }>()

export class Memory {
  readonly u32: Uint32Array
  readonly u16: Uint16Array
  readonly ledger: Ledger
  /** Whether a loop is open: empty chunks are kept until it ends. */
  readonly locked: boolean

  constructor(
    world: World,
    readonly depth: Depth,
  ) {
    const { state } = world as unknown as { state: State }
    const { buffer } = state.heap.u32
    this.u32 = new Uint32Array(buffer)
    this.u16 = new Uint16Array(buffer)
    this.locked = state.locks > 0
    const end = this.word(L.BLOCKS_END)
    // A restore leaves the heap as small as it was; what lies beyond is taken over when the heap grows again.
    if (end > buffer.byteLength) fail(`the heap ends at ${hex(end)}, the memory at ${hex(buffer.byteLength)}`)
    if (end > this.word(L.BLOCKS_MAXIMUM)) fail('the heap has grown beyond its maximum')
    const { timeline } = state
    const before = ledgers.get(state)
    this.ledger = new Ledger(this.u32, end, before?.timeline === timeline ? before.ledger : undefined)
    // Only what names former owners is kept: a ledger holds the memory, of which a page can have few.
    if (this.ledger.namesFormerOwners) ledgers.set(state, { timeline, ledger: this.ledger })
  }

  word(address: number): number {
    return this.u32[address >>> 2] as number
  }

  byte(address: number): number {
    return (this.word(address) >>> ((address & 3) * 8)) & 0xff
  }

  numbersAt(address: number, count: number): number[] {
    const first = address >>> 2
    const numbers: number[] = []
    for (let i = 0; i < count; i++) numbers.push(this.u32[first + i] as number)
    return numbers
  }

  /** The items of a List; its memory is entered into the ledger. */
  listed(list: number, name: string): number[] {
    this.ledger.claim(list, L.LIST_BYTES, name)
    const items = this.word(list + L.LIST_ITEMS)
    const count = this.word(list + L.LIST_COUNT)
    const capacity = this.word(list + L.LIST_CAPACITY)
    if (count > capacity) fail(`${name} counts ${count} items and has room for ${capacity}`)
    if (capacity > 0) this.ledger.claim(items, capacity * 4, `the items of ${name}`)
    return this.numbersAt(items, count)
  }

  /** The entries (low key, high key, value) of a HashTable; its memory is entered into the ledger. */
  hashed(table: number, name: string): [low: number, high: number, value: number, note: number][] {
    this.ledger.claim(table, L.HASH_TABLE_BYTES, name)
    const capacity = this.word(table + L.HASH_CAPACITY)
    const first = this.word(table + L.HASH_ENTRIES)
    if (capacity > 0) this.ledger.claim(first, capacity * L.HASH_ENTRY_BYTES, `the entries of ${name}`)
    if ((capacity & (capacity - 1)) !== 0) fail(`${name} has a capacity of ${capacity}, no power of two`)
    const entries: [number, number, number, number][] = []
    for (let i = 0; i < capacity; i++) {
      const entry = first + i * L.HASH_ENTRY_BYTES
      const stored = this.word(entry + 8)
      if (stored !== 0)
        entries.push([
          this.word(entry),
          this.word(entry + 4),
          stored - 1,
          this.word(entry + L.HASH_ENTRY_NOTE),
        ])
    }
    const count = this.word(table + L.HASH_COUNT)
    if (entries.length !== count) fail(`${name} counts ${count} entries and holds ${entries.length}`)
    if (count * 2 > capacity) fail(`${name} is more than half full`)
    return entries
  }

  /** Each of the numbers below `count` must be a value once: whatever is filed can be found again. */
  checkFiled(table: number, count: number, name: string): void {
    const values = this.hashed(table, name).map(([, , value]) => value)
    if (values.length !== count) fail(`${name} files ${values.length} of ${count}`)
    values
      .sort((a, b) => a - b)
      .forEach((value, i) => {
        if (value !== i) fail(`${name} does not file number ${i} once`)
      })
  }
}
