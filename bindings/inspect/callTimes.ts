// Owns how long each list of listeners of a world takes, while somebody measures. It stands before the world's own object that
// calls listeners, so a call that nobody measures carries no test. It must never change whom is called, nor with what.

import type { Calls, Subscribed } from '../events/calls'
import type { Subscriptions } from '../events/watches'
import { Cost } from './cost'

export class CallTimes implements Pick<Calls, keyof Calls> {
  private readonly costs = new WeakMap<object, Cost>()

  /** @param plain the world's own */
  constructor(readonly plain: Calls) {
    // Compiled now: see Session.warmUp.
    this.end(this, this.begin())
  }

  tell(subscriptions: Subscriptions, entity: number): void {
    if (subscriptions.length === 0) return
    const began = this.begin()
    this.plain.tell(subscriptions, entity)
    this.end(subscriptions, began)
  }

  tellAll<A extends unknown[]>(subscriptions: Iterable<Subscribed<A>>, ...what: A): void {
    const began = this.begin()
    this.plain.tellAll(subscriptions, ...what)
    this.end(subscriptions, began)
  }

  /** Where the stack ends here, the call goes on, and is not counted: who tells would leave the world locked. */
  private begin(): number {
    try {
      return performance.now()
    } catch {
      return NaN
    }
  }

  private end(list: object, began: number): void {
    try {
      const ms = performance.now() - began
      if (Number.isNaN(ms)) return
      let cost = this.costs.get(list)
      if (cost === undefined) this.costs.set(list, (cost = new Cost()))
      cost.note(ms)
    } catch {
      // As in `begin`.
    }
  }

  /** What the listeners of a list cost, all of them together; undefined for those that were not called. */
  of(list: object): Cost | undefined {
    return this.costs.get(list)
  }
}
