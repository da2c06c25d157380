// Owns seen ticks: up to which change tick each query with `changed` or `added` has seen everything. They lie here, not in
// TypeScript, so that a snapshot holds them: after a restore a query finds what it would have found then. TypeScript
// keeps the number of each query's seen tick.
//
//   items   ┌──────┬───────┬──────┬───────┬─ ─ ─
//           │ tick │ state │ tick │ state │          a free one: in place of the tick, the number of the next free one
//           └──────┴───────┴──────┴───────┴─ ─ ─     plus 1, or 0 for none

import { allowGrowth, forbidGrowth } from '../memory/blocks'
import { SEEN_TICKS_ADDRESS } from '../memory/map'
import { allocate, release } from '../memory/objects'
import { movesNow } from '../memory/moving'
import { FIRST_SEEN_TICKS } from '../memory/sizes'
import { OUT_OF_MEMORY } from '../memory/status'

/** Nothing was seen yet, or too long ago to be compared. */
export const SEEN_TICK_UNSEEN: u32 = 0
/** Seen since ticks were aged last. */
export const SEEN_TICK_SEEN: u32 = 1
/** Seen before that, and since the time before. */
export const SEEN_TICK_AGED: u32 = 2
export const SEEN_TICK_FREE: u32 = 3

@unmanaged
export class SeenTick {
  tick: u32
  state: u32
}

@unmanaged
export class SeenTicks {
  /** Array of SeenTick. */
  items: usize
  count: u32
  capacity: u32
  /** The number of a free one plus 1, which leads to the next; 0 for none. */
  firstFree: u32
}

export const seenTicks = changetype<SeenTicks>(SEEN_TICKS_ADDRESS)

@inline
function seenTickAt(number: u32): SeenTick {
  return changetype<SeenTick>(seenTicks.items + (<usize>number << 3))
}

/** The number of a new seen tick that has seen nothing, or OUT_OF_MEMORY. */
export function makeSeenTick(mayGrow: bool): i32 {
  let number = seenTicks.firstFree
  if (number != 0) {
    number -= 1
    seenTicks.firstFree = seenTickAt(number).tick
  } else {
    if (!ASC_NO_ASSERT && movesNow(seenTicks.capacity << 3)) moveSeenTicks(seenTicks.capacity, mayGrow)
    if (seenTicks.count == seenTicks.capacity && !moveSeenTicks(max(seenTicks.capacity << 1, FIRST_SEEN_TICKS), mayGrow)) return OUT_OF_MEMORY
    number = seenTicks.count++
  }
  seenTickAt(number).tick = 0
  seenTickAt(number).state = SEEN_TICK_UNSEEN
  return number
}

/** Gives the seen ticks another place, with room for so many; false, and they stay, when memory ends. */
function moveSeenTicks(capacity: u32, mayGrow: bool): bool {
  const maximum = mayGrow ? 0 : forbidGrowth()
  const items = allocate(capacity << 3)
  if (!mayGrow) allowGrowth(maximum)
  if (items == 0) return false
  memory.copy(items, seenTicks.items, seenTicks.count << 3)
  release(seenTicks.items, seenTicks.capacity << 3)
  seenTicks.items = items
  seenTicks.capacity = capacity
  return true
}

/** Gives a seen tick back; its number may be given again. */
export function releaseSeenTick(number: u32): void {
  assert(number < seenTicks.count && seenTickAt(number).state != SEEN_TICK_FREE, 'a seen tick is released once')
  seenTickAt(number).tick = seenTicks.firstFree
  seenTickAt(number).state = SEEN_TICK_FREE
  seenTicks.firstFree = number + 1
}

/**
 * Call whenever ticks in memory are aged. Two agings are at least 2^30 ticks apart from now, soon more than the sign of a
 * difference can tell: then nothing counts as seen.
 */
export function ageSeenTicks(): void {
  for (let number: u32 = 0; number < seenTicks.count; number++) {
    const seen = seenTickAt(number)
    if (seen.state == SEEN_TICK_SEEN) seen.state = SEEN_TICK_AGED
    else if (seen.state == SEEN_TICK_AGED) seen.state = SEEN_TICK_UNSEEN
  }
}
