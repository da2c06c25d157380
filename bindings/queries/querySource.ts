// Owns what a query and its narrower forms share: the plan with its walk, and what was seen of changes. Loops do the walking.

import { type ParsedTerm, describeTerms, opened } from '../components/terms'
import type { ChunkView, EntityArrays } from '../iteration/chunkView'
import type { Loop, LoopSource } from '../iteration/loop'
import { type Callback, RowLoop } from '../iteration/eachLoop'
import type { Strategy } from '../iteration/strategy'
import { strategyOf } from '../iteration/strategyOf'
import type { SeenChanges } from '../queryPlan/changeTermHooks'
import { type ListedColumns, forgetColumns } from '../queryPlan/chunkList'
import { Filters } from '../queryPlan/filters'
import { changingIn, Plan } from '../queryPlan/plan'
import { StrataError, StrataTypeError } from '../memory/errors'
import type { MemoryListener } from '../memory/memoryListeners'
import type { WorldState } from '../state/worldState'

/** What holds a query's typed arrays. It refers neither to the query nor, but for groups, to its plan: see MemoryListeners. */
class QueryArrays implements MemoryListener {
  /** Those of the plan's lists of chunks. */
  columns: readonly ListedColumns[] = []
  /** What loops over groups show. */
  readonly views: { forgetArrays(): void }[] = []

  memoryMoved(replaced: boolean): void {
    if (replaced) this.forgetArrays()
  }

  /** Drops all typed arrays. */
  forgetArrays(): void {
    for (const columns of this.columns) forgetColumns(columns)
    for (const view of this.views) view.forgetArrays()
  }
}

export class QuerySource implements LoopSource {
  /** Whether terms ask for what changed: then a complete look counts as having seen everything. */
  readonly remembers: boolean
  /** What was seen of changes; undefined where the terms do not ask for them. */
  private readonly seenTick: SeenChanges | undefined
  /** The filters of bulk changes, gathered again for each. */
  readonly bulkFilters: Filters
  private planned: Plan | undefined
  /** That of the plan. */
  private plannedWalk: Strategy | undefined
  private readonly rowLoops: RowLoop[] = []
  private readonly arrays = new QueryArrays()
  /** Whether the world knows of the arrays: from the first loop on, for there are none before. */
  private isKept = false
  /** Makes its components a group, where they are to be one whenever it is looked at. */
  formGroup: (() => void) | undefined
  private disposed = false

  constructor(
    readonly state: WorldState,
    readonly terms: readonly ParsedTerm[],
    readonly entityArrays: EntityArrays,
    /** Whether entities are meant, too, that a tag keeps out of queries. */
    private readonly meetsHidden = false,
  ) {
    this.bulkFilters = new Filters(state)
    this.seenTick = changingIn(terms)?.begin(state, this)
    this.remembers = this.seenTick !== undefined
    this.plan()
  }

  /** How the query is carried out now: made again after a reset, and once memory may grow again. */
  plan(): Plan {
    const known = this.planned
    if (
      known !== undefined &&
      known.generation === this.state.generation &&
      known.groupings === this.state.groupings &&
      (known.address !== 0 || (this.state.locks > 0 && known.loop === this.state.loop))
    ) {
      return known
    }
    this.state.refuseDisposed()
    this.refuseDisposed()
    // After a reset the group is gone, and this query still promises columns.
    this.formGroup?.()
    for (const { definition } of this.terms) this.state.claim(definition)
    const hiding = this.meetsHidden ? this.state.hiding : []
    const plan = new Plan(this.state, [...this.terms, ...hiding.map((tag) => opened(tag, 'optional', tag))])
    this.forgetPlan()
    this.planned = plan
    this.plannedWalk = strategyOf(this, plan)
    if (this.isKept) this.arrays.columns = plan.columns
    return plan
  }

  /** How the rows are visited now. */
  walk(): Strategy {
    this.plan()
    return this.plannedWalk as Strategy
  }

  /** Drops the plan's arrays. */
  private forgetPlan(): void {
    const { arrays } = this
    arrays.forgetArrays()
    arrays.columns = []
    arrays.views.length = 0
  }

  /** Drops what this query alone has; it cannot be looked at any more. */
  dispose(): void {
    if (this.disposed) return
    this.disposed = true
    this.seenTick?.dispose()
    this.state.heap.readers.delete(this.arrays)
    this.forgetPlan()
    this.planned = this.plannedWalk = undefined
    this.rowLoops.length = 0
  }

  /** Throws when dispose was called. */
  refuseDisposed(): void {
    if (!this.disposed) return
    throw new StrataError(
      'QUERY_DISPOSED',
      `The query (${describeTerms(this.terms)}) was disposed of: make a new one with world.query(…).`,
    )
  }

  /** From now on the arrays are dropped when the memory grows, and those of a view that a loop shows. */
  keepArrays(view?: { forgetArrays(): void }): void {
    const { arrays } = this
    if (view !== undefined) arrays.views.push(view)
    if (this.isKept) return
    this.isKept = true
    arrays.columns = this.planned?.columns ?? []
    this.state.heap.readers.add(arrays, this)
  }

  /** Calls back for each row of a loop that has just begun, with cursors that no other loop is using. */
  each(loop: Loop<ChunkView>, callback: Callback): void {
    const rows = this.rowLoops.pop() ?? new RowLoop(this.state)
    try {
      rows.run(loop, callback)
    } finally {
      this.rowLoops.push(rows)
    }
  }

  /** The change tick up to which everything was seen; undefined when nothing was, or too long ago to be compared. */
  get seen(): number | undefined {
    return this.seenTick?.seen
  }

  /** Everything up to now was seen; what is written from now on bears a later tick. */
  markSeen(): void {
    this.seenTick?.markSeen()
  }
}

/** query.dispose */
export function endOwn(source: QuerySource): void {
  if (source.remembers) {
    source.dispose()
    return
  }
  throw new StrataTypeError(
    'INVALID_QUERY',
    `query.dispose: ${source.plan().describe()} is shared by every world.query(…) with the same terms. Only one with changed() or added() has memory of its own to free.`,
  )
}
