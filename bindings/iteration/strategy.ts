// Owns walks: how the rows of a plan are visited, chosen when the plan is made. A walk lends a loop to each nesting.

import type { QueryView } from '../queryPlan/filters'
import type { Plan } from '../queryPlan/plan'
import type { GroupedRows } from './groupedRows'
import type { LoopSource } from './loop'
import type { MaskedLoop } from './maskedLoop'
import type { WholeChunks } from './wholeChunks'

type LoopByRuns = MaskedLoop | GroupedRows

/** What walks over a plan. */
export type LoopClass<L> = new (source: LoopSource, plan: Plan) => L

/** Which walk a query takes: the plan's own, or one that what narrows it brings. */
export type StrategyChoice = (own: Strategy) => Strategy

export const ownStrategy: StrategyChoice = (own) => own

/** The walk over what conditions, or a window, leave. */
export function narrowedStrategy(choice: StrategyChoice): StrategyChoice {
  return (own) => choice(own).narrowed
}

export class Strategy<L extends WholeChunks | LoopByRuns = WholeChunks | LoopByRuns> {
  /** The walk over what conditions, or a window, leave: by runs. */
  readonly narrowed: Strategy<LoopByRuns>
  /** The walk along a list, of a plan's own walk, once it was asked for: see listedStrategy. */
  listed: Strategy<LoopByRuns> | undefined
  private readonly loops: L[] = []

  /** @param narrowed left out where it is the walk itself */
  constructor(
    readonly source: LoopSource,
    readonly plan: Plan,
    private readonly Loop: LoopClass<L>,
    narrowed?: Strategy<LoopByRuns>,
  ) {
    this.narrowed = narrowed ?? (this as unknown as Strategy<LoopByRuns>)
  }

  /** Begins a loop: an idle one of those that were made, or one more. */
  begin(view: QueryView): L {
    const { loops, Loop } = this
    let i = 0
    while (i < loops.length && (loops[i] as L).open) i++
    if (i === loops.length) loops.push(new Loop(this.source, this.plan))
    const loop = loops[i] as L
    loop.begin(view)
    return loop
  }

  /** How many rows a loop would visit: of all that match, the plan may know it. */
  count(view: QueryView): number {
    const { narrowed } = this
    const known = narrowed === (this as unknown) ? undefined : this.plan.wholeCount()
    return known ?? narrowed.begin(view).count()
  }
}
