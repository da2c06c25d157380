// Owns the memory that a thread shares with the process: which run it is at, since when, how far, the last of its log, and
// the wish that it stop. No messages are needed, so a thread that hangs can still be looked at.

const LOG_BYTES = 32 * 1024
const WORDS = { current: 0, stop: 1, logged: 2 }
const NUMBERS = { started: 2, progress: 3 }
const HEADER_BYTES = 32

/** What a thread is asked. */
export const STOP: Readonly<Record<'none' | 'atCheckpoint' | 'now', number>> = {
  none: 0,
  atCheckpoint: 1,
  now: 2,
}

/** No run is under way: modules are being loaded. */
export const LOADING: number = -1

// A clock that nobody can set, the same in all threads, and that stands still while the machine sleeps. Kept, because a
// strict run may not look at it.
const bigint = process.hrtime.bigint.bind(process.hrtime)
const now = () => Number(bigint()) / 1e6

export class Slot {
  readonly memory: SharedArrayBuffer
  private readonly words: Int32Array
  private readonly numbers: Float64Array
  private readonly log: Uint8Array
  private readonly encoder: TextEncoder

  /** @param memory that of another thread */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(HEADER_BYTES + LOG_BYTES)) {
    this.memory = memory
    this.words = new Int32Array(memory, 0, 4)
    this.numbers = new Float64Array(memory, 0, 4)
    this.log = new Uint8Array(memory, HEADER_BYTES)
    this.encoder = new TextEncoder()
  }

  /** A run begins, or with LOADING the loading of modules. */
  begin(current: number): void {
    this.words[WORDS.logged] = 0
    this.numbers[NUMBERS.progress] = 0
    this.numbers[NUMBERS.started] = now()
    Atomics.store(this.words, WORDS.current, current)
  }

  /** Which of the runs of a task is under way, or LOADING. */
  get current(): number {
    return Atomics.load(this.words, WORDS.current)
  }

  /** For how many milliseconds. */
  get elapsed(): number {
    return now() - this.numbers[NUMBERS.started]!
  }

  get progress(): number {
    return this.numbers[NUMBERS.progress]!
  }

  set progress(fraction: number) {
    this.numbers[NUMBERS.progress] = Math.min(1, Math.max(0, Number(fraction) || 0))
  }

  get stop(): number {
    return Atomics.load(this.words, WORDS.stop)
  }

  set stop(wish: number) {
    Atomics.store(this.words, WORDS.stop, wish)
  }

  /** Adds a line to the log. Of a long log the end is kept. */
  write(line: string): void {
    const bytes = this.encoder.encode(`${line}\n`)
    const kept = bytes.subarray(Math.max(0, bytes.length - LOG_BYTES))
    const logged = this.words[WORDS.logged]! + bytes.length - kept.length
    for (let i = 0; i < kept.length; i++) this.log[(logged + i) % LOG_BYTES] = kept[i]!
    Atomics.store(this.words, WORDS.logged, logged + kept.length)
  }

  /** The log of the run that is under way. */
  readLog(): string {
    const logged = Atomics.load(this.words, WORDS.logged)
    const bytes = Uint8Array.from(this.log)
    if (logged <= LOG_BYTES) return Buffer.from(bytes.subarray(0, logged)).toString()
    const start = logged % LOG_BYTES
    return `…${Buffer.concat([bytes.subarray(start), bytes.subarray(0, start)]).toString()}`
  }
}
