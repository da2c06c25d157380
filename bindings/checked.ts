// Owns the entry 'strata-ecs/checked': the core with all its asserts, and the guard of kernels.
// It must never be reached from index.ts.

import { checkedText } from '../build/checked'
import { compileText } from './core'
import { attachGuard } from './guarding'
import { KernelGuard } from './kernelGuard'

/**
 * The checked core: the same code with bounds, liveness and invariant asserts, and freed memory poisoned. Kernels are
 * guarded. Slower; for tests and for hunting a bug. A broken rule throws StrataError CHECK_FAILED.
 *
 * @returns a new module. A copy, as a worker that it is sent to gets one, has no guard: call this in the worker
 * @example const world = createWorld({ module: checkedCore() })
 */
export function checkedCore(): WebAssembly.Module {
  return guardKernels(compileText(checkedText()))
}

/**
 * Has worlds that are made over a module from now on guard their kernels, as those over the checked core do: what a
 * kernel overwrites beside its rows is put back, and KERNEL_FAILED names it. Some tens of microseconds a call.
 *
 * @param module a core, or a simulation of your own with the core in it
 * @returns the same module
 * @example const world = createWorld({ module: guardKernels(new WebAssembly.Module(bytes)) })
 */
export function guardKernels(module: WebAssembly.Module): WebAssembly.Module {
  attachGuard(module, (state, windows, kernels) => new KernelGuard(state, windows, kernels))
  return module
}
