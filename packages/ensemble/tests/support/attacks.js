// How many cases attacks of random damage make, and the numbers they are made of: the same each time. STRATA_ATTACKS=20 makes
// twenty times as many, STRATA_TESTS=all five times.

const factor = Number(process.env.STRATA_ATTACKS ?? (process.env.STRATA_TESTS === 'all' ? 5 : 1))

/** How many cases an attack makes that makes `few` of them where nobody asks for more. */
export const cases = (few) => Math.ceil(few * factor)

/** Numbers that look random and are the same for the same seed. */
export function generator(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, below: (limit) => Math.floor(next() * limit) }
}
