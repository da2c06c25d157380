// Owns the occasions of a stress core: when a table moves though it has room.
// It must never be asked in release: every use is under ASC_NO_ASSERT.

import { blocks } from './blocks'
import { isStressed } from './stress'
import { world } from './world'

/** Up to this size a table moves at each occasion; a larger one at fewer, so that large worlds need no square of time. */
const OFTEN_BYTES_SHIFT: u32 = 14

/** Whether a table of so many bytes is to move. Asking is an occasion. A heap that cannot grow needs its room for other things. */
export function movesNow(bytes: u32): bool {
  if (bytes == 0 || !isStressed() || blocks.end == blocks.maximum) return false
  world.occasions += 1
  // Scattered: where each call has the same number of occasions, every nth of them could always be that of another table.
  return ((world.occasions * 0x9e3779b1) >> 16) % (1 + (bytes >> OFTEN_BYTES_SHIFT)) == 0
}
