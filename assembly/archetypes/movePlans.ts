// Owns plans of how a row moves from one layout to another: what is copied, skipped and filled, counted once for all rows that go
// the same way, between whatever archetypes.
//
// A plan is made for the moves that nearly all programs make: all columns of both rows are 4 bytes wide, and what is added,
// or removed, lies side by side. Then a move is three walks of known length:
//
//   from   ┌── head ──┬─ removed ─┬── tail ──┐
//   to     ┌── head ──┬── added ──┬── tail ──┐

import { allocate } from '../memory/objects'
import { Column, Layout, layoutComponentAt } from '../tables/layouts'
import { archetypes } from './archetypes'

/** In place of a plan: rows that go this way are no plain ones. */
export const NOT_PLAIN: usize = 1

@unmanaged
export class MovePlan {
  /** Columns, and the components that they belong to. */
  headColumns: u32
  addedColumns: u32
  removedColumns: u32
  tailColumns: u32
  headComponents: u32
  addedComponents: u32
  removedComponents: u32
  tailComponents: u32
  /** The first of the added columns, in the layout of the target. */
  added: usize
}

/**
 * The plan for moves between archetypes of two layouts, of which one has all that the other has. NOT_PLAIN where there can be
 * none, 0 without memory.
 */
export function findOrCreateMovePlan(from: Layout, to: Layout): usize {
  const plans = archetypes.movePlans
  const key = ((<u64>from.id) << 32) | to.id
  const place = plans.find(key, plans.start(key))
  if (place >= 0) return <usize>plans.valueAt(place)
  if (!plans.reserve()) return 0
  const plan = createMovePlan(from, to)
  if (plan != 0) plans.insert(key, <u32>plan)
  return plan
}

function createMovePlan(from: Layout, to: Layout): usize {
  if (!isPlain(from) || !isPlain(to)) return NOT_PLAIN
  const shorter = min(from.componentCount, to.componentCount)
  let head: u32 = 0
  while (head < shorter && idAt(from, head) == idAt(to, head)) head += 1
  let tail: u32 = 0
  while (
    tail < shorter - head &&
    idAt(from, from.componentCount - 1 - tail) == idAt(to, to.componentCount - 1 - tail)
  ) {
    tail += 1
  }
  // What is added lies in several places: the rest of the row is not two pieces.
  if (head + tail != shorter) return NOT_PLAIN
  const plan = changetype<MovePlan>(allocate(offsetof<MovePlan>()))
  if (changetype<usize>(plan) == 0) return 0
  plan.headComponents = head
  plan.tailComponents = tail
  plan.addedComponents = to.componentCount - head - tail
  plan.removedComponents = from.componentCount - head - tail
  plan.headColumns = columnsOf(to, 0, head)
  plan.addedColumns = columnsOf(to, head, to.componentCount - tail)
  plan.removedColumns = columnsOf(from, head, from.componentCount - tail)
  plan.tailColumns = columnsOf(to, to.componentCount - tail, to.componentCount)
  plan.added = to.columns + <usize>plan.headColumns * offsetof<Column>()
  return changetype<usize>(plan)
}

/** Whether the rows consist of 4 byte columns and nothing else: no toggles, no ticks of their own. */
function isPlain(layout: Layout): bool {
  return layout.fullStride != 0 && (layout.toggleCount | layout.trackedCount) == 0
}

@inline
function idAt(layout: Layout, index: u32): u32 {
  return layoutComponentAt(layout, index).component
}

function columnsOf(layout: Layout, first: u32, end: u32): u32 {
  let count: u32 = 0
  for (let i = first; i < end; i++) count += layoutComponentAt(layout, i).columnCount
  return count
}
