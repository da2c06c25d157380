// Owns toggle bits, which switch rows of a component off: reading, writing, and copying them with their rows. A set bit means
// off, so that a new row is on without more ado.
//
// Bits of rows that do not exist say nothing: the code that makes a row writes its bits.

import { Chunk, chunkAt, chunkIdOf, rowOf, sizeOf } from './chunks'
import { Layout, LayoutComponent, layoutComponentAt, placeInLayout, layoutOf } from './layouts'

/** Address of the first of a component's bits in a chunk; 0 when it has none. */
@inline
export function toggleBits(chunk: Chunk, entry: LayoutComponent): usize {
  const offset = load<u32>(
    changetype<usize>(entry) + (<usize>sizeOf(chunk) << 2),
    offsetof<LayoutComponent>('smallToggle'),
  )
  return offset == 0 ? 0 : chunk.data + offset
}

@inline
export function isOff(bits: usize, row: u32): bool {
  return ((load<u8>(bits + (row >> 3)) >> <u8>(row & 7)) & 1) != 0
}

/** Whether a component that can be switched off is so in the row at a location, which must have it. */
export function isOffAt(location: u32, component: u32): bool {
  return isOff(toggleBitsAt(location, component), rowOf(location))
}

/** Switches a component of the row at a location, which must have it. */
export function switchAt(location: u32, component: u32, off: bool): void {
  writeBit(toggleBitsAt(location, component), rowOf(location), off)
}

function toggleBitsAt(location: u32, component: u32): usize {
  const chunk = chunkAt(chunkIdOf(location))
  const layout = layoutOf(chunk)
  return toggleBits(chunk, layoutComponentAt(layout, placeInLayout(layout, component)))
}

@inline
function writeBit(bits: usize, row: u32, off: bool): void {
  const address = bits + (row >> 3)
  const bit: u32 = 1 << (row & 7)
  const byte = <u32>load<u8>(address)
  store<u8>(address, <u8>(off ? byte | bit : byte & ~bit))
}

/** Carries all bits of one row to another of the same layout. */
export function copyToggles(layout: Layout, from: Chunk, fromRow: u32, to: Chunk, toRow: u32): void {
  for (let i: u32 = 0; i < layout.componentCount; i++) {
    const entry = layoutComponentAt(layout, i)
    const bits = toggleBits(to, entry)
    if (bits != 0) writeBit(bits, toRow, isOff(toggleBits(from, entry), fromRow))
  }
}

/** Two rows of the same layout change their bits. */
export function swapToggles(layout: Layout, a: Chunk, rowA: u32, b: Chunk, rowB: u32): void {
  for (let i: u32 = 0; i < layout.componentCount; i++) {
    const entry = layoutComponentAt(layout, i)
    const bits = toggleBits(a, entry)
    if (bits == 0) continue
    const off = isOff(bits, rowA)
    writeBit(bits, rowA, isOff(toggleBits(b, entry), rowB))
    writeBit(toggleBits(b, entry), rowB, off)
  }
}

/** Carries the bits of a row to one of another layout; what only the target has is on. */
export function moveToggles(
  toLayout: Layout,
  to: Chunk,
  toRow: u32,
  fromLayout: Layout,
  from: Chunk,
  fromRow: u32,
): void {
  let k: u32 = 0
  for (let i: u32 = 0; i < toLayout.componentCount; i++) {
    const entry = layoutComponentAt(toLayout, i)
    const bits = toggleBits(to, entry)
    if (bits == 0) continue
    while (k < fromLayout.componentCount && layoutComponentAt(fromLayout, k).component < entry.component) k++
    const kept = k < fromLayout.componentCount && layoutComponentAt(fromLayout, k).component == entry.component
    writeBit(bits, toRow, kept && isOff(toggleBits(from, layoutComponentAt(fromLayout, k)), fromRow))
  }
}

/** Switches everything on in a new row. */
export function clearToggles(layout: Layout, chunk: Chunk, row: u32): void {
  for (let i: u32 = 0; i < layout.componentCount; i++) {
    const bits = toggleBits(chunk, layoutComponentAt(layout, i))
    if (bits != 0) writeBit(bits, row, false)
  }
}

/** Switches `count` rows of one component on or off; whole bytes at a time. */
export function fillBits(bits: usize, first: u32, count: u32, off: bool): void {
  let row = first
  const end = first + count
  for (; row < end && (row & 7) != 0; row++) writeBit(bits, row, off)
  const bytes = (end - row) >> 3
  memory.fill(bits + (row >> 3), off ? 0xff : 0, bytes)
  for (row += bytes << 3; row < end; row++) writeBit(bits, row, off)
}

/** Gives `count` rows the bits of the first of them. */
export function spreadToggles(layout: Layout, chunk: Chunk, first: u32, count: u32): void {
  for (let i: u32 = 0; i < layout.componentCount; i++) {
    const bits = toggleBits(chunk, layoutComponentAt(layout, i))
    if (bits != 0) fillBits(bits, first, count, isOff(bits, first))
  }
}

/** Carries the bits of `count` rows of one component to other rows, of which none is a source. */
export function copyBits(to: usize, toRow: u32, from: usize, fromRow: u32, count: u32): void {
  let i: u32 = 0
  if (((toRow ^ fromRow) & 7) == 0) {
    for (; i < count && ((toRow + i) & 7) != 0; i++) writeBit(to, toRow + i, isOff(from, fromRow + i))
    const bytes = (count - i) >> 3
    memory.copy(to + ((toRow + i) >> 3), from + ((fromRow + i) >> 3), bytes)
    i += bytes << 3
  }
  for (; i < count; i++) writeBit(to, toRow + i, isOff(from, fromRow + i))
}
