// Owns the link from worlds to the code that saves and merges. They do not import that code: it comes with `saves`, so that
// only programs that name it bundle it. It must never import the rest of this room but as types.

import { StrataError } from '../memory/errors'
import type { WorldState } from '../rows/worldState'
import type { Merged, MergeOptions } from './loading'
import type { SaveOptions } from './selection'

/** What lets a world save and merge: `saves`, given to createWorld. */
export abstract class Saves {
  /** Lets the compiler tell it from any other object. */
  declare protected readonly brand: true
  /** @internal */
  abstract save(state: WorldState, options: SaveOptions): Uint8Array<ArrayBuffer>
  /** @internal */
  abstract merge(state: WorldState, bytes: Uint8Array, options: MergeOptions): Merged
}

/** @internal Throws unless a world can save now. */
export function requireSaves(state: WorldState, saves: Saves | undefined, operation: string): Saves {
  state.refuseDisposed()
  state.refuseWhileLocked(operation)
  if (saves !== undefined) return saves
  throw new StrataError(
    'MISSING_SAVES',
    `world.${operation}: this world was made without saves. Write import { createWorld, saves } from 'strata-ecs', and createWorld({ saves }).`,
  )
}
