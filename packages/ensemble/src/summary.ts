// Owns the summary of many runs: quantiles of every column of numbers, by parameters and along an axis. Values may be anything
// that a number can be: infinite, NaN, or so large that the sum of two is infinite.

import type { Rows } from './columns.js'
import type { ParameterValues } from './definition.js'
import type { Description } from './folder.js'
import type { Entry, FailedEntry } from './journal.js'
import type { Results } from './results.js'

/** The levels of the quantiles that are shown. */
export const LEVELS: readonly number[] = [0.05, 0.25, 0.5, 0.75, 0.95]

const SLOWEST = 10

/** Where the values of many runs lie. */
export interface Spread {
  /** How many values it is made of; NaN is left out. */
  runs: number
  mean: number
  /** At the LEVELS; NaN where one would lie between -Infinity and Infinity. */
  quantiles: number[]
}

/** Runs with the same parameters. */
export interface Group {
  /** Those that vary. */
  parameters: ParameterValues
  runs: number
  /** Those with NaN in any column of numbers. */
  nanRuns: number
  /** Of each column, the runs with NaN in any of their rows. */
  nan: Record<string, number>
  /** Of each column, the value in a run's last row. */
  last: Record<string, Spread>
  /** Of each column, along the axis. */
  along?: Record<string, { at: number; spread: Spread }[]> | undefined
}

/** What an ensemble says. */
export interface Summary {
  description: Description
  /** Names of the parameters that vary. */
  varying: string[]
  /** The others, as all runs have them, be it their defaults or not. */
  fixed: ParameterValues
  /** Names of the columns of numbers. */
  columns: string[]
  /** What the rows of a run are counted by, when runs have several. */
  axis: string | undefined
  /** In the order of their parameters. */
  groups: Group[]
  runs: number
  rows: number
  /** Runs with NaN in any column of numbers: quantiles and charts leave it out. */
  nan: number
  slowest: Entry[]
  /** The first of them. */
  failed: FailedEntry[]
  failedCount: number
}

/** What is known of the columns of a group before its runs are read. */
interface GroupOptions {
  columns: string[]
  axis: string | undefined
  isAlong: boolean
}

/** A group whose runs are being read. */
interface Collecting extends GroupOptions, Pick<Group, 'parameters' | 'runs' | 'nanRuns' | 'nan'> {
  last: Record<string, number[]>
  along: Record<string, Map<number, number[]>>
}

export function summarise(results: Results): Summary {
  const { description, runs, failed, failedCount, rowCount, combinations, mostRows } = results
  const varying = Object.keys(description.parameters).filter(
    (name) => new Set(combinations.map((parameters) => parameters[name])).size > 1,
  )
  const axis = mostRows > 1 ? (description.axis ?? 'row') : undefined
  const columns = Object.entries(description.columns)
    .filter(([name, kind]) => kind !== 'text' && !(axis !== undefined && name === description.axis))
    .map(([name]) => name)
  const collecting = new Map<string, Collecting>()
  const slowest: Entry[] = []
  for (const { run, rows } of results.each()) {
    const key = JSON.stringify(varying.map((name) => run.parameters[name]))
    let group = collecting.get(key)
    if (group === undefined) {
      const how = { varying, columns, axis: description.axis, isAlong: axis !== undefined }
      group = newGroup(run.parameters, how)
      collecting.set(key, group)
    }
    collect(group, rows)
    keepSlowest(slowest, run)
  }
  const groups = [...collecting.values()].map(finishGroup)
  return {
    description,
    varying,
    fixed: fixedOf(combinations, varying),
    columns,
    axis,
    groups: groups.sort((a, b) => compareParameters(a, b, varying)),
    runs: runs.length,
    rows: rowCount,
    nan: groups.reduce((sum, group) => sum + group.nanRuns, 0),
    slowest,
    failed,
    failedCount,
  }
}

const fixedOf = (combinations: readonly ParameterValues[], varying: readonly string[]) =>
  Object.fromEntries(Object.entries(combinations[0] ?? {}).filter(([name]) => !varying.includes(name)))

/** Runs come in any order, so those that took equally long are told apart by their index. */
function keepSlowest(slowest: Entry[], run: Entry): void {
  const bySlowness = (a: Entry, b: Entry) => b.ms - a.ms || a.index - b.index || (a.key < b.key ? -1 : 1)
  if (slowest.length === SLOWEST && bySlowness(run, slowest[SLOWEST - 1]!) > 0) return
  slowest.push(run)
  slowest.sort(bySlowness)
  slowest.length = Math.min(slowest.length, SLOWEST)
}

function compareParameters(a: Group, b: Group, varying: readonly string[]): number {
  for (const name of varying) {
    const [one, other] = [a.parameters[name]!, b.parameters[name]!]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

function newGroup(
  parameters: ParameterValues,
  { varying, columns, axis, isAlong }: GroupOptions & { varying: string[] },
): Collecting {
  return {
    parameters: Object.fromEntries(varying.map((name) => [name, parameters[name]!])),
    columns,
    axis,
    isAlong,
    runs: 0,
    nanRuns: 0,
    nan: Object.fromEntries(columns.map((name) => [name, 0])),
    last: Object.fromEntries(columns.map((name) => [name, []])),
    along: Object.fromEntries(columns.map((name) => [name, new Map()])),
  }
}

/** Adds the rows of a run to its group, at their places: those of the axis, or without one the numbers of the rows. */
function collect(group: Collecting, { values, length }: Rows): void {
  const { columns, axis, isAlong, nan, last, along } = group
  group.runs++
  if (length === 0) return
  const without = columns.filter((name) => values[name]!.some(Number.isNaN))
  for (const name of without) nan[name]!++
  if (without.length > 0) group.nanRuns++
  for (const name of columns) {
    last[name]!.push(Number(values[name]![length - 1]))
    if (!isAlong) continue
    for (let row = 0; row < length; row++) {
      const place = axis === undefined ? row : Number(values[axis]![row])
      const list = along[name]!.get(place)
      if (list) list.push(Number(values[name]![row]))
      else along[name]!.set(place, [Number(values[name]![row])])
    }
  }
}

function finishGroup({ columns, axis: _, isAlong, last, along, ...group }: Collecting): Group {
  const ofColumns = <T>(of: (name: string) => T) =>
    Object.fromEntries(columns.map((name) => [name, of(name)]))
  return {
    ...group,
    last: ofColumns((name) => spreadOf(last[name]!)),
    along: isAlong ? ofColumns((name) => spreadsAlong(along[name]!)) : undefined,
  }
}

function spreadsAlong(lists: ReadonlyMap<number, number[]>): { at: number; spread: Spread }[] {
  return [...lists].sort(byPlace).map(([at, values]) => ({ at, spread: spreadOf(values) }))
}

/** NaN, which a damaged axis may have, comes last. */
const byPlace = ([a]: [number, unknown], [b]: [number, unknown]) =>
  Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || a - b

/** @returns NaN everywhere when there are none */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort()
  return {
    runs: sorted.length,
    mean: meanOf(sorted),
    quantiles: LEVELS.map((level) => quantile(sorted, level)),
  }
}

function meanOf(sorted: Float64Array): number {
  const sum = sorted.reduce((all, value) => all + value, 0)
  const isTooLarge = !Number.isFinite(sum) && sorted.every(Number.isFinite)
  if (!isTooLarge) return sum / sorted.length
  return sorted.reduce((all, value) => all + value / sorted.length, 0)
}

/**
 * Between two values it is interpolated, as most statistics programs do (type 7). Where it is a value, it is that value,
 * whatever its neighbour is: levels are whole per cents, so that places come out whole.
 */
function quantile(sorted: Float64Array, level: number): number {
  if (sorted.length === 0) return NaN
  const place = ((sorted.length - 1) * Math.round(level * 100)) / 100
  const below = Math.floor(place)
  const share = place - below
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!]
  if (share === 0 || low === high) return low
  // The difference of two large numbers may be infinite where neither is.
  return Number.isFinite(high - low) ? low + (high - low) * share : low * (1 - share) + high * share
}
