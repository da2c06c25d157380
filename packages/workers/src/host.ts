// Owns what differs between hosts: whether threads can share memory, how many there may be, and how a worker is started. It must
// never be called before a pool is made.

import { workerText } from '../../../build/workerText'
import { messageOf } from '../../../bindings/memory/realms'

/** A worker, from where it was started. */
export interface Port {
  postMessage(mail: unknown): void
  /** Node keeps a process alive for a worker, unless it is told not to. */
  ref(): void
  unref(): void
  terminate(): void
  /** Whether it is known to have ended: without an event, which does not come while this thread waits. */
  hasEnded(): boolean
}

/** How workers are started. */
export interface Starting {
  /** Of the worker's program as a file, as the constructor of the class takes it; undefined: a text. */
  readonly url: string | object | undefined
  readonly Worker: WorkerClass | undefined
}

/** The class `Worker` of a page, or of node:worker_threads. */
export type WorkerClass = new (source: string | object, options?: { readonly eval?: boolean }) => unknown

interface NodeWorker {
  postMessage(mail: unknown): void
  terminate(): unknown
  ref(): void
  unref(): void
  readonly performance?: { eventLoopUtilization?(): { readonly idle: number } }
  on(name: 'message' | 'error' | 'exit', listener: (given: unknown) => void): void
}

interface PageWorker {
  postMessage(mail: unknown): void
  terminate(): unknown
  onmessage: unknown
  onerror: unknown
}

interface Host {
  readonly process?: { getBuiltinModule?(name: string): { readonly Worker: WorkerClass } | undefined }
  readonly Worker?: WorkerClass
  readonly crossOriginIsolated?: boolean
  readonly navigator?: { readonly hardwareConcurrency?: number }
}

/** More than so many help only with kernels that take long. */
const MOST_BY_DEFAULT = 7

const host = () => globalThis as unknown as Host

/** Why threads cannot share memory here; undefined if they can. */
export function whyNoSharing(): string | undefined {
  if (host().crossOriginIsolated === false)
    return 'the page is not cross-origin isolated: serve it with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp'
  return typeof SharedArrayBuffer === 'function' ? undefined : 'the host has no SharedArrayBuffer'
}

/** All processors but one. */
export function defaultCount(): number {
  return Math.min(MOST_BY_DEFAULT, Math.max(0, (host().navigator?.hardwareConcurrency ?? processors()) - 1))
}

/** Node 20 has no navigator. */
function processors(): number {
  const os = host().process?.getBuiltinModule?.('node:os') as { cpus?(): readonly unknown[] } | undefined
  return os?.cpus?.().length ?? 1
}

/** Whether this thread may sleep until another one wakes it: a page may not. */
export function mayWait(control: Int32Array): boolean {
  try {
    Atomics.wait(control, 0, ~Atomics.load(control, 0), 0)
    return true
  } catch {
    return false
  }
}

/**
 * Starts a worker.
 *
 * @param heard called with each message of the worker
 * @param failed called when it ended, or could not start, with why
 * @throws what the host throws where it starts none
 */
export function startWorker(
  starting: Starting,
  heard: (message: unknown) => void,
  failed: (why: string) => void,
): Port {
  const ofNode = starting.Worker ?? host().process?.getBuiltinModule?.('node:worker_threads')?.Worker
  return ofNode !== undefined && isOfNode(ofNode)
    ? startInNode(ofNode, starting, heard, failed)
    : startInPage(starting, heard, failed)
}

function isOfNode({ prototype }: WorkerClass): boolean {
  return typeof (prototype as Partial<NodeWorker> | undefined)?.unref === 'function'
}

function startInNode(
  Worker: WorkerClass,
  { url }: Starting,
  heard: (message: unknown) => void,
  failed: (why: string) => void,
): Port {
  // What the program itself was started with is not for workers: a loader of modules, for one, would start in each. Room for machine
  // code of JavaScript, of which a worker has little, would take half a GB of address space; kernels have theirs elsewhere.
  const options = { eval: url === undefined, execArgv: [], resourceLimits: { codeRangeSizeMb: 16 } }
  const worker = new Worker(url ?? workerText, options) as NodeWorker
  const terminate = watched(worker, failed, () => {
    worker.on('message', (message) => {
      // The first answer of Node about a thread must be asked for while that is there.
      hasEndedInNode(worker)
      heard(message)
    })
    worker.on('error', (error) => failed(`a worker failed with "${messageOf(error)}"`))
    worker.on('exit', () => failed('a worker ended'))
    // Last: a listener for messages keeps the process alive.
    worker.unref()
  })
  return {
    postMessage: (mail) => worker.postMessage(mail),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate,
    hasEnded: () => hasEndedInNode(worker),
  }
}

/**
 * Sets a worker up. One for which that fails is ended: nothing else would end it, and Node stays alive for it.
 *
 * A program that has the worker, because it passed the class, can end it, and the end takes effect later: perhaps in the middle of a
 * run. So the pool is told at once, on whatever host.
 *
 * @returns what ends it without telling
 */
function watched(
  worker: { terminate(): unknown },
  failed: (why: string) => void,
  setUp: () => void,
): () => void {
  if (typeof worker.terminate !== 'function')
    throw new Error('Worker is no class of workers: it has no terminate()')
  const end = worker.terminate.bind(worker)
  const terminate = (): unknown => {
    failed('a worker was ended by terminate()')
    return end()
  }
  try {
    setUp()
    // An assignment is refused where the class is frozen.
    Object.defineProperty(worker, 'terminate', { value: terminate, writable: true, configurable: true })
  } catch (error) {
    end()
    throw error
  }
  return () => void end()
}

/** Node answers -1 once a thread has ended, before its event can come. Bun has the call, and warns that it does nothing. */
function hasEndedInNode({ performance }: NodeWorker): boolean {
  return !('Bun' in globalThis) && (performance?.eventLoopUtilization?.().idle ?? 0) < 0
}

let textUrl: string | undefined

const urlOfText = () => URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }))

function startInPage(
  { url, Worker = host().Worker }: Starting,
  heard: (message: unknown) => void,
  failed: (why: string) => void,
): Port {
  if (Worker === undefined) throw new Error('there is no class Worker')
  const worker = new Worker(url ?? (textUrl ??= urlOfText())) as PageWorker
  const terminate = watched(worker, failed, () => {
    worker.onmessage = ({ data }: { readonly data: unknown }) => heard(data)
    worker.onerror = (event: { readonly message?: unknown }) =>
      failed(
        typeof event.message === 'string' && event.message !== ''
          ? `a worker failed with "${event.message}"`
          : 'a worker could not be loaded: allow it (in a content security policy by worker-src blob:), or serve the file strata-ecs/worker.js and pass its address, workers({ url })',
      )
  })
  return {
    postMessage: (mail) => worker.postMessage(mail),
    ref: () => {},
    unref: () => {},
    terminate,
    hasEnded: () => false,
  }
}
