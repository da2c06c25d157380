// Owns the order of a schedule's systems for the next run, and which timer follows which.
// It must never change anything before it is known that there is such an order.

import { StrataError } from './errors'
import type { Phase } from './phase'
import { type OrderedSystem, type Successors, sequence, successorsOf, unknownSystem } from './scheduleOrder'
import type { SystemRecord } from './system'
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
  systems: readonly SystemRecord[],
  phases: readonly Phase[],
  chains: readonly (readonly string[])[],
  removed: ReadonlySet<string>,
): Arrangement {
  const indices = new Map(phases.map((phase, k) => [phase, k]))
  const given = systems.map(({ name, phase, before, after, rank }) => {
    return { name, phaseIndex: indices.get(phase) as number, phaseName: phase.name, before, after, rank }
  })
  const successors = successorsOf(given, chains, removed)
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
export function followTimers(systems: ReadonlyMap<string, SystemRecord>, removed: ReadonlySet<string>): void {
  const settled = new Set<string>()
  for (const [name, { timer }] of systems) {
    const of = followed(timer)
    if (of === undefined) continue
    if (!systems.has(of) && !removed.has(of)) {
      throw unknownSystem(of, `system '${name}' (of)`, [...systems.keys()])
    }
    refuseTimerCycle(systems, name, settled)
  }
  for (const { timer } of systems.values()) {
    if (timer instanceof RateTimer && timer.of !== undefined) timer.follow(systems.get(timer.of))
  }
}

function followed(timer: unknown): string | undefined {
  return timer instanceof RateTimer ? timer.of : undefined
}

/** Timers that follow each other in a circle would never be due. `settled`: those that are known to be in none. */
function refuseTimerCycle(
  systems: ReadonlyMap<string, SystemRecord>,
  start: string,
  settled: Set<string>,
): void {
  const way = new Set<string>()
  for (let at: string | undefined = start; at !== undefined; at = followed(systems.get(at)?.timer)) {
    if (settled.has(at)) break
    if (way.has(at)) {
      const names = [...way]
      throw timerCycle([...names.slice(names.indexOf(at)), at])
    }
    way.add(at)
  }
  for (const name of way) settled.add(name)
}

function timerCycle(names: readonly string[]): StrataError {
  return new StrataError(
    'SCHEDULE_CYCLE',
    `Each of these systems follows the timer of the next, so none would ever run: ${names.join(' -> ')}. Give one of them a timer of its own.`,
  )
}
