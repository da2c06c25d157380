// Owns the choice of a plan's walk, made once with the plan. The calls and terms that narrow a query bring windows and lists.

import type { Plan } from '../queryPlan/plan'
import type { WorldState } from '../state/worldState'
import type { GroupedRows } from './groupedRows'
import { ListedRows } from './listedRows'
import type { LoopSource } from './loop'
import { MaskedRuns, PoolRows } from './maskedRuns'
import type { MaskedLoop } from './maskedLoop'
import { type LoopClass, Strategy } from './strategy'
import { WholeChunks } from './wholeChunks'

/** The walk over all that match. */
export function strategyOf(source: LoopSource, plan: Plan): Strategy {
  const Runs = runsOf(plan, source.state)
  const Own: LoopClass<WholeChunks | MaskedLoop | GroupedRows> =
    plan.walksWhole && plan.group === 0 ? WholeChunks : Runs
  return new Strategy(source, plan, Own, new Strategy(source, plan, Runs))
}

/** What walks by runs of rows. */
function runsOf(
  { group, order, walksPool, requiredPools }: Plan,
  { grouping }: WorldState,
): LoopClass<MaskedLoop | GroupedRows> {
  if (group !== 0) return grouping?.Loop as LoopClass<GroupedRows>
  if (order !== undefined) return ListedRows
  return walksPool || requiredPools.length === 0 ? MaskedRuns : PoolRows
}
