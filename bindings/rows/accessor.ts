// Owns random access to one component, by handle or by row, through one reused cursor.
// It must never hand out a cursor for an entity that is dead or lacks the component: the value would be lost.

import { CHUNK_DATA_WORD, CHUNK_LAYOUT_KEY_WORD } from '../../build/layout'
import type { Component } from '../components/component'
import type { Definition } from '../components/definition'
import { isVec } from '../components/fields'
import type { Cursor } from '../components/types'
import { describe } from '../memory/describe'
import { INDEX_MASK, type Entity, NULL_ENTITY } from '../memory/entity'
import { StrataError, StrataTypeError } from '../memory/errors'
import { type Heap, ROW_MASK } from '../memory/heap'
import { INSPECT } from '../memory/inspection'
import { type Seat, createCursor } from './cursor'
import type { Registration } from './registration'
import type { RowRef } from './rowRef'
import type { WorldState } from './worldState'

/**
 * Reads and writes one component of any entity through one reused cursor, without allocation. Made by world.accessor.
 */
export interface Accessor<C> {
  /**
   * Moves the cursor to an entity. Its properties read and write the entity's values at once, also inside a loop; the
   * cursor is valid until the next call.
   *
   * @returns the cursor, the same object at every call
   * @throws DeadEntityError DEAD_ENTITY; StrataError MISSING_COMPONENT
   * @example world.accessor(Position).of(ship).x += 1
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
   * Moves the cursor to a row, whose values it reads and writes until the next call.
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

export class ComponentAccessor {
  private readonly heap: Heap
  private readonly seat: Seat
  private readonly cursor: object
  /** log2 of the bytes of each field's value; -1 where they differ, and where more than the values is to be found. */
  private readonly shift: number
  private registration: Registration | undefined
  private generation = -1
  /** The layout and size of chunks for which the seat's columns are arranged; -1 for none. */
  private arranged = -1
  /** That layout where the short way of `of` may use it; -1 for pooled components, whose rows are not in archetypes. */
  private layoutKey = -1

  constructor(
    private readonly state: WorldState,
    private readonly definition: Definition,
  ) {
    const { seat, cursor } = createCursor(definition, state.heap)
    this.heap = state.heap
    this.seat = seat
    this.cursor = cursor
    this.shift = shiftOf(definition)
    // Also when the world starts over: other layouts get the numbers.
    this.heap.readers.add({ memoryMoved: () => (this.arranged = this.layoutKey = -1) })
  }

  /** @internal */
  [INSPECT](): string {
    return `Accessor(${this.definition.componentName})`
  }

  /** @internal */
  toString(): string {
    return this[INSPECT]()
  }

  /** @internal */
  toJSON(): string {
    return this[INSPECT]()
  }

  /**
   * Stands the cursor on the entity's row. One long function on purpose: V8 inlines none of more than 460 bytes of bytecode.
   * Inlined, it would use up what V8 inlines into a caller, and each property read or written after it would be a call, which
   * costs more than this one and boxes its number. tests/whole/steadyState.test.js proves that it stays long enough.
   *
   * @param found the row, where it is known already
   */
  of(entity: number, found?: RowRef): object {
    const { heap, seat, shift } = this
    const { u32 } = heap
    const index = typeof entity === 'number' ? entity & INDEX_MASK : 0
    if (index < heap.entityCapacity && heap.handleAt(index) === entity) {
      const location = heap.locationAt(index)
      const descriptor = heap.descriptorAt(location)
      const key = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
      if (key === this.layoutKey || (this.layoutKey >= 0 && this.rearrange(key))) {
        seat.jump(
          u32[descriptor + CHUNK_DATA_WORD] as number,
          location & ROW_MASK,
          shift,
          descriptor - heap.chunks,
        )
        return this.cursor
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
      if (shift < 0) {
        seat.stand(ref)
        return this.cursor
      }
      const layoutKey = u32[heap.chunks + ref.chunkOffset + CHUNK_LAYOUT_KEY_WORD] as number
      if (layoutKey !== this.arranged) {
        seat.arrange(ref.placement, shift)
        this.arranged = layoutKey
        if (definition.storage === 'table') this.layoutKey = layoutKey
      }
      seat.jump(ref.data, ref.row, shift, ref.chunkOffset)
      return this.cursor
    }
    if (!state.isAlive(entity)) throw state.dead(entity, `accessor(${name}).of`)
    // A component without fields has no row to stand on.
    if (registration !== undefined && registration.isTag && registration.isOn(entity)) return this.cursor
    throw new StrataError(
      'MISSING_COMPONENT',
      `accessor(${name}).of: entity ${entity} has no ${name}: add it first, or ask world.has(entity, ${name}).`,
    )
  }

  /** Arranges the seat for a layout, or size of chunks, that the short way of `of` comes upon. False if it lacks the component. */
  private rearrange(layoutKey: number): boolean {
    const placement = (this.registration as Registration).placement(layoutKey)
    if (!placement.present) return false
    this.seat.arrange(placement, this.shift)
    this.arranged = this.layoutKey = layoutKey
    return true
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
      `accessor(${componentName}).${operation}: rows of ${componentName} move, for its storage is '${storage}'. Declare it with { storage: 'stable' } to refer to its rows.`,
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

  /** What the world knows of the component now. */
  private known(): Registration | undefined {
    if (this.generation === this.state.generation) return this.registration
    this.registration = this.state.known(this.definition)
    if (this.registration !== undefined) this.generation = this.state.generation
    return this.registration
  }
}

function shiftOf({ fields, details }: Definition): number {
  const [first] = fields
  if (first === undefined || details.tracksRows) return -1
  return fields.every((field) => !isVec(field) && field.shift === first.shift) ? first.shift : -1
}
