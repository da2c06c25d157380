// Owns how the sentences of errors name any value. It must never throw, nor run code of the value's own without a net:
// what is described may be hostile.

/** Any value, in a sentence; never throws. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  const unnamed = typeof value === 'function' ? 'a function' : 'an object'
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value)
  try {
    return Array.isArray(value) ? 'a list' : (describeDeclared(value) ?? unnamed)
  } catch {
    // A getter or a proxy of the user's.
    return unnamed
  }
}

/** What an object or function looks like that may have been declared, by the properties that it has then. */
interface Declared {
  readonly kind?: unknown
  readonly componentName?: unknown
  readonly resourceName?: unknown
  readonly component?: Declared
}

/** A component, a component with values or a resource by its name; undefined for everything else. */
function describeDeclared({ kind, componentName, resourceName, component }: Declared): string | undefined {
  if (kind === 'resource') return `the resource ${String(resourceName)}`
  if (typeof componentName === 'string')
    return `the ${kind === 'object' ? 'object component' : String(kind)} ${componentName}`
  if (typeof component?.componentName !== 'string') return undefined
  return `${component.componentName}(${component.kind === 'component' ? '{ … }' : '…'})`
}
