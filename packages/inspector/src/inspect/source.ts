// Owns the way from a world to what the inspection reads of it: its state, its components by name and by id.
// It must never change the world, nor keep anything of it: addresses and names hold for one call.

import {
  ARCHETYPES_ALL,
  ARCHETYPE_SIGNATURE,
  ARCHETYPE_SIGNATURE_COUNT,
  LIST_ITEMS,
  STORAGE_RESOURCE,
} from '../../../../build/layout'
import { type Definition, isHidden } from '../../../../bindings/components/definition'
import type { Kind } from '../../../../bindings/components/fieldKinds'
import { StrataTypeError, World } from '../../../../bindings/index'
import { describe } from '../../../../bindings/memory/describe'
import type { Registration } from '../../../../bindings/state/registration'
import type { WorldState } from '../../../../bindings/state/worldState'

/** The state of a world that is not disposed of. */
export function stateOf(world: World): WorldState {
  const state = world['state']
  state.refuseDisposed()
  return state
}

/** Throws unless a value is a world of this copy of the library, and not disposed of. */
export function requireWorld(value: unknown): asserts value is World {
  if (!(value instanceof World)) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `inspect takes a world that createWorld of 'strata-ecs' returned, not ${describe(value)}. Load one copy of strata-ecs: 'strata-ecs/inspect' belongs to the one it is installed with.`,
    )
  }
  stateOf(value)
}

/** Whether users know a component: no resource, and not what a relation keeps of targets. */
export function isShown(definition: Definition): boolean {
  return definition.storageCode !== STORAGE_RESOURCE && !isHidden(definition)
}

/** What the world knows of the components that users know, in the order in which it met them. */
export function shownIn(state: WorldState): Registration[] {
  return state
    .allKnown()
    .filter(({ definition }) => isShown(definition))
    .sort((a, b) => a.id - b.id)
}

/** What the world knows of a component by its name; undefined where it has not met it. */
export function shownNamed(state: WorldState, name: string): Registration | undefined {
  return shownIn(state).find(({ definition }) => definition.componentName === name)
}

/** The address of an archetype. */
export function archetypeAt({ heap }: WorldState, id: number): number {
  return heap.word(heap.word(heap.word(ARCHETYPES_ALL) + LIST_ITEMS) + id * 4)
}

/** The ids of the table components and tags of the archetype at an address, ascending. */
export function signatureAt({ heap }: WorldState, archetype: number): Uint32Array {
  const first = heap.word(archetype + ARCHETYPE_SIGNATURE) >> 2
  return heap.u32.subarray(first, first + heap.word(archetype + ARCHETYPE_SIGNATURE_COUNT))
}

/** A field of a component or resource. */
export interface FieldInfo {
  readonly name: string
  /** The kind of its values, such as 'f32', 'bool', 'entity' or 'text'. */
  readonly type: Kind
  /** Values per row: 1, or the length of a vec. */
  readonly length: number
}

/** The fields of a declaration, in its order. */
export function fieldsOf({ fieldNames, fields }: Pick<Definition, 'fieldNames' | 'fields'>): FieldInfo[] {
  return fields.map(({ kind, length }, k) => ({ name: fieldNames[k] as string, type: kind, length }))
}
