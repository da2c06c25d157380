// Owns the map of linear memory: what lies where, from the first byte to the last. What has blocks of its own is named by
// memoryOwners.ts, what is free by the lists of the allocator; all that remains are blocks that small objects share.

import {
  BLOCKS_END,
  BLOCKS_FIRST_LIST,
  BLOCKS_RESTING,
  CORE_START,
  FREE_BLOCK_NEXT,
  HEAP_ADDRESS,
  MAX_BLOCK_BYTES,
  MAX_OBJECT_BYTES,
  MIN_OBJECT_SHIFT,
  MIN_ORDER,
  OBJECTS_ADDRESS,
  SCRATCH_ADDRESS,
  SLAB_BYTES,
} from '../../../../build/layout'
import type { Heap } from '../../../../bindings/memory/heap'
import type { WorldState } from '../../../../bindings/rows/worldState'
import { type MemoryKind, eachOwner } from './memoryOwners'

/** A piece of linear memory. */
export interface MemoryRegion {
  /** Address of its first byte. */
  readonly start: number
  readonly bytes: number
  /**
   * 'kernels', 'state' and 'scratch' are the pages below the heap: statics of compiled kernels, the core's own state, and
   * arguments and results of one call. In the heap, 'chunk' has rows of entities or a resource; 'pool' leads from entities
   * to sparse rows; 'records' are those of entities; 'texts' are the strings of text fields; 'table' is any other list, hash
   * table or directory; 'objects' are small structures that share blocks; 'free' is free. 'reserved' is memory beyond the
   * heap, which grows into it.
   */
  readonly kind: MemoryKind
  /** What it belongs to, for people: 'Position, Velocity', 'the pool of Health', 'the records of entities'. */
  readonly owner: string
  /**
   * Which part of it is in use, from 0 to 1: rows of a chunk, entries of a table, bytes of the objects. Of the pages below
   * the heap, 1.
   */
  readonly fill: number
}

/** A region while the map is made. */
interface Piece {
  start: number
  bytes: number
  readonly kind: MemoryKind
  readonly owner: string
  fill: number
}

/** Pieces of these kinds that follow each other are one region. */
const JOINED: readonly MemoryKind[] = ['free', 'objects']
const MAX_ORDER = /* @__PURE__ */ Math.log2(MAX_BLOCK_BYTES)
const MIN_BLOCK_BYTES = 1 << MIN_ORDER
const OBJECTS = 'small structures: archetypes, layouts, queries, short lists and texts'

export function memoryOf(state: WorldState): MemoryRegion[] {
  const { heap } = state
  const end = heap.word(BLOCKS_END)
  const known = freePieces(heap)
  eachOwner(state, (start, bytes, kind, owner, fill) => known.push({ start, bytes, kind, owner, fill }))
  known.sort((a, b) => a.start - b.start)
  const pieces: Piece[] = [
    { start: 0, bytes: CORE_START, kind: 'kernels', owner: 'the statics of kernels', fill: 1 },
    { start: CORE_START, bytes: SCRATCH_ADDRESS - CORE_START, kind: 'state', owner: 'the core', fill: 1 },
    {
      start: SCRATCH_ADDRESS,
      bytes: HEAP_ADDRESS - SCRATCH_ADDRESS,
      kind: 'scratch',
      owner: 'calls',
      fill: 1,
    },
  ]
  const freeIn = freeBytesOfSlabs(heap)
  let at = HEAP_ADDRESS
  for (const piece of known) {
    addSlabs(pieces, at, piece.start, freeIn)
    add(pieces, piece)
    at = piece.start + piece.bytes
  }
  addSlabs(pieces, at, end, freeIn)
  if (end < heap.u8.length)
    pieces.push({
      start: end,
      bytes: heap.u8.length - end,
      kind: 'reserved',
      owner: 'the heap, when it grows',
      fill: 0,
    })
  return pieces
}

/** Adds a piece, or lengthens the last one by it. */
function add(pieces: Piece[], piece: Piece): void {
  const last = pieces[pieces.length - 1] as Piece
  if (last.kind !== piece.kind || !JOINED.includes(piece.kind)) {
    pieces.push(piece)
    return
  }
  const bytes = last.bytes + piece.bytes
  last.fill = (last.fill * last.bytes + piece.fill * piece.bytes) / bytes
  last.bytes = bytes
}

/** Adds what lies between two pieces: blocks of small objects. */
function addSlabs(pieces: Piece[], from: number, to: number, freeIn: ReadonlyMap<number, number>): void {
  for (let start = from; start < to; start += SLAB_BYTES) {
    const fill = 1 - (freeIn.get(start) ?? 0) / SLAB_BYTES
    add(pieces, { start, bytes: Math.min(SLAB_BYTES, to - start), kind: 'objects', owner: OBJECTS, fill })
  }
}

/** Bytes of free objects in each block that objects share, by its address. */
function freeBytesOfSlabs(heap: Heap): Map<number, number> {
  const free = new Map<number, number>()
  for (let shift = MIN_OBJECT_SHIFT; 1 << shift <= MAX_OBJECT_BYTES; shift++) {
    let object = heap.word(OBJECTS_ADDRESS + (shift - MIN_OBJECT_SHIFT) * 4)
    for (; object !== 0; object = heap.word(object)) {
      const slab = object - (object % SLAB_BYTES)
      free.set(slab, (free.get(slab) ?? 0) + (1 << shift))
    }
  }
  return free
}

/** The blocks that are free, those that rest before they join their neighbours among them. */
function freePieces(heap: Heap): Piece[] {
  const pieces: Piece[] = []
  const free = (start: number, bytes: number) =>
    pieces.push({ start, bytes, kind: 'free', owner: 'free', fill: 0 })
  for (let order = MIN_ORDER; order <= MAX_ORDER; order++) {
    let block = heap.word(BLOCKS_FIRST_LIST + order * 4)
    for (; block !== 0; block = heap.word(block + FREE_BLOCK_NEXT)) free(block, 2 ** order)
  }
  for (let block = heap.word(BLOCKS_RESTING); block !== 0; block = heap.word(block))
    free(block, MIN_BLOCK_BYTES)
  return pieces
}
