// Owns the thread with the AssemblyScript compiler: one for all kernels of a process, one kernel at a time, ended when it takes
// too long or too much memory. It must never let the compiler end the process, nor keep a process alive that has nothing else
// to do.
//
// Why a thread: the compiler calls process.exit when it crashes, which ends a thread alone; a source can make it run for ever,
// and what runs in this thread cannot be stopped. A process of its own would do as well, and takes twice as long to start.

import process from 'node:process'
import { Worker } from 'node:worker_threads'

/** One run of the compiler. */
export interface CompilerJob {
  /** Name of the entry module in `folder`. */
  readonly entry: string
  readonly options: readonly string[]
  /** The folder that names of files are relative to. */
  readonly folder: string
  /** Absolute paths and texts. */
  readonly files: readonly (readonly [path: string, text: string])[]
  /** The folder of strata-ecs/kernel. */
  readonly library: string
}

export interface CompilerRange {
  readonly start: number
  readonly end: number
  /** Relative to the job's folder, or in the compiler's library. */
  readonly path: string
}

export interface CompilerDiagnostic {
  readonly message: string
  readonly code: number
  readonly category: number
  readonly ranges: readonly (CompilerRange | undefined)[]
}

/** What the compiler wrote and said. */
export interface CompilerAnswer {
  readonly bytes: Uint8Array | undefined
  /** The module in the text format. */
  readonly text: string
  readonly diagnostics: readonly CompilerDiagnostic[]
  /** Why it gave up; undefined when it did not. */
  readonly error: string | undefined
}

/** The compiler did not come to an end. */
export interface CompilerFailure {
  readonly failure: 'crashed' | 'too long' | 'too much memory'
  /** What the thread ended with, where that says more. */
  readonly reason: string | undefined
  /** The statement that it was at; undefined before the first, and in the optimiser. */
  readonly place: { readonly path: string; readonly start: number; readonly end: number } | undefined
}

/** How many bytes more than at its start a process may take while the compiler runs; few kernels need a twentieth. */
const MOST_MEMORY = 2 ** 31
/** Objects of the compiler alone: what is larger is no kernel. */
const MOST_HEAP_MEGABYTES = 1024
/** Room for sources that nest as deep as nesting.ts allows. */
const STACK_MEGABYTES = 8
/** How often time and memory are looked at. */
const LOOK_MS = 200
/** A thread that waits takes some 100 MB: it goes when nothing was compiled for so long. */
const IDLE_MS = 10_000

/** In place of the number of a file: the thread has not begun. kernelWorker.js writes what comes then. */
const LOADING = -2

interface Thread {
  readonly worker: Worker
  /** Number of the file, and the offsets, of the statement that is compiled. */
  readonly at: Int32Array
}

let thread: Thread | undefined
let idle: NodeJS.Timeout | undefined
/** One at a time, so that a place, and the memory that was taken, belong to one source. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Compiles one module.
 *
 * @param seconds how long the compiler may take
 * @throws the error of a thread that could not begin
 */
export function runCompiler(job: CompilerJob, seconds: number): Promise<CompilerAnswer | CompilerFailure> {
  const result = last.then(() => runNow(job, seconds))
  last = result.catch(() => undefined)
  return result
}

function start(): Thread {
  const place = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)
  const worker = new Worker(new URL('./kernelWorker.js', import.meta.url), {
    workerData: { place },
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MEGABYTES, stackSizeMb: STACK_MEGABYTES },
    // What it prints when it crashes is for those who work on it.
    stdout: true,
    stderr: true,
    // Options of the process, such as --test or a loader, are not for it.
    execArgv: [],
  })
  // What it has yet to say when it is ended is of no interest.
  worker.on('error', () => {})
  worker.on('exit', () => {
    if (thread?.worker === worker) thread = undefined
  })
  const at = new Int32Array(place)
  at[0] = LOADING
  return { worker, at }
}

async function runNow(job: CompilerJob, seconds: number): Promise<CompilerAnswer | CompilerFailure> {
  clearTimeout(idle)
  const { worker, at } = (thread ??= start())
  worker.ref()
  const begun = performance.now()
  const before = process.memoryUsage.rss()
  let reason: string | undefined
  const result = await new Promise<CompilerAnswer | CompilerFailure['failure']>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      // No source is to blame, but how this package or AssemblyScript is installed.
      if (at[0] === LOADING) reject(error)
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reason = error.message
      end(reason === undefined ? 'too much memory' : 'crashed')
    }
    const onExit = (): void => end('crashed')
    const look = setInterval(() => {
      if (performance.now() - begun > seconds * 1000) end('too long')
      else if (process.memoryUsage.rss() - before > MOST_MEMORY) end('too much memory')
    }, LOOK_MS)
    const end = (ending: CompilerAnswer | CompilerFailure['failure']): void => {
      clearInterval(look)
      worker.off('message', end).off('error', onError).off('exit', onExit)
      if (at[0] === LOADING) thread = undefined
      resolve(ending)
    }
    worker.on('message', end).on('error', onError).on('exit', onExit)
    worker.postMessage(job)
  })
  if (typeof result !== 'string') {
    worker.unref()
    idle = setTimeout(() => void forget(worker), IDLE_MS).unref()
    return result
  }
  await forget(worker)
  const [number, from, to] = at as unknown as [number, number, number]
  const path = job.files[number]?.[0]
  return { failure: result, reason, place: path === undefined ? undefined : { path, start: from, end: to } }
}

async function forget(worker: Worker): Promise<void> {
  thread = undefined
  await worker.terminate()
}
