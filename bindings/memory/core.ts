// Owns the start of the wasm core: one instance and one memory for each world; the names of what it exports, and the form of the
// checks that strata-ecs/checked adds to it. The core that is part of a program is cut into a base, which every program carries,
// and parts: see coreParts.ts. It must never keep an instance: a world that is dropped must be free to be collected.

import { coreMark } from '../../build/coreMark'
import { type CompilePart, compilerOf } from './coreText'
import { LimitError, StrataError, StrataTypeError } from './errors'
import { kindOf } from './realms'
import type { SharedCore } from './workerMemory'

/** The functions of the base, of those that assembly/core.ts lists. Numbers of 32 bits; results are signed. */
export interface CoreExports {
  readonly memory: WebAssembly.Memory
  worldInit(maximumBytes: number, maxEntities: number, strictIds: boolean | number): number
  worldReset(): number
  worldClear(): void
  worldTrim(): number
  componentRegister(): number
  bundleOf(count: number): number
  bundleFill(number: number, count: number): number
  bundleArchetype(bundle: number): number
  entitySpawn(bundle: number): number
  entityChange(entity: number, kind: number, bundle: number): number
  entityExchange(entity: number, removed: number, added: number): number
  entityDestroy(entity: number, spares: number): number
  entityReserve(): number
  entityCreate(count: number): number
  entitiesAdopt(): number
  entitiesAvailable(): number
  entityPlace(entity: number, bundle: number): number
  entityClaim(entity: number): void
  entitiesSpawn(bundle: number, count: number, list: number): number
  entitiesDestroy(count: number, spares: boolean | number, held: number, isLast: boolean | number): number
  entitiesChange(count: number, kind: number, bundle: number): number
  listBegin(count: number): number
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
  orderSqueeze(component: number): void
  orderRead(component: number, count: number): void
  orderWrite(component: number, count: number): void
  queryProbe(count: number, skip: number, limit: number): number
  ticksAge(): void
}

/** Functions that a change needs before which listeners are called. */
export interface HeldExports {
  /** Holds all that the change of an entity needs: a status. Either bundle may be 0. */
  entityPrepare(entity: number, added: number, removed: number): number
  /** Gives back what is held, directly before the change that it is held for. */
  heldRelease(): void
}

/** Functions that some declarations and calls need, each of them few: groups, resources, what was seen of changes, given handles. */
export interface RareExports {
  componentClear(bundle: number): number
  componentPrepare(bundle: number): number
  resourceMake(id: number): number
  resourceRemove(id: number): number
  claimsPrepare(index: number, mayGrow: boolean): number
  groupOf(count: number): number
  seenTickMake(mayGrow: boolean | number): number
  seenTickRelease(number: number): void
}

/** Functions that order rows and sum up values. */
export interface OrderExports {
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
  orderSort(tag: number, component: number, field: number, kind: number): number
}

/** Functions that copy entities, and change those of a list. */
export interface ManyExports {
  entityClone(source: number): number
  entityPlaceClone(entity: number, source: number): number
  entitiesClone(source: number, count: number): number
  listChange(list: number, count: number, bundle: number, adds: boolean | number): number
  /** Holds all that listChange with the same arguments needs: a status; where it is negative, the list is given back. */
  listPrepare(list: number, count: number, bundle: number, adds: boolean | number): number
  /** The same for queryAdd and queryRemove; and so many bytes for a list. */
  queryPrepare(
    query: number,
    filterCount: number,
    bundle: number,
    adds: boolean | number,
    listBytes: number,
  ): number
}

/** Functions that look over values which name something: texts, and handles in fields. */
export interface TextsExports {
  textIntern(length: number, wide: boolean, mayGrow: boolean): number
  textFind(length: number, wide: boolean): number
  textRelease(id: number): void
  textsSweep(): number
  textsClearUnknown(): number
  referencesSweep(): number
}

/** What a world has of the parts of the core so far, and what compiles the text of one where its core is not whole. */
export interface CoreParts {
  compile: CompilePart | undefined
  held: HeldExports | undefined
  rare: RareExports | undefined
  order: OrderExports | undefined
  many: ManyExports | undefined
  texts: TextsExports | undefined
}

export const noParts = (compile: CompilePart | undefined): CoreParts => ({
  compile,
  held: undefined,
  rare: undefined,
  order: undefined,
  many: undefined,
  texts: undefined,
})

/** Bytes of a page of memory. */
export const PAGE_BYTES = 0x10000

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
export function checksOf(core: WebAssembly.Module): CursorChecks | undefined {
  return (core as Core)[CHECKED]
}

/**
 * A new instance with a memory of its own, `initial` to `maximum` pages of 64 KiB. The memory is made here at
 * its full initial size, because the first growth of any memory makes V8 check every typed array access for
 * detached buffers from then on: loops in the whole process become slower by a half.
 *
 * @param shared what takes the place of both
 */
export function instantiateCore(
  initial: number,
  maximum: number,
  module: WebAssembly.Module,
  shared: SharedCore | undefined,
): CoreExports {
  checkCore(module)
  const memory = shared?.memory ?? startMemory(initial, maximum)
  const abort = (message: number, _file: number, line: number): never => {
    const text = readString(memory, message)
    throw new StrataError('CHECK_FAILED', `the core found its own rule broken: ${text} (line ${line})`)
  }
  try {
    const { exports } = new WebAssembly.Instance(shared?.module ?? module, { env: { abort, memory } })
    return exports as unknown as CoreExports
  } catch (cause) {
    throw LimitError.orOf(cause)
  }
}

/** @throws StrataTypeError INVALID_OPTION for what is no compiled core of this version */
function checkCore(module: unknown): asserts module is WebAssembly.Module {
  if (isModule(module) && (compilerOf(module) !== undefined || isMarked(module))) return
  throw new StrataTypeError(
    'INVALID_OPTION',
    'createWorld: core must be a compiled WebAssembly.Module of the core of this version: of the file strata-ecs/core.wasm, or what checkedCore() returns.',
  )
}

/** Whether it is a module, which may come from another frame. */
function isModule(value: unknown): value is WebAssembly.Module {
  return typeof value === 'object' && kindOf(value) === 'WebAssembly.Module'
}

function isMarked(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.exports(module).some(({ name }) => name === coreMark)
}

/**
 * A memory of `initial` to `maximum` pages of 64 KiB.
 *
 * @throws LimitError MEMORY_LIMIT
 */
function startMemory(initial: number, maximum: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial, maximum })
  } catch (cause) {
    throw LimitError.orOf(cause)
  }
}

/** A string as AssemblyScript keeps it: UTF-16, its byte length four bytes before it. */
export function readString(memory: WebAssembly.Memory, address: number): string {
  if (address === 0) return ''
  const bytes = new Uint32Array(memory.buffer)[(address >>> 2) - 1] as number
  return String.fromCharCode(...new Uint16Array(memory.buffer, address, bytes >>> 1))
}

/** The row that a cursor was given for. */
interface CheckedRow {
  /** Address of the chunk, and the row in it. */
  readonly data: number
  readonly row: number
  /** Words from Heap.chunks to the chunk's descriptor. */
  readonly chunkOffset: number
  /** The entity that had the row; noted by the checks. */
  entity: number
}

export interface CursorChecks {
  /** Notes whose row it is. */
  note(checked: CheckedRow, heap: { readonly u32: Uint32Array }): void
  /** Whether the row is another's by now, or nobody's. */
  hasLost(checked: CheckedRow, heap: { readonly u32: Uint32Array; readonly chunks: number }): boolean
  /** Throws STALE_CURSOR. */
  refuse(componentName: string): never
}
