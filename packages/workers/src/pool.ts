// Owns the threads beside the one that calls: their start, their mail, and one run divided among them all. It must never let a
// result depend on who did what.

import { KERNEL_ARGUMENTS_BYTES } from '../../../build/layout'
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
  FIRST_BLOCK,
  HOLDS,
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
  failedThread,
  textOf,
  wordOf,
} from './control'
import { messageOf } from '../../../bindings/memory/realms'
import { type Port, type Starting, mayWait, startWorker, whyNoSharing } from './host'
import type { Hand, Mail } from './mail'
import type { DividedCall, Threads } from './run'
import { type KnownKernel, type Thread, takeBlocks } from './thread'

/** A block has two words at least. */
const MOST_BLOCKS = KERNEL_ARGUMENTS_BYTES / 8
const RUN_MASK = 0x7fff
/** After so long a sleep the caller looks whether a worker that it waits for has been ended. */
const NAP_MILLISECONDS = 1000
/** Workers start in a hundredth of it, unless their file is not that of this package, or the network is slow. */
const PATIENCE_SECONDS = 60

export interface PoolOptions extends Starting {
  readonly count: number
  readonly worth?: number
  /** How often a worker looks for more before it sleeps. */
  readonly spins?: number
  /** How often the caller looks whether all is done before it sleeps, where it may. */
  readonly callerSpins?: number
  /** How runs are divided: see PARTS. */
  readonly parts?: number
  /** Seconds that a program which waits for the workers waits at most, as its own event loop counts them. */
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
  private isAwaited = false
  private called: KnownKernel | undefined
  private ids = 0
  private number = 0
  private settle: () => void = () => {}

  constructor(options: PoolOptions) {
    const { count, worth = 100, spins = 2000, callerSpins = 20_000, parts } = options
    this.count = count
    this.worth = worth
    // Each claim takes a share of what is left: few claims, and none that is long at the end.
    this.parts = parts ?? 2 * (count + 1)
    this.callerSpins = callerSpins
    this.patience = options.patience ?? PATIENCE_SECONDS
    this.why = count === 0 ? 'there are no workers: their count is 0' : whyNoSharing()
    const Buffer = this.why === undefined ? SharedArrayBuffer : ArrayBuffer
    this.control = new Int32Array(new Buffer(CONTROL_WORDS * 4))
    this.results = new Float64Array(new Buffer(MOST_BLOCKS * 8))
    const { control, results } = this
    const kernelOf = () => this.called as KnownKernel
    this.caller = { control, results, number: 0, kernelOf, cause: undefined }
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
      Atomics.add(control, MAIL, 1)
      ports.forEach((port, i) =>
        port.postMessage({ begin: { control, results, number: i + 1, spins } } satisfies Mail),
      )
    } catch (error) {
      this.end(`a worker could not be started: ${messageOf(error)}`)
    }
  }

  private heard(): void {
    if (++this.begun === this.count) this.settle()
  }

  /** Keeps the process alive while a program waits for the workers to start. */
  whenReady(): Promise<void> {
    if (this.why === undefined && this.begun < this.count && !this.isAwaited) this.await()
    return this.ready
  }

  /**
   * Nothing tells a worker that has not been loaded yet from one whose program is another one and never answers. So there is a limit: it
   * is counted in turns of the event loop, in which an answer is heard, and not by the clock, which goes on while a program runs.
   */
  private await(): void {
    const { ports, patience } = this
    this.isAwaited = true
    for (const port of ports) port.ref()
    let seconds = 0
    const timer = setInterval(() => {
      if (++seconds >= patience)
        this.end(
          `a worker has not answered for ${patience} seconds: url must be the address of the file strata-ecs/worker.js`,
        )
    }, 1000)
    void this.ready.then(() => {
      clearInterval(timer)
      for (const port of ports) port.unref()
    })
  }

  /** Ends all workers. From now on everything runs on the caller. */
  end(why: string): void {
    this.why ??= why
    for (const port of this.ports.splice(0)) port.terminate()
    this.settle()
  }

  hand(kernel: Omit<Hand, 'id'>): number {
    const id = this.ids++
    this.mail({ hand: { ...kernel, id } })
    return id
  }

  forget(worldNumber: number, bytes: number): void {
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

  run({ id, kernel, result, blocks, sofar, firstBlock, blockWords, helpers }: DividedCall): number {
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
    this.called = kernel
    const own = takeBlocks(caller)
    this.called = undefined
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

  /**
   * Waits until all blocks are done, however long that takes: how long a kernel runs says nothing about the thread that runs it. A
   * worker catches what a kernel throws, and a program ends one only between runs, on this thread. Only the host can end one that has
   * blocks in hand.
   *
   * @throws Error where it has
   */
  private join(blocks: number): void {
    const { control } = this
    for (let left = this.callerSpins; left > 0; left--) if (Atomics.load(control, DONE) === blocks) return
    for (;;) {
      const done = Atomics.load(control, DONE)
      if (done === blocks) return
      if (this.sleeps && this.nap(done) === 'timed-out' && !this.isWorking()) {
        // The last of them may have counted its blocks meanwhile.
        if (Atomics.load(control, DONE) === blocks) return
        this.end('a worker was lost in the middle of a run')
        throw new Error('a worker was ended in the middle of a run, and its rows are half done')
      }
    }
  }

  private nap(done: number): string {
    const { control } = this
    Atomics.store(control, LISTENS, 1)
    const how = Atomics.wait(control, DONE, done, NAP_MILLISECONDS)
    Atomics.store(control, LISTENS, 0)
    return how
  }

  /** Whether a worker has blocks in hand that may still be done: none is left to be taken. */
  private isWorking(): boolean {
    return this.ports.some(
      (port, i) => Atomics.load(this.control, wordOf(i + 1, HOLDS)) !== 0 && !port.hasEnded(),
    )
  }

  private failure(): unknown {
    const { control, caller } = this
    const { cause } = caller
    caller.cause = undefined
    const thread = failedThread(control[FAILED] as number)
    if (thread === 0) return cause
    const at = textOf(thread)
    const text = String.fromCharCode(
      ...control.subarray(at, at + (control[wordOf(thread, FAILURE_LENGTH)] as number)),
    )
    const kind = FAILURE_KINDS[control[wordOf(thread, FAILURE_KIND)] as number]
    if (kind === 'RuntimeError') return new WebAssembly.RuntimeError(text)
    return kind === 'RangeError' ? new RangeError(text) : new Error(text)
  }
}
