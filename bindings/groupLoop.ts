// Owns loops over a group: pools whose rows lie in the same order are walked side by side, each in its own chunks.
// It must never allocate once the runs are known: a run ends where a chunk of any pool ends, so runs begin at the
// same rows every time, and their arrays are kept by number.
//
//   A   ├── chunk ──┼────── chunk ──────┼──        each step is a run of rows that lie in one chunk of every pool;
//   B   ├──── chunk ────┼──── chunk ────┼──        its arrays begin at its first row, so that one index serves all
//       └─ run 0 ───┴ 1 ┴──── run 2 ────┴──

import {
  CHUNK_CAPACITY,
  CHUNK_DATA,
  CHUNK_LAYOUT_KEY,
  GROUP_SIZE,
  LIST_ITEMS,
  MASK_ADDRESS,
  MASK_BYTES,
  TABLE_CHUNKS,
} from '../build/layout'
import { fieldNumber, notInQuery } from './chunk'
import type { Definition } from './component'
import { type Seat, type SeatedCursor, createCursor } from './cursor'
import type { Entity } from './entity'
import { type Field, SHIFT_OF, arrayOf } from './fields'
import { Filters } from './filters'
import { CHANGED_WORD, type Heap, TICK } from './heap'
import type { Look } from './iteration'
import type { Plan } from './plan'
import { CHUNK_WORDS_SHIFT, type Placement, type Registration } from './registration'
import type { WorldState } from './worldState'

type Callback = (entity: Entity, ...cursors: unknown[]) => void

/** The arrays of one pool in one run, all from the run's first row on. */
interface RunArrays {
  readonly data: number
  readonly entities: Uint32Array
  readonly arrays: Record<string, unknown>
  /** When each row changed last, where rows are tracked. */
  readonly rowTicks: Uint32Array | undefined
}

/** One pool of the group, and where the present run lies in it. */
class GroupPool {
  /** Address of the chunk, and the run's first row in it. */
  data = 0
  row = 0
  /** The chunk's id, and the index of its descriptor in Heap.u32. */
  id = 0
  descriptor = 0
  /** Rows from that one to the end of the chunk's capacity. */
  room = 0
  placement!: Placement
  private ordinal = 0
  private readonly runs: RunArrays[] = []
  private generation = -1

  constructor(
    private readonly state: WorldState,
    readonly registration: Registration,
  ) {}

  begin(): void {
    this.ordinal = 0
    this.row = 0
    this.room = 0
    if (this.generation === this.state.generationOfArrays) return
    this.runs.length = 0
    this.generation = this.state.generationOfArrays
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
    const descriptor = heap.chunks + (id << CHUNK_WORDS_SHIFT)
    this.id = id
    this.descriptor = descriptor
    this.data = u32[descriptor + (CHUNK_DATA >> 2)] as number
    this.room = u32[descriptor + (CHUNK_CAPACITY >> 2)] as number
    this.placement = this.registration.placement(u32[descriptor + (CHUNK_LAYOUT_KEY >> 2)] as number)
    this.row = 0
  }

  /** The arrays of a run by its number; `length` is the most rows it can have. */
  arraysOf(run: number, length: number): RunArrays {
    const known = this.runs[run]
    if (known !== undefined && known.data === this.data) return known
    return this.makeArrays(run, length)
  }

  private makeArrays(run: number, length: number): RunArrays {
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
      entities: heap.u32.subarray(first, first + length),
      arrays,
      rowTicks: rowTickOffset === 0 ? undefined : heap.u32.subarray(ticks, ticks + length),
    }
    this.runs[run] = made
    return made
  }

  /** Puts a cursor's seat on this chunk; the row is set apart. */
  seat(seat: Seat): void {
    seat.moveTo(this.data, this.placement, this.descriptor)
  }

  /** Index of the run's first row of a column in the heap-wide array of its kind. */
  index(field: Field, k: number): number {
    const column = (this.data + (this.placement.offsets[k] as number)) >> SHIFT_OF[field.kind]
    return column + this.row * field.length
  }

  /** Marks the component changed in this chunk, and in rows of the run where rows are tracked. */
  mark(rowTicks: Uint32Array | undefined, start: number, end: number): void {
    const { u32 } = this.state.heap
    const now = u32[TICK] as number
    u32[(this.data + this.placement.tickOffset) >> 2] = now
    u32[this.descriptor + CHANGED_WORD] = now
    rowTicks?.fill(now, start, end)
  }
}

/** What a loop over a group sees of one run: the calls of ChunkView, all components in columns. */
export class GroupView {
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
    state: WorldState,
    private readonly plan: Plan,
  ) {
    this.heap = state.heap
    this.pools = plan.requiredPools.map((registration) => new GroupPool(state, registration))
    this.cursors = this.pools.map(() => undefined)
  }

  /** @internal */
  begin(): void {
    for (let k = 0; k < this.pools.length; k++) (this.pools[k] as GroupPool).begin()
    this.run = -1
    this.length = 0
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

  get entities(): Uint32Array {
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

  touch(component: unknown, row?: number): void {
    const pool = this.poolOf(component, 'touch')
    const { rowTicks } = this.arraysOf(pool)
    if (row === undefined) pool.mark(rowTicks, this.start, this.end)
    else pool.mark(rowTicks, row, row + 1)
  }

  index(component: unknown, field: string): number {
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

  at(row: number): object {
    const { seat, cursor } = this.seated
    seat.row = this.pool.row + row
    this.pool.seat(seat)
    return cursor
  }
}

/** The walk of a loop over a group, and the lock that holds while it is open. */
export class GroupIterator implements IterableIterator<GroupView> {
  readonly chunk: GroupView
  /** @internal Whether a loop is using this iterator now. */
  open = false
  private readonly result: { done: boolean; value: GroupView }
  private readonly filters: Filters
  /** Rows of the group behind the present run of chunks. */
  private rest = 0
  /** Rows of the present run of chunks that were not given yet: from `row` to below `runEnd`. */
  private row = 0
  private runEnd = 0
  /** Whether conditions leave rows out, and a bit for each row of the first pool's chunk that is meant. */
  private masked = false
  private readonly mask = new Uint32Array(MASK_BYTES / 4)
  /** Rows still to be left out, and rows still to be given. */
  private toSkip = 0
  private toGive = Infinity

  constructor(
    private readonly state: WorldState,
    /** @internal */
    readonly plan: Plan,
  ) {
    this.chunk = new GroupView(state, plan)
    this.filters = new Filters(state)
    this.result = { done: false, value: this.chunk }
  }

  /** @internal Begins a loop. */
  begin(look: Look): void {
    this.filters.gather(this.plan, look.conditions, undefined)
    this.masked = look.conditions.length > 0
    this.toSkip = look.offset
    this.toGive = look.limit
    this.open = true
    this.result.done = false
    this.state.lock()
    this.rest = this.state.heap.word(this.plan.group + GROUP_SIZE)
    this.row = 0
    this.runEnd = 0
    this.chunk.begin()
  }

  next(): IteratorResult<GroupView> {
    while (this.toGive > 0) {
      if (this.row === this.runEnd) {
        if (this.rest === 0) break
        this.enterRun()
      }
      if (this.enterRows() && this.cut()) return this.result as IteratorResult<GroupView>
    }
    return this.return()
  }

  /** Goes to the next rows that lie in one chunk of every pool. */
  private enterRun(): void {
    const { chunk } = this
    chunk.advance(this.rest)
    this.rest -= chunk.end
    this.row = 0
    this.runEnd = chunk.end
    if (!this.masked) return
    const [first] = chunk.pools as [GroupPool]
    this.plan.mask(first.id, true, this.filters.write())
    const { u32 } = this.state.heap
    const words = (first.row + chunk.end + 31) >> 5
    for (let i = 0; i < words; i++) this.mask[i] = u32[(MASK_ADDRESS >> 2) + i] as number
  }

  /** Stands on the next rows of the run that are meant; false when none is left in it. */
  private enterRows(): boolean {
    const { chunk, runEnd } = this
    let start = this.row
    let end = runEnd
    if (this.masked) {
      const { row: first } = chunk.pools[0] as GroupPool
      while (start < runEnd && !this.isMeant(first + start)) start++
      end = start
      while (end < runEnd && this.isMeant(first + end)) end++
    }
    chunk.start = start
    chunk.end = end
    this.row = end
    return start < end
  }

  private isMeant(row: number): boolean {
    return (((this.mask[row >> 5] as number) >>> (row & 31)) & 1) !== 0
  }

  /** Keeps of the rows what lies in the window that is asked for; false when nothing does. */
  private cut(): boolean {
    const { chunk } = this
    const rows = chunk.end - chunk.start
    if (this.toSkip >= rows) {
      this.toSkip -= rows
      return false
    }
    chunk.start += this.toSkip
    this.toSkip = 0
    chunk.end = Math.min(chunk.end, chunk.start + this.toGive)
    this.toGive -= chunk.end - chunk.start
    return true
  }

  /** Called by the language when a loop is left early. */
  return(): IteratorResult<GroupView> {
    if (this.open) {
      this.open = false
      this.result.done = true
      this.state.unlock()
    }
    return this.result as IteratorResult<GroupView>
  }

  [Symbol.iterator](): this {
    return this
  }

  /** The loop of `each`: a cursor for each component with data, moved by one store a row. */
  each(callback: Callback): void {
    const pools = this.chunk.pools.filter(({ registration }) => registration.definition.fields.length > 0)
    const seated = pools.map(({ registration }) => registration.cursors.take())
    try {
      while (!this.next().done) {
        pools.forEach((pool, k) => pool.seat((seated[k] as SeatedCursor).seat))
        this.eachRow(pools, seated, callback)
      }
    } finally {
      pools.forEach(({ registration }, k) => registration.cursors.giveBack(seated[k] as SeatedCursor))
      this.return()
    }
  }

  private eachRow(pools: readonly GroupPool[], seated: readonly SeatedCursor[], callback: Callback): void {
    const { start, end } = this.chunk
    const { heap } = this.state
    const [first] = this.chunk.pools as [GroupPool]
    const handles = (first.data >> 2) + first.row
    const [a, b] = seated
    if (a !== undefined && b !== undefined && seated.length === 2) {
      const [rowA, rowB] = [(pools[0] as GroupPool).row, (pools[1] as GroupPool).row]
      for (let row = start; row < end; row++) {
        a.seat.row = rowA + row
        b.seat.row = rowB + row
        callback(heap.u32[handles + row] as Entity, a.cursor, b.cursor)
      }
      return
    }
    const cursors = seated.map(({ cursor }) => cursor)
    for (let row = start; row < end; row++) {
      for (let k = 0; k < seated.length; k++)
        (seated[k] as SeatedCursor).seat.row = (pools[k] as GroupPool).row + row
      callback(heap.u32[handles + row] as Entity, ...cursors)
    }
  }
}
