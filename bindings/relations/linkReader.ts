// Owns what can be asked of the links of one relation in one world.
// It must never know how links are stored.

import { NULL_ENTITY } from '../memory/entity'
import type { ReadableLinks } from '../state/relationHooks'

/** The links of a relation, for those who read them. Every handle is allowed. */
export interface LinkReader extends ReadableLinks {
  /** Whether an entity has a link to this target, which may be gone. */
  leadsTo(entity: number, target: number): boolean
  /** How many targets an entity has. */
  targetCount(entity: number): number
  /** Writes the targets of an entity to an array that has room for them. */
  fillTargets(entity: number, into: Uint32Array): void
  /** Appends the sources of a target to a list, in their order. */
  collect(target: number, into: number[]): void
}

/** In a world that has not met the relation. */
export const NO_LINKS: LinkReader = {
  targetOf: () => NULL_ENTITY,
  leadsTo: () => false,
  targetCount: () => 0,
  collectTargets: () => {},
  fillTargets: () => {},
  countOf: () => 0,
  collect: () => {},
  fill: () => {},
}
