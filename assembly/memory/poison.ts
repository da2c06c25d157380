// Owns what free memory holds in the checked core: a pattern where something was, zeros where nothing ever was. Whatever is
// taken is looked through first, so a write into memory that was given back is found, at the latest when that is used again.
// It must never be reached in release: all of it is asked for behind ASC_NO_ASSERT.

import { OWN_STAMP_ADDRESS } from './map'

export const POISON: u8 = 0xdb

/** Fills memory that is given back. */
export function poison(address: usize, bytes: u32): void {
  memory.fill(address, POISON, bytes)
}

/** The same for what others left in free memory. Where nothing was, there are zeros as before: the bytes follow from the calls. */
export function poisonWhatIsLeft(from: usize, end: usize): void {
  for (let address = from; address < end; address += 4) if (load<u32>(address) != 0) store<u32>(address, 0xdbdbdbdb)
}

/** Asserts that nobody has written into free memory; both a multiple of 4. */
export function assertFree(address: usize, bytes: u32): void {
  const end = address + bytes
  for (; address < end; address += 4) {
    const word = load<u32>(address)
    assert(word == 0 || word == 0xdbdbdbdb, 'nobody writes into memory that was given back')
  }
}

/**
 * Whether memory was replaced since the last note: by a snapshot, which leaves out free blocks of a page and more. `stamp` is
 * part of it, the other one is not.
 */
@inline
export function wasReplaced(stamp: u32): bool {
  return load<u32>(OWN_STAMP_ADDRESS) != stamp
}

/** The stamp after a block was taken or given back: it follows from all that was done so far. */
@inline
export function nextStamp(stamp: u32, address: usize): u32 {
  const next = (stamp ^ <u32>address) * 0x9e3779b1 + 1
  store<u32>(OWN_STAMP_ADDRESS, next)
  return next
}
