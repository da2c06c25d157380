// Owns random numbers without a state: a number is computed from a key and a counter, so the order in which rows are met does not
// matter, and a run can be repeated. It is quick, not secret: do not use it where guessing a number pays.
//
// Two rounds of mixing, each with the key put in before, so that the sequences of two keys are no shifted copies of
// each other. The constants are those that Chris Wellons' search for integer hashes of little bias found (hash-prospector,
// public domain): "lowbias32" for the first round, its successor 21f0aaad d35a2d97 for the second. For one key the
// 2^32 counters give 2^32 different numbers.

const KEY_FIRST: u32 = 0x9e3779b9
const KEY_SECOND: u32 = 0x85ebca6b
const TO_FLOAT: f32 = 1.0 / 16777216.0

/**
 * 32 random bits. Equal arguments give equal numbers, here and in JavaScript.
 *
 * @param key what the sequence belongs to: a seed, an entity, both mixed by another call
 * @param counter the place in the sequence: a tick, a row
 */
@inline
export function random(key: u32, counter: u32): u32 {
  let x = counter ^ (key * KEY_FIRST)
  x = (x ^ (x >> 16)) * 0x7feb352d
  x = (x ^ (x >> 15)) * 0x846ca68b
  x = (x ^ (x >> 16)) + key * KEY_SECOND
  x = (x ^ (x >> 16)) * 0x21f0aaad
  x = (x ^ (x >> 15)) * 0xd35a2d97
  return x ^ (x >> 15)
}

/** A random f32 from 0 up to but without 1: one of 2^24 equally spaced ones, from the upper bits of `random`. */
@inline
export function randomFloat(key: u32, counter: u32): f32 {
  return <f32>(random(key, counter) >> 8) * TO_FLOAT
}

/** `random` of four keys and four counters (u32). */
@inline
export function randomLanes(key: v128, counter: v128): v128 {
  let x = v128.xor(counter, i32x4.mul(key, i32x4.splat(KEY_FIRST)))
  x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 16)), i32x4.splat(0x7feb352d))
  x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 15)), i32x4.splat(0x846ca68b))
  x = i32x4.add(v128.xor(x, i32x4.shr_u(x, 16)), i32x4.mul(key, i32x4.splat(KEY_SECOND)))
  x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 16)), i32x4.splat(0x21f0aaad))
  x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 15)), i32x4.splat(0xd35a2d97))
  return v128.xor(x, i32x4.shr_u(x, 15))
}

/** `randomFloat` of four keys and four counters (u32). */
@inline
export function randomFloatLanes(key: v128, counter: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_u(i32x4.shr_u(randomLanes(key, counter), 8)), f32x4.splat(TO_FLOAT))
}
