// Owns the link from worlds to workers: what createWorld is given, and what it uses of it. Worlds do not import the code that
// runs kernels on several threads: it comes with `workers()` of strata-ecs/workers, so that only programs that call it carry it.

import type { CompilePart } from './coreText'

/** How one kernel of a world with workers has run since it was bound. */
export interface DividedKernelStats {
  /** Name of the kernel, and of its source file. */
  readonly kernel: string
  readonly file: string
  /** Why its rows are never divided, or are not in this world; undefined if they can be. */
  readonly why: string | undefined
  /** How often it was called, in a world where it can be divided: as a rule once for each query.run. */
  readonly calls: number
  /** How many of these calls were divided. */
  readonly divided: number
  /** What a chunk takes on one thread, in microseconds: a moving average; 0 until it has run. */
  readonly chunkMicroseconds: number
}

/** What a pool of workers has done so far. */
export interface WorkersStats {
  /** How many workers run kernels beside the caller. If it is 0, `why` says the reason. */
  readonly workers: number
  /** Why everything runs on the caller; undefined while kernels can be divided. */
  readonly why: string | undefined
  /** Chunks of divided calls by thread: the caller, then each worker. */
  readonly chunks: readonly number[]
  /** The kernels of all worlds that use the pool, until a world is disposed of or collected. */
  readonly kernels: readonly DividedKernelStats[]
}

/** A pool of workers. Made by `workers()` of strata-ecs/workers, for createWorld({ workers }). */
export interface Workers {
  /**
   * Resolves when all workers have started, or when it is known that they cannot be had. You need not wait for it: until then
   * kernels run on the caller.
   */
  readonly ready: Promise<void>
  /** Returns what was divided, and why not. Cost: a few objects for each kernel. */
  stats(): WorkersStats
  /** Ends the workers. Worlds that use them go on, on the caller. */
  dispose(): void
}

/** Known to all bundles of the package by its name. */
export const SHARING = /* @__PURE__ */ Symbol.for('strata-ecs.workers')

/** A core over a memory that several threads share. */
export interface SharedCore {
  readonly memory: WebAssembly.Memory
  readonly module: WebAssembly.Module
  /** Compiles a part of it. */
  readonly compile: CompilePart
  /** How far the memory may grow, in bytes. */
  readonly maximum: number
}

/** What a world asks of a pool. */
export interface Sharing {
  /**
   * The core of a new world. Undefined where its memory cannot be shared: then the world has a plain one.
   *
   * @param compile see compilerOf
   * @param form the bytes of the memory at first and at most, and whether a lower maximum would do
   */
  share(
    compile: CompilePart | undefined,
    form: { readonly initial: number; readonly maximum: number; readonly isFlexible: boolean },
  ): SharedCore | undefined
}

/** A pool as a world has it. */
export interface SharingWorkers extends Workers {
  readonly [SHARING]: Sharing
}
