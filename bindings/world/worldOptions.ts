// Owns the options of a world: what can be given, and the defaults.

import { MAX_ENTITIES } from '../../build/layout'
import { checkOptions } from '../memory/arguments'
import { PAGE_BYTES } from '../memory/core'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { SHARING, type SharingWorkers, type Workers } from '../memory/workerMemory'

/** Options of createWorld. */
export interface WorldOptions {
  /**
   * Size of the linear memory in bytes. `initial`, 1 MiB to `maximum`, default 32 MiB, only reserves address space:
   * what is not used takes no physical memory, but V8 collects garbage sooner. Make it large enough for the whole run,
   * because V8 runs all typed-array loops of a process about 1.5 times slower once any memory has grown. `maximum`, 1 MiB to 2 GiB,
   * default 2 GiB, is never exceeded.
   */
  readonly memory?:
    { readonly initial?: number | undefined; readonly maximum?: number | undefined } | undefined
  /** Most entities alive at once, 1 to 16,777,214. Default 16,777,214. */
  readonly maxEntities?: number | undefined
  /**
   * 'recycle' (default): when no other index is left, indices whose 256 generations are used up come back, so a very
   * old handle may name a new entity. 'strict': they never come back; then LimitError ENTITY_LIMIT.
   */
  readonly ids?: 'recycle' | 'strict' | undefined
  /**
   * A core to use in place of the built-in one: checkedCore(), or one that you compiled while downloading. Required in
   * strata-ecs/slim, which has no core built in.
   */
  readonly core?: WebAssembly.Module | undefined
  /**
   * What `workers()` of strata-ecs/workers returned: kernels and compiled loops of this world run on several threads where that is
   * faster, with the same results. Several worlds may share it.
   */
  readonly workers?: Workers | undefined
}

export const WORLD_OPTIONS: readonly string[] = ['memory', 'maxEntities', 'ids', 'core', 'workers']
const MEMORY_OPTIONS = ['initial', 'maximum']

const MEMORY_CEILING = 0x80000000
const MIN_MEMORY = 16 * PAGE_BYTES
/** Untouched pages cost nothing but address space, while growing later costs speed: see core.ts. */
const DEFAULT_MEMORY = 32 * 2 ** 20

/** Options of a world whose core is not built in. */
export type SlimOptions<Options extends WorldOptions = WorldOptions> = Options & {
  readonly core: WebAssembly.Module
}

/**
 * The options with their defaults.
 *
 * @throws StrataTypeError INVALID_OPTION
 */
export function readOptions(options: WorldOptions) {
  checkOptions('createWorld', options, WORLD_OPTIONS)
  checkOptions('createWorld: memory', options?.memory, MEMORY_OPTIONS)
  const maximum = options?.memory?.maximum ?? MEMORY_CEILING
  const initial = options?.memory?.initial ?? Math.min(DEFAULT_MEMORY, maximum)
  const maxEntities = options?.maxEntities ?? MAX_ENTITIES
  const ids = options?.ids ?? 'recycle'
  checkNumber('memory.maximum', maximum, MIN_MEMORY, MEMORY_CEILING)
  checkNumber('memory.initial', initial, MIN_MEMORY, maximum)
  checkNumber('maxEntities', maxEntities, 1, MAX_ENTITIES)
  if (ids !== 'recycle' && ids !== 'strict') {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `createWorld: ids must be 'recycle' or 'strict', not ${describe(ids)}.`,
    )
  }
  const workers = options?.workers as SharingWorkers | undefined
  if (workers !== undefined && !workers?.[SHARING]) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `createWorld: workers must be what workers() of strata-ecs/workers returned, not ${describe(workers)}.`,
    )
  }
  // 2 GiB is no 32-bit integer for JavaScript's bit operators, so whole pages are counted by division.
  const pages = Math.floor(maximum / PAGE_BYTES)
  return {
    initial: Math.min(initial, pages * PAGE_BYTES),
    maximum: pages * PAGE_BYTES,
    maxEntities,
    strict: ids === 'strict' ? 1 : 0,
    isFlexible: options?.memory?.maximum === undefined,
    workers,
  }
}

function checkNumber(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `createWorld: ${name} must be a whole number from ${least} to ${most}, not ${describe(value)}.`,
    )
  }
}
