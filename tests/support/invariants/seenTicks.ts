// Checks what queries with `changed` and `added` have seen.

import { LAYOUT } from '../layout'
import { fail } from './failure'
import type { Memory } from './memory'

const L = LAYOUT

/** Free seen ticks are exactly those in the list of free ones; no other has seen what is still to come. */
export function checkSeenTicks(memory: Memory): void {
  const items = memory.word(L.SEEN_TICKS_ITEMS)
  const count = memory.word(L.SEEN_TICKS_COUNT)
  const capacity = memory.word(L.SEEN_TICKS_CAPACITY)
  if (count > capacity) fail(`there are ${count} seen ticks, and room for ${capacity}`)
  if (capacity > 0) memory.ledger.claim(items, capacity * L.SEEN_TICK_BYTES, 'the seen ticks')
  const free = new Set<number>()
  for (let next = memory.word(L.SEEN_TICKS_FIRST_FREE); next !== 0;) {
    const number = next - 1
    if (number >= count || free.has(number)) fail(`look ${number} is not to be in the list of free ones`)
    free.add(number)
    next = memory.word(items + number * L.SEEN_TICK_BYTES + L.SEEN_TICK_TICK)
  }
  for (let number = 0; number < count; number++) {
    const look = items + number * L.SEEN_TICK_BYTES
    const state = memory.word(look + L.SEEN_TICK_STATE)
    if (state > L.SEEN_TICK_FREE) fail(`look ${number} is in state ${state}`)
    if ((state === L.SEEN_TICK_FREE) !== free.has(number))
      fail(`look ${number} is ${free.has(number) ? 'not free and listed as' : 'free and not listed'}`)
    if (state !== L.SEEN_TICK_SEEN && state !== L.SEEN_TICK_AGED) continue
    if (((memory.word(look + L.SEEN_TICK_TICK) - memory.word(L.WORLD_TICK)) | 0) > 0)
      fail(`look ${number} has seen a tick that is to come`)
  }
}
