// Owns the entry 'strata-ecs/compile': a plain function over the fields of one row becomes a loop on the world's memory.

import type { BoundKernel } from '../index'
import { CompiledLoop as Loop } from './compiledLoop'
import { type CompileOptions, type Declared, declared, sourceOf } from './declared'
import { type Made, make } from '../loopCompiler/make'
import type { GivenOf, LoopValues, ParametersOf, Part, RunValuesOf } from './parts'
import type { FunctionShape, LoopShape, PartShape, ValueShape } from '../loopCompiler/shapes'

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
  /** How it runs: compiled, or as JavaScript. The bytes are the same. */
  readonly form: 'compiled' | 'javascript'
  /** Why it runs as JavaScript; undefined when it is compiled. */
  readonly why: string | undefined
}

/** Options of a loop without a result. */
export type LoopOptions = Omit<CompileOptions, 'result'>
type ResultOptions<R extends CompileOptions['result']> = CompileOptions & { readonly result: R }
type Returned<R> = R extends 'count' ? boolean : number

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
 * @param options `as: 'javascript'` runs the function as it is, for a debugger; `result` makes query.run return the
 *   sum, the least or the greatest of what the function returns, or the number of rows for which it is true
 * @throws StrataTypeError COMPILE_REFUSED with the place in the source, INVALID_BINDING, INVALID_OPTION
 * @example
 * const move = compile([Position, Velocity], { dt: f32 }, (position, velocity, { dt }) => {
 *   position.x += velocity.x * dt
 * })
 * moving.run(move, { dt: 1 / 60 })
 */
export function compile<const P extends readonly Part[], R extends 'sum' | 'min' | 'max' | 'count'>(
  components: P,
  body: (...parameters: ParametersOf<P>) => Returned<R> | void,
  options: ResultOptions<R>,
): CompiledLoop<Record<never, never>, number>
export function compile<const P extends readonly Part[]>(
  components: P,
  body: (...parameters: ParametersOf<P>) => void,
  options?: LoopOptions,
): CompiledLoop
export function compile<
  const P extends readonly Part[],
  const V extends LoopValues,
  R extends 'sum' | 'min' | 'max' | 'count',
>(
  components: P,
  values: V,
  body: (...parameters: [...ParametersOf<P>, GivenOf<V>]) => Returned<R> | void,
  options: ResultOptions<R>,
): CompiledLoop<V, number>
export function compile<const P extends readonly Part[], const V extends LoopValues>(
  components: P,
  values: V,
  body: (...parameters: [...ParametersOf<P>, GivenOf<V>]) => void,
  options?: LoopOptions,
): CompiledLoop<V>
export function compile(components: unknown, ...rest: unknown[]): unknown {
  const given = declared(components, ...rest)
  return loopOf(given, (shape) => make(shape))
}

/** What the plugin for Vite and Rollup puts in place of `compile` where it has compiled a loop. You do not call it. */
export function compiledAhead(made: unknown, components: unknown, ...rest: unknown[]): unknown {
  return loopOf(declared(components, ...rest), () => made as Made)
}

/** A name that a message, and the module as UTF-8, can show: a program can give its functions any. */
const NAME = /^[\p{ID_Continue}$ .#]{1,99}$/u

function loopOf(given: Declared, made: (shape: LoopShape) => Made): Loop {
  const { parts, values, body, options } = given
  const { name } = body as { readonly name: unknown }
  const source = sourceOf(body, typeof name === 'string' && NAME.test(name) ? name : 'the function')
  const shapes: PartShape[] = parts.map(({ shape }) => shape)
  const valueShapes =
    values && Object.fromEntries([...values].map(([name, { shape }]): [string, ValueShape] => [name, shape]))
  const shape: LoopShape = {
    parts: shapes,
    values: valueShapes,
    body: source,
    result: options.result ?? 'none',
  }
  const helpers = Object.values(valueShapes ?? {}).map(
    (each) => (each as Partial<FunctionShape>).source?.text,
  )
  // Its own comes last: how it ends says whether the engine keeps sources.
  return new Loop(given, source.name, [...helpers, source.text].join('\n'), () => made(shape))
}
