// Chance: every random number is a pure function of seed, city, day and draw number. kernels/random.ts gives the same bits.

const GOLDEN_RATIO_32 = 0x9e3779b9
const RANGE_32 = 4294967296

/** Scatters 32 bits so that neighbouring inputs give unrelated outputs (multipliers found by Chris Wellons). */
export function scatter(bits) {
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0xd35a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}

/** One key for all draws of one city on one day. */
export function dayKey(seed, city, day) {
  const ofDay = scatter(scatter(seed ^ GOLDEN_RATIO_32) + day)
  return scatter(ofDay ^ Math.imul(city + 1, GOLDEN_RATIO_32))
}

/** Draw number `draw` of that key: strictly between 0 and 1, so that logarithms of it are finite. */
export function uniform(key, draw) {
  return (scatter(key + Math.imul(draw + 1, GOLDEN_RATIO_32)) + 0.5) / RANGE_32
}
