// Owns the arithmetic on repeats: medians, spreads, ratios. It must never drop a repeat or choose the best one.

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}

/** Ratios are taken repeat by repeat, between neighbours in time, and then their median: drift cancels out. */
export const medianRatio = (row, base) =>
  median(row.nanoseconds.map((value, repeat) => value / base.nanoseconds[repeat]))

/** How far the repeats lie around their median, in percent. */
export function spread(values) {
  const middle = median(values)
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
