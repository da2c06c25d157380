// Owns world.defer: changes that wait for the end of a block.

import { checkCallback, refusePromise } from '../memory/arguments'
import type { WorldState } from '../state/worldState'

/** world.defer */
export function defer<R>(state: WorldState, action: () => R): R {
  state.refuseDisposed()
  checkCallback('defer', action)
  const { locks, loops } = state
  const { count } = loops
  state.lock()
  try {
    const result = action()
    refusePromise('defer', result)
    return result
  } catch (error) {
    state.relock(locks, count)
    throw error
  } finally {
    state.unlock()
  }
}
