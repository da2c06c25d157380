// Owns the entry 'strata-ecs/checked': the core with all its asserts. It must never be reached from index.ts.

import { checkedText } from '../build/checked'
import { compileText } from './core'

/**
 * The checked core: the same code with bounds, liveness and invariant asserts, and freed memory poisoned.
 * Slower; for tests and for hunting a bug. A broken rule throws StrataError CHECK_FAILED.
 *
 * @example const world = createWorld({ module: checkedCore() })
 */
export function checkedCore(): WebAssembly.Module {
  return compileText(checkedText)
}
