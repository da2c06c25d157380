// Owns random access to one field, by handle: where its column lies in each chunk is kept by the number of the chunk, so that no
// layout is looked up. Values other than plain numbers in plain rows go through the accessor, whose checks and errors it shares.
// It must never use what it keeps once a chunk came or went, and never write to a row without a mark.

import { CHUNKS_VERSION_WORD, CHUNK_CHANGED_WORD, ROW_BITS, WORLD_TICK_WORD } from '../../build/layout'
import type { Definition } from '../components/definition'
import { type Field, invalidValue, isVec } from '../components/fields'
import type { KindIn } from '../components/fieldKinds'
import { INDEX_MASK, type Entity } from '../memory/entity'
import { CHUNK_WORDS_SHIFT, type Heap, ROW_MASK } from '../memory/heap'
import type { Registration } from '../state/registration'
import type { RowRef } from '../cursors/rowRef'

/**
 * Reads and writes one field of any entity, without allocation. Made by createAccessor with the name of a field. A third of the time of
 * a cursor where the entities lie in the processor's cache; for several fields of the same entity a cursor is faster.
 */
export interface FieldAccessor<T> {
  /**
   * The value of an entity's field, at once, also inside a loop.
   *
   * @throws DeadEntityError DEAD_ENTITY; StrataError MISSING_COMPONENT
   */
  get(entity: Entity | number): T
  /**
   * Writes the value of an entity's field and marks the component changed. Stores as a typed array does, like
   * a cursor: what is no number is refused, a number that does not fit is wrapped.
   *
   * @throws DeadEntityError DEAD_ENTITY; StrataError MISSING_COMPONENT; StrataTypeError INVALID_VALUE
   */
  set(entity: Entity | number, value: T): void
}

/** What a field accessor asks of the accessor of its component. */
interface Accessing {
  readonly heap: Heap
  of(entity: number): object
  known(): Registration | undefined
}

/** Access to a field of any kind, through cursors. */
export class CursorField {
  constructor(
    private readonly accessor: Accessing,
    private readonly name: string,
  ) {}

  get(entity: number): unknown {
    return (this.accessor.of(entity) as Record<string, unknown>)[this.name]
  }

  set(entity: number, value: unknown): void {
    ;(this.accessor.of(entity) as Record<string, unknown>)[this.name] = value
  }

  forget(): void {}
}

type AccessorKind = KindIn<'integer' | 'float' | 'entity'>

/** Access to a number, without cursors. Nothing but numbers leaves `get`, so that the compiler boxes none. */
export class NumberField {
  private readonly heap: Heap
  private readonly pooled: boolean
  private readonly kind: AccessorKind
  private readonly shift: number
  private registration: Registration | undefined
  /** By the number of a chunk: the index of row 0's value in the array of the field's kind; 0 where it was not looked up. */
  private bases = new Int32Array(1)
  /** By the number of a chunk: the index in Heap.u32 of the component's change tick. */
  private ticks = new Int32Array(1)
  /** Which chunks there were when that was looked up. */
  private version = -1

  constructor(
    private readonly accessor: Accessing,
    private readonly definition: Definition,
    private readonly k: number,
  ) {
    this.heap = accessor.heap
    this.pooled = definition.storage !== 'table'
    const { kind, shift } = definition.fields[k] as Field
    this.kind = kind as AccessorKind
    this.shift = shift
  }

  /** What is kept holds no more: the world has gone to another time, or starts over. */
  forget(): void {
    this.bases.fill(0)
  }

  get(entity: number): number {
    const { heap } = this
    const location = this.locate(entity)
    const index = (this.bases[location >>> ROW_BITS] as number) + (location & ROW_MASK)
    switch (this.kind) {
      case 'f32':
        return heap.f32[index] as number
      case 'f64':
        return heap.f64[index] as number
      case 'i32':
        return heap.i32[index] as number
      case 'i16':
        return heap.i16[index] as number
      case 'u16':
        return heap.u16[index] as number
      case 'i8':
        return heap.i8[index] as number
      case 'u8':
        return heap.u8[index] as number
      default:
        this.kind satisfies 'u32' | 'entity'
        return heap.u32[index] as number
    }
  }

  set(entity: number, value: number): void {
    if (typeof value !== 'number') return this.refuse(entity, value)
    const { heap } = this
    const location = this.locate(entity)
    const chunk = location >>> ROW_BITS
    const index = (this.bases[chunk] as number) + (location & ROW_MASK)
    switch (this.kind) {
      case 'f32':
        heap.f32[index] = value
        break
      case 'f64':
        heap.f64[index] = value
        break
      case 'i32':
        heap.i32[index] = value
        break
      case 'i16':
        heap.i16[index] = value
        break
      case 'u16':
        heap.u16[index] = value
        break
      case 'i8':
        heap.i8[index] = value
        break
      case 'u8':
        heap.u8[index] = value
        break
      default:
        this.kind satisfies 'u32' | 'entity'
        heap.u32[index] = value
    }
    const { u32 } = heap
    if (u32[this.ticks[chunk] as number] !== u32[WORLD_TICK_WORD]) this.mark(chunk)
  }

  private mark(chunk: number): void {
    const { u32, chunks } = this.heap
    const now = u32[WORLD_TICK_WORD] as number
    u32[this.ticks[chunk] as number] = now
    u32[chunks + (chunk << CHUNK_WORDS_SHIFT) + CHUNK_CHANGED_WORD] = now
  }

  /** Where the row of an entity is, in a chunk that is looked up. Throws where `of` does. */
  private locate(entity: number): number {
    const { heap } = this
    const index = typeof entity === 'number' ? entity & INDEX_MASK : 0
    if (
      index < heap.entityCapacity &&
      heap.handleAt(index) === entity &&
      (((heap.u32[CHUNKS_VERSION_WORD] as number) + heap.chunksBefore) | 0) === this.version
    ) {
      const location = this.pooled
        ? (this.registration as Registration).findRow(index)
        : heap.locationAt(index)
      // Beyond the end of the list there is nothing, which is not above 0 either.
      if ((this.bases[location >>> ROW_BITS] as number) > 0) return location
    }
    return this.learn(entity)
  }

  /** Looks up the chunk of an entity. */
  private learn(entity: number): number {
    const { accessor, heap } = this
    accessor.of(entity)
    const version = ((heap.u32[CHUNKS_VERSION_WORD] as number) + heap.chunksBefore) | 0
    if (version !== this.version) {
      this.version = version
      this.bases.fill(0)
    }
    this.registration = accessor.known()
    // It has a row: `of` has stood on it.
    const { data, row, placement, chunkOffset } = this.registration?.locate(entity) as RowRef
    const chunk = chunkOffset >> CHUNK_WORDS_SHIFT
    if (chunk >= this.bases.length) this.lengthen(chunk + 1)
    this.bases[chunk] = (data + (placement.offsets[this.k] as number)) >> this.shift
    this.ticks[chunk] = (data + placement.tickOffset) >> 2
    return (chunk << ROW_BITS) | row
  }

  private refuse(entity: number, value: unknown): never {
    // What is said of the entity comes first, as with a cursor.
    this.accessor.of(entity)
    const { fields, fieldNames, componentName } = this.definition
    throw invalidValue(fields[this.k] as Field, value, `${componentName}.${fieldNames[this.k] as string}`)
  }

  private lengthen(atLeast: number): void {
    const length = Math.max(atLeast, this.bases.length * 2)
    this.bases = lengthened(this.bases, length)
    this.ticks = lengthened(this.ticks, length)
  }
}

function lengthened(list: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(length)
  longer.set(list)
  return longer
}

/** Access to the field at place `k`, by the way that its values and rows allow. */
export function fieldAccess(
  accessor: Accessing,
  definition: Definition,
  k: number,
): CursorField | NumberField {
  const field = definition.fields[k] as Field
  const isNumber = !isVec(field) && field.kind !== 'text' && field.kind !== 'bool'
  return isNumber && !definition.details.tracksRows && accessor.heap.cursorChecks === undefined
    ? new NumberField(accessor, definition, k)
    : new CursorField(accessor, definition.fieldNames[k] as string)
}
