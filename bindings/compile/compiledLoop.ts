// Owns a compiled loop once it is made: it binds itself in each world that it meets, and runs there as a kernel or as
// JavaScript. It never reaches the compiler, which programs whose loops are compiled ahead do not carry.

import { kernelRuntime } from '../index'
import type { Definition } from '../components/definition'
import type { ResourceDeclaration } from '../components/resource'
import type { BoundKernel } from '../kernels/binding'
import { COMPILED, type KernelDescription, type ScalarParameter } from '../kernels/kernel'
import type { Run } from '../kernels/parents'
import { BOUND } from '../kernels/mark'
import { Scalars } from '../kernels/scalars'
import type { Related } from '../matching/filters'
import type { Plan } from '../matching/plan'
import { StrataError, StrataTypeError } from '../memory/errors'
import type { WorldState } from '../rows/worldState'
import type { Declared } from './declared'
import { whyJavaScript } from './form'
import type { Made, Variant } from '../loopCompiler/make'
import { type Body, RowByRow } from './rowByRow'
import { BoundVariants } from './variants'

/** The world as a compiled loop calls it. */
interface World {
  kernel(kernel: KernelDescription, columns: object): BoundKernel
  resource(resource: unknown): unknown
  hasResource(resource: unknown): boolean
}

type Bound = Pick<BoundKernel, 'check' | 'over'>

export class CompiledLoop {
  /** @internal */
  readonly [BOUND] = true
  readonly form: 'compiled' | 'javascript'
  readonly why: string | undefined
  /** By world: a world that is gone takes what was bound with it. */
  private readonly bound = new WeakMap<WorldState, Bound>()
  private current: Bound | undefined
  /** Undefined where the body runs as JavaScript without having been compiled. */
  private readonly made: Made | undefined

  constructor(
    private readonly declared: Declared,
    name: string,
    text: string,
    make: () => Made,
  ) {
    const { options } = declared
    this.why = whyJavaScript(name, text, options)
    this.form = this.why === undefined ? 'compiled' : 'javascript'
    this.made = this.why === undefined ? make() : attempt(make)
  }

  toString(): string {
    return `CompiledLoop(${this.form})`
  }

  /** @internal What query.run asks first. */
  check(state: WorldState, operation: string, values: unknown): Float64Array {
    if (operation !== 'query.run')
      throw new StrataTypeError(
        'INVALID_BINDING',
        `${operation}: a compiled loop takes rows: run it over those of a query, with query.run.`,
      )
    const bound = this.bound.get(state) ?? this.bind(state)
    const taken = bound.check(state, operation, values)
    // Reading the values may have run this loop elsewhere.
    this.current = bound
    return taken
  }

  /** @internal */
  over(plan: Plan, related: Related | undefined): Run {
    return (this.current as Bound).over(plan, related)
  }

  private bind(state: WorldState): Bound {
    state.refuseWhileLocked('the first query.run of a compiled loop in a world')
    const bound =
      this.form === 'compiled' ? this.bindKernel(state) : new BoundBody(state, this.declared, this.made)
    this.bound.set(state, bound)
    return bound
  }

  private bindKernel(state: WorldState): Bound {
    const { variants } = this.made as Made
    const kernels = variants.map((variant) => this.bindVariant(state, variant))
    const { parts } = this.declared
    const optional = optionalOf(parts)
    if (optional.length === 0) return kernels[0] as BoundKernel
    return new BoundVariants(
      kernels,
      optional.map((part) => parts[part]?.component as Definition),
    )
  }

  private bindVariant(state: WorldState, { kernel, columns, resources }: Variant): BoundKernel {
    const { parts, values } = this.declared
    const bindings: Record<string, readonly [unknown, string]> = {}
    for (const [name, [part, field]] of Object.entries(columns))
      bindings[name] = [parts[part]?.component, field]
    for (const [name, [value, field]] of Object.entries(resources))
      bindings[name] = [values?.get(value)?.declared, field]
    return (state.world as World).kernel({ ...kernel, runtime: kernelRuntime } as KernelDescription, bindings)
  }
}

/** What is known of a body that is only run as JavaScript; a body for a debugger may hold anything. */
function attempt(make: () => Made): Made | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** A body in a world, which runs as JavaScript. */
class BoundBody implements Bound {
  private readonly body: Body
  private readonly scalars: Scalars
  private readonly kinds: readonly ScalarParameter[]
  private given: readonly unknown[] = []

  constructor(
    private readonly state: WorldState,
    private readonly declared: Declared,
    made: Made | undefined,
  ) {
    const { parts, body: call, options } = declared
    const components = parts.map(({ component }) => component)
    const result = options.result ?? 'none'
    const written = writtenOf(declared, made)
    this.body = { components, optional: optionalOf(parts), written, call, result }
    this.kinds = scalarsOf(declared)
    const code = { file: COMPILED, bytes: '' }
    this.scalars = new Scalars({ kernel: call.name, format: 0, code, parameters: this.kinds, result })
    for (const declaration of this.resources()) (state.world as World).resource(declaration)
  }

  private resources(): ResourceDeclaration[] {
    const values = [...(this.declared.values ?? new Map()).values()]
    return values
      .filter(({ shape }) => typeof shape === 'object' && 'resource' in shape)
      .map(({ declared }) => declared as ResourceDeclaration)
  }

  check(state: WorldState, operation: string, values: unknown): Float64Array {
    const taken = this.scalars.take(values)
    for (const declaration of this.resources()) {
      if ((state.world as World).hasResource(declaration)) continue
      throw new StrataError(
        'MISSING_RESOURCE',
        `${operation}: the compiled loop reads the resource ${declaration.resourceName}, which is not there any more: make it again, with world.resource(${declaration.resourceName}), before the run.`,
      )
    }
    this.given = this.givenFor(taken)
    return taken
  }

  over(): Run {
    return new RowByRow(this.state, this.body, this.given)
  }

  /** The last argument of the body. */
  private givenFor(taken: Float64Array): readonly unknown[] {
    const { values } = this.declared
    if (values === undefined) return []
    const given = [...values].map(([name, { declared, shape }]): [string, unknown] => {
      const scalar = this.kinds.findIndex((each) => each.name === name)
      if (scalar >= 0)
        return [name, asGiven((this.kinds[scalar] as ScalarParameter).kind, taken[scalar] as number)]
      const isResource = typeof shape === 'object' && 'resource' in shape
      return [name, isResource ? (this.state.world as World).resource(declared) : declared]
    })
    return [Object.fromEntries(given)]
  }
}

/** A number as the compiled form has it: an integer is never -0. */
function asGiven(kind: ScalarParameter['kind'], value: number): number | boolean {
  if (kind === 'bool') return value !== 0
  return kind === 'f32' ? Math.fround(value) : kind === 'f64' ? value : value + 0
}

function scalarsOf({ values }: Declared): ScalarParameter[] {
  const list: ScalarParameter[] = []
  for (const [name, { shape }] of values ?? [])
    if (typeof shape === 'object' && 'scalar' in shape)
      list.push({ name, role: 'scalar', kind: shape.scalar })
  return list
}

/** For each variant the components that the body assigns to; where it was not compiled, every one that it may assign to. */
function writtenOf({ parts }: Declared, made: Made | undefined): Definition[][] {
  const assigned = (isWritten: (part: number) => boolean): Definition[] =>
    parts.filter((_, part) => isWritten(part)).map(({ component }) => component as Definition)
  if (made === undefined) {
    const all = assigned((part) => {
      const { shape } = parts[part] as Declared['parts'][number]
      return shape !== 'entity' && !shape.isReadonly
    })
    return new Array<Definition[]>(1 << optionalOf(parts).length).fill(all)
  }
  return made.variants.map(({ kernel, columns }) =>
    assigned((part) =>
      kernel.parameters.some(
        (parameter) =>
          parameter.role === 'column' && parameter.writes && columns[parameter.name]?.[0] === part,
      ),
    ),
  )
}

/** Numbers of the parts that are optional. */
function optionalOf(parts: Declared['parts']): number[] {
  return parts.flatMap(({ shape }, part) => (shape !== 'entity' && shape.isOptional ? [part] : []))
}
