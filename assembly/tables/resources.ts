// Owns resources with fields: each is a table with one row in one chunk, or without a row while it is missing. A row that is
// larger than a chunk has a wide one (see layouts.ts). So its columns, defaults and change ticks are those of any chunk.

import { allocate, release } from '../memory/objects'
import { createList, destroyList } from '../memory/list'
import { chunkAt, chunkIdOf, directory, rowOf } from './chunks'
import { writeDefaults } from './columns'
import { componentAt } from '../components/components'
import { NULL_ENTITY } from '../memory/entities'
import { createResourceLayout, releaseLastLayout } from './layouts'
import { DONE, NOTHING, OUT_OF_MEMORY, ROW_TOO_LARGE } from '../memory/status'
import { Table, appendRow, dropRows, prepareRow } from './tables'

@inline
function tableOf(id: u32): Table {
  return changetype<Table>(componentAt(id).pool)
}

/** Makes the empty table of a resource that was just registered; DONE or a negative status. */
export function createResource(id: u32, scratch: usize): i32 {
  store<u32>(scratch, id)
  const layout = createResourceLayout(scratch)
  if (changetype<usize>(layout) == 0) return OUT_OF_MEMORY
  if ((layout.smallCapacity | layout.fullCapacity) == 0) {
    releaseLastLayout()
    return ROW_TOO_LARGE
  }
  const address = allocate(offsetof<Table>())
  const chunks = createList()
  if (address == 0 || changetype<usize>(chunks) == 0) {
    release(address, offsetof<Table>())
    destroyList(chunks)
    releaseLastLayout()
    return OUT_OF_MEMORY
  }
  const table = changetype<Table>(address)
  table.layout = layout
  table.chunks = chunks
  table.owner = id
  componentAt(id).pool = address
  return DONE
}

/** Gives the resource its row, with the defaults. DONE, NOTHING when it has one, or a negative status. */
export function makeResource(id: u32, tick: u32): i32 {
  const table = tableOf(id)
  if (table.rows != 0) return NOTHING
  if (!prepareRow(table)) return OUT_OF_MEMORY
  const location = appendRow(table, NULL_ENTITY)
  writeDefaults(table.layout, chunkAt(chunkIdOf(location)), rowOf(location), tick)
  // No query walks it: a list of chunks, and a loop along one, stay right.
  directory.version -= 1
  return DONE
}

/** Gives back the resource's row; NOTHING when there is none. */
export function removeResource(id: u32): i32 {
  const table = tableOf(id)
  if (table.rows == 0) return NOTHING
  dropRows(table)
  directory.version -= 1
  return DONE
}
