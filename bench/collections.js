// Owns the count of garbage collections in timed work. It must never run anything inside of a timed run.
import { PerformanceObserver, constants } from 'node:perf_hooks'

/** Watches from its creation; `preparation` wraps what stands between the runs and is not timed. */
export class CollectionCounter {
  #observer = new PerformanceObserver(() => {})
  #start = performance.now()
  /** Start and end of each preparation, one after the other. */
  #preparations = new Float64Array(1024)
  #used = 0

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] })
  }

  /** A function that does the same; collections in it do not count. */
  preparation(prepare) {
    return () => {
      const start = performance.now()
      const prepared = prepare()
      if (prepared instanceof Promise) return this.#noteLater(start, prepared)
      this.#note(start, performance.now())
      return prepared
    }
  }

  async #noteLater(start, promise) {
    const prepared = await promise
    this.#note(start, performance.now())
    return prepared
  }

  /** How many collections began since the creation, or since gc() was called for the last time; those in preparations left out. */
  async count() {
    const end = performance.now()
    // Node hands over what it noted when the event loop turns.
    await new Promise((resolve) => setImmediate(resolve))
    const entries = this.#observer.takeRecords()
    this.#observer.disconnect()
    const forced = entries.filter(isForced).map(({ startTime, duration }) => startTime + duration)
    const start = Math.max(this.#start, ...forced)
    return entries.filter(
      ({ startTime }) => startTime >= start && startTime < end && !this.#isInPreparation(startTime),
    ).length
  }

  #note(start, end) {
    if (this.#used + 2 > this.#preparations.length) {
      const longer = new Float64Array(this.#preparations.length * 2)
      longer.set(this.#preparations)
      this.#preparations = longer
    }
    this.#preparations[this.#used++] = start
    this.#preparations[this.#used++] = end
  }

  /** The times ascend: behind an odd number of them lies the inside of a preparation. */
  #isInPreparation(time) {
    let low = 0
    let high = this.#used
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#preparations[middle] <= time) low = middle + 1
      else high = middle
    }
    return low % 2 === 1
  }
}

const isForced = ({ detail }) => (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0
