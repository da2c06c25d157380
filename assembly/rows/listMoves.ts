// Owns moving the rows of listed entities that get or lose components: runs of rows that lie side by side move by columns.
// It must never look for memory: promises.ts has obtained it.

import { Archetype } from '../archetypes/archetypes'
import { Bundle } from '../archetypes/bundles'
import { indexOf, recordOf } from '../memory/entities'
import { refreshActivity } from '../queries/matches'
import { archetypeWith, archetypeWithout } from '../queries/transitions'
import { entityAddress } from '../tables/addresses'
import { Chunk, chunkAt, chunkIdOf, locationOf, rowOf } from '../tables/chunks'
import { copyRun } from '../tables/columns'
import { prepareRow } from '../tables/tables'
import { closeHoles } from './holes'
import { appendMoved } from './rows'

/** Shorter runs move row by row: to call memory.copy for each column costs more. */
const LEAST_RUN: u32 = 4

/**
 * How many of at most `most` entities of a list have rows that follow one another in a chunk from a row on, which is that of the
 * first of them.
 */
@inline
export function runLength(chunk: Chunk, row: u32, list: usize, most: u32): u32 {
  const end = min(most, chunk.count - row)
  const handles = entityAddress(chunk, row)
  let count: u32 = 1
  while (count < end && load<u32>(handles + (<usize>count << 2)) == load<u32>(list + (<usize>count << 2))) count += 1
  return count
}

/**
 * Moves the rows of the `count` living entities of a list, each named once, to where adding or removing the bundle leads. The list
 * is used up.
 */
export function moveListed(list: usize, count: u32, bundle: Bundle, tick: u32, adds: bool): void {
  let source = changetype<Archetype>(0)
  let target = changetype<Archetype>(0)
  let done: u32 = 0
  while (done < count) {
    const at = list + (<usize>done << 2)
    const location = recordOf(indexOf(load<u32>(at))).location
    const chunk = chunkAt(chunkIdOf(location))
    if (chunk.table != changetype<usize>(source)) {
      source = changetype<Archetype>(chunk.table)
      target = adds ? archetypeWith(source, bundle) : archetypeWithout(source, bundle)
    }
    if (target == source) {
      store<u32>(at, 0)
      done += 1
      continue
    }
    const ready = prepareRow(target)
    assert(ready, 'the chunks of a bulk change were promised')
    const tail = chunkAt(target.tailId)
    const rows = runLength(chunk, rowOf(location), at, min(count - done, tail.capacity - tail.count))
    moveRun(target, tail, source, chunk, location, at, rows, tick)
    done += rows
  }
  // The list tells by now where the rows were.
  closeHoles(list, count)
}

/** Moves `rows` rows, named by the list at `at`, to the end of a table; then the list has their locations in place of handles. */
function moveRun(
  target: Archetype,
  tail: Chunk,
  source: Archetype,
  chunk: Chunk,
  location: u32,
  at: usize,
  rows: u32,
  tick: u32,
): void {
  const first = tail.count
  const inBlock = rows >= LEAST_RUN
  if (inBlock) {
    copyRun(target.layout, tail, first, source.layout, chunk, rowOf(location), rows, tick)
    tail.count = first + rows
    target.rows += rows
    target.version += 1
  }
  const to = locationOf(target.tailId, first)
  for (let i: u32 = 0; i < rows; i++) {
    const entry = at + (<usize>i << 2)
    const entity = load<u32>(entry)
    if (!inBlock) appendMoved(entity, target, source, chunk, rowOf(location) + i, tick)
    recordOf(indexOf(entity)).location = to + i
    store<u32>(entry, location + i)
  }
  if (first == 0) refreshActivity(target)
}
