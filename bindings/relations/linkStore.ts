// Owns the interface to the links of one relation in one world, which hides how they are stored: exclusiveLinks.ts implements it
// for exclusive relations, manyLinks.ts for the others.

import type { ComponentValue } from '../components/componentValues'
import type { RowRef } from '../cursors/rowRef'
import { NULL_ENTITY } from '../memory/entity'
import type { Registration } from '../state/registration'
import type { ReadableLinks, RegisteredLinks } from '../state/relationHooks'
import type { LinkList } from './linkList'
import type { RelationType } from './relationType'

/** By what was copied, the copies, in the same order for all. */
export type Inside = ReadonlyMap<number, ArrayLike<number>>

/** Links one by one, for saves. Each has a number of its own while no link is made and none ends. */
interface NumberedLinks {
  /** All numbers are less than this one. */
  readonly linksBelow: number
  /** Appends the links of a source that has its row to a list, in the order of its targets. */
  linksOf(entity: number, into: number[]): void
  /** Appends the links to a target to a list, in the order of its sources. */
  linksTo(target: number, into: number[]): void
  targetOfLink(link: number): number
  /** Where its values are; holds until the next call. */
  rowOfLink(link: number): RowRef
  /** Obtains room for some more links. A negative status when there is no memory for them. */
  reserve(count: number): number
  /** Makes a link with defaults from a source that has its row, for which there is room. No target lists it yet. */
  make(entity: number, target: number): number
  /** Puts a link at the end of the list of its target. */
  list(link: number): void
}

/** The links of one relation in one world. */
export interface LinkStore extends LinkReader, RegisteredLinks, NumberedLinks {
  readonly kind: RelationType
  readonly registration: Registration
  /** Obtains all that `count` new links to a living target need. A negative status when there is no memory for it. */
  prepare(target: number, ingredient: unknown, count: number): number
  /** prepare for the links of a list. Its targets are alive. */
  prepareAll(list: LinkList, count: number): number
  /** Whether a link to this target ends the one that an entity has. */
  replaces(entity: number, target: number): boolean
  /** Links a source to another target, whose row is there. Only for a change that no listener hears. */
  replace(entity: number, ingredient: ComponentValue): void
  /** The targets that an entity will have when it loses the relation, or not, and gets what was given for it. */
  targetsAfter(entity: number, isLost: boolean, ingredient: unknown): readonly number[]
  /** Takes all links of a source out of the lists of their targets. Its row stays as it is. Returns a note of them. */
  leave(entity: number): number
  /** The links of a source that left have ended. */
  release(note: number): void
  /** Lets the links of copies, whose rows are those of what was copied, be links of their own. */
  enterCopies(copies: ArrayLike<number>, inside: Inside | undefined): void
  /** Lets the links of copies lead to copies, where they lead to what was copied. */
  redirect(copies: ArrayLike<number>, inside: Inside): void
  /** Lets a source stand directly before another one of a target, NULL_ENTITY for the end. */
  place(entity: number, follower: number, target: number): void
  /** The source that follows another one of a target; NULL_ENTITY after the last one. */
  nextOf(entity: number, target: number): number
  /** Makes what links need to end, which is there for as long as there are links. Throws where there is no memory for it. */
  openBundles(): void
  /** Gives back what is of no use any more: rows of targets without sources, and memory. */
  tidy(): void
}

/** Sorts them by the order in which their relations were declared. */
export function byDeclaration(stores: LinkStore[]): LinkStore[] {
  return stores.length > 1
    ? stores.sort((a, b) => a.registration.definition.serial - b.registration.definition.serial)
    : stores
}

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
