// The proof that a frame leaves no garbage, in Node: frames in steady state, heap growth counted in bytes, and the
// collections that would hide it.
import { PerformanceObserver } from 'node:perf_hooks'

/** V8 has compiled for good by then what a frame does. */
const WARM_UP_FRAMES = 4_000
/** Of so many rounds the one that left least counts: what V8 compiles late falls into one, garbage of frames into all. */
const ROUNDS = 3

/**
 * Runs frames, so many in a round, and counts what one leaves, in `bytes` of the heap and `outside` of it, and how many
 * `collections` there were in the best round. Needs `--expose-gc`.
 */
export async function measureGarbage(run, frames) {
  for (let frame = 0; frame < WARM_UP_FRAMES; frame++) run()
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    // Twice: the first collection runs what waits for a collection, the second takes what that left.
    gc()
    gc()
    await seenCollections()
    const observer = new PerformanceObserver(() => {})
    observer.observe({ entryTypes: ['gc'] })
    const before = process.memoryUsage()
    const start = performance.now()
    for (let frame = 0; frame < frames; frame++) run()
    const took = performance.now() - start
    const after = process.memoryUsage()
    await seenCollections()
    const collections = observer.takeRecords().filter(({ startTime }) => startTime >= start).length
    observer.disconnect()
    const bytes = (after.heapUsed - before.heapUsed) / frames
    rounds.push({ bytes, outside: (after.arrayBuffers - before.arrayBuffers) / frames, collections, took })
  }
  const least = (figure) => Math.min(...rounds.map((round) => round[figure]))
  return {
    runs: WARM_UP_FRAMES + ROUNDS * frames,
    nanoseconds: (least('took') * 1e6) / frames,
    garbage: { bytes: least('bytes'), outside: least('outside'), collections: least('collections') },
  }
}

/** Node hands over what it noted when the event loop turns. */
const seenCollections = () => new Promise((resolve) => setImmediate(resolve))
