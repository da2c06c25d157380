// Owns the types of an entity handle and of arrays of handles. Which handles are alive is in linear memory.

import { ENTITY_INDEX_BITS } from '../../build/layout'

/** The part of a handle that is the index. */
export const INDEX_MASK = (1 << ENTITY_INDEX_BITS) - 1

declare const brand: unique symbol

/**
 * A handle that names one entity: an unsigned 32-bit number of 24 bits of index and 8 bits of generation. It is never
 * 0; NULL_ENTITY stands for "no entity". Keep it, compare it with ===, store it in an `entity` field.
 *
 * Every call that takes a handle takes any number. To make a number from a message or a file an Entity for the
 * compiler, test `if (world.isAlive(number))`.
 */
export type Entity = number & { readonly [brand]: 'Entity' }

/**
 * The handle that names no entity: 4,294,967,295, the default of every `entity` field. It is truthy and no handle is
 * 0, so `if (handle)` tests nothing: use `isNull(handle)`, or `world.isAlive(handle)`, which is false for it.
 */
export const NULL_ENTITY = 0xffffffff as Entity

/**
 * Whether a handle is NULL_ENTITY, the handle that names no entity. A stale handle, of an entity that was destroyed,
 * is not.
 */
export function isNull(handle: Entity | number): boolean {
  return handle === NULL_ENTITY
}

/** Whether a value could be a handle. The core sees 32 bits of any other number, which may be those of a living entity. */
export function isHandle(entity: unknown): entity is number {
  return typeof entity === 'number' && entity >>> 0 === entity
}

/**
 * An array of handles. At run time it is a plain Uint32Array, and can be passed wherever one is wanted; for the
 * compiler its elements have the type Entity.
 */
export interface EntityArray<B extends ArrayBufferLike = ArrayBufferLike> extends Uint32Array<B> {
  [index: number]: Entity
  [Symbol.iterator](): ArrayIterator<Entity>
  // The types of AssemblyScript, where they are among those of a program, give this method another result.
  at: ((index: number) => Entity | undefined) & Uint32Array<B>['at']
  entries(): ArrayIterator<[number, Entity]>
  every(predicate: (entity: Entity, index: number, array: this) => unknown, thisArg?: unknown): boolean
  fill(value: Entity, start?: number, end?: number): this
  filter(
    predicate: (entity: Entity, index: number, array: this) => unknown,
    thisArg?: unknown,
  ): EntityArray<ArrayBuffer>
  find(
    predicate: (entity: Entity, index: number, array: this) => unknown,
    thisArg?: unknown,
  ): Entity | undefined
  findIndex(predicate: (entity: Entity, index: number, array: this) => unknown, thisArg?: unknown): number
  findLast(
    predicate: (entity: Entity, index: number, array: this) => unknown,
    thisArg?: unknown,
  ): Entity | undefined
  forEach(callback: (entity: Entity, index: number, array: this) => void, thisArg?: unknown): void
  map(
    callback: (entity: Entity, index: number, array: this) => number,
    thisArg?: unknown,
  ): Uint32Array<ArrayBuffer>
  set(entities: ArrayLike<Entity>, offset?: number): void
  slice(start?: number, end?: number): EntityArray<ArrayBuffer>
  some(predicate: (entity: Entity, index: number, array: this) => unknown, thisArg?: unknown): boolean
  sort(compare?: (a: Entity, b: Entity) => number): this
  subarray(begin?: number, end?: number): EntityArray<B>
  toReversed(): EntityArray<ArrayBuffer>
  toSorted(compare?: (a: Entity, b: Entity) => number): EntityArray<ArrayBuffer>
  values(): ArrayIterator<Entity>
  with(index: number, value: Entity): EntityArray<ArrayBuffer>
}

/** An array for so many handles. */
export function entityArray(length: number): EntityArray<ArrayBuffer> {
  return new Uint32Array(length) as unknown as EntityArray<ArrayBuffer>
}
