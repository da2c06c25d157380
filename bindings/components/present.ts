// Owns the term present(): the component is there, switched on or off.

import { type Clauses, type Nested, conditionOf, enterDenied } from './anyAll'
import type { ComponentLike } from './component'
import { canToggle, definitionOf } from './definition'
import { type Parsing, type Present, type Several, Wrapped, check, checkSome, join } from './terms'

class PresentTerm<C extends readonly ComponentLike[]> extends Wrapped implements Present<C>, Nested {
  readonly operator = 'present'
  constructor(readonly components: C) {
    super()
  }

  enter(into: Parsing): void {
    for (const component of this.components) join(into, component, 'required', this, hasSwitch(component))
  }

  override deny(into: Parsing, written: Wrapped): void {
    enterDenied(into, this, written)
  }

  clauses(negated: boolean): Clauses {
    const conditions = this.components.map((component) => ({
      ...conditionOf(component, negated),
      anyway: hasSwitch(component),
    }))
    return negated ? [conditions] : conditions.map((condition) => [condition])
  }
}

function hasSwitch(component: ComponentLike): boolean {
  const definition = definitionOf(component)
  return definition !== undefined && canToggle(definition)
}

/**
 * A query term: the entity has each of the components, switched on or off. Their values are reached as those of any
 * required component. Of a component without a switch it means what the component means by itself.
 *
 * @param components one or more components or tags
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 * @example const stopped = world.query(present(Engine), not(Engine)) // has one, switched off
 */
export function present<const C extends Several>(...components: C): Present<C> {
  checkSome(components, 'present')
  for (const component of components) check(component, 'present')
  return new PresentTerm(components)
}
