// Owns the values of object components that come out of a save: made by `load`, which runs before anything is built, and disposed
// of if no entity gets them.

import type { Definition } from '../components/definition'
import { hold } from '../components/componentValues'
import { NULL_ENTITY } from '../memory/entity'
import { disposeValue, objectOptionsOf } from '../components/objectOptions'
import { isNone, revived } from './plainValues'

/** By row what `load` returned; undefined where the save has no value. */
export type LoadedValues = readonly unknown[]

/**
 * The values of an object component, in the order of the rows.
 *
 * @param loaded gets the component and the value of each
 * @returns undefined if the declaration does not say how they are loaded
 * @throws StrataError SAVE_REFUSED, StrataTypeError INVALID_VALUE if `load` returns undefined; what `load` throws
 */
export function loadObjects(
  definition: Definition,
  states: readonly unknown[],
  loaded: unknown[],
): LoadedValues | undefined {
  const load = objectOptionsOf(definition)?.load
  return (
    load &&
    states.map((state) => {
      if (isNone(state)) return undefined
      const { value } = hold(definition.componentName, load(revived(state)))
      loaded.push(definition, value)
      return value
    })
  )
}

/** Disposes of loaded values that no entity will have: of all, whatever one of them throws. */
export function disposeLoaded({ loaded }: { readonly loaded: readonly unknown[] }): void {
  for (let i = 0; i < loaded.length; i += 2) {
    try {
      disposeValue(loaded[i] as Definition, loaded[i + 1], NULL_ENTITY)
    } catch {
      // The error for which they are of no use is the one to be told.
    }
  }
}
