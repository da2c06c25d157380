// Owns the term cascade(). It brings the code that follows levels: a program without cascade() does not carry it. One term may
// stand in queries of several worlds.

import type { AnyExclusiveRelation } from '../components/component'
import { definitionOf } from '../components/definition'
import type { Ordering } from '../components/terms'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/consoleText'
import { relatingOf } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import { CascadeOrder } from './cascadeOrder'
import type { RelationType } from './relationType'

/** The term made by cascade(). */
export class Cascade implements Ordering {
  readonly operator = 'cascade'
  /** @internal */
  constructor(
    readonly relation: AnyExclusiveRelation,
    /** @internal */
    readonly related: object,
  ) {}

  /** @internal Begins to follow the levels for one query. */
  in(state: WorldState): CascadeOrder {
    return new CascadeOrder(state, this.related as RelationType)
  }

  /** @internal */
  get strataCopy(): unknown {
    return StrataTypeError
  }

  /** @internal */
  [INSPECT](): string {
    return `cascade(${this.relation.componentName})`
  }
}

/**
 * A query term: entities are visited level by level, those without a target in the relation first, then those whose target
 * is one of these, and so on; every entity comes after its target. It excludes no entity. Of one level, entities follow the
 * order of their rows. The order is a list: it is mended when links have changed since the last loop, and made again when
 * entities came, went or changed their rows.
 *
 * @param relation an exclusive relation
 * @throws StrataTypeError NOT_A_RELATION; INVALID_QUERY for a relation that is not exclusive. A loop throws StrataError RELATION_CYCLE if links lead back to where they begin
 * @example for (const chunk of world.query(Local, Global, cascade(ChildOf))) …
 */
export function cascade(relation: AnyExclusiveRelation): Cascade {
  const related = relatingOf(definitionOf(relation)) as RelationType | undefined
  if (related?.segments !== undefined) {
    throw new StrataTypeError(
      'INVALID_QUERY',
      `cascade(${relation.componentName}): levels follow from one target of each entity, and ${relation.componentName} may have several: declare it with { exclusive: true }.`,
    )
  }
  if (related !== undefined) return new Cascade(relation, related)
  throw new StrataTypeError(
    'NOT_A_RELATION',
    `cascade takes a relation, made by relation('Name', …), not ${describe(relation)}.`,
  )
}
