// Owns fork: an independent world in the state of another one.

import { BLOCKS_MAXIMUM, WORLD_MAX_ENTITIES, WORLD_STRICT_IDS } from '../../build/layout'
import { stateOf } from '../state/worldState'
import { takeSnapshot } from '../snapshots/snapshot'
import { restoreWorld } from '../snapshots/restore'
import { World } from './world'

/**
 * Creates a world of its own in the same state, with the same options and handles. Objects and resources that are JavaScript
 * values are copied by `save` and `load`, and objects without these made by `revive`; resources without them are missing in the
 * new world, until setResource gives it one. Listeners, kernels and schedules stay behind, and a query made in the new world has
 * seen no changes yet. Dispose of worlds that are no longer needed: a page can have about 120.
 *
 * @throws as snapshot and restore do
 * @example const twin = forkWorld(world)
 */
export function forkWorld(world: World): World {
  const state = stateOf(world, 'forkWorld')
  state.refuseDisposed()
  state.refuseWhileLocked('forkWorld')
  const { heap, workers } = state
  const taken = takeSnapshot(state, world.core, undefined, true)
  const twin = World.make({
    // All of it at once: memory that grows makes every loop of the process slower.
    memory: { initial: heap.u8.length, maximum: heap.word(BLOCKS_MAXIMUM) },
    maxEntities: heap.word(WORLD_MAX_ENTITIES),
    ids: heap.word(WORLD_STRICT_IDS) === 0 ? 'recycle' : 'strict',
    core: world.core,
    workers,
  })
  try {
    restoreWorld(twin, taken)
  } catch (error) {
    twin.dispose()
    throw error
  }
  return twin
}
