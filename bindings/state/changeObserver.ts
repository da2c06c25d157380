// Owns the interface through which changes reach listeners. A world has none until something listens for the first time; then
// events/ gives it its observers. A program in which nothing listens carries none of them.

import type { Definition } from '../components/definition'
import type { ResourceDeclaration } from '../components/resourceDeclaration'
import type { Bundle } from './bundle'
import type { Registration } from './registration'

/** In place of a handle: a change of several entities, or of new ones. */
export const SEVERAL = -1

/** What was given for the components of a bundle, in its order: ingredients, or values. May be longer. */
export type GivenList = readonly unknown[] | undefined

/** What a change is about, as those see it that have a part in it: see Change. */
export interface ChangeParts {
  readonly entities: ArrayLike<number>
  readonly gains: Bundle | undefined
  readonly losses: Bundle | undefined
  readonly given: GivenList
}

/** Functions of declarations that are called while a change is reported: see upkeep.ts. */
interface Called {
  call(): void
}

/** The report of one change: see events/report.ts. */
export interface ChangeReport {
  spawned(entities: ArrayLike<number>, bundle: Bundle, given: GivenList): void
  born(entities: ArrayLike<number>, bundle?: Bundle, given?: GivenList, makers?: readonly Definition[]): void
  begin(change: ChangeParts): void
  destroying(entities: ArrayLike<number>): void
  toggling(entities: ArrayLike<number>, definition: Definition, on: boolean): void
  returned(targets: ArrayLike<number>): void
  /** Whether a listener is to be called for what will end. */
  hearsEnds(): boolean
  leave(): boolean
  finish(called: Called | undefined): void
  endOfWorld(called: Called | undefined): void
}

/** What subscribers of queries and resources are told will change: see events/resultSubscribers.ts. */
export interface Notes {
  /** Whether something was noted. */
  readonly pending: boolean
  spawning(bundle: Bundle): void
  naming(bundle: Bundle, entities: ArrayLike<number> | undefined): void
  leave(change: ChangeParts): void
  switching(definition: Definition, entity: number): void
  copying(source: number, differ: boolean): void
  made(): void
  copied(copies: ArrayLike<number>): void
  dying(entities: ArrayLike<number>): void
  dyingAll(): void
  everything(): void
  ending(): void
  restored(): void
  wrote(resource: ResourceDeclaration): boolean
  tell(): boolean
  drop(): void
  forget(): void
}

/** The listeners of one world, as the rooms that make changes see them: events/observers.ts. */
export interface Reporting {
  readonly report: ChangeReport
  readonly subscribers: Notes
  /** Whether sets wait to be told. */
  readonly pending: boolean
  /** Whether a listener hears when the components of a bundle come or go. */
  hears(bundle: Bundle): boolean
  /** Whether a listener or a subscriber hears when an entity is spawned with the bundle, or when an existing one gets it. */
  hearsSpawn(bundle: Bundle): boolean
  hearsNamed(bundle: Bundle): boolean
  hearsSwitch(definition: Definition): boolean
  /** Whether no listener and no subscriber hears when an entity is spawned with the bundle, gets or loses it. */
  ignores(bundle: Bundle): boolean
  /** Whether none hears when an entity is destroyed or copied; also where it is not alive. */
  ignoresEntity(entity: number): boolean
  /** Whether none hears when the entities of a list are destroyed. */
  ignoresAll(entities: ArrayLike<number>): boolean
  /** Whether none hears when all entities of some archetypes are destroyed. False where only a look at each entity could tell. */
  ignoresArchetypes(addresses: readonly number[]): boolean
  /** Whether none hears when a component is switched on or off. */
  ignoresSwitch(definition: Definition): boolean
  /** Whether a watched query has a term with a target: then restored links must be reported. */
  readonly hearsLinks: boolean
  /** Whether a listener hears when an entity is given values for a component that it has. */
  hearsSet(definition: Definition): boolean
  /** To be called directly before values of an entity are written that reportSet is called for. */
  noteBefore(definition: Definition, entity: number): void
  reportSet(definition: Definition, entity: number): void
  reportPending(): void
  forgetPending(): void
  tellRestored(report: unknown): void
  /** From here to end() functions of the program are called. */
  begin(): void
  end(): void
  /** A component was registered. */
  registered(registration: Registration): void
}
