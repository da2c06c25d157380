// Owns the sizes of what is handed out in pieces and of what grows, in one place: a world of the small build passes, in a
// few hundred steps, each growth that a program meets after hours. It must never hold a size that only one build knows.
//
// scripts/build-core.js makes the small build by compiling assembly/small.ts along: tests alone use it.

const IS_SMALL: bool = isDefined(SMALL_SIZES)

/** log2 of the bytes of the smallest block. */
export const MIN_ORDER: u32 = IS_SMALL ? 8 : 10
/** A chunk has one of three sizes. What a row may take at most is what a full chunk holds. */
export const SMALL_CHUNK_BYTES: u32 = IS_SMALL ? 256 : 1024
export const CHUNK_BYTES: u32 = IS_SMALL ? 1024 : 16384
export const LARGE_CHUNK_BYTES: u32 = CHUNK_BYTES << 1
/** log2 of the entities that one page of a sparse index leads to. */
export const PAGE_SHIFT: u32 = IS_SMALL ? 4 : 12

/** For how many there is room at first; each a power of two. */
export const FIRST_ENTITIES: u32 = IS_SMALL ? 8 : 1024
export const FIRST_CHUNKS: u32 = IS_SMALL ? 2 : 64
export const FIRST_COMPONENTS: u32 = IS_SMALL ? 1 : 16
export const FIRST_TEXTS: u32 = IS_SMALL ? 2 : 16
export const FIRST_PAGES: u32 = IS_SMALL ? 1 : 4
export const FIRST_ITEMS: u32 = IS_SMALL ? 1 : 4
export const FIRST_MATCHES: u32 = IS_SMALL ? 1 : 4
export const FIRST_SEEN_TICKS: u32 = IS_SMALL ? 1 : 4
export const FIRST_HASHED: u32 = IS_SMALL ? 2 : 16
