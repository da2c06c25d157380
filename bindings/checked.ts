// Owns the entry 'strata-ecs/checked': the core with all its asserts, and the guard of kernels. It must never be reached from
// index.ts.

import { checkedText, stressText } from '../build/checked'
import { KernelGuard } from './kernels/kernelGuard'
import { attachGuard } from './kernels/guardLink'
import { checkOptions } from './memory/arguments'
import { markChecked } from './memory/core'
import { compileText } from './memory/coreText'
import { describe } from './memory/describe'
import { StrataTypeError } from './memory/errors'
import { CURSOR_CHECKS } from './cursors/staleCursors'

/** Options of checkedCore. */
export interface CheckedOptions {
  /**
   * Move every table that may move at each occasion, and grow memory by the least. A number or an array that was kept
   * for too long is wrong at once then, and not after hours in a large world. Several times slower. Default false.
   */
  readonly stress?: boolean | undefined
}

/**
 * Compiles the checked core: the core with asserts for bounds, liveness and invariants. It fills freed memory with a
 * pattern, finds writes into it when that memory is used again, and guards kernels. A broken rule throws StrataError
 * CHECK_FAILED. Cursors and accessors throw StrataTypeError INVALID_VALUE for what `set` refuses and they would wrap or cut
 * off otherwise, such as -5 in a u16, and StrataError STALE_CURSOR when their row is another's. It is slower: use it in
 * tests and to hunt a bug.
 *
 * @returns a new module. A module that was sent to a worker has no guard there: call checkedCore in the worker
 *   instead
 * @throws StrataTypeError INVALID_OPTION
 * @example const world = createWorld({ core: checkedCore({ stress: true }) })
 */
export function checkedCore(options: CheckedOptions = {}): WebAssembly.Module {
  checkOptions('checkedCore', options, ['stress'])
  const stress = options?.stress ?? false
  if (typeof stress !== 'boolean')
    throw new StrataTypeError(
      'INVALID_OPTION',
      `checkedCore: stress must be true or false, not ${describe(stress)}.`,
    )
  const core = compileText(stress ? stressText() : checkedText())
  attachGuard(core, (state, windows, kernels) => new KernelGuard(state, windows, kernels))
  return markChecked(core, CURSOR_CHECKS)
}
