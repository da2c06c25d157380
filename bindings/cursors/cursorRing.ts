// Owns the rings of cursors that random access hands out one after the other, so that several rows of one component can be used
// at once. A cursor does not check that its row still exists, except over the checked core.

import {
  CHUNK_CHANGED_WORD,
  SCRATCH_ADDRESS,
  SCRATCH_ADDRESS_WORD,
  WORLD_TICK_WORD,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { isVec } from '../components/fields'
import type { Heap } from '../memory/heap'
import { NOWHERE } from './cursor'
import { type Standing, cursorPrototype } from './cursorProperties'
import { ABSENT, type Placement } from './placement'
import type { RowRef } from './rowRef'

/** How many cursors a ring has. A swap or a pair of bodies takes two; a power of two, for a mask takes the turn round. */
export const RING_SIZE = 8

/** Where a cursor of a ring stands. Seats of all components are of one class: moving any of them is the same few stores. */
export class RingSeat {
  /** The row in the chunk; of an even ring, the index of the row's first value from the beginning of memory. */
  row = 0
  /** Of an even ring: from a value of one field to that of the next. */
  distance = 0
  /** Of others: address of the chunk, and byte offset of each field's column from there. */
  data = SCRATCH_ADDRESS
  offsets: Int32Array
  /** Index in Heap.u32 of the component's change tick in the chunk. */
  tickIndex = SCRATCH_ADDRESS_WORD
  /** Index in Heap.u32 of the row's change tick, where rows are tracked. */
  rowTickIndex = SCRATCH_ADDRESS_WORD
  /** Words from Heap.chunks to the chunk's descriptor. */
  chunkOffset = NOWHERE
  gaveArray = false
  /** Over the checked core: whose row it is. */
  entity = 0

  constructor(
    private readonly ring: CursorRing,
    readonly cursor: object,
  ) {
    this.offsets = ring.nowhere
    this.park()
  }

  get isParked(): boolean {
    const { heap } = this.ring
    return this.chunkOffset === NOWHERE || heap.cursorChecks?.hasLost(this, heap) === true
  }

  /** Moves to where nothing is kept. */
  park(): void {
    const { isEven, shift, nowhere } = this.ring
    this.row = isEven ? SCRATCH_ADDRESS >> shift : 0
    this.distance = 0
    this.data = SCRATCH_ADDRESS
    this.offsets = nowhere
    this.tickIndex = this.rowTickIndex = SCRATCH_ADDRESS_WORD
    this.chunkOffset = NOWHERE
  }

  /** Marks the component changed, in its chunk and, where rows are tracked, in its row. */
  mark(): void {
    const { heap, tracksRows } = this.ring
    const { u32 } = heap
    const now = u32[WORLD_TICK_WORD] as number
    u32[this.tickIndex] = now
    u32[heap.chunks + this.chunkOffset + CHUNK_CHANGED_WORD] = now
    if (tracksRows) u32[this.rowTickIndex] = now
  }
}

/** The cursors of one component that one accessor hands out, in turn. */
export class CursorRing {
  readonly tracksRows: boolean
  /** Whether values of all fields are equally wide, so that their columns are equally far apart. */
  readonly isEven: boolean
  /** Whether it is even and its rows are not tracked: then a few stores move a seat. */
  private readonly isPlain: boolean
  /** log2 of the bytes of a value, of an even ring. */
  readonly shift: number
  /** The offsets of a cursor without a row: each field lies at the scratch address. */
  readonly nowhere: Int32Array
  /** The layout that is known, and of it what seats need: in an even ring bytes to the first value, and `distance`. */
  private placement: Placement = ABSENT
  private first = 0
  private distance = 0
  private tickOffset = 0
  /** Those made so far, by turn. Over the checked core none is in here: each call makes its own. */
  private readonly seats: (RingSeat | undefined)[] = Array.from({ length: RING_SIZE }, () => undefined)
  /** Over the checked core: those that were handed out last, by turn. */
  private readonly latest: RingSeat[] = []
  private turn = 0
  private readonly prototype: object

  constructor(
    definition: Definition,
    readonly heap: Heap,
  ) {
    const { fields, details } = definition
    const [first] = fields
    this.tracksRows = details.tracksRows
    this.shift = first?.shift ?? 0
    // The checks of the checked core want the row and the chunk apart.
    this.isEven =
      heap.cursorChecks === undefined && fields.every((field) => !isVec(field) && field.shift === this.shift)
    this.isPlain = this.isEven && !this.tracksRows
    this.nowhere = new Int32Array(fields.length)
    this.prototype = cursorPrototype(definition, heap, definition, this.isEven ? EVEN : APART)
  }

  /** Moves the next cursor to a row. Whoever was given that cursor before can no longer use it. */
  stand({ data, row, placement, chunkOffset }: RowRef): object {
    if (placement !== this.placement) this.learn(placement)
    return this.jump(data, row, chunkOffset)
  }

  /** The same for a row whose layout is the known one. */
  jump(data: number, row: number, chunkOffset: number): object {
    const turn = (this.turn + 1) & (RING_SIZE - 1)
    this.turn = turn
    const seat = this.seats[turn] ?? this.make(turn)
    seat.tickIndex = (data + this.tickOffset) >> 2
    seat.chunkOffset = chunkOffset
    seat.row = ((data + this.first) >> this.shift) + row
    seat.distance = this.distance
    if (!this.isPlain) this.seatApart(seat, data, row)
    return seat.cursor
  }

  /** The rest of `jump`, where V8 need not inline it. */
  private seatApart(seat: RingSeat, data: number, row: number): void {
    if (!this.isEven) {
      seat.row = row
      seat.data = data
      seat.offsets = this.placement.offsets
    }
    if (this.tracksRows) seat.rowTickIndex = ((data + this.placement.rowTickOffset) >> 2) + row
    this.heap.cursorChecks?.note(seat, this.heap)
  }

  /** Notes where the columns lie in chunks of a layout. */
  learn(placement: Placement): void {
    this.placement = placement
    this.first = placement.first << 2
    this.distance = (placement.distance << 2) >> this.shift
    this.tickOffset = placement.tickOffset
  }

  /** A cursor on no row, for components without fields. */
  stray(): object {
    return (this.seats[this.turn] ?? this.make(this.turn)).cursor
  }

  /** Parks all cursors. */
  park(): void {
    const { seats, latest } = this
    for (let turn = 0; turn < RING_SIZE; turn++) {
      seats[turn]?.park()
      latest[turn]?.park()
    }
  }

  private make(turn: number): RingSeat {
    const cursor = Object.create(this.prototype) as RingCursor
    const seat = new RingSeat(this, cursor)
    // A misspelt field would become a property of this object, which looks like part of the world.
    Object.preventExtensions(Object.defineProperty(cursor, '\0seat', { value: seat }))
    if (this.heap.cursorChecks !== undefined) {
      this.latest[turn]?.park()
      this.latest[turn] = seat
    } else {
      this.seats[turn] = seat
    }
    return seat
  }
}

/** No field has such a name, for none begins with a zero character. */
interface RingCursor {
  readonly '\0seat': RingSeat
}

const seatOf = (cursor: object) => (cursor as RingCursor)['\0seat']

const EVEN: Standing = {
  seatOf,
  indexIn: (k) => (cursor) => {
    const seat = (cursor as RingCursor)['\0seat']
    return seat.row + k * seat.distance
  },
}

const APART: Standing = {
  seatOf,
  indexIn: (k, shift, length) => (cursor) => {
    const seat = (cursor as RingCursor)['\0seat']
    return ((seat.data + (seat.offsets[k] as number)) >> shift) + seat.row * length
  },
}
