// Owns lists of handles that are filled for one change after another.

/** Keeps its memory. */
export class HandleList {
  readonly items: number[] = []
  count = 0

  push(entity: number): void {
    this.items[this.count++] = entity
  }

  /** Leaves some out; the others keep their order. */
  drop(some: ReadonlySet<number>): void {
    let kept = 0
    for (let i = 0; i < this.count; i++) {
      const entity = this.items[i] as number
      if (!some.has(entity)) this.items[kept++] = entity
    }
    this.count = kept
  }

  clear(): void {
    this.count = 0
    if (this.items.length > KEPT_HANDLES) this.items.length = 0
  }
}

const KEPT_HANDLES = 1 << 14
