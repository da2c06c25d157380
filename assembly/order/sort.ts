// Owns sorting: it gathers what a query matches as (key, handle) pairs in temporary memory, and orders them by the key.
// It must never change a row; the pairs are freed before the next call.
//
//   pair of 8 bytes   ┌─────┬────────┐      of 16   ┌─────────┬──────────┬────────┬───────┐
//                     │ key │ handle │              │ low key │ high key │ handle │ empty │
//                     └─────┴────────┘              └─────────┴──────────┴────────┴───────┘
//
// Keys are unsigned numbers in the order of the values: signs are flipped, -0 is 0, NaN comes last. The sort goes
// from the lowest digit to the highest, 11 bits at a time, and each pass keeps the order of equal digits.

import { archetypeAt } from '../archetypes/archetypes'
import { Chunk, chunkAt, chunkIdOf, rowOf } from '../tables/chunks'
import { entityAddress, valueAddress } from '../tables/addresses'
import { ColumnShape, componentAt, isPooled } from '../components/components'
import { ageOf, indexOf, recordOf } from '../memory/entities'
import { Column, Layout, columnAt, layoutComponentAt } from '../tables/layouts'
import { matchAt } from '../queries/matches'
import { allocateBlock, releaseBlock } from '../memory/blocks'
import { SCRATCH_ADDRESS } from '../memory/map'
import { maskRows, maskWord, maskWords, needsMask } from '../rows/masks'
import { Query, drivingPool } from '../queries/queries'
import { findRow, poolOf } from '../pools/sparseIndex'
import { OUT_OF_MEMORY } from '../memory/status'
import { Table } from '../tables/tables'

/** How the bits of a field become a key. */
export const KEY_UNSIGNED: u32 = 0
export const KEY_SIGNED: u32 = 1
export const KEY_FLOAT: u32 = 2
/** Added to the kind where the greatest comes first. NaN comes last all the same. */
export const KEY_DESCENDING: u32 = 4

const DIGIT_BITS: u32 = 11
const DIGITS: u32 = 1 << DIGIT_BITS
const DIGIT_MASK: u32 = DIGITS - 1
const DIGITS_A_WORD: u32 = 3
const SIGN: u32 = 0x80000000

/** Which number of a pair a pass looks at. */
const LOW: u32 = 0
const HIGH: u32 = 1
const BIRTH: u32 = 2

/** The field that is sorted by: what the users' component and field are called down here. */
let component: u32 = 0
let field: u32 = 0
let keyKind: u32 = KEY_UNSIGNED
let keyWidth: u32 = 0

// One sort; meaningless between two calls.
let pairs: usize = 0
let spare: usize = 0
let bytes: u32 = 0
let wide = false
let count: u32 = 0
let inOrderOfBirth = true
let lastAge: u32 = 0

// ── pairs ────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Begins a sort of at most `capacity` entities by the field at a place of a component; false when memory ends.
 * Follow with endSort.
 */
export function beginSort(capacity: u32, ofComponent: u32, ofField: u32, kind: u32): bool {
  component = ofComponent
  field = ofField
  keyKind = kind
  keyWidth = shapeWidth(ofComponent, ofField)
  wide = keyWidth == 8
  restartSort()
  if (capacity > 1 << 26) return false
  bytes = max<u32>(capacity, 1) << (wide ? 4 : 3)
  pairs = allocateBlock(bytes)
  if (pairs == 0) return false
  spare = allocateBlock(bytes)
  if (spare != 0) return true
  releaseBlock(pairs, bytes)
  return false
}

/** Forgets the pairs and begins again in the same memory. */
export function restartSort(): void {
  count = 0
  inOrderOfBirth = true
  lastAge = u32.MAX_VALUE
}

/** Gives back the memory of a sort. */
export function endSort(): void {
  releaseBlock(pairs, bytes)
  releaseBlock(spare, bytes)
}

@inline
export function sortedCount(): u32 {
  return count
}

/** The handle at a place of the order. */
@inline
export function sortedAt(place: u32): u32 {
  return wide ? load<u32>(pairs + (<usize>place << 4), 8) : load<u32>(pairs + (<usize>place << 3), 4)
}

/** Notes an entity whose key is at `address`. */
export function pushKey(address: usize, handle: u32): void {
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
      const bits = wideKey(load<u64>(key))
      store<u64>(to, descends && bits != u64.MAX_VALUE ? ~bits : bits)
      store<u64>(to, <u64>handle, 8)
    } else {
      const bits = narrowKey(key, width, kind)
      const turns = descends && !(kind == KEY_FLOAT && bits == u32.MAX_VALUE)
      store<u64>(to, (<u64>handle << 32) | <u64>(turns ? ~bits : bits))
    }
    to += size
  }
  lastAge = last
  count += rows
}

@inline
function narrowKey(address: usize, width: u32, kind: u32): u32 {
  if (width == 4) {
    const bits = load<u32>(address)
    if (kind == KEY_FLOAT) return floatKey(bits)
    return kind == KEY_SIGNED ? bits ^ SIGN : bits
  }
  if (width == 2) return kind == KEY_SIGNED ? <u32>load<i16>(address) ^ SIGN : <u32>load<u16>(address)
  return kind == KEY_SIGNED ? <u32>load<i8>(address) ^ SIGN : <u32>load<u8>(address)
}

/** Floats compare like their bits once all bits of negative ones, and the sign of the others, are flipped. */
@inline
function floatKey(bits: u32): u32 {
  if ((bits & ~SIGN) > 0x7f800000) return u32.MAX_VALUE
  if (bits == SIGN) return SIGN
  return bits ^ (<u32>(<i32>bits >> 31) | SIGN)
}

@inline
function wideKey(bits: u64): u64 {
  const sign: u64 = 1 << 63
  if ((bits & ~sign) > 0x7ff0000000000000) return u64.MAX_VALUE
  if (bits == sign) return sign
  return bits ^ (<u64>(<i64>bits >> 63) | sign)
}

/** Sorts the pairs. Equal keys stay in the order of the calls, or come in the order of creation. */
export function sortPairs(byCreation: bool): void {
  if (byCreation && !inOrderOfBirth) sortByWord(BIRTH)
  sortByWord(LOW)
  if (wide) sortByWord(HIGH)
}

@inline
function wordOf(pair: usize, word: u32): u32 {
  if (word != BIRTH) return load<u32>(pair + (word << 2))
  // Ages count down as entities get younger; their negatives count up, and do not wrap between living ones.
  return 0 - ageOf(indexOf(load<u32>(pair + (wide ? 8 : 4))))
}

/** One pass for each digit of a word; a digit that all pairs share is passed over. */
function sortByWord(word: u32): void {
  countDigits(word)
  for (let digit: u32 = 0; digit < DIGITS_A_WORD; digit++) {
    const table = SCRATCH_ADDRESS + (<usize>(digit * DIGITS) << 2)
    const first = (wordOf(pairs, word) >> (digit * DIGIT_BITS)) & DIGIT_MASK
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
    const key = wordOf(pair, word)
    increment(SCRATCH_ADDRESS, key & DIGIT_MASK)
    increment(SCRATCH_ADDRESS + DIGITS * 4, (key >> DIGIT_BITS) & DIGIT_MASK)
    increment(SCRATCH_ADDRESS + DIGITS * 8, key >> (DIGIT_BITS * 2))
  }
}

@inline
function increment(table: usize, digit: u32): void {
  const at = table + (<usize>digit << 2)
  store<u32>(at, load<u32>(at) + 1)
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
    const digit = (wordOf(pair, BIRTH) >> shift) & DIGIT_MASK
    store<u64>(to + (nextPlace(table, digit) << 3), load<u64>(pair))
  }
}

function scatterWide(word: u32, shift: u32, table: usize): void {
  const to = spare
  const end = pairs + (<usize>count << 4)
  for (let pair = pairs; pair < end; pair += 16) {
    const digit = (wordOf(pair, word) >> shift) & DIGIT_MASK
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
 * The handles of all that match and pass the filters, ascending by a field of a component that the query requires,
 * equal ones in the order of their creation. Returns the address of the handles, with their number in scratch, or
 * a negative status. Follow with endSort.
 */
export function sortMatching(query: Query, filterCount: u32, ofComponent: u32, ofField: u32, kind: u32): i32 {
  if (!beginSort(mostMatching(query), ofComponent, ofField, kind)) return OUT_OF_MEMORY
  gatherMatching(query, filterCount)
  sortPairs(true)
  for (let i: u32 = 0; i < count; i++) store<u32>(pairs + (<usize>i << 2), sortedAt(i))
  store<u32>(SCRATCH_ADDRESS, count)
  return <i32>pairs
}

/** No fewer than match. */
function mostMatching(query: Query): u32 {
  if (query.walksPool != 0) return poolOf(drivingPool(query)).rows
  let rows: u32 = 0
  for (let i: u32 = 0; i < query.active; i++) rows += archetypeAt(matchAt(query, i).archetype).rows
  return rows
}

function gatherMatching(query: Query, filterCount: u32): void {
  if (query.walksPool != 0) {
    gatherTable(query, poolOf(drivingPool(query)), true, filterCount)
    return
  }
  for (let i: u32 = 0; i < query.active; i++) {
    gatherTable(query, archetypeAt(matchAt(query, i).archetype), false, filterCount)
  }
}

function gatherTable(query: Query, table: Table, isPool: bool, filterCount: u32): void {
  const column = keyColumn(table.layout)
  const masked = isPool || needsMask(query, filterCount)
  for (let i: u32 = 0; i < table.chunks.count; i++) {
    const id = table.chunks.at(i)
    const chunk = chunkAt(id)
    if (!masked && changetype<usize>(column) != 0) {
      pushKeys(valueAddress(chunk, column, 0), entityAddress(chunk, 0), chunk.count)
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
