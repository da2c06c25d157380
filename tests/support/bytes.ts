// Compares whole memories, byte by byte, in Node and in a browser.

import { expect } from 'vitest'
import {
  BLOCKS_TOUCHED,
  BUNDLES_LOOSE,
  CORE_START,
  HEAP_ADDRESS,
  LOOSE_BUNDLES,
  LOOSE_BUNDLE_BYTES,
  LOOSE_BUNDLE_IDS,
  LIST_ADDRESS,
  PROBE_ADDRESS,
  QUERY_BYTES,
  STEPS_ADDRESS,
} from '../../build/layout'
import type { World } from '../../bindings/index'

/** A copy of all linear memory, without the count of steps that the checked core keeps for tests: questions raise it, too. */
export function bytesOf(world: World): Uint8Array<ArrayBuffer> {
  const { state } = world as unknown as { state: { heap: { u8: Uint8Array } } }
  const bytes = state.heap.u8.slice() as Uint8Array<ArrayBuffer>
  return bytes.fill(0, STEPS_ADDRESS, STEPS_ADDRESS + 4)
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

/**
 * A copy of all linear memory that has a meaning between two calls, up to where it was ever touched. Loose bundles are left
 * out: what they hold is good for one change, and TypeScript fills them anew after a restore.
 */
export function stateOf(world: World): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(world)
  const words = new Uint32Array(bytes.buffer)
  bytes.fill(0, 0, CORE_START)
  bytes.fill(0, PROBE_ADDRESS, PROBE_ADDRESS + QUERY_BYTES)
  bytes.fill(0, LIST_ADDRESS, HEAP_ADDRESS)
  const loose = words[BUNDLES_LOOSE >> 2] as number
  if (loose !== 0) bytes.fill(0, loose, loose + LOOSE_BUNDLES * (LOOSE_BUNDLE_BYTES + LOOSE_BUNDLE_IDS * 4))
  return bytes.slice(0, words[BLOCKS_TOUCHED >> 2])
}

/** Says where the first difference is. */
export function expectSameState(left: Uint8Array, right: Uint8Array): void {
  expectSameBytes(left, right)
}
