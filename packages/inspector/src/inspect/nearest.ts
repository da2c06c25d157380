// Owns the sentence about a name that is unknown, with the nearest one that is known.

import { describe } from '../../../../bindings/memory/describe'

/** Names that differ in more than this share of their letters are no slips. */
const MOST_OF_LENGTH = 0.5
/** How many names a sentence lists where none is near. */
const LISTED = 8

/** 'there is no component 'Positoin' in this world: did you mean Position?' */
export function unknownName(what: string, name: unknown, known: readonly string[]): string {
  const unknown = `there is no ${what} ${describe(name)}`
  if (known.length === 0) return `${unknown}: the world has none yet.`
  const near = typeof name === 'string' ? nearest(name, known) : undefined
  if (near !== undefined) return `${unknown}: did you mean ${near}?`
  const more = known.length > LISTED ? `, and ${known.length - LISTED} more` : ''
  return `${unknown}: there is ${known.slice(0, LISTED).join(', ')}${more}.`
}

/** The name that takes the fewest letters to change; undefined when none is near. Case does not count. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Infinity
  for (const other of known) {
    const distance = distanceBetween(name.toLowerCase(), other.toLowerCase())
    const longest = Math.max(name.length, other.length)
    if (distance < least && distance <= longest * MOST_OF_LENGTH) {
      best = other
      least = distance
    }
  }
  return best
}

/** How many letters must be put in, left out, replaced or exchanged with a neighbour to make one word of the other. */
function distanceBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const differs = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + differs,
      )
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) cost = Math.min(cost, (beforeLast[j - 2] as number) + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] as number
}
