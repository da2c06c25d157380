// Owns how a test gets a world: over the core that this run of the suite is about.
// It must never hide a failure: what a test asks for is what createWorld gets.

import { inject } from 'vitest'
import { createWorld, type World, type WorldOptions } from '../../bindings/index'
import { checkedCore } from '../../bindings/checked'

declare module 'vitest' {
  interface ProvidedContext {
    /** Which core this run of the suite is about; vitest.config.js says it. */
    core: 'release' | 'checked'
  }
}

const checked = inject('core') === 'checked' ? checkedCore() : undefined

/** Whether this run is about the checked core. */
export const isChecked = checked !== undefined

/**
 * A world over the core under test. Its memory begins small: the garbage collector is called for memories by their size,
 * and with the 16 MiB of a program's world it took a quarter of the time of all tests.
 */
export function testWorld(options: WorldOptions = {}): World {
  const memory = { initial: 2 ** 20, ...options.memory }
  return createWorld(checked === undefined ? { ...options, memory } : { ...options, memory, module: checked })
}
