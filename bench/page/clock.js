// Owns what the page's clock can tell. It must never be asked while something is measured.

const STEPS = 40

/** The smallest step between two readings of `performance.now`, in milliseconds. Costs 40 of these steps. */
export function clockResolution() {
  let smallest = Infinity
  for (let step = 0; step < STEPS; step++) {
    const start = performance.now()
    let end = start
    while (end === start) end = performance.now()
    smallest = Math.min(smallest, end - start)
  }
  // What floating point adds is no finer clock.
  return Number(smallest.toPrecision(3))
}
