// Owns the beginning and the end of a call from JavaScript: it closes loops that were left open and applies deferred changes.
// In a world with relations it hands them to JavaScript instead, which keeps the lists of links true.
// It must never be called from within wasm.

import { Bundle, sparseIdAt, tableIdAt } from '../archetypes/bundles'
import { SCRATCH_ADDRESS } from '../memory/map'
import { DONE } from '../memory/status'
import { Query } from '../queries/queries'
import { DESTROY, EXCHANGE } from '../rows/lists'
import { entityAddress } from '../tables/addresses'
import { ADD_TO_ALL, REMOVE_FROM_ALL, applyCommands, applySet, commandAt, dropCommands } from './commands'
import { chunkOf, closeLoops, loopOver, openLoop, step } from './loops'
import { simulation } from './state'

/** Begins a call in which all changes wait, for simulationHold. */
export function simulationBegin(): void {
  simulation.held = 1
  simulation.locks = 1
}

/** Ends such a call: closes what is open. Returns how many changes wait, for JavaScript to make in order. */
export function simulationHold(): u32 {
  closeLoops()
  simulation.locks = 1
  return simulation.commandCount
}

/**
 * Writes a change that waits to scratch, six words and the ids of components: what it is, its entity or query, the
 * relation and the target of a link, how many components it adds or removes, and of an exchange how many it removes in
 * addition. simulationEnd passes over it.
 */
export function simulationCommand(index: u32): void {
  const command = commandAt(index)
  const kind = command.kind
  simulation.applied = index + 1
  store<u32>(SCRATCH_ADDRESS, kind)
  store<u32>(SCRATCH_ADDRESS, command.subject, 4)
  store<u32>(SCRATCH_ADDRESS, command.what, 8)
  store<u32>(SCRATCH_ADDRESS, command.more, 12)
  const hasBundle = kind < DESTROY || kind == ADD_TO_ALL || kind == REMOVE_FROM_ALL
  const gains = hasBundle ? writeIds(command.what, 0) : 0
  const losses = kind == EXCHANGE ? writeIds(command.more, gains) : 0
  store<u32>(SCRATCH_ADDRESS, gains, 16)
  store<u32>(SCRATCH_ADDRESS, losses, 20)
}

/** Writes the ids of a bundle to scratch, behind `before` others; how many there are. */
function writeIds(address: u32, before: u32): u32 {
  const bundle = changetype<Bundle>(<usize>address)
  const count = bundle.tableCount + bundle.sparseCount
  for (let i: u32 = 0; i < count; i++) {
    const id = i < bundle.tableCount ? tableIdAt(bundle, i) : sparseIdAt(bundle, i - bundle.tableCount)
    store<u32>(SCRATCH_ADDRESS + (<usize>(before + i) << 2), id, 24)
  }
  return count
}

/** Writes the value of a set that waits. A status. */
export function simulationSet(index: u32): i32 {
  return applySet(commandAt(index))
}

/**
 * Goes to the next run of rows of a query, from the first one on when no loop over it is open. Returns how many rows it
 * has, and writes the address of their handles to scratch; 0 at the end.
 */
export function simulationVisit(address: u32): u32 {
  const query = changetype<Query>(<usize>address)
  if (changetype<usize>(loopOver(query)) == 0) openLoop(query)
  if (!step(query)) return 0
  const loop = loopOver(query)
  store<u32>(SCRATCH_ADDRESS, <u32>entityAddress(chunkOf(loop), loop.start))
  return loop.end - loop.start
}

/**
 * Ends a call: closes what is open, then applies what waits, or forgets it when `drops`. Returns the first failure of a
 * change that could not be reported when it was asked for, a negative status; else DONE.
 */
export function simulationEnd(drops: bool): i32 {
  closeLoops()
  simulation.locks = 0
  simulation.held = 0
  if (drops) dropCommands()
  else applyCommands()
  const failure = simulation.failure
  simulation.failure = 0
  return failure < 0 ? failure : DONE
}
