// Owns removing one component from every entity that has it: archetype by archetype, or a whole pool at once.
// All memory is obtained before the first row changes. It must never look at one entity's row by itself.

import { Archetype, archetypeAt } from '../archetypes/archetypes'
import { Bundle, sparseIdAt } from '../archetypes/bundles'
import { moveAllRows } from './bulk'
import { componentAt } from '../components/components'
import { List } from '../memory/list'
import { finishPromise, promiseAll, startPromise } from './promises'
import { emptySparseSet, poolOf } from '../pools/sparseSets'
import { archetypeWithout } from '../queries/transitions'
import { endPromise } from '../tables/chunks'

/**
 * Removes the one component of the bundle from all entities. How many had it, or a negative status; then nothing
 * changed. Costs a look at each archetype that ever had the component, and what is there.
 */
export function clearComponent(bundle: Bundle, tick: u32): i32 {
  assert(bundle.tableCount + bundle.sparseCount == 1, 'one component is cleared at a time')
  if (bundle.sparseCount != 0) return <i32>emptySparseSet(poolOf(sparseIdAt(bundle, 0)))
  const holders = componentAt(load<u32>(bundle.tableIds)).archetypes
  order(holders)
  const promised = promiseMoves(holders, bundle)
  return promised < 0 ? promised : <i32>moveOut(holders, bundle, tick)
}

/** Puts archetypes in the order in which queries walk them. Most lists are in that order already. */
function order(holders: List): void {
  for (let i: u32 = 1; i < holders.count; i++) {
    const id = holders.at(i)
    const begun = archetypeAt(id).begun
    let place = i
    for (; place != 0 && archetypeAt(holders.at(place - 1)).begun > begun; place--) {
      holders.set(place, holders.at(place - 1))
    }
    holders.set(place, id)
  }
}

function promiseMoves(holders: List, bundle: Bundle): i32 {
  startPromise()
  // Where a row goes lacks the component: what is made on the way is never filed among its holders.
  for (let i: u32 = 0; i < holders.count; i++) {
    const archetype = archetypeAt(holders.at(i))
    if (archetype.rows != 0) promiseAll(archetype, bundle, false)
  }
  return finishPromise(bundle, 0)
}

function moveOut(holders: List, bundle: Bundle, tick: u32): u32 {
  let cleared: u32 = 0
  for (let i: u32 = 0; i < holders.count; i++) {
    const archetype: Archetype = archetypeAt(holders.at(i))
    if (archetype.rows == 0) continue
    cleared += archetype.rows
    moveAllRows(archetype, archetypeWithout(archetype, bundle), tick)
  }
  endPromise()
  return cleared
}
