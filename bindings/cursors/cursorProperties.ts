// Owns the properties of cursors, one for each field, and what a cursor inherits beside them. How a property finds its row is
// given to it, as constants that V8 inlines.

import { WORLD_TICK_WORD } from '../../build/layout'
import type { Definition } from '../components/definition'
import { arrayOf, storeField } from '../components/fieldMemory'
import { type Field, accepts, invalidValue, isVec, takePassingList } from '../components/fields'
import type { Kind, KindIn } from '../components/fieldKinds'
import { unknownField } from '../components/copiedValues'
import type { CursorChecks } from '../memory/core'
import type { Entity } from '../memory/entity'
import type { Heap } from '../memory/heap'
import { INSPECT } from '../memory/consoleText'

interface CursorProperty {
  readonly get: (this: object) => unknown
  readonly set: (this: object, value: never) => void
}

interface NamedComponent {
  readonly componentName: string
}

/** What a property asks of the seat of its cursor. */
interface AnySeat {
  readonly tickIndex: number
  /** Whether it stands on no row. */
  readonly isParked: boolean
  /** Whether an array over its row was given out, which a program may keep. */
  gaveArray: boolean
  mark(): void
}

type SeatOf = (cursor: object) => AnySeat
type IndexOf = (cursor: object) => number

/** How the properties of a cursor find the row on which it stands. Of cursors with one seat, both are constants. */
export interface Standing {
  readonly seatOf: SeatOf
  /** Makes what finds the first value of the field at place `k`: an index in the heap-wide array of the field's kind. */
  readonly indexIn: (k: number, shift: number, length: number) => IndexOf
  /** For cursors of loops, where what is written is only noted: see Seat.settle. */
  readonly loopSeat?: ((k: number) => LoopSeat) | undefined
}

/**
 * Makes what a cursor inherits: a property for each field.
 *
 * @param named has the name of the component on which the cursor stands, for the sentences of errors
 */
export function cursorPrototype(
  definition: Definition,
  heap: Heap,
  named: NamedComponent,
  { seatOf, indexIn, loopSeat }: Standing,
): object {
  const { fields, fieldNames } = definition
  const prototype = Object.create(guardOf(named, fieldNames)) as object
  fields.forEach((field, k) => {
    const name = fieldNames[k] as string
    const found = indexIn(k, field.shift, isVec(field) ? field.length : 1)
    const indexOf =
      heap.cursorChecks === undefined ? found : checkedIndex(heap.cursorChecks, seatOf, found, named)
    const make = isVec(field) ? vecProperty : field.kind === 'text' ? textProperty : scalarProperty
    const property = make(heap, seatOf, indexOf, field, named, name, loopSeat?.(k))
    const { get, set } = definition.details.tracksRows ? marked(seatOf, property) : property
    Object.defineProperty(prototype, name, { get, set, enumerable: true, configurable: true })
  })
  showValues(prototype, definition)
  return prototype
}

/** Over the checked core: what a cursor without a row would read or write is refused. */
function checkedIndex(
  checks: CursorChecks,
  seatOf: SeatOf,
  indexOf: IndexOf,
  named: NamedComponent,
): IndexOf {
  return (cursor) => (seatOf(cursor).isParked ? checks.refuse(named.componentName) : indexOf(cursor))
}

/** The property of a column of which each row is marked, also where the chunk was marked before. */
function marked(seatOf: SeatOf, { get, set }: CursorProperty): CursorProperty {
  return {
    get,
    set(value) {
      set.call(this, value)
      seatOf(this).mark()
    },
  }
}

/**
 * What the fields' prototype inherits from: a write to what is no field ends here and throws. Fields are found before
 * this is reached.
 */
function guardOf(named: NamedComponent, fieldNames: readonly string[]): object {
  return new Proxy(Object.prototype, {
    set: (_target, name) => {
      throw unknownField({ componentName: named.componentName, fieldNames }, String(name))
    },
  })
}

/** Lets consoles and JSON show the values of the row, which are no properties of the cursor itself. */
function showValues(prototype: object, { fieldNames }: Definition): void {
  const copy = function (this: Record<string, unknown>) {
    return Object.fromEntries(fieldNames.map((name) => [name, this[name]]))
  }
  Object.defineProperty(prototype, INSPECT, { value: copy })
  if (!fieldNames.includes('toJSON')) Object.defineProperty(prototype, 'toJSON', { value: copy })
}

// One function for each kind of array: a shared one would see all of them and be several times slower. Each is short, because
// V8 inlines only so much bytecode into a function. What is no number
// is refused before the array and the row are looked up: turning it into one could run code that moves the row. Numbers
// are stored as a typed array stores them. Whether the chunk is marked already is asked here, where the compiler knows
// the heap as a constant; the summary is never older than the tick.
const SCALAR_PROPERTIES: Record<
  Exclude<Kind, KindIn<'text'>>,
  (heap: Heap, seatOf: SeatOf, indexOf: IndexOf, refuse: (value: unknown) => never) => CursorProperty
> = {
  f32: (heap, seatOf, indexOf, refuse) => ({
    get() {
      return heap.f32[indexOf(this)]
    },
    set(value: number) {
      if (typeof value !== 'number') refuse(value)
      const { f32, u32 } = heap
      f32[indexOf(this)] = value
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  f64: (heap, seatOf, indexOf, refuse) => ({
    get() {
      return heap.f64[indexOf(this)]
    },
    set(value: number) {
      if (typeof value !== 'number') refuse(value)
      const { f64, u32 } = heap
      f64[indexOf(this)] = value
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  i32: (heap, seatOf, indexOf, refuse) => ({
    get() {
      return heap.i32[indexOf(this)]
    },
    set(value: number) {
      if (typeof value !== 'number') refuse(value)
      const { i32, u32 } = heap
      i32[indexOf(this)] = value
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  u32: (heap, seatOf, indexOf, refuse) => ({
    get() {
      return heap.u32[indexOf(this)]
    },
    set(value: number) {
      if (typeof value !== 'number') refuse(value)
      const { u32 } = heap
      u32[indexOf(this)] = value
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  entity: (heap, seatOf, indexOf, refuse) => ({
    get() {
      return heap.u32[indexOf(this)]
    },
    set(value: Entity) {
      if (typeof value !== 'number') refuse(value)
      const { u32 } = heap
      u32[indexOf(this)] = value
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  i16: (heap, seatOf, indexOf, refuse) => ({
    get() {
      return heap.i16[indexOf(this)]
    },
    set(value: number) {
      if (typeof value !== 'number') refuse(value)
      const { i16, u32 } = heap
      i16[indexOf(this)] = value
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  u16: (heap, seatOf, indexOf, refuse) => ({
    get() {
      return heap.u16[indexOf(this)]
    },
    set(value: number) {
      if (typeof value !== 'number') refuse(value)
      const { u16, u32 } = heap
      u16[indexOf(this)] = value
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  i8: (heap, seatOf, indexOf, refuse) => ({
    get() {
      return heap.i8[indexOf(this)]
    },
    set(value: number) {
      if (typeof value !== 'number') refuse(value)
      const { i8, u32 } = heap
      i8[indexOf(this)] = value
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  u8: (heap, seatOf, indexOf, refuse) => ({
    get() {
      return heap.u8[indexOf(this)]
    },
    set(value: number) {
      if (typeof value !== 'number') refuse(value)
      const { u8, u32 } = heap
      u8[indexOf(this)] = value
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  bool: (heap, seatOf, indexOf) => ({
    get() {
      return heap.u8[indexOf(this)] !== 0
    },
    set(value: boolean) {
      const { u8, u32 } = heap
      u8[indexOf(this)] = value ? 1 : 0
      const seat = seatOf(this)
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
}

/** Where a loop's cursor stands: a field's column, and the row that it shares with the other cursors of the loop. */
export interface LoopSeat {
  readonly column: { readonly base: number }
  readonly position: { readonly row: number }
  readonly seat: { wrote: boolean }
}

/**
 * The same for cursors of loops, which mark what was written. They call nothing, or SpiderMonkey would not put them into a
 * callback.
 */
const LOOP_PROPERTIES: Record<
  keyof typeof SCALAR_PROPERTIES,
  (heap: Heap, at: LoopSeat, refuse: (value: unknown) => never) => CursorProperty
> = {
  f32: (heap, { column, position, seat }, refuse) => ({
    get: () => heap.f32[column.base + position.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      heap.f32[column.base + position.row] = value
      seat.wrote = true
    },
  }),
  f64: (heap, { column, position, seat }, refuse) => ({
    get: () => heap.f64[column.base + position.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      heap.f64[column.base + position.row] = value
      seat.wrote = true
    },
  }),
  i32: (heap, { column, position, seat }, refuse) => ({
    get: () => heap.i32[column.base + position.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      heap.i32[column.base + position.row] = value
      seat.wrote = true
    },
  }),
  u32: (heap, { column, position, seat }, refuse) => ({
    get: () => heap.u32[column.base + position.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      heap.u32[column.base + position.row] = value
      seat.wrote = true
    },
  }),
  entity: (heap, { column, position, seat }, refuse) => ({
    get: () => heap.u32[column.base + position.row],
    set: (value: Entity) => {
      if (typeof value !== 'number') refuse(value)
      heap.u32[column.base + position.row] = value
      seat.wrote = true
    },
  }),
  i16: (heap, { column, position, seat }, refuse) => ({
    get: () => heap.i16[column.base + position.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      heap.i16[column.base + position.row] = value
      seat.wrote = true
    },
  }),
  u16: (heap, { column, position, seat }, refuse) => ({
    get: () => heap.u16[column.base + position.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      heap.u16[column.base + position.row] = value
      seat.wrote = true
    },
  }),
  i8: (heap, { column, position, seat }, refuse) => ({
    get: () => heap.i8[column.base + position.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      heap.i8[column.base + position.row] = value
      seat.wrote = true
    },
  }),
  u8: (heap, { column, position, seat }, refuse) => ({
    get: () => heap.u8[column.base + position.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      heap.u8[column.base + position.row] = value
      seat.wrote = true
    },
  }),
  bool: (heap, { column, position, seat }) => ({
    get: () => heap.u8[column.base + position.row] !== 0,
    set: (value: boolean) => {
      heap.u8[column.base + position.row] = value ? 1 : 0
      seat.wrote = true
    },
  }),
}

/** Writing stores as a typed array does; over the checked core it refuses what `set` refuses. */
function scalarProperty(
  heap: Heap,
  seatOf: SeatOf,
  indexOf: IndexOf,
  field: Field,
  named: NamedComponent,
  name: string,
  loopSeat?: LoopSeat,
): CursorProperty {
  const refuse = (value: unknown) => {
    throw invalidValue(field, value, `${named.componentName}.${name}`)
  }
  const kind = field.kind as keyof typeof SCALAR_PROPERTIES
  const { get, set } =
    loopSeat === undefined
      ? SCALAR_PROPERTIES[kind](heap, seatOf, indexOf, refuse)
      : LOOP_PROPERTIES[kind](heap, loopSeat, refuse)
  if (heap.cursorChecks === undefined) return { get, set }
  return {
    get,
    set(value) {
      if (accepts(field, value)) set.call(this, value)
      else refuse(value)
    },
  }
}

/** A text gives its string. Writing checks, for what is no string has no id; a string the world has allocates nothing. */
function textProperty(
  heap: Heap,
  seatOf: SeatOf,
  indexOf: IndexOf,
  field: Field,
  named: NamedComponent,
  name: string,
): CursorProperty {
  return {
    get() {
      return heap.texts.at(heap.u32[indexOf(this)] as number)
    },
    set(value: string) {
      if (!accepts(field, value)) throw invalidValue(field, value, `${named.componentName}.${name}`)
      const id = heap.texts.intern(value)
      heap.u32[indexOf(this)] = id
      seatOf(this).mark()
    },
  }
}

/**
 * A vec gives a typed array over its row, a new one at each read; writing takes a list of the right length. Where the
 * seat is parked there is no room for a long one: the array is empty, and nothing is written.
 */
function vecProperty(
  heap: Heap,
  seatOf: SeatOf,
  indexOf: IndexOf,
  field: Field,
  named: NamedComponent,
  name: string,
): CursorProperty {
  const { kind, length, shift } = field
  return {
    get() {
      const first = indexOf(this)
      const seat = seatOf(this)
      // The array may be written to unnoticed: reading one counts as a change.
      seat.mark()
      seat.gaveArray = true
      return arrayOf(heap, kind).subarray(first, seat.isParked ? first : first + length)
    },
    set(value: ArrayLike<number>) {
      // Reading a list may run any code. In a locked world nothing moves until the list is in its row.
      heap.lock()
      try {
        const list = takePassingList(field, value, named.componentName, name)
        const seat = seatOf(this)
        const first = indexOf(this)
        if (seat.isParked) return
        storeField(heap, field, first << shift, list)
        seat.mark()
      } finally {
        heap.unlock()
      }
    },
  }
}
