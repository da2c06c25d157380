// Chance in the kernels: the same bits as random.js.

const GOLDEN_RATIO_32: u32 = 0x9e3779b9
const RANGE_32: f64 = 4294967296

/** Scatters 32 bits so that neighbouring inputs give unrelated outputs. */
function scatter(bits: u32): u32 {
  bits = (bits ^ (bits >>> 16)) * 0x21f0aaad
  bits = (bits ^ (bits >>> 15)) * 0xd35a2d97
  return bits ^ (bits >>> 15)
}

/** What the keys of all cities on one day have in common. */
export function keyOfDay(seed: u32, day: u32): u32 {
  return scatter(scatter(seed ^ GOLDEN_RATIO_32) + day)
}

/** One key for all draws of one city on one day: what dayKey gives in random.js. */
export function keyOfCity(ofDay: u32, city: u32): u32 {
  return scatter(ofDay ^ ((city + 1) * GOLDEN_RATIO_32))
}

/** Draw number `draw` of that key: strictly between 0 and 1. */
export function uniform(key: u32, draw: u32): f64 {
  return (f64(scatter(key + (draw + 1) * GOLDEN_RATIO_32)) + 0.5) / RANGE_32
}
