// Owns the loop of `each`: cursors over the columns of a chunk, moved row by row with one store each.
// It must never be entered twice at once: nested calls of each have a RowLoop of their own.

import type { Plan } from '../matching/plan'
import { refusePromise } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import { Seat, type SeatedCursor } from '../rows/cursor'
import type { Registration } from '../rows/registration'
import type { WorldState } from '../rows/worldState'
import type { ChunkView } from './chunk'
import type { ChunkIterator } from './chunkLoop'
import type { QueryIterator } from './runLoop'

type Callback = (entity: Entity, ...cursors: unknown[]) => unknown

/** The cursors of an each call; one set for each nesting. */
export class RowLoop {
  private readonly seated: (SeatedCursor | undefined)[] = []
  /** Cursors, and values of object components. */
  private readonly cursors: unknown[] = []
  /** Whether the rows of the chunk are the component's own. */
  private readonly isHere: boolean[] = []
  /** Where rows of cursors that are not there go, so that the loop need not ask. */
  private readonly nowhere: Seat

  constructor(private readonly state: WorldState) {
    this.nowhere = new Seat(state.heap, [])
  }

  run(iterator: ChunkIterator | QueryIterator, plan: Plan, callback: Callback): void {
    const count = plan.registrations.length
    try {
      for (let k = 0; k < count; k++) this.seated[k] = take(plan.registrations[k])
      for (let step = iterator.next(); !step.done; step = iterator.next()) {
        const chunk = step.value
        for (let k = 0; k < count; k++) this.enterChunk(plan, k, chunk)
        refusePromise('each', this.walk(plan, chunk, callback))
      }
    } finally {
      // Backwards, so that the next loop finds each cursor in its place again.
      for (let k = count - 1; k >= 0; k--) {
        const seated = this.seated[k]
        if (seated !== undefined) (plan.registrations[k] as Registration).cursors.giveBack(seated)
        this.seated[k] = undefined
      }
    }
  }

  /** Seats the cursor of a column; undefined for what this chunk lacks. */
  private enterChunk(plan: Plan, k: number, chunk: ChunkView): void {
    const seated = this.seated[k]
    const registration = plan.registrations[k]
    this.cursors[k] = undefined
    this.isHere[k] = false
    if (seated === undefined || registration === undefined || registration.objects !== undefined) return
    // Of several pools the one that is walked has its rows here.
    this.isHere[k] = (plan.isColumn[k] as boolean) || chunk.isOf(registration)
    if (!this.isHere[k]) return
    const ref = registration.locateIn(chunk.descriptor, chunk.start)
    if (ref === undefined) return
    seated.seat.stand(ref)
    this.cursors[k] = seated.cursor
  }

  /**
   * Calls back for each row of a run; returns what the last call did. All loops are in one function, which is therefore too long for V8 to put into its
   * caller: what V8 has room for is then the callback, and in it the properties of the cursors. Split up, the loops are
   * ten times slower.
   */
  private walk(plan: Plan, chunk: ChunkView, callback: Callback): unknown {
    const { cursors } = this
    let result: unknown
    const { heap } = this.state
    const handles = chunk.data >> 2
    const { start, end } = chunk
    const count = plan.registrations.length
    const [a, b, c, d] = cursors
    if (plan.allColumns && count <= 4) {
      const seatA = this.seatOf(0)
      const seatB = this.seatOf(1)
      const seatC = this.seatOf(2)
      const seatD = this.seatOf(3)
      switch (count) {
        case 0:
          for (let row = start; row < end; row++) result = callback(heap.u32[handles + row] as Entity)
          return result
        case 1:
          for (let row = start; row < end; row++) {
            seatA.row = row
            result = callback(heap.u32[handles + row] as Entity, a)
          }
          return result
        case 2:
          for (let row = start; row < end; row++) {
            seatA.row = row
            seatB.row = row
            result = callback(heap.u32[handles + row] as Entity, a, b)
          }
          return result
        case 3:
          for (let row = start; row < end; row++) {
            seatA.row = row
            seatB.row = row
            seatC.row = row
            result = callback(heap.u32[handles + row] as Entity, a, b, c)
          }
          return result
        case 4:
          for (let row = start; row < end; row++) {
            seatA.row = row
            seatB.row = row
            seatC.row = row
            seatD.row = row
            result = callback(heap.u32[handles + row] as Entity, a, b, c, d)
          }
          return result
      }
    }
    for (let row = start; row < end; row++) {
      const entity = heap.u32[handles + row] as Entity
      for (let k = 0; k < count; k++) this.seatOnRow(plan, k, row, entity)
      switch (count) {
        case 1:
          result = callback(entity, cursors[0])
          break
        case 2:
          result = callback(entity, cursors[0], cursors[1])
          break
        case 3:
          result = callback(entity, cursors[0], cursors[1], cursors[2])
          break
        default:
          result = callback(entity, ...cursors)
      }
    }
    return result
  }

  private seatOf(k: number): Seat {
    return this.seated[k]?.seat ?? this.nowhere
  }

  /** Seats the cursor of any component, a column or not. */
  private seatOnRow(plan: Plan, k: number, row: number, entity: Entity): void {
    if (this.isHere[k] as boolean) this.seatOf(k).row = row
    else this.cursors[k] = this.seatOnEntity(plan.registrations[k], k, entity)
  }

  private seatOnEntity(registration: Registration | undefined, k: number, entity: number): unknown {
    if (registration?.objects !== undefined) return registration.objects.get(entity)
    const seated = this.seated[k]
    if (registration === undefined || seated === undefined) return undefined
    const ref = registration.locate(entity)
    if (ref === undefined) return undefined
    seated.seat.stand(ref)
    return seated.cursor
  }
}

function take(registration: Registration | undefined): SeatedCursor | undefined {
  return registration?.cursors.take(registration.definition)
}
