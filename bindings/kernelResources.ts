// Owns the resources that a kernel was bound to, from one run to the next: whether they are there, their addresses on
// the way into memory, and the ticks of those that it writes. It must never make one: world.kernel does.

import { StrataError } from './errors'
import { type KernelDescription, nameOf, operationOf } from './kernel'
import type { BoundResource } from './kernelBinding'
import type { Registration } from './registration'
import type { WorldState } from './worldState'

/** An address takes as much room as a scalar. */
const NUMBER_WORDS = 2

export class BoundResources {
  /** The byte address behind their numbers, where blocks begin. */
  readonly end: number
  private readonly written: readonly BoundResource[]

  /** @param start the byte address of the first number: they follow the scalars */
  constructor(
    private readonly state: WorldState,
    private readonly kernel: KernelDescription,
    readonly list: readonly BoundResource[],
    private readonly start: number,
  ) {
    this.end = start + list.length * NUMBER_WORDS * 4
    this.written = list.filter(({ parameter }) => parameter.writes)
  }

  /**
   * Throws unless each of them is there. Allocates nothing.
   *
   * @throws StrataError MISSING_RESOURCE
   */
  check(): void {
    const { list } = this
    for (let i = 0; i < list.length; i++) {
      const { parameter, definition } = list[i] as BoundResource
      if (this.locate(definition) === undefined) throw this.missing(parameter.name, definition.componentName)
    }
  }

  /** Writes their addresses of now where the kernel reads them. They have been checked. */
  write(): void {
    const { list, state } = this
    for (let i = 0; i < list.length; i++) {
      const { definition, field } = list[i] as BoundResource
      const { data, found } = this.locate(definition) as Registration
      state.heap.u32[this.word(i)] = data + (found.offsets[field] as number)
    }
  }

  /** Marks those that the kernel may write as changed. */
  mark(): void {
    const { written } = this
    for (let i = 0; i < written.length; i++)
      this.locate((written[i] as BoundResource).definition)?.markLocated()
  }

  /** Index in Heap.u32 of the number that is the address of the i-th. */
  word(i: number): number {
    return (this.start >> 2) + i * NUMBER_WORDS
  }

  /** What the world knows of a resource, standing on its row; undefined when it is not there. */
  private locate(definition: BoundResource['definition']): Registration | undefined {
    const registration = this.state.known(definition)
    return registration?.locateOnly() ? registration : undefined
  }

  private missing(parameter: string, resource: string): StrataError {
    return new StrataError(
      'MISSING_RESOURCE',
      `${operationOf(this.kernel)}: ${nameOf(this.kernel)} has '${parameter}' bound to the resource ${resource}, which is not there any more: make it again, with world.resource(${resource}), before the run.`,
    )
  }
}
