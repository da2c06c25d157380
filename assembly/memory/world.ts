// Owns the record of the world: the change tick, what the last spawn met, and what the world was created with. A change of rows
// changes only its status.

import { WORLD_ADDRESS } from './map'

@unmanaged
export class World {
  /** The change tick: columns remember when they were last written. Wraps around. */
  tick: u32
  /** Why the last spawn gave no handle. */
  status: i32
  /** What this world was created with, for reset. */
  maximumBytes: u32
  maxEntities: u32
  strictIds: u32
  /** Of a stress core: how often something could have moved (see stress.ts). */
  occasions: u32
}

export const world = changetype<World>(WORLD_ADDRESS)
