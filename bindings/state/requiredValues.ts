// Owns the check of what must be given with a component before an entity may get it: a value of an object, the target of a link.

import { ObjectBox, valuesIn, type ValuesByComponent } from '../components/componentValues'
import { NULL_ENTITY } from '../memory/entity'
import type { Bundle } from './bundle'
import { valueMissing } from '../components/objectOptions'
import { relatingOf } from './relationHooks'
import type { WorldState } from './worldState'

/** Throws when an object component would come to an entity, or NULL_ENTITY for a new one, without a value. */
export function requireValues(
  state: WorldState,
  bundle: Bundle,
  given: ValuesByComponent,
  entity: number,
  operation: string,
  removed?: Bundle,
): void {
  if (!bundle.needsUpkeep) return
  const { definitions } = bundle
  for (let i = 0; i < definitions.length; i++) {
    const definition = definitions[i] as (typeof definitions)[number]
    relatingOf(definition)?.require(state, definition, given?.[i], entity, operation)
    if (definition.kind !== 'object' || definition.details.make || valuesIn(given?.[i]) instanceof ObjectBox)
      continue
    const stays = entity !== NULL_ENTITY && removed?.contains(definition) !== true
    if (!stays || state.known(definition)?.isOn(entity) !== true) throw valueMissing(definition, operation)
  }
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
