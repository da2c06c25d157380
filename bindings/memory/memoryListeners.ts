// Owns the list of objects that depend on where a world's memory lies, because they keep typed arrays over it or addresses in it.
// They are notified when it has moved. It must never keep an owner alive: when the program no longer holds a query, both the
// query and its arrays are collected.

/** Keeps typed arrays over the memory, or addresses in it. */
export interface MemoryListener {
  /**
   * Tables lie elsewhere. `replaced`: so does the memory itself, and arrays over it are empty; whoever holds some lets
   * them go and makes them again when they are asked for.
   */
  memoryMoved(replaced: boolean): void
}

// Functions of their own, for a restore tells of every frame: it must not allocate.
const tellMoved = (reader: MemoryListener) => reader.memoryMoved(false)
const tellReplaced = (reader: MemoryListener) => reader.memoryMoved(true)

/**
 * Not a list of WeakRefs: those keep what they refer to alive until the running job ends, and a query keeps its world
 * alive. A page that makes worlds in a loop would run out of memories.
 */
export class MemoryListeners {
  private readonly readers = new Set<MemoryListener>()
  /** Takes readers out whose owners were collected. Hosts without such a registry keep them all: see clear(). */
  private readonly collected =
    typeof FinalizationRegistry === 'undefined'
      ? undefined
      : new FinalizationRegistry<MemoryListener>((reader) => this.readers.delete(reader))

  /** How many there are; those of owners that were collected may count for a while. */
  get count(): number {
    return this.readers.size
  }

  /** Adds a reader: for as long as its owner lives, which the reader must not refer to, or as long as the world. */
  add(reader: MemoryListener, owner?: object): void {
    this.readers.add(reader)
    if (owner !== undefined) this.collected?.register(owner, reader, reader)
  }

  delete(reader: MemoryListener): void {
    this.readers.delete(reader)
    this.collected?.unregister(reader)
  }

  tell(replaced: boolean): void {
    this.readers.forEach(replaced ? tellReplaced : tellMoved)
  }

  clear(): void {
    for (const reader of this.readers) this.collected?.unregister(reader)
    this.readers.clear()
  }
}
