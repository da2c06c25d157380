// Gives tests the `expect` that they import from vitest: the same assertions, compared before vitest is asked, because vitest
// takes some 30 µs to prepare one and tests in loops make millions that hold. What is not known to hold here goes to vitest, so
// every shortcut must be stricter than its assertion.

import * as vitest from 'vitest'

type Dictionary = Record<PropertyKey, unknown>

/** Deeper values are vitest's to compare, circles among them. */
const DEEPEST = 8

/** Whether two values are equal in every way that `toEqual` looks at. `false` means only that vitest must look. */
function areSame(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth === DEEPEST)
    return false
  const prototype: unknown = Object.getPrototypeOf(a)
  if (prototype !== Object.getPrototypeOf(b)) return false
  if (prototype === Array.prototype) return areSameArrays(a as unknown[], b as unknown[], depth)
  if (prototype === Object.prototype) return areSameObjects(a as Dictionary, b as Dictionary, depth)
  return ArrayBuffer.isView(a) && !(a instanceof DataView) && areSameItems(a as never, b as never)
}

function areSameItems(a: Float64Array, b: Float64Array): boolean {
  const { length } = a
  if (length !== b.length) return false
  for (let i = 0; i < length; i++) if (!Object.is(a[i], b[i])) return false
  // Nobody has hung anything on them.
  return Object.keys(a).length === length && Object.keys(b).length === length
}

function areSameArrays(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  const { length } = a
  if (length !== b.length) return false
  for (let i = 0; i < length; i++) if (!areSame(a[i], b[i], depth + 1)) return false
  // Neither has holes, nor names beside its items.
  return Object.keys(a).length === length && Object.keys(b).length === length
}

function areSameObjects(a: Dictionary, b: Dictionary, depth: number): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names) if (!Object.hasOwn(b, name) || !areSame(a[name], b[name], depth + 1)) return false
  return Object.getOwnPropertySymbols(a).length + Object.getOwnPropertySymbols(b).length === 0
}

const isNumber = (value: unknown) => typeof value === 'number'

/** An assertion that is not made yet. */
class Assertion {
  constructor(
    readonly value: unknown,
    readonly message: string | undefined,
  ) {}

  get not(): Opposite {
    return new Opposite(this)
  }

  toBe(expected: unknown): void {
    if (!Object.is(this.value, expected)) asked(this).toBe(expected)
  }

  toEqual(expected: unknown): void {
    if (!areSame(this.value, expected)) asked(this).toEqual(expected)
  }

  toBeUndefined(): void {
    if (this.value !== undefined) asked(this).toBeUndefined()
  }

  toContain(item: unknown): void {
    const { value } = this
    const contains = Array.isArray(value) || (typeof value === 'string' && typeof item === 'string')
    if (!contains || value.indexOf(item as string) < 0) asked(this).toContain(item)
  }

  toBeGreaterThan(least: number): void {
    if (!isNumber(this.value) || !isNumber(least) || !(Number(this.value) > least))
      asked(this).toBeGreaterThan(least)
  }

  toBeGreaterThanOrEqual(least: number): void {
    if (!isNumber(this.value) || !isNumber(least) || !(Number(this.value) >= least))
      asked(this).toBeGreaterThanOrEqual(least)
  }

  toBeLessThan(most: number): void {
    if (!isNumber(this.value) || !isNumber(most) || !(Number(this.value) < most))
      asked(this).toBeLessThan(most)
  }

  toBeLessThanOrEqual(most: number): void {
    if (!isNumber(this.value) || !isNumber(most) || !(Number(this.value) <= most))
      asked(this).toBeLessThanOrEqual(most)
  }
}

/** The opposite of an assertion, not made yet either. */
class Opposite {
  constructor(readonly assertion: Assertion) {}

  toBe(expected: unknown): void {
    if (Object.is(this.assertion.value, expected)) asked(this.assertion).not.toBe(expected)
  }
}

const asked = ({ value, message }: Assertion) => vitest.expect(value, message)

/** Everything else that an assertion has is looked up in that of vitest, `rejects` and misspelt names included. */
function leaveOthers<A>(type: { prototype: A }, ask: (assertion: A) => unknown): void {
  const others = new Proxy(
    {},
    {
      get(_, name, assertion: A) {
        const real = ask(assertion) as Dictionary
        const found = real[name]
        if (typeof found !== 'function') return found
        return (...given: unknown[]): unknown => Reflect.apply(found, real, given)
      },
    },
  )
  Object.setPrototypeOf(type.prototype, others)
}
leaveOthers(Assertion, asked)
leaveOthers(Opposite, ({ assertion }) => asked(assertion).not)

export * from 'vitest'
export const expect = Object.assign(
  (value: unknown, message?: string) => new Assertion(value, message),
  vitest.expect,
) as unknown as vitest.ExpectStatic
