// Owns what looks at the rows of a query: loops, kernels, first matches and lists.
// It must never change a row's place.

import type { Definition } from '../components/definition'
import type { Term } from '../components/terms'
import { requireBound } from '../kernels/runtime'
import type { Callback } from '../loops/rowLoop'
import type { Look } from '../matching/filters'
import { checkCallback } from '../memory/arguments'
import { type Entity, type EntityArray, entityArray } from '../memory/entity'
import { StrataError, StrataTypeError } from '../memory/errors'
import type { Registration } from '../rows/registration'
import type { Query } from './query'
import { sortHere } from './sortedHere'
import { MOST_ROWS, type SortKey, type SortedOptions, sortInCore, sortedKeys } from './sorting'

/** A query, whatever it is over. */
export type AnyQuery = Query<readonly Term[], boolean>

/** query.each */
export function eachRow(query: AnyQuery, callback: Callback): void {
  checkCallback('each', callback)
  const loop = query.iterate(query.look)
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
  const run = kernel.over(source.plan(), query.look.related)
  const loop = query.iterate(query.look)
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
export function listBy(query: AnyQuery, look: Look): EntityArray<ArrayBuffer> {
  const handles = entityArray(query.count)
  let filled = 0
  for (const run of query.iterate(look)) {
    handles.set(run.entities.subarray(run.start, run.end), filled)
    filled += run.end - run.start
  }
  return handles
}

/** query.sorted */
export function sortedOf(
  query: AnyQuery,
  component: unknown,
  field: unknown,
  options: SortedOptions | undefined,
): EntityArray<ArrayBuffer> {
  const { keys, limit } = sortedKeys(component, field, options)
  return sortedBy(query, keys, limit)
}

function sortedBy(
  query: AnyQuery,
  keys: readonly [SortKey, ...SortKey[]],
  limit: number,
): EntityArray<ArrayBuffer> {
  const [key] = keys
  const { source } = query
  const { state } = source
  const plan = source.plan()
  const registration = requiredIn(query, key.definition, 'sorted')
  if (registration === undefined) return entityArray(0)
  if (state.locks !== 0 || isWindow(query) || plan.address === 0 || keys.length > 1 || key.kind === undefined)
    return sortHere(state, query, registration, keys, limit)
  return sortInCore(state, key, (place, kind) =>
    changeMatching(query, (address, filters) =>
      state.core.querySort(address, filters, registration.id, place, kind, Math.min(limit, MOST_ROWS)),
    ),
  )
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
  const { related, limit } = query.look
  return related !== undefined || limit !== Infinity
}

/** Runs a bulk change in the core for all entities that match and pass the filters. Returns what the core returns. */
export function changeMatching(
  query: AnyQuery,
  call: (address: number, filterCount: number) => number,
): number {
  const { source, look } = query
  const { state } = source
  const plan = source.plan()
  const { bulkFilters: filters } = source
  filters.gather(plan, look.conditions, source.remembers ? source.seen : undefined)
  if (filters.impossible && look.consumes && source.remembers) source.markSeen()
  if (filters.impossible) return 0
  const result = call(plan.address, filters.write())
  state.heap.check()
  if (look.consumes && source.remembers && result >= 0) source.markSeen()
  return result
}
