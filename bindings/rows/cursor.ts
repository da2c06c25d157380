// Owns cursors: reused objects that stand on one row and give its fields as properties.
// It must never allocate when it moves, and never check whether its row is still there: the code that seats it does.

import {
  CHUNK_CHANGED_WORD,
  SCRATCH_ADDRESS,
  SCRATCH_ADDRESS_WORD,
  WORLD_TICK_WORD,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { arrayOf, storeField } from '../components/fieldMemory'
import { type Field, SHIFT_OF, accepts, invalidValue, isVec, takePassingList } from '../components/fields'
import { unknownField } from '../components/taking'
import type { Entity } from '../memory/entity'
import type { Heap } from '../memory/heap'
import { INSPECT } from '../memory/inspection'
import type { Placement } from './placement'
import type { RowRef } from './rowRef'

/** So far below Heap.chunks, wherever that is, there is no index of an array: what is stored there goes nowhere. */
const NOWHERE = -0x40000000

/** The row on which cursors stand. Those of one loop share it: a step moves them all with one store. */
export class Place {
  row = 0
}

/** Where a cursor stands. Seats of all components are of one class: moving any of them is the same few stores. */
export class Seat {
  /** Address of the chunk. */
  data = 0
  /** The component it stands on, for the sentences of errors. */
  componentName = ''
  /** Index in Heap.u32 of the component's change tick in the chunk. */
  tickIndex = 0
  /** Words from Heap.chunks to the chunk's descriptor. */
  private chunkOffset = 0
  protected placement: Placement | undefined
  private readonly columns: Column[]

  constructor(
    readonly heap: Heap,
    fields: readonly Field[],
    readonly place: Place,
  ) {
    this.columns = fields.map(({ kind }) => new Column(SHIFT_OF[kind]))
  }

  /** @internal The column of the field at place `k`. */
  column(k: number): Column {
    return this.columns[k] as Column
  }

  /** Moves to a row. */
  stand(ref: RowRef): void {
    this.place.row = ref.row
    this.moveTo(ref.data, ref.placement, ref.chunkOffset)
  }

  /** Moves to a chunk; the row is set apart from it. */
  moveTo(data: number, placement: Placement, chunkOffset: number): void {
    this.chunkOffset = chunkOffset
    if (data === this.data && placement === this.placement) return
    this.data = data
    this.placement = placement
    this.tickIndex = (data + placement.tickOffset) >> 2
    const { columns } = this
    const { offsets } = placement
    for (let k = 0; k < columns.length; k++) (columns[k] as Column).moveTo(data + (offsets[k] as number))
  }

  /** Takes the columns of a layout, for the chunks to which `jump` goes. */
  arrange(placement: Placement, shift: number): void {
    this.placement = placement
    const { columns } = this
    const distance = (placement.distance << 2) >> shift
    let base = (placement.first << 2) >> shift
    for (let k = 0; k < columns.length; k++) {
      ;(columns[k] as Column).base = base
      base += distance
    }
  }

  /**
   * Moves to a row of any chunk of the layout that was arranged, by three stores: the row is counted from the beginning of
   * memory. Only where a value of each field takes `1 << shift` bytes; such a seat must not `stand` as well.
   */
  jump(data: number, row: number, shift: number, chunkOffset: number): void {
    this.place.row = (data >> shift) + row
    this.tickIndex = (data + (this.placement as Placement).tickOffset) >> 2
    this.chunkOffset = chunkOffset
  }

  /** Whether it stands on no row. */
  get isParked(): boolean {
    return this.placement === undefined
  }

  /** Moves to where nothing is kept: what a program does with a cursor whose row is gone must do no harm. */
  park(): void {
    this.data = SCRATCH_ADDRESS
    this.place.row = 0
    this.placement = undefined
    this.tickIndex = SCRATCH_ADDRESS_WORD
    this.chunkOffset = NOWHERE
    for (const column of this.columns) column.moveTo(SCRATCH_ADDRESS)
  }

  /** Marks the component changed. The tick is read anew: a loop over changes may have moved it on meanwhile. */
  mark(): void {
    const { heap } = this
    const now = heap.u32[WORLD_TICK_WORD] as number
    heap.u32[this.tickIndex] = now
    heap.u32[heap.chunks + this.chunkOffset + CHUNK_CHANGED_WORD] = now
  }
}

/** The seat of a component whose rows are tracked: marks its row too. */
class TrackedSeat extends Seat {
  override mark(): void {
    super.mark()
    const { u32 } = this.heap
    const offset = this.placement === undefined ? 0 : this.placement.rowTickOffset
    u32[((this.data + offset) >> 2) + this.place.row] = u32[WORLD_TICK_WORD] as number
  }
}

/** The property of a column of which each row is marked, also where the chunk was marked before. */
function marked(seat: Seat, { get, set }: CursorProperty): CursorProperty {
  return {
    get,
    set: (value) => {
      set(value)
      seat.mark()
    },
  }
}

/** Where a field's column lies in the chunk that its seat stands on. */
class Column {
  /** Index of row 0 in the heap-wide array of the field's kind. */
  base = 0

  constructor(private readonly shift: number) {
    this.moveTo(SCRATCH_ADDRESS)
  }

  moveTo(address: number): void {
    this.base = address >> this.shift
  }
}

/** A seat and the object with the fields' names that a user sees. */
export interface SeatedCursor {
  readonly seat: Seat
  readonly cursor: object
}

/**
 * Makes a cursor. Its properties hold their seat as a constant, and are short: a callback that sees one cursor of a
 * component compiles to plain memory accesses, however many components there are.
 */
export function createCursor(definition: Definition, heap: Heap, place = new Place()): SeatedCursor {
  const { fields, fieldNames } = definition
  const seat = definition.details.tracksRows
    ? new TrackedSeat(heap, fields, place)
    : new Seat(heap, fields, place)
  seat.componentName = definition.componentName
  const prototype = Object.create(guardOf(seat, fieldNames)) as object
  fields.forEach((field, k) => {
    const name = fieldNames[k] as string
    const column = seat.column(k)
    const property = isVec(field)
      ? vecProperty(heap, place, seat, column, field, name)
      : field.kind === 'text'
        ? textProperty(heap, place, seat, column, field, name)
        : scalarProperty(heap, place, seat, column, field, name)
    const { get, set } = definition.details.tracksRows ? marked(seat, property) : property
    Object.defineProperty(prototype, name, { get, set, enumerable: true, configurable: true })
  })
  showValues(prototype, definition)
  // A misspelt field would become a property of this object, which looks like part of the world.
  return { seat, cursor: Object.preventExtensions(Object.create(prototype) as object) }
}

/**
 * What the fields' prototype inherits from: a write to what is no field ends here and throws. Fields are found before
 * this is reached.
 */
function guardOf(seat: Seat, fieldNames: readonly string[]): object {
  return new Proxy(Object.prototype, {
    set: (_target, name) => {
      throw unknownField({ componentName: seat.componentName, fieldNames }, String(name))
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

/**
 * The cursors for loops over components of one shape, in one world, handed out for the time of a loop. Loops that follow
 * each other get the same one, whichever component they are over: code that is called by many loops sees few of them.
 */
export class CursorPool {
  /** With a place of their own. */
  private readonly free: SeatedCursor[] = []
  /** With the place that all loops of a depth share, by depth. */
  private readonly sharing: SeatedCursor[][] = []

  constructor(
    private readonly heap: Heap,
    private readonly pools: CursorPools,
  ) {}

  /** @param shares whether it stands where all cursors of the innermost loop stand */
  take(definition: Definition, shares: boolean): SeatedCursor {
    const seated = this.listed(shares).pop()
    if (seated === undefined)
      return createCursor(definition, this.heap, shares ? this.pools.place : undefined)
    seated.seat.componentName = definition.componentName
    return seated
  }

  giveBack(cursor: SeatedCursor, shares: boolean): void {
    this.listed(shares).push(cursor)
  }

  private listed(shares: boolean): SeatedCursor[] {
    return shares ? (this.sharing[this.pools.depth] ??= []) : this.free
  }
}

/** The pools of one world, and how many loops with cursors are open. */
export class CursorPools {
  depth = 0
  private readonly places: Place[] = []
  private readonly byShape = new Map<string, CursorPool>()

  /** Where the cursors of the innermost loop stand that share a place. */
  get place(): Place {
    return (this.places[this.depth] ??= new Place())
  }

  /** The pool for components with these names and kinds of fields. */
  poolOf({ fields, fieldNames, details: { tracksRows } }: Definition, heap: Heap): CursorPool {
    const kinds = fields.map((field) => (isVec(field) ? [field.kind, field.length] : field.kind))
    const shape = JSON.stringify([tracksRows, fieldNames, kinds])
    let pool = this.byShape.get(shape)
    if (pool === undefined) this.byShape.set(shape, (pool = new CursorPool(heap, this)))
    return pool
  }
}

interface CursorProperty {
  readonly get: () => unknown
  readonly set: (value: never) => void
}

// One function for each kind of array: a shared one would see all of them and be several times slower. Each is short, because
// V8 inlines only so much bytecode into a function. What is no number
// is refused before the array and the row are looked up: turning it into one could run code that moves the row. Numbers
// are stored as a typed array stores them. Whether the chunk is marked already is asked here, where the compiler knows
// the heap as a constant; the summary is never older than the tick.
const SCALAR_PROPERTIES: Record<
  Exclude<Field['kind'], 'text'>,
  (heap: Heap, place: Place, seat: Seat, column: Column, refuse: (value: unknown) => never) => CursorProperty
> = {
  f32: (heap, place, seat, column, refuse) => ({
    get: () => heap.f32[column.base + place.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      const { f32, u32 } = heap
      f32[column.base + place.row] = value
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  f64: (heap, place, seat, column, refuse) => ({
    get: () => heap.f64[column.base + place.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      const { f64, u32 } = heap
      f64[column.base + place.row] = value
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  i32: (heap, place, seat, column, refuse) => ({
    get: () => heap.i32[column.base + place.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      const { i32, u32 } = heap
      i32[column.base + place.row] = value
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  u32: (heap, place, seat, column, refuse) => ({
    get: () => heap.u32[column.base + place.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      const { u32 } = heap
      u32[column.base + place.row] = value
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  entity: (heap, place, seat, column, refuse) => ({
    get: () => heap.u32[column.base + place.row],
    set: (value: Entity) => {
      if (typeof value !== 'number') refuse(value)
      const { u32 } = heap
      u32[column.base + place.row] = value
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  i16: (heap, place, seat, column, refuse) => ({
    get: () => heap.i16[column.base + place.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      const { i16, u32 } = heap
      i16[column.base + place.row] = value
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  u16: (heap, place, seat, column, refuse) => ({
    get: () => heap.u16[column.base + place.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      const { u16, u32 } = heap
      u16[column.base + place.row] = value
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  i8: (heap, place, seat, column, refuse) => ({
    get: () => heap.i8[column.base + place.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      const { i8, u32 } = heap
      i8[column.base + place.row] = value
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  u8: (heap, place, seat, column, refuse) => ({
    get: () => heap.u8[column.base + place.row],
    set: (value: number) => {
      if (typeof value !== 'number') refuse(value)
      const { u8, u32 } = heap
      u8[column.base + place.row] = value
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
  bool: (heap, place, seat, column) => ({
    get: () => heap.u8[column.base + place.row] !== 0,
    set: (value: boolean) => {
      const { u8, u32 } = heap
      u8[column.base + place.row] = value ? 1 : 0
      if (u32[seat.tickIndex] !== u32[WORLD_TICK_WORD]) seat.mark()
    },
  }),
}

/** Writing stores as a typed array does; over the checked core it refuses what `set` refuses. */
function scalarProperty(
  heap: Heap,
  place: Place,
  seat: Seat,
  column: Column,
  field: Field,
  name: string,
): CursorProperty {
  const refuse = (value: unknown) => {
    throw invalidValue(field, value, `${seat.componentName}.${name}`)
  }
  const { get, set } = SCALAR_PROPERTIES[field.kind as keyof typeof SCALAR_PROPERTIES](
    heap,
    place,
    seat,
    column,
    refuse,
  )
  if (!heap.checksWrites) return { get, set }
  return { get, set: (value) => (accepts(field, value) ? set(value) : refuse(value)) }
}

/** A text gives its string. Writing checks, for what is no string has no id; a string the world has allocates nothing. */
function textProperty(
  heap: Heap,
  place: Place,
  seat: Seat,
  column: Column,
  field: Field,
  name: string,
): CursorProperty {
  return {
    get: () => heap.texts.at(heap.u32[column.base + place.row] as number),
    set: (value: string) => {
      if (!accepts(field, value)) throw invalidValue(field, value, `${seat.componentName}.${name}`)
      const id = heap.texts.intern(value)
      heap.u32[column.base + place.row] = id
      seat.mark()
    },
  }
}

/**
 * A vec gives a typed array over its row, made anew at each read; writing takes a list of the right length. Where the
 * seat is parked there is no room for a long one: the array is empty, and nothing is written.
 */
function vecProperty(
  heap: Heap,
  place: Place,
  seat: Seat,
  column: Column,
  field: Field,
  name: string,
): CursorProperty {
  const { kind, length } = field
  const shift = SHIFT_OF[kind]
  return {
    get: () => {
      const first = column.base + place.row * length
      // The array may be written to unnoticed: reading one counts as a change.
      seat.mark()
      return arrayOf(heap, kind).subarray(first, seat.isParked ? first : first + length)
    },
    set: (value: ArrayLike<number>) => {
      // Reading a list may run any code. In a locked world nothing moves until the list is in its row.
      heap.lock()
      try {
        const list = takePassingList(field, value, seat.componentName, name)
        if (seat.isParked) return
        storeField(heap, field, (column.base + place.row * length) << shift, list)
        seat.mark()
      } finally {
        heap.unlock()
      }
    },
  }
}
