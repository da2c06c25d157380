// The arithmetic on repeats: medians, spreads, ratios; never the best repeat. And what the main figure of a case is, by which
// its rows are ordered and compared: a time, short or long, or what is left as garbage.

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}

/** Ratios are taken repeat by repeat, between neighbours in time, and then their median: drift cancels out. */
export const medianOfRatios = (values, base) => {
  // While a run goes on, one may be a repeat ahead.
  const both = Math.min(values.length, base.length)
  return median(values.slice(0, both).map((value, repeat) => value / base[repeat]))
}

/** How far the repeats lie around their median, in percent. */
export function spread(values) {
  const middle = median(values)
  if (middle === 0) return Math.max(...values) === 0 ? '0' : `0..${toPrecision(Math.max(...values))}`
  const percent = (value) => `${Math.round((value / middle - 1) * 100)}`
  return `${percent(Math.min(...values))}..+${percent(Math.max(...values))} %`
}

/** Three digits that say something. */
export const toPrecision = (value) =>
  value > 0 && value < 0.1
    ? value.toFixed(Math.min(20, 1 - Math.floor(Math.log10(value))))
    : value < 10
      ? value.toFixed(2)
      : value < 100
        ? value.toFixed(1)
        : Math.round(value).toLocaleString('en')

export const isAboutTime = ({ quantity }) => quantity !== 'garbage'

/** What the figures of a case are in. */
export const scaleOf = ({ quantity, unit = 'entity' }) =>
  ({ garbage: 'bytes/frame', milliseconds: 'ms' })[quantity] ?? `ns/${unit}`

/** The figures of a row, one for each process. */
export function valuesOf({ quantity }, { nanoseconds, garbage }, size) {
  // What a counter leaves can be less than nothing: memory that was in use before.
  if (quantity === 'garbage') return garbage.map(({ bytes, outside }) => Math.max(0, bytes + outside))
  return nanoseconds.map((value) => value / (quantity === 'milliseconds' ? 1e6 : size))
}

/** Lists by what `keyOf` says, in the order of their first members; Node 20 has no `Map.groupBy`. */
export function groupBy(list, keyOf) {
  const groups = new Map()
  for (const one of list) {
    const key = keyOf(one)
    if (!groups.has(key)) groups.set(key, [])
    groups.get(key).push(one)
  }
  return groups
}
