// Owns one call of a kernel's code: the checks of the guard around it, and the errors for what it did. Its arguments are written
// by kernelRun.ts, and by `once` in boundKernel.ts.

import { KERNEL_ARGUMENTS_ADDRESS } from '../../build/layout'
import { StrataError } from '../memory/errors'
import { messageOf } from '../memory/realms'
import type { BoundKernel } from './boundKernel'
import type { GuardedCall } from './guardLink'
import { printTraces } from './kernelInstance'
import { type Reduction, nameOf, operationOf } from './kernel'

type AnyBoundKernel = BoundKernel<unknown, unknown, boolean>

/** The result of no call. */
export const EMPTY: Record<Reduction, number> = { none: 0, sum: 0, count: 0, min: Infinity, max: -Infinity }

/**
 * Calls a kernel for so many blocks, and marks the resources that it may write.
 *
 * @param sofar what the calls before came to
 * @param firstBlock index in Heap.u32 of the first block, which has `blockWords` words: given for what may be divided
 * @returns what all of them came to; undefined for a kernel that returns nothing
 * @throws StrataError KERNEL_FAILED
 */
export function callKernel(
  bound: AnyBoundKernel,
  blocks: number,
  sofar: number,
  firstBlock = 0,
  blockWords = 0,
): number | undefined {
  const { start, guard, divided } = bound.loaded
  bound.resources.mark()
  let result: number | undefined
  try {
    result =
      divided === undefined
        ? start(KERNEL_ARGUMENTS_ADDRESS, blocks, sofar)
        : divided.run(blocks, sofar, firstBlock, blockWords)
  } catch (error) {
    throw printedBefore(failed(bound, error, guard?.after()))
  }
  const overwritten = guard?.after()
  if (overwritten !== undefined) throw printedBefore(new StrataError('KERNEL_FAILED', overwritten))
  // Arrays over a memory that grew are detached.
  if (bound.state.heap.u32.length === 0) throw printedBefore(grew(bound))
  return result
}

/** A run that fails has no end at which what its kernel traced is printed. */
function printedBefore(error: StrataError): StrataError {
  printTraces()
  return error
}

/** Has the guard look at what the next call gets. */
export function watch(
  bound: AnyBoundKernel,
  { block, columns }: Pick<GuardedCall, 'block' | 'columns'>,
): void {
  const { kernel, resources, loaded, state } = bound
  const guarded = resources.list.map((resource, i) => {
    return { word: resources.word(i), resource, registration: state.known(resource.definition) }
  })
  // What the bindings themselves write comes before the copies.
  resources.mark()
  const call = { operation: operationOf(kernel), kernel: nameOf(kernel), block, columns, resources: guarded }
  const wrong = loaded.guard?.before(call)
  if (wrong !== undefined) throw new StrataError('CHECK_FAILED', wrong)
}

function failed(
  { state, kernel }: AnyBoundKernel,
  cause: unknown,
  overwritten: string | undefined,
): StrataError {
  // It may have grown the memory before.
  state.heap.check()
  return new StrataError(
    'KERNEL_FAILED',
    overwritten ??
      `${operationOf(kernel)}: ${nameOf(kernel)} failed with "${messageOf(cause)}". What it had written stays written; if that is within its rows, the world goes on working. See error.cause.`,
    { cause },
  )
}

function grew({ state, kernel }: AnyBoundKernel): StrataError {
  state.heap.check()
  return new StrataError(
    'KERNEL_FAILED',
    `${operationOf(kernel)}: ${nameOf(kernel)} grew the memory, which a kernel must not do: take memory.grow out of it, and whatever allocates, such as new and strings.`,
  )
}
