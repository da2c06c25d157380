// Owns the list of the holders of typed arrays over a world's memory: they drop them when the memory grows and when the
// world is disposed of.
// It must never keep an owner alive: when the program no longer holds a query, both the query and its arrays are collected.

/** Holds typed arrays over the memory, and can drop them: they are made anew when they are asked for. */
export interface ArrayKeeper {
  forgetArrays(): void
}

/**
 * Not a list of WeakRefs: those keep what they refer to alive until the running job ends, and a query keeps its world
 * alive. A page that makes worlds in a loop would run out of memories.
 */
export class ArrayKeepers {
  private readonly keepers = new Set<ArrayKeeper>()
  /** Takes keepers out whose owners were collected. Hosts without such a registry keep them all: see dispose(). */
  private readonly collected =
    typeof FinalizationRegistry === 'undefined'
      ? undefined
      : new FinalizationRegistry<ArrayKeeper>((keeper) => this.keepers.delete(keeper))

  /** How many there are; those of owners that were collected may count for a while. */
  get count(): number {
    return this.keepers.size
  }

  /** Adds a keeper for as long as its owner lives, which the keeper must not refer to. */
  add(keeper: ArrayKeeper, owner: object): void {
    this.keepers.add(keeper)
    this.collected?.register(owner, keeper, keeper)
  }

  delete(keeper: ArrayKeeper): void {
    this.keepers.delete(keeper)
    this.collected?.unregister(keeper)
  }

  /** Lets everyone drop their arrays. */
  forgetArrays(): void {
    for (const keeper of this.keepers) keeper.forgetArrays()
  }

  clear(): void {
    for (const keeper of this.keepers) this.collected?.unregister(keeper)
    this.keepers.clear()
  }
}
