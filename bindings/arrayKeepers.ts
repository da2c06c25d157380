// Owns the list of the holders of typed arrays over a world's memory: they drop them when the memory grows and when the
// world is disposed of.
// It must never keep anyone alive: a query that the program no longer holds is collected, with its arrays.

/** Holds typed arrays over the memory, and can drop them: it makes them anew when they are asked for. */
export interface ArrayKeeper {
  forgetArrays(): void
}

/** What `add` returns, for `delete`. */
export interface KeeperReference {
  deref(): ArrayKeeper | undefined
}

export class ArrayKeepers {
  private readonly references = new Set<KeeperReference>()
  /** Takes references out whose keepers were collected. Hosts without weak references keep them all: see dispose(). */
  private readonly collected =
    typeof FinalizationRegistry === 'undefined'
      ? undefined
      : new FinalizationRegistry<KeeperReference>((reference) => this.references.delete(reference))

  /** How many there are; those that were collected may count for a while. */
  get count(): number {
    return this.references.size
  }

  add(keeper: ArrayKeeper): KeeperReference {
    const reference =
      typeof WeakRef === 'undefined' ? { deref: () => keeper } : (new WeakRef(keeper) as KeeperReference)
    this.references.add(reference)
    this.collected?.register(keeper, reference, reference)
    return reference
  }

  delete(reference: KeeperReference): void {
    this.references.delete(reference)
    this.collected?.unregister(reference)
  }

  /** Lets everyone drop their arrays. */
  forgetArrays(): void {
    for (const reference of this.references) reference.deref()?.forgetArrays()
  }

  clear(): void {
    for (const reference of this.references) this.collected?.unregister(reference)
    this.references.clear()
  }
}
