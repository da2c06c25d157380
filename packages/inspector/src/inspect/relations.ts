// Owns the list of relations, as the inspection shows it, and the links of one entity.

import type { Definition } from '../../../../bindings/components/definition'
import type { Entity, OnTargetDestroy } from '../../../../bindings/index'
import { type Relating, relatingOf } from '../../../../bindings/state/relationHooks'
import type { WorldState } from '../../../../bindings/state/worldState'
import { poolRows } from './pools'
import { shownIn } from './source'

/** A relation that a world has met. */
export interface RelationInfo {
  readonly name: string
  /** Whether an entity has one target at most. */
  readonly exclusive: boolean
  /** What happens to its sources when a target is destroyed. */
  readonly onTargetDestroy: OnTargetDestroy
  /** How many entities are linked to others. */
  readonly sources: number
  /** How many links there are. */
  readonly links: number
}

/** A relation's declaration, as far as it is needed here. */
interface DeclaredKind extends Relating {
  readonly onTargetDestroy: OnTargetDestroy
}

/** The links of a relation with many targets, as far as they are needed here. */
interface CountedLinks {
  readonly links?: { check(): void; readonly count: number }
}

export function relationsIn(state: WorldState): RelationInfo[] {
  return shownIn(state)
    .filter(({ definition }) => definition.kind === 'relation')
    .map(({ definition, pool, links }) => {
      const { isExclusive, onTargetDestroy } = relatingOf(definition) as DeclaredKind
      const sources = poolRows(state.heap, pool)
      const memory = (links as CountedLinks | undefined)?.links
      memory?.check()
      return {
        name: definition.componentName,
        exclusive: isExclusive,
        onTargetDestroy,
        sources,
        links: memory?.count ?? sources,
      }
    })
}

/** The targets of an entity, in their order. */
export function targetsOf(state: WorldState, entity: number, relation: Definition): Entity[] {
  const targets: number[] = []
  state.known(relation)?.links?.collectTargets(entity, targets)
  return targets as Entity[]
}
