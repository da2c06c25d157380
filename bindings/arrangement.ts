// Owns the order of a schedule's systems for the next run, and which timer follows which.
// It must never change anything before it is known that there is such an order.

import { StrataError } from './errors'
import type { Phase } from './phase'
import { type Successors, sequence, successorsOf, unknownSystem } from './scheduleOrder'
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
  const given = systems.map(({ name, phase, before, after, rank }) => {
    return { name, phaseIndex: phases.indexOf(phase), phaseName: phase.name, before, after, rank }
  })
  const successors = successorsOf(given, chains, removed)
  const placed = sequence(
    successors,
    given.map(({ name }) => name),
  )
  const order = phases.flatMap((_, k) => placed.filter((i) => given[i]?.phaseIndex === k))
  const places = new Map(order.map((i, place) => [i, place]))
  return {
    systems: order.map((i) => systems[i] as SystemRecord),
    successors: order.map((i) => (successors[i] as number[]).map((k) => places.get(k) as number)),
  }
}

/**
 * Lets each timer that follows another system know which one that is now.
 *
 * @throws StrataTypeError UNKNOWN_SYSTEM; StrataError SCHEDULE_CYCLE
 */
export function followTimers(systems: ReadonlyMap<string, SystemRecord>, removed: ReadonlySet<string>): void {
  for (const [name, { timer }] of systems) {
    const of = followed(timer)
    if (of === undefined) continue
    if (!systems.has(of) && !removed.has(of)) {
      throw unknownSystem(of, `system '${name}' (of)`, [...systems.keys()])
    }
    refuseTimerCycle(systems, name)
  }
  for (const { timer } of systems.values()) {
    if (timer instanceof RateTimer && timer.of !== undefined) timer.follow(systems.get(timer.of))
  }
}

function followed(timer: unknown): string | undefined {
  return timer instanceof RateTimer ? timer.of : undefined
}

/** Timers that follow each other in a circle would never be due. */
function refuseTimerCycle(systems: ReadonlyMap<string, SystemRecord>, start: string): void {
  const way: string[] = []
  for (let at: string | undefined = start; at !== undefined; at = followed(systems.get(at)?.timer)) {
    const met = way.indexOf(at)
    if (met >= 0) throw timerCycle([...way.slice(met), at])
    way.push(at)
  }
}

function timerCycle(names: readonly string[]): StrataError {
  return new StrataError(
    'SCHEDULE_CYCLE',
    `Each of these systems follows the timer of the next, so none would ever run: ${names.join(' -> ')}. Give one of them a timer of its own.`,
  )
}
