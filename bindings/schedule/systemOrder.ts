// Owns the order of systems: a sequence that satisfies all constraints, or the cycle that makes one impossible.

import { StrataError } from '../memory/errors'

/** One system as the order sees it. */
export interface OrderedSystem {
  readonly name: string
  /** The phase's place in a run. */
  readonly phaseIndex: number
  readonly phaseName: string
  /** Numbers of the systems that must come later. */
  readonly before: readonly number[]
  /** Numbers of the systems that must come first. */
  readonly after: readonly number[]
  /** Among those of a phase that have one, lower ranks come first. */
  readonly rank: number | undefined
}

/** Numbers of systems in a list: for each, those that come after it. Gates follow, behind the last system. */
export type Successors = readonly (readonly number[])[]

/**
 * Which system comes directly before which; with gates between ranks.
 *
 * @param systems all of a schedule, in the order they were added
 * @param chains numbers of systems, each of which comes before the next
 * @throws StrataError SCHEDULE_CYCLE when phases run the other way round
 */
export function successorsOf(
  systems: readonly OrderedSystem[],
  chains: readonly (readonly number[])[],
): number[][] {
  const successors: number[][] = systems.map(() => [])
  const link = (first: number, second: number) => {
    const [a, b] = [systems[first] as OrderedSystem, systems[second] as OrderedSystem]
    if (a.phaseIndex > b.phaseIndex) throw againstPhases(a, b)
    if (a.phaseIndex === b.phaseIndex) (successors[first] as number[]).push(second)
  }
  systems.forEach((system, i) => {
    for (const later of system.before) link(i, later)
    for (const earlier of system.after) link(earlier, i)
  })
  for (const chain of chains) {
    for (let i = 1; i < chain.length; i++) link(chain[i - 1] as number, chain[i] as number)
  }
  linkRanks(systems, successors)
  return successors
}

/**
 * Each ranked system comes before all of its phase with a higher rank. Between two neighbouring ranks stands a gate,
 * which all of the lower come before and all of the higher come after: so many edges are enough as there are systems.
 */
function linkRanks(systems: readonly OrderedSystem[], successors: number[][]): void {
  const ranked = systems.map((_, i) => i).filter((i) => systems[i]?.rank !== undefined)
  const placeOf = (i: number) => systems[i] as OrderedSystem
  const rankOf = (i: number) => placeOf(i).rank as number
  ranked.sort((a, b) => placeOf(a).phaseIndex - placeOf(b).phaseIndex || rankOf(a) - rankOf(b) || a - b)
  let gateBefore: number | undefined
  let lower: number[] = []
  ranked.forEach((i, place) => {
    const before = ranked[place - 1]
    if (before === undefined || placeOf(before).phaseIndex !== placeOf(i).phaseIndex) {
      gateBefore = undefined
      lower = []
    } else if (rankOf(before) < rankOf(i)) {
      gateBefore = successors.push([]) - 1
      for (const k of lower) (successors[k] as number[]).push(gateBefore)
      lower = []
    }
    if (gateBefore !== undefined) (successors[gateBefore] as number[]).push(i)
    lower.push(i)
  })
}

/**
 * The numbers in an order that keeps to `successors`; of several that may come next, the smallest. Gates, which have
 * numbers beyond the names, are left out. Cost: systems and edges, and a heap of those that may come next.
 *
 * @throws StrataError SCHEDULE_CYCLE
 */
export function sequence(successors: Successors, names: readonly string[]): number[] {
  const waitsFor = successors.map(() => 0)
  for (const list of successors) for (const k of list) waitsFor[k]!++
  const ready = new SmallestFirst()
  const appended = successors.map(() => false)
  const order: number[] = []
  const append = (i: number) => {
    appended[i] = true
    for (const k of successors[i] as readonly number[]) {
      if (--waitsFor[k]! > 0) continue
      if (k < names.length) ready.push(k)
      else append(k)
    }
  }
  for (let i = 0; i < names.length; i++) if (waitsFor[i] === 0) ready.push(i)
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next)
    append(next)
  }
  if (order.length < names.length) {
    throw cycleError(findCycle(successors, appended, names.length).map((i) => names[i] as string))
  }
  return order
}

/** Numbers, the smallest of which comes out first: a binary heap. */
class SmallestFirst {
  private readonly items: number[] = []

  push(number: number): void {
    const { items } = this
    let at = items.push(number) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if ((items[above] as number) <= number) break
      items[at] = items[above] as number
      at = above
    }
    items[at] = number
  }

  pop(): number | undefined {
    const { items } = this
    const smallest = items[0]
    const last = items.pop()
    if (items.length === 0 || last === undefined) return smallest
    let at = 0
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      if ((items[below + 1] ?? Infinity) < (items[below] as number)) below++
      if ((items[below] as number) >= last) break
      items[at] = items[below] as number
      at = below
    }
    items[at] = last
    return smallest
  }
}

/** A cycle among what could not be placed, from its lowest number on, which is named again at the end. */
function findCycle(successors: Successors, appended: readonly boolean[], count: number): number[] {
  const predecessor: number[] = []
  successors.forEach((list, i) => {
    if (!appended[i]) for (const k of list) predecessor[k] ??= i
  })
  // Everything that is left waits for something that is left: going back must meet itself.
  const way: number[] = []
  const places = new Map<number, number>()
  let at = appended.indexOf(false)
  while (!places.has(at)) {
    places.set(at, way.push(at) - 1)
    at = predecessor[at] as number
  }
  const cycle = way
    .slice(places.get(at))
    .reverse()
    .filter((i) => i < count)
  const first = cycle.indexOf(cycle.reduce((a, b) => Math.min(a, b)))
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)]
  return [...turned, turned[0] as number]
}

/** All numbers that come after one, near or far. */
export function allAfter(successors: Successors, start: number): ReadonlySet<number> {
  const seen = new Set<number>()
  const open = [start]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of successors[at] as readonly number[]) {
      if (!seen.has(next)) open.push(next)
      seen.add(next)
    }
  }
  return seen
}

/** The error for systems that wait for each other. */
function cycleError(names: readonly string[]): StrataError {
  return new StrataError(
    'SCHEDULE_CYCLE',
    `These systems must each run before the next, in a cycle: ${names.join(' -> ')}. Take out one of the constraints between them (before, after or chain).`,
  )
}

function againstPhases(first: OrderedSystem, second: OrderedSystem): StrataError {
  return new StrataError(
    'SCHEDULE_CYCLE',
    `'${first.name}' is to come before '${second.name}', but phase '${first.phaseName}' runs after phase '${second.phaseName}': ${first.name} -> ${second.name} -> ${first.name}. Move one of them to another phase.`,
  )
}
