// Owns what the files of one build share, and the check of the options that decide about it. It must never need AssemblyScript:
// the plugin checks its options before it knows whether there is a kernel.

import { Windows } from './windows'

/** How long the compiler may take, unless something else is asked for. Most kernels take less than one second. */
const TIME_LIMIT_SECONDS = 60

/** Options of compileKernels. */
export interface CompileOptions {
  /** Address in memory page 0 at which the file's data begins, if it has any: 16 to 65,535. Default 1024. */
  readonly memoryBase?: number | undefined
  /** How many seconds the AssemblyScript compiler may take for the file before it is stopped. Default 60. */
  readonly timeLimit?: number | undefined
}

/** What the files of one build share. */
export interface KernelBuild {
  readonly windows: Windows
  /** Seconds for each file. */
  readonly timeLimit: number
}

/** @throws RangeError for options that make no sense */
export function beginBuild({ memoryBase, timeLimit = TIME_LIMIT_SECONDS }: CompileOptions): KernelBuild {
  if (!(timeLimit > 0))
    throw new RangeError(`The time limit must be a number of seconds above 0, not ${timeLimit}.`)
  return { windows: new Windows(memoryBase), timeLimit }
}
