// Owns the search for systems that touch the same component in an order that nothing determines.

import type { Definition } from '../components/definition'
import type { Arrangement } from './arrangement'
import { allAfter } from './systemOrder'
import type { SystemRecord } from './system'

/** Two systems that touch the same component in an order that only the order of adding decides. */
export interface Ambiguity {
  /** Names of the two systems, in the order in which they run now. */
  readonly systems: readonly [string, string]
  /** Names of the components that both touch and at least one writes. */
  readonly components: readonly string[]
}

/**
 * All such pairs, earlier ones first. Systems of different phases are in order. Only systems that touch the same component are
 * compared.
 */
export function findAmbiguities({ systems, successors }: Arrangement): Ambiguity[] {
  const later: ReadonlySet<number>[] = []
  /** For each system the later ones that touch a component of its own. */
  const suspects = systems.map(() => new Set<number>())
  for (const touching of touchingByComponent(systems)) {
    // A chain of all that touch a component leaves no pair.
    if (touching.every((i, n) => n === 0 || successors[touching[n - 1] as number]?.includes(i))) continue
    touching.forEach((i, n) => {
      for (const k of touching.slice(n + 1)) suspects[i]?.add(k)
    })
  }
  return suspects.flatMap((others, i) =>
    [...others]
      .sort((a, b) => a - b)
      .flatMap((k) => {
        const [a, b] = [systems[i] as SystemRecord, systems[k] as SystemRecord]
        const components = contested(a, b)
        // Systems are in an order that keeps to what was said, so the later one cannot have to come first.
        if (components.length === 0 || (later[i] ??= allAfter(successors, i)).has(k)) return []
        return [{ systems: [a.name, b.name] as const, components }]
      }),
  )
}

/** A component in a phase. */
interface Touched {
  /** The systems that touch it, in the order in which they run. */
  readonly touching: number[]
  isWritten: boolean
}

/** For each phase and component that is written there, the systems that touch it, in the order in which they run. */
function touchingByComponent(systems: readonly SystemRecord[]): number[][] {
  const phases = new Map<unknown, Map<Definition, Touched>>()
  systems.forEach(({ phase, reads, writes }, i) => {
    const components = phases.get(phase) ?? new Map<Definition, Touched>()
    phases.set(phase, components)
    for (const definition of new Set([...writes, ...reads])) {
      const known: Touched = components.get(definition) ?? { touching: [], isWritten: false }
      components.set(definition, known)
      known.touching.push(i)
      known.isWritten ||= writes.has(definition)
    }
  })
  return [...phases.values()].flatMap((components) =>
    [...components.values()].filter(({ isWritten }) => isWritten).map(({ touching }) => touching),
  )
}

function contested(a: SystemRecord, b: SystemRecord): string[] {
  const touched = new Set<Definition>()
  for (const written of a.writes) if (b.reads.has(written) || b.writes.has(written)) touched.add(written)
  for (const written of b.writes) if (a.reads.has(written)) touched.add(written)
  return [...touched].map(({ componentName }) => componentName).sort()
}
