// Owns the entry 'strata-ecs/checked': the core with all its asserts, and the guard of kernels.
// It must never be reached from index.ts.

import { checkedText } from '../build/checked'
import { KernelGuard } from './kernels/guard'
import { attachGuard } from './kernels/guarding'
import { compileText } from './memory/core'

/**
 * Compiles the checked core: the core with asserts for bounds, liveness and invariants, which overwrites freed memory
 * with a pattern and guards kernels. A broken rule throws StrataError CHECK_FAILED. It is slower: use it in tests and
 * to hunt a bug.
 *
 * @returns a new module. A module that was sent to a worker has no guard there: call checkedCore in the worker
 *   instead
 * @example const world = createWorld({ module: checkedCore() })
 */
export function checkedCore(): WebAssembly.Module {
  return guardKernels(compileText(checkedText()))
}

/**
 * Makes worlds that are created with a module from now on guard their kernels, as worlds with the checked core do.
 * What a kernel overwrites outside of its rows is restored, and StrataError KERNEL_FAILED names it. Cost: some tens
 * of microseconds per call of a kernel.
 *
 * @param module a core, or a module of your own that contains the core
 * @returns the same module
 * @example const world = createWorld({ module: guardKernels(new WebAssembly.Module(bytes)) })
 */
export function guardKernels(module: WebAssembly.Module): WebAssembly.Module {
  attachGuard(module, (state, windows, kernels) => new KernelGuard(state, windows, kernels))
  return module
}
