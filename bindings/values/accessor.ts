// Owns random access to one component, by handle or by row, through a ring of cursors. A dead entity, or one without the
// component, gets no cursor: the value would be lost.

import { CHUNK_DATA_WORD, CHUNK_LAYOUT_KEY_WORD } from '../../build/layout'
import type { AnyComponent, Component } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { withoutFields } from '../components/notAComponent'
import { unknownField } from '../components/copiedValues'
import type { Cursor } from '../components/queryTypes'
import { describe } from '../memory/describe'
import { INDEX_MASK, type Entity, NULL_ENTITY } from '../memory/entity'
import { StrataError, StrataTypeError } from '../memory/errors'
import { type Heap, ROW_MASK } from '../memory/heap'
import { Shown } from '../memory/consoleText'
import { CursorRing } from '../cursors/cursorRing'
import { type CursorField, type FieldAccessor, type NumberField, fieldAccess } from './fieldAccessor'
import type { Registration } from '../state/registration'
import type { RowRef } from '../cursors/rowRef'
import { type WorldState, stateOf } from '../state/worldState'
import type { World } from '../world/world'

/**
 * Reads and writes one component of any entity through eight cursors that it uses in turn, without allocation. Made by
 * createAccessor.
 */
export interface Accessor<C> {
  /**
   * Moves the next cursor to an entity. Its properties read and write the entity's values at once, also inside a loop. The
   * cursor is the caller's for the next seven calls, unless the entity's row moves before: two rows can change places, and
   * functions that use the accessor themselves can be called in between. Use it at once, and do not keep it.
   *
   * @returns one of eight cursors. Over the checked core each call makes its own, and what is kept for too long, or across a
   *   change that moves the row, throws STALE_CURSOR when it is used
   * @throws DeadEntityError DEAD_ENTITY; StrataError MISSING_COMPONENT
   * @example positions.of(ship).x += 1
   * @example positions.of(a).x += positions.of(b).x
   */
  of(entity: Entity | number): Cursor<C>
}

/**
 * Reads and writes a component in stable storage, by handle or by row number. A row number fits a u32 field and is
 * never 0. It belongs to the entity for as long as the entity has the component; after that another entity may get
 * the row, the longest free row first. Where the entity may go away, keep its handle beside the row and compare it
 * with entityAt(row).
 */
export interface StableAccessor<C> extends Accessor<C> {
  /**
   * The row of an entity, or 0 if the entity is dead or does not have the component. Inside a loop, queued changes
   * are not seen.
   */
  rowOf(entity: Entity | number): number
  /**
   * Moves the next cursor to a row, whose values it reads and writes, as with `of`.
   *
   * @param row any number
   * @throws StrataError MISSING_ROW if there is no entity in that row
   */
  at(row: number): Cursor<C>
  /** The entity in a row, or NULL_ENTITY if there is none. Any number is allowed. */
  entityAt(row: number): Entity
}

/** The accessor of a component. */
export type AccessorOf<C> =
  C extends Component<infer _, infer Where>
    ? [Where] extends ['stable']
      ? StableAccessor<C>
      : Accessor<C>
    : never

export class ComponentAccessor extends Shown {
  /** @internal */
  readonly heap: Heap
  private readonly ring: CursorRing
  private readonly pooled: boolean
  private registration: Registration | undefined
  private generation = -1
  /** The layout and size of chunks that the short way of `of` knows; -1 for none. */
  private layoutKey = -1
  /** How often the world had gone to another time. */
  private timeline: number
  private readonly fields = new Map<string, CursorField | NumberField>()

  constructor(
    private readonly state: WorldState,
    private readonly definition: Definition,
  ) {
    super()
    this.heap = state.heap
    this.pooled = definition.storage !== 'table'
    this.ring = new CursorRing(definition, state.heap)
    this.timeline = state.timeline
    this.heap.readers.add({ memoryMoved: () => this.memoryMoved() })
  }

  /** @internal */
  line(): string {
    return `Accessor(${this.definition.componentName})`
  }

  /**
   * Stands the next cursor on the entity's row. One long function on purpose: V8 inlines none of more than 460 bytes of bytecode.
   * Inlined, it would use up what V8 inlines into a caller, and each property read or written after it would be a call, which
   * costs more than this one and boxes its number. tests/whole/steadyState.long.once.test.js proves that it stays long enough.
   *
   * @param found the row, where it is known already
   */
  of(entity: number, found?: RowRef): object {
    const { heap, ring } = this
    const { u32 } = heap
    const index = typeof entity === 'number' ? entity & INDEX_MASK : 0
    if (index < heap.entityCapacity && heap.handleAt(index) === entity) {
      const location =
        this.pooled && this.layoutKey >= 0
          ? (this.registration as Registration).findRow(index)
          : heap.locationAt(index)
      const descriptor = heap.descriptorAt(location)
      const key = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
      if (key !== this.layoutKey && this.layoutKey >= 0) {
        const placement = (this.registration as Registration).placement(key)
        if (placement.present) {
          ring.learn(placement)
          this.layoutKey = key
        }
      }
      if (key === this.layoutKey) {
        return ring.jump(
          u32[descriptor + CHUNK_DATA_WORD] as number,
          location & ROW_MASK,
          descriptor - heap.chunks,
        )
      }
    }
    const { state, definition } = this
    const name = definition.componentName
    if (this.generation !== state.generation) {
      this.registration = state.known(definition)
      if (this.registration !== undefined) this.generation = state.generation
    }
    const { registration } = this
    const ref = found ?? registration?.locateHandle(entity)
    if (ref !== undefined) {
      this.layoutKey = u32[heap.chunks + ref.chunkOffset + CHUNK_LAYOUT_KEY_WORD] as number
      return ring.stand(ref)
    }
    if (!state.isAlive(entity)) throw state.dead(entity, `accessor(${name}).of`)
    // A component without fields has no row to stand on.
    if (registration !== undefined && registration.isTag && registration.isOn(entity)) return ring.stray()
    throw new StrataError(
      'MISSING_COMPONENT',
      `accessor(${name}).of: entity ${entity} has no ${name}: add it first, or ask world.has(entity, ${name}).`,
    )
  }

  private memoryMoved(): void {
    const { timeline } = this.state
    // Also when the world starts over: other layouts get the numbers.
    this.layoutKey = -1
    for (const field of this.fields.values()) field.forget()
    if (timeline === this.timeline) return
    this.timeline = timeline
    // In another time the rows are others': what a program kept stands on none.
    this.ring.park()
  }

  /** Access to one field. */
  field(name: string): CursorField | NumberField {
    const { definition, fields } = this
    let field = fields.get(name)
    if (field === undefined) {
      const k = definition.fieldNames.indexOf(name)
      if (k < 0) throw unknownField(definition, String(name))
      fields.set(name, (field = fieldAccess(this, definition, k)))
    }
    return field
  }

  /** The row of an entity, 0 when it has none. Of stable storage only, like what follows. */
  rowOf(entity: number): number {
    const registration = this.resolveStable('rowOf')
    if (!this.state.isAlive(entity)) this.state.refuseDisposed()
    else if (registration !== undefined) return registration.findRow(entity & INDEX_MASK)
    return 0
  }

  /** Stands the cursor on a row. */
  at(row: number): object {
    const registration = this.resolveStable('at')
    const ref = registration?.locateRow(row)
    if (ref === undefined) throw this.noRow(row)
    return this.of(NULL_ENTITY, ref)
  }

  /** The entity in a row, or NULL_ENTITY. */
  entityAt(row: number): number {
    const registration = this.resolveStable('entityAt')
    if (registration !== undefined) return registration.entityAt(row)
    this.state.refuseDisposed()
    return NULL_ENTITY
  }

  private resolveStable(operation: string): Registration | undefined {
    const { componentName, storage } = this.definition
    if (storage === 'stable') return this.known()
    throw new StrataTypeError(
      'NOT_STABLE',
      `accessor(${componentName}).${operation}: rows of ${componentName} move, for its storage is '${storage}'. Declare it with { storage: stable } to refer to its rows.`,
    )
  }

  private noRow(row: unknown): StrataError {
    this.state.refuseDisposed()
    const name = this.definition.componentName
    return new StrataError(
      'MISSING_ROW',
      `accessor(${name}).at: row ${describe(row)} of ${name} is empty: its entity was destroyed, or lost ${name}. Compare entityAt(row) with the entity that you expect.`,
    )
  }

  /** @internal What the world knows of the component now. */
  known(): Registration | undefined {
    if (this.generation === this.state.generation) return this.registration
    this.registration = this.state.known(this.definition)
    if (this.registration !== undefined) this.generation = this.state.generation
    return this.registration
  }
}

/** The accessors of each world. */
const made = /* @__PURE__ */ new WeakMap<WorldState, Map<Definition, ComponentAccessor>>()

/**
 * An accessor, which reads and writes one component of any entity without allocation; for a component in stable storage also by
 * row number. With the name of a field, access to that one: a third of the time of a cursor where the entities lie in the
 * processor's cache, while for several fields of the same entity a cursor is faster. Keep it and reuse it; for the same
 * component and field every call returns the same one.
 *
 * @param field the name of one of its fields
 * @throws StrataTypeError NOT_A_COMPONENT for what is not a component with fields, UNKNOWN_FIELD
 * @example const positions = createAccessor(world, Position); positions.of(ship).x += 1
 * @example const x = createAccessor(world, Position, 'x'); x.set(ship, x.get(ship) + 1)
 */
export function createAccessor<C extends AnyComponent>(world: World, component: C): AccessorOf<C>
export function createAccessor<C extends AnyComponent, K extends keyof Cursor<C> & string>(
  world: World,
  component: C,
  field: K,
): FieldAccessor<Cursor<C>[K]>
export function createAccessor(world: World, component: unknown, field?: string): unknown {
  const state = stateOf(world, 'createAccessor')
  const definition = definitionOf(component)
  if (definition?.kind !== 'component') throw withoutFields(component, 'createAccessor')
  let accessors = made.get(state)
  if (accessors === undefined) made.set(state, (accessors = new Map<Definition, ComponentAccessor>()))
  let accessor = accessors.get(definition)
  if (accessor === undefined) {
    state.claim(definition)
    accessor = new ComponentAccessor(state, definition)
    accessors.set(definition, accessor)
  }
  return field === undefined ? accessor : accessor.field(field)
}
