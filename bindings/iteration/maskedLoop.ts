// Owns what loops over runs of rows share: filters, the mask of the rows at hand, and what counts as seen at the end. The mask is
// a copy of what the core found, one bit a row.

import { MASK_ADDRESS_WORD, MASK_BYTES } from '../../build/layout'
import type { Heap } from '../memory/heap'
import { Filters, type QueryView, type RowRun } from '../queryPlan/filters'
import type { Plan } from '../queryPlan/plan'
import type { ChunkView } from './chunkView'
import { Loop, type LoopSource, type RowConsumer } from './loop'

export abstract class MaskedLoop<View extends RowRun = ChunkView>
  extends Loop<View>
  implements IterableIterator<View>
{
  /** @internal Rows still to be left out at the beginning, and rows still to be given. */
  toSkip = 0
  /** @internal */
  toGive = 0
  /** What cuts runs to a window; undefined where rows are not counted. */
  protected cut: QueryView['cut']
  protected readonly filters: Filters
  /** The rows at hand that were not looked at yet: of a chunk, or places of a list. */
  protected row = 0
  protected rowsEnd = 0
  /** Whether rows are chosen by a mask, and the mask of the rows at hand. */
  protected masked = false
  protected readonly mask = new RowMask()
  /** The tick up to which changes were seen; undefined when changes do not matter, or at the first look. */
  protected since: number | undefined
  private consumes = false

  constructor(source: LoopSource, plan: Plan, chunk: View) {
    super(source, plan, chunk)
    this.filters = new Filters(source.state)
  }

  /** @internal Begins a loop. */
  begin(view: QueryView): void {
    const { source, plan, filters } = this
    this.since = source.remembers ? source.seen : undefined
    filters.gather(plan, view.conditions, this.since)
    this.masked = plan.filtersRows || view.conditions.length > 0
    this.row = 0
    this.rowsEnd = 0
    this.cut = view.cut
    this.toSkip = view.offset
    this.toGive = plan.impossible || filters.impossible ? 0 : view.limit
    this.consumes = view.consumes && source.remembers
    this.start(view)
    this.enter()
  }

  /** Goes to the beginning of what is walked. */
  protected abstract start(view: QueryView): void

  /** Stands on the next run; false after the last one. */
  protected abstract nextRun(): boolean

  /** Hands the run to a kernel. */
  protected abstract take(run: RowConsumer): void

  next(): IteratorResult<View> {
    if (this.loop !== this.state.loop) return this.return()
    let found: boolean | undefined
    try {
      found = this.step()
    } finally {
      // The language does not call `return` for a step that failed.
      if (found === undefined) this.return()
    }
    return found ? (this.result as IteratorResult<View>) : this.finish()
  }

  /** Stands on the next run, or on what a window leaves of it; false after the last one. */
  protected step(): boolean {
    while (this.toGive > 0 && this.nextRun()) if (this.cut === undefined || this.cut(this)) return true
    return false
  }

  /** Ends a complete loop. One that was left early has not seen everything: the next one begins where this one began. */
  protected finish(): IteratorResult<View> {
    if (this.open && this.consumes) this.source.markSeen()
    return this.return()
  }

  /** @internal Counts the rows of a loop that has just begun, and ends it. */
  count(): number {
    try {
      return this.countRows()
    } finally {
      this.return()
    }
  }

  protected countRows(): number {
    const { chunk } = this
    let count = 0
    while (this.step()) count += chunk.end - chunk.start
    return count
  }

  /** @internal Calls a kernel with the rows of a loop that has just begun, and ends it. */
  callKernel(run: RowConsumer): void {
    this.takeAll(run)
    run.end()
    this.finish()
  }

  protected takeAll(run: RowConsumer): void {
    while (this.step()) this.take(run)
  }
}

/** Rows that one mask can tell about. */
export const MASK_ROWS = MASK_BYTES * 8

class RowMask {
  private readonly words = new Uint32Array(MASK_BYTES / 4)

  /** Copies the bits of the first rows: loops inside this one have masks of their own. */
  read({ u32 }: Heap, rows: number): void {
    const { words } = this
    const count = (rows + 31) >> 5
    for (let i = 0; i < count; i++) words[i] = u32[MASK_ADDRESS_WORD + i] as number
  }

  /** The first row from `row` on whose bit is set, or `end` if no row before it has one. */
  nextSet(row: number, end: number): number {
    const { words } = this
    while (row < end) {
      const bits = (words[row >> 5] as number) >>> (row & 31)
      if (bits !== 0) return Math.min(row + 31 - Math.clz32(bits & -bits), end)
      row = (row | 31) + 1
    }
    return end
  }

  /** The first row from `row` on whose bit is clear, or `end` if no row before it has one. */
  nextClear(row: number, end: number): number {
    const { words } = this
    while (row < end) {
      const bits = ~(words[row >> 5] as number) >>> (row & 31)
      if (bits !== 0) return Math.min(row + 31 - Math.clz32(bits & -bits), end)
      row = (row | 31) + 1
    }
    return end
  }
}
