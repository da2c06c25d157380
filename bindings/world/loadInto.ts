// Owns loadInto: a running world takes over what a save says. The save is built in a memory beside that of the world, which
// takes it over when nothing can fail any longer. It must never let a listener or a `dispose` run before that.

import { BLOCKS_MAXIMUM, WORLD_MAX_ENTITIES, WORLD_STRICT_IDS } from '../../build/layout'
import type { ResourceDeclaration } from '../components/resourceDeclaration'
import { checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { arrayKind } from '../memory/realms'
import { resourcesOf } from '../resources/resources'
import { fromJSON } from '../saves/json'
import { type Merged, type PreparedSave, buildMemory, declaredIn, prepareSealed, readBytes, tell } from '../saves/loadSave' // prettier-ignore
import { disposeLoaded } from '../saves/loadedObjects'
import type { Building } from '../saves/rebuild'
import type { SavedWorld } from '../saves/savedWorld'
import type { Saveable } from '../saves/selection'
import { makeRoom, replaceMemory } from '../snapshots/restore'
import { type Snapshot, takeMemory } from '../snapshots/snapshot'
import { type ObjectStores, storesOf } from '../state/registry'
import { inSteps, seal, unseal } from '../state/session'
import { type WorldState, stateOf } from '../state/worldState'
import { QueuedForDestroy } from './frameEnd'
import { beginState } from './lifecycle'
import type { World } from './world'

/** Options of loadInto. */
export interface LoadIntoOptions {
  /** Components, tags, object components and resources. Anything else in the save is left out and named in `unknown`. */
  readonly components: readonly Saveable[]
}

/** All that a world has: memory, and what of it lies in JavaScript. */
interface Contents {
  readonly memory: Snapshot
  readonly stores: ObjectStores
  /** Resources that are JavaScript values. */
  readonly values: readonly (readonly [ResourceDeclaration, unknown])[]
}

/**
 * Replaces everything in a running world by a save: its entities, components and resources. Queries, accessors, kernels,
 * schedules, listeners and subscriptions of the world keep working.
 *
 * onExit and onRemove listeners run for all old entities, then onAdd and onEnter listeners for all new ones, then subscribers,
 * once. What the first listeners queue is dropped. Listeners of onRestore are not called. Resources that the save does not have
 * are removed, and names are freed. Rows count as added at the tick of the save, at which the world goes on. Handles are
 * the ones that loadWorld gives: old handles may name new entities afterwards. Command buffers and readers of removals are emptied.
 *
 * If the save cannot be loaded, the world stays as it was and no listener runs. Only if `revive` throws do command buffers with
 * commands become stale, as after a restore.
 * Cost: about 1.3 times that of loadWorld, or twice where `revive` makes values; it takes the memory of a second world meanwhile.
 *
 * @param save the bytes that saveWorld returned, or the string that saveToJSON returned
 * @param options `components`: what names in the save stand for
 * @returns the new handles by the old ones, the names that are unknown, and the entities without their objects
 * @throws StrataError SAVE_REFUSED for a save that is damaged or no save, MISSING_MIGRATION, WORLD_LOCKED inside a loop;
 *   StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_NAME; LimitError; what migrations, `load` and `revive` throw:
 *   `revive` can write values, but make no structural changes. Nothing changes then. After loading, the first error thrown by a
 *   listener, `init` or `dispose`
 * @example loadInto(world, localStorage.getItem('game')!, { components: [Position, Health] })
 */
export function loadInto(world: World, save: Uint8Array | string, options: LoadIntoOptions): Merged {
  const state = stateOf(world, 'loadInto')
  state.refuseDisposed()
  state.refuseWhileLocked('loadInto')
  checkOptions('loadInto', options, ['components'])
  const declared = declaredIn([QueuedForDestroy as never], options?.components, 'loadInto')
  const ready = prepareSealed(state, read(save), declared)
  const { building, memory } = buildBeside(state, world.core, ready)
  let next: Contents = { memory, stores: new Map(), values: valuesIn(ready) }
  const { isToRevive } = building.objects
  try {
    makeRoom(state, memory)
    if (isToRevive) next = revive(state, building, next)
  } catch (error) {
    disposeLoaded(ready.fitted)
    throw error
  }
  state.changes?.endAll(state)
  state.commands.forget()
  state.resets++
  put(state, next)
  if (!isToRevive) building.objects.giveLoaded(state)
  state.reporting?.subscribers.restored()
  return tell(building.tell(state), ready)
}

function read(save: unknown): SavedWorld {
  if (typeof save === 'string') return fromJSON(save)
  if (arrayKind(save) === 'Uint8Array') return readBytes(save, 'loadInto')
  throw new StrataTypeError(
    'INVALID_OPTION',
    `loadInto takes the bytes that saveWorld(world) returned, a Uint8Array, or the string that saveToJSON(world) returned, not ${describe(save)}.`,
  )
}

function valuesIn({ fitted }: PreparedSave): Contents['values'] {
  return fitted.resources
    .filter(({ declaration }) => declaration.definition === undefined)
    .map(({ declaration, value }) => [declaration, value])
}

/**
 * Builds a save in a memory with the limits of that of a world. What is built goes on in the world.
 *
 * @throws LimitError: what `load` has made is disposed of then
 */
function buildBeside(
  state: WorldState,
  core: WebAssembly.Module,
  ready: PreparedSave,
): { readonly building: Building; readonly memory: Snapshot } {
  const { heap } = state
  let beside: WorldState
  try {
    beside = beginState(state.world as World, {
      memory: { initial: heap.u8.length, maximum: heap.word(BLOCKS_MAXIMUM) },
      maxEntities: heap.word(WORLD_MAX_ENTITIES),
      ids: heap.word(WORLD_STRICT_IDS) === 0 ? 'recycle' : 'strict',
      core,
    })
  } catch (error) {
    disposeLoaded(ready.fitted)
    throw error
  }
  try {
    const building = buildMemory(beside, ready)
    try {
      building.objects.loseAbsent(beside)
      return { building, memory: takeMemory(beside) }
    } catch (error) {
      disposeLoaded(ready.fitted)
      throw error
    }
  } finally {
    beside.dispose()
  }
}

/**
 * Makes the values that `revive` makes. It finds the world as the save says it; after that, the world is as it was before.
 *
 * @returns what the world is to have, with these values
 * @throws what `revive` throws, LimitError
 */
function revive(state: WorldState, building: Building, next: Contents): Contents {
  const before = take(state)
  put(state, next)
  try {
    let revived = next
    inSteps(state, () => {
      building.objects.giveLoaded(state)
      seal(state)
      const made: unknown[] = []
      try {
        building.objects.reviveAll(state, made)
        revived = take(state)
      } catch (error) {
        disposeLoaded({ loaded: made })
        throw error
      } finally {
        unseal(state)
      }
    })
    return revived
  } finally {
    put(state, before)
  }
}

/** What a world has. Resources that are JavaScript values are taken from it. */
function take(state: WorldState): Contents {
  const memory = takeMemory(state)
  return { memory, stores: storesOf(state), values: takeValues(state) }
}

/** Gives a world other contents. No code of the program runs. */
function put(state: WorldState, { memory, stores, values }: Contents): void {
  // They would take their names back.
  takeValues(state)
  replaceMemory(state, memory, stores)
  for (const [declaration, value] of values) resourcesOf(state).set(declaration, value)
}

function takeValues(state: WorldState): Contents['values'] {
  return state.resources === undefined ? [] : resourcesOf(state).takeValues()
}
