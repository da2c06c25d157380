// Owns cursors: reused objects that stand on one row and give its fields as properties.
// It must never allocate when it moves, and never check whether its row is still there: who seats it does.

import { SCRATCH_ADDRESS } from '../build/layout'
import type { Definition } from './component'
import type { Entity } from './entity'
import { type Field, SHIFT_OF, accepts, arrayOf, invalidValue, isVec, storeField } from './fields'
import { CHANGED_WORD, type Heap, TICK } from './heap'
import type { Placement } from './registration'

/** Where a cursor stands. Seats of all components are of one class: moving any of them is the same few stores. */
export class Seat {
  /** Address of the chunk. */
  data = 0
  row = 0
  /** Index in Heap.u32 of the component's change tick in the chunk. */
  tickIndex = 0
  /** Place of the chunk's summary of changes behind Heap.chunks: the descriptors may move while a cursor is kept. */
  summaryPlace = 0
  private placement: Placement | undefined
  private readonly columns: Column[] = []

  constructor(readonly heap: Heap) {}

  /** @internal A column for each field, in order. */
  addColumn(): Column {
    const column = new Column()
    this.columns.push(column)
    return column
  }

  /** Moves to a chunk; the row is set apart from it. */
  moveTo(data: number, placement: Placement, descriptor: number): void {
    this.data = data
    this.tickIndex = (data + placement.tickOffset) >> 2
    this.summaryPlace = descriptor - this.heap.chunks + CHANGED_WORD
    if (placement !== this.placement) this.enterLayout(placement)
  }

  protected enterLayout(placement: Placement): void {
    this.placement = placement
    for (let k = 0; k < this.columns.length; k++) {
      ;(this.columns[k] as Column).offset = placement.offsets[k] as number
    }
  }

  /** Moves to where nothing is kept: what a user does with a cursor whose row is gone must harm nobody. */
  park(): void {
    this.data = SCRATCH_ADDRESS
    this.row = 0
    this.tickIndex = SCRATCH_ADDRESS >> 2
    this.summaryPlace = this.tickIndex - this.heap.chunks
  }

  /** Marks the component changed. The tick is read anew: a loop over changes may have moved it on meanwhile. */
  mark(): void {
    const { u32 } = this.heap
    const now = u32[TICK] as number
    // The summary is never older than the tick, and one look is cheaper than two writes.
    if (u32[this.tickIndex] === now) return
    u32[this.tickIndex] = now
    u32[this.heap.chunks + this.summaryPlace] = now
  }
}

/** The seat of a component whose rows are tracked: marks its row too. */
class TrackedSeat extends Seat {
  private rowTickOffset = 0

  protected override enterLayout(placement: Placement): void {
    super.enterLayout(placement)
    this.rowTickOffset = placement.rowTickOffset
  }

  override mark(): void {
    super.mark()
    const u32 = this.heap.u32
    u32[((this.data + this.rowTickOffset) >> 2) + this.row] = u32[TICK] as number
  }
}

/** Where a field's column lies in the chunk that its seat stands on. */
class Column {
  /** Bytes from the chunk's start. */
  offset = 0
}

/** A seat and the object with the fields' names that a user sees. */
export interface SeatedCursor {
  readonly seat: Seat
  readonly cursor: object
}

/**
 * Makes a cursor. Its properties hold their seat as a constant, so that a loop which sees one cursor of a
 * component compiles to plain memory accesses, however many components there are.
 */
export function createCursor(definition: Definition, heap: Heap): SeatedCursor {
  const seat = definition.tracksRows ? new TrackedSeat(heap) : new Seat(heap)
  const prototype = {}
  definition.fields.forEach((field, k) => {
    const name = definition.fieldNames[k] as string
    const where = `${definition.componentName}.${name}`
    const column = seat.addColumn()
    const property = isVec(field)
      ? vecProperty(seat, column, field, where)
      : field.kind === 'text'
        ? textProperty(seat, column, field, where)
        : SCALAR_PROPERTIES[field.kind](seat, column)
    Object.defineProperty(prototype, name, { ...property, enumerable: true, configurable: true })
  })
  showValues(prototype, definition)
  // A misspelt field throws, where it would become a property of this object that looks like part of the world.
  return { seat, cursor: Object.preventExtensions(Object.create(prototype) as object) }
}

/** How consoles of Node ask an object for what to print. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/** Lets consoles and JSON show the values of the row, which are no properties of the cursor itself. */
function showValues(prototype: object, { fieldNames }: Definition): void {
  const copy = function (this: Record<string, unknown>) {
    return Object.fromEntries(fieldNames.map((name) => [name, this[name]]))
  }
  Object.defineProperty(prototype, INSPECT, { value: copy })
  if (!fieldNames.includes('toJSON')) Object.defineProperty(prototype, 'toJSON', { value: copy })
}

/**
 * The cursors of one component in one world, handed out for the time of a loop: loops that follow each other
 * get the same one, so that code which is called by many loops sees few of them.
 */
export class CursorPool {
  private readonly free: SeatedCursor[] = []

  constructor(
    private readonly definition: Definition,
    private readonly heap: Heap,
  ) {}

  take(): SeatedCursor {
    return this.free.pop() ?? createCursor(this.definition, this.heap)
  }

  giveBack(cursor: SeatedCursor): void {
    this.free.push(cursor)
  }
}

interface CursorProperty {
  get(): unknown
  set(value: never): void
}

// One function for each kind of array: a shared one would see all of them and be several times slower.
const SCALAR_PROPERTIES: Record<
  Exclude<Field['kind'], 'text'>,
  (seat: Seat, column: Column) => CursorProperty
> = {
  f32: (seat, column) => ({
    get: () => seat.heap.f32[((seat.data + column.offset) >> 2) + seat.row],
    set: (value: number) => {
      seat.heap.f32[((seat.data + column.offset) >> 2) + seat.row] = value
      seat.mark()
    },
  }),
  f64: (seat, column) => ({
    get: () => seat.heap.f64[((seat.data + column.offset) >> 3) + seat.row],
    set: (value: number) => {
      seat.heap.f64[((seat.data + column.offset) >> 3) + seat.row] = value
      seat.mark()
    },
  }),
  i32: (seat, column) => ({
    get: () => seat.heap.i32[((seat.data + column.offset) >> 2) + seat.row],
    set: (value: number) => {
      seat.heap.i32[((seat.data + column.offset) >> 2) + seat.row] = value
      seat.mark()
    },
  }),
  u32: (seat, column) => ({
    get: () => seat.heap.u32[((seat.data + column.offset) >> 2) + seat.row],
    set: (value: number) => {
      seat.heap.u32[((seat.data + column.offset) >> 2) + seat.row] = value
      seat.mark()
    },
  }),
  entity: (seat, column) => ({
    get: () => seat.heap.u32[((seat.data + column.offset) >> 2) + seat.row],
    set: (value: Entity) => {
      seat.heap.u32[((seat.data + column.offset) >> 2) + seat.row] = value
      seat.mark()
    },
  }),
  i16: (seat, column) => ({
    get: () => seat.heap.i16[((seat.data + column.offset) >> 1) + seat.row],
    set: (value: number) => {
      seat.heap.i16[((seat.data + column.offset) >> 1) + seat.row] = value
      seat.mark()
    },
  }),
  u16: (seat, column) => ({
    get: () => seat.heap.u16[((seat.data + column.offset) >> 1) + seat.row],
    set: (value: number) => {
      seat.heap.u16[((seat.data + column.offset) >> 1) + seat.row] = value
      seat.mark()
    },
  }),
  i8: (seat, column) => ({
    get: () => seat.heap.i8[seat.data + column.offset + seat.row],
    set: (value: number) => {
      seat.heap.i8[seat.data + column.offset + seat.row] = value
      seat.mark()
    },
  }),
  u8: (seat, column) => ({
    get: () => seat.heap.u8[seat.data + column.offset + seat.row],
    set: (value: number) => {
      seat.heap.u8[seat.data + column.offset + seat.row] = value
      seat.mark()
    },
  }),
  bool: (seat, column) => ({
    get: () => seat.heap.u8[seat.data + column.offset + seat.row] !== 0,
    set: (value: boolean) => {
      seat.heap.u8[seat.data + column.offset + seat.row] = value ? 1 : 0
      seat.mark()
    },
  }),
}

/** A text gives its string. Writing checks, for what is no string has no id; a string the world has allocates nothing. */
function textProperty(seat: Seat, column: Column, field: Field, where: string): CursorProperty {
  const { heap } = seat
  return {
    get: () => heap.texts.at(heap.u32[((seat.data + column.offset) >> 2) + seat.row] as number),
    set: (value: string) => {
      if (!accepts(field, value)) throw invalidValue(field, value, where)
      const id = heap.texts.intern(value)
      heap.u32[((seat.data + column.offset) >> 2) + seat.row] = id
      seat.mark()
    },
  }
}

/** A vec gives a typed array over its row, made anew at each read; writing takes a list of the right length. */
function vecProperty(seat: Seat, column: Column, field: Field, where: string): CursorProperty {
  const { kind, length } = field
  const shift = SHIFT_OF[kind]
  return {
    get: () => {
      const first = ((seat.data + column.offset) >> shift) + seat.row * length
      // The array may be written to, and nobody would hear of it: reading one counts as a change.
      seat.mark()
      return arrayOf(seat.heap, kind).subarray(first, first + length)
    },
    set: (value: ArrayLike<number>) => {
      if (!accepts(field, value)) throw invalidValue(field, value, where)
      const first = seat.data + column.offset + ((seat.row * length) << shift)
      storeField(seat.heap, field, first, value)
      seat.mark()
    },
  }
}
