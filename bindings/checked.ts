// Owns the entry 'strata-ecs/checked': the core with all its asserts. It must never be reached from index.ts.

import { checkedBase64 } from '../build/checked'
import { compileBase64 } from './core'

/**
 * The checked core: the same code with bounds, liveness and invariant asserts, and freed memory poisoned.
 * Slower; for tests and for hunting a bug. A broken rule throws StrataError CHECK_FAILED.
 *
 * @example const world = createWorld({ module: checkedCore() })
 */
export function checkedCore(): WebAssembly.Module {
  return compileBase64(checkedBase64)
}
