// Owns the threads beside the one that calls: their start, their mail, and one run divided among them all. It must never let a
// result depend on who did what.

import { KERNEL_ARGUMENTS_BYTES } from '../../build/layout'
import type { KernelFunction } from '../kernels/instance'
import {
  BLOCKS,
  BLOCK_WORDS,
  CONTROL_WORDS,
  DONE,
  EPOCH,
  FAILED,
  FAILURE_KIND,
  FAILURE_KINDS,
  FAILURE_LENGTH,
  FAILURE_TEXT,
  FIRST_BLOCK,
  KERNEL,
  KNOWN,
  LISTENS,
  MAIL,
  PARTS,
  RETURNED,
  RETURNS,
  SHARE,
  SLEEPERS,
  TICKET,
  WAKE,
  wordOf,
} from './control'
import { type Port, type Starting, mayWait, startWorker, whyNoSharing } from './host'
import type { Hand, Mail } from './mail'
import type { DividedCall, Threads } from './run'
import { type Thread, takeBlocks } from './thread'

/** A block has two words at least. */
const MOST_BLOCKS = KERNEL_ARGUMENTS_BYTES / 8
const FIXED_WORDS = 0xc000
const RUN_MASK = 0x7fff
/** The caller sleeps in pieces: time in which the whole machine slept counts as one. */
const NAP_MILLISECONDS = 1000
/** Between looks at the clock. */
const SPINS_PER_LOOK = 4096

export interface PoolOptions extends Starting {
  readonly count: number
  readonly worth?: number
  /** How often a worker looks for more before it sleeps. */
  readonly spins?: number
  /** How often the caller looks whether all is done before it sleeps, where it may. */
  readonly callerSpins?: number
  /** How runs are divided: see PARTS. */
  readonly parts?: number
  /** Seconds without a block done after which a worker counts as lost. */
  readonly patience?: number
}

export class Pool implements Threads {
  readonly count: number
  readonly worth: number
  readonly needsSharing = true
  why: string | undefined
  private readonly ready: Promise<void>
  private readonly control: Int32Array
  private readonly results: Float64Array
  private readonly caller: Thread
  private readonly ports: Port[] = []
  private readonly parts: number
  private readonly callerSpins: number
  private readonly patience: number
  private readonly sleeps: boolean
  private begun = 0
  private ids = 0
  private number = 0
  private settle: () => void = () => {}

  constructor(options: PoolOptions) {
    const { count, worth = 100, spins = 2000, callerSpins = 20_000, parts, patience = 20 } = options
    this.count = count
    this.worth = worth
    // Each claim takes a share of what is left: few claims, and none that is long at the end.
    this.parts = parts ?? 2 * (count + 1)
    this.callerSpins = callerSpins
    this.patience = patience
    this.why = count === 0 ? 'there are no workers: their count is 0' : whyNoSharing()
    const Buffer = this.why === undefined ? SharedArrayBuffer : ArrayBuffer
    this.control = new Int32Array(new Buffer(CONTROL_WORDS * 4))
    this.results = new Float64Array(new Buffer(MOST_BLOCKS * 8))
    const { control, results } = this
    this.caller = { control, results, number: 0, kernels: new Map(), cause: undefined }
    this.sleeps = this.why === undefined && mayWait(control)
    this.ready = new Promise((resolve) => (this.settle = resolve))
    if (this.why === undefined) this.start(options, spins)
    if (this.why !== undefined) this.settle()
  }

  private start(starting: Starting, spins: number): void {
    const { control, results, count, ports } = this
    try {
      for (let i = 0; i < count; i++)
        ports.push(
          startWorker(
            starting,
            () => this.heard(),
            (why) => this.end(why),
          ),
        )
    } catch (error) {
      return this.end(`a worker could not be started: ${(error as Error).message}`)
    }
    Atomics.add(control, MAIL, 1)
    ports.forEach((port, i) =>
      port.postMessage({ begin: { control, results, number: i + 1, spins } } satisfies Mail),
    )
  }

  private heard(): void {
    if (++this.begun === this.count) this.settle()
  }

  /** Keeps the process alive while a program waits for the workers to start. */
  whenReady(): Promise<void> {
    const { ports } = this
    if (this.why === undefined && this.begun < this.count) {
      for (const port of ports) port.ref()
      void this.ready.then(() => ports.forEach((port) => port.unref()))
    }
    return this.ready
  }

  /** Ends all workers. From now on everything runs on the caller. */
  end(why: string): void {
    this.why ??= why
    for (const port of this.ports.splice(0)) port.terminate()
    this.caller.kernels.clear()
    this.settle()
  }

  hand(kernel: Omit<Hand, 'id'>, start: KernelFunction): number {
    const id = this.ids++
    const u32 = new Uint32Array(kernel.memory.buffer, 0, FIXED_WORDS)
    this.caller.kernels.set(id, { start, u32 })
    this.mail({ hand: { ...kernel, id } })
    return id
  }

  forget(worldNumber: number, ids: readonly number[], bytes: number): void {
    for (const id of ids) this.caller.kernels.delete(id)
    if (this.why === undefined) this.mail({ forget: { worldNumber, bytes } })
  }

  /** Workers read it when they wake up: one that waits for a run cannot be interrupted. */
  private mail(mail: Mail): void {
    const { control } = this
    Atomics.add(control, MAIL, 1)
    for (const port of this.ports) port.postMessage(mail)
    Atomics.add(control, EPOCH, 1)
    Atomics.notify(control, EPOCH)
  }

  knows(id: number): boolean {
    for (let number = 1; number <= this.count; number++)
      if (Atomics.load(this.control, wordOf(number, KNOWN)) <= id) return false
    return true
  }

  /** Blocks that the caller has run in divided calls, and each worker. */
  shares(): number[] {
    return Array.from({ length: this.count + 1 }, (_, number) =>
      Atomics.load(this.control, wordOf(number, SHARE)),
    )
  }

  run({ id, result, blocks, sofar, firstBlock, blockWords, helpers }: DividedCall): number {
    const { control, caller } = this
    const returned = RETURNS[result]
    control[KERNEL] = id
    control[FIRST_BLOCK] = firstBlock
    control[BLOCK_WORDS] = blockWords
    control[BLOCKS] = blocks
    control[RETURNED] = returned
    control[PARTS] = this.parts
    control[FAILED] = 0
    Atomics.store(control, DONE, 0)
    this.number = (this.number + 1) & RUN_MASK
    Atomics.store(control, TICKET, (this.number << 16) | blocks)
    this.wake(Math.min(helpers, Atomics.load(control, SLEEPERS)))
    const own = takeBlocks(caller)
    if (own > 0) Atomics.add(control, DONE, own)
    this.join(blocks)
    if (control[FAILED] !== 0) throw this.failure()
    return returned === 0 ? 0 : this.total(returned, blocks, sofar)
  }

  /** Wakes so many workers that sleep: one here, which wakes others. */
  private wake(count: number): void {
    const { control } = this
    Atomics.store(control, WAKE, count - 1)
    Atomics.add(control, EPOCH, 1)
    if (count > 0) Atomics.notify(control, EPOCH, 1)
  }

  /** As the kernel's entry joins what blocks return: one after another, in the order of the rows. */
  private total(returned: number, blocks: number, sofar: number): number {
    const { results } = this
    let total = sofar
    for (let i = 0; i < blocks; i++) {
      const one = results[i] as number
      if (returned === RETURNS.min) total = Math.min(total, one)
      else if (returned === RETURNS.max) total = Math.max(total, one)
      else total += one
    }
    return total
  }

  /** Waits until all blocks are done. */
  private join(blocks: number): void {
    const { control } = this
    for (let left = this.callerSpins; left > 0; left--) if (Atomics.load(control, DONE) === blocks) return
    let done = 0
    let waited = 0
    let before = performance.now()
    for (;;) {
      const now = Atomics.load(control, DONE)
      if (now === blocks) return
      const time = performance.now()
      waited = now === done ? waited + Math.min(time - before, NAP_MILLISECONDS) : 0
      before = time
      done = now
      if (waited > this.patience * 1000) throw this.lost()
      this.nap(now)
    }
  }

  private nap(done: number): void {
    const { control } = this
    if (!this.sleeps) {
      for (let left = SPINS_PER_LOOK; left > 0; left--) if (Atomics.load(control, DONE) !== done) return
      return
    }
    Atomics.store(control, LISTENS, 1)
    Atomics.wait(control, DONE, done, NAP_MILLISECONDS)
    Atomics.store(control, LISTENS, 0)
  }

  /** A worker that was ended from outside in the middle of a run never says so. */
  private lost(): Error {
    const { control } = this
    // No thread takes another block.
    Atomics.store(control, TICKET, 0)
    this.end('a worker was lost in the middle of a run')
    return new Error(`a worker did not answer for ${this.patience} seconds`)
  }

  private failure(): unknown {
    const { control, caller } = this
    const { cause } = caller
    caller.cause = undefined
    if (control[FAILED] === 1) return cause
    const text = String.fromCharCode(
      ...control.subarray(FAILURE_TEXT, FAILURE_TEXT + (control[FAILURE_LENGTH] as number)),
    )
    const kind = FAILURE_KINDS[control[FAILURE_KIND] as number]
    if (kind === 'RuntimeError') return new WebAssembly.RuntimeError(text)
    return kind === 'RangeError' ? new RangeError(text) : new Error(text)
  }
}
