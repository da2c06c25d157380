// Owns what `find` returns: how many entities match, and pages of them.

import type { World } from '../index'
import type { Entity } from '../memory/entity'
import type { WorldState } from '../rows/worldState'
import { ComponentLists } from './entity'

/** An entity that was found, with the names of its components. */
export interface FoundRow {
  readonly entity: Entity
  readonly components: readonly string[]
}

/** The order that a filter asks for. */
export interface FoundOrder {
  readonly component: string
  readonly field: string
  readonly descending: boolean
}

/**
 * The entities that match a filter, at the time of each call: keep it, and ask again after the world has changed. After a
 * reset nothing matches until the world has met the components again.
 */
export interface Found {
  /** The filter as it was given. */
  readonly text: string
  readonly order: FoundOrder | undefined
  /**
   * How many entities match. Cost: next to nothing for terms over table components and tags; that of looking at every row,
   * in the core, for sparse terms, switches and comparisons; a call of JavaScript for each candidate where `isByRow`.
   */
  readonly count: number
  /** Whether a part of the filter is evaluated in JavaScript, row by row: see `find`. */
  readonly isByRow: boolean
  /**
   * The handles of at most `limit` entities from place `offset` on, in the order of a loop or in that which the filter asks
   * for. Copies no more than these.
   *
   * @param offset a whole number from 0
   * @param limit a whole number from 0
   * @throws StrataTypeError INVALID_OPTION
   */
  page(offset: number, limit: number): Entity[]
  /** The same entities with the names of their components, for a list. */
  rows(offset: number, limit: number): FoundRow[]
}

export function findIn(world: World, state: WorldState, text: string): Found {
  const query = world.query()
  const page = (offset: number, limit: number) => Array.from(query.page(offset, limit).entities())
  return {
    text,
    order: undefined,
    get count() {
      return query.count
    },
    isByRow: false,
    page,
    rows: (offset, limit) => {
      const lists = new ComponentLists(state)
      return page(offset, limit).map((entity) => ({
        entity,
        components: lists.of(entity).map(({ definition }) => definition.componentName),
      }))
    },
  }
}
