// Owns the run of a loop with optional components: each chunk goes to the kernel that was compiled for what it has, in the
// order of the walk.

import type { Definition } from '../../../../bindings/components/definition'
import type { BoundKernel } from '../../../../bindings/kernels/boundKernel'
import type { KernelConsumer } from '../../../../bindings/kernels/parentParameters'
import type { ChunkView } from '../../../../bindings/iteration/chunkView'
import type { Related } from '../../../../bindings/queryPlan/filters'
import type { Plan } from '../../../../bindings/queryPlan/plan'
import type { WorldState } from '../../../../bindings/state/worldState'

export class BoundVariants {
  private readonly runs = new WeakMap<Plan, VariantRun>()

  constructor(
    /** By the components that are absent. */
    private readonly kernels: readonly BoundKernel[],
    private readonly optional: readonly Definition[],
  ) {}

  check(state: WorldState, operation: string, values: unknown): Float64Array {
    const [first, ...others] = this.kernels as [BoundKernel, ...BoundKernel[]]
    // All take the same numbers, and a program's object is read once.
    const taken = first.check(state, operation, values)
    for (const { resources } of others) resources.check()
    return taken
  }

  over(plan: Plan, related: Related | undefined): KernelConsumer {
    const known = this.runs.get(plan)
    if (known !== undefined) return known
    const made = new VariantRun(
      this.kernels.map((kernel) => kernel.over(plan, related)),
      this.optional.map((definition) => plan.registrations[plan.column(definition)]),
    )
    this.runs.set(plan, made)
    return made
  }
}

class VariantRun implements KernelConsumer {
  private taken: Float64Array = new Float64Array(0)
  private current: KernelConsumer | undefined

  constructor(
    private readonly runs: readonly KernelConsumer[],
    private readonly optional: readonly Plan['registrations'][number][],
  ) {}

  begin(taken: Float64Array): void {
    this.taken = taken
    const [first] = this.runs as [KernelConsumer]
    first.begin(taken)
    this.current = first
  }

  repeat(): boolean {
    return false
  }

  takeWhole(chunk: ChunkView): void {
    this.runFor(chunk).takeChunk(chunk, false)
  }

  takeChunk(chunk: ChunkView, masked: boolean): void {
    this.runFor(chunk).takeChunk(chunk, masked)
  }

  takeGroup(): void {
    // A group has no optional components.
  }

  end(): void {
    this.current?.end()
  }

  get result(): number | undefined {
    return this.current?.result
  }

  /** The run of the kernel for what a chunk has. Another one goes on where the last one ended: they share the arguments. */
  private runFor({ layoutKey }: ChunkView): KernelConsumer {
    let absent = 0
    for (let k = 0; k < this.optional.length; k++)
      if (this.optional[k]?.placement(layoutKey).present !== true) absent |= 1 << k
    const run = this.runs[absent]
    const { current } = this
    if (run === undefined || run === current) return current as KernelConsumer
    current?.end()
    run.begin(this.taken, current?.result)
    this.current = run
    return run
  }
}
