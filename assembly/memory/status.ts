// Owns the status numbers that a structural change returns to TypeScript. The sentences that users read are in
// bindings/memory/errors.ts.

/** The change was made. */
export const DONE: i32 = 1
/** The change was made, and nothing but rows changed: memory and tables are where they were. */
export const MOVED: i32 = 2
/** The entity has what needs upkeep: it stays until TypeScript has seen to that. */
export const UPKEEP: i32 = 3
/** There was nothing to change. */
export const NOTHING: i32 = 0
/** The entity is not alive. */
export const DEAD: i32 = -1
/** The memory's maximum is reached. */
export const OUT_OF_MEMORY: i32 = -2
/** No entity id is left. */
export const OUT_OF_ENTITIES: i32 = -3
/** The component types are used up. */
export const OUT_OF_COMPONENTS: i32 = -4
/** A row of this archetype does not fit into one chunk. */
export const ROW_TOO_LARGE: i32 = -5
/** An archetype would have more components than a signature can hold. */
export const SIGNATURE_TOO_LONG: i32 = -6
