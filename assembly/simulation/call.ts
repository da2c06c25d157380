// Owns the end of a call from JavaScript: it closes loops that were left open and applies deferred changes.
// It must never be called from within wasm.

import { DONE } from '../memory/status'
import { applyCommands, dropCommands } from './commands'
import { closeLoops } from './loops'
import { simulation } from './state'

/**
 * Ends a call: closes what is open, then applies what waits, or forgets it when `drops`. Returns the first failure of a
 * change that nobody could be told of when it was asked for, a negative status; else DONE.
 */
export function simulationEnd(drops: bool): i32 {
  closeLoops()
  simulation.locks = 0
  if (drops) dropCommands()
  else applyCommands()
  const failure = simulation.failure
  simulation.failure = 0
  return failure < 0 ? failure : DONE
}
