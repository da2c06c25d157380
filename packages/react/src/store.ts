// Owns the snapshots that React compares: one object for as long as the value is the same, and what is shown of a world that was
// disposed.

import { isStrataError } from '../../../bindings/index'

/** What useSyncExternalStore asks for. */
export interface Store<T> {
  readonly subscribe: (listener: () => void) => () => void
  /** The last value again, if what is read is equal to it. */
  readonly snapshot: () => T
}

/** A store whose value is read again whenever React asks, and replaced only by another value. */
export function storeOf<T>(
  subscribe: (listener: () => void) => () => void,
  read: () => T,
  isSame: (a: T, b: T) => boolean,
): Store<T> {
  let last: T
  let known = false
  return {
    subscribe,
    snapshot() {
      const value = read()
      if (known && isSame(last, value)) return last
      known = true
      return (last = value)
    },
  }
}

/** What `read` returns; `otherwise` where the world was disposed, as happens while a page is taken down. */
export function unlessDisposed<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if (isStrataError(error) && error.code === 'WORLD_DISPOSED') return otherwise
    throw error
  }
}

/** Whether two copies of the fields of one component, or of one resource, hold the same values. */
export function haveSameFields(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return Object.keys(one).every((name) => isSameField(one[name], other[name]))
}

function isSameField(a: unknown, b: unknown): boolean {
  return ArrayBuffer.isView(a) ? areSameLists(a as Float64Array, b as Float64Array) : Object.is(a, b)
}

/** Whether two arrays have the same elements in the same order. */
export function areSameLists(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false
  return true
}
