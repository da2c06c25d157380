// Owns what a divided call of a kernel is, for the threads that carry it out.

import type { Reduction } from '../../../bindings/kernels/kernel'
import type { Hand } from './mail'
import type { KnownKernel } from './thread'

/** A call of a kernel for several blocks. */
export interface DividedCall {
  /** Number of the kernel in the pool, and the kernel as the caller has it: a pool keeps none, and so no world's memory. */
  readonly id: number
  readonly kernel: KnownKernel
  readonly result: Reduction
  readonly blocks: number
  readonly sofar: number
  /** Index in the world's u32 of the first block, and words of a block. */
  readonly firstBlock: number
  readonly blockWords: number
  /** How many threads are worth waking beside the caller. */
  readonly helpers: number
}

/** What the kernels of a world need of a pool: threads, or what plays them in a test. */
export interface Threads {
  /** Workers beside the caller. */
  readonly count: number
  /** Why none of them works; undefined while they do. */
  readonly why: string | undefined
  /** Microseconds that a call must take on this thread alone to be divided. */
  readonly worth: number
  /** Whether they are other threads, with which a world must share its memory. */
  readonly needsSharing: boolean
  /** Makes a kernel known to all threads. Returns its number. */
  hand(kernel: Omit<Hand, 'id'>): number
  /** Whether all threads know it. */
  knows(id: number): boolean
  /** Forgets the kernels of a world, by the number under which they were handed; `bytes` is the size of its memory. */
  forget(worldNumber: number, bytes: number): void
  /** Runs all blocks. Returns what they came to, joined in their order. Throws what the kernel threw. */
  run(call: DividedCall): number
}
