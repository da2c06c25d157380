// Owns the entry 'strata-ecs/compile': a plain function over the fields of one row becomes a loop on the world's memory.

import type { BoundKernel } from '../../../../bindings/index'
import type { Definition } from '../../../../bindings/components/definition'
import type { KernelDescription, ScalarParameter } from '../../../../bindings/kernels/kernel'
import { COMPILED, UNNAMED } from '../../../../bindings/kernels/kernelFormat'
import { RunnableLoop as Loop } from './compiledLoop'
import { type CompileOptions, type DeclaredLoop, declared } from './declared'
import { whyJavaScript } from './form'
import { shapeOf } from './shape'
import { calledSource, sourceOf } from './sources'
import { writtenIn } from './table'
import { BoundVariants } from './variants'
import { type MadeLoop, make } from '../loopCompiler/make'
import type { FunctionShape } from '../loopCompiler/shapes'
import type { AnyValues, GivenOf, ParametersOf, Part, RunValuesOf, ValuesOf } from './parts'

export { compiledAhead, compiledVariantsAhead } from './ahead'
export { read, type LoopValue, type LoopValues, type Part, type Read, type RunField } from './parts'
export type { CompileOptions } from './declared'

/**
 * A compiled loop. query.run takes it, in any world: over queries that require its components, with a value for each field
 * type among its values.
 */
export interface CompiledLoop<
  Values = Record<never, never>,
  Result extends void | number = void,
> extends BoundKernel<RunValuesOf<Values>, Result> {
  /**
   * How it runs: compiled, or as JavaScript. The bytes are the same. In worlds over the checked core it runs as JavaScript, unless it
   * was made with `mode: 'compiled'`: there the cursors that it is given refuse what they refuse in each.
   */
  readonly mode: 'compiled' | 'javascript'
  /** Why it runs as JavaScript; undefined when it is compiled. */
  readonly reason: string | undefined
}

/** Options of a loop without a result. */
export type LoopOptions = Omit<CompileOptions, 'result'>
/** What the body returns, and what a run returns. */
type Returned<O> = O extends { readonly result: infer R }
  ? (R extends 'count' ? boolean : number) | void
  : void
type LoopResult<O> = O extends { readonly result: string } ? number : void

/**
 * Compiles a plain function over the fields of one row to SIMD code that runs on the world's memory, four rows at a time. It
 * writes the bytes that the function would write as JavaScript, in every engine; bits of NaN are the one exception. Floats
 * are computed as f32 where Math.fround, or the field that is written, shows that the bits are the same, and as f64
 * elsewhere.
 *
 * The function may use numbers, booleans, local variables, if, ?:, switch, loops with a bound, Math as far as its bits are
 * the same everywhere, and what it is given: it sees no variables from around it. Query.run runs the loop, binds it
 * to the world of the query, and marks the components that it assigns to as changed. Cost: some milliseconds, once.
 *
 * @param components a component with fields for each parameter; read(C) if it is only read, optional(C) if some entities lack
 *   it, `entity` for the handle
 * @param values what the function receives as its last parameter, by name: f32, f64, i32, u32, bool or entity for what
 *   comes with each run, a number or boolean as a constant, a resource with fields, a function that it may call
 * @param body called, as it were, for each row
 * @param options `mode: 'javascript'` runs the function as it is, for a debugger; `result` makes query.run return the
 *   sum, the least or the greatest of what the function returns, or the number of rows for which it is true
 * @throws StrataTypeError COMPILE_REFUSED with the place in the source, INVALID_BINDING, INVALID_OPTION
 * @example
 * const move = compile([Position, Velocity], { dt: f32 }, (position, velocity, { dt }) => {
 *   position.x += velocity.x * dt
 * })
 * moving.run(move, { dt: 1 / 60 })
 */
export function compile<const P extends readonly Part[], const O extends CompileOptions = LoopOptions>(
  components: P,
  body: (...parameters: ParametersOf<P>) => Returned<O>,
  options?: O,
): CompiledLoop<Record<never, never>, LoopResult<O>>
export function compile<
  const P extends readonly Part[],
  const V extends AnyValues,
  const O extends CompileOptions = LoopOptions,
>(
  components: P,
  values: ValuesOf<V>,
  body: (...parameters: [...ParametersOf<P>, GivenOf<V>]) => Returned<O>,
  options?: O,
): CompiledLoop<V, LoopResult<O>>
export function compile(components: unknown, ...rest: unknown[]): unknown {
  const given = declared(components, ...rest)
  const { parts, values, body, options } = given
  const { name } = body as { readonly name: unknown }
  const source = sourceOf(body, typeof name === 'string' && NAME.test(name) ? name : UNNAMED)
  const shape = shapeOf(given, source, calledSource)
  const helpers = Object.values(shape.values ?? {}).map(
    (each) => (each as Partial<FunctionShape>).source?.text,
  )
  // Its own comes last: how it ends says whether the engine keeps sources.
  const text = [...helpers, source.text].join('\n')
  const why = whyJavaScript({ name: source.name, text }, options)
  const made = why === undefined ? make(shape) : attempt(() => make(shape))
  const optional = optionalOf(parts)
  const definitions = optional.map((part) => parts[part]?.component as Definition)
  return new Loop({
    components: parts.map(({ component }) => component),
    optional,
    values: values && Object.fromEntries([...values].map(([key, { declared }]) => [key, declared])),
    body,
    variants: (made ?? withoutCode(given, source.name)).variants,
    reason: why,
    insists: options.mode === 'compiled',
    written: () => writtenOf(given, made),
    join: (kernels) =>
      optional.length === 0 ? (kernels[0] as BoundKernel) : new BoundVariants(kernels, definitions),
  })
}

/** A name that a message, and the module as UTF-8, can show: a program can give its functions any. */
const NAME = /^[\p{ID_Continue}$ .#]{1,99}$/u

/** What is known of a body that is only run as JavaScript; a body for a debugger may hold anything. */
function attempt(make: () => MadeLoop): MadeLoop | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** What a body that is only run as JavaScript is given, as a kernel without code. */
function withoutCode({ values, options }: DeclaredLoop, name: string): MadeLoop {
  const parameters: ScalarParameter[] = []
  for (const [scalar, { shape }] of values ?? [])
    if (typeof shape === 'object' && 'scalar' in shape)
      parameters.push({ name: scalar, role: 'scalar', kind: shape.scalar })
  const code = { file: COMPILED, bytes: '' }
  const result = options.result ?? 'none'
  const kernel: KernelDescription = { kernel: name, format: 0, code, parameters, result }
  return { variants: [{ kernel, columns: {}, resources: {} }] }
}

/** For each variant the components that the body assigns to; where it was not compiled, every one that it may assign to. */
function writtenOf({ parts }: DeclaredLoop, made: MadeLoop | undefined): Definition[][] {
  const all = parts.flatMap(({ shape }, part) => (shape !== 'entity' && !shape.isReadonly ? [part] : []))
  const written = made ? writtenIn(made) : new Array<number[]>(1 << optionalOf(parts).length).fill(all)
  return written.map((variant) => variant.map((part) => parts[part]?.component as Definition))
}

/** Numbers of the parts that are optional. */
function optionalOf(parts: DeclaredLoop['parts']): number[] {
  return parts.flatMap(({ shape }, part) => (shape !== 'entity' && shape.isOptional ? [part] : []))
}
