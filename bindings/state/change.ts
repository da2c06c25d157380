// Owns what one change is while it is made: what happens to which entities, what they gain and lose, with which values, and what was
// obtained for it. It decides nothing: changes/apply.ts does.

import { CHANGE_SPAWN } from '../../build/layout'
import type { ValuesByComponent } from '../components/componentValues'
import type { Definition } from '../components/definition'
import { NULL_ENTITY } from '../memory/entity'
import type { Bundle } from './bundle'
import type { WorldState } from './worldState'

/** How the rows of a change are changed: those of one entity, of a list, of what a query finds. */
export interface RowChange {
  /** Whether it is about one entity, which may be new. */
  readonly isOne: boolean
  /** Holds all memory that `make` needs, until that is released: a status of the core. Nothing is held unless it is above 0. */
  hold(state: WorldState, change: Change): number
  /** Changes the rows: a status, or the handle of a new entity. Directly after what was held is released it cannot fail. */
  make(state: WorldState, change: Change): number
  /** Writes the values that were given to rows that are there. */
  write(entities: ArrayLike<number>, gains: Bundle, given: NonNullable<ValuesByComponent>): void
}

const NONE: readonly never[] = []

export class Change {
  /** The first of the entities. */
  readonly entity: number
  /** Whether it makes an entity that has no handle yet. */
  readonly isNew: boolean
  /** The ids of texts that were interned for it. */
  texts: readonly number[] = NONE
  /** The values that makers made for it, and of which components. */
  made: readonly unknown[] = NONE
  makers: readonly Definition[] = NONE
  /** Where its list lies in the core's memory, if it has one there. */
  list = 0
  /** Whether listeners were called before its rows change. */
  isTold = false
  /** Whether its rows are changed: from then on nothing is taken back. */
  isMade = false

  /**
   * @param kind SPAWN, ADD, REMOVE or EXCHANGE
   * @param entities living ones, each named once, in the order in which they are told; NULL_ENTITY alone for one that is new
   * @param given in the order of `gains`: what each of them gets
   */
  constructor(
    readonly kind: number,
    readonly entities: ArrayLike<number>,
    public gains: Bundle | undefined,
    public losses: Bundle | undefined,
    public given: ValuesByComponent,
    readonly rows: RowChange,
  ) {
    this.entity = entities[0] as number
    this.isNew = kind === CHANGE_SPAWN && this.entity === NULL_ENTITY
  }

  /** What it is called in errors. */
  get operation(): string {
    if (this.isNew) return 'spawn'
    return this.losses === undefined ? 'add' : 'exchange'
  }
}
