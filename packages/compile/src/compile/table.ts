// Owns the table that the plugin for Vite and Rollup writes for a loop which it compiled ahead: the loop as plain data, with the
// declarations that it was compiled for, in words.

import { StrataTypeError } from '../../../../bindings/memory/errors'
import type { Definition } from '../../../../bindings/components/definition'
import type { Field } from '../../../../bindings/components/fields'
import type { MadeLoop } from '../loopCompiler/make'
import { vecLength } from '../loopCompiler/shapes'

/** A loop that was compiled ahead. */
export interface AheadLoop extends MadeLoop {
  /** What it was compiled for: see `wordsOf`. */
  readonly for: readonly string[]
  /** What its functions left in rows that are made up: see `trialOf`. */
  readonly trial: number
  /** For each variant the parts whose components the body assigns to: see `writtenIn`. */
  readonly writes: readonly (readonly number[])[]
}

/** Whatever stands in a list of components or among the values, by what it may have. */
export interface GivenPart extends Partial<Definition> {
  readonly read?: Definition
  readonly operator?: string
  readonly components?: readonly Definition[]
  readonly resourceName?: string
}

/** The component of a part; undefined for `entity`. */
export function componentIn(part: unknown): Definition | undefined {
  const { read, components } = part as GivenPart
  return read ?? components?.[0] ?? (typeof part === 'function' ? (part as unknown as Definition) : undefined)
}

/**
 * What decides what a body is compiled to, in words: its parts, its values by name, and its result. With the same words and
 * the same functions a body is compiled to the same code.
 */
export function wordsOf(
  components: readonly unknown[],
  values: object | undefined,
  result: string | undefined,
): string[] {
  return [
    ...components.map(wordsFor),
    ...Object.entries(values ?? {}).map(([name, value]) => `${name}: ${wordsFor(value)}`),
    `result: ${result ?? 'none'}`,
  ]
}

function wordsFor(given: unknown): string {
  if (Object.is(given, -0)) return '-0'
  const { kind, read, operator, components, schema, componentName, resourceName } = (given ?? {}) as GivenPart
  const declared = read ?? components?.[0]
  if (declared) return `${operator ?? 'read'}(${wordsFor(declared)})`
  const name = componentName ?? resourceName
  if (name !== undefined)
    return `${name} { ${Object.entries(schema ?? {})
      .map(wordsOfField)
      .join(', ')} }`
  return typeof given === 'function' ? 'a function' : String(kind ?? given)
}

function wordsOfField([name, field]: [string, Field]): string {
  const length = vecLength(field)
  return `${name}: ${length > 0 ? `vec(${field.kind}, ${length})` : field.kind}`
}

/**
 * Refuses a table that was made for declarations other than the ones in the program.
 *
 * @throws StrataTypeError INVALID_BINDING
 */
export function checkTable({ for: before, variants }: AheadLoop, now: readonly string[]): void {
  const stale = [...before, ...now].findIndex((_, k) => before[k] !== now[k])
  if (stale < 0) return
  throw new StrataTypeError(
    'INVALID_BINDING',
    `compile: ${variants[0]?.kernel.kernel} was compiled ahead for ${before[stale] ?? 'less'}, and the program has ${now[stale] ?? 'less'}: build it again.`,
  )
}

/**
 * Refuses a table that was made from functions other than the ones in the program.
 *
 * @throws StrataTypeError INVALID_BINDING
 */
export function checkTrial(table: AheadLoop, now: number): void {
  checkTable({ ...table, for: [left(table.trial)] }, [left(now)])
}

const left = (trial: number): string => `functions that compute ${trial}`

/** For each variant of a loop the parts whose components it assigns to. */
export function writtenIn({ variants }: MadeLoop): number[][] {
  return variants.map(({ kernel, columns }) => {
    const written = new Set<number>()
    for (const { name, ...parameter } of kernel.parameters)
      if (parameter.role === 'column' && parameter.writes) written.add(columns[name]?.[0] as number)
    return [...written].sort((a, b) => a - b)
  })
}
