// Owns the loop of `each`: cursors over the columns of a chunk, moved row by row with one store each.
// It must never be entered twice at once: nested calls of each have a RowLoop of their own.

import type { ChunkView } from './chunk'
import type { ChunkIterator } from './chunkLoop'
import { Seat, type SeatedCursor } from './cursor'
import type { Entity } from './entity'
import type { QueryIterator } from './iteration'
import type { Plan } from './plan'
import type { Registration } from './registration'
import type { WorldState } from './worldState'

type Callback = (entity: Entity, ...cursors: unknown[]) => void

/** The cursors of an each call; one set for each nesting. */
export class RowLoop {
  private readonly seated: (SeatedCursor | undefined)[] = []
  /** Cursors, and values of object components. */
  private readonly cursors: unknown[] = []
  /** Where rows of cursors that are not there go, so that the loop need not ask. */
  private readonly nowhere: Seat

  constructor(private readonly state: WorldState) {
    this.nowhere = new Seat(state.heap)
  }

  run(iterator: ChunkIterator | QueryIterator, plan: Plan, callback: Callback): void {
    const count = plan.registrations.length
    for (let k = 0; k < count; k++) this.seated[k] = plan.registrations[k]?.cursors.take()
    try {
      for (let step = iterator.next(); !step.done; step = iterator.next()) {
        const chunk = step.value
        for (let k = 0; k < count; k++) this.enterChunk(plan, k, chunk)
        if (plan.allColumns && count === 1) this.walkOne(chunk, callback)
        else if (plan.allColumns && count === 2) this.walkTwo(chunk, callback)
        else if (plan.allColumns && count === 3) this.walkThree(chunk, callback)
        else this.walkAny(plan, chunk, callback)
      }
    } finally {
      for (let k = 0; k < count; k++) {
        const seated = this.seated[k]
        if (seated !== undefined) (plan.registrations[k] as Registration).cursors.giveBack(seated)
        this.seated[k] = undefined
      }
    }
  }

  /** Seats the cursor of a column; undefined for what this chunk lacks. */
  private enterChunk(plan: Plan, k: number, chunk: ChunkView): void {
    const seated = this.seated[k]
    this.cursors[k] = undefined
    if (seated === undefined || !(plan.isColumn[k] as boolean)) return
    const placement = (plan.registrations[k] as Registration).placement(chunk.layoutKey)
    if (!placement.present) return
    seated.seat.moveTo(chunk.data, placement, chunk.descriptor)
    this.cursors[k] = seated.cursor
  }

  private walkOne(chunk: ChunkView, callback: Callback): void {
    const heap = this.state.heap
    const handles = chunk.data >> 2
    const end = chunk.end
    const a = this.cursors[0]
    const seatA = this.seatOf(0)
    for (let row = chunk.start; row < end; row++) {
      seatA.row = row
      callback(heap.u32[handles + row] as Entity, a)
    }
  }

  private walkTwo(chunk: ChunkView, callback: Callback): void {
    const heap = this.state.heap
    const handles = chunk.data >> 2
    const end = chunk.end
    const [a, b] = this.cursors
    const seatA = this.seatOf(0)
    const seatB = this.seatOf(1)
    for (let row = chunk.start; row < end; row++) {
      seatA.row = row
      seatB.row = row
      callback(heap.u32[handles + row] as Entity, a, b)
    }
  }

  private walkThree(chunk: ChunkView, callback: Callback): void {
    const heap = this.state.heap
    const handles = chunk.data >> 2
    const end = chunk.end
    const [a, b, c] = this.cursors
    const seatA = this.seatOf(0)
    const seatB = this.seatOf(1)
    const seatC = this.seatOf(2)
    for (let row = chunk.start; row < end; row++) {
      seatA.row = row
      seatB.row = row
      seatC.row = row
      callback(heap.u32[handles + row] as Entity, a, b, c)
    }
  }

  /** Any number of cursors, some of them on rows that lie elsewhere. */
  private walkAny(plan: Plan, chunk: ChunkView, callback: Callback): void {
    const heap = this.state.heap
    const handles = chunk.data >> 2
    const count = plan.registrations.length
    const cursors = this.cursors
    for (let row = chunk.start; row < chunk.end; row++) {
      const entity = heap.u32[handles + row] as Entity
      for (let k = 0; k < count; k++) {
        if (plan.isColumn[k] as boolean) this.seatOf(k).row = row
        else cursors[k] = this.seatOnEntity(plan.registrations[k], k, entity)
      }
      switch (count) {
        case 0:
          callback(entity)
          break
        case 1:
          callback(entity, cursors[0])
          break
        case 2:
          callback(entity, cursors[0], cursors[1])
          break
        case 3:
          callback(entity, cursors[0], cursors[1], cursors[2])
          break
        case 4:
          callback(entity, cursors[0], cursors[1], cursors[2], cursors[3])
          break
        default:
          callback(entity, ...cursors)
      }
    }
  }

  private seatOf(k: number): Seat {
    return this.seated[k]?.seat ?? this.nowhere
  }

  private seatOnEntity(registration: Registration | undefined, k: number, entity: number): unknown {
    if (registration?.objects !== undefined) return registration.objects.get(entity)
    const seated = this.seated[k]
    if (registration === undefined || seated === undefined || !registration.locate(entity)) return undefined
    registration.seat(seated.seat)
    return seated.cursor
  }
}
