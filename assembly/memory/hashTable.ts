// Owns the hash table from 64-bit keys to 32-bit values: open addressing, linear probing, at most half full. Several entries may
// share a key: code that uses hashes as keys compares the real things, entry by entry. It forgets all entries or none: a single
// one cannot be removed.

import { allocate, release } from './objects'
import { movesNow } from './moving'
import { FIRST_HASHED } from './sizes'
import { noteStep } from './steps'

@unmanaged
export class Entry {
  key: u64
  /** The value plus one; 0 marks an empty place. */
  stored: u32
  /** A second value: 0 until setNote gives one. */
  note: u32
}

@unmanaged
export class HashTable {
  entries: usize
  capacity: u32
  count: u32

  @inline
  private entry(place: u32): Entry {
    return changetype<Entry>(this.entries + <usize>place * offsetof<Entry>())
  }

  /** The place where a search for `key` begins. */
  @inline
  start(key: u64): u32 {
    return spread(key) & (this.capacity - 1)
  }

  /** The next place at or behind `place` that holds `key`, or -1. Search on from `place + 1`. */
  find(key: u64, place: u32): i32 {
    if (this.capacity == 0) return -1
    const mask = this.capacity - 1
    place &= mask
    while (this.entry(place).stored != 0) {
      if (!ASC_NO_ASSERT) noteStep()
      if (this.entry(place).key == key) return <i32>place
      place = (place + 1) & mask
    }
    return -1
  }

  @inline
  valueAt(place: i32): u32 {
    return this.entry(<u32>place).stored - 1
  }

  @inline
  noteAt(place: i32): u32 {
    return this.entry(<u32>place).note
  }

  @inline
  setNote(place: i32, note: u32): void {
    this.entry(<u32>place).note = note
  }

  /** Whether one more entry can be added without taking memory. */
  @inline
  hasRoom(): bool {
    return (this.count + 1) << 1 <= this.capacity
  }

  /** Makes room for one more entry; false when memory ends. */
  reserve(): bool {
    if (!ASC_NO_ASSERT && movesNow(this.capacity * offsetof<Entry>())) this.moveTo(this.capacity)
    if (this.hasRoom()) return true
    return this.moveTo(max(this.capacity << 1, FIRST_HASHED))
  }

  /** Forgets all entries, and gives back the room that `count` do not need, where there is memory for what they do need. */
  restart(count: u32): void {
    let capacity = FIRST_HASHED
    while (capacity < count << 1) capacity <<= 1
    const entries = capacity < this.capacity ? allocate(capacity * offsetof<Entry>()) : 0
    if (entries != 0) {
      release(this.entries, this.capacity * offsetof<Entry>())
      this.entries = entries
      this.capacity = capacity
    } else memory.fill(this.entries, 0, this.capacity * offsetof<Entry>())
    this.count = 0
  }

  /** Gives the entries another place, with room for so many; false, and they stay, when memory ends. */
  private moveTo(capacity: u32): bool {
    const entries = allocate(capacity * offsetof<Entry>())
    if (entries == 0) return false
    const oldEntries = this.entries
    const oldCapacity = this.capacity
    this.entries = entries
    this.capacity = capacity
    for (let i: u32 = 0; i < oldCapacity; i++) {
      const old = changetype<Entry>(oldEntries + <usize>i * offsetof<Entry>())
      if (old.stored != 0) this.place(old.key, old.stored).note = old.note
    }
    release(oldEntries, oldCapacity * offsetof<Entry>())
    return true
  }

  /** Adds an entry. There must be room: call reserve first. */
  insert(key: u64, value: u32): void {
    assert(this.hasRoom(), 'a hash table has room for what is inserted')
    this.place(key, value + 1)
    this.count += 1
  }

  private place(key: u64, stored: u32): Entry {
    const mask = this.capacity - 1
    let place = spread(key) & mask
    while (this.entry(place).stored != 0) place = (place + 1) & mask
    const entry = this.entry(place)
    entry.key = key
    entry.stored = stored
    return entry
  }
}

/** Spreads a key over 32 bits (the finisher of splitmix64, Steele et al. 2014). */
export function spread(key: u64): u32 {
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9
  key = (key ^ (key >> 27)) * 0x94d049bb133111eb
  return <u32>(key ^ (key >> 31))
}

/** Hash of a list of `count` 32-bit numbers. */
export function hashNumbers(numbers: usize, count: u32): u64 {
  let hash: u64 = 0x9e3779b97f4a7c15 ^ count
  for (let i: u32 = 0; i < count; i++) {
    hash ^= <u64>load<u32>(numbers + (<usize>i << 2))
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9
    hash = hash ^ (hash >> 27)
  }
  return hash
}

/** A new empty table, or null when memory ends. */
export function createHashTable(): HashTable {
  return changetype<HashTable>(allocate(offsetof<HashTable>()))
}
