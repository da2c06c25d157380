// Owns the walk of a loop over a group, run by run, and what conditions and windows leave of it.
// It must never allocate once made: iterators are used again.

import { GROUP_SIZE } from '../../build/layout'
import { Filters, type Look } from '../matching/filters'
import type { Plan } from '../matching/plan'
import { refusePromise } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import type { SeatedCursor } from '../rows/cursor'
import type { WorldState } from '../rows/worldState'
import { type GroupPool, GroupView } from './groupView'
import { Loop } from './loop'
import { RowMask } from './rowMask'
import type { RowVisitor } from './rowVisitor'
import { Window } from './window'

type Callback = (entity: Entity, ...cursors: unknown[]) => unknown

/** The walk of a loop over a group. */
export class GroupIterator extends Loop<GroupView> implements IterableIterator<GroupView> {
  private readonly filters: Filters
  /** Rows of the group behind the present run of chunks. */
  private rest = 0
  /** Rows of the present run of chunks that were not given yet: from `row` to below `runEnd`. */
  private row = 0
  private runEnd = 0
  /** Whether conditions, or tags, leave rows out, and which rows of the first pool's chunk are meant. */
  private masked = false
  private readonly mask = new RowMask()
  private readonly window = new Window()

  constructor(state: WorldState, plan: Plan) {
    super(state, plan, new GroupView(state, plan))
    this.filters = new Filters(state)
  }

  /** @internal Begins a loop. */
  begin(look: Look): void {
    this.filters.gather(this.plan, look.conditions, undefined)
    this.masked = look.conditions.length > 0 || this.state.hiding.length > 0
    this.window.begin(look)
    this.rest = this.state.heap.word(this.plan.group + GROUP_SIZE)
    this.row = 0
    this.runEnd = 0
    this.chunk.begin()
    this.enter()
  }

  next(): IteratorResult<GroupView> {
    let found = false
    try {
      found = this.loop === this.state.loop && this.nextRows()
    } finally {
      // The language does not call `return` for a step that failed.
      if (!found) this.return()
    }
    return this.result as IteratorResult<GroupView>
  }

  /** Stands on the next rows; false behind the last ones. */
  private nextRows(): boolean {
    while (this.window.toGive > 0) {
      if (this.row === this.runEnd) {
        if (this.rest === 0) return false
        this.enterRun()
      }
      if (this.enterRows() && this.window.cut(this.chunk)) return true
    }
    return false
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
    if (this.plan.mask(first.id, true, this.filters.write()) === 0) {
      this.row = this.runEnd
      return
    }
    this.mask.read(this.state.heap, first.row + chunk.end)
  }

  /** Stands on the next rows of the run that are meant; false when none is left in it. */
  private enterRows(): boolean {
    const { chunk, runEnd } = this
    let start = this.row
    let end = runEnd
    if (this.masked) {
      const { row: first } = chunk.pools[0] as GroupPool
      start = this.mask.nextSet(first + start, first + runEnd) - first
      end = this.mask.nextClear(first + start, first + runEnd) - first
    }
    chunk.start = start
    chunk.end = end
    this.row = end
    return start < end
  }

  /** @internal Counts the rows of a loop that has just begun, and ends it. */
  countRows(): number {
    let count = 0
    while (!this.next().done) count += this.chunk.end - this.chunk.start
    return count
  }

  /** @internal Hands the rows of a loop that has just begun to a kernel, and ends it. */
  callKernel(run: RowVisitor): void {
    while (this.nextRows()) run.takeGroup(this.chunk)
    run.end()
    this.return()
  }

  /** The loop of `each`: a cursor for each component with data, moved by one store a row. */
  each(callback: Callback): void {
    let pools: readonly GroupPool[] = []
    let seated: readonly SeatedCursor[] = []
    try {
      pools = this.chunk.pools.filter(({ registration }) => registration.definition.fields.length > 0)
      seated = pools.map(({ registration }) => registration.cursors.take(registration.definition, false))
      while (!this.next().done) {
        pools.forEach((pool, k) => pool.seat((seated[k] as SeatedCursor).seat))
        refusePromise('each', this.eachRow(pools, seated, callback))
      }
    } finally {
      try {
        // Backwards, so that the next loop finds each cursor in its place again.
        for (let k = seated.length - 1; k >= 0; k--)
          (pools[k] as GroupPool).registration.cursors.giveBack(seated[k] as SeatedCursor, false)
      } finally {
        this.return()
      }
    }
  }

  private eachRow(pools: readonly GroupPool[], seated: readonly SeatedCursor[], callback: Callback): unknown {
    const { start, end } = this.chunk
    const { heap } = this.state
    let result: unknown
    const [first] = this.chunk.pools as [GroupPool]
    const handles = (first.data >> 2) + first.row
    const [a, b] = seated
    if (a !== undefined && b !== undefined && seated.length === 2) {
      const [rowA, rowB] = [(pools[0] as GroupPool).row, (pools[1] as GroupPool).row]
      for (let row = start; row < end; row++) {
        a.seat.place.row = rowA + row
        b.seat.place.row = rowB + row
        result = callback(heap.u32[handles + row] as Entity, a.cursor, b.cursor)
      }
      return result
    }
    const cursors = seated.map(({ cursor }) => cursor)
    for (let row = start; row < end; row++) {
      for (let k = 0; k < seated.length; k++)
        (seated[k] as SeatedCursor).seat.place.row = (pools[k] as GroupPool).row + row
      result = callback(heap.u32[handles + row] as Entity, ...cursors)
    }
    return result
  }
}
