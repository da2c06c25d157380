// Owns what the lower rooms ask of relations: relation() brings it, and a program without relations does not carry it.

import type { ValuesByComponent } from '../components/componentValues'
import type { Definition } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import { relatedIn } from '../components/terms'
import type { EntityArray } from '../memory/entity'
import type { HandleList } from '../memory/handleList'
import type { Bundle, BundleNode } from './bundle'
import type { Change } from './change'
import type { Registration } from './registration'
import type { Registry } from './registry'

/** All that a query finds, and what destroys it in one call; undefined where only a part of it is meant. */
export interface Ending {
  /** A new list of the handles. */
  readonly list: () => readonly number[] | EntityArray
  readonly inOneCall: (() => unknown) | undefined
}

/** What relation() attaches to a declaration, as Details.relating. */
export interface Relating {
  /** Whether an entity has one target at most. */
  readonly isExclusive: boolean
  /** The relation has become known to a world. */
  enter(state: Registry, registration: Registration): void
  /** Throws unless what is given for the relation names a target that is alive, or the entity has the relation already. */
  require(
    state: Registry,
    definition: Definition,
    ingredient: unknown,
    entity: number,
    operation: string,
  ): void
  /** Throws if what is given for the relation names a target that is dead. */
  refuseDeadTarget(state: Registry, ingredient: unknown, operation: string): void
  /** The links of a world; none in a world that has not met the relation. Its name is taken in that world from then on. */
  linksIn(state: Registry): ReadableLinks
  /** world.targets and world.setTargets */
  readTargets(state: Registry, entity: number, options: unknown): unknown
  setTargets(state: Registry, entity: number, targets: unknown, options: unknown): void
  /** Joins a pair at a place of a call's list with an earlier one of the same relation. */
  join(ingredients: unknown[], place: number, operation: string): void
  /** world.reorder. `asked` is the relation, or a pair of it. */
  place(state: Registry, entity: number, asked: unknown, place: unknown): void
  /** Whether an entity has the link that a pair names. */
  holds(state: Registry, entity: number, pair: unknown): boolean
  /** What listeners of the link that a pair names are told by; undefined unless it names an entity. */
  watched(state: Registry, pair: unknown): LinkToWatch | undefined
  /** Throws where values were asked for that only a pair has. */
  refuseUntargeted(): void
  /** world.get and world.remove with pairs. */
  getOfPair(state: Registry, world: ReadWorld, entity: number, pair: unknown): unknown
  /** A pair with values in place of those that it has. */
  pairWith(pair: unknown, values: unknown): unknown
  removePairs(state: Registry, world: RemovingWorld, entity: number, components: readonly unknown[]): boolean
  /** What saves ask of the relation. */
  readonly saving: LinkSaving
  /** The query with terms that name targets, or an order. It asks the world for the one with the plain terms among them. */
  query(state: Registry, world: { query(...terms: never[]): object }, terms: readonly unknown[]): object
}

/** What listeners ask of links: of what a query names, or of one link of an entity. */
export interface WatchedLinks {
  /** The components that decide about the links. */
  readonly named: readonly Definition[]
  /** Whether entities that a tag keeps out of queries are meant, too: undefined for a query. */
  readonly meetsHidden?: boolean
  /** Whether it names targets whose links are kept when they die. */
  readonly keeps: boolean
  /** Whether an entity has these links, or will have them after it got and lost something. */
  holds(entity: number, gains?: Bundle, losses?: Bundle, given?: readonly unknown[]): boolean
  /** Notes which entities match otherwise when targets of kept links die, or now that they are back. */
  noteKept(query: Noting, targets: ArrayLike<number>, die: boolean): void
}

/** A watched query, and which entities begin or end to match. */
export interface Noting {
  matches(entity: number): boolean
  readonly entering: { push(entity: number): void }
  readonly leaving: { push(entity: number): void }
}

/** One link of any entity. */
export interface LinkToWatch extends WatchedLinks {
  readonly target: number
}

/** Is given the source of each link, and the hash of what the link says. */
export type LinkHashVisitor = (entity: number, hash: number) => void

/** Some links of one relation: in the order of their sources' rows, those of one source in that of its targets. */
interface LinkRows {
  readonly sources: Uint32Array
  /** NULL_ENTITY where a new link leads nowhere; a taken one may lead to a target that is gone. */
  readonly targets: Uint32Array
}

export interface TakenLinks extends LinkRows {
  /** Every whole number below their count once: the turn at which a link enters the list of its target. */
  readonly turns: Uint32Array
  /** For each field the bytes of its values. */
  readonly columns: readonly Uint8Array[]
}

export interface NewLinks extends LinkRows {
  /** Their places, in the order of their turns. */
  readonly order: Uint32Array
  /** For each field; undefined where all have the default. */
  readonly columns: readonly (Uint8Array | undefined)[]
}

/** The links of one relation, as saves take them from a world and bring them to another one. */
export interface LinkSaving {
  /** What has the fields of a link. */
  readonly values: Definition
  /** Visits every target that is alive. */
  eachTarget(state: Registry, visit: (target: number) => void): void
  /** The links of some sources to targets that are saved, and those that stay when their targets are gone. */
  take(state: Registry, sources: Uint32Array, isSaved: (entity: number) => boolean): TakenLinks
  /**
   * Throws unless a world can have such links. Entities are given by their numbers in a save.
   *
   * @param handles what they were called
   * @throws StrataError MISSING_MIGRATION, RELATION_CYCLE
   */
  check(sources: Uint32Array, targets: Uint32Array, handles: Uint32Array): void
  /**
   * Makes the rows of targets, in this order, and room for so many links. Returns a negative status when there is no memory
   * for them.
   */
  obtain(state: Registry, targets: ArrayLike<number>, count: number): number
  /** Makes links, for which all is obtained and whose sources have their rows. */
  enter(state: Registry, links: NewLinks): void
}

/** A world, as far as a read of a pair comes back to it. */
export interface ReadWorld {
  get(entity: number, component: never): unknown
}

/** A world, as far as the removal of pairs comes back to it. */
export interface RemovingWorld {
  remove(entity: number, ...components: never[]): boolean
}

/** The links of one relation in one world, as the world asks for them. Every handle is allowed. */
export interface ReadableLinks {
  /** The target of an entity, its first one where there are several; NULL_ENTITY when there is none. */
  targetOf(entity: number): number
  /** Appends the targets of an entity to a list, in their order. */
  collectTargets(entity: number, into: number[]): void
  /** How many sources a target has. */
  countOf(target: number): number
  /** Writes the sources of a target to an array that has room for them. */
  fill(target: number, into: Uint32Array): void
}

/** The same, once the world has met the relation: Registration.links. */
export interface RegisteredLinks extends ReadableLinks {
  /** Visits the hashes of all links, where the rows of their sources do not say them; else false. */
  hash(visit: LinkHashVisitor): boolean
  /** Writes what was given for the relation to an entity that has the row by now: its target, and values. */
  write(entity: number, ingredient: unknown): void
}

/** A component, and the entities that lose it in the change under way. */
export interface Losing {
  readonly definition: Definition
  readonly lost: HandleList
}

/** What keeps the links of one world in order: Registry.relations, from its first relation on. */
export interface LinkUpkeep {
  /**
   * Leaves of a queued change what its targets allow that have died since. A status where nothing else is to be done: the change is
   * made already, or the entity dies.
   */
  resolve(change: Change): number | undefined
  /** Throws unless all of the entities, NULL_ENTITY for a new one, can get the links of a bundle. */
  check(entities: ArrayLike<number>, bundle: Bundle, given: ValuesByComponent, operation: string): void
  /** Obtains all that the links of a change need: a status. Links that they replace join what the change takes. */
  prepare(change: Change): number
  /** Gives back what was obtained and is of no use. */
  tidy(): void
  /** Makes all ready for `count` entities that get the bundle: what is left of it, undefined when they are to die. */
  prepareMany(
    bundle: BundleNode,
    given: ValuesByComponent,
    count: number,
  ): readonly [BundleNode, ValuesByComponent] | undefined
  /** Whether an entity has sources in any relation. */
  isTarget(entity: number): boolean
  /**
   * Handles have come alive that a program named: puts links that were kept past the death of their target back into its
   * list, once it has its row, and inside a loop when it ends. A negative status when there is no memory for them; then the
   * entities are dead.
   */
  returned(handles: ArrayLike<number>): number
  /** Does so after what is queued, if an entity, or any, had no row. */
  returnLater(entity?: number): void
  /** The core has dropped its bundles: what links need to end is made again, from the memory that this has freed. */
  bundlesDropped(): void
  /** Whether links to a target hold: it is alive, and those that were kept are in its list. */
  holdsFor(target: number): boolean
  /** Destroys entities as their query does, and after them what depends on them. Returns how many were named. */
  destroy(entities: ArrayLike<number>, query?: Ending): number
  /** Takes the links that end out of their lists. */
  leave(losing: readonly Losing[]): void
  /** The change was made. */
  finish(): void
  /** Adds to a bundle what copies of an entity do not get. */
  withheld(bundle: BundleNode, source: number): BundleNode
  /** Copies of an entity were made, with the links as they were: they enter the lists. */
  copied(copies: ArrayLike<number>): void
}

/** What saves ask of a relation; undefined for any other declaration. */
export function linkSavingOf(definition: Definition): LinkSaving | undefined {
  return relatingOf(definition)?.saving
}

/** What has the fields that a declaration gives to saves. */
export function savedDefinitionOf(definition: Definition): Definition {
  return linkSavingOf(definition)?.values ?? definition
}

/** What relation() has attached to a declaration; undefined for any other one. */
export function relatingOf(definition: Definition | undefined): Relating | undefined {
  return definition?.details.relating as Relating | undefined
}

/** The same for the relation of a pair. Throws for anything else. */
export function relatingOfPair(value: unknown, operation: string): Relating {
  const related = relatedIn(value)
  if (related === undefined) throw notAComponent(value, operation)
  return related as Relating
}
