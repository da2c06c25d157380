// Owns the time that each list of listeners takes while a world is measured. It wraps the object that calls listeners, so calls cost
// nothing extra when no one is measuring. It must never change which listeners are called, or with what.

import { Cost } from './cost'
import type { Calls, Subscribed, Subscription, Subscriptions } from './heard'

export class CallTimes implements Pick<Calls, keyof Calls> {
  private readonly costs = new WeakMap<object, Cost>()

  /** @param plain the world's own */
  constructor(readonly plain: Calls) {
    // Compiled now: see Session.warmUp.
    this.note(this, 0)
  }

  tell(subscriptions: Subscriptions, entity: number, items?: readonly Subscription[], length?: number): void {
    if (subscriptions.length === 0) return
    let began = NaN
    // Where the stack ends in here, the call is not counted; if it failed, who tells would leave the world locked.
    try {
      began = performance.now()
    } catch {}
    this.plain.tell(subscriptions, entity, items, length)
    try {
      this.note(subscriptions, performance.now() - began)
    } catch {}
  }

  tellAll<A extends unknown[]>(subscriptions: Iterable<Subscribed<A>>, ...what: A): void {
    let began = NaN
    try {
      began = performance.now()
    } catch {}
    this.plain.tellAll(subscriptions, ...what)
    try {
      this.note(subscriptions, performance.now() - began)
    } catch {}
  }

  private note(list: object, ms: number): void {
    if (Number.isNaN(ms)) return
    let cost = this.costs.get(list)
    if (cost === undefined) this.costs.set(list, (cost = new Cost()))
    cost.note(ms)
  }

  /** What the listeners of a list cost, all of them together; undefined for those that were not called. */
  of(list: object): Cost | undefined {
    return this.costs.get(list)
  }
}
