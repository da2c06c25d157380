// Owns chance: every random number is a pure function of the seed, the moment, who asks and what for.
// It must never keep state, so that a run can be continued from a copy of its world.

const GOLDEN_RATIO_32 = 0x9e3779b9

/** Scatters 32 bits so that neighbouring inputs give unrelated outputs (multipliers found by Chris Wellons). */
export function scatter(bits) {
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0xd35a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}

/** One key for all that happens at a moment. */
export function momentKey(seed, moment) {
  return scatter(scatter(seed ^ GOLDEN_RATIO_32) + moment)
}

/** 32 random bits for one who asks, an entity for example, at that moment. */
export function bitsOf(key, who) {
  return scatter(key ^ Math.imul(who, GOLDEN_RATIO_32))
}

/** A whole number from 0 to `count` - 1, made of 32 random bits. */
export function below(bits, count) {
  return Math.floor((bits / 4294967296) * count)
}
