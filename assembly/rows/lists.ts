// Owns changes of listed entities in one call: all or none, or one after the other as so many calls would make them.
// A change of all must never touch the first before there is memory for the last.

import { REMOVE } from '../archetypes/archetypes'
import { Bundle, sparseIdAt } from '../archetypes/bundles'
import { allocateBlock, releaseBlock } from '../memory/blocks'
import { indexOf } from '../memory/entities'
import { LIST_ADDRESS } from '../memory/map'
import { DEAD, DONE, NOTHING, UPKEEP } from '../memory/status'
import { endPromise, releaseHeld } from '../tables/chunks'
import { insertListed, poolOf, removeFrom } from '../pools/sparseSets'
import { moveListed } from './listMoves'
import { finishPromise, promiseInserts, promiseMoves, startPromise } from './promises'
import { addOrRemove } from './moves'
import { destroy, place } from './rows'

/** What happens to one entity, besides ADD and REMOVE. */
export const SPAWN: u32 = 2
export const EXCHANGE: u32 = 3
export const DESTROY: u32 = 4

/** Memory for a list of `count` handles, 0 when it ends. changeListed gives it back, or endList. */
export function beginList(count: u32): usize {
  return allocateBlock(count << 2)
}

/** Gives a list back. */
export function endList(list: usize, count: u32): void {
  releaseBlock(list, count << 2)
}

/**
 * Adds the bundle to the `count` living entities of a list, each named once, or removes it from them. All of them have rows.
 * Gives the list back. DONE, or a negative status with nothing changed.
 */
export function changeListed(list: usize, count: u32, bundle: Bundle, tick: u32, adds: bool): i32 {
  const promised = promiseListed(list, count, bundle, adds, false)
  if (promised == DONE) {
    if (bundle.sparseCount != 0) changeSparse(list, count, bundle, tick, adds)
    if (bundle.tableCount != 0) moveListed(list, count, bundle, tick, adds)
  }
  endPromise()
  endList(list, count)
  return promised
}

/** Holds what changeListed needs. DONE, or a negative status, and then the list is given back. */
export function prepareListed(list: usize, count: u32, bundle: Bundle, adds: bool): i32 {
  releaseHeld()
  const promised = promiseListed(list, count, bundle, adds, true)
  if (promised < 0) endList(list, count)
  return promised
}

function promiseListed(list: usize, count: u32, bundle: Bundle, adds: bool, holds: bool): i32 {
  startPromise()
  promiseMoves(list, count, bundle, adds)
  return finishPromise(bundle, adds ? promiseInserts(list, count, bundle) : 0, holds)
}

/** The part of a change that is about sparse sets. */
function changeSparse(list: usize, count: u32, bundle: Bundle, tick: u32, adds: bool): void {
  for (let i: u32 = 0; i < bundle.sparseCount && adds; i++) insertListed(poolOf(sparseIdAt(bundle, i)), list, count, tick)
  for (let i: u32 = 0; i < count && !adds; i++) {
    const index = indexOf(load<u32>(list + (<usize>i << 2)))
    for (let k: u32 = 0; k < bundle.sparseCount; k++) removeFrom(poolOf(sparseIdAt(bundle, k)), index)
  }
}

/**
 * Spawns the reserved entities at LIST_ADDRESS with a bundle, adds or removes it, or destroys them, one after the other. The
 * dead are passed over. Returns how many were handled: the count, or fewer where the next one stayed as it was, because it met a
 * limit or its death needs upkeep.
 */
export function changeEach(count: u32, kind: u32, bundle: Bundle, tick: u32): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const entity = load<u32>(LIST_ADDRESS + (<usize>i << 2))
    let status = NOTHING
    if (kind <= REMOVE) status = addOrRemove(entity, kind, bundle)
    else if (kind == SPAWN) status = place(entity, bundle, tick)
    else status = destroy(entity, true)
    if ((status < 0 && status != DEAD) || status == UPKEEP) return i
  }
  return count
}
