// Owns a count of the steps that the checked core takes along lists, tables and chunks: tests ask whether a call takes more of
// them in a larger world. It must never be reached in release: each call stands under ASC_NO_ASSERT.

import { STEPS_ADDRESS } from './map'

/** Always true: it stands in asserts. */
@inline
export function noteStep(): bool {
  store<u32>(STEPS_ADDRESS, load<u32>(STEPS_ADDRESS) + 1)
  return true
}
