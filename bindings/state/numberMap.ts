// Owns a map by number that needs one look, however high the numbers are and whatever else has numbers: each item stands at the
// low bits of its own. It takes memory for what is in it, not for the highest number.

/** Slots are doubled for an item that finds its own taken, while there are fewer than these for each item. */
const SLOTS_OF_ITEM = 8

export class NumberMap<T> {
  /** By `number & mask`. What callers look at first, for speed: an item that has another number, or none, is not what they ask for. */
  list: T[]
  /** Low bits that tell items apart. */
  mask = 0
  /** Every item, whether or not its slot was taken. */
  private all: Map<number, T> | undefined = undefined

  /** @param none stands where no item does */
  constructor(private readonly none: T) {
    this.list = [none]
  }

  /** An item, whether it stands in its slot or not. */
  get(number: number): T | undefined {
    return this.all?.get(number)
  }

  /** Adds an item, in place of what has its number; returns it. */
  put(number: number, item: T): T {
    const all = (this.all ??= new Map<number, T>())
    const before = all.get(number)
    all.set(number, item)
    this.enter(number, item, before)
    while (this.list[number & this.mask] !== item && this.mask < all.size * SLOTS_OF_ITEM) {
      this.mask = this.mask * 2 + 1
      this.list = Array.from({ length: this.mask + 1 }, () => this.none)
      for (const [each, other] of all) this.enter(each, other)
    }
    return item
  }

  /** The first one to come stays, unless it was there before under the same number. */
  private enter(number: number, item: T, before?: T): void {
    const slot = number & this.mask
    const there = this.list[slot]
    if (there === this.none || there === before) this.list[slot] = item
  }
}
