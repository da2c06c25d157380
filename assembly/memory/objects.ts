// Owns small long-lived pieces of memory: one free list for each size from 16 to 512 bytes, filled from 4 KiB blocks; anything
// larger is a block of its own.

import { OBJECTS_ADDRESS } from './map'
import { allocateBlock, allowGrowth, blocks, forbidGrowth, releaseBlock } from './blocks'
import { assertFree, poison } from './poison'

export const MIN_SHIFT: u32 = 4
export const MAX_BYTES: u32 = 512
export const SLAB_BYTES: u32 = 4096

@inline
function shiftFor(bytes: u32): u32 {
  return bytes <= 1 << MIN_SHIFT ? MIN_SHIFT : 32 - clz(bytes - 1)
}

@inline
function listOf(shift: u32): usize {
  return OBJECTS_ADDRESS + (<usize>(shift - MIN_SHIFT) << 2)
}

export function initObjects(): void {
  memory.fill(OBJECTS_ADDRESS, 0, 0x100)
}

/** Zeroed memory of at least `bytes`, 16-byte aligned, or 0 when there is none. */
export function allocate(bytes: u32): usize {
  if (bytes > MAX_BYTES) {
    const block = allocateBlock(bytes)
    if (block != 0) memory.fill(block, 0, bytes)
    return block
  }
  const shift = shiftFor(bytes)
  const list = listOf(shift)
  let object = load<usize>(list)
  if (object == 0) {
    if (!refill(shift)) return 0
    object = load<usize>(list)
  }
  store<usize>(list, load<usize>(object))
  if (!ASC_NO_ASSERT) assertFree(object + sizeof<usize>(), (1 << shift) - <u32>sizeof<usize>())
  memory.fill(object, 0, 1 << shift)
  return object
}

/** Gives memory back; `bytes` must be what it was allocated with. 0 is ignored. */
export function release(address: usize, bytes: u32): void {
  if (address == 0) return
  if (bytes > MAX_BYTES) {
    releaseBlock(address, bytes)
    return
  }
  const shift = shiftFor(bytes)
  if (!ASC_NO_ASSERT) poison(address, 1 << shift)
  store<usize>(address, load<usize>(listOf(shift)))
  store<usize>(listOf(shift), address)
}

/**
 * Gives back the slabs of which no piece is in use. Costs a look at each piece that is free. Where there is no memory to count
 * them in, nothing happens.
 */
export function releaseSlabs(): void {
  const bytes = (blocks.touched / SLAB_BYTES + 1) << 1
  const maximum = forbidGrowth()
  const counts = allocateBlock(bytes)
  allowGrowth(maximum)
  if (counts == 0) return
  for (let shift = MIN_SHIFT; (<u32>1) << shift <= MAX_BYTES; shift++) {
    memory.fill(counts, 0, bytes)
    releaseSlabsOf(shift, counts)
  }
  releaseBlock(counts, bytes)
}

/** Those of one size. `counts` has a u16 of 0 for each slab that there may be. */
function releaseSlabsOf(shift: u32, counts: usize): void {
  for (let object = load<usize>(listOf(shift)); object != 0; object = load<usize>(object)) {
    const count = countOf(counts, object)
    store<u16>(count, load<u16>(count) + 1)
  }
  const all = SLAB_BYTES >> shift
  let free: usize = 0
  let last = listOf(shift)
  let object = load<usize>(last)
  while (object != 0) {
    const next = load<usize>(object)
    if (load<u16>(countOf(counts, object)) != all) {
      store<usize>(last, object)
      last = object
    } else if ((object & (SLAB_BYTES - 1)) == 0) {
      // The first piece of a slab leads to the next slab that is free.
      store<usize>(object, free)
      free = object
    }
    object = next
  }
  store<usize>(last, 0)
  while (free != 0) {
    const next = load<usize>(free)
    releaseBlock(free, SLAB_BYTES)
    free = next
  }
}

@inline
function countOf(counts: usize, object: usize): usize {
  return counts + ((object / SLAB_BYTES) << 1)
}

function refill(shift: u32): bool {
  const slab = allocateBlock(SLAB_BYTES)
  if (slab == 0) return false
  const list = listOf(shift)
  for (let offset = SLAB_BYTES; offset > 0; ) {
    offset -= 1 << shift
    store<usize>(slab + offset, load<usize>(list))
    store<usize>(list, slab + offset)
  }
  return true
}
