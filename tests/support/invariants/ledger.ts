// Records which part of the heap belongs to what: every byte of its blocks and small objects must have one owner, or be free, and
// then be as it was left.

import { LAYOUT } from '../layout'
import { fail, hex } from './failure'
import { FreeMemory } from './freeMemory'

const L = LAYOUT

/** Bytes of the smallest block. */
export const LEAST = 2 ** L.MIN_ORDER
const COVERAGE_PER_BITMAP_BYTE = 8 * LEAST

const MAX_ORDER = 30

/** Small objects share slabs; what is larger has blocks of its own (see assembly/memory/objects.ts). */
const MIN_SHIFT = 4
const MAX_OBJECT_BYTES = 512
const SLAB_BYTES = L.SLAB_BYTES

/** The bits above this power of two that a size needs: blocks are powers of two. */
function blockBytes(bytes: number): number {
  return bytes <= LEAST ? LEAST : 2 ** (32 - Math.clz32(bytes - 1))
}

export class Ledger {
  /** For each of the smallest blocks the number of its claim plus one. */
  private readonly owners: Uint32Array
  private readonly claims: string[] = []
  private claimed = 0
  /** For each slab of small objects: how large they are, and the number of each place's claim plus one. */
  private readonly slabs = new Map<number, { shift: number; taken: Uint32Array; count: number }>()
  /** Of free objects: who had them. */
  private readonly formerOfObjects = new Map<number, string | undefined>()
  /** Of each of the smallest blocks whether it is free. */
  private readonly isFree: Uint8Array
  /** Who had each free block. Handed on from check to check: most memory is free, and stays so. */
  private readonly formerOfBlocks: (string | undefined)[]
  private readonly free: FreeMemory

  /** @param before the ledger of the last check of the same memory */
  constructor(
    private readonly u32: Uint32Array,
    private readonly end: number,
    private before: Ledger | undefined,
  ) {
    this.owners = new Uint32Array(end / LEAST)
    this.free = new FreeMemory(u32, (address) => this.before?.lastOwnerOf(address))
    this.isFree = new Uint8Array(this.free.isFilled ? this.owners.length : 0)
    this.formerOfBlocks = before?.formerOfBlocks ?? []
  }

  /** Whether free memory shows who wrote into it: not in release. */
  get namesFormerOwners(): boolean {
    return this.free.isFilled
  }

  /** Who has what lies at an address, or had it when it was last seen in use. */
  private lastOwnerOf(address: number): string | undefined {
    const slab = this.slabs.get(address - (address % SLAB_BYTES))
    if (slab !== undefined) {
      const place = (address % SLAB_BYTES) >>> slab.shift
      const start = address - (address % 2 ** slab.shift)
      return this.formerOfObjects.has(start)
        ? this.formerOfObjects.get(start)
        : this.claims[(slab.taken[place] as number) - 1]
    }
    const start = address - (address % LEAST)
    return this.isFree[start / LEAST] === 1 ? this.formerOfBlocks[start / LEAST] : this.ownerAt(start)
  }

  /** Keeps who had the blocks that are free now. */
  private noteFormerOfBlocks(address: number, bytes: number): void {
    if (!this.free.isFilled) return
    const { before, isFree, formerOfBlocks } = this
    const end = (address + bytes) / LEAST
    for (let block = address / LEAST; block < end; block++) {
      isFree[block] = 1
      if (before?.isFree[block] !== 1) formerOfBlocks[block] = before?.lastOwnerOf(block * LEAST)
    }
  }

  private word(address: number): number {
    return this.u32[address >>> 2] as number
  }

  /** Whose the smallest block at an address is; undefined below the heap. */
  ownerAt(address: number): string | undefined {
    return this.claims[(this.owners[address / LEAST] as number) - 1]
  }

  /** Enters a piece of memory in use. `isBlock`: taken from the block allocator, however small. */
  claim(address: number, bytes: number, name: string, isBlock = false): void {
    if (isBlock || bytes > MAX_OBJECT_BYTES) this.claimBlock(address, blockBytes(bytes), name)
    else this.claimObject(address, bytes, name)
  }

  private claimBlock(address: number, bytes: number, name: string): void {
    if (address % bytes !== 0) fail(`${name} at ${hex(address)} is not aligned to its ${bytes} bytes`)
    this.claimRange(address, bytes, name)
    this.claimed += bytes
  }

  /** The first bytes of a block: what they leave of it is free, or in use by others. */
  claimPart(address: number, bytes: number, name: string): void {
    if (address % blockBytes(bytes) !== 0)
      fail(`${name} at ${hex(address)} is not aligned to a block of ${blockBytes(bytes)} bytes`)
    this.claimRange(address, bytes, name)
    this.claimed += bytes
  }

  private claimRange(address: number, bytes: number, name: string): void {
    if (address < L.HEAP_ADDRESS || address + bytes > this.end)
      fail(`${name} at ${hex(address)} lies outside of the heap`)
    this.claims.push(name)
    for (let block = address / LEAST; block < (address + bytes) / LEAST; block++) {
      const other = this.owners[block] as number
      if (other !== 0) fail(`${name} at ${hex(address)} overlaps ${this.claims[other - 1]}`)
      this.owners[block] = this.claims.length
    }
  }

  private claimObject(address: number, bytes: number, name: string): void {
    const shift = bytes <= 2 ** MIN_SHIFT ? MIN_SHIFT : 32 - Math.clz32(bytes - 1)
    const start = address - (address % SLAB_BYTES)
    let slab = this.slabs.get(start)
    if (slab === undefined) {
      this.claimBlock(start, SLAB_BYTES, `the slab of ${name}`)
      slab = { shift, taken: new Uint32Array(SLAB_BYTES >>> shift), count: 0 }
      this.slabs.set(start, slab)
    }
    if (slab.shift !== shift)
      fail(`${name} at ${hex(address)} lies among objects of ${2 ** slab.shift} bytes`)
    if ((address - start) % 2 ** shift !== 0) fail(`${name} at ${hex(address)} begins inside another object`)
    const place = (address - start) >>> shift
    if (slab.taken[place] !== 0) fail(`${name} at ${hex(address)} is in use twice, or free and in use`)
    this.claims.push(name)
    slab.taken[place] = this.claims.length
    slab.count++
  }

  /** With everything in use entered: adds what is free, and finds what is lost. */
  balance(): void {
    this.claimFreeObjects()
    for (const [start, slab] of this.slabs) {
      const places = SLAB_BYTES >>> slab.shift
      if (slab.count !== places)
        fail(`an object of ${2 ** slab.shift} bytes is lost in the slab at ${hex(start)}`)
    }
    this.claimBitmap()
    const used = this.word(L.BLOCKS_USED)
    if (this.claimed !== used) fail(`${used} bytes of blocks are in use and ${this.claimed} have an owner`)
    const free = this.claimFreeBlocks() + this.claimResting()
    this.free.checkBeyond(this.end)
    if (used + free !== this.end - L.HEAP_ADDRESS)
      fail(`${used} bytes in use and ${free} free are not the whole heap`)
    // What it knew is known here: of the checks of a long script only the last one is kept.
    this.before = undefined
  }

  private claimFreeObjects(): void {
    for (let shift = MIN_SHIFT; 2 ** shift <= MAX_OBJECT_BYTES; shift++) {
      let object = this.word(L.OBJECTS_ADDRESS + (shift - MIN_SHIFT) * 4)
      for (; object !== 0; object = this.word(object)) {
        if (object < L.HEAP_ADDRESS || object >= this.end)
          fail(`a free object of ${2 ** shift} bytes at ${hex(object)} lies outside of the heap`)
        this.claim(object, 2 ** shift, `a free object of ${2 ** shift} bytes`)
        this.free.checkObject(object, 2 ** shift)
        if (this.free.isFilled) this.formerOfObjects.set(object, this.before?.lastOwnerOf(object))
      }
    }
  }

  private claimBitmap(): void {
    const bitmap = this.word(L.BLOCKS_BITMAP)
    const bytes = this.word(L.BLOCKS_COVERAGE) / COVERAGE_PER_BITMAP_BYTE
    if (this.end > this.word(L.BLOCKS_COVERAGE)) fail('the bitmap of free blocks does not cover the heap')
    if (bitmap === L.FIRST_BITMAP_ADDRESS) return
    this.claimRange(bitmap, bytes, 'the bitmap of free blocks')
    this.claimed += bytes
  }

  /** Bytes in the free lists. */
  private claimFreeBlocks(): number {
    let free = 0
    let starts = 0
    for (let order = L.MIN_ORDER; order <= MAX_ORDER; order++) {
      const head = L.BLOCKS_FIRST_LIST + order * 4
      if (((this.word(L.BLOCKS_ORDERS) >>> order) & 1) !== (this.word(head) === 0 ? 0 : 1))
        fail(`the mark of the free list of order ${order} is wrong`)
      let previous = 0
      for (let block = this.word(head); block !== 0; block = this.word(block + L.FREE_BLOCK_NEXT)) {
        this.checkFreeBlock(block, order, previous)
        this.free.checkBlock(block, 2 ** order)
        this.noteFormerOfBlocks(block, 2 ** order)
        previous = block
        free += 2 ** order
        starts++
      }
    }
    this.checkBitmap(starts)
    return free
  }

  /** Bytes in freed blocks that rest before they join. */
  private claimResting(): number {
    let count = 0
    let block = this.word(L.BLOCKS_RESTING)
    for (; block !== 0; block = this.word(block), count++) {
      if (block % LEAST !== 0) fail(`a resting block at ${hex(block)} is not aligned`)
      this.claimRange(block, LEAST, 'a resting block')
      this.free.checkResting(block, LEAST)
      this.noteFormerOfBlocks(block, LEAST)
      if (this.isFreeStart(block)) fail(`the resting block at ${hex(block)} is marked in the bitmap`)
    }
    if (count !== this.word(L.BLOCKS_RESTING_COUNT)) fail(`${count} blocks rest, not as many as are counted`)
    return count * LEAST
  }

  private checkFreeBlock(block: number, order: number, previous: number): void {
    const name = `a free block of ${2 ** order} bytes`
    if (block % 2 ** order !== 0) fail(`${name} at ${hex(block)} is not aligned`)
    this.claimRange(block, 2 ** order, name)
    if (this.word(block + L.FREE_BLOCK_ORDER) !== order) fail(`${name} at ${hex(block)} says another order`)
    if (this.word(block + L.FREE_BLOCK_PREVIOUS) !== previous)
      fail(`${name} at ${hex(block)} does not point back in its list`)
    if (!this.isFreeStart(block)) fail(`${name} at ${hex(block)} is not marked in the bitmap`)
    // AssemblyScript's order is at most 30: two's complement of the exclusive or stays positive.
    const buddy = (block ^ (2 ** order)) >>> 0
    if (order === MAX_ORDER || buddy < L.HEAP_ADDRESS || buddy + 2 ** order > this.end) return
    if (this.isFreeStart(buddy) && this.word(buddy + L.FREE_BLOCK_ORDER) === order)
      fail(`the free blocks at ${hex(block)} and ${hex(buddy)} are buddies and not joined`)
  }

  private isFreeStart(address: number): boolean {
    const block = address / LEAST
    return ((this.word(this.word(L.BLOCKS_BITMAP) + (block >>> 5) * 4) >>> (block & 31)) & 1) === 1
  }

  /** As many marks as free blocks, each of which has its mark: no mark is left over. */
  private checkBitmap(starts: number): void {
    let marks = 0
    const words = this.word(L.BLOCKS_COVERAGE) / COVERAGE_PER_BITMAP_BYTE / 4
    const first = this.word(L.BLOCKS_BITMAP) >>> 2
    for (let i = 0; i < words; i++) {
      for (let bits = this.u32[first + i] as number; bits !== 0; bits &= bits - 1) marks++
    }
    if (marks !== starts) fail(`the bitmap marks ${marks} free blocks and the lists have ${starts}`)
  }
}
