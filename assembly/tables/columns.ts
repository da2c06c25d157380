// Owns values in columns: copying rows within a layout and between two, defaults. Which row is free, or last, is for tables.ts.

import { columnOffset, entityAddress, valueAddress } from './addresses'
import { Chunk, sizeOf } from './chunks'
import { Column, Layout, LayoutComponent, NOT_TRACKED, columnAt, layoutComponentAt } from './layouts'
import { COLUMN_TICK } from '../components/components'
import { markChunk, markNew, mergeSummary, mergeTick, mergeTicks, nextTicks, stampRow, stampRows, ticksAt } from './ticks'
import {
  clearToggles,
  copyBits,
  copyToggles,
  fillBits,
  moveToggles,
  spreadToggles,
  swapToggles,
  toggleBits,
} from './toggles'

/** Bytes between the columns of a chunk, the entities' included, when all are 4 bytes wide; else 0. */
@inline
export function strideOf(layout: Layout, chunk: Chunk): u32 {
  return load<u32>(changetype<usize>(layout) + (<usize>sizeOf(chunk) << 2), offsetof<Layout>('smallStride'))
}

/** Copies all columns of one row to another row of the same layout. */
@inline
export function copyColumns(layout: Layout, from: Chunk, fromRow: u32, to: Chunk, toRow: u32): void {
  if ((layout.fullStride == 0 ? 1 : layout.toggleCount) != 0) {
    copyAnyColumns(layout, from, fromRow, to, toRow)
    return
  }
  const fromStride = strideOf(layout, from)
  const toStride = strideOf(layout, to)
  const source = entityAddress(from, fromRow) + fromStride
  copyWords(entityAddress(to, toRow) + toStride, toStride, source, fromStride, layout.columnCount)
}

/** Copies `count` rows, with their entities, to other rows of the same layout, of which none is a source. */
export function copyRows(layout: Layout, from: Chunk, fromRow: u32, to: Chunk, toRow: u32, count: u32): void {
  memory.copy(entityAddress(to, toRow), entityAddress(from, fromRow), count << 2)
  for (let i: u32 = 0; i < layout.columnCount; i++) {
    const column = columnAt(layout, i)
    memory.copy(valueAddress(to, column, toRow), valueAddress(from, column, fromRow), count * column.width)
  }
  for (let i: u32 = 0; i < layout.componentCount && layout.toggleCount != 0; i++) {
    const entry = layoutComponentAt(layout, i)
    const bits = toggleBits(to, entry)
    if (bits != 0) copyBits(bits, toRow, toggleBits(from, entry), fromRow, count)
  }
}

/** Copies `count` words whose addresses lie a stride apart. The first three without a loop, which costs up to a tenth more. */
@inline
export function copyWords(to: usize, toStride: u32, from: usize, fromStride: u32, count: u32): void {
  if (count == 0) return
  store<u32>(to, load<u32>(from))
  if (count == 1) return
  to += toStride
  from += fromStride
  store<u32>(to, load<u32>(from))
  if (count == 2) return
  to += toStride
  from += fromStride
  store<u32>(to, load<u32>(from))
  for (; count > 3; count--) {
    to += toStride
    from += fromStride
    store<u32>(to, load<u32>(from))
  }
}

function copyAnyColumns(layout: Layout, from: Chunk, fromRow: u32, to: Chunk, toRow: u32): void {
  if (layout.toggleCount != 0) copyToggles(layout, from, fromRow, to, toRow)
  const fromData = from.data
  const toData = to.data
  const fromSize = sizeOf(from)
  const toSize = sizeOf(to)
  let column = layout.columns
  const end = column + <usize>layout.columnCount * offsetof<Column>()
  while (column < end) {
    const shape = changetype<Column>(column)
    const width = shape.width
    copyValue(
      toData + columnOffset(shape, toSize) + <usize>toRow * width,
      fromData + columnOffset(shape, fromSize) + <usize>fromRow * width,
      width,
    )
    column += offsetof<Column>()
  }
}

/**
 * Fills a new row of `target` from a row of another table's chunk: components of both are copied, with their change
 * ticks; those that only `target` has get their defaults and count as changed at `tick`.
 */
@inline
export function moveRow(
  toLayout: Layout,
  target: Chunk,
  toRow: u32,
  fromLayout: Layout,
  source: Chunk,
  fromRow: u32,
  tick: u32,
): void {
  if (toLayout == fromLayout) {
    copyColumns(toLayout, source, fromRow, target, toRow)
    mergeSeldom(toLayout, source, target, toRow + 1)
    return
  }
  markChunk(target, tick)
  if (toLayout.toggleCount != 0) moveToggles(toLayout, target, toRow, fromLayout, source, fromRow)
  if (toLayout.fullStride != 0 && fromLayout.fullStride != 0) {
    moveWords(toLayout, target, toRow, fromLayout, source, fromRow, tick)
  } else moveBetweenLayouts(toLayout, target, toRow, fromLayout, source, fromRow, tick)
}

/** moveBetweenLayouts for columns that are all 4 bytes wide: one walk over both rows side by side. */
@inline
function moveWords(to: Layout, target: Chunk, toRow: u32, from: Layout, source: Chunk, fromRow: u32, tick: u32): void {
  const toStride = strideOf(to, target)
  const fromStride = strideOf(from, source)
  let write = entityAddress(target, toRow) + toStride
  let read = entityAddress(source, fromRow) + fromStride
  let targetTicks = ticksAt(target, 0)
  let sourceTicks = ticksAt(source, 0)
  let entry = to.components
  const entriesEnd = entry + <usize>to.componentCount * offsetof<LayoutComponent>()
  let other = from.components
  const othersEnd = other + <usize>from.componentCount * offsetof<LayoutComponent>()
  for (; entry != entriesEnd; entry += offsetof<LayoutComponent>()) {
    const id = changetype<LayoutComponent>(entry).component
    let columns = changetype<LayoutComponent>(entry).columnCount
    while (other != othersEnd && changetype<LayoutComponent>(other).component < id) {
      read += changetype<LayoutComponent>(other).columnCount * fromStride
      other += offsetof<LayoutComponent>()
      sourceTicks = nextTicks(sourceTicks)
    }
    if (other != othersEnd && changetype<LayoutComponent>(other).component == id) {
      for (; columns != 0; columns--) {
        store<u32>(write, load<u32>(read))
        write += toStride
        read += fromStride
      }
      mergeTick(targetTicks, sourceTicks, toRow + 1)
      other += offsetof<LayoutComponent>()
      sourceTicks = nextTicks(sourceTicks)
    } else {
      let column = to.columns + <usize>changetype<LayoutComponent>(entry).firstColumn * offsetof<Column>()
      for (; columns != 0; columns--) {
        store<u32>(write, <u32>changetype<Column>(column).defaultWord)
        write += toStride
        column += offsetof<Column>()
      }
      if (changetype<LayoutComponent>(entry).tickColumn != NOT_TRACKED) {
        stampRow(to, changetype<LayoutComponent>(entry), target, toRow, tick)
      }
      markNew(targetTicks, tick)
    }
    targetTicks = nextTicks(targetTicks)
  }
}

function moveBetweenLayouts(
  toLayout: Layout,
  target: Chunk,
  toRow: u32,
  fromLayout: Layout,
  source: Chunk,
  fromRow: u32,
  tick: u32,
): void {
  const targetData = target.data
  const sourceData = source.data
  const targetSize = sizeOf(target)
  const sourceSize = sizeOf(source)
  const toCount = toLayout.componentCount
  const toColumns = toLayout.columns
  const fromColumns = fromLayout.columns
  let other = fromLayout.components
  const othersEnd = other + <usize>fromLayout.componentCount * offsetof<LayoutComponent>()
  let targetTicks = ticksAt(target, 0)
  let sourceTicks = ticksAt(source, 0)
  for (let i: u32 = 0; i < toCount; i++) {
    const entry = layoutComponentAt(toLayout, i)
    const id = entry.component
    while (other < othersEnd && changetype<LayoutComponent>(other).component < id) {
      other += offsetof<LayoutComponent>()
      sourceTicks = nextTicks(sourceTicks)
    }
    const kept = other < othersEnd && changetype<LayoutComponent>(other).component == id
    let column = toColumns + <usize>entry.firstColumn * offsetof<Column>()
    const end = column + <usize>entry.columnCount * offsetof<Column>()
    if (kept) {
      let fromColumn =
        fromColumns + <usize>changetype<LayoutComponent>(other).firstColumn * offsetof<Column>()
      while (column < end) {
        const width = changetype<Column>(column).width
        copyValue(
          targetData + columnOffset(changetype<Column>(column), targetSize) + <usize>toRow * width,
          sourceData + columnOffset(changetype<Column>(fromColumn), sourceSize) + <usize>fromRow * width,
          width,
        )
        column += offsetof<Column>()
        fromColumn += offsetof<Column>()
      }
      mergeTick(targetTicks, sourceTicks, toRow + 1)
    } else {
      while (column < end) {
        const shape = changetype<Column>(column)
        writeDefault(targetData + columnOffset(shape, targetSize) + <usize>toRow * shape.width, shape)
        column += offsetof<Column>()
      }
      if (entry.tickColumn != NOT_TRACKED) stampRow(toLayout, entry, target, toRow, tick)
      markNew(targetTicks, tick)
    }
    targetTicks = nextTicks(targetTicks)
  }
}

/** Writes the defaults into all columns of a new row and marks them changed. */
@inline
export function writeDefaults(layout: Layout, chunk: Chunk, row: u32, tick: u32): void {
  const stride = strideOf(layout, chunk)
  if ((stride == 0 ? 1 : layout.toggleCount | layout.trackedCount) != 0) {
    writeAnyDefaults(layout, chunk, row, tick)
    return
  }
  let column = layout.columns
  let write = entityAddress(chunk, row)
  for (let i = layout.columnCount; i != 0; i--) {
    write += stride
    store<u32>(write, <u32>changetype<Column>(column).defaultWord)
    column += offsetof<Column>()
  }
  markAll(layout, chunk, tick)
}

function writeAnyDefaults(layout: Layout, chunk: Chunk, row: u32, tick: u32): void {
  const data = chunk.data
  const size = sizeOf(chunk)
  let column = layout.columns
  const end = column + <usize>layout.columnCount * offsetof<Column>()
  for (; column != end; column += offsetof<Column>()) {
    const shape = changetype<Column>(column)
    writeDefault(data + columnOffset(shape, size) + <usize>row * shape.width, shape)
  }
  if ((layout.toggleCount | layout.trackedCount) != 0) {
    clearToggles(layout, chunk, row)
    stampRows(layout, chunk, row, tick)
  }
  markAll(layout, chunk, tick)
}

/** Marks all components of a chunk as new to it now. */
@inline
function markAll(layout: Layout, chunk: Chunk, tick: u32): void {
  markChunk(chunk, tick)
  let ticks = ticksAt(chunk, 0)
  for (let i = layout.componentCount; i != 0; i--) {
    markNew(ticks, tick)
    ticks = nextTicks(ticks)
  }
}

/**
 * Fills the `count` new rows from `first` on with copies of a row of the same layout, which is none of them, and
 * marks all components as new. What is switched off in that row is off in its copies.
 */
export function fillCopies(
  layout: Layout,
  from: Chunk,
  fromRow: u32,
  to: Chunk,
  first: u32,
  count: u32,
  tick: u32,
): void {
  copyAnyColumns(layout, from, fromRow, to, first)
  for (let i: u32 = 0; i < layout.columnCount && count > 1; i++) {
    const column = columnAt(layout, i)
    spread(valueAddress(to, column, first), column.width, count)
  }
  if (layout.toggleCount != 0) spreadToggles(layout, to, first, count)
  for (let row = first; layout.trackedCount != 0 && row < first + count; row++) stampRows(layout, to, row, tick)
  markAll(layout, to, tick)
}

/** Repeats the value at `start` until there are `count` of it: each copy doubles what is there. */
function spread(start: usize, width: u32, count: u32): void {
  const bytes = width * count
  for (let done = width; done < bytes; done <<= 1) memory.copy(start + done, start, min(done, bytes - done))
}

/** Rows [first, first + count) of a chunk get the defaults in the columns of the component at `index`. */
export function fillDefaults(layout: Layout, chunk: Chunk, index: u32, first: u32, count: u32, tick: u32): void {
  const entry = layoutComponentAt(layout, index)
  for (let k: u32 = 0; k < entry.columnCount; k++) {
    const column = columnAt(layout, entry.firstColumn + k)
    const start = valueAddress(chunk, column, first)
    const bytes = count * column.width
    if (column.kind == COLUMN_TICK) fillWords(start, count, tick)
    else if (isZeroDefault(column)) memory.fill(start, 0, bytes)
    else for (let offset: u32 = 0; offset < bytes; offset += column.width) writeDefault(start + offset, column)
  }
  const bits = toggleBits(chunk, entry)
  if (bits != 0) fillBits(bits, first, count, false)
  markNew(ticksAt(chunk, index), tick)
  markChunk(chunk, tick)
}

/** Copies `count` rows, with their entities, into free rows of a chunk that may have other columns. */
export function copyRun(
  toLayout: Layout,
  target: Chunk,
  toRow: u32,
  fromLayout: Layout,
  source: Chunk,
  fromRow: u32,
  count: u32,
  tick: u32,
): void {
  memory.copy(entityAddress(target, toRow), entityAddress(source, fromRow), count << 2)
  mergeSummary(target, source, toRow + 1)
  let j: u32 = 0
  for (let i: u32 = 0; i < toLayout.componentCount; i++) {
    const entry = layoutComponentAt(toLayout, i)
    while (j < fromLayout.componentCount && layoutComponentAt(fromLayout, j).component < entry.component) j++
    if (j < fromLayout.componentCount && layoutComponentAt(fromLayout, j).component == entry.component) {
      const other = layoutComponentAt(fromLayout, j)
      for (let k: u32 = 0; k < entry.columnCount; k++) {
        const column = columnAt(toLayout, entry.firstColumn + k)
        const fromColumn = columnAt(fromLayout, other.firstColumn + k)
        memory.copy(
          valueAddress(target, column, toRow),
          valueAddress(source, fromColumn, fromRow),
          count * column.width,
        )
      }
      const bits = toggleBits(target, entry)
      if (bits != 0) copyBits(bits, toRow, toggleBits(source, other), fromRow, count)
      mergeTick(ticksAt(target, i), ticksAt(source, j), toRow + 1)
    } else fillDefaults(toLayout, target, i, toRow, count, tick)
  }
}

function fillWords(start: usize, count: u32, word: u32): void {
  for (let i: u32 = 0; i < count; i++) store<u32>(start + (<usize>i << 2), word)
}

@inline
function isZeroDefault(column: Column): bool {
  return column.defaultBytes == 0 && column.defaultWord == 0
}

@inline
function writeDefault(address: usize, column: Column): void {
  const width = column.width
  if (width == 4) store<u32>(address, <u32>column.defaultWord)
  else if (width == 8) store<u64>(address, column.defaultWord)
  else if (width == 2) store<u16>(address, <u16>column.defaultWord)
  else if (width == 1) store<u8>(address, <u8>column.defaultWord)
  else if (column.defaultBytes != 0) memory.copy(address, column.defaultBytes, width)
  else if (width > 8 || column.defaultWord == 0) memory.fill(address, 0, width)
  else for (let i: u32 = 0; i < width; i++) store<u8>(address + i, <u8>(column.defaultWord >> (i << 3)))
}

/** Copies one value of any width. memory.copy is a call out of wasm: too dear for a few bytes. */
@inline
function copyValue(to: usize, from: usize, width: u32): void {
  if (width == 4) store<u32>(to, load<u32>(from))
  else if (width == 8) store<u64>(to, load<u64>(from))
  else if (width == 2) store<u16>(to, load<u16>(from))
  else if (width == 1) store<u8>(to, load<u8>(from))
  else copyWide(to, from, width)
}

function copyWide(to: usize, from: usize, width: u32): void {
  if (width > 128) {
    memory.copy(to, from, width)
    return
  }
  let at: u32 = 0
  for (; at + 16 <= width; at += 16) v128.store(to + at, v128.load(from + at))
  for (; at + 4 <= width; at += 4) store<u32>(to + at, load<u32>(from + at))
  for (; at < width; at++) store<u8>(to + at, load<u8>(from + at))
}

/** Two rows of a table change their values. Where they lie in two chunks, both keep the later change ticks. */
export function swapColumns(layout: Layout, a: Chunk, rowA: u32, b: Chunk, rowB: u32): void {
  for (let i: u32 = 0; i < layout.columnCount; i++) {
    const column = columnAt(layout, i)
    swapValues(valueAddress(a, column, rowA), valueAddress(b, column, rowB), column.width)
  }
  if (layout.toggleCount != 0) swapToggles(layout, a, rowA, b, rowB)
  if (a == b) return
  // Two rows, as it were: none of the chunks forgets what it knew.
  mergeSeldom(layout, a, b, 2)
  mergeSeldom(layout, b, a, 2)
}

/** mergeTicks where it is not worth its length. */
function mergeSeldom(layout: Layout, from: Chunk, to: Chunk, rows: u32): void {
  mergeTicks(layout, from, to, rows)
}

@inline
function swapValues(a: usize, b: usize, width: u32): void {
  let at: u32 = 0
  for (; at + 4 <= width; at += 4) {
    const word = load<u32>(a + at)
    store<u32>(a + at, load<u32>(b + at))
    store<u32>(b + at, word)
  }
  for (; at < width; at++) {
    const byte = load<u8>(a + at)
    store<u8>(a + at, load<u8>(b + at))
    store<u8>(b + at, byte)
  }
}
