// Owns what free memory holds in the checked core: a pattern where something was, zeros where nothing ever was. Whatever is
// taken is looked through first, so a write into memory that was given back is found, at the latest when that is used again.
// It must never be reached in release: every use is under ASC_NO_ASSERT.

import { OWN_STAMP_ADDRESS } from './map'

const POISON: u8 = 0xdb
const POISON_WORD: u32 = 0xdbdbdbdb

/** Fills memory that is given back. */
export function poison(address: usize, bytes: u32): void {
  memory.fill(address, POISON, bytes)
}

/** Fills every word of free memory that is not 0. Zeros stay, so that the same calls still lead to the same bytes. */
export function poisonWhatIsLeft(from: usize, end: usize): void {
  for (let address = from; address < end; address += 4) if (load<u32>(address) != 0) store<u32>(address, POISON_WORD)
}

/** Asserts that free memory is as it was left. Address and length are multiples of 4. */
export function assertFree(address: usize, bytes: u32): void {
  const end = address + bytes
  for (; address < end; address += 4) {
    const word = load<u32>(address)
    assert(word == 0 || word == POISON_WORD, 'memory that was given back is not written to')
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
