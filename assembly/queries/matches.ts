// Owns match lists: the archetypes that a query matches, and among them, chained, those with rows, so that empty ones cost an
// iteration nothing, and a version nothing. What matches is decided in queries.ts.
//
//              ┌─────────┬─────────┬─────────┬─────────┐
//   items      │ match   │ match   │ match   │ match   │           a place is kept while the archetype exists
//              └─────────┴─────▲───┴─────────┴─────▲───┘
//                 ▲    next ───┘                   │
//   first ────────┼────────────────────────────────┘
//   last ─────────┘
//
// The chain is in the order in which the archetypes got the first of the rows that they have: what gets its first row comes to
// the end, and a new list follows that of all archetypes. So the order is that of the world's changes, whenever the query was
// made, and trimming leaves it as it is.

import { allocate, release } from '../memory/objects'
import { blocks } from '../memory/blocks'
import { movesNow } from '../memory/moving'
import { FIRST_MATCHES } from '../memory/sizes'
import { noteStep } from '../memory/steps'
import { Archetype, archetypeAt } from '../archetypes/archetypes'

const MATCH_SHIFT: u32 = 4
/** No place: no list is as long. Positive, so that TypeScript reads the same number. */
export const NO_MATCH: u32 = 0x7fffffff

@unmanaged
export class Match {
  archetype: u32
  /** Which pair of the archetype's `matches` points back here. */
  pair: u32
  /** The places of its neighbours in the chain, or NO_MATCH; they mean nothing while the archetype has no rows. */
  next: u32
  previous: u32
}

@unmanaged
export class MatchList {
  /** Array of Match. */
  items: usize
  count: u32
  /** How many are in the chain, and its ends: places, or NO_MATCH. */
  active: u32
  first: u32
  last: u32
  capacity: u32
  /** The sum of the versions that its empty archetypes had when they lost their last row. Wraps. */
  emptyVersions: u32
}

@inline
export function matchAt(list: MatchList, index: u32): Match {
  if (!ASC_NO_ASSERT) assert(noteStep() && index < list.count, 'a match list is read inside its count')
  return changetype<Match>(list.items + (<usize>index << MATCH_SHIFT))
}

/** The archetype at a place of the list. */
@inline
export function matchedAt(list: MatchList, place: u32): Archetype {
  return archetypeAt(matchAt(list, place).archetype)
}

/** The place that follows another one in the chain, or NO_MATCH. */
@inline
export function matchAfter(list: MatchList, place: u32): u32 {
  return matchAt(list, place).next
}

/** Call once for a new list. */
export function initMatches(list: MatchList): void {
  list.first = NO_MATCH
  list.last = NO_MATCH
}

/** Makes room for one more match; false when memory ends. */
export function reserveMatch(list: MatchList): bool {
  if (!ASC_NO_ASSERT && movesNow(list.capacity << MATCH_SHIFT)) moveMatches(list, list.capacity)
  if (list.count < list.capacity) return true
  return moveMatches(list, max(list.capacity << 1, FIRST_MATCHES))
}

/** Gives back room for twice as many matches as there are, or more; the list stays as it is where there is no memory for that. */
export function tightenMatches(list: MatchList): void {
  let capacity = FIRST_MATCHES
  while (capacity < list.count) capacity <<= 1
  if (list.count == 0) releaseMatches(list)
  else if (capacity < list.capacity) moveMatches(list, capacity)
}

/** Gives back all room of a list without matches. */
export function releaseMatches(list: MatchList): void {
  release(list.items, list.capacity << MATCH_SHIFT)
  list.items = 0
  list.capacity = 0
}

/** Gives the list another place, with room for so many; false, and it stays, when memory ends. */
function moveMatches(list: MatchList, capacity: u32): bool {
  const items = allocate(capacity << MATCH_SHIFT)
  if (items == 0) return false
  memory.copy(items, list.items, list.count << MATCH_SHIFT)
  release(list.items, list.capacity << MATCH_SHIFT)
  list.items = items
  list.capacity = capacity
  blocks.epoch += 1
  return true
}

/** Adds an archetype, one with rows to the end of the chain. Room must be reserved here and, for a pair, in archetype.matches. */
export function addMatch(list: MatchList, archetype: Archetype): void {
  const place = list.count++
  const match = matchAt(list, place)
  match.archetype = archetype.owner
  match.pair = archetype.matches.count >> 1
  archetype.matches.push(<u32>changetype<usize>(list))
  archetype.matches.push(place)
  list.emptyVersions += archetype.emptyVersion
  if (archetype.active != 0) chain(list, place)
}

/** Call after rows came or went: keeps the archetype on the right side of every match list. */
@inline
export function refreshActivity(archetype: Archetype): void {
  if ((archetype.rows != 0) != (archetype.active != 0)) changeActivity(archetype)
}

function changeActivity(archetype: Archetype): void {
  archetype.active = archetype.rows != 0 ? 1 : 0
  // While it has rows, its own version counts.
  const version = archetype.active != 0 ? 0 : archetype.version
  const difference = version - archetype.emptyVersion
  archetype.emptyVersion = version
  const pairs = archetype.matches
  for (let i: u32 = 0; i < pairs.count; i += 2) {
    const list = changetype<MatchList>(<usize>pairs.at(i))
    const place = pairs.at(i + 1)
    list.emptyVersions += difference
    if (archetype.active != 0) chain(list, place)
    else unchain(list, place)
  }
}

function chain(list: MatchList, place: u32): void {
  const match = matchAt(list, place)
  match.next = NO_MATCH
  match.previous = list.last
  if (list.last == NO_MATCH) list.first = place
  else matchAt(list, list.last).next = place
  list.last = place
  list.active += 1
}

function unchain(list: MatchList, place: u32): void {
  const next = matchAt(list, place).next
  const previous = matchAt(list, place).previous
  if (previous == NO_MATCH) list.first = next
  else matchAt(list, previous).next = next
  if (next == NO_MATCH) list.last = previous
  else matchAt(list, next).previous = previous
  list.active -= 1
}
