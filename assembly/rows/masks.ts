// Owns row masks: one bit for each row of a chunk, which says whether the row meets all conditions of a query: sparse terms,
// holes, switched-off components, compared values, change ticks.
//
// Conditions on the chunk's own columns are evaluated 16 rows at a time; whatever lies elsewhere is asked for the
// rows that are left.

import { Archetype, hasComponent } from '../archetypes/archetypes'
import { Chunk, chunkAt, chunkIdOf, rowOf } from '../tables/chunks'
import { entityAddress, valueAddress } from '../tables/addresses'
import { componentAt, isPooled } from '../components/components'
import { indexOf, isAlive, recordOf } from '../memory/entities'
import { Layout, columnAt, layoutComponentAt, layoutOf, placeInLayout } from '../tables/layouts'
import { FILTERS_ADDRESS, MASK_ADDRESS } from '../memory/map'
import {
  Query,
  TERM_ANY,
  asksSwitch,
  ignoredToggle,
  isNegated,
  isSparseTerm,
  matches,
  rowMatches,
  termAt,
} from '../queries/queries'
import { archetypeOfRow } from './rows'
import { findRow, poolOf } from '../pools/sparseSets'
import { isLater, ticksAt } from '../tables/ticks'
import { toggleBits } from '../tables/toggles'

/** What is compared: values of a column of this kind, lying between low and high, both included. */
export const LANE_I8: u32 = 0
export const LANE_U8: u32 = 1
export const LANE_I16: u32 = 2
export const LANE_U16: u32 = 3
export const LANE_I32: u32 = 4
export const LANE_U32: u32 = 5
export const LANE_F32: u32 = 6
export const LANE_F64: u32 = 7
/** A row's own tick, the change (column 0) or the adding (column 1), is later than low; negated: is not. */
export const LANE_ROW_TICK: u32 = 8
/** The chunk's tick for the component, the change (column 0) or the adding (column 1), is later than low. */
export const LANE_CHUNK_TICK: u32 = 9

/** A condition on one component. TypeScript writes a list of them for one call. */
@unmanaged
export class Filter {
  /** The bounds, in the column's own kind, from the lowest byte on. */
  low: u64
  high: u64
  component: u32
  /** Which of the component's fields. */
  column: u32
  lane: u32
  /** Not 0: rows outside the bounds are meant. */
  negated: u32
}

@inline
function filterAt(index: u32): Filter {
  return changetype<Filter>(FILTERS_ADDRESS + <usize>index * offsetof<Filter>())
}

@inline
export function maskWord(index: u32): u64 {
  return load<u64>(MASK_ADDRESS + (<usize>index << 3))
}

@inline
function setMaskWord(index: u32, word: u64): void {
  store<u64>(MASK_ADDRESS + (<usize>index << 3), word)
}

@inline
export function maskWords(rows: u32): u32 {
  return (rows + 63) >> 6
}

/** Whether some row of a matching archetype may fail to match. */
@inline
export function needsMask(query: Query, filterCount: u32): bool {
  return (query.asksRows | query.hasToggles | filterCount) != 0
}

/**
 * Writes the mask of a chunk of an archetype that matches, or of a pool. Returns how many rows it has; when that is 0
 * the mask may be left as it was.
 */
export function maskRows(query: Query, chunkId: u32, isPool: bool, filterCount: u32): u32 {
  const chunk = chunkAt(chunkId)
  if (isUnchanged(chunk, filterCount)) return 0
  setAll(chunk.count)
  if (!isPool && query.hasToggles != 0) maskToggles(query, chunk)
  const elsewhere = maskColumns(chunk, filterCount)
  if (isPool || query.asksRows != 0 || elsewhere) askRows(query, chunk, isPool, filterCount)
  let rows: u32 = 0
  for (let i: u32 = 0; i < maskWords(chunk.count); i++) rows += <u32>popcnt(maskWord(i))
  return rows
}

/** Whether a change that is asked for and told by the chunk did not happen: then no row has to be looked at. */
function isUnchanged(chunk: Chunk, filterCount: u32): bool {
  const layout = layoutOf(chunk)
  for (let i: u32 = 0; i < filterCount; i++) {
    const filter = filterAt(i)
    if (filter.lane != LANE_CHUNK_TICK) continue
    const place = placeInLayout(layout, filter.component)
    if (place >= 0 && !isChunkLater(filter, chunk, place)) return true
  }
  return false
}

function setAll(rows: u32): void {
  const words = maskWords(rows)
  memory.fill(MASK_ADDRESS, 0xff, words << 3)
  if ((rows & 63) != 0) setMaskWord(words - 1, ((<u64>1) << (rows & 63)) - 1)
}

/** Takes out the rows in which a required component is switched off, or an excluded one is not. */
function maskToggles(query: Query, chunk: Chunk): void {
  const archetype = changetype<Archetype>(chunk.table)
  const layout = archetype.layout
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = termAt(query, i)
    const component = term.component
    if (term.operator >= TERM_ANY) break
    if (!asksSwitch(term) || isSparseTerm(term)) continue
    if (!hasComponent(archetype, component)) continue
    const ignored = component == ignoredToggle
    const bits = toggleBits(chunk, layoutComponentAt(layout, placeInLayout(layout, component)))
    for (let word: u32 = 0; word < maskWords(chunk.count); word++) {
      const off = ignored ? 0 : load<u64>(bits + (<usize>word << 3))
      setMaskWord(word, maskWord(word) & (isNegated(term) ? off : ~off))
    }
  }
}

/** Evaluates the filters on components of the chunk; true when there are others. */
function maskColumns(chunk: Chunk, filterCount: u32): bool {
  const layout = layoutOf(chunk)
  let elsewhere = false
  for (let i: u32 = 0; i < filterCount; i++) {
    const filter = filterAt(i)
    const place = placeInLayout(layout, filter.component)
    if (place < 0) elsewhere = true
    else maskColumn(filter, chunk, layout, place)
  }
  return elsewhere
}

function maskColumn(filter: Filter, chunk: Chunk, layout: Layout, place: u32): void {
  const lane = filter.lane
  const rows = chunk.count
  // Asked before, for the chunk as a whole.
  if (lane == LANE_CHUNK_TICK) return
  const column = columnOf(filter, chunk, layout, place)
  const flip: u32 = filter.negated != 0 ? 0xffff : 0
  const low = changetype<usize>(filter) + offsetof<Filter>('low')
  const high = changetype<usize>(filter) + offsetof<Filter>('high')
  if (lane == LANE_F32) maskRange<f32>(column, rows, load<f32>(low), load<f32>(high), flip)
  else if (lane == LANE_ROW_TICK) maskLater(column, rows, load<u32>(low), flip)
  else if (lane == LANE_U32) maskRange<u32>(column, rows, load<u32>(low), load<u32>(high), flip)
  else if (lane == LANE_I32) maskRange<i32>(column, rows, load<i32>(low), load<i32>(high), flip)
  else if (lane == LANE_F64) maskRange<f64>(column, rows, load<f64>(low), load<f64>(high), flip)
  else if (lane == LANE_U8) maskRange<u8>(column, rows, load<u8>(low), load<u8>(high), flip)
  else if (lane == LANE_I8) maskRange<i8>(column, rows, load<i8>(low), load<i8>(high), flip)
  else if (lane == LANE_U16) maskRange<u16>(column, rows, load<u16>(low), load<u16>(high), flip)
  else maskRange<i16>(column, rows, load<i16>(low), load<i16>(high), flip)
}

/** Address of the first value that a filter on a component of the chunk looks at. */
@inline
function columnOf(filter: Filter, chunk: Chunk, layout: Layout, place: u32): usize {
  const entry = layoutComponentAt(layout, place)
  const first = filter.lane == LANE_ROW_TICK ? entry.tickColumn : entry.firstColumn
  return valueAddress(chunk, columnAt(layout, first + filter.column), 0)
}

@inline
function isChunkLater(filter: Filter, chunk: Chunk, place: u32): bool {
  const ticks = ticksAt(chunk, place)
  return isLater(filter.column == 0 ? ticks.changed : ticks.added, <u32>filter.low)
}

/** Columns are as long as whole vectors, so a vector that begins in one never ends outside. */
function maskRange<T>(column: usize, rows: u32, low: T, high: T, flip: u32): void {
  const lanes: u32 = 16 / sizeof<T>()
  const lows = v128.splat<T>(low)
  const highs = v128.splat<T>(high)
  for (let row: u32 = 0; row < rows; row += 16) {
    const at = column + <usize>row * sizeof<T>()
    let bits: u32 = 0
    if (row + 16 <= rows) {
      for (let k: u32 = 0; k < 16; k += lanes) {
        const values = v128.load(at + <usize>k * sizeof<T>())
        bits |= bitsOf<T>(v128.and(v128.ge<T>(values, lows), v128.le<T>(values, highs))) << k
      }
    } else {
      for (let k: u32 = 0; row + k < rows; k += lanes) {
        const values = v128.load(at + <usize>k * sizeof<T>())
        bits |= bitsOf<T>(v128.and(v128.ge<T>(values, lows), v128.le<T>(values, highs))) << k
      }
    }
    keepRows(row, bits ^ flip)
  }
}

/** One bit for each lane of a comparison. */
@inline
function bitsOf<T>(lanes: v128): u32 {
  if (sizeof<T>() == 8) return <u32>v128.bitmask<i64>(lanes)
  if (sizeof<T>() == 4) return <u32>v128.bitmask<i32>(lanes)
  if (sizeof<T>() == 2) return <u32>v128.bitmask<i16>(lanes)
  return <u32>v128.bitmask<i8>(lanes)
}

function maskLater(column: usize, rows: u32, than: u32, flip: u32): void {
  const reference = v128.splat<u32>(than)
  const zero = v128.splat<i32>(0)
  for (let row: u32 = 0; row < rows; row += 16) {
    let bits: u32 = 0
    for (let k: u32 = 0; k < 16 && row + k < rows; k += 4) {
      const ticks = v128.load(column + (<usize>(row + k) << 2))
      bits |= <u32>v128.bitmask<i32>(v128.gt<i32>(v128.sub<i32>(ticks, reference), zero)) << k
    }
    keepRows(row, bits ^ flip)
  }
}

/** Keeps those of 16 rows whose bits are set. */
@inline
function keepRows(first: u32, bits: u32): void {
  const address = MASK_ADDRESS + (first >> 3)
  store<u16>(address, load<u16>(address) & <u16>bits)
}

/** Asks the rows that are left one by one, for all that does not lie in this chunk. */
function askRows(query: Query, chunk: Chunk, isPool: bool, filterCount: u32): void {
  let archetype = changetype<Archetype>(chunk.table)
  // Entities of a pool lie in any archetype, but often in that of the row before.
  let known = changetype<Archetype>(0)
  let accepted = true
  for (let i: u32 = 0; i < maskWords(chunk.count); i++) {
    let left = maskWord(i)
    let kept = left
    while (left != 0) {
      const bit = <u32>ctz(left)
      left &= left - 1
      const entity = load<u32>(entityAddress(chunk, (i << 6) + bit))
      const index = indexOf(entity)
      let passes = true
      if (isPool) {
        // A hole bears a handle that is never alive.
        passes = isAlive(entity)
        if (passes) {
          archetype = archetypeOfRow(recordOf(index).location)
          if (archetype != known) {
            known = archetype
            accepted = matches(query, archetype)
          }
          passes = accepted
        }
      }
      passes = passes && rowMatches(query, archetype, index) && passesElsewhere(chunk, index, filterCount)
      if (!passes) kept &= ~((<u64>1) << bit)
    }
    setMaskWord(i, kept)
  }
}

/**
 * Writes the mask of a list of `count` handles, or indices, of entities that have rows: a bit for each that the query meets.
 * Returns how many.
 */
export function maskOrder(query: Query, list: usize, count: u32, filterCount: u32): u32 {
  setAll(count)
  let known = changetype<Archetype>(0)
  let accepted = true
  let rows: u32 = 0
  for (let place: u32 = 0; place < count; place++) {
    const index = indexOf(load<u32>(list + (<usize>place << 2)))
    const archetype = archetypeOfRow(recordOf(index).location)
    if (archetype != known) {
      known = archetype
      accepted = matches(query, archetype)
    }
    if (accepted && rowMatches(query, archetype, index) && passesElsewhere(NOWHERE, index, filterCount)) rows += 1
    else setMaskWord(place >> 6, maskWord(place >> 6) & ~((<u64>1) << (place & 63)))
  }
  return rows
}

/** In place of a chunk where all components lie elsewhere. */
const NOWHERE = changetype<Chunk>(0)

/** Whether an entity passes the filters on components that are not in this chunk. */
function passesElsewhere(chunk: Chunk, index: u32, filterCount: u32): bool {
  const here = chunk == NOWHERE ? changetype<Layout>(0) : layoutOf(chunk)
  for (let i: u32 = 0; i < filterCount; i++) {
    const filter = filterAt(i)
    if (chunk != NOWHERE && placeInLayout(here, filter.component) >= 0) continue
    const pooled = isPooled(componentAt(filter.component).storage)
    const location = pooled ? findRow(poolOf(filter.component), index) : recordOf(index).location
    if (location == 0) return false
    const other = chunkAt(chunkIdOf(location))
    const layout = layoutOf(other)
    const place = placeInLayout(layout, filter.component)
    if (place < 0 || !passesAt(filter, other, layout, place, rowOf(location))) return false
  }
  return true
}

function passesAt(filter: Filter, chunk: Chunk, layout: Layout, place: u32, row: u32): bool {
  const lane = filter.lane
  if (lane == LANE_CHUNK_TICK) return isChunkLater(filter, chunk, place)
  const column = columnOf(filter, chunk, layout, place)
  if (lane == LANE_ROW_TICK) {
    return isLater(load<u32>(column + (<usize>row << 2)), <u32>filter.low) != (filter.negated != 0)
  }
  const low = changetype<usize>(filter) + offsetof<Filter>('low')
  const high = changetype<usize>(filter) + offsetof<Filter>('high')
  let inside: bool
  if (lane == LANE_F32) inside = isBetween<f32>(column, row, low, high)
  else if (lane == LANE_U32) inside = isBetween<u32>(column, row, low, high)
  else if (lane == LANE_I32) inside = isBetween<i32>(column, row, low, high)
  else if (lane == LANE_F64) inside = isBetween<f64>(column, row, low, high)
  else if (lane == LANE_U8) inside = isBetween<u8>(column, row, low, high)
  else if (lane == LANE_I8) inside = isBetween<i8>(column, row, low, high)
  else if (lane == LANE_U16) inside = isBetween<u16>(column, row, low, high)
  else inside = isBetween<i16>(column, row, low, high)
  return inside != (filter.negated != 0)
}

function isBetween<T>(column: usize, row: u32, low: usize, high: usize): bool {
  const value = load<T>(column + <usize>row * sizeof<T>())
  return value >= load<T>(low) && value <= load<T>(high)
}
