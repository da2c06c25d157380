// Owns where a value lies: the address of a row's handle, and of a row's value in a column.

import { Chunk, sizeOf } from './chunks'
import { Column } from './layouts'

/** Address of the handle of a row. */
@inline
export function entityAddress(chunk: Chunk, row: u32): usize {
  return chunk.data + (<usize>row << 2)
}

/** The offsets for the sizes of chunks follow each other: the size picks one without a branch. */
@inline
export function columnOffset(column: Column, size: u32): u32 {
  return load<u32>(changetype<usize>(column) + (<usize>size << 2), offsetof<Column>('smallOffset'))
}

/** Address of a value: 16-byte aligned column start plus the row, so any width is aligned to itself. */
@inline
export function valueAddress(chunk: Chunk, column: Column, row: u32): usize {
  return chunk.data + columnOffset(column, sizeOf(chunk)) + <usize>row * column.width
}
