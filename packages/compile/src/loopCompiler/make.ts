// Owns the way from the shape of a loop to a kernel. It needs no world and no declarations: the plugin compiles ahead with it.

import { errorName } from '../../../../bindings/memory/realms'
import type { KernelDescription, KernelParameter } from '../../../../bindings/kernels/kernel'
import { COMPILED, FORMAT, MAX_PARAMETERS } from '../../../../bindings/kernels/kernelFormat'
import { moduleOf } from './module'
import { Refusal, asError, refusedError } from './refusal'
import type { ComponentShape, LoopShape, ScalarShape } from './shapes'
import { TOO_LARGE, trace } from './trace'
import type { Traced } from './traced'
import { Work } from './work'

/** A loop as plain data: of n optional components it has 2^n variants. */
export interface MadeLoop {
  /** By the components that are absent: bit k stands for the k-th optional one. */
  readonly variants: readonly Variant[]
}

/** A kernel as plain data, and what its parameters mean. */
export interface Variant {
  readonly kernel: KernelDescription
  /** For each parameter that is a column: which parameter of the body, and which field. */
  readonly columns: Readonly<Record<string, readonly [part: number, field: string]>>
  /** For each parameter that is a field of a resource: which of the values, and which field. */
  readonly resources: Readonly<Record<string, readonly [value: string, field: string]>>
}

/** Each doubles the code. */
const MOST_OPTIONAL = 4

/**
 * Compiles a loop.
 *
 * @throws StrataTypeError COMPILE_REFUSED
 */
export function make(shape: LoopShape): MadeLoop {
  try {
    return makeOrRefuse(shape)
  } catch (error) {
    throw error instanceof Refusal ? asError(error) : error
  }
}

/**
 * Compiles a loop, for a caller that shows the place of a refusal in its own way.
 *
 * @throws Refusal; StrataTypeError COMPILE_REFUSED where no place is to blame
 */
export function makeOrRefuse(shape: LoopShape, work = new Work()): MadeLoop {
  const optional = shape.parts.flatMap((part, k) => (part !== 'entity' && part.isOptional ? [k] : []))
  if (optional.length > MOST_OPTIONAL)
    throw refusedError(
      `${shape.body.name} has ${optional.length} optional components, and at most ${MOST_OPTIONAL} can be.`,
    )
  try {
    const variants = Array.from({ length: 1 << optional.length }, (_, bits) =>
      variant(shape, trace(shape, new Set(optional.filter((__, k) => (bits >> k) & 1)), work)),
    )
    return { variants }
  } catch (error) {
    // What is written may be deeper than the stack, or need more locals than a function of wasm has.
    if (errorName(error) === 'RangeError') throw refusedError(`${shape.body.name}: ${TOO_LARGE}`)
    throw error
  }
}

function variant(shape: LoopShape, traced: Traced): Variant {
  const columns: Record<string, [number, string]> = {}
  const resources: Record<string, [string, string]> = {}
  const parameters: KernelParameter[] = []
  const taken = new Set(traced.scalars)
  // A program's names may be those of others: each parameter has one of its own.
  const named = (wanted: string): string => {
    let name = wanted
    while (taken.has(name)) name += '´'
    taken.add(name)
    return name
  }
  for (const { part, field, isWritten } of traced.columns) {
    if (field === undefined) {
      parameters.push({ name: named('the handles'), role: 'entities' })
      continue
    }
    const { name: component, isOptional } = shape.parts[part] as ComponentShape
    const name = named(`${component}.${field.name}`)
    columns[name] = [part, field.name]
    const { kind } = field
    const column = { name, role: 'column', kind, length: field.vec || 1, writes: isWritten } as const
    parameters.push(isOptional ? { ...column, isOptional } : column)
  }
  for (const name of traced.scalars) {
    const { scalar } = (shape.values as Record<string, ScalarShape>)[name] as ScalarShape
    parameters.push({ name, role: 'scalar', kind: scalar })
  }
  for (const { name: value, field } of traced.held) {
    const name = named(`${value}.${field.name}`)
    resources[name] = [value, field.name]
    parameters.push({ name, role: 'resource', kind: field.kind, writes: false })
  }
  const { body, result } = shape
  if (parameters.length > MAX_PARAMETERS)
    throw refusedError(
      `${body.name} uses ${parameters.length} fields and values of a run, and a kernel takes at most ${MAX_PARAMETERS}: make two of it.`,
    )
  const code = { file: COMPILED, bytes: moduleOf(traced, body.name, result).base64() }
  return { kernel: { kernel: body.name, format: FORMAT, code, parameters, result }, columns, resources }
}
