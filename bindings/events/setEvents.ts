// Owns the reports of values that are given to components that exist: at once, or after the handler that gave them.

import type { Observers } from './observers'
import type { ComponentWatch, Subscription } from './watches'

/** A set that a handler made: the write is done, the report waits. */
interface WaitingSet {
  readonly watch: ComponentWatch
  readonly entity: number
  readonly before: unknown
  /** Who listened then, up to `length`: who subscribes later is not told. */
  readonly items: readonly Subscription[]
  readonly length: number
}

export class SetEvents {
  /** What values were before the set that is about to be reported. */
  noted: unknown
  private waiting: WaitingSet[] = []

  constructor(private readonly observers: Observers) {}

  /** Reports a set. Inside a handler the report waits for its end. */
  report(watch: ComponentWatch, entity: number): void {
    const { state } = this.observers
    const { items } = watch.set
    const set = { watch, entity, before: this.noted, items, length: items.length }
    this.noted = undefined
    if (state.emitting) {
      this.waiting.push(set)
      state.owed = true
    } else {
      this.tell(set)
      state.settle()
    }
  }

  private tell({ watch, entity, before, items, length }: WaitingSet): void {
    const { observers } = this
    observers.begin()
    observers.before = before
    try {
      observers.calls.tell(watch.set, entity, items, length)
    } finally {
      observers.before = undefined
      observers.end()
    }
  }

  /** Whether sets wait to be reported. */
  get pending(): boolean {
    return this.waiting.length > 0
  }

  forget(): void {
    this.waiting = []
  }

  /** Reports the sets that handlers made; those may make more. */
  reportAll(): void {
    const { state } = this.observers
    for (const set of this.waiting.splice(0))
      if (state.isAlive(set.entity) && set.watch.isOn(set.entity)) this.tell(set)
  }
}
