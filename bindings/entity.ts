// Owns the type of an entity handle. It must never hold state: what is alive is said by linear memory.

declare const brand: unique symbol

/**
 * Names one entity for ever: 24 bits of index, 8 bits of generation, an unsigned 32-bit number. Never 0;
 * see NULL_ENTITY for "no entity". Keep it, compare it with ===, store it in an `entity` field.
 */
export type Entity = number & { readonly [brand]: 'Entity' }

/**
 * The handle that names no entity, 4,294,967,295. Every `entity` field starts as this. No handle is 0, and this one is
 * truthy, so `if (handle)` says nothing: ask `isNull(handle)`, or `world.isAlive(handle)`, which is false for it.
 */
export const NULL_ENTITY = 0xffffffff as Entity

/** Whether a handle is NULL_ENTITY, the one that names no entity. A handle of an entity that died is not. */
export function isNull(handle: Entity | number): boolean {
  return handle === NULL_ENTITY
}
