// Owns the check of what a program declares for a compiled loop, and the shapes that the compiler knows of it. This entry stands
// on the library as a module of its own: declarations are told by what they have, and createKernel looks at them once more.

import type { Definition } from '../../../../bindings/components/definition'
import type { Field } from '../../../../bindings/components/fields'
import { checkOptions } from '../../../../bindings/memory/arguments'
import { describe } from '../../../../bindings/memory/describe'
import { StrataTypeError } from '../../../../bindings/memory/errors'
import {
  type FieldShape,
  type FunctionShape,
  type PartShape,
  type ScalarShape,
  type ValueShape,
  vecLength,
} from '../loopCompiler/shapes'

/** A parameter of the body, with what it was declared as. */
export interface DeclaredPart {
  /** Undefined for the handle. */
  readonly component: Definition | undefined
  readonly shape: PartShape
}

/** One of the values, with what it was declared as. */
export interface DeclaredValue {
  readonly declared: unknown
  readonly shape: DeclaredShape
}

/** What is known of a value without the source of a function: only the compiler needs that. */
export type DeclaredShape = Exclude<ValueShape, FunctionShape> | 'function'

export interface CompileOptions {
  /**
   * 'javascript' runs the body as it is, row by row, for breakpoints; 'compiled' throws where it cannot be compiled, and runs
   * compiled over the checked core, too, which then does not check values. By default it is compiled wherever that is possible,
   * and runs as JavaScript in worlds over the checked core.
   */
  readonly mode?: 'compiled' | 'javascript'
  /** How the numbers that the body returns become the result of a run; 'count' counts rows for which it is true. */
  readonly result?: 'sum' | 'min' | 'max' | 'count'
}

/** What compile was given. */
export interface DeclaredLoop {
  readonly parts: readonly DeclaredPart[]
  /** In their order; undefined where the body is given none. */
  readonly values: ReadonlyMap<string, DeclaredValue> | undefined
  readonly body: (...given: unknown[]) => unknown
  readonly options: CompileOptions
}

const SCALAR = /^(?:[fiu]32|f64|bool|entity)$/
/** What a value may have that is a field type or a resource. */
interface GivenField {
  readonly kind?: unknown
  readonly length?: unknown
  readonly schema?: Readonly<Record<string, Field>>
  readonly resourceName?: string
}

const MODES: readonly unknown[] = ['compiled', 'javascript', undefined]
const RESULTS: readonly unknown[] = ['sum', 'min', 'max', 'count', undefined]

/**
 * The arguments of compile, checked and read once.
 *
 * @throws StrataTypeError INVALID_BINDING, INVALID_OPTION
 */
export function declared(components: unknown, ...rest: unknown[]): DeclaredLoop {
  if (!Array.isArray(components))
    throw invalid(`takes a list of components first, not ${describe(components)}`)
  const hasValues = typeof rest[0] !== 'function'
  const [values, body, options] = hasValues ? rest : [undefined, ...rest]
  if (typeof body !== 'function') throw invalid(`takes a function for each row, not ${describe(body)}`)
  if (hasValues && (typeof values !== 'object' || values === null))
    throw invalid(`takes the values as an object, { dt: f32 }, not ${describe(values)}`)
  checkOptions('compile', options, ['mode', 'result'])
  const { mode, result } = (options ?? {}) as CompileOptions
  if (!MODES.includes(mode)) throw invalidOption('mode', "'compiled' or 'javascript'", mode)
  if (!RESULTS.includes(result)) throw invalidOption('result', "'sum', 'min', 'max' or 'count'", result)
  return {
    parts: partsOf(components),
    values: hasValues ? valuesOf(values as object) : undefined,
    body: body as DeclaredLoop['body'],
    options: { ...(mode && { mode }), ...(result && { result }) },
  }
}

function partsOf(components: readonly unknown[]): DeclaredPart[] {
  const parts = components.map((part: unknown) => partOf(part))
  const met = new Set<string>()
  for (const { component } of parts) {
    if (component === undefined) continue
    const { componentName } = component
    // Two parameters for the same memory: what is assigned to one, the other would have to show.
    if (met.has(componentName)) throw invalid(`was given ${componentName} twice`)
    met.add(componentName)
  }
  return parts
}

function partOf(part: unknown): DeclaredPart {
  const { read, operator, components, kind } = (part ?? {}) as {
    readonly read?: unknown
    readonly operator?: unknown
    readonly components?: readonly unknown[]
    readonly kind?: unknown
  }
  if (typeof part === 'object' && kind === 'entity') return { component: undefined, shape: 'entity' }
  const isOptional = operator === 'optional' && components?.length === 1
  const named: unknown = isOptional ? components[0] : (read ?? part)
  const component = named as Definition | undefined
  if (typeof component !== 'function' || component.kind !== 'component' || !(component.fields?.length > 0))
    throw invalid(
      `takes components with fields, read(C), optional(C) of one component, and entity; got ${describe(part)}`,
    )
  const { componentName: name, fieldNames, fields } = component
  return {
    component,
    shape: { name, fields: fieldsOf(fieldNames, fields), isReadonly: read !== undefined, isOptional },
  }
}

function fieldsOf(names: readonly string[], fields: readonly Field[]): FieldShape[] {
  return names.map((name, k) => {
    const field = fields[k] as Field
    return { name, kind: field.kind, vec: vecLength(field) }
  })
}

function valuesOf(values: object): ReadonlyMap<string, DeclaredValue> {
  return new Map(
    Object.entries(values).map(([name, declared]: [string, unknown]) => [
      name,
      { declared, shape: valueOf(name, declared) },
    ]),
  )
}

function valueOf(name: string, value: unknown): DeclaredShape {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'function' && !('componentName' in value)) return 'function'
  const { kind, length, schema, resourceName } = (value ?? {}) as GivenField
  if (length === 1 && SCALAR.test(String(kind)))
    return { scalar: kind === 'entity' ? 'u32' : (kind as ScalarShape['scalar']) }
  if (resourceName !== undefined && schema !== undefined)
    return { resource: resourceName, fields: fieldsOf(Object.keys(schema), Object.values(schema)) }
  throw invalid(
    `takes for '${name}' a number or a boolean, f32, f64, i32, u32, bool or entity for what comes with each run, a resource with fields, or a function; got ${describe(value)}`,
  )
}

export function invalid(sentence: string): StrataTypeError {
  return new StrataTypeError('INVALID_BINDING', `compile ${sentence}.`)
}

function invalidOption(option: string, wanted: string, value: unknown): StrataTypeError {
  return new StrataTypeError('INVALID_OPTION', `compile: ${option} is ${wanted}, not ${describe(value)}.`)
}
