// Owns where a value lies: the address of a row's handle, and of a row's value in a column.
// It must never read or write what is there.

import { Chunk, FULL_CHUNK } from './chunks'
import { Column } from './layouts'

/** Address of the handle of a row. */
@inline
export function entityAddress(chunk: Chunk, row: u32): usize {
  return chunk.data + (<usize>row << 2)
}

/** 1 for a full chunk, 0 for a small one: their columns lie in different places. */
@inline
export function isFull(chunk: Chunk): u32 {
  return chunk.layoutKey & FULL_CHUNK
}

/** The offset for small chunks is followed by the one for full chunks: `full` picks without a branch. */
@inline
export function columnOffset(column: Column, full: u32): u32 {
  return load<u32>(changetype<usize>(column) + (<usize>full << 2), offsetof<Column>('smallOffset'))
}

/** Address of a value: 16-byte aligned column start plus the row, so any width is aligned to itself. */
@inline
export function valueAddress(chunk: Chunk, column: Column, row: u32): usize {
  return chunk.data + columnOffset(column, isFull(chunk)) + <usize>row * column.width
}
