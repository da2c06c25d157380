// Owns the functions by which a program handles the ids that columns of `text` fields hold: docs/storages.md.

import type { World } from '../world/world'
import { stateOf } from '../state/worldState'
import { makeTexts, type Texts } from './texts'

/**
 * The id under which columns of `text` fields store a string. Compare ids in loops over chunks:
 * `if (name.value[i] === id)`. The id stays the same until a sweep frees the string. Allowed inside a loop.
 *
 * @returns undefined if the world does not store the string; then no row has it
 * @throws StrataTypeError INVALID_VALUE if it is not a string
 */
export function textId(world: World, string: string): number | undefined {
  const texts: Texts = textsOf(world, 'textId')
  texts.checkString(string, 'textId')
  return texts.idOf(string)
}

/**
 * The string of an id that was read from a column of a `text` field, or undefined if no string has that id. Allowed
 * inside a loop.
 */
export function textOf(world: World, id: number): string | undefined {
  return textsOf(world, 'textOf').find(id)
}

/**
 * The id of a string, which is stored if it is new: for writing it to many rows of a column. An id that is in no
 * row is freed by the next sweepTexts. Allowed inside a loop.
 *
 * @param string at most 32,767 UTF-16 units
 * @throws StrataTypeError INVALID_VALUE; LimitError MEMORY_LIMIT. Nothing changes then.
 */
export function internText(world: World, string: string): number {
  const texts: Texts = textsOf(world, 'internText')
  texts.check(string, 'internText')
  return texts.intern(string)
}

/**
 * Frees every text that is neither in a row nor a default value. Freed ids are reused, lowest first, so drop the
 * ids that you keep outside of columns. An id in a column that names no text becomes 0, the empty string. Cost: a
 * visit to every row with a text field.
 *
 * @returns how many texts were freed
 * @throws StrataError WORLD_LOCKED inside a loop
 */
export function sweepTexts(world: World): number {
  const texts = textsOf(world, 'sweepTexts')
  stateOf(world, 'sweepTexts').refuseWhileLocked('sweepTexts')
  return texts.sweep()
}

function textsOf(world: World, operation: string): Texts {
  const state = stateOf(world, operation)
  state.refuseDisposed()
  return state.textsBy(makeTexts)
}
