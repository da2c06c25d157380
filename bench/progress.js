// Owns the line that says how far the measuring is. It must never write where the table goes, to standard output.

const WIDTH = 24

export class Progress {
  #total
  #done = 0
  #started = performance.now()

  constructor(total) {
    this.#total = total
  }

  /** There are so many more steps than was expected. */
  more(steps) {
    this.#total += steps
  }

  /** A line that stays, where nobody looks on: into a log. */
  line(text) {
    if (!process.stderr.isTTY) process.stderr.write(`${text}\n`)
  }

  /** The next of all steps begins. */
  show(text) {
    const done = this.#done++
    if (!process.stderr.isTTY) return
    const filled = Math.round((done / this.#total) * WIDTH)
    const bar = `${'='.repeat(filled)}${' '.repeat(WIDTH - filled)}`
    const left = done > 0 ? ((performance.now() - this.#started) / done / 1000) * (this.#total - done) : 0
    const line = `[${bar}] ${done}/${this.#total}  ${Math.ceil(left)} s left  ${text}`
    process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns ?? 100) - 1)}`)
  }

  clear() {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K')
  }
}
