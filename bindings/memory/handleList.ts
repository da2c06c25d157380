// Owns lists of handles that are filled for one change after another.

/** Keeps its memory. */
export class HandleList {
  readonly items: number[] = []
  count = 0

  push(entity: number): void {
    this.items[this.count++] = entity
  }

  clear(): void {
    this.count = 0
    if (this.items.length > KEPT_HANDLES) this.items.length = 0
  }
}

const KEPT_HANDLES = 1 << 14
