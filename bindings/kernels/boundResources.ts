// Owns the resources that a kernel is bound to: the check that they exist, their addresses in each run, and the ticks of those
// that it writes. createKernel makes them.

import { CHUNK_CHANGED_WORD, WORLD_TICK_WORD } from '../../build/layout'
import { StrataError } from '../memory/errors'
import { type Registration, onlyRowOf } from '../state/registration'
import type { RowRef } from '../cursors/rowRef'
import type { WorldState } from '../state/worldState'
import type { BoundResource } from './boundKernel'
import { type KernelDescription, nameOf, operationOf } from './kernel'

/** An address takes as much room as a scalar. */
const NUMBER_WORDS = 2

export class BoundResources {
  /** The byte address behind their numbers, where blocks begin. */
  readonly end: number
  /** What the world knew of each, when it had started over so many times. */
  private registrations: (Registration | undefined)[] = []
  private generation = -1
  /**
   * What is to be marked, as this run found it: for each written one the index in Heap.u32 of its tick, and the words from
   * Heap.chunks to the summary of its chunk.
   */
  private readonly ticks: number[] = []

  /** @param start the byte address of the first number: they follow the scalars */
  constructor(
    private readonly state: WorldState,
    private readonly kernel: KernelDescription,
    readonly list: readonly BoundResource[],
    private readonly start: number,
  ) {
    this.end = start + list.length * NUMBER_WORDS * 4
  }

  /**
   * Throws unless each of them is there. Allocates nothing.
   *
   * @throws StrataError MISSING_RESOURCE
   */
  check(): void {
    const { list } = this
    if (this.generation !== this.state.generation) this.lookUp()
    for (let i = 0; i < list.length; i++) {
      if (onlyRowOf(this.registrations[i]) !== undefined) continue
      // It may have been made known since.
      this.generation = -1
      const { parameter, definition } = list[i] as BoundResource
      throw this.missing(parameter.name, definition.componentName)
    }
  }

  private lookUp(): void {
    const { list, state } = this
    this.registrations = list.map(({ definition }) => state.known(definition))
    this.generation = state.generation
  }

  /** Writes their addresses of now where the kernel reads them. They have been checked. */
  write(): void {
    const { list, registrations, state, ticks } = this
    const { u32 } = state.heap
    let written = 0
    for (let i = 0; i < list.length; i++) {
      const { parameter, field } = list[i] as BoundResource
      const { data, placement, chunkOffset } = onlyRowOf(registrations[i]) as RowRef
      u32[this.word(i)] = data + (placement.offsets[field] as number)
      if (!parameter.writes) continue
      ticks[written++] = (data + placement.tickOffset) >> 2
      ticks[written++] = chunkOffset + CHUNK_CHANGED_WORD
    }
  }

  /** Marks those that the kernel may write as changed; their addresses have been written. */
  mark(): void {
    const { ticks } = this
    const { u32, chunks } = this.state.heap
    const now = u32[WORLD_TICK_WORD] as number
    for (let i = 0; i < ticks.length; i += 2) {
      u32[ticks[i] as number] = now
      u32[chunks + (ticks[i + 1] as number)] = now
    }
  }

  /** Index in Heap.u32 of the number that is the address of the i-th. */
  word(i: number): number {
    return (this.start >> 2) + i * NUMBER_WORDS
  }

  private missing(parameter: string, resource: string): StrataError {
    return new StrataError(
      'MISSING_RESOURCE',
      `${operationOf(this.kernel)}: ${nameOf(this.kernel)} has '${parameter}' bound to the resource ${resource}, which is not there any more: make it again, with world.resource(${resource}), before the run.`,
    )
  }
}
