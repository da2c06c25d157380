// Owns how the guard of kernels gets from 'strata-ecs/checked' to worlds of 'strata-ecs': the two bundles share no module, so the
// core carries it. It must never import the guard, nor have it throw: the classes of errors are those of 'strata-ecs'.

import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'
import type { BoundColumn, BoundResource } from './boundKernel'
import type { KernelWindows } from './kernelInstance'
import type { KernelModule } from './kernelModule'

/** A column that a kernel is called with, and where it must be. */
export interface GuardedColumn {
  /** Index in Heap.u32 of the slot that holds its address. */
  readonly word: number
  /** Undefined for the handles of the rows. */
  readonly column: BoundColumn | undefined
  readonly registration: Registration | undefined
  /** Words from Heap.chunks to the chunk's descriptor, and the row of the chunk that counts as row 0. */
  readonly chunkOffset: number
  readonly row: number
}

/** A field of a resource that a kernel is called with, and where it must be. */
export interface GuardedResource {
  /** Index in Heap.u32 of the number that is its address. */
  readonly word: number
  readonly resource: BoundResource
  readonly registration: Registration | undefined
}

/** A call of a kernel with at most one block. */
export interface GuardedCall {
  /** What was called, for sentences: query.run or kernel.run, and the kernel with its file. */
  readonly operation: string
  readonly kernel: string
  /** Index in Heap.u32 of the block; undefined for a kernel without rows. */
  readonly block: number | undefined
  readonly columns: readonly GuardedColumn[]
  readonly resources: readonly GuardedResource[]
}

/** What stands around each call of the kernels of one module, in one world. */
export interface Guard {
  /** Before a call. Returns what is wrong with its arguments, as a sentence. */
  before(call: GuardedCall): string | undefined
  /** After it, also when it threw. Returns what was overwritten, as a sentence. */
  after(): string | undefined
}

export type GuardMaker = (state: WorldState, windows: KernelWindows, module: KernelModule) => Guard

/** Known to both bundles by its name. */
const GUARD = /* @__PURE__ */ Symbol.for('strata-ecs.guard')

interface GuardedCore extends WebAssembly.Module {
  [GUARD]?: GuardMaker
}

/** Has all worlds over this core guard their kernels. */
export function attachGuard(core: WebAssembly.Module, maker: GuardMaker): void {
  const guarded: GuardedCore = core
  guarded[GUARD] = maker
}

/** The guard that goes along with a core. */
export function guardOf(core: WebAssembly.Module): GuardMaker | undefined {
  return (core as GuardedCore)[GUARD]
}
