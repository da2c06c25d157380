// Owns lists by number that take memory for what is in them, not for the highest number: an array while it is well filled, and
// a map of what lies beyond.

/** Places of an array that a few items may leave empty, and how many more for each item. */
const FREE_PLACES = 64
const PLACES_OF_ITEM = 16

/** Whether an array up to a number is well filled with so many items. */
export function isDense(number: number, items: number): boolean {
  return number < FREE_PLACES + items * PLACES_OF_ITEM
}

export class Numbered<T> {
  /** What callers look at first, for speed; undefined also where the item is in the map. */
  readonly near: (T | undefined)[] = []
  private far: Map<number, T> | undefined
  private count = 0
  private last = 0

  /** An item that is not in `near`. */
  getFar(number: number): T | undefined {
    return this.far?.get(number)
  }

  put(number: number, item: T): void {
    const { near, far } = this
    if (near[number] === undefined && far?.has(number) !== true) this.count++
    if (number < near.length) {
      near[number] = item
      return
    }
    this.last = Math.max(this.last, number)
    if (isDense(this.last, this.count)) {
      // Filled without gaps, so that the array stays a dense one.
      while (near.length <= this.last) near.push(far?.get(near.length))
      near[number] = item
      this.far = undefined
    } else (this.far ??= new Map<number, T>()).set(number, item)
  }
}
