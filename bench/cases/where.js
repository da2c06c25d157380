// Owns the cases of a condition on a value: which of n rows of f32 are above a limit, scattered at random. One case for
// each share of rows that is kept, for that decides what a loop costs. It must never let the limit be found in advance.

/** Values are whole numbers below this, so that their sum is exact. */
const VALUES = 1_000

/** Looks random and is the same in every run and process. */
export const valueOf = (i) => ((Math.imul(i ^ 0x5bd1e995, 0x9e3779b1) >>> 8) * 7919) % VALUES

function whereCase(name, kept, above) {
  return {
    name,
    title: `Where: sum of x over rows with x > limit, f32; ${kept} of the rows are kept`,
    sizes: [1_000_000],
    /** The limit. */
    above,
    /** How many rows are above the limit, and the sum of their values. */
    reference(size) {
      let count = 0
      let sum = 0
      for (let i = 0; i < size; i++) {
        if (valueOf(i) <= above) continue
        count++
        sum += valueOf(i)
      }
      return [count, sum]
    },
  }
}

export const whereCases = [
  whereCase('where-none', 'none', VALUES),
  whereCase('where-few', '1 %', VALUES - 11),
  whereCase('where-half', 'half', VALUES / 2 - 1),
  whereCase('where-all', 'all', -1),
]
