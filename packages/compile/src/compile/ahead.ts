// Owns what the plugin for Vite and Rollup puts in place of `compile` where it has compiled a loop. It must never reach the
// compiler, nor what checks declarations in words: both were done at the build, and here declarations are compared.

import type { BoundKernel } from '../../../../bindings/index'
import type { Definition } from '../../../../bindings/components/definition'
import type { Bound } from './boundBody'
import { RunnableLoop, type LoopDescription } from './compiledLoop'
import type { CompileOptions } from './declared'
import { whyNotHere } from './form'
import { type AheadLoop, checkTable, checkTrial, componentIn, wordsOf } from './table'
import { trialOf } from './trial'
import { BoundVariants } from './variants'
import type { Variant } from '../loopCompiler/make'

/**
 * What the plugin for Vite and Rollup puts in place of a `compile` without optional components. You do not call it.
 *
 * @throws StrataTypeError INVALID_BINDING where the table was made for other declarations
 */
export function compiledAhead(table: unknown, components: readonly unknown[], ...rest: unknown[]): unknown {
  return loopOf(table as AheadLoop, [], ([kernel]) => kernel as BoundKernel, components, rest)
}

/**
 * What the plugin for Vite and Rollup puts in place of a `compile` with optional components. You do not call it.
 *
 * @throws StrataTypeError INVALID_BINDING where the table was made for other declarations
 */
export function compiledVariantsAhead(
  table: unknown,
  components: readonly unknown[],
  ...rest: unknown[]
): unknown {
  const optional = components.flatMap((part, k) => (isOptional(part) ? [k] : []))
  const definitions = optional.map((part) => componentIn(components[part]) as Definition)
  const join = (kernels: readonly BoundKernel[]): Bound => new BoundVariants(kernels, definitions)
  return loopOf(table as AheadLoop, optional, join, components, rest)
}

function isOptional(part: unknown): boolean {
  return (part as { readonly operator?: unknown }).operator !== undefined
}

function loopOf(
  table: AheadLoop,
  optional: LoopDescription['optional'],
  join: LoopDescription['join'],
  components: readonly unknown[],
  rest: readonly unknown[],
): RunnableLoop {
  const [values, body, options] = (typeof rest[0] === 'function' ? [undefined, ...rest] : rest) as [
    LoopDescription['values'],
    LoopDescription['body'],
    CompileOptions | undefined,
  ]
  checkTable(table, wordsOf(components, values, options?.result))
  const { variants, writes } = table
  const parts = components.map(componentIn)
  const why = whyNotHere((variants[0] as Variant).kernel.kernel, options ?? {})
  // One that runs as JavaScript is what the program gives, and may be for a debugger.
  if (why === undefined) checkTrial(table, trialOf(components, values, body, options?.result !== undefined))
  const written = (): Definition[][] =>
    writes.map((variant) => variant.map((part) => parts[part] as Definition))
  const insists = options?.mode === 'compiled'
  return new RunnableLoop({
    components: parts,
    optional,
    values,
    body,
    variants,
    reason: why,
    insists,
    written,
    join,
  })
}
