// Owns removing one component from every entity that has it: archetype by archetype, or a whole pool at once. All memory is
// obtained before the first row changes.

import { hasComponent } from '../archetypes/archetypes'
import { Bundle, sparseIdAt } from '../archetypes/bundles'
import { moveAllRows } from './bulk'
import { finishPromise, promiseAll, startPromise } from './promises'
import { emptySparseSet, poolOf } from '../pools/sparseSets'
import { NO_MATCH, matchAfter, matchedAt } from '../queries/matches'
import { queries } from '../queries/queries'
import { archetypeWithout } from '../queries/transitions'
import { endPromise, releaseHeld } from '../tables/chunks'
import { DONE } from '../memory/status'

/**
 * Removes the one component of the bundle from all entities, in the order in which queries walk archetypes. How many had it, or a
 * negative status; then nothing changed. Costs a look at each archetype with rows, and what is there.
 */
export function clearComponent(bundle: Bundle, tick: u32): i32 {
  const promised = promiseClear(bundle, false)
  if (promised < 0) return promised
  return bundle.sparseCount != 0
    ? <i32>emptySparseSet(poolOf(sparseIdAt(bundle, 0)))
    : <i32>moveOut(load<u32>(bundle.tableIds), bundle, tick)
}

/** Holds what clearComponent needs. DONE, or a negative status. */
export function prepareClear(bundle: Bundle): i32 {
  releaseHeld()
  return promiseClear(bundle, true)
}

function promiseClear(bundle: Bundle, holds: bool): i32 {
  assert(bundle.tableCount + bundle.sparseCount == 1, 'one component is cleared at a time')
  // A pool goes without memory.
  if (bundle.sparseCount != 0) return DONE
  const all = queries.archetypes
  startPromise()
  // What is made on the way has no rows, and is not in the chain.
  for (let place = all.first; place != NO_MATCH; place = matchAfter(all, place)) {
    const archetype = matchedAt(all, place)
    if (hasComponent(archetype, load<u32>(bundle.tableIds))) promiseAll(archetype, bundle, false)
  }
  return finishPromise(bundle, 0, holds)
}

function moveOut(component: u32, bundle: Bundle, tick: u32): u32 {
  const all = queries.archetypes
  let cleared: u32 = 0
  let next: u32 = 0
  for (let place = all.first; place != NO_MATCH; place = next) {
    // The archetype leaves the chain; what comes to its end meanwhile lacks the component.
    next = matchAfter(all, place)
    const archetype = matchedAt(all, place)
    if (!hasComponent(archetype, component)) continue
    cleared += archetype.rows
    moveAllRows(archetype, archetypeWithout(archetype, bundle), tick)
  }
  endPromise()
  return cleared
}
