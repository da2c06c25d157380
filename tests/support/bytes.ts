// Owns the comparison of whole memories. It must never compare less than every byte, nor need more than a browser has.

import { expect } from 'vitest'
import type { World } from '../../bindings/index'

/** A copy of all linear memory. */
export function bytesOf(world: World): Uint8Array<ArrayBuffer> {
  const { state } = world as unknown as { state: { heap: { u8: Uint8Array } } }
  return state.heap.u8.slice() as Uint8Array<ArrayBuffer>
}

/** Says where the first difference is. A matcher would write out millions of bytes. */
export function expectSameBytes(left: Uint8Array, right: Uint8Array): void {
  expect(left.length).toBe(right.length)
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  if (at < left.length) {
    throw new Error(`memories differ from byte 0x${at.toString(16)} on: ${left[at]} and ${right[at]}`)
  }
}
