// Owns the fixed addresses of linear memory: which part of it belongs to whom before the heap begins. Everything that can move or
// grow lives in the heap.
//
//   0x00000  ┌──────────────────────────────────────┐
//            │ page 0: statics of users' kernels    │  never handed out by the core
//   0x10000  ├──────────────────────────────────────┤
//            │ page 1: state of the core's rooms    │  one struct for each, below
//   0x20000  ├──────────────────────────────────────┤
//            │ page 2: scratch                      │  arguments and results of one call
//   0x30000  ├──────────────────────────────────────┤
//            │ heap: blocks of 1 KiB and upwards    │  see blocks.ts
//            └──────────────────────────────────────┘

/** The block allocator: its lists and, behind them, the bitmap for the first 8 MiB. */
export const BLOCKS_ADDRESS: usize = 0x10000
/** Bitmap of free blocks while it is this long; a longer one lies in the heap. */
export const FIRST_BITMAP_ADDRESS: usize = 0x10400
export const FIRST_BITMAP_BYTES: u32 = 0x400
/** The free lists of small objects. */
export const OBJECTS_ADDRESS: usize = 0x10800
export const ENTITIES_ADDRESS: usize = 0x10900
export const CHUNKS_ADDRESS: usize = 0x10a00
export const COMPONENTS_ADDRESS: usize = 0x10b00
export const LAYOUTS_ADDRESS: usize = 0x10c00
export const ARCHETYPES_ADDRESS: usize = 0x10d00
export const BUNDLES_ADDRESS: usize = 0x10e00
export const QUERIES_ADDRESS: usize = 0x10f00
/** The query that lives for one call only. */
export const PROBE_ADDRESS: usize = 0x10f80
export const WORLD_ADDRESS: usize = 0x11000
export const TEXTS_ADDRESS: usize = 0x11400
/** The moves of rows made last: see rows/moves.ts. */
export const MOVES_ADDRESS: usize = 0x11500
/** The newest row of an archetype: see rows/rows.ts. */
export const NEW_ROW_ADDRESS: usize = 0x11530
export const SEEN_TICKS_ADDRESS: usize = 0x11540
/** Behind the structs of the rooms: snapshots hold what lies before. */
export const STATE_END: usize = 0x11600
/** Of the checked core: which changes of the heap this memory has seen (see poison.ts). From here to the list there is nothing. */
export const OWN_STAMP_ADDRESS: usize = 0x11600
/** Of the checked core: how many steps it has taken (see steps.ts). No snapshot holds it. */
export const STEPS_ADDRESS: usize = 0x11604

/** Where TypeScript leaves handles that belong to one call, while scratch is needed for something else. */
export const LIST_ADDRESS: usize = 0x14000
export const LIST_HANDLES: u32 = 0x1000

/** One bit for each row of a chunk: which of them a query meets. Good for one call. */
export const MASK_ADDRESS: usize = 0x18000
export const MASK_BYTES: u32 = 0x200
/** Where TypeScript leaves conditions on values (see masks.ts) that belong to one call. */
export const FILTERS_ADDRESS: usize = 0x18200
export const MAX_FILTERS: u32 = 32

/** Where TypeScript leaves the arguments of a kernel's call: see kernel/arguments.ts. To the end of page 1. */
export const KERNEL_ARGUMENTS_ADDRESS: usize = 0x1a000
export const KERNEL_ARGUMENTS_BYTES: u32 = 0x6000

/** The first address that belongs to the core: page 0 is kept for kernels. */
export const CORE_START: usize = 0x10000
/** Where TypeScript leaves lists of arguments and finds lists of results. */
export const SCRATCH_ADDRESS: usize = 0x20000
export const SCRATCH_BYTES: u32 = 0x10000
export const HEAP_ADDRESS: usize = 0x30000
