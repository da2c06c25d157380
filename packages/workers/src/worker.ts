// Owns the program of a worker: it reads its mail, and works until there is more. scripts/build-worker.js makes it a text, which
// workers are started with, and a file of the package, for pages whose policy allows no text.

import { DONE, EPOCH, HOLDS, KNOWN, LISTENS, MAIL, SLEEPERS, WAKE, wordOf } from './control'
import type { Begin, Hand, Mail } from './mail'
import { pressForMemory } from './pressure'
import { type KnownKernel, type Thread, knownKernel, takeBlocks } from './thread'

/** A worker that wakes up wakes so many others at most, if more are wanted. */
const BRANCHES = 2
/** So many bytes of worlds that have ended may stay until V8 collects them by itself. */
const ENDED_BYTES = 2 ** 26
/** Each turn presses as hard as V8 takes notice of. V8 collects after a few, if nothing else holds what has ended. */
const PRESSES = 64

/** What a worker has of one world. */
interface KnownWorld {
  readonly memory: WebAssembly.Memory
  readonly ids: number[]
  /** By the numbers of their modules. */
  readonly instances: Map<number, WebAssembly.Instance>
}

class Worker {
  private readonly thread: Thread
  private readonly spins: number
  private readonly worlds = new Map<number, KnownWorld>()
  private readonly kernels = new Map<number, KnownKernel>()
  private mails = 0
  /** Bytes of worlds that have ended and are not collected; and how often that may still be pressed for. */
  private ended = 0
  private presses = 0
  private readonly collected = new FinalizationRegistry((bytes: number) => (this.ended -= bytes))

  constructor({ spins, ...begin }: Begin) {
    const kernelOf = (id: number) => this.kernels.get(id) as KnownKernel
    this.thread = { ...begin, kernelOf, cause: undefined }
    this.spins = spins
  }

  /** After each message: works, unless another one is on its way. */
  receive({ hand, forget }: Mail): void {
    const { control, number } = this.thread
    if (hand !== undefined) {
      this.kernels.set(hand.id, this.take(hand))
      Atomics.store(control, wordOf(number, KNOWN), hand.id + 1)
    }
    if (forget !== undefined) {
      this.forget(forget.worldNumber, forget.bytes)
      this.presses = PRESSES
    }
    this.mails++
    this.rest()
  }

  private forget(number: number, bytes: number): void {
    const world = this.worlds.get(number)
    if (world === undefined) return
    for (const id of world.ids) this.kernels.delete(id)
    this.worlds.delete(number)
    this.ended += bytes
    this.collected.register(world.memory, bytes)
  }

  /**
   * Works, but first has V8 collect what has ended, if that is much. A worker that sleeps never would: V8 does so in turns of the event
   * loop, and does not count shared memory.
   */
  private rest(): void {
    if (this.ended < ENDED_BYTES || this.presses === 0) return this.work()
    this.presses--
    pressForMemory(ENDED_BYTES)
    setTimeout(() => this.rest(), 0)
  }

  private take({ id, kernel, file, module, memory, moduleNumber, worldNumber }: Hand): KnownKernel {
    let world = this.worlds.get(worldNumber)
    if (world === undefined) this.worlds.set(worldNumber, (world = { memory, ids: [], instances: new Map() }))
    world.ids.push(id)
    let instance = world.instances.get(moduleNumber)
    if (instance === undefined) {
      instance = new WebAssembly.Instance(module as WebAssembly.Module, {
        env: { memory, abort: abortOver(memory, file) },
      })
      world.instances.set(moduleNumber, instance)
    }
    return knownKernel(instance.exports[kernel] as KnownKernel['start'], memory)
  }

  /** Takes part in each run until there is mail. */
  private work(): void {
    const { thread, spins } = this
    const { control } = thread
    const holds = wordOf(thread.number, HOLDS)
    for (;;) {
      const epoch = Atomics.load(control, EPOCH)
      if (Atomics.load(control, MAIL) !== this.mails) return
      wakeOthers(control)
      Atomics.store(control, holds, 1)
      const done = takeBlocks(thread)
      if (done > 0) Atomics.add(control, DONE, done)
      Atomics.store(control, holds, 0)
      if (done > 0 && Atomics.load(control, LISTENS) !== 0) Atomics.notify(control, DONE)
      let left = spins
      while (left > 0 && Atomics.load(control, EPOCH) === epoch) left--
      if (left > 0) continue
      Atomics.add(control, SLEEPERS, 1)
      Atomics.wait(control, EPOCH, epoch)
      Atomics.sub(control, SLEEPERS, 1)
    }
  }
}

/** Each call of notify takes microseconds: the caller makes one, and all who are awake make the rest. */
function wakeOthers(control: Int32Array): void {
  for (let i = 0; i < BRANCHES; i++) {
    if (Atomics.load(control, WAKE) <= 0 || Atomics.sub(control, WAKE, 1) <= 0) return
    Atomics.notify(control, EPOCH, 1)
  }
}

/** What a failed assertion calls: the error has the sentence that it has on the caller. */
function abortOver(memory: WebAssembly.Memory, file: string) {
  const textAt = (address: number): string => {
    try {
      const bytes = new Uint32Array(memory.buffer)[(address >>> 2) - 1] as number
      return address === 0 ? '' : String.fromCharCode(...new Uint16Array(memory.buffer, address, bytes >>> 1))
    } catch {
      return ''
    }
  }
  return (message: number, source: number, line: number, column: number): never => {
    throw new Error(`${textAt(message) || 'abort'} (${textAt(source) || file}:${line}:${column})`)
  }
}

let worker: Worker | undefined

function receive(mail: Mail, answer: (message: string) => void): void {
  if (mail.begin !== undefined) {
    worker = new Worker(mail.begin)
    answer('begun')
  }
  worker?.receive(mail)
}

interface NodeThreads {
  readonly parentPort: {
    on(name: 'message', listener: (mail: Mail) => void): void
    postMessage(message: string): void
  } | null
}

const scope = globalThis as unknown as {
  readonly process?: { getBuiltinModule?(name: string): NodeThreads }
  /** Node has it in a program that is a text. */
  require?(name: string): NodeThreads
  onmessage: (event: { readonly data: Mail }) => void
  postMessage(message: string): void
}
const NODE_THREADS = 'node:worker_threads'
const port = (
  scope.process?.getBuiltinModule?.(NODE_THREADS) ??
  (scope.process === undefined ? undefined : scope.require?.(NODE_THREADS))
)?.parentPort
if (port) port.on('message', (mail) => receive(mail, (message) => port.postMessage(message)))
else scope.onmessage = ({ data }) => receive(data, (message) => scope.postMessage(message))
