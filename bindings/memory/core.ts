// Owns the start of the wasm core: decoding, compiling once, instantiating one instance (and memory) a world.
// It must never keep an instance: a world that is dropped must be free to be collected.

import { decoderText } from '../../build/decoder'
import { releaseText } from '../../build/release'
import type { CursorChecks } from './cursorChecks'
import { LimitError, StrataError } from './errors'
import { checkModule } from './ownModule'

/** The functions that assembly/core.ts lists. Numbers of 32 bits; results are signed. */
export interface CoreExports {
  readonly memory: WebAssembly.Memory
  worldInit(maximumBytes: number, maxEntities: number, strictIds: boolean | number): number
  worldReset(): number
  worldClear(): void
  worldTrim(dropsBundles: boolean): number
  componentRegister(): number
  componentClear(bundle: number): number
  resourceMake(id: number): number
  resourceRemove(id: number): number
  bundleOf(count: number): number
  bundleFill(number: number, count: number): number
  bundleArchetype(bundle: number): number
  entitySpawn(bundle: number): number
  entityChange(entity: number, kind: number, bundle: number): number
  entityExchange(entity: number, removed: number, added: number): number
  entityDestroy(entity: number, spares: number): number
  entityReserve(promised: number): number
  entityCreate(count: number): number
  entitiesAdopt(count: number): number
  entitiesAvailable(): number
  entityPlace(entity: number, bundle: number): number
  claimsPrepare(index: number, promised: number, mayGrow: boolean): number
  entityClaim(entity: number): void
  entityClone(source: number): number
  entityPlaceClone(entity: number, source: number): number
  entitiesClone(source: number, count: number): number
  entitiesSpawn(bundle: number, count: number, list: number): number
  entitiesDestroy(count: number, spares: number): number
  entitiesChange(count: number, kind: number, bundle: number): number
  listBegin(count: number): number
  listChange(list: number, count: number, bundle: number, adds: boolean | number): number
  queryOf(count: number): number
  queryAdd(query: number, filterCount: number, bundle: number): number
  queryRemove(query: number, filterCount: number, bundle: number): number
  queryDestroy(query: number, filterCount: number): number
  querySwitch(query: number, filterCount: number, component: number, off: boolean | number): number
  queryMask(
    query: number,
    termCount: number,
    filterCount: number,
    chunk: number,
    isPool: boolean | number,
  ): number
  queryMaskOrder(query: number, termCount: number, filterCount: number, list: number, count: number): number
  querySort(
    query: number,
    filterCount: number,
    component: number,
    field: number,
    kind: number,
    limit: number,
  ): number
  sortEnd(): void
  valuesReduce(from: number, count: number, kind: number, wide: boolean | number, operation: number): number
  poolSort(component: number, field: number, kind: number, limit: number): number
  poolArrange(component: number, first: number, count: number): void
  poolSortAs(component: number, like: number): number
  orderSqueeze(component: number): void
  orderRead(component: number, count: number): void
  orderWrite(component: number, count: number): void
  orderSort(tag: number, component: number, field: number, kind: number): number
  groupOf(count: number): number
  queryProbe(count: number, skip: number, limit: number): number
  ticksAge(): void
  lookMake(mayGrow: boolean | number): number
  lookRelease(number: number): void
  textIntern(length: number, wide: boolean, mayGrow: boolean): number
  textFind(length: number, wide: boolean): number
  textRelease(id: number): void
  textsSweep(): number
  textsClearUnknown(): number
  referencesSweep(promised: number): number
}

/** Bytes of a page of memory. */
export const PAGE_BYTES = 0x10000

let releaseModule: WebAssembly.Module | undefined

/** The release core that is part of this package, compiled at the first call. */
function embeddedModule(): WebAssembly.Module {
  releaseModule ??= compileText(/* @__NOINLINE__ */ releaseText())
  return releaseModule
}

/**
 * The text of a core (scripts/build-core.js) has characters from FIRST on, without the backslash. All but the last two stand
 * for a byte that is frequent; these announce another character, and a pair stands for one of the other bytes.
 */
const FIRST = 40
const BACKSLASH = 92
const CHARACTERS = 86
/** The character of a symbol: they are numbered without the backslash. */
const characterOf = (symbol: number) => symbol + (symbol < BACKSLASH - FIRST ? FIRST : FIRST + 1)
/** Hexadecimal digits at the beginning of the text that say which ones these are. */
const DIGITS = 64
/** Where assembly/decoder.ts finds its tables and the text: for one character, for two, and what is to be decoded. */
const PAIRS_ADDRESS = 128
const TEXT_ADDRESS = 384
/** The bytes of a core, from the text that scripts/build-core.js made of it. */
export function decodeText(text: string): Uint8Array<ArrayBuffer> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((TEXT_ADDRESS + text.length) / PAGE_BYTES) })
  const bytes = new Uint8Array(memory.buffer)
  let frequent = 0
  let others = 0
  for (let byte = 0; byte < 256; byte++) {
    const isFrequent = (parseInt(text.charAt(byte >> 2), 16) >> (byte & 3)) & 1
    if (isFrequent !== 0) bytes[characterOf(frequent++)] = byte
    else {
      const first = Math.floor(others / CHARACTERS)
      bytes[PAIRS_ADDRESS + (first << 7) + characterOf(others++ % CHARACTERS)] = byte
    }
  }
  new TextEncoder().encodeInto(text.slice(DIGITS), bytes.subarray(TEXT_ADDRESS))
  const decoder = new WebAssembly.Module(Uint8Array.from(atob(decoderText), (one) => one.charCodeAt(0)))
  // A loop of 80,000 steps in JavaScript takes 5 ms here: nothing is compiled yet when it runs.
  const { exports } = new WebAssembly.Instance(decoder, { env: { memory } })
  const decode = exports['decode'] as (at: number, end: number) => number
  return bytes.subarray(TEXT_ADDRESS, decode(TEXT_ADDRESS, TEXT_ADDRESS + text.length - DIGITS))
}

/** Compiles a module, synchronously, from the text that scripts/build-core.js made of it. */
export function compileText(text: string): WebAssembly.Module {
  try {
    return new WebAssembly.Module(decodeText(text))
  } catch (cause) {
    throw new StrataError(
      'WASM_REFUSED',
      "The host does not let a page compile WebAssembly: allow it (in a content security policy by script-src 'wasm-unsafe-eval'), or create the world with a compiled { module }.",
      { cause },
    )
  }
}

/** Known to both bundles, 'strata-ecs' and 'strata-ecs/checked', by its name. */
const CHECKED = /* @__PURE__ */ Symbol.for('strata-ecs.checked')

interface Core extends WebAssembly.Module {
  [CHECKED]?: CursorChecks
}

/** Has all worlds over this core check what cursors and accessors write. */
export function markChecked(core: WebAssembly.Module, checks: CursorChecks): WebAssembly.Module {
  const marked: Core = core
  marked[CHECKED] = checks
  return core
}

/** What is asked of the cursors of worlds over a core; undefined: nothing. */
export function checksOf(core: WebAssembly.Module | undefined): CursorChecks | undefined {
  return (core as Core | undefined)?.[CHECKED]
}

/**
 * A new instance with a memory of its own, `initial` to `maximum` pages of 64 KiB. The memory is made here at
 * its full initial size, because the first growth of any memory makes V8 check every typed array access for
 * detached buffers from then on: loops in the whole process become slower by a half.
 */
export function instantiateCore(initial: number, maximum: number, module?: WebAssembly.Module): CoreExports {
  if (module !== undefined) checkModule(module)
  const memory = createMemory(initial, maximum)
  const abort = (message: number, _file: number, line: number): never => {
    const text = readString(memory, message)
    throw new StrataError('CHECK_FAILED', `the core found its own rule broken: ${text} (line ${line})`)
  }
  const { exports } = new WebAssembly.Instance(module ?? embeddedModule(), { env: { abort, memory } })
  return exports as unknown as CoreExports
}

function createMemory(initial: number, maximum: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial, maximum })
  } catch {
    throw new LimitError(
      'MEMORY_LIMIT',
      'The host gives no memory for another world: dispose() of others, or ask for a smaller memory.initial.',
    )
  }
}

/** A string as AssemblyScript keeps it: UTF-16, its byte length four bytes before it. */
export function readString(memory: WebAssembly.Memory, address: number): string {
  if (address === 0) return ''
  const bytes = new Uint32Array(memory.buffer)[(address >>> 2) - 1] as number
  return String.fromCharCode(...new Uint16Array(memory.buffer, address, bytes >>> 1))
}
