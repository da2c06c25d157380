// Owns the heap: a buddy allocator over memory.grow that hands out blocks of 1 KiB (1 << MIN_ORDER), 2 KiB, 4 KiB and so on.
// Freed neighbours join again, so memory freed by chunks can serve a table and the other way round.
// It must never trap when memory ends: it returns 0 and changes nothing. Blocks are not zeroed when they come back.
//
// A block of 2^k bytes starts at a multiple of 2^k; its buddy is the block at `address ^ 2^k`. One bit per
// 1 KiB says "a free block starts here"; the free block itself stores its order (k) and its list links.
// (Knuth, The Art of Computer Programming 1, section 2.5; no header in blocks in use, callers know sizes.)
//
// What needs no power of two has a range: a block whose end went back at once. It goes back as the blocks it consists of.
//
// A few freed blocks of 1 KiB rest before they join: an entity that goes from one otherwise empty archetype to another
// and back takes such a block and gives one each time. They are free, in no list, and join when anything else is wanted.

import { BLOCKS_ADDRESS, FIRST_BITMAP_ADDRESS, FIRST_BITMAP_BYTES, HEAP_ADDRESS } from './map'
import { assertFree, nextStamp, poison, poisonWhatIsLeft, wasReplaced } from './poison'
import { isStressed } from './stress'
import { MIN_ORDER } from './sizes'

const MAX_ORDER: u32 = 30
export const MAX_BLOCK_BYTES: u32 = 1 << MAX_ORDER
const MOST_RESTING: u32 = 4
const PAGE_BYTES: u32 = 0x10000
/** One bit for each of the smallest blocks. */
const COVERAGE_PER_BITMAP_BYTE: u32 = 8 << MIN_ORDER
const FIRST_BITMAP_COVERAGE: u32 = FIRST_BITMAP_BYTES * COVERAGE_PER_BITMAP_BYTE
/** Memory grows by a quarter, so that a large world is not half empty, but by no less than this. */
const MIN_GROWTH_BYTES: u32 = 0x40000
/** Where free blocks of a page and more begin: snapshots leave them out. */
const PAGE_ORDER: u32 = 16

@unmanaged
export class FreeBlock {
  next: usize
  previous: usize
  order: u32
}

@unmanaged
export class Blocks {
  /** First byte that was never handed out: everything from here on is zeros, but for headers of free blocks. */
  touched: u32
  /** First byte behind the managed heap; equals the size of the memory. */
  end: u32
  /** The heap may not grow beyond this address. */
  maximum: u32
  /** Bytes in blocks that are handed out. */
  used: u32
  /** Bit k is set while the list of order k is not empty. */
  orders: u32
  bitmap: usize
  /** First address the bitmap does not cover. */
  coverage: u32
  /** Counts every growth of memory and every move of a table that TypeScript knows the place of: its caches compare it. */
  epoch: u32
  /** The first of the blocks that rest, chained by their first word; and how many they are. */
  resting: usize
  restingCount: u32
  /** The first of the blocks that are held for a change, chained by their first word. */
  held: usize
  /** Of the checked core, else 0: follows from all that was taken and given back (see poison.ts). */
  stamp: u32
  /** Heads of the free lists follow, one for each order up to MAX_ORDER. */
  firstList: usize
}

export const blocks = changetype<Blocks>(BLOCKS_ADDRESS)

@inline
function listOf(order: u32): usize {
  return BLOCKS_ADDRESS + offsetof<Blocks>('firstList') + (<usize>order << 2)
}

@inline
export function orderFor(bytes: u32): u32 {
  return bytes <= 1 << MIN_ORDER ? MIN_ORDER : 32 - clz(bytes - 1)
}

/** Makes the heap all zeros again; follow with initBlocks. Costs what was ever used, not the size of memory. */
export function eraseBlocks(): void {
  // The lists first: a block that was in use and one that never was can follow each other in any order.
  for (let order = MIN_ORDER; order <= MAX_ORDER; order++) {
    let block = load<usize>(listOf(order))
    while (block != 0) {
      const next = changetype<FreeBlock>(block).next
      if (block >= <usize>blocks.touched) memory.fill(block, 0, offsetof<FreeBlock>())
      block = next
    }
  }
  memory.fill(HEAP_ADDRESS, 0, blocks.touched - <u32>HEAP_ADDRESS)
}

/** Takes over the memory from HEAP_ADDRESS up to its present size. `maximum` is in bytes. */
export function initBlocks(maximum: u32): void {
  memory.fill(BLOCKS_ADDRESS, 0, 0x800)
  blocks.maximum = maximum
  blocks.bitmap = FIRST_BITMAP_ADDRESS
  blocks.coverage = FIRST_BITMAP_COVERAGE
  blocks.end = <u32>HEAP_ADDRESS
  blocks.touched = <u32>HEAP_ADDRESS
  const present = <u32>memory.size() * PAGE_BYTES
  // The memory that is there already is taken over when a stressed heap grows.
  const isLeast = !ASC_NO_ASSERT && isStressed()
  adopt(isLeast ? <u32>HEAP_ADDRESS + PAGE_BYTES : present)
}

/** A block of at least `bytes`, or 0 when the memory's maximum is reached. */
export function allocateBlock(bytes: u32): usize {
  if (bytes > MAX_BLOCK_BYTES) return 0
  const order = orderFor(bytes)
  if (order == MIN_ORDER && blocks.resting != 0) return takeResting()
  return take(order, 1 << order)
}

/** Memory of `bytes`, a multiple of 1 KiB: found like a block, but only the bytes asked for are taken. 0 as above. */
export function allocateRange(bytes: u32): usize {
  if (bytes > MAX_BLOCK_BYTES) return 0
  const order = orderFor(bytes)
  const start = take(order, bytes)
  if (start != 0) insertRange(<u32>start + bytes, <u32>start + (1 << order))
  return start
}

/** A block of which the first `bytes` will be in use, or 0. */
function take(order: u32, bytes: u32): usize {
  if (!ASC_NO_ASSERT) beforeChange()
  let fitting = blocks.orders >> order
  if (fitting == 0) {
    if (!joinResting() || blocks.orders >> order == 0) if (!grow(1 << order)) return 0
    fitting = blocks.orders >> order
    if (fitting == 0) return 0
  }
  let size = order + ctz(fitting)
  const block = load<usize>(listOf(size))
  unlink(block, size)
  while (size > order) {
    size -= 1
    link(block + (<usize>1 << size), size)
  }
  if (!ASC_NO_ASSERT) noteTaken(block, 1 << order)
  blocks.used += bytes
  blocks.touched = max(blocks.touched, <u32>block + bytes)
  return block
}

function takeResting(): usize {
  if (!ASC_NO_ASSERT) beforeChange()
  const block = blocks.resting
  blocks.resting = load<usize>(block)
  blocks.restingCount -= 1
  if (!ASC_NO_ASSERT) {
    store<usize>(block, 0)
    noteTaken(block, 1 << MIN_ORDER)
  }
  blocks.used += 1 << MIN_ORDER
  return block
}

/** Puts the blocks that rest into the lists; false when there were none. */
function joinResting(): bool {
  if (blocks.resting == 0) return false
  while (blocks.resting != 0) {
    const block = blocks.resting
    blocks.resting = load<usize>(block)
    if (!ASC_NO_ASSERT) store<usize>(block, 0)
    insert(block, MIN_ORDER)
  }
  blocks.restingCount = 0
  return true
}

/** Gives back a block; `bytes` must be what it was allocated with. */
export function releaseBlock(address: usize, bytes: u32): void {
  const order = orderFor(bytes)
  assert(address >= HEAP_ADDRESS && <u32>address < blocks.end, 'a released block lies in the heap')
  assert((address & ((1 << order) - 1)) == 0, 'a released block is aligned to its size')
  assert(!isFreeStart(address), 'a block is released once')
  if (!ASC_NO_ASSERT) noteGiven(address, 1 << order)
  blocks.used -= 1 << order
  if (order == MIN_ORDER && blocks.restingCount < MOST_RESTING) {
    store<usize>(address, blocks.resting)
    blocks.resting = address
    blocks.restingCount += 1
  } else insert(address, order)
}

/** Gives back a range; `bytes` must be what it was allocated with. */
export function releaseRange(address: usize, bytes: u32): void {
  const end = <u32>address + bytes
  assert(address >= HEAP_ADDRESS && end <= blocks.end, 'a released range lies in the heap')
  assert(((address | bytes) & ((1 << MIN_ORDER) - 1)) == 0, 'a released range consists of blocks')
  assert(!isFreeStart(address), 'a range is released once')
  if (!ASC_NO_ASSERT) noteGiven(address, bytes)
  blocks.used -= bytes
  insertRange(<u32>address, end)
}

/**
 * Makes sure that `count` blocks of `bytes` each can be allocated one after another without failing, growing
 * the memory when needed. This is how a bulk change obtains its memory before it changes anything.
 */
export function promiseBlocks(count: u32, bytes: u32): bool {
  const order = orderFor(bytes)
  joinResting()
  while (true) {
    let available: u32 = 0
    for (let k = order; k <= MAX_ORDER && available < count; k++) {
      let block = load<usize>(listOf(k))
      while (block != 0 && available < count) {
        available += 1 << (k - order)
        block = changetype<FreeBlock>(block).next
      }
    }
    if (available >= count) return true
    const missing = <u64>(count - available) << order
    if (missing > <u64>blocks.maximum || !grow(<u32>missing)) return false
  }
}

/** Sets a block aside until releaseHeldBlocks; false when memory ends. */
export function holdBlock(bytes: u32): bool {
  const block = allocateBlock(bytes)
  if (block == 0) return false
  store<usize>(block, blocks.held)
  store<u32>(block, bytes, sizeof<usize>())
  blocks.held = block
  return true
}

/** Gives back all that is held. */
export function releaseHeldBlocks(): void {
  while (blocks.held != 0) {
    const block = blocks.held
    blocks.held = load<usize>(block)
    releaseBlock(block, load<u32>(block, sizeof<usize>()))
  }
}

/**
 * From now on the memory does not grow: what would need that finds no memory. Returns the limit that was set, to be
 * given to allowGrowth.
 */
export function forbidGrowth(): u32 {
  const maximum = blocks.maximum
  blocks.maximum = blocks.end
  return maximum
}

export function allowGrowth(maximum: u32): void {
  blocks.maximum = maximum
}

// ── what only the checked core does ──────────────────────────────────────────────────────────────────────

/** Before a block is taken: in a stress core this is an occasion for memory to grow. */
function beforeChange(): void {
  if (wasReplaced(blocks.stamp)) poisonAgain()
  if (!isStressed() || blocks.maximum == blocks.end) return
  // No larger than before, and yet another buffer to JavaScript.
  memory.grow(0)
  blocks.epoch += 1
}

function noteTaken(block: usize, bytes: u32): void {
  assertFree(block, bytes)
  blocks.stamp = nextStamp(blocks.stamp, block)
}

function noteGiven(address: usize, bytes: u32): void {
  if (wasReplaced(blocks.stamp)) poisonAgain()
  poison(address, bytes)
  blocks.stamp = nextStamp(blocks.stamp, address)
}

/** After the heap has grown there is room. */
function moveBitmap(): void {
  const bytes = blocks.coverage / COVERAGE_PER_BITMAP_BYTE
  const order = orderFor(bytes)
  if (blocks.orders >> order == 0) return
  const old = blocks.bitmap
  const place = take(order, bytes)
  memory.copy(place, old, bytes)
  blocks.bitmap = place
  if (old != FIRST_BITMAP_ADDRESS) releaseRange(old, bytes)
}

/** After a restore large free blocks hold what a later time left there. */
function poisonAgain(): void {
  for (let order = PAGE_ORDER; order <= MAX_ORDER; order++) {
    for (let block = load<usize>(listOf(order)); block != 0; block = changetype<FreeBlock>(block).next) {
      const from = <u32>block + offsetof<FreeBlock>()
      const end = min(<u32>block + (1 << order), blocks.touched)
      poisonWhatIsLeft(from, end)
    }
  }
}

// ── growing ──────────────────────────────────────────────────────────────────────────────────────────────

/** Grows the memory so that a block, or several, of `bytes` in all can be had. */
function grow(bytes: u32): bool {
  const end = <u64>blocks.end
  const bitmapBytes = bitmapBytesFor(end + (<u64>bytes << 1))
  const alignment: u64 = 1 << min(orderFor(bytes), MAX_ORDER)
  const aligned = ((end + bitmapBytes + alignment - 1) & ~(alignment - 1)) + bytes
  // A page more, for the bitmap that moves then.
  if (!ASC_NO_ASSERT && isStressed() && growTo(aligned + PAGE_BYTES)) return true
  const generous = max(aligned, end + max(blocks.end >> 2, MIN_GROWTH_BYTES))
  // The last try serves a sum of small blocks, and a block whose lower half is free already.
  return growTo(generous) || growTo(aligned) || growTo(end + bytes + bitmapBytes)
}

function growTo(end: u64): bool {
  const rounded = (end + PAGE_BYTES - 1) & ~(<u64>PAGE_BYTES - 1)
  if (rounded > <u64>blocks.maximum) return false
  // A kernel that was to let the memory alone may have grown it: what is there already is taken over.
  const present = <u64>memory.size() * PAGE_BYTES
  if (rounded > present && memory.grow(<i32>((rounded - present) / PAGE_BYTES)) < 0) return false
  adopt(<u32>rounded)
  blocks.epoch += 1
  if (!ASC_NO_ASSERT && isStressed()) moveBitmap()
  return true
}

/** Bytes of a new bitmap when there must be one to cover `end`, else 0. */
function bitmapBytesFor(end: u64): u32 {
  if (end <= <u64>blocks.coverage) return 0
  let coverage = <u64>blocks.coverage
  while (coverage < end) coverage <<= 1
  return <u32>(coverage / COVERAGE_PER_BITMAP_BYTE)
}

/** Makes [blocks.end, end) part of the heap. */
function adopt(end: u32): void {
  let start = blocks.end
  const oldBitmap = blocks.bitmap
  const oldBytes = blocks.coverage / COVERAGE_PER_BITMAP_BYTE
  const bytes = bitmapBytesFor(end)
  if (bytes != 0) {
    memory.fill(start, 0, bytes)
    memory.copy(start, oldBitmap, oldBytes)
    blocks.bitmap = start
    blocks.coverage = bytes * COVERAGE_PER_BITMAP_BYTE
    blocks.used += bytes
    blocks.touched = max(blocks.touched, start + bytes)
    start += bytes
  }
  blocks.end = end
  insertRange(start, end)
  // A bitmap lies at an odd place for its size.
  if (bytes != 0 && oldBitmap != FIRST_BITMAP_ADDRESS) releaseRange(oldBitmap, oldBytes)
}

/** Puts [start, end) into the lists, in blocks as large as their places allow. */
function insertRange(start: u32, end: u32): void {
  while (start < end) {
    let order = min<u32>(ctz(start), MAX_ORDER)
    while (start + (1 << order) > end) order -= 1
    insert(start, order)
    start += 1 << order
  }
}

/** Puts a free block into its list, joined with its buddy as often as that one is free. */
function insert(address: usize, order: u32): void {
  while (order < MAX_ORDER) {
    const buddy = address ^ (<usize>1 << order)
    if (buddy < HEAP_ADDRESS || <u32>buddy >= blocks.end) break
    if (!isFreeStart(buddy) || changetype<FreeBlock>(buddy).order != order) break
    unlink(buddy, order)
    address &= ~(<usize>1 << order)
    order += 1
  }
  link(address, order)
}

function link(address: usize, order: u32): void {
  const list = listOf(order)
  const first = load<usize>(list)
  const block = changetype<FreeBlock>(address)
  block.next = first
  block.previous = 0
  block.order = order
  if (first != 0) changetype<FreeBlock>(first).previous = address
  store<usize>(list, address)
  blocks.orders |= 1 << order
  flipFreeStart(address)
}

function unlink(address: usize, order: u32): void {
  const block = changetype<FreeBlock>(address)
  if (block.previous != 0) changetype<FreeBlock>(block.previous).next = block.next
  else {
    store<usize>(listOf(order), block.next)
    if (block.next == 0) blocks.orders &= ~(1 << order)
  }
  if (block.next != 0) changetype<FreeBlock>(block.next).previous = block.previous
  // Memory that was never handed out stays all zeros: a reset need not clear it.
  block.next = 0
  block.previous = 0
  block.order = 0
  flipFreeStart(address)
}

/** The bitmap word and bit of the 1 KiB that starts at `address`. */
@inline
function bitmapWord(address: usize): usize {
  return blocks.bitmap + ((address >> (MIN_ORDER + 5)) << 2)
}

@inline
function isFreeStart(address: usize): bool {
  return <bool>((load<u32>(bitmapWord(address)) >> <u32>((address >> MIN_ORDER) & 31)) & 1)
}

@inline
function flipFreeStart(address: usize): void {
  const word = bitmapWord(address)
  store<u32>(word, load<u32>(word) ^ (1 << <u32>((address >> MIN_ORDER) & 31)))
}
