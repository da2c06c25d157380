// Owns the iteration case: `position += velocity * dt` over three floats. It must never use values that f32
// cannot hold exactly: then any number of frames has one right answer, whatever precision a library adds in.
export const DT = 1 / 64

/** The largest integer below which an f32 counts every step exactly, in units of half a DT. */
const EXACT_STEPS = 2 ** 24
const HALVES = 2 / DT

// Halves and quarters: V8 would take whole numbers for something else than floats, and nothing in a game is one.
export const startX = (i) => (i % 5) + 0.25
export const velocityX = (i) => 0.5 + (i % 3)
export const velocityY = (i) => 0.5 + ((i >> 1) % 3)
export const velocityZ = (i) => 0.5 + ((i >> 2) % 3)

const FASTEST = 2.5
const mostRuns = Math.floor((EXACT_STEPS - startX(4) * HALVES) / (FASTEST * DT * HALVES))

export default {
  name: 'loop',
  title: 'Loop: position += velocity * dt, 3 x f32',
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  // A frame of 1,000 entities is shorter than a microsecond: several are timed together.
  runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
  /** Measuring ends before values would be rounded. */
  mostRuns: () => mostRuns,
  /** x, y, z of every entity, in order of creation. */
  reference(size, runs) {
    if (runs > mostRuns) {
      throw new RangeError(`${runs} frames leave the range in which f32 is exact; shorten --milliseconds.`)
    }
    const values = []
    for (let i = 0; i < size; i++) {
      values.push(startX(i) + runs * velocityX(i) * DT, runs * velocityY(i) * DT, runs * velocityZ(i) * DT)
    }
    return values
  },
}
