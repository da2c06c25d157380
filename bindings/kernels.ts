// Owns the kernels of one world: one instance for each module, over the world's memory, and letting go of them.
// It must never know queries, nor what a module may do: see kernelModule.ts.

import { StrataTypeError } from './errors'
import { type KernelCode, type KernelDescription, checkKernel, nameOf } from './kernel'
import { BoundKernel, bindColumns } from './kernelBinding'
import { instantiateKernel } from './kernelModule'
import type { WorldState } from './worldState'

/** What a module exports for a kernel: takes the address of its arguments, returns the result of a reduction. */
export type KernelStart = (address: number) => number | undefined

/** The way to a kernel's code. The world cuts it at its end: an instance would keep the memory alive. */
export class KernelEntry {
  constructor(public start: KernelStart) {}
}

interface Instance {
  readonly exports: WebAssembly.Exports
  /** By the kernel's name. */
  readonly entries: Map<string, KernelEntry>
}

export class Kernels {
  private readonly instances = new Map<KernelCode, Instance>()

  constructor(private readonly state: WorldState) {}

  /**
   * Binds a kernel to columns of this world.
   *
   * @throws StrataTypeError INVALID_KERNEL, INVALID_BINDING; LimitError for a component that is new
   */
  bind(kernel: unknown, columns: unknown): BoundKernel {
    const description = checkKernel(kernel)
    const bound = bindColumns(description, columns)
    const entry = this.entryOf(description)
    for (const column of bound) if (column !== undefined) this.state.register(column.definition)
    return new BoundKernel(this.state, description, entry, bound)
  }

  private entryOf(description: KernelDescription): KernelEntry {
    const { code, kernel } = description
    let instance = this.instances.get(code)
    if (instance === undefined) {
      instance = { exports: instantiateKernel(code, this.state.core.memory), entries: new Map() }
      this.instances.set(code, instance)
    }
    const known = instance.entries.get(kernel)
    if (known !== undefined) return known
    const start = instance.exports[kernel]
    if (typeof start !== 'function') {
      throw new StrataTypeError(
        'INVALID_KERNEL',
        `world.kernel: the module of ${nameOf(description)} exports no function of that name: compile it again.`,
      )
    }
    const entry = new KernelEntry(start as KernelStart)
    instance.entries.set(kernel, entry)
    return entry
  }

  /** Lets the instances go, and with them the memory that they hold. */
  dispose(): void {
    for (const { entries } of this.instances.values())
      for (const entry of entries.values()) entry.start = () => this.state.refuseDisposed() as undefined
    this.instances.clear()
  }
}
