// Owns the walk along a list of entities, of a look or of an ordered tag, over the rows that they have: as many at once as lie
// side by side in one chunk.

import { LIST_COUNT, LIST_ITEMS, ORDER_LIST_STALE, POOL_ORDER, ROW_BITS } from '../../build/layout'
import type { QueryView } from '../queryPlan/filters'
import type { Plan } from '../queryPlan/plan'
import { INDEX_MASK } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { ROW_MASK } from '../memory/heap'
import type { Registration } from '../state/registration'
import { ChunkView } from './chunkView'
import type { LoopSource, RowConsumer } from './loop'
import { MASK_ROWS, MaskedLoop } from './maskedLoop'
import { Strategy, type StrategyChoice } from './strategy'

export class ListedRows extends MaskedLoop {
  /** The list of a look; undefined for that of an ordered tag, in memory. */
  private list: Uint32Array | undefined
  /** In the list: the first entity at hand, the one that follows those, and the end. */
  private first = 0
  private following = 0
  private end = 0
  /** The pool whose rows are visited; undefined for those of archetypes. */
  private pool: Registration | undefined

  constructor(source: LoopSource, plan: Plan) {
    super(source, plan, new ChunkView(source.state, source.entityArrays, plan))
  }

  override begin(view: QueryView): void {
    // Before anything is noted: finding the entities may be a loop by this very iterator.
    const list = view.related?.list()
    this.list = list
    super.begin(view)
  }

  protected start(): void {
    const { list } = this
    const { walksPool, requiredPools, order } = this.plan
    this.masked ||= this.since !== undefined
    this.pool = undefined
    if (list === undefined) return this.enterOrder(order as Registration)
    // The columns of a query over one pool are those of its rows.
    if (walksPool && requiredPools.length === 1) this.pool = requiredPools[0]
    this.following = 0
    this.end = list.length
  }

  /** The list of an ordered tag, rid of what has lost the tag. */
  private enterOrder({ id, pool }: Registration): void {
    const { heap, core } = this.state
    const list = heap.word(pool + POOL_ORDER)
    if (heap.word(list + ORDER_LIST_STALE) !== 0) core.orderSqueeze(id)
    this.following = heap.word(list + LIST_ITEMS) >> 2
    this.end = this.following + heap.word(list + LIST_COUNT)
  }

  protected nextRun(): boolean {
    while (this.row < this.rowsEnd || this.nextPlaces()) if (this.enterRun()) return true
    return false
  }

  /** Goes to the next places of the list, as many as a mask tells about; false after the last one. */
  private nextPlaces(): boolean {
    const { following: first, masked } = this
    const left = this.end - first
    const count = masked ? Math.min(MASK_ROWS, left) : left
    this.first = first
    this.following = first + count
    this.row = 0
    this.rowsEnd = count
    if (masked && count > 0) {
      if (this.plan.maskOrder(this.list ?? this.state.heap.u32, first, count, this.filters.write()) === 0)
        this.row = count
      else this.mask.read(this.state.heap, count)
    }
    return count > 0
  }

  /** Stands on the rows of the next entities that are meant, as long as they follow each other in one chunk. */
  private enterRun(): boolean {
    const { chunk, rowsEnd, first } = this
    const list = this.list ?? this.state.heap.u32
    let place = this.masked ? this.mask.nextSet(this.row, rowsEnd) : this.row
    if (place >= rowsEnd) {
      this.row = rowsEnd
      return false
    }
    const end = this.masked ? this.mask.nextClear(place + 1, rowsEnd) : rowsEnd
    const location = this.locationOf(list[first + place] as number)
    // After the last row of a chunk begins the number of the next one.
    const last = Math.min(end - place - 1, ROW_MASK - (location & ROW_MASK))
    let rows = 1
    place++
    while (rows <= last && this.locationOf(list[first + place] as number) === location + rows) {
      rows++
      place++
    }
    this.row = place
    chunk.enter(location >>> ROW_BITS)
    chunk.start = location & ROW_MASK
    chunk.end = chunk.start + rows
    return true
  }

  /** Where the row of an entity of the list lies that the loop stands on. */
  private locationOf(entity: number): number {
    const index = entity & INDEX_MASK
    return this.pool === undefined ? this.state.heap.locationAt(index) : this.pool.findRow(index)
  }

  protected take(run: RowConsumer): void {
    run.takeChunk(this.chunk, false)
  }

  /** All at once, where every entity of the list is meant, and the kernel can. */
  protected override takeAll(run: RowConsumer): void {
    const { list } = this
    if (this.masked || this.cut !== undefined || list === undefined || run.takeList?.(list) !== true)
      super.takeAll(run)
  }
}

/** The walk along the list that a look is related to. */
export const listedStrategy: StrategyChoice = (own) => {
  // The group may be younger than the query.
  refuseGroup(own.plan)
  return (own.listed ??= new Strategy(own.source, own.plan, ListedRows))
}

/** Throws where the components are a group: its rows are visited side by side, and no list can be followed there. */
export function refuseGroup({ group }: Plan): void {
  if (group === 0) return
  throw new StrataTypeError(
    'INVALID_QUERY',
    'query: the components are a group, which has an order of its own: leave out targets, cascade() and inCreationOrder(), or make no group of them.',
  )
}
