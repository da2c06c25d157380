// Owns changes of listed entities in one call: all get a bundle, or all lose one.
// It must never change the first before there is memory for the last.

import { Bundle } from '../archetypes/bundles'
import { allocateBlock, releaseBlock } from '../memory/blocks'
import { DONE } from '../memory/status'
import { finishPromise, promiseEntity, startPromise } from './promises'
import { add, remove } from './rows'

/** Memory for a list of `count` handles, 0 when it ends. changeListed gives it back, or endList. */
export function beginList(count: u32): usize {
  return allocateBlock(count << 2)
}

/** Gives a list back. */
export function endList(list: usize, count: u32): void {
  releaseBlock(list, count << 2)
}

/**
 * Adds the bundle to the `count` living entities of a list, in its order, or removes it from them. All of them have rows.
 * Gives the list back. How many changed, or a negative status with nothing changed.
 */
export function changeListed(list: usize, count: u32, bundle: Bundle, tick: u32, adds: bool): i32 {
  startPromise()
  let changes: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    if (promiseEntity(load<u32>(list + (<usize>i << 2)), bundle, adds) == DONE) changes += 1
  }
  const promised = finishPromise(bundle, adds ? changes : 0)
  for (let i: u32 = 0; i < count && promised == DONE; i++) {
    const entity = load<u32>(list + (<usize>i << 2))
    const status = adds ? add(entity, bundle, tick) : remove(entity, bundle, tick)
    assert(status >= 0, 'the memory of a change of many was promised')
  }
  endList(list, count)
  return promised < 0 ? promised : <i32>changes
}
