// Owns the comparison of what a query finds with what it found before, where no version of a table tells that it differs. It
// lists all entities that match, so it must never be asked in a loop over every frame.

export abstract class ResultComparison {
  private remembered: readonly number[] | undefined
  private order: readonly number[] = []

  /** Whether the order is by levels: it is not remembered. */
  abstract readonly descent?: object | undefined

  /** The entities that match, ascending. */
  protected abstract matching(): number[]

  /** The entities to visit, in their order, and perhaps some that do not match. */
  abstract list(): Uint32Array

  /** Remembers which entities match, and in which order, unless it does already. */
  remember(): void {
    if (this.remembered !== undefined) return
    this.remembered = this.matching()
    this.order = this.orderOf(this.remembered)
  }

  /** Whether other entities match than it remembered, or in another order. Forgets them. */
  takeChange(): boolean {
    const { remembered, order } = this
    this.remembered = undefined
    this.order = []
    if (remembered === undefined) return false
    const now = this.matching()
    // A link that is about to end is in no order already: so both are compared.
    return areOthers(remembered, now) || areOthers(order, this.orderOf(now))
  }

  /** The entities that match, in the order of a loop where that is remembered. */
  protected orderOf(matching: readonly number[]): readonly number[] {
    if (this.descent !== undefined) return matching
    const known = new Set(matching)
    return Array.from(this.list()).filter((entity) => known.has(entity))
  }
}

function areOthers(before: readonly number[], now: readonly number[]): boolean {
  return now.length !== before.length || now.some((entity, i) => entity !== before[i])
}
