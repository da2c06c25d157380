// Owns the reasons why the rows of a kernel are run by one thread. Rows of different chunks do not see each other, except through
// what is listed here.

import { COMPILED } from '../../../bindings/kernels/kernelFormat'
import type { KernelDescription } from '../../../bindings/kernels/kernel'
import type { KernelModule } from '../../../bindings/kernels/kernelModule'
import { bytesOf, hasGlobals } from './moduleBytes'

/** Why the rows of a kernel are never divided, as the end of a sentence about it; undefined if they can be. */
export function whyWhole(kernel: KernelDescription, { module }: KernelModule): string | undefined {
  const { rows, parameters, result, code } = kernel
  if (rows === false) return 'takes no rows'
  for (const parameter of parameters) {
    const { name, role } = parameter
    if (role === 'parent') return `reads the parents' column '${name}'`
    if (role === 'resource' && parameter.writes) return `writes the resource '${name}'`
  }
  // A kernel sums up a chunk, then adds; a compiled loop adds row after row, and another order gives other last digits.
  if (result === 'sum' && code.file === COMPILED) return 'adds up row after row'
  // What it traces is printed by the caller.
  if (WebAssembly.Module.imports(module).some(({ name }) => name === 'trace'))
    return 'is in a file that calls trace'
  // The compiler makes none of them; a module that was written by hand may keep in them what one row tells the next.
  if (hasGlobals(bytesOf(code)))
    return 'is in a module with global variables, of which each thread has its own'
  return undefined
}

/** Why nothing is divided in a world. */
export const OWN_CORE = 'is of a world with a core of its own: only those of this package can share a memory'
export const NO_MEMORY = 'is of a world with a plain memory: the host gave no shared one'
export const GUARDED = 'is guarded: over the checked core each chunk is a call of its own'
