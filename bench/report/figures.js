// Owns the figures of a row as people read them, for the page and for the documentation alike. It must never round a
// difference away that the charts show.
import { wasBusy } from '../results.js'
import { median, medianRatio, spread, toPrecision } from '../statistics.js'

const MEGABYTE = 2 ** 20

/** From here on a scale that starts at 0 would hide the fast rows. */
export const RATIO_FOR_LOGARITHM = 20

/** The rows of a group with their figures, the fastest first. */
export function figuresOf({ size, rows }) {
  const raw = rows.find(({ library }) => library === 'raw')
  return rows
    .map((row) => ({
      library: row.library,
      label: row.label,
      version: row.version,
      way: row.way,
      name: row.label + (row.version ? ` ${row.version}` : ''),
      /** Nanoseconds a unit: the median over the repeats, the least and the most. */
      median: median(row.nanoseconds) / size,
      least: Math.min(...row.nanoseconds) / size,
      most: Math.max(...row.nanoseconds) / size,
      repeats: row.nanoseconds.length,
      time: toPrecision(median(row.nanoseconds) / size),
      spread: spread(row.nanoseconds),
      ofRaw: raw ? medianRatio(row, raw).toFixed(2) : '',
      collections: collectionsOf(row),
      heap: memoryOf(row, 'heap'),
      external: memoryOf(row, 'external'),
    }))
    .toSorted((a, b) => a.median - b.median)
}

/** Garbage collections in a thousand runs. */
function collectionsOf({ collections, runs }) {
  if (!collections?.length) return ''
  const total = (values) => values.reduce((sum, value) => sum + value, 0)
  const perThousand = (total(collections) / total(runs)) * 1000
  return perThousand === 0 ? '0' : perThousand < 0.1 ? '< 0.1' : toTenth(perThousand)
}

/** Megabytes that came to be held between the two measurements. */
function memoryOf({ memory }, kind) {
  if (!memory?.length) return ''
  return toTenth(median(memory.map(({ before, after }) => after[kind] - before[kind])) / MEGABYTE)
}

const toTenth = (value) => (Math.round(value * 10) / 10).toFixed(1).replace('-0.0', '0.0')

/** What each row had to itself. */
export const isolatesOf = ({ machine }) => (machine.browser ? 'workers' : 'processes')

export function describeMachine({ machine }) {
  const { browser, cores, platform, resolution } = machine
  if (browser) return `${browser} on ${platform}, ${cores} virtual cores, ${describeClock(resolution)}`
  return (
    `${machine.processor}, ${cores} virtual cores, ${Math.round(machine.memory / 2 ** 30)} GiB, ` +
    `${platform}, Node ${machine.node.slice(1)} (V8 ${machine.v8})`
  )
}

/** @param milliseconds the smallest step of the clock */
const describeClock = (milliseconds) =>
  milliseconds < 1
    ? `a clock in steps of ${Number((milliseconds * 1000).toPrecision(2))} µs`
    : `a clock in steps of ${Number(milliseconds.toPrecision(2))} ms`

export const describeRun = (results) =>
  `${results.date.slice(0, 10)}, ${results.options.repeats} ${isolatesOf(results)} for each row, ` +
  `${results.options.milliseconds} ms of measuring in each`

/** How busy the machine was. Nothing where the system did not tell. */
export function describeLoad(results) {
  const { load } = results
  if (!load?.after) return ''
  const figures = `Programs that wanted a core: ${load.before.toFixed(1)} before the run, ${load.after.toFixed(1)} at its end.`
  return wasBusy(results)
    ? `${figures} The machine had other work: the times are longer and less steady than on a quiet one.`
    : figures
}

export const describePackages = ({ packages }) =>
  Object.entries(packages ?? {})
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
