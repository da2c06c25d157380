// Owns the arguments of a call that names components: what one stands for, and their list where one is needed.
// It must never be asked for the list on the fast way: making one for each call costs more than the change itself.

import type { BundleNode } from './bundle'
import type { Given } from './changes'
import type { ComponentValue, Ingredient } from './component'
import type { Registration } from './registration'
import { writeComponent } from './values'

/** Up to three arguments as a list; undefined when none of them has values. */
export function listFew(count: number, a: unknown, b: unknown, c: unknown): Given {
  if (typeof a !== 'object' && typeof b !== 'object' && typeof c !== 'object') return undefined
  return (count === 1 ? [a] : count === 2 ? [a, b] : [a, b, c]) as Ingredient[]
}

/** The same for four and more. */
export function listMany(a: unknown, b: unknown, c: unknown, more: readonly unknown[]): Given {
  const list = [a, b, c, ...more]
  return list.some((ingredient) => typeof ingredient === 'object') ? (list as Ingredient[]) : undefined
}

/** Writes the values of up to three arguments, if they have any, to an entity that has the components. */
export function writeFew(bundle: BundleNode, entity: number, a: unknown, b: unknown, c: unknown): void {
  const { registrations } = bundle
  if (typeof a === 'object') write(registrations[0] as Registration, entity, a)
  if (typeof b === 'object') write(registrations[1] as Registration, entity, b)
  if (typeof c === 'object') write(registrations[2] as Registration, entity, c)
}

/** The same for the argument at `place`. */
export function writeOne(bundle: BundleNode, place: number, entity: number, ingredient: unknown): void {
  if (typeof ingredient === 'object') write(bundle.registrations[place] as Registration, entity, ingredient)
}

function write(registration: Registration, entity: number, ingredient: unknown): void {
  // What is no function was found to be a component with values when the bundle was.
  const { values } = ingredient as ComponentValue
  if (values !== undefined) writeComponent(registration, entity, values)
}
