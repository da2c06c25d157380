// Owns what each thread does in a run: it takes blocks until none is left. Blocks are disjoint rows, and what they return is
// written down one by one, so nothing depends on who took what.

import { KERNEL_ARGUMENTS_ADDRESS, SCRATCH_ADDRESS } from '../../../build/layout'
import type { InstanceFunction } from '../../../bindings/kernels/kernelInstance'
import {
  BLOCKS,
  BLOCK_WORDS,
  FAILED,
  FAILURE_KIND,
  FAILURE_KINDS,
  FAILURE_LENGTH,
  FAILURE_MOST,
  FIRST_BLOCK,
  KERNEL,
  PARTS,
  RETURNED,
  SHARE,
  TICKET,
  failureOf,
  textOf,
  wordOf,
} from './control'

/** A world's memory never has its first three pages elsewhere. */
const FIXED_WORDS = 0xc000
/** A thread has a part of the room for one call's arguments, which is free during a run: the caller is inside it. */
const AREA_WORDS = 1024
const SCRATCH_WORD = SCRATCH_ADDRESS >> 2
const NUMBERS_WORD = KERNEL_ARGUMENTS_ADDRESS >> 2
/** The blocks that no thread has taken, in TICKET. */
const LEFT_MASK = 0xffff

/** A kernel as one thread has it. */
export interface KnownKernel {
  readonly start: InstanceFunction
  /** The first pages of its world's memory, which never move: an array of them is never detached. */
  readonly u32: Uint32Array
}

/** A kernel, by its entry in an instance over its world's memory. */
export function knownKernel(start: InstanceFunction, { buffer }: WebAssembly.Memory): KnownKernel {
  return { start, u32: new Uint32Array(buffer, 0, FIXED_WORDS) }
}

export interface Thread {
  readonly control: Int32Array
  /** What each block of the run returned. */
  readonly results: Float64Array
  /** 0 is the thread that calls. */
  readonly number: number
  /** The kernel of the run, by its number. */
  readonly kernelOf: (id: number) => KnownKernel
  /** What the last kernel that failed here threw. */
  cause: unknown
}

/** Takes blocks until none is left. Returns how many are done by it, and how many it kept all threads from doing. */
export function takeBlocks(thread: Thread): number {
  const { control } = thread
  let done = 0
  for (;;) {
    const ticket = Atomics.load(control, TICKET)
    const left = ticket & LEFT_MASK
    if (left === 0) return done
    // It changes only while no thread works.
    const parts = control[PARTS] as number
    const taken = Math.min(left, parts > 0 ? Math.ceil(left / parts) : -parts)
    if (Atomics.compareExchange(control, TICKET, ticket, ticket - taken) !== ticket) continue
    // The run cannot end before these blocks are done: what describes it stays as it is.
    const first = (control[BLOCKS] as number) - left
    try {
      runBlocks(thread, first, first + taken)
    } catch (error) {
      // No thread takes another block of this run. Blocks are taken in the order of the rows: those before these are all run.
      done += Atomics.and(control, TICKET, ~LEFT_MASK) & LEFT_MASK
      noteFailure(thread, first, error)
    }
    done += taken
    const share = wordOf(thread.number, SHARE)
    control[share] = (control[share] as number) + taken
  }
}

/** Calls the kernel for the blocks from `block` to `end`, from a copy of its arguments. */
function runBlocks({ control, results, number, kernelOf }: Thread, block: number, end: number): void {
  const { start, u32 } = kernelOf(control[KERNEL] as number)
  const firstBlock = control[FIRST_BLOCK] as number
  const blockWords = control[BLOCK_WORDS] as number
  const returned = control[RETURNED] as number
  const area = SCRATCH_WORD + number * AREA_WORDS
  const head = firstBlock - NUMBERS_WORD
  for (let i = 0; i < head; i++) u32[area + i] = u32[NUMBERS_WORD + i] as number
  // What returns a result is called for each block by itself: they are joined in their order.
  const most = returned === 0 ? Math.floor((AREA_WORDS - head) / blockWords) : 1
  const empty = returned === 2 ? Infinity : returned === 3 ? -Infinity : 0
  while (block < end) {
    const count = Math.min(most, end - block)
    const from = firstBlock + block * blockWords
    for (let i = 0; i < count * blockWords; i++) u32[area + head + i] = u32[from + i] as number
    const result = start(area << 2, count, empty)
    if (returned !== 0) results[block] = result as number
    block += count
  }
}

/** The caller reports the failure that it would have met alone: the first one in the order of the rows. */
function noteFailure(thread: Thread, block: number, error: unknown): void {
  const { control, number } = thread
  thread.cause = error
  const { name, message } = error as Partial<Error>
  const text = String(message ?? error).slice(0, FAILURE_MOST)
  const at = textOf(number)
  for (let i = 0; i < text.length; i++) control[at + i] = text.charCodeAt(i)
  control[wordOf(number, FAILURE_LENGTH)] = text.length
  control[wordOf(number, FAILURE_KIND)] = Math.max(0, (FAILURE_KINDS as readonly unknown[]).indexOf(name))
  const failure = failureOf(block, number)
  for (;;) {
    const first = Atomics.load(control, FAILED)
    if (first !== 0 && first < failure) return
    if (Atomics.compareExchange(control, FAILED, first, failure) === first) return
  }
}
