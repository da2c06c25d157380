// Owns the growable list of 32-bit numbers that every room uses for its ids and pointers.
// It must never shrink unless it is asked to, and never fail after a successful reserve.

import { allocate, release } from './objects'
import { movesNow } from './moving'
import { FIRST_ITEMS } from './sizes'
import { noteStep } from './steps'

@unmanaged
export class List {
  items: usize
  count: u32
  capacity: u32

  @inline
  at(index: u32): u32 {
    if (!ASC_NO_ASSERT) assert(noteStep() && index < this.count, 'a list is read inside its count')
    return load<u32>(this.items + (<usize>index << 2))
  }

  @inline
  set(index: u32, value: u32): void {
    if (!ASC_NO_ASSERT) assert(index < this.count, 'a list is written inside its count')
    store<u32>(this.items + (<usize>index << 2), value)
  }

  /** Makes room for `extra` more items; false, and nothing changed, when memory ends. */
  reserve(extra: u32): bool {
    if (!ASC_NO_ASSERT && movesNow(this.capacity << 2)) this.moveTo(this.capacity)
    const needed = this.count + extra
    if (needed <= this.capacity) return true
    let capacity = max(this.capacity, FIRST_ITEMS)
    while (capacity < needed) capacity <<= 1
    return this.moveTo(capacity)
  }

  /** Gives back room for twice as many items as there are, or more; stays as it is where there is no memory for that. */
  tighten(): void {
    let capacity = FIRST_ITEMS
    while (capacity < this.count) capacity <<= 1
    if (this.count == 0) {
      release(this.items, this.capacity << 2)
      this.items = 0
      this.capacity = 0
    } else if (capacity < this.capacity) this.moveTo(capacity)
  }

  /** Gives the items another place, with room for so many; false, and they stay, when memory ends. */
  private moveTo(capacity: u32): bool {
    const items = allocate(capacity << 2)
    if (items == 0) return false
    memory.copy(items, this.items, this.count << 2)
    release(this.items, this.capacity << 2)
    this.items = items
    this.capacity = capacity
    return true
  }

  /** Adds an item at the end. There must be room: call reserve first. */
  @inline
  push(value: u32): void {
    if (!ASC_NO_ASSERT) assert(this.count < this.capacity, 'a list has room for what is pushed')
    store<u32>(this.items + (<usize>this.count << 2), value)
    this.count += 1
  }

  @inline
  pop(): u32 {
    this.count -= 1
    return load<u32>(this.items + (<usize>this.count << 2))
  }

  /** Takes out the item at `index`; the last one takes its place. */
  swapRemove(index: u32): void {
    const last = this.pop()
    if (index != this.count) this.set(index, last)
  }
}

/** A new empty list, or null when memory ends. */
export function createList(): List {
  return changetype<List>(allocate(offsetof<List>()))
}

export function destroyList(list: List): void {
  if (changetype<usize>(list) == 0) return
  release(list.items, list.capacity << 2)
  release(changetype<usize>(list), offsetof<List>())
}
