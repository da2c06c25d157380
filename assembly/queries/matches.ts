// Owns match lists: the archetypes that a query matches, those with rows at the front, so that empty ones cost an
// iteration nothing, and a version nothing. It must never decide what matches: that is queries.ts.
//
//   items     ┌───────────────────────────────┬───────────────────────────────┐
//             │ archetypes with rows          │ empty archetypes              │
//             └───────────────────────────────┴───────────────────────────────┘
//             0                               active                          count

import { allocate, release } from '../memory/objects'
import { blocks } from '../memory/blocks'
import { movesNow } from '../memory/moving'
import { FIRST_MATCHES } from '../memory/sizes'
import { noteStep } from '../memory/steps'
import { Archetype, archetypeAt } from '../archetypes/archetypes'

@unmanaged
export class Match {
  archetype: u32
  /** Which pair of the archetype's `matches` points back here. */
  pair: u32
}

@unmanaged
export class MatchList {
  /** Array of Match. */
  items: usize
  count: u32
  active: u32
  capacity: u32
  /** The sum of the versions that its empty archetypes had when they lost their last row. Wraps. */
  emptyVersions: u32
}

@inline
export function matchAt(list: MatchList, index: u32): Match {
  if (!ASC_NO_ASSERT) assert(noteStep() && index < list.count, 'a match list is read inside its count')
  return changetype<Match>(list.items + (<usize>index << 3))
}

/** Makes room for one more match; false when memory ends. */
export function reserveMatch(list: MatchList): bool {
  if (!ASC_NO_ASSERT && movesNow(list.capacity << 3)) moveMatches(list, list.capacity)
  if (list.count < list.capacity) return true
  return moveMatches(list, max(list.capacity << 1, FIRST_MATCHES))
}

/** Gives back room for twice as many matches as there are, or more; the list stays as it is where there is no memory for that. */
export function tightenMatches(list: MatchList): void {
  let capacity = FIRST_MATCHES
  while (capacity < list.count) capacity <<= 1
  if (list.count == 0) {
    release(list.items, list.capacity << 3)
    list.items = 0
    list.capacity = 0
  } else if (capacity < list.capacity) moveMatches(list, capacity)
}

/** Gives the list another place, with room for so many; false, and it stays, when memory ends. */
function moveMatches(list: MatchList, capacity: u32): bool {
  const items = allocate(capacity << 3)
  if (items == 0) return false
  memory.copy(items, list.items, list.count << 3)
  release(list.items, list.capacity << 3)
  list.items = items
  list.capacity = capacity
  blocks.epoch += 1
  return true
}

/** Adds an archetype. Room must be reserved here and, for a pair, in archetype.matches. */
export function addMatch(list: MatchList, archetype: Archetype): void {
  const position = list.count++
  const match = matchAt(list, position)
  match.archetype = archetype.owner
  match.pair = archetype.matches.count >> 1
  archetype.matches.push(<u32>changetype<usize>(list))
  archetype.matches.push(position)
  list.emptyVersions += archetype.emptyVersion
  if (archetype.active != 0) moveToFront(list, position)
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
    const position = pairs.at(i + 1)
    list.emptyVersions += difference
    if (archetype.active != 0) moveToFront(list, position)
    else moveToBack(list, position)
  }
}

function moveToFront(list: MatchList, position: u32): void {
  swapMatches(list, position, list.active)
  list.active += 1
}

function moveToBack(list: MatchList, position: u32): void {
  list.active -= 1
  swapMatches(list, position, list.active)
}

function swapMatches(list: MatchList, a: u32, b: u32): void {
  const first = matchAt(list, a)
  const second = matchAt(list, b)
  const archetype = first.archetype
  const pair = first.pair
  first.archetype = second.archetype
  first.pair = second.pair
  second.archetype = archetype
  second.pair = pair
  archetypeAt(first.archetype).matches.set((first.pair << 1) + 1, a)
  archetypeAt(second.archetype).matches.set((second.pair << 1) + 1, b)
}
