// Owns a compiled loop once it is made: it binds itself in each world that it meets, and runs there as a kernel or as
// JavaScript. It never reaches the compiler, which programs whose loops are compiled ahead do not carry.

import { type Kernel, type World, createKernel, kernelRuntime } from '../../../../bindings/index'
import type { Definition } from '../../../../bindings/components/definition'
import type { BoundKernel } from '../../../../bindings/kernels/boundKernel'
import type { KernelConsumer } from '../../../../bindings/kernels/parentParameters'
import { BOUND } from '../../../../bindings/kernels/kernelFormat'
import type { Related } from '../../../../bindings/queryPlan/filters'
import type { Plan } from '../../../../bindings/queryPlan/plan'
import { StrataTypeError } from '../../../../bindings/memory/errors'
import type { WorldState } from '../../../../bindings/state/worldState'
import { type Bound, BoundBody } from './boundBody'
import type { Variant } from '../loopCompiler/make'

/** A loop, checked. */
export interface LoopDescription {
  /** By parameter of the body; undefined for the handle. */
  readonly components: readonly (Definition | undefined)[]
  /** Undefined where the body is given none. */
  readonly values: Readonly<Record<string, unknown>> | undefined
  readonly body: (...given: unknown[]) => unknown
  /** As in Made; of a body that is run as JavaScript without having been compiled one without code. */
  readonly variants: readonly Variant[]
  /** Why it runs as JavaScript; undefined where it runs compiled. */
  readonly reason: string | undefined
  /** Whether the program asked for the compiled form. */
  readonly insists: boolean
  /** Numbers of the parameters that some entities lack. */
  readonly optional: readonly number[]
  /** For each variant the components that the body assigns to, or may assign to. */
  written(): Definition[][]
  /** What runs the kernels of all variants as one. */
  join(kernels: readonly BoundKernel[]): Bound
}

export class RunnableLoop {
  /** @internal */
  readonly [BOUND] = true
  readonly mode: 'compiled' | 'javascript'
  readonly reason: string | undefined
  /** By world: a world that is gone takes what was bound with it. */
  private readonly bound = new WeakMap<WorldState, Bound>()
  private current: Bound | undefined
  /** Of the query that it ran over last. */
  private plan: Plan | undefined

  constructor(private readonly loop: LoopDescription) {
    this.reason = loop.reason
    this.mode = loop.reason === undefined ? 'compiled' : 'javascript'
  }

  toString(): string {
    return `CompiledLoop(${this.mode})`
  }

  /** @internal What query.run asks first. */
  check(state: WorldState, operation: string, values: unknown): Float64Array {
    if (operation !== 'query.run')
      throw new StrataTypeError(
        'INVALID_BINDING',
        `${operation}: a compiled loop takes the rows of a query: run it with query.run.`,
      )
    const bound = this.bound.get(state) ?? this.bind(state)
    const taken = bound.check(state, operation, values)
    // Reading the values may have run this loop elsewhere.
    this.current = bound
    return taken
  }

  /** @internal */
  over(plan: Plan, related: Related | undefined): KernelConsumer {
    // Both forms take the same queries, whatever a body makes of its components.
    if (plan !== this.plan) {
      const { components, optional, variants } = this.loop
      kernelRuntime.expectColumns((variants[0] as Variant).kernel, components, optional, plan)
      this.plan = plan
    }
    return (this.current as Bound).over(plan, related)
  }

  private bind(state: WorldState): Bound {
    state.refuseWhileLocked('the first query.run of a compiled loop in a world')
    const { loop } = this
    // Only cursors can say which value of which field is refused: so both forms are one where they do.
    const isCompiled = loop.reason === undefined && (loop.insists || state.heap.cursorChecks === undefined)
    const bound = isCompiled
      ? loop.join(loop.variants.map((variant) => this.bindVariant(state, variant)))
      : new BoundBody(state, loop)
    this.bound.set(state, bound)
    return bound
  }

  private bindVariant(state: WorldState, { kernel, columns, resources }: Variant): BoundKernel {
    const { components, values } = this.loop
    const bindings: Record<string, readonly [unknown, string]> = {}
    for (const [name, [part, field]] of Object.entries(columns)) {
      bindings[name] = [components[part], field]
    }
    for (const [name, [value, field]] of Object.entries(resources)) {
      bindings[name] = [values?.[value], field]
    }
    const runnable = { ...kernel, runtime: kernelRuntime } as unknown as Kernel
    return createKernel(state.world as World, runnable, bindings as never)
  }
}
