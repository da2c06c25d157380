// Owns the order of a schedule's systems for the next run, which timer follows which, and the list of what puts one system before
// another. Nothing changes before it is known that there is such an order.

import { StrataError } from '../memory/errors'
import type { Phase } from './phase'
import type { SystemRecord, SystemReference } from './system'
import type { SystemList } from './systemList'
import { type OrderedSystem, type Successors, sequence, successorsOf } from './systemOrder'
import { RateTimer } from './systemTimer'

export interface Arrangement {
  /** In the order in which they run. */
  readonly systems: readonly SystemRecord[]
  /** For each of them, the numbers of those that were said to come later. */
  readonly successors: Successors
}

/**
 * The order of all systems.
 *
 * @throws StrataError SCHEDULE_CYCLE; StrataTypeError UNKNOWN_SYSTEM
 */
export function arrangeSystems(
  list: SystemList,
  phases: readonly Phase[],
  chains: readonly (readonly SystemReference[])[],
): Arrangement {
  const systems = list.all
  const indices = new Map(phases.map((phase, k) => [phase, k]))
  const numbers = new Map(systems.map((system, i) => [system, i]))
  const numbersOf = (references: readonly SystemReference[], namedBy: string) =>
    references
      .map((reference) => list.named(reference, namedBy))
      .filter((system) => system !== undefined)
      .map((system) => numbers.get(system) as number)
  const given = systems.map(({ name, phase, before, after, rank }) => ({
    name,
    phaseIndex: indices.get(phase) as number,
    phaseName: phase.name,
    before: numbersOf(before, `system '${name}' (before)`),
    after: numbersOf(after, `system '${name}' (after)`),
    rank,
  }))
  const successors = successorsOf(
    given,
    chains.map((chain) => numbersOf(chain, 'chain')),
  )
  const names = given.map(({ name }) => name)
  const byPhase: number[][] = phases.map(() => [])
  for (const i of sequence(successors, names)) byPhase[(given[i] as OrderedSystem).phaseIndex]?.push(i)
  const order = byPhase.flat()
  // Gates keep their numbers.
  const places = successors.map((_, i) => i)
  order.forEach((i, place) => (places[i] = place))
  const moved: number[][] = []
  successors.forEach((list, i) => (moved[places[i] as number] = list.map((k) => places[k] as number)))
  return { systems: order.map((i) => systems[i] as SystemRecord), successors: moved }
}

/**
 * Lets each timer that follows another system know which one that is now.
 *
 * @throws StrataTypeError UNKNOWN_SYSTEM; StrataError SCHEDULE_CYCLE
 */
export function followTimers(systems: SystemList): void {
  const leaders = new Map<SystemRecord, SystemRecord | undefined>()
  for (const system of systems.all) {
    const { timer, name } = system
    if (!(timer instanceof RateTimer) || timer.of === undefined) continue
    leaders.set(system, systems.named(timer.of, `system '${name}' (of)`))
  }
  const settled = new Set<SystemRecord>()
  for (const system of leaders.keys()) refuseTimerCycle(leaders, system, settled)
  for (const [{ timer }, leader] of leaders) (timer as RateTimer).follow(leader)
}

/** Timers that follow each other in a circle would never be due. `settled`: those that are known to be in none. */
function refuseTimerCycle(
  leaders: ReadonlyMap<SystemRecord, SystemRecord | undefined>,
  start: SystemRecord,
  settled: Set<SystemRecord>,
): void {
  const way = new Set<SystemRecord>()
  for (let at: SystemRecord | undefined = start; at !== undefined; at = leaders.get(at)) {
    if (settled.has(at)) break
    if (way.has(at)) {
      const names = [...way, at].map(({ name }) => name)
      throw timerCycle(names.slice(names.indexOf(at.name)))
    }
    way.add(at)
  }
  for (const system of way) settled.add(system)
}

function timerCycle(names: readonly string[]): StrataError {
  return new StrataError(
    'SCHEDULE_CYCLE',
    `Each of these systems counts the turns of the next, in a cycle, so none would ever run: ${names.join(' -> ')}. Take out 'of' in one of them.`,
  )
}

/** Two systems of one phase, the first of which must run before the second. */
export interface Constraint {
  /** Names of the two systems: the first runs before the second. */
  readonly systems: readonly [string, string]
  /** What says so: options of either system, a chain, or the `order` of two object components of addObjects. At least one. */
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
