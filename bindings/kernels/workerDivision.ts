// Owns the interface by which kernels reach the workers of their world: packages/workers/src/ implements it, and decides what is
// divided.

import type { Sharing } from '../memory/workerMemory'
import type { InstanceFunction } from './kernelInstance'
import type { KernelCode, KernelDescription } from './kernel'
import type { KernelModule } from './kernelModule'

/** A kernel that may run on several threads. */
export interface DividedKernel {
  /**
   * Runs it for so many blocks, on this thread or on several.
   *
   * @param firstBlock index in Heap.u32 of the first block
   * @param blockWords words of a block; 0 if this thread is to do it alone
   * @param sofar what the calls before came to
   * @returns what all of them came to, as the kernel's own function returns it
   */
  run(blocks: number, sofar: number, firstBlock: number, blockWords: number): number | undefined
}

/** The kernels of one world, as a pool of workers has them. */
export interface Division {
  /** The form of a kernel's module that runs over the memory of this world. */
  formOf(module: KernelModule, code: KernelCode): WebAssembly.Module
  /**
   * Throws unless the rows of a kernel can be divided in some world.
   *
   * @throws StrataTypeError INVALID_BINDING
   */
  expectDivided(kernel: KernelDescription, module: KernelModule): void
  /**
   * Adds a kernel that was instantiated.
   *
   * @param isGuarded whether each of its calls is watched
   * @returns undefined if this thread is to run it alone
   */
  add(
    kernel: KernelDescription,
    module: KernelModule,
    start: InstanceFunction,
    isGuarded: boolean,
  ): DividedKernel | undefined
  /** The world has ended. */
  dispose(): void
}

/** What the kernels of a world ask of its pool. */
export interface WorkerDivision extends Sharing {
  /** @param isOwnCore whether the world was given a core that is not of this package */
  begin(memory: WebAssembly.Memory, isOwnCore: boolean): Division
}
