// Owns the life of a world: how it begins, is emptied, starts over and ends, and the upkeep that a program asks for.

import { destroyAll, endAll } from '../changes/applyBulk'
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

/** world.clear */
export function clear(state: WorldState): void {
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
  if (state.locks === 0 && emptyArchetypes(state.heap) > MANY_EMPTY) trim(state)
}

/** Only entities that are alive now are destroyed: those spawned later in the loop stay. */
function clearLater(state: WorldState): void {
  const doomed = state.livingHandles()
  state.commands.later(() => void destroyListed(state, doomed))
}

/** world.reset */
export function reset(state: WorldState): void {
  state.refuseDisposed()
  state.refuseWhileLocked('reset')
  endAll(state)
  state.reporting?.subscribers.ending()
  state.keepVersions()
  const status = state.core.worldReset()
  state.restart()
  if (status < 0) throw limitError(status, '')
  state.settle()
}

/** world.trim */
export function trim(state: WorldState): number {
  state.refuseDisposed()
  state.refuseWhileLocked('trim')
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
  endAll(state)
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
