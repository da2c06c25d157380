// Owns the arithmetic on repeats: medians, spreads, ratios. It must never choose the best repeat.

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

/** The same for the times of two rows. */
export const medianRatio = (row, base) => medianOfRatios(row.nanoseconds, base.nanoseconds)

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
