// Owns a body in a world where it runs as JavaScript: what it is given, and the run over a query.

import { kernelRuntime } from '../../../../bindings/index'
import type { ResourceDeclaration } from '../../../../bindings/components/resourceDeclaration'
import type { BoundKernel } from '../../../../bindings/kernels/boundKernel'
import type { ScalarKind, ScalarParameter } from '../../../../bindings/kernels/kernel'
import type { KernelConsumer } from '../../../../bindings/kernels/parentParameters'
import type { Scalars } from '../../../../bindings/kernels/scalars'
import { StrataError } from '../../../../bindings/memory/errors'
import type { WorldState } from '../../../../bindings/state/worldState'
import type { Variant } from '../loopCompiler/make'
import type { LoopDescription } from './compiledLoop'
import { type Body, RowByRow } from './rowByRow'

/** What a compiled loop is in a world. */
export type Bound = Pick<BoundKernel, 'check' | 'over'>

/** The world as a body calls it. */
interface ResourceWorld {
  resource(resource: unknown): unknown
  hasResource(resource: unknown): boolean
}

export class BoundBody implements Bound {
  private readonly body: Body
  private readonly scalars: Scalars
  private readonly kinds: readonly ScalarParameter[]
  private readonly resources: readonly ResourceDeclaration[]
  private given: readonly unknown[] = []

  constructor(
    private readonly state: WorldState,
    private readonly loop: LoopDescription,
  ) {
    const { components, optional, values, body: call, variants } = loop
    const { kernel } = variants[0] as Variant
    this.body = { components, optional, written: loop.written(), call, result: kernel.result }
    this.kinds = kernel.parameters.filter((each) => each.role === 'scalar')
    this.scalars = kernelRuntime.scalars(kernel)
    this.resources = Object.values(values ?? {}).filter(isResource)
    for (const declaration of this.resources) (state.world as ResourceWorld).resource(declaration)
  }

  check(state: WorldState, operation: string, values: unknown): Float64Array {
    const taken = this.scalars.take(values)
    for (const declaration of this.resources) {
      if ((state.world as ResourceWorld).hasResource(declaration)) continue
      const { resourceName } = declaration
      throw new StrataError(
        'MISSING_RESOURCE',
        `${operation}: the compiled loop reads ${resourceName}, which was removed: call world.resource(${resourceName}) first.`,
      )
    }
    this.given = this.givenFor(taken)
    return taken
  }

  over(): KernelConsumer {
    return new RowByRow(this.state, this.body, this.given)
  }

  /** The last argument of the body. */
  private givenFor(taken: Float64Array): readonly unknown[] {
    const { values } = this.loop
    if (values === undefined) return []
    const given = Object.entries(values).map(([name, value]): [string, unknown] => {
      const k = this.kinds.findIndex((each) => each.name === name)
      if (k >= 0) return [name, asGiven((this.kinds[k] as ScalarParameter).kind, taken[k] as number)]
      return [name, isResource(value) ? (this.state.world as ResourceWorld).resource(value) : value]
    })
    return [Object.fromEntries(given)]
  }
}

function isResource(value: unknown): value is ResourceDeclaration {
  return (value as Partial<ResourceDeclaration>).resourceName !== undefined
}

/** A number as the compiled form has it: an integer is never -0. */
function asGiven(kind: ScalarKind, value: number): number | boolean {
  if (kind === 'bool') return value !== 0
  return kind === 'f32' ? Math.fround(value) : kind === 'f64' ? value : value + 0
}
