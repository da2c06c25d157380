// Owns the making of a query some of whose terms name targets, or an order by levels.
// It must never parse the other terms: the world does.

import { ComponentValue } from '../components/componentValues'
import type { Pair } from '../components/pair'
import { Not, type Ordering, not, relatedIn } from '../components/terms'
import { listedWalk, refuseGroup } from '../iteration/listedRows'
import { StrataTypeError } from '../memory/errors'
import type { Query } from '../queries/query'
import type { Relating } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import type { Cascade } from './cascade'
import type { CascadeOrder } from './cascadeOrder'
import type { RelationType } from './relationType'
import { type RelatedCondition, TargetFilter, conditionOf } from './targetFilter'

/**
 * The query with these terms.
 *
 * @throws StrataTypeError INVALID_QUERY, NOT_A_COMPONENT
 */
export function queryRelated(
  state: WorldState,
  world: { query(...terms: never[]): object },
  terms: readonly unknown[],
): object {
  // An order of another kind is put on what the links leave.
  const ordering = terms.find((term) => (term as Partial<Ordering> | null)?.operator === 'inOrder')
  if (ordering !== undefined) return (relatedIn(ordering) as Relating).query(state, world, terms)
  const conditions: RelatedCondition[] = []
  const plain: unknown[] = []
  let descent: CascadeOrder | undefined
  for (const term of terms) {
    if (relatedIn(term) === undefined) plain.push(term)
    else if ((term as Partial<Ordering>).operator === 'cascade') {
      if (descent !== undefined)
        throw new StrataTypeError(
          'INVALID_QUERY',
          'query: entities can follow one order: name one cascade().',
        )
      descent = (term as Cascade).in(state)
    } else if (term instanceof Not) {
      const denied: readonly unknown[] = (term as Not).components
      const others = denied.filter((one) => relatedIn(one) === undefined)
      for (const one of denied) if (!others.includes(one)) conditions.push(conditionOf(one as Pair, true))
      if (others.length > 0) plain.push(not(...(others as [never])))
    } else if (term instanceof ComponentValue) {
      const { component } = term as ComponentValue
      // Of several targets more than one can be asked for.
      const isNamed = conditions.some(
        ({ definition, negated }) => !negated && definition === (component as never),
      )
      if (!isNamed || (relatedIn(term) as RelationType).segments === undefined) plain.push(component)
      conditions.push(conditionOf(term as unknown as Pair, false))
    }
  }
  for (const { definition } of conditions) state.claim(definition)
  const base = world.query(...(plain as never[])) as Query
  refuseGroup(base.source.plan())
  const asks = conditions.map(({ definition, target, negated }) =>
    [definition.serial, negated, typeof target === 'number' ? target : `with ${target.serial}`].join(),
  )
  if (descent !== undefined) asks.push(`by ${descent.relation.serial}`)
  return base.relate(new TargetFilter(state, base as never, conditions, descent), asks.join(), listedWalk)
}
