// Owns `saves`: what a world is given so that it can save and merge. It brings this room into a bundle; a program that does not
// name it, or loadWorld, carries none of it.
// It must never know the World: that knows only the class in declaration.ts.

import type { WorldState } from '../rows/worldState'
import { toBytes } from './binary'
import { Saves } from './declaration'
import { gather } from './gathering'
import { type Merged, type MergeOptions, mergeBytes } from './loading'
import { type SaveOptions, selectionOf } from './selection'

class SavesHere extends Saves {
  override save(state: WorldState, options: SaveOptions): Uint8Array<ArrayBuffer> {
    return toBytes(gather(state, selectionOf(state, options, 'save')))
  }

  override merge(state: WorldState, bytes: Uint8Array, options: MergeOptions): Merged {
    return mergeBytes(state, bytes, options)
  }
}

/**
 * Lets a world save and merge: `createWorld({ saves })`. Only programs that name it, or call loadWorld or loadFromJSON,
 * carry the code. Worlds that those return have it already.
 *
 * @example const world = createWorld({ saves }); const bytes = world.save()
 */
export const saves: Saves = /* @__PURE__ */ new SavesHere()
