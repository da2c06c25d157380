// Owns switching a component on or off for all entities that a query meets.

import { hasComponent } from '../archetypes/archetypes'
import { Chunk, chunkAt, chunkIdOf } from '../tables/chunks'
import { entityAddress } from '../tables/addresses'
import { componentAt, components, isPooled } from '../components/components'
import { indexOf, recordOf } from '../memory/entities'
import { layoutComponentAt, placeInLayout } from '../tables/layouts'
import { maskRows, maskWord, maskWords } from './masks'
import { NO_MATCH, matchAfter, matchedAt } from '../queries/matches'
import { Query, TERM_ANY, asksSwitch, drivingPool, heedToggles, ignoreToggle, isSparseTerm, termAt } from '../queries/queries'
import { archetypeOfRow } from './rows'
import { findRow, poolOf } from '../pools/sparseSets'
import { Table } from '../tables/tables'
import { fillBits, switchAt, toggleBits } from '../tables/toggles'

/**
 * Switches the component, which must be one that can be, wherever the query meets an entity that has it. The
 * query's own term on that component asks only whether it is there. Returns how many entities were met.
 */
export function switchMatching(query: Query, filterCount: u32, component: u32, off: bool): u32 {
  ignoreToggle(component)
  const masked = query.asksRows != 0 || filterCount != 0 || looksAtOthers(query, component)
  let met: u32 = 0
  if (query.walksPool != 0) {
    const pool = drivingPool(query)
    const bare = filterCount == 0 && query.termCount == 1 && components.hiding == 0
    const plain = bare && pool.owner == component && pool.holeCount == 0
    met = switchTable(pool, true, query, filterCount, component, off, !plain)
  } else {
    for (let place = query.first; place != NO_MATCH; place = matchAfter(query, place)) {
      const archetype = matchedAt(query, place)
      met += switchTable(archetype, false, query, filterCount, component, off, masked)
    }
  }
  heedToggles()
  return met
}

/** Whether the bits of some other component decide which rows the query meets, or an excluded term on this one. */
function looksAtOthers(query: Query, component: u32): bool {
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = termAt(query, i)
    if (term.operator >= TERM_ANY) return true
    if (!asksSwitch(term) || isSparseTerm(term)) continue
    if (term.component != component || term.operator != 0) return true
  }
  return false
}

function switchTable(
  table: Table,
  isPool: bool,
  query: Query,
  filterCount: u32,
  component: u32,
  off: bool,
  masked: bool,
): u32 {
  const pooled = isPooled(componentAt(component).storage)
  const place = placeInLayout(table.layout, component)
  if (place < 0 && !pooled && !isPool) return 0
  if (place >= 0) table.version += 1
  let met: u32 = 0
  for (let i: u32 = 0; i < table.chunks.count; i++) {
    const id = table.chunks.at(i)
    const chunk = chunkAt(id)
    if (masked || place < 0) {
      if (maskRows(query, id, isPool, filterCount) == 0) continue
      if (place < 0) met += switchElsewhere(chunk, component, off)
      else met += switchMasked(chunk, toggleBits(chunk, layoutComponentAt(table.layout, place)), off)
    } else {
      fillBits(toggleBits(chunk, layoutComponentAt(table.layout, place)), 0, chunk.count, off)
      met += chunk.count
    }
  }
  return met
}

/** Switches the rows of the mask, 64 at a time. */
function switchMasked(chunk: Chunk, bits: usize, off: bool): u32 {
  let met: u32 = 0
  for (let i: u32 = 0; i < maskWords(chunk.count); i++) {
    const mask = maskWord(i)
    const address = bits + (<usize>i << 3)
    const word = load<u64>(address)
    store<u64>(address, off ? word | mask : word & ~mask)
    met += <u32>popcnt(mask)
  }
  return met
}

/** Switches the component of the mask's entities, whose rows of it lie in other chunks. */
function switchElsewhere(chunk: Chunk, component: u32, off: bool): u32 {
  let met: u32 = 0
  for (let i: u32 = 0; i < maskWords(chunk.count); i++) {
    for (let left = maskWord(i); left != 0; left &= left - 1) {
      const index = indexOf(load<u32>(entityAddress(chunk, (i << 6) + <u32>ctz(left))))
      const location = locationIn(component, index)
      if (location == 0) continue
      switchAt(location, component, off)
      changetype<Table>(chunkAt(chunkIdOf(location)).table).version += 1
      met += 1
    }
  }
  return met
}

/** Location of the entity's row with the component, 0 when it has none. */
function locationIn(component: u32, index: u32): u32 {
  if (isPooled(componentAt(component).storage)) return findRow(poolOf(component), index)
  const location = recordOf(index).location
  return hasComponent(archetypeOfRow(location), component) ? location : 0
}
