// Owns what the page shows of a run while it goes on. It must never draw while a row is measured: only between two.

export class PageProgress {
  #bar = document.querySelector('#run progress')
  #step = document.querySelector('#step')
  #total
  #done = 0
  #started = performance.now()
  #drawn

  /** @param drawn called with each job that was measured once more */
  constructor(total, drawn) {
    this.#total = total
    this.#drawn = drawn
    this.#bar.max = total
    this.#bar.value = 0
  }

  line() {}

  /** The next of all steps begins. */
  show(text) {
    const spent = (performance.now() - this.#started) / 1000
    const left = this.#done > 0 ? Math.ceil((spent / this.#done) * (this.#total - this.#done)) : undefined
    this.#step.textContent = `${this.#done}/${this.#total}${left === undefined ? '' : `, ${durationOf(left)} left`}: ${text}`
  }

  done(job) {
    this.#bar.value = ++this.#done
    this.#drawn(job)
  }

  clear() {
    this.#step.textContent = ''
  }
}

/** @param seconds whole ones */
export const durationOf = (seconds) =>
  seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60).toLocaleString('en')} min`
