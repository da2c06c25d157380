// Owns queries for some of the entities of another one, by a condition, a range of places, or a part, and the window to which a
// loop cuts its runs for the latter two.

import { definitionOf } from '../components/definition'
import { refuseUntargeted } from '../components/needsTarget'
import { notAComponent } from '../components/notAComponent'
import type { Comparison } from '../components/queryTypes'
import { narrowedStrategy } from '../iteration/strategy'
import { checkWhole } from '../memory/arguments'
import { StrataTypeError } from '../memory/errors'
import { parseCondition } from '../queryPlan/conditions'
import type { Cut } from '../queryPlan/filters'
import { hasData } from '../queryPlan/plan'
import type { AnyQuery } from './queryRows'

/** query.where */
export function where(
  query: AnyQuery,
  component: unknown,
  field: string,
  comparison: Comparison,
  value: unknown,
): AnyQuery {
  const definition = definitionOf(component)
  if (definition === undefined) throw notAComponent(component, 'where')
  if (!query.source.terms.some((term) => term.definition === definition && hasData(term))) {
    refuseUntargeted(definition)
    throw new StrataTypeError(
      'INVALID_QUERY',
      `where: ${definition.componentName} has no data in ${query.source.plan().describe()}: add it to the query.`,
    )
  }
  if (query.view.limit !== Infinity) {
    throw new StrataTypeError('INVALID_QUERY', 'where: state the conditions before slice() or partition().')
  }
  const condition = parseCondition(definition, field, comparison, value)
  const conditions = [...query.view.conditions, condition]
  return query.narrowed({ ...query.view, conditions }, narrowedStrategy(query.strategyOf))
}

/** query.slice */
export function slice(query: AnyQuery, start: number, end: number): AnyQuery {
  checkWhole('slice', 'the start', start)
  if (end !== Infinity) checkWhole('slice', 'the end', end)
  const { view } = query
  const part = {
    ...view,
    offset: view.offset + start,
    limit: Math.max(0, Math.min(end, view.limit) - start),
    cut: cutToWindow,
    consumes: false,
  }
  return query.narrowed(part, narrowedStrategy(query.strategyOf))
}

/** query.partition */
export function partition(query: AnyQuery, index: number, count: number): AnyQuery {
  checkWhole('partition', 'the index', index)
  checkWhole('partition', 'the count', count)
  if (index >= count) {
    throw new StrataTypeError('INVALID_OPTION', `partition: of ${count} parts there is no part ${index}.`)
  }
  const total = query.count
  const first = Math.floor((total * index) / count)
  return slice(query, first, Math.floor((total * (index + 1)) / count))
}

/** Throws for a query by where(), slice() or partition(). */
export function refuseNarrowed(query: AnyQuery, operation: string): void {
  const { conditions, limit } = query.view
  if (conditions.length === 0 && limit === Infinity) return
  throw new StrataTypeError(
    'INVALID_QUERY',
    `${operation} takes a query without where(), slice() or partition(): listeners cannot follow values or places.`,
  )
}

/** Trims the loop's current run to its window; returns false if nothing of it is left. */
const cutToWindow: Cut = (loop) => {
  const { chunk } = loop
  const rows = chunk.end - chunk.start
  if (loop.toSkip >= rows) {
    loop.toSkip -= rows
    return false
  }
  chunk.start += loop.toSkip
  loop.toSkip = 0
  chunk.end = Math.min(chunk.end, chunk.start + loop.toGive)
  loop.toGive -= chunk.end - chunk.start
  return true
}
