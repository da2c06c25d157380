// The refusal of links by which something would depend on itself.

import { expect } from 'vitest'
import type { Given, Kind } from '../plainWorld'
import type { State } from '../state'

/** Whether a call would close a circle. Outside of blocks it is made all the same: it is refused, and nothing has changed. */
export function closesCircle(
  session: State,
  handles: readonly number[],
  kinds: readonly Kind[],
  values: readonly Given[],
  call: () => unknown,
): boolean {
  if (!session.isRefused(handles, kinds, values)) return false
  if (session.depth > 0) return true
  expect(call).toThrow(expect.objectContaining({ code: 'RELATION_CYCLE' }))
  for (const handle of handles.slice(0, 3)) session.compareEntity(handle)
  return true
}
