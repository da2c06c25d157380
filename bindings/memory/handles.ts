// Owns the base of a world's state: its core, its memory, and which handles are alive, promised ones included.
// It must never know what an entity has.

import {
  ENTITIES_FRESH,
  ENTITIES_LIMIT,
  FIRST_ENTITY_INDEX,
  STATUS_OUT_OF_ENTITIES,
  WORLD_STATUS,
} from '../../build/layout'
import type { CoreExports } from './core'
import { INDEX_MASK, type Entity, type EntityArray, NULL_ENTITY, entityArray } from './entity'
import { limitError } from './errors'
import { Heap } from './heap'

/** WorldState is built on it: what every call reads is declared first. */
export class Handles {
  readonly heap: Heap
  /** How many handles were promised that have no record yet: the indices from ENTITIES_FRESH on. */
  promised = 0
  /**
   * Set by whatever must wait for the end of the outermost loop: queued changes, promised handles and texts, the first error,
   * what listeners are to be told. Only the flush of the queue takes it back.
   */
  owed = false

  constructor(public core: CoreExports) {
    this.heap = new Heap(core.memory)
  }

  isAlive(entity: number): boolean {
    if (typeof entity !== 'number') return false
    const heap = this.heap
    const index = entity & INDEX_MASK
    if (index < heap.entityCapacity) return heap.handleAt(index) === entity
    return this.promised > 0 && this.isPromised(entity)
  }

  private isPromised(entity: number): boolean {
    const fresh = this.heap.word(ENTITIES_FRESH)
    return Number.isInteger(entity) && entity >= fresh && entity < fresh + this.promised
  }

  /** Whether a living entity has a row: one that is reserved has none yet. */
  hasRow(entity: number): boolean {
    const { heap } = this
    const index = entity & INDEX_MASK
    return index < heap.entityCapacity && heap.locationAt(index) !== 0
  }

  /** Every handle that is alive, reserved ones too. Looks at all records. */
  livingHandles(): number[] {
    const { heap } = this
    const handles: number[] = []
    const fresh = heap.word(ENTITIES_FRESH)
    for (let index = FIRST_ENTITY_INDEX; index < fresh; index++) {
      const handle = heap.handleAt(index)
      if ((handle & INDEX_MASK) === index) handles.push(handle)
    }
    for (let i = 0; i < this.promised; i++) handles.push(fresh + i)
    return handles
  }

  /** Whether all of these living entities have rows. */
  haveRows(entities: ArrayLike<number>): boolean {
    const { heap } = this
    for (let i = 0; i < entities.length; i++) {
      const index = (entities[i] as number) & INDEX_MASK
      if (index >= heap.entityCapacity || heap.locationAt(index) === 0) return false
    }
    return true
  }

  /** The living entities of a list, each once. */
  livingOf(entities: ArrayLike<unknown>): EntityArray<ArrayBuffer> {
    const { heap } = this
    const { length } = entities
    const kept = entityArray(length)
    // Most lists are in the order of the indices, which do not repeat then.
    let count = 0
    let last = 0
    for (; count < length; count++) {
      const entity = entities[count] as Entity
      const index = entity & INDEX_MASK
      if (index <= last || index >= heap.entityCapacity || heap.handleAt(index) !== entity) break
      kept[count] = entity
      last = index
    }
    return count === length ? kept : kept.slice(0, this.keepLiving(kept, count, entities))
  }

  /** Adds those that are alive, from the one at `first` on, to as many that were kept. Returns how many are kept then. */
  private keepLiving(kept: EntityArray, first: number, entities: ArrayLike<unknown>): number {
    const seen = new Uint8Array(this.heap.entityCapacity + this.promised)
    for (let i = 0; i < first; i++) seen[(kept[i] as number) & INDEX_MASK] = 1
    let count = first
    for (let i = first; i < entities.length; i++) {
      const entity = entities[i] as Entity
      if (!this.isAlive(entity) || seen[entity & INDEX_MASK] === 1) continue
      seen[entity & INDEX_MASK] = 1
      kept[count++] = entity
    }
    return count
  }

  /** Throws unless `count` more handles can be given. */
  requireIds(count: number): void {
    if (this.core.entitiesAvailable() - this.promised < count) throw limitError(STATUS_OUT_OF_ENTITIES, '')
  }

  /** A new handle, alive at once and without a row; there is room for `count`, this one and those asked for next. */
  protected reserveNow(count: number): Entity {
    const entity = this.core.entityCreate(count) >>> 0
    this.heap.check()
    if (entity === NULL_ENTITY) throw limitError(this.heap.word(WORLD_STATUS) | 0, '')
    return entity as Entity
  }

  /** The same without growing memory: where the records end, the handle is only promised. */
  protected promise(): Entity {
    const reserved = this.core.entityReserve(this.promised) >>> 0
    if (reserved !== NULL_ENTITY) return reserved as Entity
    const next = this.heap.word(ENTITIES_FRESH) + this.promised
    if (next >= this.heap.word(ENTITIES_LIMIT)) throw limitError(STATUS_OUT_OF_ENTITIES, '')
    this.promised++
    this.owed = true
    return next as Entity
  }
}
