// Owns the reports of values that are given to components that are there: at once, or after the handler that gave them.
// It must never write a value.

import type { Observers } from './observers'
import type { ComponentWatch } from './watches'

export class SetReports {
  /** What values were before the set that is about to be reported. */
  noted: unknown
  // Sets that a handler made: the write is done, the report waits.
  private readonly entities: number[] = []
  private readonly watches: ComponentWatch[] = []
  private readonly befores: unknown[] = []

  constructor(private readonly observers: Observers) {}

  /** Reports a set. Inside a handler the report waits for its end. */
  report(watch: ComponentWatch, entity: number): void {
    const { state } = this.observers
    const before = this.noted
    this.noted = undefined
    if (state.emitting) {
      this.entities.push(entity)
      this.watches.push(watch)
      this.befores.push(before)
      state.owed = true
    } else {
      this.tell(watch, entity, before)
      state.settle()
    }
  }

  private tell(watch: ComponentWatch, entity: number, before: unknown): void {
    const { observers } = this
    observers.begin()
    observers.before = before
    try {
      observers.calls.tell(watch.set, entity)
    } finally {
      observers.before = undefined
      observers.end()
    }
  }

  /** Whether sets wait to be reported. */
  get pending(): boolean {
    return this.entities.length > 0
  }

  forget(): void {
    this.entities.length = this.watches.length = this.befores.length = 0
  }

  /** Reports the sets that handlers made; those may make more. */
  reportAll(): void {
    const { state } = this.observers
    const entities = this.entities.splice(0)
    const watches = this.watches.splice(0)
    const befores = this.befores.splice(0)
    for (let i = 0; i < entities.length; i++) {
      const entity = entities[i] as number
      const watch = watches[i] as ComponentWatch
      if (!state.isAlive(entity) || !watch.isOn(entity)) continue
      this.tell(watch, entity, befores[i])
    }
  }
}
