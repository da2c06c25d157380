// Owns the first of many entities by the value of a field, without an order of all of them. Entities with equal values keep the
// order in which they were created; NaN comes last.

import type { Heap } from '../../../../bindings/memory/heap'
import { ageOf } from '../../../../bindings/memory/handles'

/** What is ordered: numbers, or texts, by their UTF-16 units. */
export type Rank = number | string

/**
 * The first of all entities that are looked at, as many as wanted. A heap, in which the last of them is on top: most are
 * compared with that one alone.
 */
export class Ranking {
  private readonly ranks: Rank[] = []
  private readonly entities: number[] = []

  constructor(
    private readonly heap: Heap,
    private readonly descending: boolean,
    private readonly wanted: number,
  ) {}

  /** Whether as many are there as are wanted: then others must come before the last of them. */
  get isFull(): boolean {
    return this.ranks.length >= this.wanted
  }

  /** The value of the last of them. */
  get last(): Rank {
    return this.ranks[0] as Rank
  }

  /** Whether an entity would be among the first. */
  wants(rank: Rank, entity: number): boolean {
    if (!this.isFull) return true
    return this.wanted > 0 && this.comesBefore(rank, entity, this.last, this.entities[0] as number)
  }

  /** Takes in an entity that is wanted. */
  take(rank: Rank, entity: number): void {
    const { ranks, entities } = this
    if (!this.isFull) {
      ranks.push(rank)
      entities.push(entity)
      this.rise(ranks.length - 1)
    } else {
      ranks[0] = rank
      entities[0] = entity
      this.sink(0)
    }
  }

  /** The entities from a place on, in their order. */
  from(offset: number): number[] {
    const places = this.entities.map((_, place) => place)
    const { entities } = this
    places.sort((a, b) => (this.isBefore(a, b) ? -1 : 1))
    return places.slice(offset).map((place) => entities[place] as number)
  }

  private comesBefore(rank: Rank, entity: number, other: Rank, otherEntity: number): boolean {
    if (this.descending ? rank > other : rank < other) return true
    if (this.descending ? rank < other : rank > other) return false
    // Equal ones, or NaN, which is neither less nor greater than anything.
    const isNaN = rank !== rank
    if (isNaN !== (other !== other)) return !isNaN
    return ageOf(this.heap, entity) > ageOf(this.heap, otherEntity)
  }

  private isBefore(a: number, b: number): boolean {
    const { ranks, entities } = this
    return this.comesBefore(ranks[a] as Rank, entities[a] as number, ranks[b] as Rank, entities[b] as number)
  }

  private swap(a: number, b: number): void {
    const { ranks, entities } = this
    const rank = ranks[a] as Rank
    const entity = entities[a] as number
    ranks[a] = ranks[b] as Rank
    entities[a] = entities[b] as number
    ranks[b] = rank
    entities[b] = entity
  }

  private rise(place: number): void {
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!this.isBefore(above, place)) return
      this.swap(above, place)
      place = above
    }
  }

  private sink(place: number): void {
    const { length } = this.ranks
    for (;;) {
      let last = place
      for (let below = place * 2 + 1; below <= place * 2 + 2 && below < length; below++)
        if (this.isBefore(last, below)) last = below
      if (last === place) return
      this.swap(last, place)
      place = last
    }
  }
}
