// Owns saveWorld and mergeWorld: the entities, components and resources of a world as the bytes of a file, and back into a world.

import { stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { toBytes } from './binary'
import { collect } from './collect'
import { type Merged, type MergeOptions, mergeBytes } from './loadSave'
import { type SaveOptions, selectionOf } from './selection'

/**
 * The entities with their components, and the resources, as a file of this package's own format, which a later version
 * of the program can load: docs/saving.md. Equal worlds give equal bytes. Values in JavaScript, of resources and of object
 * components, are saved if they have `save` and `load`, by what `save` returns; of other object components it is saved which
 * entities have them. Changes that are recorded in command buffers, listeners, and what queries have seen are not saved.
 * Cost: about 1 ms per MB, and 10 ns per entity.
 *
 * @param options `only`, `entities`: what is saved
 * @returns a new array with the bytes of the file
 * @throws StrataError WORLD_LOCKED inside a loop; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, INVALID_VALUE for a
 *   value that no file can hold; what `save` throws. The world is as it was then
 * @example const bytes = saveWorld(world, { only: [Position, Health], entities: world.query(Player) })
 */
export function saveWorld(world: World, options: SaveOptions = {}): Uint8Array<ArrayBuffer> {
  const state = stateOf(world, 'saveWorld')
  state.refuseDisposed()
  state.refuseWhileLocked('saveWorld')
  return toBytes(collect(state, selectionOf(state, options, 'saveWorld')))
}

/**
 * Adds what saveWorld returned, here or elsewhere, to this world. Entities get new handles; `entity` fields that point
 * at entities of the save follow them. Rows count as added at the tick of this world, and they are reported to
 * listeners as copies are: onAdd and onEnter, once everything is there. Resources that this world has already stay as they are.
 * Cost: about 0.3 ms per MB and 30 ns per entity.
 *
 * @param bytes a whole file; it is read at once
 * @param options `components`: what names stand for that this world does not know yet
 * @returns the new handles by the old ones, the names that are unknown, and the entities without their objects
 * @throws StrataError SAVE_REFUSED for bytes that are damaged or no save, MISSING_MIGRATION, WORLD_LOCKED
 *   inside a loop; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_NAME; LimitError; what migrations and
 *   `load` throw. Nothing changes then. After merging, the first error thrown by `revive` or a listener
 * @example const { handles } = mergeWorld(world, bytes, { components: [Position] })
 */
export function mergeWorld(world: World, bytes: Uint8Array, options: MergeOptions = {}): Merged {
  const state = stateOf(world, 'mergeWorld')
  state.refuseDisposed()
  state.refuseWhileLocked('mergeWorld')
  return mergeBytes(state, bytes, options)
}
