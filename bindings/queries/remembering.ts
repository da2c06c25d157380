// Owns the comparison of what a query finds with what it found before, where no version of a table tells that it differs.
// It must never be asked in a loop over every frame: it lists all entities that match.

export abstract class Remembering {
  private remembered: readonly number[] | undefined

  /** The entities that match, ascending. */
  protected abstract matching(): number[]

  /** Remembers which entities match, unless it does already. */
  remember(): void {
    this.remembered ??= this.matching()
  }

  /** Whether other entities match than it remembered. Forgets them. */
  takeChange(): boolean {
    const before = this.remembered
    this.remembered = undefined
    if (before === undefined) return false
    const now = this.matching()
    return now.length !== before.length || now.some((entity, i) => entity !== before[i])
  }
}
