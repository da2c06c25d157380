// Owns the counts of world.stats(), and the line that Node's console shows of them, for a disposed world too.

import {
  ARCHETYPES_ALL,
  BLOCKS_USED,
  CHUNKS_COUNT,
  COMPONENTS_COUNT,
  ENTITIES_ALIVE,
  ENTITIES_FREE_COUNT,
  ENTITIES_RETIRED_COUNT,
  LIST_COUNT,
  SCRATCH_ADDRESS,
  SCRATCH_BYTES,
  TEXTS_COUNT,
} from '../../build/layout'
import { several, showEntities } from '../memory/consoleText'
import { emptyArchetypes } from '../memory/coreTables'
import type { WorldState } from '../state/worldState'

/** Counts and memory use of a world, at the time of the call. Returned by world.stats(). */
export interface WorldStats {
  /** Entities alive. */
  readonly entities: number
  /** Archetypes: one for each set of table components and tags. */
  readonly archetypes: number
  /** How many of them have no entities now: trimWorld drops those but for one. */
  readonly emptyArchetypes: number
  /** Chunks of rows. */
  readonly chunks: number
  /** Components, tags and object components that the world has met. */
  readonly components: number
  /** Bytes of linear memory in use, including the first three pages, which are fixed. */
  readonly bytesUsed: number
  /** Bytes of linear memory. */
  readonly bytesReserved: number
  /** Entity indices that are waiting to be reused. */
  readonly freeIds: number
  /** Entity indices whose 8-bit generations are used up. */
  readonly retiredIds: number
  /** Different strings stored for text fields, without the empty one. */
  readonly texts: number
}

/** world.stats */
export function statsOf(state: WorldState): WorldStats {
  state.refuseDisposed()
  const { heap } = state
  return {
    entities: heap.word(ENTITIES_ALIVE),
    archetypes: heap.word(heap.word(ARCHETYPES_ALL) + LIST_COUNT),
    emptyArchetypes: emptyArchetypes(heap),
    chunks: heap.word(CHUNKS_COUNT),
    components: heap.word(COMPONENTS_COUNT) - state.hidden,
    bytesUsed: heap.word(BLOCKS_USED) + SCRATCH_ADDRESS + SCRATCH_BYTES,
    bytesReserved: heap.u8.length,
    freeIds: heap.word(ENTITIES_FREE_COUNT),
    retiredIds: heap.word(ENTITIES_RETIRED_COUNT),
    texts: heap.word(TEXTS_COUNT) + state.texts.promisedCount,
  }
}

export function showWorld(state: WorldState, stats: () => WorldStats): string {
  if (state.disposed) return 'World(disposed)'
  const { entities, components, archetypes, bytesUsed, bytesReserved } = stats()
  const locked = state.locks === 0 ? '' : `, locked by ${state.loops.names ?? 'a block or a listener'}`
  const counts = [showEntities(entities), several(components, 'component'), several(archetypes, 'archetype')]
  return `World(${counts.join(', ')}, ${bytesUsed} of ${bytesReserved} bytes used${locked})`
}
