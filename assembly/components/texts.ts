// Owns the texts of a world: each different string once, under the id that columns store. sweeps.ts marks what columns and
// defaults name before the rest is freed.
//
//   id ──▶ record [id] ┌────────┬──────┬──────┬───────┬────────┬───────┐
//                      │ bucket │ next │ hash │ units │ length │ state │
//                      └────────┴──────┴──────┴───┬───┴────────┴───────┘
//                                                 ▼
//                                                 one byte a unit, or two when one of them is above 255
//
// A unit is a UTF-16 code unit, so any JavaScript string comes back as it was, lone surrogates too. Id 0 is the
// empty text; it has no units and is in no bucket. `bucket` of record i is the first text of bucket i, which has
// nothing to do with text i: the hash index lies in the same array, grows with it and never needs memory of its own.

import { TEXTS_ADDRESS, SCRATCH_BYTES } from '../memory/map'
import { allocate, release } from '../memory/objects'
import { hashNumbers, spread } from '../memory/hashTable'
import { movesNow } from '../memory/moving'
import { FIRST_TEXTS } from '../memory/sizes'
import { OUT_OF_MEMORY } from '../memory/status'

/** The longest text: its units, two bytes each, and what fills up their last word fit into scratch. */
export const MAX_TEXT_LENGTH: u32 = (SCRATCH_BYTES >> 1) - 1
export const EMPTY_TEXT: u32 = 0
/** What findText says when there is no such text. */
export const NO_TEXT: i32 = -1

/** The record holds a text; it is free otherwise. */
export const TEXT_LIVE: u32 = 1
/** Units of two bytes. */
export const TEXT_WIDE: u32 = 2
/** In use, as far as the sweep under way has seen. */
const TEXT_MARKED: u32 = 4

@unmanaged
export class TextRecord {
  /** The first text of the bucket with this record's number, 0 when that is empty. */
  bucket: u32
  /** The next text in the same bucket; of a free id the next free one; 0 at the end. */
  next: u32
  hash: u32
  /** Address of the units; 0 for the empty text and for free ids. */
  units: usize
  length: u32
  /** TEXT_LIVE, TEXT_WIDE, TEXT_MARKED; 0 for a free id. */
  state: u32
}

@unmanaged
export class Texts {
  /** Array of TextRecord, as many as there are buckets. */
  records: usize
  /** A power of two; 0 until the first text that is not empty. */
  capacity: u32
  /** The lowest id never used so far, or free with all above it. */
  fresh: u32
  /** Head of the list of free ids, lowest first; 0 when there is none. */
  freeFirst: u32
  /** Texts there are, besides the empty one. */
  count: u32
}

export const texts = changetype<Texts>(TEXTS_ADDRESS)

export function initTexts(): void {
  memory.fill(TEXTS_ADDRESS, 0, offsetof<Texts>())
  texts.fresh = EMPTY_TEXT + 1
}

@inline
function textAt(id: u32): TextRecord {
  assert(id < texts.capacity, 'a text id has a record')
  return changetype<TextRecord>(texts.records + <usize>id * offsetof<TextRecord>())
}

/** Whether the id names a text, whatever number it is. */
@inline
export function isText(id: u32): bool {
  return id == EMPTY_TEXT || (id < texts.fresh && (textAt(id).state & TEXT_LIVE) != 0)
}

/** The id of the text whose units lie at `source`, where up to three bytes behind them may be overwritten; or NO_TEXT. */
export function findText(source: usize, length: u32, wide: u32): i32 {
  if (length == 0) return EMPTY_TEXT
  return findHashed(source, length, wide, hashOf(source, length << wide))
}

/** The same, kept under a new id when there is none yet. OUT_OF_MEMORY, and nothing changed, when memory ends. */
export function internText(source: usize, length: u32, wide: u32): i32 {
  assert(length <= MAX_TEXT_LENGTH, 'a text fits into scratch')
  if (length == 0) return EMPTY_TEXT
  const bytes = length << wide
  const hash = hashOf(source, bytes)
  const known = findHashed(source, length, wide, hash)
  if (known >= 0) return known
  if (!ASC_NO_ASSERT && movesNow(texts.capacity * offsetof<TextRecord>())) moveRecords(texts.capacity)
  if (texts.freeFirst == 0 && texts.fresh >= texts.capacity && !growRecords()) return OUT_OF_MEMORY
  const units = allocate(bytes)
  if (units == 0) return OUT_OF_MEMORY
  memory.copy(units, source, bytes)
  const id = takeId()
  const text = textAt(id)
  text.hash = hash
  text.units = units
  text.length = length
  text.state = wide ? TEXT_LIVE | TEXT_WIDE : TEXT_LIVE
  file(id)
  texts.count += 1
  return <i32>id
}

/** Takes back the text interned last, or the last but one when that one is gone already, and so on. */
export function releaseText(id: u32): void {
  forget(id)
  if (id + 1 == texts.fresh) {
    texts.fresh = id
    return
  }
  textAt(id).next = texts.freeFirst
  texts.freeFirst = id
}

/** Keeps a text over the sweep under way. */
@inline
export function markText(id: u32): void {
  if (id != EMPTY_TEXT) textAt(id).state |= TEXT_MARKED
}

/** Ends a sweep: frees every text that nobody marked. Returns how many. */
export function freeUnmarkedTexts(): u32 {
  const before = texts.count
  texts.freeFirst = 0
  // From the highest id down: the free list is in order then, and free ids at the end are fresh again.
  for (let id = texts.fresh - 1; id > EMPTY_TEXT; id--) {
    const text = textAt(id)
    if ((text.state & TEXT_MARKED) != 0) {
      text.state &= ~TEXT_MARKED
      continue
    }
    if (text.state != 0) forget(id)
    if (id + 1 == texts.fresh) texts.fresh = id
    else {
      text.next = texts.freeFirst
      texts.freeFirst = id
    }
  }
  return before - texts.count
}

/** Makes a text's record a free one, in no list yet. */
function forget(id: u32): void {
  unfile(id)
  const text = textAt(id)
  release(text.units, text.length << ((text.state & TEXT_WIDE) != 0 ? 1 : 0))
  text.next = 0
  text.hash = 0
  text.units = 0
  text.length = 0
  text.state = 0
  texts.count -= 1
}

function takeId(): u32 {
  const id = texts.freeFirst
  if (id == 0) return texts.fresh++
  texts.freeFirst = textAt(id).next
  return id
}

/** Hash of the units, taken as whole words: what is behind them up to the next word becomes 0. */
function hashOf(source: usize, bytes: u32): u32 {
  const words = (bytes + 3) >> 2
  for (let i = bytes; i < words << 2; i++) store<u8>(source + i, 0)
  return spread(hashNumbers(source, words))
}

function findHashed(source: usize, length: u32, wide: u32, hash: u32): i32 {
  if (texts.capacity == 0) return NO_TEXT
  const state = wide ? TEXT_LIVE | TEXT_WIDE : TEXT_LIVE
  let id = bucketOf(hash).bucket
  while (id != 0) {
    const text = textAt(id)
    if (text.hash == hash && text.length == length && (text.state & ~TEXT_MARKED) == state) {
      if (memory.compare(text.units, source, length << wide) == 0) return <i32>id
    }
    id = text.next
  }
  return NO_TEXT
}

/** The record that carries the head of the bucket for a hash. */
@inline
function bucketOf(hash: u32): TextRecord {
  return textAt(hash & (texts.capacity - 1))
}

function file(id: u32): void {
  const text = textAt(id)
  const bucket = bucketOf(text.hash)
  text.next = bucket.bucket
  bucket.bucket = id
}

function unfile(id: u32): void {
  const text = textAt(id)
  const bucket = bucketOf(text.hash)
  if (bucket.bucket == id) {
    bucket.bucket = text.next
    return
  }
  let before = textAt(bucket.bucket)
  while (before.next != id) before = textAt(before.next)
  before.next = text.next
}

/** Makes room for more ids. Only when none is free: every record below `fresh` holds a text. */
function growRecords(): bool {
  if (!moveRecords(max(texts.capacity << 1, FIRST_TEXTS))) return false
  textAt(EMPTY_TEXT).state = TEXT_LIVE
  for (let i: u32 = 0; i < texts.fresh; i++) textAt(i).bucket = 0
  for (let id = EMPTY_TEXT + 1; id < texts.fresh; id++) file(id)
  return true
}

/** Gives the records another place, with room for so many; false, and they stay, when memory ends. */
function moveRecords(capacity: u32): bool {
  const records = allocate(capacity * offsetof<TextRecord>())
  if (records == 0) return false
  memory.copy(records, texts.records, texts.capacity * offsetof<TextRecord>())
  release(texts.records, texts.capacity * offsetof<TextRecord>())
  texts.records = records
  texts.capacity = capacity
  return true
}
