// Checks entity handles: records, the queues of free and of retired indices, births. That records and rows name each other is
// checked in archetypes.ts and pools.ts.

import { LAYOUT } from '../layout'
import { fail } from './failure'
import type { Memory } from './memory'

const L = LAYOUT

const INDEX_MASK = 2 ** L.ENTITY_INDEX_BITS - 1

/** Entities ever born, up to which each has a byte that says whether it was seen. */
const MANY_BIRTHS = 2 ** 24

const ALIVE = 1
const FREE = 2
const RETIRED = 3

export class Entities {
  /** All indices below this one have records, and were given out at some time. */
  readonly fresh: number
  private readonly records: number
  /** ALIVE, FREE or RETIRED for each index that was ever given out. */
  private readonly kinds: Uint8Array

  constructor(private readonly memory: Memory) {
    this.records = memory.word(L.ENTITIES_RECORDS)
    this.fresh = Math.min(memory.word(L.ENTITIES_FRESH), memory.word(L.ENTITIES_CAPACITY))
    this.kinds = new Uint8Array(this.fresh)
  }

  indexOf(handle: number): number {
    return handle & INDEX_MASK
  }

  handleOf(index: number): number {
    return this.memory.word(this.records + index * L.RECORD_BYTES + L.RECORD_HANDLE)
  }

  locationOf(index: number): number {
    return this.memory.word(this.records + index * L.RECORD_BYTES + L.RECORD_LOCATION)
  }

  /** Whether check found the index alive. */
  isAlive(index: number): boolean {
    return this.kinds[index] === ALIVE
  }

  check(): void {
    const { memory } = this
    const capacity = memory.word(L.ENTITIES_CAPACITY)
    const limit = memory.word(L.ENTITIES_LIMIT)
    const fresh = memory.word(L.ENTITIES_FRESH)
    const promisedFrom = memory.word(L.ENTITIES_PROMISED_FROM)
    if (fresh > limit) fail(`the fresh index ${fresh} is beyond the limit ${limit}`)
    if (promisedFrom < capacity) fail(`index ${promisedFrom} is promised and one of the ${capacity} records`)
    const alive = this.countLiving() + Math.max(fresh - promisedFrom, 0)
    if (alive !== memory.word(L.ENTITIES_ALIVE)) {
      fail(`${memory.word(L.ENTITIES_ALIVE)} entities are said to be alive and ${alive} are`)
    }
    this.walkQueue(FREE, L.ENTITIES_FREE_FIRST, L.ENTITIES_FREE_LAST, L.ENTITIES_FREE_COUNT, 'free queue')
    this.walkQueue(
      RETIRED,
      L.ENTITIES_RETIRED_FIRST,
      L.ENTITIES_RETIRED_LAST,
      L.ENTITIES_RETIRED_COUNT,
      'retired queue',
    )
    for (let index = L.FIRST_ENTITY_INDEX; index < this.fresh; index++) {
      if (this.kinds[index] === 0) fail(`index ${index} is neither alive nor in a queue`)
    }
    if (memory.depth !== 'all') return
    this.checkUnusedRecords(capacity)
    this.checkBirths()
    this.checkPeaks(capacity)
  }

  /** A peak is kept of those alone that live under a generation below one that they had. */
  private checkPeaks(capacity: number): void {
    const { memory } = this
    const peaks = memory.word(L.ENTITIES_PEAKS)
    for (let index = 0; index < capacity && peaks !== 0; index++) {
      const peak = memory.byte(peaks + index)
      if (peak === 0) continue
      if (this.kinds[index] !== ALIVE) fail(`index ${index} is not alive and has the peak ${peak}`)
      const generation = this.handleOf(index) >>> L.ENTITY_INDEX_BITS
      if (peak <= generation)
        fail(`index ${index} has the peak ${peak} and lives under generation ${generation}`)
    }
  }

  private countLiving(): number {
    let alive = 0
    for (let index = L.FIRST_ENTITY_INDEX; index < this.fresh; index++) {
      const own = this.handleOf(index) & INDEX_MASK
      if (own === index) {
        this.kinds[index] = ALIVE
        alive++
      } else if (own !== INDEX_MASK) fail(`the record of index ${index} holds a handle of index ${own}`)
    }
    return alive
  }

  private walkQueue(kind: number, firstAt: number, lastAt: number, countAt: number, name: string): void {
    const { memory } = this
    const count = memory.word(countAt)
    const births = memory.word(L.ENTITIES_BIRTHS)
    let index = memory.word(firstAt)
    let before = 0
    for (let i = 0; i < count; i++) {
      if (index < L.FIRST_ENTITY_INDEX || index >= this.fresh)
        fail(`the ${name} names the index ${index}, never given out`)
      if (this.kinds[index] === ALIVE) fail(`the ${name} names the living index ${index}`)
      if (this.kinds[index] !== 0) fail(`index ${index} is queued twice, the second time in the ${name}`)
      // A retired index starts over with generation 0; a free one never had its generations used up.
      if ((this.handleOf(index) >>> L.ENTITY_INDEX_BITS === 0) !== (kind === RETIRED)) {
        fail(
          `index ${index} is in the ${name} with generation ${this.handleOf(index) >>> L.ENTITY_INDEX_BITS}`,
        )
      }
      const previous = memory.word(births + index * 4)
      if (i > 0 && previous !== before)
        fail(`in the ${name} index ${index} follows ${before} and names ${previous} as the one before`)
      this.kinds[index] = kind
      before = index
      if (i === count - 1 && index !== memory.word(lastAt))
        fail(`the ${name} ends with index ${index}, not with its last`)
      index = this.locationOf(index)
    }
  }

  private checkUnusedRecords(capacity: number): void {
    const last = Math.min(capacity, INDEX_MASK)
    for (let index = this.fresh; index < last; index++) {
      if (this.handleOf(index) !== INDEX_MASK)
        fail(`the record of index ${index}, never given out, is not dead`)
    }
    if (this.handleOf(0) !== INDEX_MASK) fail('the record of index 0 is not dead')
    if (capacity > INDEX_MASK && this.handleOf(INDEX_MASK) !== 0)
      fail('the record of the last index reads like a handle')
  }

  /** Every living entity was born before the next one will be, and no two at once. */
  private checkBirths(): void {
    const { memory } = this
    const births = memory.word(L.ENTITIES_BIRTHS)
    const next = memory.word(L.ENTITIES_NEXT_BIRTH)
    // A byte for each birth where there were few: worlds of millions are looked over often.
    const seen = next <= MANY_BIRTHS ? new Uint8Array(next) : undefined
    const seenOfMany = new Set<number>()
    for (let index = L.FIRST_ENTITY_INDEX; index < this.fresh; index++) {
      if (this.kinds[index] !== ALIVE) continue
      const birth = memory.u32[(births >>> 2) + index] as number
      if (birth >= next) fail(`index ${index} has birth ${birth}, and the next one is ${next}`)
      if (seen === undefined ? seenOfMany.has(birth) : seen[birth] === 1)
        fail(`index ${index} has birth ${birth}, like another one`)
      if (seen === undefined) seenOfMany.add(birth)
      else seen[birth] = 1
    }
  }

  claimPeaks(): void {
    const { memory } = this
    const peaks = memory.word(L.ENTITIES_PEAKS)
    if (peaks !== 0) memory.ledger.claim(peaks, memory.word(L.ENTITIES_CAPACITY), 'the peaks of generations')
  }

  claimBirths(): void {
    const { memory } = this
    memory.ledger.claim(memory.word(L.ENTITIES_BIRTHS), memory.word(L.ENTITIES_CAPACITY) * 4, 'the births')
  }

  claimRecords(): void {
    const { memory } = this
    memory.ledger.claim(this.records, memory.word(L.ENTITIES_CAPACITY) * L.RECORD_BYTES, 'the entity records')
  }
}
