// Owns sorting: it gathers what a query matches as pairs (see keys.ts) in temporary memory, and orders them by the key. The pairs
// are freed before the next call.
//
// The sort goes from the lowest digit to the highest, 11 bits at a time, and each pass keeps the order of equal digits.
// Where only the first few are wanted, there is room for a few times as many: whenever it is full, all but the least are
// dropped, and from then on no pair that comes after those is noted.

import { Chunk, chunkAt, chunkIdOf, rowOf } from '../tables/chunks'
import { entityAddress, valueAddress } from '../tables/addresses'
import { ColumnShape, componentAt, isPooled } from '../components/components'
import { ageOf, indexOf, recordOf } from '../memory/entities'
import { Column, Layout, columnAt, layoutComponentAt } from '../tables/layouts'
import { NO_MATCH, matchAfter, matchedAt } from '../queries/matches'
import {
  BIRTH,
  DIGITS,
  DIGITS_A_WORD,
  DIGIT_BITS,
  DIGIT_MASK,
  HIGH,
  KEY_DESCENDING,
  KEY_FLOAT,
  KEY_UNSIGNED,
  LOW,
  SIGN,
  handleOf,
  increment,
  narrowKey,
  wideKey,
  wordOf,
} from './keys'
import { boundingKey, isBeyond, keepLeast, liftBound } from './least'
import { allocateBlock, releaseBlock } from '../memory/blocks'
import { SCRATCH_ADDRESS } from '../memory/map'
import { maskRows, maskWord, maskWords, needsMask } from '../rows/masks'
import { Query, drivingPool } from '../queries/queries'
import { findRow, poolOf } from '../pools/sparseIndex'
import { OUT_OF_MEMORY } from '../memory/status'
import { Table } from '../tables/tables'

/** A choice of the least takes some microseconds, and is worth them for this many pairs. */
const LEAST_ROOM: u32 = 1024
/** As many times the pairs that are wanted have room: fewer would often be full, more leave the caches. */
const ROOM_A_PAIR: u32 = 4
/** Keys of one or two bytes are sorted in a pass or two: dropping pairs saves time only where very few are wanted. */
const ROOM_A_SHORT_KEY: u32 = 16
/** Rows that are passed over together. */
const BLOCK: u32 = 8

/** The field that is sorted by: what the users' component and field are called down here. */
let component: u32 = 0
let field: u32 = 0
let keyKind: u32 = 0
let keyWidth: u32 = 0

// One sort; meaningless between two calls.
let pairs: usize = 0
let spare: usize = 0
let bytes: u32 = 0
let wide = false
let count: u32 = 0
/** How many of the first pairs are wanted, and whether there may be no room for all of them. */
let wanted: u32 = 0
let room: u32 = 0
let isShort = false
let inOrderOfBirth = true
let lastAge: u32 = 0

// ── pairs ────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Begins a sort of at most `capacity` entities by the field at a place of a component, of which the first `limit` are
 * wanted; false when memory ends. Follow with endSort.
 */
export function beginSort(capacity: u32, limit: u32, ofComponent: u32, ofField: u32, kind: u32): bool {
  component = ofComponent
  field = ofField
  keyKind = kind
  keyWidth = shapeWidth(ofComponent, ofField)
  wide = keyWidth == 8
  isShort = limit < capacity / (keyWidth < 4 ? ROOM_A_SHORT_KEY : ROOM_A_PAIR) && LEAST_ROOM < capacity
  room = isShort ? max(limit * ROOM_A_PAIR, LEAST_ROOM) : max(capacity, 1)
  restartSort(limit)
  if (room > 1 << 26) return false
  bytes = room << (wide ? 4 : 3)
  pairs = allocateBlock(bytes)
  if (pairs == 0) return false
  spare = allocateBlock(bytes)
  if (spare != 0) return true
  releaseBlock(pairs, bytes)
  return false
}

/** Forgets the pairs and begins again in the same memory. `limit` must not be greater than before. */
export function restartSort(limit: u32): void {
  wanted = limit
  count = 0
  inOrderOfBirth = true
  lastAge = u32.MAX_VALUE
  liftBound()
}

/** Gives back the memory of a sort. */
export function endSort(): void {
  releaseBlock(pairs, bytes)
  releaseBlock(spare, bytes)
}

/** How many are in order. */
@inline
export function sortedCount(): u32 {
  return min(count, wanted)
}

/** The handle at a place of the order. */
@inline
export function sortedAt(place: u32): u32 {
  return handleOf(pairs + (<usize>place << (wide ? 4 : 3)), wide)
}

/** Notes an entity whose key is at `address`. */
export function pushKey(address: usize, handle: u32): void {
  if (isShort) {
    noteIfLeast(keyAt(address), handle)
    return
  }
  store<u32>(SCRATCH_ADDRESS, handle)
  pushKeys(address, SCRATCH_ADDRESS, 1)
}

/** Notes `rows` entities, whose keys and whose handles lie side by side. */
function pushKeys(keys: usize, handles: usize, rows: u32): void {
  // Locals for the time of the loop: a global is read from memory each time.
  const width = keyWidth
  const kind = keyKind & ~KEY_DESCENDING
  const descends = (keyKind & KEY_DESCENDING) != 0
  const size: u32 = wide ? 16 : 8
  let to = pairs + <usize>count * size
  let last = lastAge
  for (let row: u32 = 0; row < rows; row++) {
    const handle = load<u32>(handles + (<usize>row << 2))
    const age = ageOf(indexOf(handle))
    if (age > last) inOrderOfBirth = false
    last = age
    const key = keys + <usize>row * width
    if (width == 8) {
      store<u64>(to, wideKey(key, descends))
      store<u64>(to, <u64>handle, 8)
    } else {
      store<u64>(to, (<u64>handle << 32) | <u64>narrowKey(key, width, kind, descends))
    }
    to += size
  }
  lastAge = last
  count += rows
}

// ── the first few ────────────────────────────────────────────────────────────────────────────────────────

/** Notes those of `rows` entities that may be among the first, as pushKeys notes all. */
function pushLeast(keys: usize, handles: usize, rows: u32): void {
  const width = keyWidth
  let row: u32 = 0
  while (row < rows) {
    if (width == 4) row += blocksBeyond(keys + (<usize>row << 2), rows - row)
    const end = min(row + BLOCK, rows)
    for (; row < end; row++) {
      const key = keyAt(keys + <usize>row * width)
      if (key <= boundingKey()) noteIfLeast(key, load<u32>(handles + (<usize>row << 2)))
    }
  }
}

/** How many of the first rows have keys above the bound, by whole blocks; keys of 4 bytes. */
function blocksBeyond(keys: usize, rows: u32): u32 {
  const isFloat = (keyKind & ~KEY_DESCENDING) == KEY_FLOAT
  const bound = i32x4.splat(<i32>boundingKey())
  // What narrowKey does, for four values, but for NaN: values that come out below the bound are looked at one by one.
  const negative = i32x4.splat(isFloat ? <i32>~SIGN : 0)
  let flip: u32 = (keyKind & ~KEY_DESCENDING) == KEY_UNSIGNED ? 0 : SIGN
  if ((keyKind & KEY_DESCENDING) != 0) flip = ~flip
  const flips = i32x4.splat(<i32>flip)
  let row: u32 = 0
  for (; row + BLOCK <= rows; row += BLOCK) {
    const at = keys + (<usize>row << 2)
    let one = v128.load(at)
    let other = v128.load(at, 16)
    if (isFloat) {
      // Makes 0 of -0.
      one = f32x4.add(one, f32x4.splat(0))
      other = f32x4.add(other, f32x4.splat(0))
    }
    one = v128.xor(v128.xor(one, v128.and(i32x4.shr_s(one, 31), negative)), flips)
    other = v128.xor(v128.xor(other, v128.and(i32x4.shr_s(other, 31), negative)), flips)
    if (!i32x4.all_true(v128.and(i32x4.gt_u(one, bound), i32x4.gt_u(other, bound)))) return row
  }
  return row
}

@inline
function keyAt(address: usize): u64 {
  const descends = (keyKind & KEY_DESCENDING) != 0
  if (wide) return wideKey(address, descends)
  return <u64>narrowKey(address, keyWidth, keyKind & ~KEY_DESCENDING, descends)
}

function noteIfLeast(key: u64, handle: u32): void {
  if (isBeyond(key, handle)) return
  if (count == room) {
    dropAllButWanted()
    if (isBeyond(key, handle)) return
  }
  const age = ageOf(indexOf(handle))
  if (age > lastAge) inOrderOfBirth = false
  lastAge = age
  if (wide) {
    const to = pairs + (<usize>count << 4)
    store<u64>(to, key)
    store<u64>(to, <u64>handle, 8)
  } else {
    store<u64>(pairs + (<usize>count << 3), (<u64>handle << 32) | key)
  }
  count++
}

function dropAllButWanted(): void {
  count = keepLeast(pairs, count, wide, wanted)
}

// ── the sort ─────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Sorts the pairs. Equal keys come in the order of creation, or stay in the order of the calls: then all pairs are
 * wanted. Of more pairs than are wanted some may be missing at the end.
 */
export function sortPairs(byCreation: bool): void {
  if (wanted <= count / 2 && count > 0 && (isShort || keyWidth >= 4)) dropAllButWanted()
  if (byCreation && !inOrderOfBirth) sortByWord(BIRTH)
  sortByWord(LOW)
  if (wide) sortByWord(HIGH)
}

/** One pass for each digit of a word; a digit that all pairs share is passed over. */
function sortByWord(word: u32): void {
  countDigits(word)
  for (let digit: u32 = 0; digit < DIGITS_A_WORD; digit++) {
    const table = SCRATCH_ADDRESS + (<usize>(digit * DIGITS) << 2)
    const first = (wordOf(pairs, word, wide) >> (digit * DIGIT_BITS)) & DIGIT_MASK
    if (count == 0 || load<u32>(table + (<usize>first << 2)) == count) continue
    startPlaces(table)
    if (wide) scatterWide(word, digit * DIGIT_BITS, table)
    else if (word == BIRTH) scatterByBirth(digit * DIGIT_BITS, table)
    else scatter(digit * DIGIT_BITS, table)
    const sorted = spare
    spare = pairs
    pairs = sorted
  }
}

/** How often each digit occurs, at all places of a word. */
function countDigits(word: u32): void {
  memory.fill(SCRATCH_ADDRESS, 0, DIGITS_A_WORD * DIGITS * 4)
  const size: u32 = wide ? 16 : 8
  const end = pairs + <usize>count * size
  for (let pair = pairs; pair < end; pair += size) {
    const key = wordOf(pair, word, wide)
    increment(SCRATCH_ADDRESS, key & DIGIT_MASK)
    increment(SCRATCH_ADDRESS + DIGITS * 4, (key >> DIGIT_BITS) & DIGIT_MASK)
    increment(SCRATCH_ADDRESS + DIGITS * 8, key >> (DIGIT_BITS * 2))
  }
}

/** Turns counts into the place of the first pair with each digit. */
function startPlaces(table: usize): void {
  let place: u32 = 0
  for (let at = table; at < table + DIGITS * 4; at += 4) {
    const number = load<u32>(at)
    store<u32>(at, place)
    place += number
  }
}

@inline
function nextPlace(table: usize, digit: u32): usize {
  const at = table + (<usize>digit << 2)
  const place = load<u32>(at)
  store<u32>(at, place + 1)
  return <usize>place
}

function scatter(shift: u32, table: usize): void {
  const to = spare
  const end = pairs + (<usize>count << 3)
  for (let pair = pairs; pair < end; pair += 8) {
    const both = load<u64>(pair)
    store<u64>(to + (nextPlace(table, (<u32>both >> shift) & DIGIT_MASK) << 3), both)
  }
}

function scatterByBirth(shift: u32, table: usize): void {
  const to = spare
  const end = pairs + (<usize>count << 3)
  for (let pair = pairs; pair < end; pair += 8) {
    const digit = (wordOf(pair, BIRTH, false) >> shift) & DIGIT_MASK
    store<u64>(to + (nextPlace(table, digit) << 3), load<u64>(pair))
  }
}

function scatterWide(word: u32, shift: u32, table: usize): void {
  const to = spare
  const end = pairs + (<usize>count << 4)
  for (let pair = pairs; pair < end; pair += 16) {
    const digit = (wordOf(pair, word, wide) >> shift) & DIGIT_MASK
    v128.store(to + (nextPlace(table, digit) << 4), v128.load(pair))
  }
}

// ── where keys lie ───────────────────────────────────────────────────────────────────────────────────────

function shapeWidth(id: u32, place: u32): u32 {
  const shapes = componentAt(id).columns
  return changetype<ColumnShape>(shapes + <usize>place * offsetof<ColumnShape>()).width
}

/** The column of the field in rows of a layout; null where the layout lacks the component. */
export function keyColumn(layout: Layout): Column {
  for (let i: u32 = 0; i < layout.componentCount; i++) {
    const entry = layoutComponentAt(layout, i)
    if (entry.component == component) return columnAt(layout, entry.firstColumn + field)
  }
  return changetype<Column>(0)
}

/** Address of a living entity's key, wherever its row is; 0 when it lacks the component. */
export function keyAddress(index: u32): usize {
  const location = isPooled(componentAt(component).storage)
    ? findRow(poolOf(component), index)
    : recordOf(index).location
  if (location == 0) return 0
  const chunk = chunkAt(chunkIdOf(location))
  const column = keyColumn(changetype<Table>(chunk.table).layout)
  return changetype<usize>(column) == 0 ? 0 : valueAddress(chunk, column, rowOf(location))
}

// ── what a query matches ─────────────────────────────────────────────────────────────────────────────────

/**
 * The handles of the first `limit` that match and pass the filters, ascending by a field of a component that the query requires,
 * equal ones in the order of their creation. Returns the address of the handles, with their number in scratch, or
 * a negative status. Follow with endSort.
 */
export function sortMatching(
  query: Query,
  filterCount: u32,
  ofComponent: u32,
  ofField: u32,
  kind: u32,
  limit: u32,
): i32 {
  if (!beginSort(mostMatching(query), limit, ofComponent, ofField, kind)) return OUT_OF_MEMORY
  if (limit > 0) gatherMatching(query, filterCount)
  sortPairs(true)
  const sorted = sortedCount()
  for (let i: u32 = 0; i < sorted; i++) store<u32>(pairs + (<usize>i << 2), sortedAt(i))
  store<u32>(SCRATCH_ADDRESS, sorted)
  return <i32>pairs
}

/** No fewer than match. */
function mostMatching(query: Query): u32 {
  if (query.walksPool != 0) return drivingPool(query).rows
  let rows: u32 = 0
  for (let place = query.first; place != NO_MATCH; place = matchAfter(query, place)) {
    rows += matchedAt(query, place).rows
  }
  return rows
}

function gatherMatching(query: Query, filterCount: u32): void {
  if (query.walksPool != 0) {
    gatherTable(query, drivingPool(query), true, filterCount)
    return
  }
  for (let place = query.first; place != NO_MATCH; place = matchAfter(query, place)) {
    gatherTable(query, matchedAt(query, place), false, filterCount)
  }
}

function gatherTable(query: Query, table: Table, isPool: bool, filterCount: u32): void {
  const column = keyColumn(table.layout)
  const masked = isPool || needsMask(query, filterCount)
  for (let i: u32 = 0; i < table.chunks.count; i++) {
    const id = table.chunks.at(i)
    const chunk = chunkAt(id)
    if (!masked && changetype<usize>(column) != 0) {
      const keys = valueAddress(chunk, column, 0)
      if (isShort) pushLeast(keys, entityAddress(chunk, 0), chunk.count)
      else pushKeys(keys, entityAddress(chunk, 0), chunk.count)
      continue
    }
    const words = maskRows(query, id, isPool, filterCount) != 0 ? maskWords(chunk.count) : 0
    for (let word: u32 = 0; word < words; word++) {
      for (let left = maskWord(word); left != 0; left &= left - 1) {
        pushRow(chunk, (word << 6) + <u32>ctz(left), column)
      }
    }
  }
}

/** Notes the entity of a row, whose key lies in the column or, when that is null, elsewhere. */
function pushRow(chunk: Chunk, row: u32, column: Column): void {
  const entity = load<u32>(entityAddress(chunk, row))
  const here = changetype<usize>(column) != 0
  pushKey(here ? valueAddress(chunk, column, row) : keyAddress(indexOf(entity)), entity)
}
