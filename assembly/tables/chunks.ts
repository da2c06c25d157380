// Owns chunks: pieces of memory that hold rows, each with a descriptor in one dense table. What a chunk's columns are is in its
// layout.
//
//   location  31                  12 11            0
//            ┌──────────────────────┬───────────────┐
//            │ chunk id             │ row           │   0: no row (chunk 0 is never given out)
//            └──────────────────────┴───────────────┘
//
// Descriptors lie apart from the rows: relabelling all chunks of an archetype touches 32 bytes a chunk, and a
// random read of an entity stays within a table that fits the cache.

import { CHUNKS_ADDRESS } from '../memory/map'
import { allocate, release } from '../memory/objects'
import { movesNow } from '../memory/moving'
import { CHUNK_BYTES, FIRST_CHUNKS, LARGE_CHUNK_BYTES, SMALL_CHUNK_BYTES } from '../memory/sizes'
import {
  allocateBlock,
  allocateRange,
  blocks,
  holdBlock,
  promiseBlocks,
  releaseBlock,
  releaseHeldBlocks,
  releaseRange,
} from '../memory/blocks'
import { noteStep } from '../memory/steps'

export const ROW_BITS: u32 = 12
export const ROW_MASK: u32 = (1 << ROW_BITS) - 1
/** A layout key is `layout id << SIZE_BITS`, plus the size: 0 for a small chunk. */
export const SIZE_BITS: u32 = 2
export const SIZE_MASK: u32 = (1 << SIZE_BITS) - 1
export const FULL_CHUNK: u32 = 1
export const LARGE_CHUNK: u32 = 2
export const MAX_CHUNKS: u32 = (1 << (32 - ROW_BITS)) - 1

@unmanaged
export class Chunk {
  /** Address of the rows, behind the ticks with which the chunk's block begins; of a free id the next free one. */
  data: usize
  /** Rows in use, holes included. */
  count: u32
  /** Rows there is room for; 0 marks a free id. */
  capacity: u32
  /** Which columns lie where: layout id << SIZE_BITS, plus the chunk's size. */
  layoutKey: u32
  /** The archetype's id, or the sparse component's. */
  owner: u32
  /** The table (archetype or sparse set) that the chunk belongs to. */
  table: usize
  /** Rows that a stable sparse set has left empty. */
  holes: u32
  /**
   * No value in this chunk changed, and no row came, later than in this tick. It may be later than any of them: a
   * walk over what changed looks here first, where the descriptors lie side by side, and then into the chunk.
   */
  changed: u32
}

@unmanaged
export class ChunkDirectory {
  chunks: usize
  capacity: u32
  /** The lowest id never used so far. */
  fresh: u32
  /** Head of the list of freed ids, 0 when there is none. */
  freeFirst: u32
  freeCount: u32
  /** Chunks in use. */
  count: u32
  /** Counts on whenever a chunk that queries walk comes, goes or gets another table: lists of chunks compare it. Wraps. */
  version: u32
  /** How many ids are held for the chunks of a change. */
  held: u32
  /** Of the checked core: for how many chunks of a bulk change there is room already. Until its end the table stays. */
  promised: u32
}

export const directory = changetype<ChunkDirectory>(CHUNKS_ADDRESS)

export function initChunks(): bool {
  memory.fill(CHUNKS_ADDRESS, 0, offsetof<ChunkDirectory>())
  directory.fresh = 1
  return ensureChunkIds(FIRST_CHUNKS - 1)
}

@inline
export function chunkAt(id: u32): Chunk {
  if (!ASC_NO_ASSERT) assert(noteStep() && id < directory.fresh, 'a chunk id was given out')
  return changetype<Chunk>(directory.chunks + (<usize>id << 5))
}

@inline
export function locationOf(id: u32, row: u32): u32 {
  return (id << ROW_BITS) | row
}

@inline
export function chunkIdOf(location: u32): u32 {
  return location >> ROW_BITS
}

@inline
export function rowOf(location: u32): u32 {
  return location & ROW_MASK
}

/** Small, FULL_CHUNK or LARGE_CHUNK: columns lie in different places in each. */
@inline
export function sizeOf(chunk: Chunk): u32 {
  return chunk.layoutKey & SIZE_MASK
}

@inline
function chunkBytes(size: u32): u32 {
  return select<u32>((CHUNK_BYTES >> FULL_CHUNK) << size, SMALL_CHUNK_BYTES, size)
}

/** A new empty chunk whose rows begin `head` bytes behind the start of its block, or 0 when memory or ids end. */
export function createChunk(head: u32, capacity: u32, layoutKey: u32, owner: u32, table: usize): u32 {
  if (!ensureChunkId()) return 0
  const block = allocateBlock(chunkBytes(layoutKey & SIZE_MASK))
  return block == 0 ? 0 : enter(block + head, capacity, layoutKey, owner, table)
}

/** The same for one row of more than a full chunk. To the directory it is a small chunk: only its end lies elsewhere. */
export function createWideChunk(head: u32, bytes: u32, layoutKey: u32, owner: u32, table: usize): u32 {
  if (!ensureChunkId()) return 0
  const block = allocateRange(bytes)
  return block == 0 ? 0 : enter(block + head, 1, layoutKey, owner, table)
}

function enter(data: usize, capacity: u32, layoutKey: u32, owner: u32, table: usize): u32 {
  const id = takeId()
  const chunk = chunkAt(id)
  chunk.data = data
  chunk.count = 0
  chunk.capacity = capacity
  chunk.layoutKey = layoutKey
  chunk.owner = owner
  chunk.table = table
  chunk.holes = 0
  chunk.changed = 0
  directory.count += 1
  directory.version += 1
  return id
}

/** `head` must be what it was created with. */
export function destroyChunk(id: u32, head: u32): void {
  const chunk = chunkAt(id)
  releaseBlock(chunk.data - head, chunkBytes(sizeOf(chunk)))
  leave(id, chunk)
}

/** `head` and `bytes` must be what it was created with. */
export function destroyWideChunk(id: u32, head: u32, bytes: u32): void {
  const chunk = chunkAt(id)
  releaseRange(chunk.data - head, bytes)
  leave(id, chunk)
}

function leave(id: u32, chunk: Chunk): void {
  chunk.capacity = 0
  chunk.count = 0
  chunk.owner = 0
  chunk.layoutKey = 0
  chunk.data = directory.freeFirst
  directory.freeFirst = id
  directory.freeCount += 1
  directory.count -= 1
  directory.version += 1
}

/** Makes sure that so many chunks of each size can be created without failing; with `holds`, also after other memory was taken. */
export function promiseChunks(small: u32, full: u32, large: u32, holds: bool): bool {
  const count = small + full + large
  if (!ensureChunkIds(count)) return false
  // Blocks are cut from the smallest free one that fits: at worst 16 small ones break up a full one, two of those a large one.
  const smallPerFull = CHUNK_BYTES / SMALL_CHUNK_BYTES
  const fullPerLarge = LARGE_CHUNK_BYTES / CHUNK_BYTES
  let blocks = full + (small + smallPerFull - 1) / smallPerFull
  if (large != 0) blocks = large + (blocks + fullPerLarge - 1) / fullPerLarge
  const bytes = large == 0 ? CHUNK_BYTES : LARGE_CHUNK_BYTES
  if (!promiseBlocks(blocks, bytes)) return false
  if (holds) hold(count, blocks, bytes)
  else if (!ASC_NO_ASSERT) directory.promised = count
  return true
}

function hold(count: u32, blocks: u32, bytes: u32): void {
  directory.held = count
  for (; blocks > 0; blocks--) {
    const isHeld = holdBlock(bytes)
    assert(isHeld, 'a block that was promised can be held')
  }
}

/** Makes sure that one chunk of a size can be created, also after other memory was taken; false when memory ends. */
export function holdChunk(size: u32): bool {
  if (!ensureChunkIds(1) || !holdBlock(chunkBytes(size))) return false
  directory.held += 1
  return true
}

/** Gives back what is held: directly before the change that it is held for, which finds it then, or because that is not made. */
export function releaseHeld(): void {
  releaseHeldBlocks()
  directory.held = 0
}

function takeId(): u32 {
  const id = directory.freeFirst
  if (id == 0) return directory.fresh++
  directory.freeFirst = <u32>changetype<Chunk>(directory.chunks + (<usize>id << 5)).data
  directory.freeCount -= 1
  return id
}

/** Call when a bulk change has ended: it need not have made all the chunks that it was promised. */
@inline
export function endPromise(): void {
  if (!ASC_NO_ASSERT) directory.promised = 0
}

@inline
function ensureChunkId(): bool {
  if (ASC_NO_ASSERT || directory.promised == 0) return ensureChunkIds(1)
  directory.promised -= 1
  return true
}

function ensureChunkIds(more: u32): bool {
  if (!ASC_NO_ASSERT && movesNow(directory.capacity << 5)) moveChunks(directory.capacity)
  const count = more + directory.held
  if (count <= directory.freeCount) return true
  const needed = directory.fresh + count - directory.freeCount
  if (needed <= directory.capacity) return true
  if (needed > MAX_CHUNKS) return false
  let capacity = max(directory.capacity, FIRST_CHUNKS)
  while (capacity < needed) capacity <<= 1
  return moveChunks(capacity)
}

/** Gives the table of descriptors another place, with room for so many; false, and it stays, when memory ends. */
function moveChunks(capacity: u32): bool {
  const chunks = allocate(capacity << 5)
  if (chunks == 0) return false
  memory.copy(chunks, directory.chunks, directory.capacity << 5)
  release(directory.chunks, directory.capacity << 5)
  directory.chunks = chunks
  directory.capacity = capacity
  blocks.epoch += 1
  return true
}
