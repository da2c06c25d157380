// Owns the order in which entities were made, on its way through a save: read from a world, checked, and given to another. It
// says nothing about indices and handles.

import { ENTITIES_BIRTHS, ENTITIES_NEXT_BIRTH } from '../../build/layout'
import { INDEX_MASK } from '../memory/entity'
import type { Heap } from '../memory/heap'
import { NO_NUMBER, refused } from './savedWorld'

/**
 * The numbers of the saved entities in the order in which they were made, the oldest first. Undefined where that is the order
 * of their indices, as in every world that has not used an index again: then a loader has it without being told.
 *
 * @param numbers by entity index: the number in the save, or NO_NUMBER
 * @param count how many entities are saved
 */
export function orderOfMaking(heap: Heap, numbers: Uint32Array, count: number): Uint32Array | undefined {
  const births = birthsIn(heap)
  const next = heap.word(ENTITIES_NEXT_BIRTH)
  let youngest = Infinity
  let isByIndex = true
  for (let index = 0; index < numbers.length && isByIndex; index++) {
    if (numbers[index] === NO_NUMBER) continue
    const age = (next - (births[index] as number)) >>> 0
    isByIndex = age < youngest
    youngest = age
  }
  return isByIndex ? undefined : sortedByAge(numbers, count, births, next)
}

function sortedByAge(numbers: Uint32Array, count: number, births: Uint32Array, next: number): Uint32Array {
  // Two words a key, of which the upper one decides: with no function to compare them, they are sorted natively.
  const keys = new Uint32Array(count * 2)
  let filled = 0
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number
    if (number === NO_NUMBER) continue
    keys[filled++] = number
    keys[filled++] = ~(next - (births[index] as number))
  }
  new BigUint64Array(keys.buffer).sort()
  const making = new Uint32Array(count)
  for (let i = 0; i < count; i++) making[i] = keys[i * 2] as number
  return making
}

/** Throws unless an order of making names each of so many entities once. */
export function checkMaking(making: Uint32Array | undefined, count: number): void {
  if (making === undefined) return
  const seen = new Uint8Array(count)
  let isWhole = making.length === count
  for (let i = 0; i < count && isWhole; i++) {
    const number = making[i] as number
    isWhole = number < count && seen[number] === 0
    seen[number] = 1
  }
  if (!isWhole)
    throw refused(
      'the order of making does not name each of its entities once (without it, they were made in the order of their indices)',
    )
}

/**
 * Makes the entities that a world has made last as old among each other as an order says.
 *
 * @param handles theirs by number, and no others
 * @param making their numbers, the oldest first
 */
export function ageInOrder(heap: Heap, handles: Uint32Array, making: ArrayLike<number>): void {
  const births = birthsIn(heap)
  const first = heap.word(ENTITIES_NEXT_BIRTH) - handles.length
  for (let i = 0; i < handles.length; i++)
    births[(handles[making[i] as number] as number) & INDEX_MASK] = first + i
}

function birthsIn(heap: Heap): Uint32Array {
  const first = heap.word(ENTITIES_BIRTHS) >> 2
  return heap.u32.subarray(first, first + heap.entityCapacity)
}
