// Owns the base of the core, which is part of the entry 'strata-ecs', compiled at the first call, and the calls that make worlds
// over it. It must never import anything of the library that slim.ts does not list: in the package that is the file beside it.

import { baseText } from '../build/base'
import { compileText } from './memory/coreText'
import * as slim from './slim'
import type { Loaded, LoadOptions, World, WorldOptions } from './slim'

let base: WebAssembly.Module | undefined

/** The options with this core, unless they name another one. What is no object is refused where the options are read. */
function withCore<Options extends WorldOptions>(options: Options): Options & { core: WebAssembly.Module } {
  if (typeof options !== 'object' || Array.isArray(options)) return options as never
  return { ...options, core: options?.core ?? (base ??= compileText(/* @__NOINLINE__ */ baseText())) }
}

/**
 * Creates a world with a linear memory of its own. Synchronous.
 *
 * @param options memory, limits and the core to use: see WorldOptions
 * @throws StrataTypeError INVALID_OPTION; LimitError MEMORY_LIMIT if the host has no memory left; StrataError
 *   WASM_REFUSED if the host does not compile WebAssembly
 * @example const world = createWorld({ memory: { maximum: 64 * 2 ** 20 } })
 */
export function createWorld(options: WorldOptions = {}): World {
  return slim.createWorld(withCore(options))
}

/**
 * Creates a world from the bytes that saveWorld returned, also those of an earlier version of the program. Entities
 * get new handles; `entity` fields follow them. Rows count as added at the tick of the save, at which the world goes
 * on. Objects are made by `revive`, resources that are JavaScript values by `load`.
 * Cost: about 0.3 ms per MB and 30 ns per entity.
 *
 * @param bytes a whole file; it is read at once
 * @param options `components`: what names stand for; the options of createWorld
 * @returns the world, and what became of the save: see Loaded
 * @throws StrataError SAVE_REFUSED for bytes that are damaged or no save, MISSING_MIGRATION; StrataTypeError
 *   INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_NAME; LimitError; what migrations, `load` and `revive` throw. There is
 *   no world then.
 * @example const { world, handles } = loadWorld(bytes, { components: [Position, Health] })
 */
export function loadWorld(bytes: Uint8Array, options: LoadOptions): Loaded {
  return slim.loadWorld(bytes, withCore(options))
}

/**
 * Creates a world from the text that saveToJSON returned. See loadWorld.
 *
 * @param json the text
 * @param options `components`: what names stand for; the options of createWorld
 * @returns the world, and what became of the save: see Loaded
 * @throws as loadWorld does
 * @example const { world } = loadFromJSON(text, { components: [Position, Health] })
 */
export function loadFromJSON(json: string, options: LoadOptions): Loaded {
  return slim.loadFromJSON(json, withCore(options))
}
