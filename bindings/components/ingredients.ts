// Owns the list of the components named in a call, for changes that wait or have listeners.
// It must never be asked for on the short way: making a list for each call costs more than the change itself.

import type { Ingredient } from './component'

/** What was named in a call, in the order of its bundle; undefined where no value was given. */
export type Given = readonly (Ingredient | undefined)[] | undefined

/** Up to three arguments as a list; undefined when none of them has values. */
export function listFew(count: number, a: unknown, b: unknown, c: unknown): Given {
  if (typeof a !== 'object' && typeof b !== 'object' && typeof c !== 'object') return undefined
  return (count === 1 ? [a] : count === 2 ? [a, b] : [a, b, c]) as Ingredient[]
}

/** Four arguments or more as a list; undefined when none of them has values. */
export function listMany(a: unknown, b: unknown, c: unknown, more: readonly unknown[]): Given {
  const list = [a, b, c, ...more]
  return list.some((ingredient) => typeof ingredient === 'object') ? (list as Ingredient[]) : undefined
}
