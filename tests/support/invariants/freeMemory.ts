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
    for (let at = (address >>> 2) + head; at < end; at++) {
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
    for (let at = end >>> 2; at < this.u32.length; at++) {
      if (this.u32[at] !== 0)
        fail(`somebody wrote ${hex(this.u32[at] as number)} to ${hex(at * 4)}, beyond the heap`)
    }
  }
}
