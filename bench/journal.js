// Owns the journal of a run: every figure as it comes, a line each, so that a run that was stopped, however it was, can go
// on. It must never mix what two builds, two machines or two choices of cases have measured.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

export class Journal {
  #path
  #entries
  /** What the run began with: `choice`, what is measured, and `origin`, where and with which builds. */
  header

  constructor(path, header, entries = new Map()) {
    this.#path = path
    this.header = header
    this.#entries = entries
  }

  /** How many figures there are. */
  get count() {
    return this.#entries.size
  }

  /** Begins a new journal. One that a stopped run has left is set aside, under the name that is returned. */
  static begin(path, header) {
    mkdirSync(dirname(path), { recursive: true })
    const aside = existsSync(path) ? `${path}.old` : undefined
    if (aside) renameSync(path, aside)
    writeFileSync(path, `${JSON.stringify(header)}\n`)
    return { journal: new Journal(path, header), aside }
  }

  /**
   * Goes on with a journal.
   *
   * @throws {Error} when there is none, or it cannot be read
   */
  static resume(path) {
    if (!existsSync(path)) throw new Error(`There is no run to go on with: ${path} does not exist.`)
    const text = readFileSync(path, 'utf8')
    // A process that was killed while it wrote has left a part of a line, which is measured again.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const [header, ...lines] = whole.split('\n').slice(0, -1).map(parse)
    if (header?.choice === undefined) throw new Error(`${path} is no journal of this benchmark.`)
    if (whole !== text) writeFileSync(path, whole)
    return new Journal(path, header, new Map(lines.map(({ key, ...entry }) => [key, entry])))
  }

  /** What was noted of a job's turn, or undefined. */
  recall(job, turn) {
    return this.#entries.get(keyOf(job, turn))
  }

  /** Is on the disk when it returns. */
  note(job, turn, entry) {
    const key = keyOf(job, turn)
    this.#entries.set(key, entry)
    appendFileSync(this.#path, `${JSON.stringify({ key, ...entry })}\n`)
  }

  /** To be called when the results are written. */
  remove() {
    rmSync(this.#path)
  }
}

function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}

const keyOf = ({ work, size, library, way }, { repeat, again }) =>
  JSON.stringify([work.name, size, library, way, repeat, ...(again ? ['again'] : [])])
