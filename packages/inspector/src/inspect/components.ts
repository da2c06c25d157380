// Owns the list of the components that a world has met, as the inspection shows it.

import {
  COMPONENTS_RECORDS,
  COMPONENT_ARCHETYPES,
  COMPONENT_BYTES,
  LIST_COUNT,
  LIST_ITEMS,
  TABLE_ROWS,
} from '../../../../build/layout'
import { canToggle } from '../../../../bindings/components/definition'
import type { Storage } from '../../../../bindings/index'
import type { Registration } from '../../../../bindings/state/registration'
import { savedDefinitionOf } from '../../../../bindings/state/relationHooks'
import type { WorldState } from '../../../../bindings/state/worldState'
import { poolRows } from './pools'
import { type FieldInfo, archetypeAt, fieldsOf, shownIn } from './source'

/** A component, tag, object component or relation that a world has met. */
export interface ComponentInfo {
  readonly name: string
  readonly kind: 'component' | 'tag' | 'object' | 'relation'
  readonly storage: Storage
  /** Its fields, in the order of its schema; of a relation those of each link. */
  readonly fields: readonly FieldInfo[]
  /** Whether it can be switched off: see world.disable. */
  readonly canToggle: boolean
  /** How many entities have it, switched on or off. */
  readonly entities: number
}

export function componentsIn(state: WorldState): ComponentInfo[] {
  return shownIn(state).map((registration) => {
    const { definition } = registration
    return {
      name: definition.componentName,
      kind: definition.kind,
      storage: definition.storage,
      fields: fieldsOf(savedDefinitionOf(definition)),
      canToggle: canToggle(definition),
      entities: holdersOf(state, registration),
    }
  })
}

/** How many entities have a component. */
function holdersOf(state: WorldState, { id, pool, pooled }: Registration): number {
  const { heap } = state
  if (pooled) return poolRows(heap, pool)
  const list = heap.word(heap.word(COMPONENTS_RECORDS) + id * COMPONENT_BYTES + COMPONENT_ARCHETYPES)
  const items = heap.word(list + LIST_ITEMS)
  let entities = 0
  for (let i = 0; i < heap.word(list + LIST_COUNT); i++)
    entities += heap.word(archetypeAt(state, heap.word(items + i * 4)) + TABLE_ROWS)
  return entities
}
