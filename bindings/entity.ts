// Owns the type of an entity handle. It must never hold state: what is alive is said by linear memory.

declare const brand: unique symbol

/**
 * Names one entity for ever: 24 bits of index, 8 bits of generation, an unsigned 32-bit number. Never 0, so
 * that it can be tested for truth. Keep it, compare it with ===, store it in an `entity` field.
 */
export type Entity = number & { readonly [brand]: 'Entity' }

/** The handle that names no entity. Every `entity` field starts as this. */
export const NULL_ENTITY = 0xffffffff as Entity
