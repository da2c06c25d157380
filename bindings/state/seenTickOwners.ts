// Owns the map from each seen tick in linear memory (assembly/queries/seenTicks.ts) to the query with `changed` or `added` that it belongs
// to. It must never keep a query alive: the seen tick of a collected query is given to another.

/** In place of a serial: the look of a query that was collected. */
const LOST = -1

export class SeenTickOwners {
  /** Serial of the query that owns each look, by look number; 0 where it was released. A snapshot has a copy. */
  readonly owners: number[] = []
  /** What queries saw while there was no memory to note it in. */
  readonly early = new Set<{ settle(): void }>()
  private last = 0
  /** Serials of queries that may still be used. */
  private readonly living = new Set<number>()
  /** Numbers of looks whose queries were collected. */
  private readonly free: number[] = []
  private collected: FinalizationRegistry<number> | undefined

  /** A serial for a new query. */
  begin(query: object): number {
    const serial = ++this.last
    this.living.add(serial)
    // Hosts without such a registry keep the looks of all queries.
    if (typeof FinalizationRegistry !== 'undefined') {
      this.collected ??= new FinalizationRegistry((gone) => this.lose(gone))
      this.collected.register(query, serial)
    }
    return serial
  }

  /** The query is not used any more. Its look has been released. */
  end(serial: number): void {
    this.living.delete(serial)
  }

  private lose(serial: number): void {
    if (!this.living.delete(serial)) return
    const number = this.owners.indexOf(serial)
    if (number >= 0) this.setFree(number)
  }

  private setFree(number: number): void {
    this.owners[number] = LOST
    this.free.push(number)
  }

  /** The number of a look whose query was collected, or -1. What it has seen is overwritten by whoever takes it. */
  takeFree(): number {
    return this.free.pop() ?? -1
  }

  give(number: number, serial: number): void {
    while (this.owners.length <= number) this.owners.push(0)
    this.owners[number] = serial
  }

  /** Memory has these looks now; none: it has started over. */
  restore(owners: readonly number[]): void {
    this.free.length = 0
    copyInto(this.owners, owners)
    for (let number = 0; number < owners.length; number++) {
      const serial = owners[number] as number
      // Of two queries that had the look one after the other, the later one may be gone.
      if (serial !== 0 && !this.living.has(serial)) this.setFree(number)
    }
  }
}

/** Makes a list equal to another. Allocates only for what is longer. */
export function copyInto(list: number[], from: readonly number[]): void {
  while (list.length > from.length) list.pop()
  for (let i = 0; i < from.length; i++) list[i] = from[i] as number
}
