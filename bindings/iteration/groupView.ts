// Owns what a loop over a group sees: pools whose rows lie in the same order, side by side, each in its own chunks. A run ends
// where a chunk of any pool ends, so runs begin at the same rows every time; their arrays are kept by number, and a known run
// allocates nothing.
//
//   A   ├── chunk ──┼────── chunk ──────┼──        each step is a run of rows that lie in one chunk of every pool;
//   B   ├──── chunk ────┼──── chunk ────┼──        its arrays begin at its first row, so that one index serves all
//       └─ run 0 ───┴ 1 ┴──── run 2 ────┴──

import {
  CHUNK_CAPACITY_WORD,
  CHUNK_CHANGED_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  LIST_ITEMS,
  TABLE_CHUNKS,
  WORLD_TICK_WORD,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { arrayOf } from '../components/fieldMemory'
import type { Field } from '../components/fields'
import type { Plan } from '../queryPlan/plan'
import type { EntityArray } from '../memory/entity'
import { CHUNK_WORDS_SHIFT, type Heap } from '../memory/heap'
import { INSPECT, Shown, showRows } from '../memory/consoleText'
import { type Seat, type SeatedCursor, createCursor } from '../cursors/cursor'
import type { Placement } from '../cursors/placement'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'
import { fieldNumber, notInQuery } from './chunkView'

/** The arrays of one pool in one run, all from the run's first row on. */
interface RunArrays {
  readonly data: number
  readonly entities: EntityArray
  readonly arrays: Record<string, unknown>
  /** When each row changed last, where rows are tracked. */
  readonly rowTicks: Uint32Array | undefined
}

/** One pool of the group, and where the present run lies in it. */
export class GroupPool {
  /** Address of the chunk, and the run's first row in it. */
  data = 0
  row = 0
  /** The chunk's id, and the words from Heap.chunks to its descriptor. */
  id = 0
  chunkOffset = 0
  /** Rows from that one to the end of the chunk's capacity. */
  room = 0
  placement!: Placement
  private ordinal = 0
  private readonly runs: RunArrays[] = []

  constructor(
    private readonly state: WorldState,
    readonly registration: Registration,
  ) {}

  begin(): void {
    this.ordinal = 0
    this.row = 0
    this.room = 0
  }

  forgetArrays(): void {
    this.runs.length = 0
  }

  /** Goes on behind a run of so many rows. */
  advance(rows: number): void {
    this.row += rows
    this.room -= rows
    if (this.room > 0) return
    const heap = this.state.heap
    const { u32 } = heap
    const list = u32[(this.registration.pool + TABLE_CHUNKS) >> 2] as number
    const id = u32[((u32[(list + LIST_ITEMS) >> 2] as number) >> 2) + this.ordinal++] as number
    this.id = id
    this.chunkOffset = id << CHUNK_WORDS_SHIFT
    const descriptor = heap.chunks + this.chunkOffset
    this.data = u32[descriptor + CHUNK_DATA_WORD] as number
    this.room = u32[descriptor + CHUNK_CAPACITY_WORD] as number
    this.placement = this.registration.placement(u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number)
    this.row = 0
  }

  /** The arrays of a run by its number; `length` is the most rows it can have. */
  arraysOf(run: number, length: number): RunArrays {
    const known = this.runs[run]
    if (known !== undefined && known.data === this.data) return known
    return this.makeArrays(run, length)
  }

  private makeArrays(run: number, length: number): RunArrays {
    // A chunk may be kept for longer than its world.
    this.state.refuseDisposed()
    const { heap } = this.state
    const { fields, fieldNames } = this.registration.definition
    const arrays: Record<string, unknown> = {}
    fields.forEach((field, k) => {
      const first = this.index(field, k)
      arrays[fieldNames[k] as string] = arrayOf(heap, field.kind).subarray(
        first,
        first + length * field.length,
      )
    })
    const first = (this.data >> 2) + this.row
    const { rowTickOffset } = this.placement
    const ticks = ((this.data + rowTickOffset) >> 2) + this.row
    const made = {
      data: this.data,
      entities: heap.u32.subarray(first, first + length) as EntityArray,
      arrays,
      rowTicks: rowTickOffset === 0 ? undefined : heap.u32.subarray(ticks, ticks + length),
    }
    this.runs[run] = made
    return made
  }

  /** Puts a cursor's seat on this chunk; the row is set apart. */
  seat(seat: Seat): void {
    seat.moveTo(this.data, this.placement, this.chunkOffset)
  }

  /** Index of the run's first row of a column in the heap-wide array of its kind. */
  index(field: Field, k: number): number {
    const column = (this.data + (this.placement.offsets[k] as number)) >> field.shift
    return column + this.row * field.length
  }

  /** Marks the component changed in this chunk, and in rows of the run where rows are tracked. */
  mark(rowTicks: Uint32Array | undefined, start: number, end: number): void {
    const { u32, chunks } = this.state.heap
    const now = u32[WORLD_TICK_WORD] as number
    u32[(this.data + this.placement.tickOffset) >> 2] = now
    u32[chunks + this.chunkOffset + CHUNK_CHANGED_WORD] = now
    rowTicks?.fill(now, start, end)
  }
}

/** What a loop over a group sees of one run: the calls of ChunkView, all components in columns. */
export class GroupView extends Shown {
  /** Columns begin at the run's first row; conditions may leave rows out at its beginning. */
  start = 0
  end = 0
  readonly heap: Heap
  /** @internal All pools, in the order of the terms. */
  readonly pools: readonly GroupPool[]
  private run = -1
  /** The most rows this run can have. */
  private length = 0
  private readonly cursors: (GroupCursor | undefined)[]

  constructor(
    private readonly state: WorldState,
    private readonly plan: Plan,
  ) {
    super()
    this.heap = state.heap
    this.pools = plan.requiredPools.map((registration) => new GroupPool(state, registration))
    this.cursors = this.pools.map(() => undefined)
  }

  /** @internal */
  line(): string {
    return showRows('Chunk', this.start, this.end, this.plan.describe)
  }

  /** @internal */
  begin(): void {
    for (let k = 0; k < this.pools.length; k++) (this.pools[k] as GroupPool).begin()
    this.run = -1
    this.length = 0
  }

  /** @internal Drops all typed arrays: the query whose groups are walked tells when. */
  forgetArrays(): void {
    for (const pool of this.pools) pool.forgetArrays()
  }

  /** @internal Goes to the next run, of at most `rest` rows. */
  advance(rest: number): void {
    const pools = this.pools
    let length = 0x7fffffff
    for (let k = 0; k < pools.length; k++) {
      const pool = pools[k] as GroupPool
      pool.advance(this.length)
      if (pool.room < length) length = pool.room
    }
    this.run++
    this.length = length
    this.start = 0
    this.end = length < rest ? length : rest
  }

  get entities(): EntityArray {
    return this.arraysOf(this.pools[0] as GroupPool).entities
  }

  read(component: unknown): unknown {
    return this.arraysOf(this.poolOf(component, 'read')).arrays
  }

  write(component: unknown): unknown {
    const pool = this.poolOf(component, 'write')
    const { arrays, rowTicks } = this.arraysOf(pool)
    pool.mark(rowTicks, this.start, this.end)
    return arrays
  }

  markChanged(component: unknown, row?: number): void {
    const pool = this.poolOf(component, 'markChanged')
    const { rowTicks } = this.arraysOf(pool)
    if (row === undefined) pool.mark(rowTicks, this.start, this.end)
    else pool.mark(rowTicks, row, row + 1)
  }

  index(component: unknown, field: string): number {
    this.state.refuseDisposed()
    const pool = this.poolOf(component, 'index')
    const k = fieldNumber(component as Definition, field)
    return pool.index((component as Definition).fields[k] as Field, k)
  }

  cursor(component: unknown): GroupCursor {
    const pool = this.poolOf(component, 'cursor')
    const k = this.pools.indexOf(pool)
    return (this.cursors[k] ??= new GroupCursor(pool, this.heap))
  }

  private arraysOf(pool: GroupPool): RunArrays {
    return pool.arraysOf(this.run, this.length)
  }

  private poolOf(component: unknown, operation: string): GroupPool {
    const pools = this.pools
    for (let k = 0; k < pools.length; k++) {
      const { definition } = (pools[k] as GroupPool).registration
      if (definition === component && definition.fields.length > 0) return pools[k] as GroupPool
    }
    throw notInQuery(this.plan, component, operation)
  }
}

/** `chunk.cursor(C).at(i)` in a loop over a group. */
class GroupCursor {
  private readonly seated: SeatedCursor

  constructor(
    private readonly pool: GroupPool,
    heap: Heap,
  ) {
    this.seated = createCursor(pool.registration.definition, heap)
  }

  [INSPECT](): string {
    return `Cursor(${this.seated.seat.componentName})`
  }

  at(row: number): object {
    const { seat, cursor } = this.seated
    seat.position.row = this.pool.row + row
    this.pool.seat(seat)
    return cursor
  }
}
