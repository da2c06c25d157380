// Owns the life of a world: how it begins, is emptied, starts over and ends, and the upkeep that a program asks for.

import { destroyAll } from '../changes/applyBulk'
import { CommandQueue } from '../changes/commandQueue'
import { destroyListed } from '../changes/listChanges'
import { PAGE_BYTES, checksOf, instantiateCore, noParts } from '../memory/core'
import { textsOf } from '../memory/coreParts'
import { emptyArchetypes } from '../memory/coreTables'
import { compilerOf } from '../memory/coreText'
import { limitError } from '../memory/errors'
import { SHARING } from '../memory/workerMemory'
import { WorldState, stateOf } from '../state/worldState'
import type { World } from './world'
import { type SlimOptions, readOptions } from './worldOptions'

/** The state of a new world. */
export function beginState(world: World, options: SlimOptions): WorldState {
  const { initial, maximum, isFlexible, maxEntities, strict, workers } = readOptions(options)
  const compile = compilerOf(options?.core)
  const shared = workers?.[SHARING].share(compile, { initial, maximum, isFlexible })
  const core = instantiateCore(Math.ceil(initial / PAGE_BYTES), maximum / PAGE_BYTES, options?.core, shared)
  const status = core.worldInit(shared?.maximum ?? maximum, maxEntities, strict)
  if (status < 0) throw limitError(status, '')
  const state = new WorldState(core)
  state.workers = workers
  state.parts = noParts(shared?.compile ?? compile)
  state.heap.cursorChecks = checksOf(options?.core)
  state.commands = new CommandQueue(state)
  state.world = world
  state.warmUp()
  return state
}

/** So many archetypes without rows cost more to keep than a clear costs. */
const MANY_EMPTY = 1000

/**
 * Destroys all entities of a world. Resources stay, and stale handles never become alive again. Inside a loop this waits until
 * the loop ends, and then destroys the entities that were alive at the call.
 *
 * @example clearWorld(world)
 */
export function clearWorld(world: World): void {
  const state = stateOf(world, 'clearWorld')
  state.refuseDisposed()
  if (state.locks !== 0) clearLater(state)
  else if (state.reports || state.upkeep !== undefined) {
    const list = () => state.livingHandles()
    destroyAll(state, list(), { list, inOneCall: () => state.core.worldClear() })
  } else {
    state.reporting?.subscribers.dyingAll()
    state.core.worldClear()
    state.settle()
  }
  if (state.locks === 0 && emptyArchetypes(state.heap) > MANY_EMPTY) dropEmpty(state)
}

/** Only entities that are alive now are destroyed: those spawned later in the loop stay. */
function clearLater(state: WorldState): void {
  const doomed = state.livingHandles()
  state.commands.later(() => void destroyListed(state, doomed))
}

/**
 * Starts a world over: empty as when it was created, with the memory that it has. Old handles may name new entities
 * afterwards. Resources are removed and names are freed; queries, accessors and listeners keep working.
 *
 * @throws StrataError WORLD_LOCKED inside a loop
 */
export function resetWorld(world: World): void {
  const state = stateOf(world, 'resetWorld')
  state.refuseDisposed()
  state.refuseWhileLocked('resetWorld')
  state.changes?.endAll(state)
  state.reporting?.subscribers.ending()
  state.keepVersions()
  const status = state.core.worldReset()
  state.restart()
  if (status < 0) throw limitError(status, '')
  state.settle()
}

/**
 * Gives back what a world keeps for archetypes without rows: each set of tables and tags that an entity has ever had
 * stays an archetype, of some 600 bytes, until this drops it. Then it costs snapshots, new queries and `stats()` nothing.
 * The memory serves other things; it does not shrink. Nothing that a program sees changes but those numbers: handles,
 * queries, accessors, buffers and snapshots go on as before, and loops keep their order.
 *
 * `stats().emptyArchetypes` tells whether it is worth it. Call it between frames, now and then, where entities have many
 * tags that come and go in any combination. Costs a look at each archetype and query, and at what goes: about a microsecond
 * for each archetype dropped. clearWorld does it by itself where there are more than a thousand.
 *
 * @returns how many archetypes were dropped
 * @throws StrataError WORLD_LOCKED inside a loop or a listener
 * @example if (world.stats().emptyArchetypes > 10_000) trimWorld(world)
 */
export function trimWorld(world: World): number {
  const state = stateOf(world, 'trimWorld')
  state.refuseDisposed()
  state.refuseWhileLocked('trimWorld')
  return dropEmpty(state)
}

function dropEmpty(state: WorldState): number {
  const dropped = state.core.worldTrim()
  // Lists get other places even where no archetype is dropped.
  state.heap.check()
  if (dropped > 0) state.forgetArchetypes()
  return dropped
}

/** world.dispose. `forget` drops what the world keeps beside its state. */
export function dispose(state: WorldState, forget: () => void): void {
  if (state.disposed) return
  state.refuseWhileLocked('dispose')
  state.changes?.endAll(state)
  state.dispose()
  forget()
  const failure = state.takeFailure()
  if (failure !== undefined) throw failure.error
}

/**
 * Replaces every stale handle in an `entity` field with NULL_ENTITY, in all storages, and marks the columns in
 * which it found one as changed. Links of relations stay as they are. Allowed inside a loop.
 * Cost: a visit to every row with an entity field.
 *
 * @returns how many stale handles it found
 */
export function sweepReferences(world: World): number {
  const state = stateOf(world, 'sweepReferences')
  state.refuseDisposed()
  return textsOf(state).referencesSweep()
}
