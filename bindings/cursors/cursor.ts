// Owns cursors: reused objects that stand on one row and give its fields as properties. A cursor must never allocate when it
// moves, and it does not check that its row still exists: the code that seats it does.

import {
  CHUNK_CHANGED_WORD,
  SCRATCH_ADDRESS,
  SCRATCH_ADDRESS_WORD,
  WORLD_TICK_WORD,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { type Field, isVec } from '../components/fields'
import type { Heap } from '../memory/heap'
import { cursorPrototype } from './cursorProperties'
import type { Placement } from './placement'
import type { RowRef } from './rowRef'

/** So far below Heap.chunks, wherever that is, there is no index of an array: what is stored there goes nowhere. */
export const NOWHERE = -0x40000000

/** The row on which cursors stand. Those of one loop share it: a step moves them all with one store. */
export class CursorPosition {
  row = 0
}

/** Where a cursor stands. Seats of all components are of one class: moving any of them is the same few stores. */
export class Seat {
  /** Address of the chunk. */
  data = 0
  gaveArray = false
  /** Whether a cursor of a loop wrote a number here that is not marked yet. */
  wrote = false
  /** The component it stands on, for the sentences of errors. */
  componentName = ''
  /** Index in Heap.u32 of the component's change tick in the chunk. */
  tickIndex = 0
  /** Words from Heap.chunks to the chunk's descriptor. */
  private chunkOffset = NOWHERE
  protected placement: Placement | undefined
  private readonly columns: CursorColumn[]

  constructor(
    readonly heap: Heap,
    fields: readonly Field[],
    readonly position: CursorPosition,
  ) {
    this.columns = fields.map(({ shift }) => new CursorColumn(shift))
  }

  /** @internal The column of the field at place `k`. */
  column(k: number): CursorColumn {
    return this.columns[k] as CursorColumn
  }

  /** Moves to a row. */
  stand(ref: RowRef): void {
    this.position.row = ref.row
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
    for (let k = 0; k < columns.length; k++)
      (columns[k] as CursorColumn).moveTo(data + (offsets[k] as number))
  }

  /** Moves to a chunk by words of ChunkCursorBases, which begin at `at`. Returns where those of the next component begin. */
  standBy(words: Int32Array, at: number, chunkOffset: number): number {
    this.chunkOffset = chunkOffset
    // No chunk lies there: moveTo must not take the present one for the last that it moved to.
    this.data = 0
    this.tickIndex = words[at++] as number
    const { columns } = this
    for (let k = 0; k < columns.length; k++) (columns[k] as CursorColumn).base = words[at++] as number
    return at
  }

  /** Whether it stands on no row. */
  get isParked(): boolean {
    return this.chunkOffset === NOWHERE
  }

  /** Moves to where nothing is kept: what a program does with a cursor whose row is gone must do no harm. */
  park(): void {
    this.data = SCRATCH_ADDRESS
    this.position.row = 0
    this.placement = undefined
    this.tickIndex = SCRATCH_ADDRESS_WORD
    this.chunkOffset = NOWHERE
    for (const column of this.columns) column.moveTo(SCRATCH_ADDRESS)
  }

  /**
   * Marks what a cursor of a loop has noted. The loop does so after each chunk; a look for changes and a move of the
   * tick do it before, through CursorPools.settle.
   */
  settle(): void {
    if (!this.wrote) return
    this.wrote = false
    this.mark()
  }

  /** Marks the component changed. The tick is read again: a loop over changes may have moved it on meanwhile. */
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
    u32[((this.data + offset) >> 2) + this.position.row] = u32[WORLD_TICK_WORD] as number
  }
}

/** Where a field's column lies in the chunk that its seat stands on. */
class CursorColumn {
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
 * Makes a cursor, over a place of its own or one that a loop shares among its cursors. Its properties hold their seat as a
 * constant, and are short: a callback that sees one cursor of a component compiles to plain memory accesses, however many
 * components there are.
 */
export function createCursor(definition: Definition, heap: Heap, shared?: CursorPosition): SeatedCursor {
  const { fields, details, componentName } = definition
  const position = shared ?? new CursorPosition()
  const seat = details.tracksRows ? new TrackedSeat(heap, fields, position) : new Seat(heap, fields, position)
  seat.componentName = componentName
  const prototype = cursorPrototype(definition, heap, seat, {
    seatOf: () => seat,
    indexIn(k, _, length) {
      const column = seat.column(k)
      return length === 1 ? () => column.base + position.row : () => column.base + position.row * length
    },
    // A row that is tracked must be marked while the cursor stands on it.
    loopSeat:
      shared === undefined || details.tracksRows
        ? undefined
        : (k) => ({ column: seat.column(k), position, seat }),
  })
  // A misspelt field would become a property of this object, which looks like part of the world.
  return { seat, cursor: Object.preventExtensions(Object.create(prototype) as object) }
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
    const { pools } = this
    const seated =
      this.listed(shares).pop() ?? createCursor(definition, this.heap, shares ? pools.position : undefined)
    const { seat } = seated
    seat.componentName = definition.componentName
    if (shares) {
      // A program may have kept it: what that wrote belongs to no loop.
      seat.wrote = false
      pools.noting.push(seat)
    }
    return seated
  }

  /** The one that was taken last comes back first. */
  giveBack(cursor: SeatedCursor, shares: boolean): void {
    this.listed(shares).push(cursor)
    if (!shares) return
    cursor.seat.settle()
    this.pools.noting.pop()
  }

  private listed(shares: boolean): SeatedCursor[] {
    return shares ? (this.sharing[this.pools.depth] ??= []) : this.free
  }
}

/** The pools of one world, and how many loops with cursors are open. */
export class CursorPools {
  depth = 0
  /** Where the cursors of open loops stand that note what is written. */
  readonly noting: Seat[] = []
  private readonly positions: CursorPosition[] = []
  private readonly byShape = new Map<string, CursorPool>()

  /** Where the cursors of the innermost loop stand that share a place. */
  get position(): CursorPosition {
    return (this.positions[this.depth] ??= new CursorPosition())
  }

  /** Marks all that was noted. */
  settle(): void {
    const { noting } = this
    for (let i = 0; i < noting.length; i++) (noting[i] as Seat).settle()
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
