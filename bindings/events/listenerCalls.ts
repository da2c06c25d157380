// Owns how listeners are called: which of a list, with what arguments, and that an error in one does not stop the others.

import type { Entity } from '../memory/entity'
import type { Observers } from './observers'
import type { Subscription, Subscriptions } from './watches'

/** A listener that is told once of a whole change. */
export interface Subscribed<A extends unknown[]> {
  readonly listener: (...what: A) => void
  /** The emission during which it subscribed: only later ones call it. */
  readonly since: number
}

export class ListenerCalls {
  constructor(private readonly observers: Observers) {}

  /**
   * Calls the listeners that were there before this emission began. Errors are kept for the end.
   *
   * @param items those of the list that are called, up to `length`
   */
  tell(
    subscriptions: Subscriptions,
    entity: number,
    items = subscriptions.items,
    length = items.length,
  ): void {
    const { observers } = this
    for (let i = 0; i < length; i++) {
      const subscription = items[i] as Subscription
      if (!subscription.active || subscription.since >= observers.emission) continue
      try {
        subscription.handler(entity as Entity, observers.world)
      } catch (error) {
        observers.state.fail(error)
      }
    }
  }

  /** Calls those of a query, of a resource or of restores that were there before this emission began. */
  tellAll<A extends unknown[]>(subscriptions: Iterable<Subscribed<A>>, ...what: A): void {
    const { observers } = this
    for (const { listener, since } of subscriptions) {
      if (since >= observers.emission) continue
      try {
        listener(...what)
      } catch (error) {
        observers.state.fail(error)
      }
    }
  }
}
