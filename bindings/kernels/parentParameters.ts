// Owns what kernels and the room of relations agree on about parameters that read the rows of parents. The code that runs such a
// kernel comes with cascade(): a program without it does not carry it.

import type { Definition } from '../components/definition'
import type { RowConsumer } from '../iteration/loop'
import type { Plan } from '../queryPlan/plan'
import type { BoundKernel } from './boundKernel'
import type { ParentParameter } from './kernel'

/** A parameter with the column of parents that it means. */
export interface BoundParent {
  readonly parameter: ParentParameter
  /** The relation whose targets are the parents. */
  readonly relation: Definition
  readonly definition: Definition
  /** Which of the component's fields. */
  readonly field: number
  /** Bytes from one row to the next. */
  readonly rowBytes: number
}

/** One kernel over one query. */
export interface KernelConsumer extends RowConsumer {
  /**
   * Begins a run: scalars, and the addresses of resources, where the kernel reads them.
   *
   * @param sofar a result to go on from, where this run is a part of another one
   */
  begin(taken: Float64Array, sofar?: number): void
  /** What all calls came to; undefined for a kernel that returns nothing. */
  readonly result: number | undefined
}

/** What a query with a cascade brings along. */
export interface ParentReading {
  /** The relation whose levels are followed. */
  readonly relation: Definition
  /** A run begins: the next one who asks for the entities is its kernel. */
  expectRun(): void
  /** A run of a kernel with parents over the query, as it is carried out now. */
  runOver(bound: BoundKernel<unknown, unknown, boolean>, plan: Plan): KernelConsumer
}
