// Owns the calls that look at the rows of a query: loops, kernels, first matches and lists.

import type { Definition } from '../components/definition'
import type { Term } from '../components/terms'
import { requireBound } from '../kernels/runtime'
import type { Callback } from '../iteration/eachLoop'
import type { QueryView } from '../queryPlan/filters'
import { checkCallback } from '../memory/arguments'
import { type Entity, type EntityArray, entityArray } from '../memory/entity'
import { StrataError, StrataTypeError } from '../memory/errors'
import type { Registration } from '../state/registration'
import type { Query } from './query'

/** A query, whatever it is over. */
export type AnyQuery = Query<readonly Term[], boolean>

/** query.each */
export function eachRow(query: AnyQuery, callback: Callback): void {
  checkCallback('each', callback)
  const loop = query.iterate(query.view)
  try {
    loop.each(callback)
  } finally {
    loop.return()
  }
}

/** query.run */
export function runOver(query: AnyQuery, kernel: unknown, scalars: unknown): unknown {
  const { source } = query
  source.plan()
  requireBound(kernel, 'query.run')
  const taken = kernel.check(source.state, 'query.run', scalars)
  // Asked for again: reading the scalars may have run any code.
  const run = kernel.over(source.plan(), query.view.related)
  const loop = query.iterate(query.view)
  try {
    run.begin(taken)
    loop.callKernel(run)
  } finally {
    loop.return()
  }
  return run.result
}

/** query.first */
export function firstOf(query: AnyQuery): Entity | undefined {
  for (const run of query.iterate(query.peek)) return run.entities[run.start]
  return undefined
}

/** query.single */
export function singleOf(query: AnyQuery): Entity {
  const count = query.count
  if (count !== 1) {
    throw new StrataError(
      'NOT_SINGLE',
      `single: ${count} entities match ${query.source.plan().describe()}, not exactly one.`,
    )
  }
  return query.first() as Entity
}

/** query.entities, by a look */
export function listBy(query: AnyQuery, view: QueryView): EntityArray<ArrayBuffer> {
  const handles = entityArray(query.count)
  let filled = 0
  for (const run of query.iterate(view)) {
    handles.set(run.entities.subarray(run.start, run.end), filled)
    filled += run.end - run.start
  }
  return handles
}

/** What the world knows of a component that every match has; undefined while nothing can match. */
export function requiredIn(
  query: AnyQuery,
  definition: Definition,
  operation: string,
): Registration | undefined {
  const { source } = query
  const plan = source.plan()
  if (!source.terms.some((term) => term.definition === definition && term.role === 'required')) {
    throw new StrataTypeError(
      'INVALID_ORDER',
      `${operation}: ${definition.componentName} is not required by ${plan.describe()}: entities without it have no value.`,
    )
  }
  return plan.impossible ? undefined : source.state.known(definition)
}

/** Whether the query is limited to a range of places, or by links: what the core cannot tell. */
export function isWindow(query: AnyQuery): boolean {
  const { related, limit } = query.view
  return related !== undefined || limit !== Infinity
}

/** Runs a bulk change in the core for all entities that match and pass the filters. Returns what the core returns. */
export function changeMatching(
  query: AnyQuery,
  call: (address: number, filterCount: number) => number,
): number {
  const { source, view } = query
  const { state } = source
  const plan = source.plan()
  const { bulkFilters: filters } = source
  filters.gather(plan, view.conditions, source.remembers ? source.seen : undefined)
  if (filters.impossible && view.consumes && source.remembers) source.markSeen()
  if (filters.impossible) return 0
  const result = call(plan.address, filters.write())
  state.heap.check()
  if (view.consumes && source.remembers && result >= 0) source.markSeen()
  return result
}

/** Where a query remembers what it has seen: its change counts as a look. */
export function markQuerySeen(query: AnyQuery): void {
  if (query.view.consumes && query.source.remembers) query.source.markSeen()
}
