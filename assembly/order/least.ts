// Owns the choice of the least pairs among many: the ones that come first in the order of keys, the older of equal ones first.
// What is kept stays in the order in which it was.
//
// It finds the last pair that is kept digit by digit, from the highest on: it counts how often each digit occurs among the
// pairs that share all digits found so far, and so sees which digit the last one has. Where nearly all that share them are
// kept, the digits that are left do not matter.

import {
  BIRTH,
  DIGITS,
  DIGITS_A_WORD,
  DIGIT_BITS,
  DIGIT_MASK,
  HIGH,
  LOW,
  birthOf,
  handleOf,
  increment,
  wordOf,
} from './keys'
import { SCRATCH_ADDRESS } from '../memory/map'

// No pair that comes after these is among the least. Digits that do not matter are the highest.
let lastKey: u64 = 0xffffffffffffffff
let lastBirth: u32 = 0xffffffff

// One choice; meaningless between two calls.
let pairs: usize = 0
let end: usize = 0
let wide = false
/** How many pairs share the digits found so far, and how many of those are kept. */
let sharing: u32 = 0
let kept: u32 = 0
/** How many more than these may be kept. */
let spared: u32 = 0

/** Forgets the bound: any pair may be among the least. */
export function liftBound(): void {
  lastKey = u64.MAX_VALUE
  lastBirth = u32.MAX_VALUE
}

/** No greater key is among the least. */
@inline
export function boundingKey(): u64 {
  return lastKey
}

/** Whether a pair cannot be among the least, as there are enough before it. */
@inline
export function isBeyond(key: u64, handle: u32): bool {
  return key > lastKey || (key == lastKey && birthOf(handle) > lastBirth)
}

/**
 * Keeps the `limit` least of `count` pairs at an address, and up to an eighth more, which are not worth telling apart;
 * there are more than `limit`, and that is not 0. Returns how many.
 */
export function keepLeast(address: usize, count: u32, isWide: bool, limit: u32): u32 {
  pairs = address
  wide = isWide
  end = address + (<usize>count << (isWide ? 4 : 3))
  sharing = count
  kept = limit
  spared = limit >> 3
  const high = isWide ? findWord(HIGH, 0) : 0
  const key = (<u64>high << 32) | <u64>findWord(LOW, <u64>high << 32)
  lastBirth = findWord(BIRTH, key)
  lastKey = key
  if (isWide) dropWideBeyond()
  else dropBeyond()
  return limit + (sharing - kept)
}

/** A word of the last pair that is kept; the words above it are those of `key`. */
function findWord(word: u32, key: u64): u32 {
  let found: u32 = 0
  for (let digit = DIGITS_A_WORD; digit-- > 0;) {
    const shift = digit * DIGIT_BITS
    // The highest digit of a word has no digits above it.
    const above: u32 = digit == DIGITS_A_WORD - 1 ? 0 : ~0 << (shift + DIGIT_BITS)
    if (sharing - kept <= spared) return found | ~above
    memory.fill(SCRATCH_ADDRESS, 0, DIGITS * 4)
    if (word == LOW && !wide) countKeys(shift, above, found)
    else countSharing(word, shift, above, found, key)
    found |= lastDigit() << shift
  }
  return found
}

/** How often each digit occurs among the pairs that share the digits found so far. */
function countSharing(word: u32, shift: u32, above: u32, found: u32, key: u64): void {
  const size: usize = wide ? 16 : 8
  const isWide = wide
  const stop = end
  for (let pair = pairs; pair < stop; pair += size) {
    if (word == BIRTH && keyOf(pair, isWide) != key) continue
    if (word == LOW && isWide && load<u32>(pair, 4) != <u32>(key >> 32)) continue
    const bits = wordOf(pair, word, isWide)
    if ((bits & above) == found) increment(SCRATCH_ADDRESS, (bits >> shift) & DIGIT_MASK)
  }
}

/** Does what countSharing does for keys of one word, which most are. */
function countKeys(shift: u32, above: u32, found: u32): void {
  const stop = end
  for (let pair = pairs; pair < stop; pair += 8) {
    const bits = load<u32>(pair)
    if ((bits & above) == found) increment(SCRATCH_ADDRESS, (bits >> shift) & DIGIT_MASK)
  }
}

/** The digit of the last pair that is kept, by the counts. From now on only pairs with this one share all digits. */
function lastDigit(): u32 {
  let digit: u32 = 0
  let number = load<u32>(SCRATCH_ADDRESS)
  while (number < kept) {
    kept -= number
    number = load<u32>(SCRATCH_ADDRESS + (<usize>++digit << 2))
  }
  sharing = number
  return digit
}

@inline
function keyOf(pair: usize, isWide: bool): u64 {
  return isWide ? load<u64>(pair) : <u64>load<u32>(pair)
}

// Each pair is written where the next one that is kept belongs: whether it stays there is as good as random, and asking first
// would take longer.

function dropBeyond(): void {
  const last = <u32>lastKey
  const stop = end
  let to = pairs
  for (let pair = pairs; pair < stop; pair += 8) {
    const both = load<u64>(pair)
    const key = <u32>both
    store<u64>(to, both)
    if (key == last) to += isBeyond(key, <u32>(both >> 32)) ? 0 : 8
    else to += <usize>(key < last) << 3
  }
}

function dropWideBeyond(): void {
  const last = lastKey
  const stop = end
  let to = pairs
  for (let pair = pairs; pair < stop; pair += 16) {
    const key = load<u64>(pair)
    const handle = handleOf(pair, true)
    v128.store(to, v128.load(pair))
    if (key == last) to += isBeyond(key, handle) ? 0 : 16
    else to += <usize>(key < last) << 4
  }
}
