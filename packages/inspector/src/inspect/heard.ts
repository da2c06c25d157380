// Owns what the inspection reads of the listeners of a world. It is the only file here that names the observers.

import type { ComponentWatch } from '../../../../bindings/events/watches'
import type { ParsedTerm } from '../../../../bindings/components/terms'
import type { WorldState } from '../../../../bindings/state/worldState'

/** The observers of a world, as far as they are shown. */
interface Heard {
  readonly components: readonly (ComponentWatch | undefined)[]
  readonly queries: ReadonlyMap<object, HeardQuery>
  readonly subscribers: {
    readonly queries: ReadonlyMap<
      object,
      { readonly watch: HeardQuery; readonly subscriptions: ReadonlySet<unknown> }
    >
  }
  readonly ofRestores: ReadonlySet<unknown>
}

/** A query with listeners. */
interface HeardQuery {
  readonly enter: Counted
  readonly exit: Counted
  readonly terms: readonly ParsedTerm[]
}

interface Counted {
  readonly length: number
}

/** Undefined while nothing has listened yet. */
export function heardIn(state: WorldState): Heard | undefined {
  return state.reporting as unknown as Heard | undefined
}
