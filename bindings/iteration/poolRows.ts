// Owns the walk of a query for table and sparse components: along the rows of a pool that is much smaller than the archetypes,
// standing on the rows that the same entities have there. Where no pool is, it goes by masked runs of the archetypes' chunks.

import { POOL_ADVANTAGE, ROW_BITS } from '../../build/layout'
import { INDEX_MASK } from '../memory/entity'
import { ROW_MASK } from '../memory/heap'
import { MaskedRuns } from './maskedRuns'
import type { RowConsumer } from './rowConsumer'

export class PoolRows extends MaskedRuns {
  private byPool = false
  /** Address of the pool's chunk whose rows are walked, while `chunk` stands on an archetype's. */
  private data = 0

  protected override start(): void {
    const { plan } = this
    const pool = plan.smallestPool()
    this.byPool = plan.rowsOf(pool) * POOL_ADVANTAGE < plan.archetypeRows()
    this.walk(this.byPool ? pool : undefined)
  }

  protected override enterChunk(): void {
    super.enterChunk()
    this.data = this.chunk.data
  }

  protected override enterRun(): boolean {
    return this.byPool ? this.enterPoolRow() : super.enterRun()
  }

  /** Stands on the archetype's row of the pool's next matching entity; false at the end of the pool's chunk. */
  private enterPoolRow(): boolean {
    const { chunk, rowsEnd } = this
    const row = this.masked ? this.mask.nextSet(this.row, rowsEnd) : this.row
    this.row = row + 1
    if (row >= rowsEnd) return false
    const { heap } = this.state
    const location = heap.locationAt((heap.u32[(this.data >> 2) + row] as number) & INDEX_MASK)
    chunk.enter(location >>> ROW_BITS)
    chunk.start = location & ROW_MASK
    chunk.end = chunk.start + 1
    return true
  }

  protected override takeAll(run: RowConsumer): void {
    if (this.byPool) while (this.step()) this.take(run)
    else super.takeAll(run)
  }
}
