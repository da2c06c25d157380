// Owns adding and removing for one entity at full speed: the move of a row along a plan, which most such changes are. What it
// declines, rows.ts does in the general way, with the same result.

import { ADD, Archetype, lastTransition } from '../archetypes/archetypes'
import { Bundle } from '../archetypes/bundles'
import { MovePlan, NOT_PLAIN } from '../archetypes/movePlans'
import { entities, indexOf, recordOf } from '../memory/entities'
import { MOVES_ADDRESS } from '../memory/map'
import { DEAD, DONE, MOVED, NOTHING } from '../memory/status'
import { world } from '../memory/world'
import { planNext } from '../queries/transitions'
import { entityAddress } from '../tables/addresses'
import { Chunk, chunkAt, chunkIdOf, locationOf, rowOf } from '../tables/chunks'
import { copyWords, strideOf } from '../tables/columns'
import { ChunkTicks, Column } from '../tables/layouts'
import { dropTail } from '../tables/tables'
import { markChunk, markNew, mergeTick, mergeTicks, nextTicks, ticksAt } from '../tables/ticks'
import { add, archetypeOfRow, noteNewRow, remove } from './rows'

/**
 * The planned move that was made last by an operation. Most calls in a row make the same one, and what stands at a fixed
 * address is read without waiting for the way from the entity to its archetype, and from there to the plan: that takes a
 * fifth of the time.
 */
@unmanaged
export class LastMove {
  source: Archetype
  bundle: Bundle
  target: Archetype
  plan: MovePlan
}

/** In place of a status: nothing was done, and it is left to the general way. */
const DECLINED: i32 = 3

/** Forgets which moves were made last: archetypes go. */
export function forgetLastMoves(): void {
  memory.fill(MOVES_ADDRESS, 0, 2 * offsetof<LastMove>())
}

/** One for each operation. */
@inline
function lastMove(operation: u32): LastMove {
  return changetype<LastMove>(MOVES_ADDRESS + operation * offsetof<LastMove>())
}

/**
 * As add or remove does, whichever the operation says, at the tick of now. Must not be called in the midst of a bulk change: a
 * plan takes memory, which might be promised.
 */
export function addOrRemove(entity: u32, operation: u32, bundle: Bundle): i32 {
  const status = moveAlong(entity, operation, bundle)
  return status != DECLINED ? status : moveAndPlan(entity, operation, bundle)
}

function moveAndPlan(entity: u32, operation: u32, bundle: Bundle): i32 {
  // Who has no row yet is in chunk 0, which belongs to no table: then it is null.
  const source = archetypeOfRow(recordOf(indexOf(entity)).location)
  const status = operation == ADD ? add(entity, bundle, world.tick) : remove(entity, bundle, world.tick)
  const moved = status == DONE && bundle.sparseCount == 0 && changetype<usize>(source) != 0
  if (moved) planNext(source, bundle, operation)
  return status
}

/**
 * Moves an entity's row to the end of a plan's target: MOVED, DEAD, or NOTHING where it is known to stay. Changes nothing and
 * returns DECLINED where there is no plan, or where more than rows would change: a chunk to be made, an archetype that gets
 * its first row or loses its last.
 */
@inline
function moveAlong(entity: u32, operation: u32, bundle: Bundle): i32 {
  const last = lastMove(operation)
  const index = indexOf(entity)
  if (index >= entities.capacity) return DEAD
  const record = recordOf(index)
  if (record.handle != entity) return DEAD
  const from = record.location
  const chunk = chunkAt(chunkIdOf(from))
  if (changetype<usize>(last.source) != chunk.table || last.bundle != bundle) {
    const known = recall(last, operation, changetype<Archetype>(chunk.table), bundle)
    if (known != MOVED) return known
  }
  const source = last.source
  const plan = last.plan
  const target = last.target
  const tailId = target.tailId
  const tail = chunkAt(tailId)
  const row = tail.count
  // Chunk 0 stands for a tail that is not there; it has no rows.
  if (row == 0) return DECLINED
  if (row == tail.capacity) return DECLINED
  const left = source.rows - 1
  if (left == 0) return DECLINED
  const tick = world.tick
  source.rows = left
  source.version += 1
  target.rows += 1
  target.version += 1
  tail.count = row + 1
  markChunk(tail, tick)
  record.location = locationOf(tailId, row)
  const hole = entityAddress(chunk, rowOf(from))
  const stride = strideOf(source.layout, chunk)
  const to = entityAddress(tail, row)
  if (operation == ADD) noteNewRow(tail, to)
  copyRow(plan, entity, to, strideOf(target.layout, tail), hole, stride)
  mergeRow(plan, ticksAt(tail, 0), ticksAt(chunk, 0), tick)
  fillHole(source, chunk, from, hole, stride, entity)
  return MOVED
}

/**
 * Lets the last row of a table take the place of an entity that has moved away: what removeRow does, for rows that a plan
 * knows to be plain.
 */
@inline
function fillHole(table: Archetype, chunk: Chunk, location: u32, hole: usize, stride: u32, gone: u32): void {
  const last = chunkAt(table.tailId)
  const lastRow = last.count - 1
  last.count = lastRow
  const address = entityAddress(last, lastRow)
  const entity = load<u32>(address)
  if (entity != gone) {
    recordOf(indexOf(entity)).location = location
    const layout = table.layout
    const lastStride = strideOf(layout, last)
    store<u32>(hole, entity)
    copyWords(hole + stride, stride, address + lastStride, lastStride, layout.columnCount)
    if (last != chunk) mergeTicks(layout, last, chunk, chunk.count)
  }
  if (lastRow == 0) dropTail(table)
}

/** MOVED where rows of `source` are known to have a plan, which is the last one now; NOTHING where they are known to stay. */
function recall(last: LastMove, operation: u32, source: Archetype, bundle: Bundle): i32 {
  if (changetype<usize>(source) == 0) return DECLINED
  const transition = lastTransition(source, operation)
  if (transition.bundle != bundle.id + 1) return DECLINED
  if (transition.target == source && bundle.sparseCount == 0) return NOTHING
  if (transition.plan <= NOT_PLAIN) return DECLINED
  last.source = source
  last.bundle = bundle
  last.target = transition.target
  last.plan = changetype<MovePlan>(transition.plan)
  return MOVED
}

/** Writes a row: the handle, then its columns, which are as far apart as the strides say. */
@inline
function copyRow(plan: MovePlan, entity: u32, to: usize, toStride: u32, from: usize, fromStride: u32): void {
  store<u32>(to, entity)
  const head = plan.headColumns
  copyWords(to + toStride, toStride, from + fromStride, fromStride, head)
  const added = plan.addedColumns
  const gap = to + (head + 1) * toStride
  let column = plan.added
  for (let i: u32 = 0; i < added; i++) {
    store<u32>(gap + i * toStride, <u32>changetype<Column>(column).defaultWord)
    column += offsetof<Column>()
  }
  const tail = from + (head + plan.removedColumns + 1) * fromStride
  copyWords(gap + added * toStride, toStride, tail, fromStride, plan.tailColumns)
}

/** Lets a chunk that has rows already know when the components of the row that came were changed last. */
@inline
function mergeRow(plan: MovePlan, to: ChunkTicks, from: ChunkTicks, tick: u32): void {
  const head = plan.headComponents
  mergeSeveral(to, from, head)
  to = ticksBehind(to, head)
  for (let i = plan.addedComponents; i != 0; i--) {
    markNew(to, tick)
    to = nextTicks(to)
  }
  mergeSeveral(to, ticksBehind(from, head + plan.removedComponents), plan.tailComponents)
}

@inline
function mergeSeveral(to: ChunkTicks, from: ChunkTicks, count: u32): void {
  for (; count != 0; count--) {
    // Most have seen the same: then one look is enough.
    if (load<u64>(changetype<usize>(to)) != load<u64>(changetype<usize>(from))) mergeTick(to, from, 2)
    to = nextTicks(to)
    from = nextTicks(from)
  }
}

@inline
function ticksBehind(ticks: ChunkTicks, count: u32): ChunkTicks {
  return changetype<ChunkTicks>(changetype<usize>(ticks) - count * offsetof<ChunkTicks>())
}
