// Owns the loop of `each`: cursors over the columns of a chunk, moved row by row with one store.
// It must never be entered twice at once: nested calls of each have a RowLoop of their own.

import { CHUNK_SIZE } from '../build/layout'
import type { ChunkView } from './chunk'
import type { Definition } from './component'
import { type CursorBase, RowPointer, createCursor } from './cursor'
import type { Entity } from './entity'
import type { QueryIterator } from './iteration'
import { type Plan, hasData } from './plan'
import type { Registration } from './registration'
import type { ParsedTerm } from './terms'
import type { WorldState } from './worldState'

/** The cursors of an each call; one set for each nesting. */
export class RowLoop {
  private readonly shared = new RowPointer()
  private readonly definitions: Definition[]
  private readonly seats: CursorSeat[]
  private readonly cursors: (CursorBase | undefined)[]

  constructor(
    private readonly state: WorldState,
    terms: readonly ParsedTerm[],
  ) {
    this.definitions = terms.filter(hasData).map(({ definition }) => definition)
    this.seats = this.definitions.map((definition) => new CursorSeat(definition, state, this.shared))
    this.cursors = this.definitions.map(() => undefined)
  }

  run(iterator: QueryIterator, plan: Plan, callback: (entity: Entity, ...cursors: unknown[]) => void): void {
    const { seats, cursors, shared } = this
    const heap = this.state.heap
    let byRow = false
    for (let k = 0; k < seats.length; k++) {
      const seat = seats[k] as CursorSeat
      seat.registration = plan.registrations[k]
      seat.isColumn = plan.isColumn[k] as boolean
      byRow ||= !seat.isColumn
    }
    for (let step = iterator.next(); !step.done; step = iterator.next()) {
      const chunk = step.value
      const handles = chunk.data >> 2
      for (let k = 0; k < seats.length; k++) cursors[k] = (seats[k] as CursorSeat).seatOnChunk(chunk)
      const a = cursors[0]
      const b = cursors[1]
      const c = cursors[2]
      const end = chunk.end
      if (byRow || cursors.length > 3) {
        for (let row = chunk.start; row < end; row++) {
          const entity = heap.u32[handles + row] as Entity
          shared.row = row
          for (let k = 0; k < seats.length; k++) {
            const seat = seats[k] as CursorSeat
            if (!seat.isColumn) cursors[k] = seat.seatOnEntity(entity)
          }
          callback(entity, ...cursors)
        }
      } else {
        for (let row = chunk.start; row < end; row++) {
          shared.row = row
          callback(heap.u32[handles + row] as Entity, a, b, c)
        }
      }
    }
  }
}

/** One component's cursor in an each call: shares the loop's row when it is a column, else has its own. */
class CursorSeat {
  registration: Registration | undefined
  isColumn = true
  private readonly ownPointer = new RowPointer()
  private readonly onColumns: CursorBase
  private readonly onRows: CursorBase

  constructor(
    definition: Definition,
    private readonly state: WorldState,
    shared: RowPointer,
  ) {
    this.onColumns = createCursor(definition, state.heap, shared)
    this.onRows = createCursor(definition, state.heap, this.ownPointer)
  }

  seatOnChunk(chunk: ChunkView): CursorBase | undefined {
    if (!this.isColumn || this.registration === undefined) return undefined
    const placement = this.registration.placement(chunk.layoutKey)
    if (!placement.present) return undefined
    const bytes = this.state.heap.u32[chunk.descriptor + (CHUNK_SIZE >> 2)] as number
    this.onColumns.seat(chunk.data, placement, (chunk.data + bytes - placement.tickFromEnd) >> 2)
    return this.onColumns
  }

  seatOnEntity(entity: number): CursorBase | undefined {
    const registration = this.registration
    if (registration === undefined || !registration.locate(entity)) return undefined
    this.ownPointer.row = registration.row
    this.onRows.seat(registration.data, registration.found, registration.locatedTick())
    return this.onRows
  }
}
