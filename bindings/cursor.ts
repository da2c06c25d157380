// Owns cursors: reused objects that stand on one row and give its fields as properties.
// It must never allocate when it moves, and never check whether its row is still there: who seats it does.

import type { Definition } from './component'
import { type Field, SHIFT_OF, arrayOf, checkValue, isVec, storeField } from './fields'
import { type Heap, TICK } from './heap'
import type { Entity } from './entity'
import type { Placement } from './registration'

/** The row that one or several cursors stand on. Moving all of them is one store. */
export class RowPointer {
  row = 0
}

const NOWHERE = new Int32Array(0)

/** What all cursors have; the fields of a component are properties of a class derived from this. */
export class CursorBase {
  /** Address of the chunk. */
  data = 0
  /** Byte offsets of the fields' columns in it. */
  offsets: Int32Array = NOWHERE
  /** Index of the component's change tick in Heap.u32. */
  tick = 0

  constructor(
    readonly heap: Heap,
    readonly pointer: RowPointer,
  ) {}

  /** Stands the cursor on a chunk; the row is the pointer's. */
  seat(data: number, placement: Placement, tick: number): void {
    this.data = data
    this.offsets = placement.offsets
    this.tick = tick
  }
}

type CursorClass = new (heap: Heap, pointer: RowPointer) => CursorBase

const classes = new Map<Definition, CursorClass>()

/** A cursor for a component. Cursors of one component share a class, so that loops over them stay fast. */
export function createCursor(definition: Definition, heap: Heap, pointer: RowPointer): CursorBase {
  let made = classes.get(definition)
  if (made === undefined) {
    made = defineCursorClass(definition)
    classes.set(definition, made)
  }
  return new made(heap, pointer)
}

function defineCursorClass(definition: Definition): CursorClass {
  class Cursor extends CursorBase {}
  definition.fields.forEach((field, k) => {
    const name = definition.fieldNames[k] as string
    const where = `${definition.componentName}.${name}`
    const property = isVec(field) ? vecProperty(field, k, where) : SCALAR_PROPERTIES[field.kind](k)
    Object.defineProperty(Cursor.prototype, name, { ...property, enumerable: true, configurable: true })
  })
  return Cursor
}

interface CursorProperty {
  get(this: CursorBase): unknown
  set(this: CursorBase, value: never): void
}

/** Marks the cursor's column as changed now. */
function mark(cursor: CursorBase): void {
  const u32 = cursor.heap.u32
  u32[cursor.tick] = u32[TICK] as number
}

// One function for each kind of array: a shared one would see all of them and be several times slower.
const SCALAR_PROPERTIES: Record<Field['kind'], (k: number) => CursorProperty> = {
  f32: (k) => ({
    get() {
      return this.heap.f32[((this.data + (this.offsets[k] as number)) >> 2) + this.pointer.row]
    },
    set(value: number) {
      this.heap.f32[((this.data + (this.offsets[k] as number)) >> 2) + this.pointer.row] = value
      mark(this)
    },
  }),
  f64: (k) => ({
    get() {
      return this.heap.f64[((this.data + (this.offsets[k] as number)) >> 3) + this.pointer.row]
    },
    set(value: number) {
      this.heap.f64[((this.data + (this.offsets[k] as number)) >> 3) + this.pointer.row] = value
      mark(this)
    },
  }),
  i32: (k) => ({
    get() {
      return this.heap.i32[((this.data + (this.offsets[k] as number)) >> 2) + this.pointer.row]
    },
    set(value: number) {
      this.heap.i32[((this.data + (this.offsets[k] as number)) >> 2) + this.pointer.row] = value
      mark(this)
    },
  }),
  u32: (k) => ({
    get() {
      return this.heap.u32[((this.data + (this.offsets[k] as number)) >> 2) + this.pointer.row]
    },
    set(value: number) {
      this.heap.u32[((this.data + (this.offsets[k] as number)) >> 2) + this.pointer.row] = value
      mark(this)
    },
  }),
  entity: (k) => ({
    get() {
      return this.heap.u32[((this.data + (this.offsets[k] as number)) >> 2) + this.pointer.row] as Entity
    },
    set(value: Entity) {
      this.heap.u32[((this.data + (this.offsets[k] as number)) >> 2) + this.pointer.row] = value
      mark(this)
    },
  }),
  i16: (k) => ({
    get() {
      return this.heap.i16[((this.data + (this.offsets[k] as number)) >> 1) + this.pointer.row]
    },
    set(value: number) {
      this.heap.i16[((this.data + (this.offsets[k] as number)) >> 1) + this.pointer.row] = value
      mark(this)
    },
  }),
  u16: (k) => ({
    get() {
      return this.heap.u16[((this.data + (this.offsets[k] as number)) >> 1) + this.pointer.row]
    },
    set(value: number) {
      this.heap.u16[((this.data + (this.offsets[k] as number)) >> 1) + this.pointer.row] = value
      mark(this)
    },
  }),
  i8: (k) => ({
    get() {
      return this.heap.i8[this.data + (this.offsets[k] as number) + this.pointer.row]
    },
    set(value: number) {
      this.heap.i8[this.data + (this.offsets[k] as number) + this.pointer.row] = value
      mark(this)
    },
  }),
  u8: (k) => ({
    get() {
      return this.heap.u8[this.data + (this.offsets[k] as number) + this.pointer.row]
    },
    set(value: number) {
      this.heap.u8[this.data + (this.offsets[k] as number) + this.pointer.row] = value
      mark(this)
    },
  }),
  bool: (k) => ({
    get() {
      return this.heap.u8[this.data + (this.offsets[k] as number) + this.pointer.row] !== 0
    },
    set(value: boolean) {
      this.heap.u8[this.data + (this.offsets[k] as number) + this.pointer.row] = value ? 1 : 0
      mark(this)
    },
  }),
}

/** A vec gives a typed array over its row, made anew at each read; writing takes a list of the right length. */
function vecProperty(field: Field, k: number, where: string): CursorProperty {
  const { kind, length } = field
  const shift = SHIFT_OF[kind]
  return {
    get() {
      const first = ((this.data + (this.offsets[k] as number)) >> shift) + this.pointer.row * length
      mark(this)
      return arrayOf(this.heap, kind).subarray(first, first + length)
    },
    set(value: ArrayLike<number>) {
      checkValue(field, value, where)
      const first = this.data + (this.offsets[k] as number) + ((this.pointer.row * length) << shift)
      storeField(this.heap, field, first, value)
      mark(this)
    },
  }
}
