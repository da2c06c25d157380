// Owns the loop of `each`: cursors over the columns of a chunk, moved row by row with one store each. Nested calls of each have a
// RowLoop of their own.

import { eachLoops } from '../../build/eachLoops'
import { CHUNK_DATA_WORD, CHUNK_LAYOUT_KEY_WORD } from '../../build/layout'
import type { ChunkCursorBases } from '../queryPlan/chunkCursorBases'
import type { Plan } from '../queryPlan/plan'
import { refusePromise } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import type { Heap } from '../memory/heap'
import type { CursorPosition, SeatedCursor } from '../cursors/cursor'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'
import type { ChunkView } from './chunkView'
import type { Loop } from './loop'

export type Callback = (entity: Entity, ...cursors: unknown[]) => unknown

/**
 * Calls back for the rows from `start` to `end`: `handles` is the index in Heap.u32 of that of row 0, and all cursors stand
 * on `place`. Returns what the last call did.
 */
export type EachLoop = (
  callback: Callback,
  heap: Heap,
  handles: number,
  position: CursorPosition,
  start: number,
  end: number,
  ...cursors: unknown[]
) => unknown

/** How many RowLoops were made. */
let made = 0

function callLoop(
  loop: EachLoop,
  count: number,
  callback: Callback,
  heap: Heap,
  handles: number,
  position: CursorPosition,
  start: number,
  end: number,
  cursors: readonly unknown[],
): unknown {
  // By number: to take a list apart is to iterate over it, which takes longer than to enter a chunk.
  const a = cursors[0]
  if (count === 1) return loop(callback, heap, handles, position, start, end, a)
  const b = cursors[1]
  if (count === 2) return loop(callback, heap, handles, position, start, end, a, b)
  const c = cursors[2]
  if (count === 3) return loop(callback, heap, handles, position, start, end, a, b, c)
  return loop(callback, heap, handles, position, start, end, a, b, c, cursors[3])
}

/** As many calls as V8 waits for before it notes what is called. */
const CALLS_UNTIL_NOTED = 100

/**
 * Runs all copies of the loops in rotation, over no rows, so that V8 does not inline a single one into its caller. In Node 24 code
 * inlined that way stays in the mid-tier compiler: each field is a call there, and a row takes eight times as long.
 */
function keepLoopsApart({ heap, cursorPools: { position } }: WorldState): void {
  const nothing = () => {}
  for (let i = 0; i < CALLS_UNTIL_NOTED; i++)
    eachLoops.forEach((loops, k) =>
      callLoop(loops[i % loops.length] as EachLoop, k + 1, nothing, heap, 0, position, 0, 0, []),
    )
  if ('InternalError' in globalThis) prepareForClosures(heap, position)
}

/** More than the calls after which SpiderMonkey begins to note what is called. */
const CALLS_UNTIL_WARM = 30

/**
 * Lets each copy of the loops call a function once, in SpiderMonkey, which is known by an error of its own. It notes the first
 * function that a loop calls as such, and later ones by their code. A program that writes its callback where it calls `each`
 * has a new function in each frame, with the same code: if the function itself were noted, it would not be put into the loop,
 * and a row would take five times as long.
 */
function prepareForClosures(heap: Heap, position: CursorPosition): void {
  const nothing = () => {}
  eachLoops.forEach((loops, k) => {
    for (const loop of loops) {
      for (let i = 0; i < CALLS_UNTIL_WARM; i++) callLoop(loop, k + 1, nothing, heap, 0, position, 0, 0, [])
      callLoop(loop, k + 1, nothing, heap, 0, position, 0, 1, [])
    }
  })
}

/** The cursors of an each call; one set for each nesting. */
export class RowLoop {
  private readonly seated: (SeatedCursor | undefined)[] = []
  /** Cursors, and values of object components. */
  private readonly cursors: unknown[] = []
  /** Whether the rows of the chunk are the component's own. */
  private readonly isHere: boolean[] = []
  /** Which of the copies of a loop it runs: queries have different ones as long as there are enough. */
  private readonly copy = made++

  constructor(private readonly state: WorldState) {
    if (made === 1) keepLoopsApart(state)
  }

  run(loop: Loop<ChunkView>, callback: Callback): void {
    const { plan } = loop
    const { cursorPools, heap } = this.state
    const { depth, position } = cursorPools
    const count = plan.registrations.length
    const loops = plan.allColumns ? eachLoops[count - 1] : undefined
    const shares = loops !== undefined
    const eachLoop = loops?.[this.copy % loops.length]
    const standing = shares ? loop.chunk.list?.standing : undefined
    try {
      for (let k = 0; k < count; k++) {
        const seated = take(plan.registrations[k], shares)
        this.seated[k] = seated
        this.cursors[k] = seated?.cursor
      }
      cursorPools.depth = depth + 1
      for (let step = loop.next(); !step.done; step = loop.next()) {
        const chunk = step.value
        let result: unknown
        if (shares) {
          const handles =
            standing === undefined
              ? this.enterColumns(plan, count, chunk)
              : this.standBy(standing, count, chunk)
          result = callLoop(
            eachLoop as EachLoop,
            count,
            callback,
            heap,
            handles,
            position,
            chunk.start,
            chunk.end,
            this.cursors,
          )
          for (let k = 0; k < count; k++) this.seated[k]?.seat.settle()
        } else {
          for (let k = 0; k < count; k++) this.enterChunk(plan, k, chunk)
          result = this.walk(plan, chunk, callback)
        }
        if (typeof result === 'object') refusePromise('each', result)
      }
    } finally {
      cursorPools.depth = depth
      // Backwards, so that the next loop finds each cursor in its place again.
      for (let k = count - 1; k >= 0; k--) {
        const seated = this.seated[k]
        if (seated !== undefined) (plan.registrations[k] as Registration).cursors.giveBack(seated, shares)
        this.seated[k] = undefined
      }
    }
  }

  /** Seats all cursors where each chunk has all columns. Returns where the handles are, as an index in Heap.u32. */
  private standBy(standing: ChunkCursorBases, count: number, { chunkOffset, place }: ChunkView): number {
    const { seated } = this
    const first = standing.at(place)
    const { words } = standing
    let at = first + 1
    for (let k = 0; k < count; k++) at = (seated[k] as SeatedCursor).seat.standBy(words, at, chunkOffset)
    return words[first] as number
  }

  /** Seats all cursors where a chunk may lack some of the columns. Returns the same. */
  private enterColumns(plan: Plan, count: number, { chunkOffset }: ChunkView): number {
    const { cursors, seated } = this
    const { u32, chunks } = this.state.heap
    const data = u32[chunks + chunkOffset + CHUNK_DATA_WORD] as number
    const layoutKey = u32[chunks + chunkOffset + CHUNK_LAYOUT_KEY_WORD] as number
    for (let k = 0; k < count; k++) {
      const one = seated[k]
      const placement = plan.registrations[k]?.placement(layoutKey)
      if (one === undefined || placement?.present !== true) {
        cursors[k] = undefined
        continue
      }
      one.seat.moveTo(data, placement, chunkOffset)
      cursors[k] = one.cursor
    }
    return data >> 2
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
    const ref = registration.locateIn(chunk.chunkOffset, chunk.start)
    if (ref === undefined) return
    seated.seat.stand(ref)
    this.cursors[k] = seated.cursor
  }

  /** Calls back for each row where some cursors stand on rows of other chunks, or values of objects are passed. */
  private walk(plan: Plan, chunk: ChunkView, callback: Callback): unknown {
    const { cursors } = this
    const { heap } = this.state
    const handles = chunk.data >> 2
    const { start, end } = chunk
    const count = plan.registrations.length
    let result: unknown
    for (let row = start; row < end; row++) {
      const entity = heap.u32[handles + row] as Entity
      for (let k = 0; k < count; k++) this.seatOnRow(plan, k, row, entity)
      switch (count) {
        case 0:
          result = callback(entity)
          break
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

  /** Seats the cursor of any component, a column or not. */
  private seatOnRow(plan: Plan, k: number, row: number, entity: Entity): void {
    if (this.isHere[k] as boolean) (this.seated[k] as SeatedCursor).seat.position.row = row
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

function take(registration: Registration | undefined, shares: boolean): SeatedCursor | undefined {
  return registration?.cursors.take(registration.definition, shares)
}
