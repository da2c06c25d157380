// Owns what a thousand runs say together: quantiles of every column of numbers, by parameters and along an axis.
// Values may be anything that a number can be: infinite, NaN, or so large that the sum of two is infinite.

/** The levels of the quantiles that are shown. */
export const LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95]

const SLOWEST = 10

/**
 * @typedef {object} Spread
 * @property {number} runs how many values it is made of; NaN is left out
 * @property {number} mean
 * @property {number[]} quantiles at the LEVELS; NaN where one would lie between -Infinity and Infinity
 *
 * @typedef {object} Group runs with the same parameters
 * @property {Record<string, number | string | boolean>} parameters those that vary
 * @property {number} runs
 * @property {number} nanRuns those with NaN in any column of numbers
 * @property {Record<string, number>} nan of each column, the runs with NaN in any of their rows
 * @property {Record<string, Spread>} last of each column, the value in a run's last row
 * @property {Record<string, { at: number, spread: Spread }[]>} [along] of each column, along the axis
 *
 * @typedef {object} Summary
 * @property {import('./folder.js').Description} description
 * @property {string[]} varying names of the parameters that vary
 * @property {Record<string, number | string | boolean>} fixed the others, as all runs have them, be it their defaults or not
 * @property {string[]} columns names of the columns of numbers
 * @property {string | undefined} axis what the rows of a run are counted by, when runs have several
 * @property {Group[]} groups in the order of their parameters
 * @property {number} runs
 * @property {number} rows
 * @property {number} nan runs with NaN in any column of numbers: quantiles and charts leave it out
 * @property {import('./journal.js').Entry[]} slowest
 * @property {import('./journal.js').Entry[]} failed the first of them
 * @property {number} failedCount
 */

/** @param {import('./results.js').Results} results @returns {Summary} */
export function summarise(results) {
  const { description, runs, failed, failedCount, rowCount, combinations, mostRows } = results
  const varying = Object.keys(description.parameters).filter(
    (name) => new Set(combinations.map((parameters) => parameters[name])).size > 1,
  )
  const axis = mostRows > 1 ? (description.axis ?? 'row') : undefined
  const columns = Object.entries(description.columns)
    .filter(([name, kind]) => kind !== 'text' && !(axis !== undefined && name === description.axis))
    .map(([name]) => name)
  const collecting = new Map()
  const slowest = []
  for (const { run, rows } of results.each()) {
    const key = JSON.stringify(varying.map((name) => run.parameters[name]))
    if (!collecting.has(key))
      collecting.set(
        key,
        newGroup(run.parameters, { varying, columns, axis: description.axis, isAlong: axis !== undefined }),
      )
    collect(collecting.get(key), rows)
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

const fixedOf = (combinations, varying) =>
  Object.fromEntries(Object.entries(combinations[0] ?? {}).filter(([name]) => !varying.includes(name)))

/** Runs come in any order, so those that took equally long are told apart by their index. */
function keepSlowest(slowest, run) {
  const bySlowness = (a, b) => b.ms - a.ms || a.index - b.index || (a.key < b.key ? -1 : 1)
  if (slowest.length === SLOWEST && bySlowness(run, slowest[SLOWEST - 1]) > 0) return
  slowest.push(run)
  slowest.sort(bySlowness)
  slowest.length = Math.min(slowest.length, SLOWEST)
}

function compareParameters(a, b, varying) {
  for (const name of varying) {
    const [one, other] = [a.parameters[name], b.parameters[name]]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

function newGroup(parameters, { varying, columns, axis, isAlong }) {
  return {
    parameters: Object.fromEntries(varying.map((name) => [name, parameters[name]])),
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
function collect(group, { values, length }) {
  const { columns, axis, isAlong, nan, last, along } = group
  group.runs++
  if (length === 0) return
  const without = columns.filter((name) => values[name].some(Number.isNaN))
  for (const name of without) nan[name]++
  if (without.length > 0) group.nanRuns++
  for (const name of columns) {
    last[name].push(Number(values[name][length - 1]))
    if (!isAlong) continue
    for (let row = 0; row < length; row++) {
      const place = axis === undefined ? row : Number(values[axis][row])
      const list = along[name].get(place)
      if (list) list.push(Number(values[name][row]))
      else along[name].set(place, [Number(values[name][row])])
    }
  }
}

/** @param {any} group @returns {Group} */
function finishGroup({ columns, axis: _, isAlong, last, along, ...group }) {
  const ofColumns = (of) => Object.fromEntries(columns.map((name) => [name, of(name)]))
  return {
    ...group,
    last: ofColumns((name) => spreadOf(last[name])),
    along: isAlong ? ofColumns((name) => spreadsAlong(along[name])) : undefined,
  }
}

function spreadsAlong(lists) {
  return [...lists].sort(byPlace).map(([at, values]) => ({ at, spread: spreadOf(values) }))
}

/** NaN, which a damaged axis may have, comes last. */
const byPlace = ([a], [b]) => Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || a - b

/** @param {number[]} values @returns {Spread} NaN everywhere when there are none */
export function spreadOf(values) {
  const sorted = Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort()
  return {
    runs: sorted.length,
    mean: meanOf(sorted),
    quantiles: LEVELS.map((level) => quantile(sorted, level)),
  }
}

/** @param {Float64Array} sorted */
function meanOf(sorted) {
  const sum = sorted.reduce((all, value) => all + value, 0)
  const isTooLarge = !Number.isFinite(sum) && sorted.every(Number.isFinite)
  if (!isTooLarge) return sum / sorted.length
  return sorted.reduce((all, value) => all + value / sorted.length, 0)
}

/**
 * Between two values it is interpolated, as most statistics programs do (type 7). Where it is a value, it is that value,
 * whatever its neighbour is: levels are whole per cents, so that places come out whole.
 */
function quantile(sorted, level) {
  if (sorted.length === 0) return NaN
  const place = ((sorted.length - 1) * Math.round(level * 100)) / 100
  const below = Math.floor(place)
  const share = place - below
  const [low, high] = [sorted[below], sorted[Math.min(below + 1, sorted.length - 1)]]
  if (share === 0 || low === high) return low
  // The difference of two large numbers may be infinite where neither is.
  return Number.isFinite(high - low) ? low + (high - low) * share : low * (1 - share) + high * share
}
