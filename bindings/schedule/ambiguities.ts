// Owns the search for systems that touch the same component in an order that nothing determines.
// It must never change a schedule.

import type { Definition } from '../components/definition'
import type { Arrangement } from './arrangement'
import { allSuccessors } from './order'
import type { SystemRecord } from './system'

/** Two systems that touch the same component in an order that only the order of adding decides. */
export interface Ambiguity {
  /** Names of the two systems, in the order in which they run now. */
  readonly systems: readonly [string, string]
  /** Names of the components that both touch and at least one writes. */
  readonly components: readonly string[]
}

/** All such pairs, earlier ones first. Systems of different phases are in order. */
export function findAmbiguities({ systems, successors }: Arrangement): Ambiguity[] {
  const found: Ambiguity[] = []
  const later = allSuccessors(successors)
  for (let i = 0; i < systems.length; i++) {
    for (let k = i + 1; k < systems.length; k++) {
      const [a, b] = [systems[i] as SystemRecord, systems[k] as SystemRecord]
      if (a.phase !== b.phase || later[i]?.has(k) === true || later[k]?.has(i) === true) continue
      const components = contested(a, b)
      if (components.length > 0) found.push({ systems: [a.name, b.name], components })
    }
  }
  return found
}

function contested(a: SystemRecord, b: SystemRecord): string[] {
  const touched = new Set<Definition>()
  for (const written of a.writes) if (b.reads.has(written) || b.writes.has(written)) touched.add(written)
  for (const written of b.writes) if (a.reads.has(written)) touched.add(written)
  return [...touched].map(({ componentName }) => componentName).sort()
}
