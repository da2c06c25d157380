// Owns making a world from a save, and saves as JSON: docs/saving.md. saves/ reads the file.

import { checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { collect } from '../saves/collect'
import { disposeLoaded } from '../saves/loadedObjects'
import { fromJSON, toJSON } from '../saves/json'
import { type Merged, buildAll, declaredIn, prepare, readBytes } from '../saves/loadSave'
import type { SavedWorld } from '../saves/savedWorld'
import { type SaveOptions, type Saveable, selectionOf } from '../saves/selection'
import { QueuedForDestroy } from './frameEnd'
import { type SlimOptions, WORLD_OPTIONS, type WorldOptions } from './worldOptions'
import { stateOf } from '../state/worldState'
import { type World, createWorld } from './world'

/** Options of loadWorld and loadFromJSON: those of createWorld, and what the names in the save stand for. */
export interface LoadOptions extends WorldOptions {
  /** Components, tags, object components and resources. What the save has beside them is left out, and told. */
  readonly components: readonly Saveable[]
}

/** What loadWorld and loadFromJSON return. */
export interface Loaded extends Merged {
  /** The new world. */
  readonly world: World
}

/** A world has more in memory than a file has bytes: where it is not said, there is room for this many times as much. */
const ROOM = 3
const USUAL_MEMORY = 32 * 2 ** 20

/**
 * Creates a world from the bytes that saveWorld returned, also those of an earlier version of the program. Entities
 * get new handles; `entity` fields follow them. Rows count as added at the tick of the save, at which the world goes
 * on. Values in JavaScript are made by `load`, other objects by `revive`.
 * Cost: about 0.3 ms per MB and 30 ns per entity.
 *
 * @param bytes a whole file; it is read at once
 * @param options `components`: what names stand for; the options of createWorld, `core` among them
 * @returns the world, and what became of the save: see Loaded
 * @throws StrataError SAVE_REFUSED for bytes that are damaged or no save, MISSING_MIGRATION; StrataTypeError
 *   INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_NAME; LimitError; what migrations, `load` and `revive` throw. There is
 *   no world then.
 * @example const { world, handles } = loadWorld(bytes, { components: [Position, Health] })
 */
export function loadWorld(bytes: Uint8Array, options: SlimOptions<LoadOptions>): Loaded {
  return load(readBytes(bytes, 'loadWorld'), options, 'loadWorld', bytes.length)
}

/**
 * Creates a world from the text that saveToJSON returned. See loadWorld.
 *
 * @param json the text
 * @param options `components`: what names stand for; the options of createWorld, `core` among them
 * @returns the world, and what became of the save: see Loaded
 * @throws as loadWorld does
 * @example const { world } = loadFromJSON(text, { components: [Position, Health] })
 */
export function loadFromJSON(json: string, options: SlimOptions<LoadOptions>): Loaded {
  if (typeof json === 'string') return load(fromJSON(json), options, 'loadFromJSON', json.length)
  throw new StrataTypeError(
    'INVALID_OPTION',
    `loadFromJSON takes the string that saveToJSON returned, not ${describe(json)}.`,
  )
}

/**
 * The entities, components and resources of a world as JSON, with one line for each: to be read, compared and edited by
 * people. It says what saveWorld writes, in several times as many bytes.
 *
 * @param world any world in which no loop is open
 * @param options which components and entities: see saveWorld
 * @returns JSON that ends with a line break
 * @throws as saveWorld does
 * @example await writeFile('level.json', saveToJSON(world))
 */
export function saveToJSON(world: World, options: SaveOptions = {}): string {
  const state = stateOf(world, 'saveToJSON')
  state.refuseDisposed()
  state.refuseWhileLocked('saveToJSON')
  return toJSON(collect(state, selectionOf(state, options, 'saveToJSON')))
}

function load(
  saved: SavedWorld,
  options: SlimOptions<LoadOptions>,
  operation: string,
  bytes: number,
): Loaded {
  checkOptions(operation, options, ['components', ...WORLD_OPTIONS])
  const { components, ...others } = options ?? {}
  // The list is required: without it nothing would be loaded.
  const ready = prepare(saved, declaredIn([QueuedForDestroy as never], components, operation))
  // Memory that grows makes every loop of the process slower.
  const memory = others.memory ?? { initial: Math.min(2 ** 30, Math.max(USUAL_MEMORY, ROOM * bytes)) }
  let world: World
  try {
    world = createWorld({ ...others, memory })
  } catch (error) {
    disposeLoaded(ready.fitted)
    throw error
  }
  try {
    return Object.assign(buildAll(world['state'], ready), { world })
  } catch (error) {
    world.dispose()
    throw error
  }
}
