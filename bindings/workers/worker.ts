// Owns the program of a worker: it reads its mail, and works until there is more. scripts/build-worker.js makes it a text, which
// workers are started with, and a file of the package, for pages whose policy allows no text.

import { DONE, EPOCH, HOLDS, KNOWN, LISTENS, MAIL, SLEEPERS, WAKE, wordOf } from './control'
import type { Begin, Hand, Mail } from './mail'
import { pressForMemory } from './pressure'
import { type KnownKernel, type Thread, takeBlocks } from './thread'

/** A worker that wakes up wakes so many others at most, if more are wanted. */
const BRANCHES = 2
/** A world's memory never has its first three pages elsewhere. */
const FIXED_WORDS = 0xc000

/** What a worker has of one world. */
interface KnownWorld {
  readonly ids: number[]
  /** By the numbers of their modules. */
  readonly instances: Map<number, WebAssembly.Instance>
}

class Worker {
  private readonly thread: Thread
  private readonly spins: number
  private readonly worlds = new Map<number, KnownWorld>()
  private mails = 0

  constructor({ spins, ...begin }: Begin) {
    this.thread = { ...begin, kernels: new Map(), cause: undefined }
    this.spins = spins
  }

  /** After each message: works, unless another one is on its way. */
  receive({ hand, forget }: Mail): void {
    const { control, number } = this.thread
    if (hand !== undefined) {
      this.thread.kernels.set(hand.id, this.take(hand))
      Atomics.store(control, wordOf(number, KNOWN), hand.id + 1)
    }
    if (forget !== undefined) {
      const { worldNumber, bytes } = forget
      for (const id of this.worlds.get(worldNumber)?.ids ?? []) this.thread.kernels.delete(id)
      this.worlds.delete(worldNumber)
      pressForMemory(bytes)
    }
    this.mails++
    this.work()
  }

  private take({ id, kernel, file, module, memory, moduleNumber, worldNumber }: Hand): KnownKernel {
    let world = this.worlds.get(worldNumber)
    if (world === undefined) this.worlds.set(worldNumber, (world = { ids: [], instances: new Map() }))
    world.ids.push(id)
    let instance = world.instances.get(moduleNumber)
    if (instance === undefined) {
      instance = new WebAssembly.Instance(module as WebAssembly.Module, {
        env: { memory, abort: abortOver(memory, file) },
      })
      world.instances.set(moduleNumber, instance)
    }
    const start = instance.exports[kernel] as KnownKernel['start']
    return { start, u32: new Uint32Array(memory.buffer, 0, FIXED_WORDS) }
  }

  /** Takes part in each run until there is mail. */
  private work(): void {
    const { thread, spins } = this
    const { control } = thread
    for (;;) {
      const epoch = Atomics.load(control, EPOCH)
      if (Atomics.load(control, MAIL) !== this.mails) return
      wakeOthers(control)
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
    const holds = wordOf(thread.number, HOLDS)
    try {
      const bytes = new Uint32Array(memory.buffer)[(address >>> 2) - 1] as number
      return address === 0 ? '' : String.fromCharCode(...new Uint16Array(memory.buffer, address, bytes >>> 1))
    } catch {
      Atomics.store(control, holds, 1)
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
