// Owns the map of linear memory: what lies where, from the first byte to the last.

import type { WorldState } from '../rows/worldState'

/** A piece of linear memory. */
export interface MemoryRegion {
  /** Address of its first byte. */
  readonly start: number
  readonly bytes: number
  /**
   * 'kernels', 'state' and 'scratch' lie below the heap, in pages 0, 1 and 2. 'chunk' has rows of entities or a resource;
   * 'table' is a list, hash table or directory of the core; 'pool' leads from entities to sparse rows; 'records' are those
   * of entities; 'texts' are the strings of text fields; 'objects' are small structures that share a block; 'free' is free;
   * 'reserved' is memory of the host that the heap has not taken over yet.
   */
  readonly kind:
    | 'kernels'
    | 'state'
    | 'scratch'
    | 'chunk'
    | 'table'
    | 'pool'
    | 'records'
    | 'texts'
    | 'objects'
    | 'free'
    | 'reserved'
  /** What it belongs to, for people: 'archetype 3: Position, Velocity', 'free'. */
  readonly owner: string
  /** Which part of it is in use, from 0 to 1. */
  readonly fill: number
}

export function memoryOf(state: WorldState): MemoryRegion[] {
  return [{ start: 0, bytes: state.heap.u8.length, kind: 'reserved', owner: 'everything', fill: 1 }]
}
