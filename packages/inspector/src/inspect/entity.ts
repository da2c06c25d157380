// Owns what the inspection says of one entity: its components, their values, when they changed, and its links. Values are copies,
// except those of object components.

import { CHUNK_OWNER_WORD, STORAGE_TAG } from '../../../../build/layout'
import { type Definition, canToggle } from '../../../../bindings/components/definition'
import type { Entity, World } from '../../../../bindings/index'
import { INDEX_MASK } from '../../../../bindings/memory/entity'
import type { Registration } from '../../../../bindings/state/registration'
import type { WorldState } from '../../../../bindings/state/worldState'
import { targetsOf } from './relations'
import { archetypeAt, shownIn, signatureAt } from './source'

/** A link of an entity. */
export interface LinkInfo {
  /** The entity that it leads to; may be a stale handle where the relation keeps links to the dead. */
  readonly target: Entity
  /** A copy of the fields of the link; undefined for a relation without fields. */
  readonly values: Readonly<Record<string, unknown>> | undefined
}

/** A component of an entity. */
export interface EntityComponent {
  readonly component: string
  readonly kind: 'component' | 'tag' | 'object' | 'relation'
  /** A copy of its fields; undefined for what has none: tags, object components, relations, whose fields are in `links`. */
  readonly values: Readonly<Record<string, unknown>> | undefined
  /** The value of an object component, itself; undefined for all others. */
  readonly value: unknown
  /**
   * The tick of its last change: of the entity's row where the component is declared with `{ trackChanges: 'row' }`, otherwise of
   * its whole chunk. Undefined for what keeps none: tags, and object components without `track`.
   */
  readonly changedAt: number | undefined
  /** False while it is switched off. */
  readonly enabled: boolean
  /** Of a relation the links, in the order of their targets; empty for all others. */
  readonly links: readonly LinkInfo[]
}

/** The components of a living entity, in the order in which the world met them. */
export function readEntity(world: World, state: WorldState, entity: number): EntityComponent[] {
  state.cursorPools.settle()
  return componentsOf(state, entity).map((registration) => readComponent(world, state, entity, registration))
}

function readComponent(
  world: World,
  state: WorldState,
  entity: number,
  registration: Registration,
): EntityComponent {
  const { definition } = registration
  const { kind, componentName: component } = definition
  const enabled = isEnabled(registration, entity)
  return {
    component,
    kind,
    values: kind === 'component' ? valuesOf(world, entity, definition) : undefined,
    value: kind === 'object' ? registration.objects?.get(entity) : undefined,
    changedAt: changedAt(registration, entity),
    enabled,
    links: kind === 'relation' ? linksOf(world, state, entity, definition) : NO_LINKS,
  }
}

const NO_LINKS: readonly LinkInfo[] = []

/** What the world knows of the components that a living entity has, in the order in which it met them. */
export function componentsOf(state: WorldState, entity: number): Registration[] {
  return new ComponentLists(state).of(entity)
}

/** The components of several entities: what archetypes have is looked up once. */
export class ComponentLists {
  private readonly byId: Registration[] = []
  private readonly pooled: Registration[]
  private readonly archetypes = new Map<number, Registration[]>()

  constructor(private readonly state: WorldState) {
    const shown = shownIn(state)
    for (const registration of shown) this.byId[registration.id] = registration
    this.pooled = shown.filter(({ pooled }) => pooled)
  }

  of(entity: number): Registration[] {
    const { heap } = this.state
    const index = entity & INDEX_MASK
    const location = index < heap.entityCapacity ? heap.locationAt(index) : 0
    // What was spawned inside a loop has no row yet.
    if (location === 0) return []
    const archetype = this.inArchetype(heap.u32[heap.descriptorAt(location) + CHUNK_OWNER_WORD] as number)
    const sparse = this.pooled.filter((registration) => registration.findRow(index) !== 0)
    return sparse.length === 0 ? archetype : [...archetype, ...sparse].sort((a, b) => a.id - b.id)
  }

  private inArchetype(id: number): Registration[] {
    let known = this.archetypes.get(id)
    if (known === undefined) {
      const signature = signatureAt(this.state, archetypeAt(this.state, id))
      known = Array.from(signature, (component) => this.byId[component] as Registration)
      this.archetypes.set(id, known)
    }
    return known
  }
}

function valuesOf(world: World, entity: number, definition: Definition): Record<string, unknown> | undefined {
  if (definition.fields.length === 0) return undefined
  return world.get(entity, definition as never)
}

function isEnabled(registration: Registration, entity: number): boolean {
  return !canToggle(registration.definition) || registration.locate(entity)?.isOff !== true
}

function changedAt(registration: Registration, entity: number): number | undefined {
  if (registration.definition.storageCode === STORAGE_TAG) return undefined
  const ref = registration.locate(entity)
  if (ref === undefined) return undefined
  const { data, row, placement } = ref
  const { u32 } = registration.heap
  const { tickOffset, rowTickOffset } = placement
  return rowTickOffset === 0 ? u32[(data + tickOffset) >> 2] : u32[((data + rowTickOffset) >> 2) + row]
}

/** A relation, as calling it makes a pair. */
type PairOf = (target: Entity) => unknown

function linksOf(world: World, state: WorldState, entity: number, definition: Definition): LinkInfo[] {
  return targetsOf(state, entity, definition).map((target) => {
    const pair = (definition as unknown as PairOf)(target)
    const values: Record<string, unknown> | undefined = world.get(entity, pair as never)
    return { target, values: values === undefined || Object.keys(values).length === 0 ? undefined : values }
  })
}
