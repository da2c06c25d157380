// Owns what a value of the language is, whichever realm made it: a frame, a context of node:vm and Jest have classes of their
// own, so `instanceof Float32Array` is false for a Float32Array of theirs. Only this file asks about such classes: a lint rule
// refuses it elsewhere.

/** Reads a property that all typed arrays inherit: whatever a class that extends one says, it tells what the array is. */
function reader(name: PropertyKey): (value: unknown) => unknown {
  const inherited = Object.getPrototypeOf(Uint8Array.prototype) as object
  const property = Object.getOwnPropertyDescriptor(inherited, name)
  return (value): unknown => property?.get?.call(value)
}

const readKind = /* @__PURE__ */ reader(Symbol.toStringTag)
const readLength = /* @__PURE__ */ reader('length')

/** The kind of a typed array, such as 'Float32Array'; undefined for all else. Runs no code of the value. */
export function arrayKind(value: unknown): string | undefined {
  return readKind(value) as string | undefined
}

/** The length that a typed array really has. */
export function lengthOf(array: unknown): number {
  return readLength(array) as number
}

/** The kind of any value as the language names it: 'Map', 'Error', 'AsyncFunction', 'Object'. May run a getter of the value. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

/** The name of what was thrown, such as 'RangeError'; undefined if it has no name. */
export function errorName(thrown: unknown): unknown {
  return (Object(thrown) as { readonly name?: unknown }).name
}

/** What an error, or whatever else was thrown, says. Never throws, whatever it is given. */
export function messageOf(error: unknown): string {
  try {
    const { message } = Object(error) as { readonly message?: unknown }
    return typeof message === 'string' ? message : String(error)
  } catch {
    return 'something that cannot be turned into text'
  }
}

/** Whether a value is an object as { } writes it, or one without a prototype: an instance of no class. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const parent = Object.getPrototypeOf(value) as object | null
  return parent === null || (Object.getPrototypeOf(parent) === null && Object.hasOwn(parent, 'isPrototypeOf'))
}
