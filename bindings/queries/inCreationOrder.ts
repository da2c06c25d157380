// Owns the term inCreationOrder() and the order that it asks for: the oldest entity first. The order is a list; no row moves.

import type { Ordering } from '../components/terms'
import type { Definition } from '../components/definition'
import { listedStrategy, refuseGroup } from '../iteration/listedRows'
import type { Related } from '../queryPlan/filters'
import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/consoleText'
import { ageOf } from '../memory/handles'
import type { WorldState } from '../state/worldState'
import type { Query } from './query'
import { ResultComparison } from './resultComparison'

/** The term made by inCreationOrder(). */
export class InCreationOrder implements Ordering {
  readonly operator = 'inCreationOrder'

  /** @internal What makes a query of it: see relatedIn. */
  get related(): object {
    return MACHINERY
  }

  /** @internal */
  get strataCopy(): unknown {
    return StrataTypeError
  }

  /** @internal */
  [INSPECT](): string {
    return 'inCreationOrder()'
  }
}

/**
 * A query term: entities are visited in the order in which they were made, the oldest first, whatever became of their rows.
 * It excludes no entity. The order is a list that is made again only when matches have changed since the last loop.
 * Cost: a sort of the handles in JavaScript when it is made again; a loop visits rows one by one where they are not side by
 * side.
 *
 * @example world.query(Message, inCreationOrder()).each((entity, message) => { … })
 */
export function inCreationOrder(): InCreationOrder {
  return new InCreationOrder()
}

const MACHINERY = { query: queryInOrder }

function queryInOrder(
  state: WorldState,
  world: { query(...terms: never[]): object },
  terms: readonly unknown[],
): object {
  const others = terms.filter((term) => !(term instanceof InCreationOrder))
  const ordered = others.some((term) => (term as Partial<Ordering> | undefined)?.operator === 'cascade')
  const base = world.query(...(others as never[])) as Query
  if (ordered || others.length < terms.length - 1) {
    throw new StrataTypeError(
      'INVALID_QUERY',
      'query: entities can follow one order: name one inCreationOrder() or cascade().',
    )
  }
  refuseGroup(base.source.plan())
  return base.relate(new RowsInOrder(state, base), `${base.asks ?? ''} in order`, listedStrategy)
}

class RowsInOrder extends ResultComparison implements Related {
  private ordered = new Uint32Array(0)
  /** What the list was made from. */
  private orderedAt = ''
  readonly descent = undefined

  constructor(
    private readonly state: WorldState,
    /** The query with all other terms. */
    private readonly base: Query,
  ) {
    super()
  }

  list(): Uint32Array {
    const { state, base } = this
    // With changed() what is found depends on values, which no version knows.
    const key = base.source.remembers ? '' : `${state.timeline} ${base.version}`
    if (key === '' || key !== this.orderedAt) {
      const entities = Array.from(base.list())
      this.ordered = Uint32Array.from(entities.sort((a, b) => ageOf(state.heap, b) - ageOf(state.heap, a)))
      this.orderedAt = key
    }
    return this.ordered
  }

  version(): number {
    return this.base.related?.version() ?? 0
  }

  get named(): readonly Definition[] {
    return this.base.related?.named ?? []
  }

  get keeps(): boolean {
    return this.base.related?.keeps === true
  }

  noteKept(...targets: Parameters<Related['noteKept']>): void {
    this.base.related?.noteKept(...targets)
  }

  holds(...change: Parameters<Related['holds']>): boolean {
    return this.base.related?.holds(...change) ?? true
  }

  refuseListeners(operation: string): void {
    this.base.related?.refuseListeners(operation)
  }

  protected matching(): number[] {
    return Array.from(this.base.list()).sort((a, b) => a - b)
  }

  /** The order follows from which entities match. */
  protected override orderOf(matching: readonly number[]): readonly number[] {
    return matching
  }
}
