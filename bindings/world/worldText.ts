// Owns the line that Node's console shows for a world. It must never fail: a world that was disposed of is shown, too.

import { several, showEntities } from '../memory/consoleText'
import type { WorldState } from '../state/worldState'
import type { WorldStats } from './worldStats'

export function showWorld(state: WorldState, stats: () => WorldStats): string {
  if (state.disposed) return 'World(disposed)'
  const { entities, components, archetypes, bytesUsed, bytesReserved } = stats()
  const locked = state.locks === 0 ? '' : `, locked by ${state.loops.names ?? 'a block or a listener'}`
  const counts = [showEntities(entities), several(components, 'component'), several(archetypes, 'archetype')]
  return `World(${counts.join(', ')}, ${bytesUsed} of ${bytesReserved} bytes used${locked})`
}
