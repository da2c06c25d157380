// Owns the second look at a run: which runs are done twice, and whether both times gave the same rows, to the bit.

import type { Rows } from './columns.js'

/**
 * Chooses so many of a hundred, the first one always.
 *
 * @param percent 0 to 100
 * @returns asked for one run after the other
 */
export function everyHundredth(percent: number): () => boolean {
  let count = 0
  return () => {
    const before = Math.ceil((count * percent) / 100)
    count++
    return Math.ceil((count * percent) / 100) > before
  }
}

/** In which way two results of the same run differ. */
export function differenceOf(first: Rows, second: Rows): string | undefined {
  if (first.length !== second.length) return `${first.length} rows, then ${second.length}`
  for (const name of first.names) {
    const [one, other] = [first.values[name]!, second.values[name]!]
    for (let row = 0; row < first.length; row++) {
      if (!Object.is(one[row], other[row]))
        return `'${name}' was ${shown(one[row])}, then ${shown(other[row])}`
    }
  }
  return undefined
}

const shown = (value: unknown) => (Object.is(value, -0) ? '-0' : String(value))
