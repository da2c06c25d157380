// Owns the short ways of has, get and set, for any handle: what is alive, where its row is, and what is done there, in one
// function each. Engines do not inline four functions into their caller. get and set must never look columns up for the first
// time, nor know pools: for that, the caller goes the general way.

import {
  CHUNK_CHANGED_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_OWNER_WORD,
  ROW_BITS,
  WORLD_TICK_WORD,
} from '../../build/layout'
import { VALUE, XY } from '../components/definition'
import { INDEX_MASK } from '../memory/entity'
import { CHUNK_WORDS_SHIFT, RECORD_WORDS_SHIFT, ROW_MASK } from '../memory/heap'
import type { Placement } from '../cursors/placement'
import type { Registration } from '../state/registration'

/** Whether the entity of any handle has the component; undefined where it is not alive, or only promised. This is what has does. */
export function isOnHandle(registration: Registration, entity: number): boolean | undefined {
  if (typeof entity !== 'number') return undefined
  const { heap } = registration
  const { u32 } = heap
  const index = entity & INDEX_MASK
  const record = heap.records + (index << RECORD_WORDS_SHIFT)
  if (index >= heap.entityCapacity || u32[record] !== entity) return undefined
  if (registration.pooled) return registration.findRow(index) !== 0
  const location = u32[record + 1] as number
  const descriptor = heap.chunks + ((location >>> ROW_BITS) << CHUNK_WORDS_SHIFT)
  return location !== 0 && registration.isIn(u32[descriptor + CHUNK_OWNER_WORD] as number)
}

/**
 * A copy of the values of any handle, of a component whose usualFloats is at least 0; undefined where it is not alive or does
 * not have the component, and where the columns of its chunk were not looked up before. This is what get does.
 */
export function copyFloats(registration: Registration, entity: number): Record<string, unknown> | undefined {
  const { usualFloats } = registration
  if (typeof entity !== 'number') return undefined
  const { heap } = registration
  const { u32, f32 } = heap
  const index = entity & INDEX_MASK
  const record = heap.records + (index << RECORD_WORDS_SHIFT)
  if (index >= heap.entityCapacity || u32[record] !== entity) return undefined
  const location = u32[record + 1] as number
  const descriptor = heap.chunks + ((location >>> ROW_BITS) << CHUNK_WORDS_SHIFT)
  const { list, mask } = registration.placements
  const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
  const placement = list[layoutKey & mask] as Placement
  if (location === 0 || placement.layoutKey !== layoutKey || !placement.present) return undefined
  const { distance } = placement
  const at = ((u32[descriptor + CHUNK_DATA_WORD] as number) >> 2) + (location & ROW_MASK) + placement.first
  if (usualFloats === XY) return { x: f32[at], y: f32[at + distance] }
  if (usualFloats === VALUE) return { value: f32[at] }
  return { x: f32[at], y: f32[at + distance], z: f32[at + 2 * distance] }
}

/**
 * Writes one to four values, of fields that are f32, to the row of a handle, and marks it; false, and nothing is written, where
 * it is not alive or does not have the component, where the row is of a pool, and where the columns of its chunk were not
 * looked up before. This is what set does.
 *
 * @param given a bit for each value that was given
 */
export function writeFloats(
  registration: Registration,
  entity: number,
  given: number,
  a: number,
  b: number,
  c: number,
  d: number,
): boolean {
  if (registration.pooled || typeof entity !== 'number') return false
  const { heap } = registration
  const { u32, f32 } = heap
  const index = entity & INDEX_MASK
  const record = heap.records + (index << RECORD_WORDS_SHIFT)
  if (index >= heap.entityCapacity || u32[record] !== entity) return false
  const location = u32[record + 1] as number
  const descriptor = heap.chunks + ((location >>> ROW_BITS) << CHUNK_WORDS_SHIFT)
  const { list, mask } = registration.placements
  const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
  const placement = list[layoutKey & mask] as Placement
  if (location === 0 || placement.layoutKey !== layoutKey || !placement.present) return false
  const data = u32[descriptor + CHUNK_DATA_WORD] as number
  const row = location & ROW_MASK
  const { first, distance } = placement
  const at = (data >> 2) + row + first
  if ((given & 1) !== 0) f32[at] = a
  if ((given & 2) !== 0) f32[at + distance] = b
  if ((given & 4) !== 0) f32[at + 2 * distance] = c
  if ((given & 8) !== 0) f32[at + 3 * distance] = d
  const now = u32[WORLD_TICK_WORD] as number
  u32[(data + placement.tickOffset) >> 2] = now
  u32[descriptor + CHUNK_CHANGED_WORD] = now
  if (placement.rowTickOffset !== 0) u32[((data + placement.rowTickOffset) >> 2) + row] = now
  return true
}
