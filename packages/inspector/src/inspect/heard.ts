// Owns what the inspection knows of those who listen in a world. It is the only file here that names them.

import type { Calls, Subscribed } from '../../../../bindings/events/calls'
import { observersOf } from '../../../../bindings/events/observersOf'
import type { ComponentWatch, Subscription, Subscriptions } from '../../../../bindings/events/watches'
import type { ParsedTerm } from '../../../../bindings/components/terms'
import type { WorldState } from '../../../../bindings/rows/worldState'

export type { Calls, Subscribed, Subscription, Subscriptions }

/** The observers of a world, as far as they are shown. */
export interface Heard {
  calls: Calls
  readonly components: readonly (ComponentWatch | undefined)[]
  readonly queries: ReadonlyMap<object, Watched>
  readonly subscribers: {
    readonly queries: ReadonlyMap<
      object,
      { readonly watch: Watched; readonly subscriptions: ReadonlySet<unknown> }
    >
  }
  readonly ofRestores: ReadonlySet<unknown>
}

/** A query with listeners. */
interface Watched {
  readonly enter: Counted
  readonly exit: Counted
  readonly terms: readonly ParsedTerm[]
}

export interface Counted {
  readonly length: number
}

/** Undefined while nothing has listened yet. */
export function heardIn(state: WorldState): Heard | undefined {
  return state.reporting as unknown as Heard | undefined
}

/** For those who replace a part of it, so that what listens later is measured, too. */
export function heardFromNowOn(state: WorldState): Heard {
  return observersOf(state) as unknown as Heard
}
