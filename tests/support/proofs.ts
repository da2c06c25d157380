// How long random proofs are: in full, or a part of that where `npm test` must answer within minutes.

import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The share of the random proofs that this run makes; vitest.config.js says it. */
    proofs: number
  }
}

const share = inject('proofs')

/** Whether this run makes only a part of its proofs. */
export const isShort = share < 1

/** KiB from one amount of memory to the next, for proofs that try them all: each allocation must fail once. */
export const MEMORY_STEP = isShort ? 4 : 1

/** How many runs, steps or rounds a random proof makes that makes `full` of them at full length. */
export function proofLength(full: number): number {
  return Math.ceil(full * share)
}
