// Owns the order of systems: a sequence that satisfies all constraints, or the cycle that makes one impossible.
// It must never know what a system does.

import { StrataError, StrataTypeError } from './errors'

/** One system as the order sees it. */
export interface OrderedSystem {
  readonly name: string
  /** The phase's place in a run. */
  readonly phaseIndex: number
  readonly phaseName: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Among those of a phase that have one, lower ranks come first. */
  readonly rank: number | undefined
}

/** Numbers of systems in a list: for each, those that come after it. */
export type Successors = readonly (readonly number[])[]

/** Looks up a system that others name; undefined for one that was removed and so decides nothing. */
type Lookup = (name: string, namedBy: string) => number | undefined

/**
 * Who comes directly before whom.
 *
 * @param systems all of a schedule, in the order they were added
 * @param chains names, each of which comes before the next
 * @param removed names that were there once: who names them is not wrong
 * @throws StrataTypeError UNKNOWN_SYSTEM; StrataError SCHEDULE_CYCLE when phases run the other way round
 */
export function successorsOf(
  systems: readonly OrderedSystem[],
  chains: readonly (readonly string[])[],
  removed: ReadonlySet<string>,
): number[][] {
  const numbers = new Map(systems.map(({ name }, i) => [name, i]))
  const successors: number[][] = systems.map(() => [])
  const lookup: Lookup = (name, namedBy) => {
    const number = numbers.get(name)
    if (number === undefined && !removed.has(name)) {
      throw unknownSystem(name, namedBy, [...numbers.keys()])
    }
    return number
  }
  const link = (first: number | undefined, second: number | undefined) => {
    if (first === undefined || second === undefined) return
    const [a, b] = [systems[first] as OrderedSystem, systems[second] as OrderedSystem]
    if (a.phaseIndex > b.phaseIndex) throw againstPhases(a, b)
    if (a.phaseIndex === b.phaseIndex) (successors[first] as number[]).push(second)
  }
  systems.forEach((system, i) => {
    for (const name of system.before) link(i, lookup(name, `system '${system.name}' (before)`))
    for (const name of system.after) link(lookup(name, `system '${system.name}' (after)`), i)
  })
  for (const chain of chains) {
    const members = chain.map((name) => lookup(name, 'chain')).filter((member) => member !== undefined)
    for (let i = 1; i < members.length; i++) link(members[i - 1], members[i])
  }
  linkRanks(systems, successors)
  return successors
}

/** Each ranked system comes before all of its phase with a higher rank. */
function linkRanks(systems: readonly OrderedSystem[], successors: number[][]): void {
  systems.forEach((a, i) => {
    systems.forEach((b, k) => {
      if (a.rank === undefined || b.rank === undefined || a.phaseIndex !== b.phaseIndex) return
      if (a.rank < b.rank) (successors[i] as number[]).push(k)
    })
  })
}

/**
 * The numbers in an order that keeps to `successors`; of several that may come next, the smallest.
 *
 * @throws StrataError SCHEDULE_CYCLE
 */
export function sequence(successors: Successors, names: readonly string[]): number[] {
  const waitsFor = names.map(() => 0)
  for (const list of successors) for (const k of list) waitsFor[k]!++
  const order: number[] = []
  const placed = names.map(() => false)
  while (order.length < names.length) {
    const next = placed.findIndex((done, i) => !done && waitsFor[i] === 0)
    if (next < 0) throw cycleError(findCycle(successors, placed).map((i) => names[i] as string))
    placed[next] = true
    order.push(next)
    for (const k of successors[next] as readonly number[]) waitsFor[k]!--
  }
  return order
}

/** A cycle among what could not be placed, from its lowest number on, which is named again at the end. */
function findCycle(successors: Successors, placed: readonly boolean[]): number[] {
  const predecessor: number[] = []
  successors.forEach((list, i) => {
    if (!placed[i]) for (const k of list) predecessor[k] ??= i
  })
  // Everything that is left waits for something that is left: going back must meet itself.
  const way: number[] = []
  let at = placed.indexOf(false)
  while (!way.includes(at)) {
    way.push(at)
    at = predecessor[at] as number
  }
  const cycle = way.slice(way.indexOf(at)).reverse()
  const first = cycle.indexOf(Math.min(...cycle))
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)]
  return [...turned, turned[0] as number]
}

/** For each number, all that come after it, near or far. */
export function allSuccessors(successors: Successors): ReadonlySet<number>[] {
  return successors.map((_, start) => {
    const seen = new Set<number>()
    const open = [start]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const next of successors[at] as readonly number[]) {
        if (!seen.has(next)) open.push(next)
        seen.add(next)
      }
    }
    return seen
  })
}

/** The error for a name that no system has. */
export function unknownSystem(name: string, namedBy: string, known: readonly string[]): StrataTypeError {
  const list = known.length > 0 ? `its systems are ${known.join(', ')}` : 'it has no systems'
  return new StrataTypeError(
    'UNKNOWN_SYSTEM',
    `${namedBy} names '${String(name)}', but this schedule has no system of that name: ${list}.`,
  )
}

/** The error for systems that wait for each other. */
function cycleError(names: readonly string[]): StrataError {
  return new StrataError(
    'SCHEDULE_CYCLE',
    `No order is possible, for each of these systems is to come before the next: ${names.join(' -> ')}. Take one before, after or chain away.`,
  )
}

function againstPhases(first: OrderedSystem, second: OrderedSystem): StrataError {
  return new StrataError(
    'SCHEDULE_CYCLE',
    `'${first.name}' is to come before '${second.name}', but phase '${first.phaseName}' runs after phase '${second.phaseName}': ${first.name} -> ${second.name} -> ${first.name}. Move one of them to another phase.`,
  )
}
