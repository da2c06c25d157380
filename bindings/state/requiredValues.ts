// Owns the check of what must be given with a component before an entity may get it: a value of an object, the target of a link.

import { ObjectBox, valuesIn, type ValuesByComponent } from '../components/componentValues'
import type { Definition } from '../components/definition'
import { NULL_ENTITY } from '../memory/entity'
import type { Bundle } from './bundle'
import { valueMissing } from '../components/objectOptions'
import { relatingOf } from './relationHooks'
import type { WorldState } from './worldState'

/** Throws when a component that needs a value would come to an entity, or NULL_ENTITY for a new one, without it. */
export function requireValues(
  state: WorldState,
  bundle: Bundle,
  given: ValuesByComponent,
  entity: number,
  operation: string,
): void {
  if (!bundle.needsUpkeep) return
  const { definitions } = bundle
  for (let i = 0; i < definitions.length; i++) {
    const definition = definitions[i] as Definition
    relatingOf(definition)?.require(state, definition, given?.[i], entity, operation)
    requireObject(state, definition, given?.[i], entity, operation, undefined)
  }
}

/** The same for objects alone, where what is in `removed` starts over. */
export function requireObjects(
  state: WorldState,
  { definitions }: Bundle,
  given: ValuesByComponent,
  entity: number,
  operation: string,
  removed: Bundle | undefined,
): void {
  for (let i = 0; i < definitions.length; i++)
    requireObject(state, definitions[i] as Definition, given?.[i], entity, operation, removed)
}

function requireObject(
  state: WorldState,
  definition: Definition,
  ingredient: unknown,
  entity: number,
  operation: string,
  removed: Bundle | undefined,
): void {
  if (definition.kind !== 'object' || definition.details.make || valuesIn(ingredient) instanceof ObjectBox)
    return
  const stays = entity !== NULL_ENTITY && removed?.contains(definition) !== true
  if (!stays || state.known(definition)?.isOn(entity) !== true) throw valueMissing(definition, operation)
}

/** A link to what is dead already is a mistake; one to what dies before the change is made comes to nothing. */
export function refuseDeadTargets(
  state: WorldState,
  { definitions, relates }: Bundle,
  given: ValuesByComponent,
  operation: string,
): void {
  if (!relates) return
  definitions.forEach((definition, i) =>
    relatingOf(definition)?.refuseDeadTarget(state, given?.[i], operation),
  )
}
