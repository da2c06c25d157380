// Uses cursors whose row is gone, which the checked core refuses.

import { expect } from 'vitest'
import { isChecked } from './world'

/** Uses a cursor whose row is gone: the checked core refuses it, and over others it leads nowhere. */
export function useStale(use: () => unknown): void {
  if (isChecked) expect(use).toThrow(expect.objectContaining({ code: 'STALE_CURSOR' }))
  else use()
}
