// Owns the condition of a system that a resource has changed: runIf: changed(Time).
// It must never keep what was seen in JavaScript: that is a look in linear memory, which a restore takes back.

import { CHUNK_TICKS_CHANGED_WORD } from '../../build/layout'
import type { Definition } from '../components/definition'
import { ResourceChange, type ResourceDeclaration } from '../components/resourceDeclaration'
import type { ChangeTermHooks } from '../queryPlan/changeTermHooks'
import { onlyRowOf } from '../state/registration'
import type { WorldState } from '../state/worldState'
import type { Condition } from './system'

/**
 * What decides whether a system runs, as a function.
 *
 * @param afterwards gets what is to be called whenever the system has run
 */
export function conditionIn(
  state: WorldState,
  condition: Condition | ResourceChange,
  afterwards: (() => void)[],
): Condition {
  if (!(condition instanceof ResourceChange)) return condition
  const resources = condition.resources as readonly ResourceDeclaration[]
  // The function is what holds the look: it goes with the system.
  const holds = (): boolean => {
    const { seen } = seenTick
    const changed = resources.every(({ definition }) => isChanged(state, definition as Definition, seen))
    seenTick.markSeen()
    return changed
  }
  const seenTick = (condition.changing as ChangeTermHooks).begin(state, holds)
  // What the system wrote itself, or read in a way that counts as a write, must not wake it again.
  afterwards.push(() => {
    if (state.disposed) return
    const { seen } = seenTick
    if (resources.some(({ definition }) => isChanged(state, definition as Definition, seen)))
      seenTick.markSeen()
  })
  return holds
}

/** Whether a resource is there, and was made or written after a tick. */
function isChanged(state: WorldState, definition: Definition, since: number | undefined): boolean {
  const ref = onlyRowOf(state.known(definition))
  if (ref === undefined) return false
  if (since === undefined) return true
  const tick = state.heap.u32[((ref.data + ref.placement.tickOffset) >> 2) + CHUNK_TICKS_CHANGED_WORD]
  return (((tick as number) - since) | 0) > 0
}
