// Turns the numbers of a step into choices. The same number makes the same choice, so that a script can be shrunk and told.

import { SORTS } from './kinds'
import type { Kind, Sort } from './plainWorld'

export function indexOf(handle: number): number {
  return handle & 0xffffff
}

/** A number from a number, so that one step can decide several things. */
export function mix(n: number, salt: number): number {
  let h = Math.imul(n ^ (salt * 0x9e3779b9), 0x85ebca6b)
  h ^= h >>> 13
  return (Math.imul(h, 0xc2b2ae35) ^ (h >>> 16)) >>> 0
}

/** Up to three different components. */
export function pickKinds(n: number): Kind[] {
  const count = 1 + (n % 3)
  const kinds = new Set<Kind>()
  for (let i = 0; i < count; i++) kinds.add((SORTS[mix(n, i + 1) % SORTS.length] as Sort).kind)
  return [...kinds]
}

export function ascending(handles: Iterable<number>): number[] {
  return Array.from(Uint32Array.from(handles).sort())
}
