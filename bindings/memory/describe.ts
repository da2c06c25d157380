// Owns how the sentences of errors name any value. It must never throw, nor run code of the value's own outside a try block: the
// value may be hostile.

import { StrataTypeError } from './errors'
import { kindOf } from './realms'

/** Any value, in a sentence; never throws. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  const unnamed = typeof value === 'function' ? 'a function' : 'an object'
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value)
  try {
    if (Array.isArray(value)) return 'a list'
    const named = describeDeclared(value) ?? describeKind(value) ?? unnamed
    return named + (isOfOtherCopy(value) ? ' of another copy of strata-ecs (dedupe it)' : '')
  } catch {
    // A getter or a proxy of the user's.
    return unnamed
  }
}

/** What the language calls an object that is no plain one, such as 'a Float32Array', 'an Error'. */
function describeKind(value: object): string | undefined {
  const kind = kindOf(value)
  return /Object|Function/.test(kind) ? undefined : (/^[AEIO]/.test(kind) ? 'an ' : 'a ') + kind
}

/** What an object or function looks like that may have been declared, by the properties that it has then. */
interface MaybeDeclared {
  readonly kind?: string
  readonly componentName?: unknown
  readonly resourceName?: string
  readonly component?: MaybeDeclared
}

/** A component, a component with values or a resource by its name; undefined for everything else. */
function describeDeclared({
  kind,
  componentName,
  resourceName,
  component,
}: MaybeDeclared): string | undefined {
  if (kind === 'resource') return `the resource ${resourceName}`
  if (typeof componentName === 'string')
    return `the ${kind === 'object' ? 'object component' : kind} ${componentName}`
  if (typeof component?.componentName !== 'string') return undefined
  return `${component.componentName}(${component.kind === 'component' ? '{ … }' : '…'})`
}

interface MadeShape {
  /** The class of errors of the copy of the library that made it: a program may have loaded two. */
  readonly strataCopy?: unknown
  /** Of a component. */
  readonly details?: MadeShape | undefined
  /** Of a component with values. */
  readonly component?: MadeShape | undefined
  /** Of a term. */
  readonly components?: readonly MadeShape[] | undefined
}

/** Whether another copy of the library made it. Only a refusal asks: a call that succeeds costs nothing. */
export function isOfOtherCopy(value: MadeShape): boolean {
  const { details = value } = value.component ?? value.components?.[0] ?? value
  return (details.strataCopy ?? StrataTypeError) !== StrataTypeError
}
