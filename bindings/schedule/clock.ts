// Owns the clock by which a schedule says what systems cost: `performance` is not of the language, and a host without it counts
// whole milliseconds. It must never decide anything.

/** Milliseconds since some time. */
export function clock(): number {
  return typeof performance === 'undefined' ? Date.now() : performance.now()
}
