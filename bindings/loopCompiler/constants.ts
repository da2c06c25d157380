// Owns the constants of the language that a body may use.

import type { Global } from './paths'

/** The value of a constant, such as Math.PI; undefined for any other name. Constants alone can never be defined again. */
export function constantOf(of: Global, name: string): number | undefined {
  const found = Object.getOwnPropertyDescriptor(of === 'Math' ? Math : Number, name)
  const value: unknown = found?.value
  return found?.configurable === false && typeof value === 'number' ? value : undefined
}
