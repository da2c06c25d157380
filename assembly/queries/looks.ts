// Owns looks: up to which change tick each query with `changed` or `added` has seen everything. They lie here, not in TypeScript,
// so that a snapshot holds them: after a restore a query finds what it would have found then. TypeScript keeps the number of each
// query's look.
//
//   items   ┌──────┬───────┬──────┬───────┬─ ─ ─
//           │ tick │ state │ tick │ state │          a free look: in place of the tick, the number of the next free one
//           └──────┴───────┴──────┴───────┴─ ─ ─     plus 1, or 0 for none

import { allowGrowth, forbidGrowth } from '../memory/blocks'
import { LOOKS_ADDRESS } from '../memory/map'
import { allocate, release } from '../memory/objects'
import { movesNow } from '../memory/moving'
import { FIRST_LOOKS } from '../memory/sizes'
import { OUT_OF_MEMORY } from '../memory/status'

/** Nothing was seen yet, or too long ago to be compared. */
export const LOOK_UNSEEN: u32 = 0
/** Seen since ticks were aged last. */
export const LOOK_SEEN: u32 = 1
/** Seen before that, and since the time before. */
export const LOOK_AGED: u32 = 2
export const LOOK_FREE: u32 = 3

@unmanaged
export class Look {
  tick: u32
  state: u32
}

@unmanaged
export class Looks {
  /** Array of Look. */
  items: usize
  count: u32
  capacity: u32
  /** The number of a free look plus 1, which leads to the next; 0 for none. */
  firstFree: u32
}

export const looks = changetype<Looks>(LOOKS_ADDRESS)

@inline
function lookAt(number: u32): Look {
  return changetype<Look>(looks.items + (<usize>number << 3))
}

/** The number of a new look that has seen nothing, or OUT_OF_MEMORY. */
export function makeLook(mayGrow: bool): i32 {
  let number = looks.firstFree
  if (number != 0) {
    number -= 1
    looks.firstFree = lookAt(number).tick
  } else {
    if (!ASC_NO_ASSERT && movesNow(looks.capacity << 3)) moveLooks(looks.capacity, mayGrow)
    if (looks.count == looks.capacity && !moveLooks(max(looks.capacity << 1, FIRST_LOOKS), mayGrow)) return OUT_OF_MEMORY
    number = looks.count++
  }
  lookAt(number).tick = 0
  lookAt(number).state = LOOK_UNSEEN
  return number
}

/** Gives the looks another place, with room for so many; false, and they stay, when memory ends. */
function moveLooks(capacity: u32, mayGrow: bool): bool {
  const maximum = mayGrow ? 0 : forbidGrowth()
  const items = allocate(capacity << 3)
  if (!mayGrow) allowGrowth(maximum)
  if (items == 0) return false
  memory.copy(items, looks.items, looks.count << 3)
  release(looks.items, looks.capacity << 3)
  looks.items = items
  looks.capacity = capacity
  return true
}

/** Gives a look back; its number may be given again. */
export function releaseLook(number: u32): void {
  assert(number < looks.count && lookAt(number).state != LOOK_FREE, 'a look is released once')
  lookAt(number).tick = looks.firstFree
  lookAt(number).state = LOOK_FREE
  looks.firstFree = number + 1
}

/**
 * Call whenever ticks in memory are aged. Two agings are at least 2^30 ticks apart from now, soon more than the sign of a
 * difference can tell: then nothing counts as seen.
 */
export function ageLooks(): void {
  for (let number: u32 = 0; number < looks.count; number++) {
    const look = lookAt(number)
    if (look.state == LOOK_SEEN) look.state = LOOK_AGED
    else if (look.state == LOOK_AGED) look.state = LOOK_UNSEEN
  }
}
