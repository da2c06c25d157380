// Owns the pairs that sorting works on: a key and a handle; and how the bits of a field become a key.
//
//   pair of 8 bytes   ┌─────┬────────┐      of 16   ┌─────────┬──────────┬────────┬───────┐
//                     │ key │ handle │              │ low key │ high key │ handle │ empty │
//                     └─────┴────────┘              └─────────┴──────────┴────────┴───────┘
//
// Keys are unsigned numbers in the order of the values: signs are flipped, -0 is 0, NaN comes last.

import { ageOf, indexOf } from '../memory/entities'

/** How the bits of a field become a key. */
export const KEY_UNSIGNED: u32 = 0
export const KEY_SIGNED: u32 = 1
export const KEY_FLOAT: u32 = 2
/** Added to the kind where the greatest comes first. NaN comes last all the same. */
export const KEY_DESCENDING: u32 = 4

export const SIGN: u32 = 0x80000000

/** Which number of a pair a pass looks at. */
export const LOW: u32 = 0
export const HIGH: u32 = 1
export const BIRTH: u32 = 2

// A word is taken apart into digits: their counts are lists of this many numbers.
export const DIGIT_BITS: u32 = 11
export const DIGITS: u32 = 1 << DIGIT_BITS
export const DIGIT_MASK: u32 = DIGITS - 1
export const DIGITS_A_WORD: u32 = 3

/** The key of a value of 4, 2 or 1 bytes. */
@inline
export function narrowKey(address: usize, width: u32, kind: u32, descends: bool): u32 {
  const bits = ascendingKey(address, width, kind)
  const turns = descends && !(kind == KEY_FLOAT && bits == u32.MAX_VALUE)
  return turns ? ~bits : bits
}

@inline
function ascendingKey(address: usize, width: u32, kind: u32): u32 {
  if (width == 4) {
    const bits = load<u32>(address)
    if (kind == KEY_FLOAT) return floatKey(bits)
    return kind == KEY_SIGNED ? bits ^ SIGN : bits
  }
  if (width == 2) return kind == KEY_SIGNED ? <u32>load<i16>(address) ^ SIGN : <u32>load<u16>(address)
  return kind == KEY_SIGNED ? <u32>load<i8>(address) ^ SIGN : <u32>load<u8>(address)
}

/** Floats compare like their bits once all bits of negative ones, and the sign of the others, are flipped. */
@inline
function floatKey(bits: u32): u32 {
  if ((bits & ~SIGN) > 0x7f800000) return u32.MAX_VALUE
  if (bits == SIGN) return SIGN
  return bits ^ (<u32>(<i32>bits >> 31) | SIGN)
}

/** The key of an f64. */
@inline
export function wideKey(address: usize, descends: bool): u64 {
  const bits = ascendingWideKey(load<u64>(address))
  return descends && bits != u64.MAX_VALUE ? ~bits : bits
}

@inline
function ascendingWideKey(bits: u64): u64 {
  const sign: u64 = 1 << 63
  if ((bits & ~sign) > 0x7ff0000000000000) return u64.MAX_VALUE
  if (bits == sign) return sign
  return bits ^ (<u64>(<i64>bits >> 63) | sign)
}

@inline
export function handleOf(pair: usize, wide: bool): u32 {
  return wide ? load<u32>(pair, 8) : load<u32>(pair, 4)
}

@inline
export function wordOf(pair: usize, word: u32, wide: bool): u32 {
  return word == BIRTH ? birthOf(handleOf(pair, wide)) : load<u32>(pair + (word << 2))
}

/** Ages count down as entities get younger; their negatives count up, and do not wrap between living ones. */
@inline
export function birthOf(handle: u32): u32 {
  return 0 - ageOf(indexOf(handle))
}

/** Counts a digit in the list of counts that begins at `table`. */
@inline
export function increment(table: usize, digit: u32): void {
  const at = table + (<usize>digit << 2)
  store<u32>(at, load<u32>(at) + 1)
}
