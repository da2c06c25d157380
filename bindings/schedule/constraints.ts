// Owns the list of what puts one system before another.
// It must never change a schedule.

import type { Arrangement } from './arrangement'
import type { SystemRecord, SystemReference } from './system'

/** Two systems of one phase, the first of which must run before the second. */
export interface Constraint {
  /** Names of the two systems: the first runs before the second. */
  readonly systems: readonly [string, string]
  /** What says so: options of either system, a chain, or the `order` of two driven components. At least one. */
  readonly by: readonly ('before' | 'after' | 'chain' | 'order')[]
}

/** Each pair once, in the order in which the systems run. */
export function findConstraints(
  { systems, successors }: Arrangement,
  chains: readonly (readonly SystemReference[])[],
): Constraint[] {
  const numberOf = (reference: SystemReference) =>
    systems.findIndex(({ name, system }) => name === reference || system === reference)
  // What was removed decides nothing: its neighbours in the chain follow each other.
  const present = chains.map((chain) => chain.map(numberOf).filter((i) => i >= 0))
  return systems.flatMap((first, i) => {
    const later = (successors[i] as readonly number[]).flatMap((k) =>
      k < systems.length ? k : (successors[k] as readonly number[]),
    )
    return [...new Set(later)]
      .sort((a, b) => a - b)
      .map((k) => {
        const second = systems[k] as SystemRecord
        const said = {
          before: first.before.some((other) => numberOf(other) === k),
          after: second.after.some((other) => numberOf(other) === i),
          chain: present.some((chain) => chain.some((n, place) => n === i && chain[place + 1] === k)),
          order: (first.rank as number) < (second.rank as number),
        }
        const by = (Object.keys(said) as (keyof typeof said)[]).filter((way) => said[way])
        return { systems: [first.name, second.name], by }
      })
  })
}
