// Checks that free memory is as it was left, over the checked core, which fills what is given back with a pattern: free blocks,
// blocks at rest, free small objects, and what was never handed out.

import { LAYOUT } from '../layout'
import { fail, hex } from './failure'

const L = LAYOUT

const POISON = 0xdbdbdbdb
/** Snapshots leave out free blocks of a page and more: after a restore they hold anything, until the core takes or gives a block. */
const PAGE_BYTES = 0x10000
/** Words in which a free block, and a free object or a block at rest, are chained. */
const BLOCK_HEAD_WORDS = 3
const CHAIN_WORDS = 1

/**
 * How many words from `start` on are as they were left, counted in eights up to where one is not, or where the rest is shorter.
 * Most of a memory is free: word by word, this took half of the time of random scripts.
 */
function asLeft(words: Uint32Array, start: number, end: number, touched: number): number {
  let at = start
  for (; at + 8 <= end; at += 8) {
    const a = words[at] as number
    const b = words[at + 1] as number
    const c = words[at + 2] as number
    const d = words[at + 3] as number
    const e = words[at + 4] as number
    const f = words[at + 5] as number
    const g = words[at + 6] as number
    const h = words[at + 7] as number
    if ((a | b | c | d | e | f | g | h) === 0) continue
    const others = (a ^ POISON) | (b ^ POISON) | (c ^ POISON) | (d ^ POISON)
    const more = (e ^ POISON) | (f ^ POISON) | (g ^ POISON) | (h ^ POISON)
    if (at + 8 > touched || (others | more) !== 0) break
  }
  return at - start
}

export class FreeMemory {
  /** Whether the core fills what is given back. */
  readonly isFilled: boolean
  private readonly touched: number
  private readonly isReplaced: boolean

  constructor(
    private readonly u32: Uint32Array,
    /** Who had what begins at an address, when it was last seen in use. */
    private readonly formerOwner: (address: number) => string | undefined,
  ) {
    const word = (address: number) => u32[address >>> 2] as number
    this.touched = word(L.BLOCKS_TOUCHED)
    this.isFilled = word(L.BLOCKS_STAMP) !== 0
    this.isReplaced = word(L.BLOCKS_STAMP) !== word(L.OWN_STAMP_ADDRESS)
  }

  checkBlock(address: number, bytes: number): void {
    if (this.isReplaced && bytes >= PAGE_BYTES) return
    this.check(address, bytes, BLOCK_HEAD_WORDS, `a free block of ${bytes} bytes`)
  }

  checkResting(address: number, bytes: number): void {
    this.check(address, bytes, CHAIN_WORDS, 'a block at rest')
  }

  checkObject(address: number, bytes: number): void {
    this.check(address, bytes, CHAIN_WORDS, `a free object of ${bytes} bytes`)
  }

  private check(address: number, bytes: number, head: number, name: string): void {
    if (!this.isFilled) return
    const { u32 } = this
    const end = (address + bytes) >>> 2
    const touched = this.touched >>> 2
    const start = (address >>> 2) + head
    for (let at = start + asLeft(u32, start, end, touched); at < end; at++) {
      const word = u32[at] as number
      // What was never handed out is zeros, and parts of what was have never been.
      if (word === 0 || (word === POISON && at < touched)) continue
      const place = `${hex(at * 4)}, in ${name} at ${hex(address)}`
      const owner = this.formerOwner(at * 4)
      fail(
        `somebody wrote ${hex(word)} to ${place}, ${owner === undefined ? 'never seen in use' : `which ${owner} gave back`}`,
      )
    }
  }

  /** Beyond the heap there is what a growing one takes over. */
  checkBeyond(end: number): void {
    if (!this.isFilled) return
    const { length } = this.u32
    for (let at = (end >>> 2) + asLeft(this.u32, end >>> 2, length, 0); at < length; at++) {
      if (this.u32[at] !== 0)
        fail(`somebody wrote ${hex(this.u32[at] as number)} to ${hex(at * 4)}, beyond the heap`)
    }
  }
}
