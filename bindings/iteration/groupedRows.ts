// Owns the walk over a group, run by run of the chunks of its pools, and its `each`, whose cursors move side by side.

import { GROUP_SIZE } from '../../build/layout'
import type { QueryView } from '../queryPlan/filters'
import type { Plan } from '../queryPlan/plan'
import { refusePromise } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import type { SeatedCursor } from '../cursors/cursor'
import { type GroupPool, GroupView } from './groupView'
import type { LoopSource, RowConsumer } from './loop'
import type { Callback } from './eachLoop'
import { MaskedLoop } from './maskedLoop'

export class GroupedRows extends MaskedLoop<GroupView> {
  /** Rows of the group after the present run of chunks. */
  private rest = 0

  constructor(source: LoopSource, plan: Plan) {
    super(source, plan, new GroupView(source.state, plan))
    source.keepArrays(this.chunk)
  }

  protected start(view: QueryView): void {
    this.masked = view.conditions.length > 0 || this.state.hiding.length > 0
    this.rest = this.state.heap.word(this.plan.group + GROUP_SIZE)
    this.chunk.begin()
  }

  protected nextRun(): boolean {
    while (this.row < this.rowsEnd || this.rest > 0) {
      if (this.row === this.rowsEnd) this.enterRun()
      if (this.enterRows()) return true
    }
    return false
  }

  /** Goes to the next rows that lie in one chunk of every pool. */
  private enterRun(): void {
    const { chunk } = this
    chunk.advance(this.rest)
    this.rest -= chunk.end
    this.row = 0
    this.rowsEnd = chunk.end
    if (!this.masked) return
    const [first] = chunk.pools as [GroupPool]
    if (this.plan.mask(first.id, true, this.filters.write()) === 0) this.row = this.rowsEnd
    else this.mask.read(this.state.heap, first.row + chunk.end)
  }

  /** Stands on the next rows of the run that are meant; false when none is left in it. */
  private enterRows(): boolean {
    const { chunk, rowsEnd } = this
    let start = this.row
    let end = rowsEnd
    if (this.masked) {
      const { row: first } = chunk.pools[0] as GroupPool
      start = this.mask.nextSet(first + start, first + rowsEnd) - first
      end = this.mask.nextClear(first + start, first + rowsEnd) - first
    }
    chunk.start = start
    chunk.end = end
    this.row = end
    return start < end
  }

  protected take(run: RowConsumer): void {
    run.takeGroup(this.chunk)
  }

  /** The loop of `each`: a cursor for each component with data, moved by one store a row. */
  override each(callback: Callback): void {
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
      // Backwards, so that the next loop finds each cursor in its place again.
      for (let k = seated.length - 1; k >= 0; k--)
        (pools[k] as GroupPool).registration.cursors.giveBack(seated[k] as SeatedCursor, false)
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
        a.seat.position.row = rowA + row
        b.seat.position.row = rowB + row
        result = callback(heap.u32[handles + row] as Entity, a.cursor, b.cursor)
      }
      return result
    }
    const cursors = seated.map(({ cursor }) => cursor)
    for (let row = start; row < end; row++) {
      for (let k = 0; k < seated.length; k++)
        (seated[k] as SeatedCursor).seat.position.row = (pools[k] as GroupPool).row + row
      result = callback(heap.u32[handles + row] as Entity, ...cursors)
    }
    return result
  }
}
