// Owns the figures of a row as people read them, for the page and for the documentation alike. It must never round a
// difference away that the charts show.
import { isAboutGarbage, isAboutMemory, isAboutTime, scaleOf, valuesOf } from '../quantities.js'
import { isSteady, wasBusy } from '../results.js'
import { median, medianOfRatios, spread, toPrecision } from '../statistics.js'

const MEGABYTE = 2 ** 20

/** From here on a scale that starts at 0 would hide the fast rows. */
export const RATIO_FOR_LOGARITHM = 20

/** The rows of a group with their figures, the least first. */
export function figuresOf({ work, size, rows }) {
  const raw = rows.find(({ library }) => library === 'raw')
  const rawValues = raw && valuesOf(work, raw, size)
  return rows
    .map((row) => {
      const values = valuesOf(work, row, size)
      return {
        library: row.library,
        label: row.label,
        version: row.version,
        way: row.way,
        name: row.label + (row.version ? ` ${row.version}` : ''),
        /** What the case is about: the median over the repeats, the least and the most. */
        median: median(values),
        least: Math.min(...values),
        most: Math.max(...values),
        repeats: values.length,
        main: toPrecision(median(values)) + (isSteady(row) ? '' : ' ?'),
        /** The shortest sample of all. Older files do not have it. */
        leastSample:
          row.least?.length && isAboutTime(work)
            ? toPrecision(Math.min(...valuesOf(work, { ...row, nanoseconds: row.least }, size)))
            : '',
        spread: spread(values),
        ofRaw: raw
          ? isSteady(row) && isSteady(raw)
            ? medianOfRatios(values, rawValues).toFixed(2)
            : '?'
          : '',
        time: toPrecision(median(row.nanoseconds) / size),
        collections: collectionsOf(row),
        heap: memoryOf(row, 'heap'),
        external: memoryOf(row, 'external'),
        resident: memoryOf(row, 'resident'),
        used: statisticsOf(row, 'used'),
      }
    })
    .toSorted((a, b) => a.median - b.median)
}

/** The columns of a table behind `library` and `way`: header and name of the figure. */
export function columnsOf({ work }) {
  const main = [
    [scaleOf(work), 'main'],
    ...(isAboutTime(work) ? [['least', 'leastSample']] : []),
    ['spread', 'spread'],
    ['x raw', 'ofRaw'],
  ]
  const memory = [
    ['heap MB', 'heap'],
    ['external MB', 'external'],
  ]
  if (isAboutGarbage(work)) return main
  if (!isAboutMemory(work)) return [...main, ['GC', 'collections'], ...memory]
  return [
    ...main,
    ...memory,
    ['by its own count MB', 'used'],
    ['resident MB', 'resident'],
    [`ns/${work.unit}`, 'time'],
  ]
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
  const grown = (memory ?? []).map(({ before, after }) => after[kind] - before[kind])
  return megabytes(grown)
}

/** Megabytes that the library itself says it has. */
const statisticsOf = ({ statistics }, kind) => megabytes((statistics ?? []).map((one) => one[kind]))

/** Nothing of files from before this was noted. */
const megabytes = (bytes) =>
  bytes.some((value) => value >= 0 || value < 0) ? toTenth(median(bytes) / MEGABYTE) : ''

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

/** The processor, the host and the day, and whether the figures should be taken with care. */
export function describeMachineShortly(results) {
  const { browser, processor, node } = results.machine
  const place = browser ?? `${processor}, Node ${node.slice(1)}`
  return `${place}, ${results.date.slice(0, 10)}${wasBusy(results) ? ', busy with other work' : ''}`
}

/** @param milliseconds the smallest step of the clock */
const describeClock = (milliseconds) =>
  milliseconds < 1
    ? `a clock in steps of ${Number((milliseconds * 1000).toPrecision(2))} µs`
    : `a clock in steps of ${Number(milliseconds.toPrecision(2))} ms`

export function describeRun(results) {
  const { repeats, milliseconds } = results.options
  const isolates = isolatesOf(results)
  const number =
    repeats === 1 ? `one ${isolates === 'workers' ? 'worker' : 'process'}` : `${repeats} ${isolates}`
  return `${results.date.slice(0, 10)}, ${number} for each row, ${milliseconds} ms of measuring in each`
}

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
