// Owns the filters of one look at a query, as the core reads them: conditions on values, what terms with targets ask for, and
// room for the ticks that `changed` and `added` compare (queries/changeTerms.ts).

import { FILTERS_ADDRESS_WORD, MAX_FILTERS } from '../../build/layout'
import { StrataTypeError } from '../memory/errors'
import type { WatchedLinks } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import type { FilterList } from './changeTermHooks'
import { type ValueCondition, FILTER_WORDS } from './conditions'
import type { Plan } from './plan'

/** What terms with a relation's target, or an order by it, ask for in addition: see relations/relatedQuery.ts. */
export interface Related extends WatchedLinks {
  /** The entities to visit, in their order, among which only those that match the terms are meant. */
  list(): Uint32Array
  /** Runs kernels that read the rows of parents: ParentReading. */
  readonly descent?: object | undefined
  /** A number that grows whenever links decide otherwise than before. */
  version(): number
  /** Throws where listeners cannot follow what is asked. */
  refuseListeners(operation: string): void
  /** Remembers which entities match, unless it does already; whether they are others than it remembered. */
  remember(): void
  takeChange(): boolean
}

/** A run of rows that a loop stands on. */
export interface RowRun {
  start: number
  end: number
}

/** Keeps of the run on which a loop stands what is asked for; false when nothing is. */
export type Cut = (loop: { readonly chunk: RowRun; toSkip: number; toGive: number }) => boolean

/** Which part of what matches is looked at, and how. */
export interface QueryView {
  readonly related?: Related | undefined
  readonly conditions: readonly ValueCondition[]
  /** Rows to leave out at the beginning. */
  readonly offset: number
  /** Rows at most; Infinity where it is no part, and then nothing is left out. */
  readonly limit: number
  /** What cuts runs to that part: see window.ts. */
  readonly cut?: Cut | undefined
  /** Whether a complete loop counts as having seen all changes. */
  readonly consumes: boolean
}

export class Filters implements FilterList {
  count = 0
  /** Whether a condition names a component that this world has not met: nothing can pass. */
  impossible = false
  readonly words = new Uint32Array(MAX_FILTERS * FILTER_WORDS)

  constructor(private readonly state: WorldState) {}

  /** Gathers the filters of a look. `since` is the tick up to which changes were seen; undefined for the first look. */
  gather(plan: Plan, conditions: readonly ValueCondition[], since: number | undefined): void {
    this.count = 0
    this.impossible = false
    for (let i = 0; i < conditions.length; i++) {
      const condition = conditions[i] as ValueCondition
      const id = this.state.known(condition.definition)?.id
      if (id === undefined) this.impossible = true
      else condition.writeTo(this.words, this.take(), id, this.state.texts)
    }
    plan.changing?.gather(this, plan.changes, since)
  }

  /** Makes room for one more: its number. */
  take(): number {
    if (this.count === MAX_FILTERS) {
      throw new StrataTypeError('INVALID_QUERY', `A query takes at most ${MAX_FILTERS} conditions.`)
    }
    return this.count++
  }

  /** Writes them where the core reads them; good for the next call. Returns how many there are. */
  write(): number {
    const { words } = this
    const u32 = this.state.heap.u32
    for (let i = 0; i < this.count * FILTER_WORDS; i++) u32[FILTERS_ADDRESS_WORD + i] = words[i] as number
    return this.count
  }
}
