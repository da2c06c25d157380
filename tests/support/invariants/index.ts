// Checks that a world's linear memory is whole: a walk over all of it that changes no byte and trusts neither the core nor the
// bindings' caches.
//
// There is a file for each room of the core, but three for assembly/memory (ledger, memory, entities), two for assembly/tables
// (layouts, tables), and two for assembly/queries (queries, seen ticks). Rooms without a file keep nothing in memory between two calls.
//
//   ledger.ts       blocks and small objects of the heap: every byte has one owner, or is free
//   memory.ts       lists and hash tables; how all other files read memory
//   entities.ts     records of entities, free and retired indices, births
//   components.ts   components, texts
//   layouts.ts      columns and toggle bits of each layout
//   tables.ts       tables, chunks, change ticks, resources
//   archetypes.ts   archetypes and their rows, bundles
//   pools.ts        sparse sets, ordered tags, groups
//   links.ts        relations: links and the lists of their targets
//   removals.ts     what readers of removals have not taken
//   queries.ts      transitions, queries and their matches
//   seenTicks.ts    what queries have seen of changes
//
// What each row is compared with is a method, such as indexOf and rowOf, not an exported constant: vitest reads an import
// through a getter every time, which made a check of many entities a tenth slower.

import type { World } from '../../../bindings/index'
import { Archetypes, Bundles } from './archetypes'
import { Components, Texts } from './components'
import { Entities } from './entities'
import { Layouts } from './layouts'
import type { Ledger } from './ledger'
import { Links } from './links'
import { checkSeenTicks } from './seenTicks'
import { type Depth, Memory } from './memory'
import { Pools } from './pools'
import { Queries, Transitions } from './queries'
import { checkRemovals } from './removals'
import { Tables } from './tables'

export type { Depth }

/** Throws an Error with one sentence when anything in the world's memory contradicts anything else. */
export function checkInvariants(world: World, depth: Depth = 'all'): void {
  check(world, depth)
}

/** Who was found to have which piece of the heap. Throws as checkInvariants does. */
export function ledgerOf(world: World): Ledger {
  return check(world, 'all').ledger
}

function check(world: World, depth: Depth): Memory {
  const memory = new Memory(world, depth)
  const entities = new Entities(memory)
  const components = new Components(memory)
  const texts = new Texts(memory, components)
  const layouts = new Layouts(memory, components)
  const tables = new Tables(memory, components, layouts)
  const archetypes = new Archetypes(memory, entities, components, tables)
  const bundles = new Bundles(memory, components, archetypes)
  const pools = new Pools(memory, entities, components, tables)

  entities.check()
  layouts.check()
  components.check((id, component) => archetypes.checkListOf(id, component))
  archetypes.check()
  pools.claimHeads()
  entities.claimBirths()
  entities.claimPeaks()
  pools.check()
  if (depth === 'all') new Links(memory, entities, components, pools).check()
  if (depth === 'all') checkRemovals(memory, entities, components, pools)
  tables.checkResources()
  tables.checkDirectory()
  texts.check()
  if (!memory.locked) tables.checkTextColumns(texts)
  texts.checkDefaults()
  if (depth === 'all' && !memory.locked) archetypes.checkRecordsPointAtRows()
  bundles.check()
  new Transitions(memory, archetypes, bundles).check()
  new Queries(memory, components, archetypes).check()
  entities.claimRecords()
  tables.claimDirectory()
  components.claimRecords()
  checkSeenTicks(memory)
  memory.ledger.balance()
  return memory
}
