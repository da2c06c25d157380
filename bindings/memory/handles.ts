// Owns the base of a world's state: its core, its memory, which handles are alive, promised ones included, and how old entities
// are.

import {
  ENTITIES_BIRTHS,
  ENTITIES_FRESH,
  ENTITIES_NEXT_BIRTH,
  ENTITIES_PROMISED_FROM,
  FIRST_ENTITY_INDEX,
  SCRATCH_ADDRESS_WORD,
  SCRATCH_WORDS,
  STATUS_OUT_OF_ENTITIES,
  WORLD_STATUS,
} from '../../build/layout'
import { type CoreExports, noParts } from './core'
import { type Entity, type EntityArray, INDEX_MASK, NULL_ENTITY, entityArray } from './entity'
import { limitError } from './errors'
import { Heap, RECORD_WORDS_SHIFT } from './heap'
import { arrayKind } from './realms'

/** Lists of at most so many are searched for repeats handle by handle. */
const FEW_HANDLES = 32

/** WorldState is built on it: what every call reads is declared first. */
export class Handles {
  readonly heap: Heap
  /**
   * Set by whatever must wait for the end of the outermost loop: queued changes, promised handles and texts, the first error,
   * what listeners are to be told. Only the flush of the queue takes it back.
   */
  owed = false
  /** See coreParts.ts. */
  parts = noParts(undefined)

  constructor(public core: CoreExports) {
    this.heap = new Heap(core.memory)
  }

  isAlive(entity: number): boolean {
    if (typeof entity !== 'number') return false
    const heap = this.heap
    const index = entity & INDEX_MASK
    if (index < heap.entityCapacity) return heap.handleAt(index) === entity
    // Beyond the records some may be promised: see assembly/memory/reserving.ts.
    return (
      entity >= heap.word(ENTITIES_PROMISED_FROM) &&
      entity < heap.word(ENTITIES_FRESH) &&
      Number.isInteger(entity)
    )
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
    for (let index = FIRST_ENTITY_INDEX; index < Math.min(fresh, heap.entityCapacity); index++) {
      const handle = heap.handleAt(index)
      if ((handle & INDEX_MASK) === index) handles.push(handle)
    }
    for (let index = heap.word(ENTITIES_PROMISED_FROM); index < fresh; index++) handles.push(index)
    return handles
  }

  /** The living entities of a list, each once. */
  livingOf(entities: ArrayLike<unknown>): EntityArray<ArrayBuffer> {
    const { u32, records, entityCapacity } = this.heap
    const { length } = entities
    const kept = entityArray(length)
    // Most lists are in the order of the indices, which do not repeat then.
    let count = 0
    let last = 0
    for (; count < length; count++) {
      const entity = entities[count] as Entity
      const index = entity & INDEX_MASK
      if (index <= last || index >= entityCapacity || u32[records + (index << RECORD_WORDS_SHIFT)] !== entity)
        break
      kept[count] = entity
      last = index
    }
    return count === length ? kept : kept.slice(0, this.keepLiving(kept, count, entities))
  }

  /** Adds the living entities from the place `first` on to the list, of which as many are kept. Returns how many are kept then. */
  private keepLiving(kept: EntityArray, first: number, entities: ArrayLike<unknown>): number {
    const { length } = entities
    // A note of every index of the world costs more than a look at a few handles.
    const { heap } = this
    const seen =
      length > FEW_HANDLES
        ? new Uint8Array(Math.max(heap.entityCapacity, heap.word(ENTITIES_FRESH)))
        : undefined
    for (let i = 0; i < first && seen !== undefined; i++) seen[(kept[i] as number) & INDEX_MASK] = 1
    let count = first
    for (let i = first; i < length; i++) {
      const entity = entities[i] as Entity
      if (!this.isAlive(entity)) continue
      const index = entity & INDEX_MASK
      if (seen === undefined ? isAmong(kept, count, entity) : seen[index] === 1) continue
      if (seen !== undefined) seen[index] = 1
      kept[count++] = entity
    }
    return count
  }

  /** Writes the part of a list that begins at a place to scratch. Returns how many handles it has. */
  listPart(entities: ArrayLike<unknown>, from: number): number {
    const count = Math.min(SCRATCH_WORDS, entities.length - from)
    const { u32 } = this.heap
    const first = SCRATCH_ADDRESS_WORD
    if (arrayKind(entities) === 'Uint32Array')
      for (let i = 0; i < count; i++) u32[first + i] = entities[from + i] as number
    else
      for (let i = 0; i < count; i++) {
        const entity = entities[from + i] as number
        // Rounding would turn a wrong number into another entity's handle.
        u32[first + i] = this.isAlive(entity) ? entity : NULL_ENTITY
      }
    return count
  }

  /** Throws unless `count` more handles can be given. */
  requireIds(count: number): void {
    if (this.core.entitiesAvailable() < count) throw limitError(STATUS_OUT_OF_ENTITIES, '')
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
    const entity = this.core.entityReserve() >>> 0
    if (entity === NULL_ENTITY) throw limitError(STATUS_OUT_OF_ENTITIES, '')
    if ((entity & INDEX_MASK) >= this.heap.entityCapacity) this.owed = true
    return entity as Entity
  }

  /** Whether handles may wait for their records. */
  hasPromised(): boolean {
    return this.heap.word(ENTITIES_FRESH) > this.heap.entityCapacity
  }
}

/** Whether one of the first `count` handles is this one. */
function isAmong(handles: EntityArray, count: number, entity: number): boolean {
  for (let i = 0; i < count; i++) if (handles[i] === entity) return true
  return false
}

/** Whether all of these living entities have rows. */
export function haveRows({ heap }: Handles, entities: ArrayLike<number>): boolean {
  const { u32, records, entityCapacity } = heap
  for (let i = 0; i < entities.length; i++) {
    const index = (entities[i] as number) & INDEX_MASK
    if (index >= entityCapacity || u32[records + (index << RECORD_WORDS_SHIFT) + 1] === 0) return false
  }
  return true
}

/** How many entities were made since this one: the oldest has the greatest age. */
export function ageOf(heap: Heap, entity: number): number {
  const index = entity & INDEX_MASK
  return (heap.word(ENTITIES_NEXT_BIRTH) - heap.word(heap.word(ENTITIES_BIRTHS) + index * 4)) >>> 0
}
