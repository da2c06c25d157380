// Owns change ticks: when each component of a chunk, and each row that is tracked, last changed or was added. Ticks wrap around:
// which of two is later is told by the sign of their difference. The tick of a change is given by its caller.

import { Chunk, chunkAt, directory } from './chunks'
import { COLUMN_TICK } from '../components/components'
import { ChunkTicks, Layout, LayoutComponent, NOT_TRACKED, columnAt, layoutComponentAt, layoutOf } from './layouts'
import { valueAddress } from './addresses'

/** No tick in memory may be older than this: half the range, beyond which the sign of a difference lies. */
const MAX_AGE: u32 = 0x40000000

@inline
export function isLater(tick: u32, than: u32): bool {
  return <i32>(tick - than) > 0
}

/** The ticks of the component at `index` of the chunk's layout: in front of the rows, so that no size need be known. */
@inline
export function ticksAt(chunk: Chunk, index: u32): ChunkTicks {
  return changetype<ChunkTicks>(chunk.data - (<usize>index + 1) * offsetof<ChunkTicks>())
}

/** The ticks of the component behind that one in the layout: they lie in front of it in memory. */
@inline
export function nextTicks(ticks: ChunkTicks): ChunkTicks {
  return changetype<ChunkTicks>(changetype<usize>(ticks) - offsetof<ChunkTicks>())
}

/** Notes in the descriptor that something in the chunk changed now. */
@inline
export function markChunk(chunk: Chunk, now: u32): void {
  chunk.changed = now
}

/** Notes that rows got the component. */
@inline
export function markNew(ticks: ChunkTicks, tick: u32): void {
  ticks.changed = tick
  ticks.added = tick
}

/** Notes that values of the component at `index` of the chunk's layout changed now. */
export function markChanged(chunk: Chunk, index: u32, now: u32): void {
  ticksAt(chunk, index).changed = now
  markChunk(chunk, now)
}

/** The same for one row, where rows are tracked. */
export function markRowChanged(layout: Layout, entry: LayoutComponent, chunk: Chunk, row: u32, now: u32): void {
  if (entry.tickColumn != NOT_TRACKED) store<u32>(valueAddress(chunk, columnAt(layout, entry.tickColumn), row), now)
}

/** Keeps the later ticks of two; the first row of a chunk brings its own. */
@inline
export function mergeTick(to: ChunkTicks, from: ChunkTicks, rows: u32): void {
  if (rows <= 1 || isLater(from.changed, to.changed)) to.changed = from.changed
  if (rows <= 1 || isLater(from.added, to.added)) to.added = from.added
}

/** The same for what the descriptors say. */
@inline
export function mergeSummary(to: Chunk, from: Chunk, rows: u32): void {
  if (rows <= 1 || isLater(from.changed, to.changed)) to.changed = from.changed
}

/** Marks every component of a chunk that now has `rows` rows as changed as lately as in `from`. */
@inline
export function mergeTicks(layout: Layout, from: Chunk, to: Chunk, rows: u32): void {
  let source = ticksAt(from, 0)
  let target = ticksAt(to, 0)
  for (let i = layout.componentCount; i != 0; i--) {
    mergeTick(target, source, rows)
    source = nextTicks(source)
    target = nextTicks(target)
  }
  mergeSummary(to, from, rows)
}

/** Stamps a row that is new to a component whose rows are tracked. */
export function stampRow(layout: Layout, entry: LayoutComponent, chunk: Chunk, row: u32, tick: u32): void {
  store<u32>(valueAddress(chunk, columnAt(layout, entry.tickColumn), row), tick)
  store<u32>(valueAddress(chunk, columnAt(layout, entry.tickColumn + 1), row), tick)
}

/** The same for all tracked components of a new row. */
export function stampRows(layout: Layout, chunk: Chunk, row: u32, tick: u32): void {
  for (let i: u32 = 0; i < layout.componentCount; i++) {
    const entry = layoutComponentAt(layout, i)
    if (entry.tickColumn != NOT_TRACKED) stampRow(layout, entry, chunk, row, tick)
  }
}

/**
 * Brings every tick that is very old up to MAX_AGE before `now`. Called each time the world's tick has gone on by
 * a quarter of its range, this keeps "later" right for ever, whatever is never written again.
 */
export function ageTicks(now: u32): void {
  for (let id: u32 = 1; id < directory.fresh; id++) {
    const chunk = chunkAt(id)
    if (chunk.capacity == 0) continue
    const layout = layoutOf(chunk)
    chunk.changed = aged(chunk.changed, now)
    for (let i: u32 = 0; i < layout.componentCount; i++) {
      const ticks = ticksAt(chunk, i)
      ticks.changed = aged(ticks.changed, now)
      ticks.added = aged(ticks.added, now)
    }
    if (layout.trackedCount != 0) ageRows(layout, chunk, now)
  }
}

function ageRows(layout: Layout, chunk: Chunk, now: u32): void {
  for (let i: u32 = 0; i < layout.columnCount; i++) {
    const column = columnAt(layout, i)
    if (column.kind != COLUMN_TICK) continue
    for (let row: u32 = 0; row < chunk.count; row++) {
      const address = valueAddress(chunk, column, row)
      store<u32>(address, aged(load<u32>(address), now))
    }
  }
}

@inline
function aged(tick: u32, now: u32): u32 {
  return now - tick > MAX_AGE ? now - MAX_AGE : tick
}
