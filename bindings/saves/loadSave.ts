// Owns loading a save into a world: read, checked, fitted to declarations, and only then built. It must never begin to build
// before all else is done.

import { STORAGE_RESOURCE, WORLD_TICK_WORD } from '../../build/layout'
import type { Definition } from '../components/definition'
import { DeclarationNames } from '../components/declarationNames'
import { ResourceDeclaration } from '../components/resourceDeclaration'
import { checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import type { Entity } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { listLength } from '../memory/givenLists'
import { arrayKind } from '../memory/realms'
import type { AbsentObject } from '../state/worldParticipants'
import { seal, unseal } from '../state/session'
import type { WorldState } from '../state/worldState'
import { fromBytes } from './binary'
import { type Built, Building, rebuild } from './rebuild'
import { checkSaved } from './checkSaved'
import { type Declarations, type FittedWorld, migrate } from './migrate'
import type { SavedWorld } from './savedWorld'
import { type Saveable, takeDeclarations } from './selection'

/** Options of mergeWorld. */
export interface MergeOptions {
  /**
   * Components, tags, object components and resources that names in the save stand for, in addition to those that the
   * world knows already.
   */
  readonly components?: readonly Saveable[] | undefined
}

/** What mergeWorld, loadInto, loadWorld and loadFromJSON return of what they have loaded. */
export interface Merged {
  /** The new handle of each entity of the save, by the handle that it had when it was saved. Made at the first read. */
  readonly handles: ReadonlyMap<number, Entity>
  /**
   * Names of components and resources in the save that no declaration has: they were left out. A field that its
   * component no longer has is named with it: 'Health.points'. An object component is named, too, if the save has its values
   * and it has no `load`.
   */
  readonly unknown: readonly string[]
  /** Entities that had an object component of which no value could be made: it was not loaded and has no `revive`, or that threw. */
  readonly absent: readonly AbsentObject[]
}

/** What is ready to be built. */
export interface PreparedSave {
  readonly fitted: FittedWorld
  readonly order: Float64Array
}

/**
 * What names stand for: what is known, and a list of the user's.
 *
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_NAME
 */
export function declaredIn(
  known: Iterable<Definition | ResourceDeclaration>,
  list: unknown,
  operation: string,
): Declarations {
  const components = new Map<string, Definition>()
  const resources = new Map<string, ResourceDeclaration>()
  const names = [new DeclarationNames(), new DeclarationNames()] as const
  const listed = takeDeclarations(list, `${operation}: components`)
  for (const one of [...known, ...listed]) {
    if (isOfTargets(one)) continue
    if (one instanceof ResourceDeclaration) {
      names[1].claim(one.resourceName, one)
      resources.set(one.resourceName, one)
    } else {
      names[0].claim(one.componentName, one)
      components.set(one.componentName, one)
    }
  }
  return { components, resources }
}

/** Whether it is what a relation keeps on targets: its name is nobody's. */
function isOfTargets(one: Definition | ResourceDeclaration): boolean {
  if (one instanceof ResourceDeclaration) return false
  return one.details.relating === undefined && one.details.columns.length > one.fields.length
}

/**
 * Everything that can be refused is refused here.
 *
 * @throws StrataError SAVE_REFUSED, MISSING_MIGRATION; what migrations and `load` throw
 */
export function prepare(saved: SavedWorld, declared: Declarations): PreparedSave {
  const order = checkSaved(saved)
  return { fitted: migrate(saved, declared), order }
}

/** Refuses what can be refused, while functions of the program cannot change a world. */
export function prepareSealed(state: WorldState, saved: SavedWorld, declared: Declarations): PreparedSave {
  seal(state)
  try {
    return prepare(saved, declared)
  } finally {
    unseal(state)
  }
}

/**
 * What the bytes of a save say. They are copied: whatever becomes of them is no matter.
 *
 * @throws StrataTypeError INVALID_OPTION; StrataError SAVE_REFUSED
 */
export function readBytes(bytes: unknown, operation: string): SavedWorld {
  if (arrayKind(bytes) === 'Uint8Array') {
    listLength(operation, 'the bytes that saveWorld(world) returned', bytes)
    return fromBytes(new Uint8Array(bytes as Uint8Array))
  }
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${operation} takes the bytes that saveWorld(world) returned, a Uint8Array, not ${describe(bytes)}.`,
  )
}

/** Builds a whole world in one that is empty, at the tick of the save. */
export function buildAll(state: WorldState, ready: PreparedSave): Merged {
  state.heap.u32[WORLD_TICK_WORD] = ready.fitted.tick
  return tell(rebuild(state, ready.fitted, ready.order), ready)
}

/**
 * Builds a whole world in one that is empty, at the tick of the save, except what `revive` makes. No code of the program runs.
 *
 * @throws LimitError: what `load` has made is disposed of then
 */
export function buildMemory(state: WorldState, { fitted, order }: PreparedSave): Building {
  state.heap.u32[WORLD_TICK_WORD] = fitted.tick
  const building = new Building(state, fitted)
  building.build(order)
  return building
}

/** Adds the entities of a save to a world. */
export function mergeBytes(state: WorldState, bytes: unknown, options: MergeOptions): Merged {
  checkOptions('mergeWorld', options, ['components'])
  const known = state.allKnown().map(({ definition }) => definition)
  const declared = declaredIn(
    [
      ...known.filter(({ storageCode }) => storageCode !== STORAGE_RESOURCE),
      ...(state.resources?.declarations() ?? []),
    ],
    options?.components === undefined ? [] : options.components,
    'mergeWorld',
  )
  const ready = prepareSealed(state, readBytes(bytes, 'mergeWorld'), declared)
  return tell(rebuild(state, ready.fitted, ready.order), ready)
}

/** What the user is told. The map is made when it is asked for: it takes as long as all the rest. */
export function tell({ handles, absent }: Built, { fitted: { unknown } }: PreparedSave): Merged {
  let map: ReadonlyMap<number, Entity> | undefined
  return {
    get handles() {
      return (map ??= handles())
    },
    unknown,
    absent,
  }
}
