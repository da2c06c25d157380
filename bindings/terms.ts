// Owns the terms of a query as a user writes them: not, any, optional. It must never evaluate them.

import { type ComponentLike, type Definition, definitionOf } from './component'
import { StrataTypeError } from './errors'
import { describe } from './fields'

/** The entity must not have the component. */
export class Not<C extends ComponentLike = ComponentLike> {
  readonly operator = 'not'
  constructor(readonly component: C) {}
}

/** The entity may have the component; where it has, its values can be reached. */
export class Optional<C extends ComponentLike = ComponentLike> {
  readonly operator = 'optional'
  constructor(readonly component: C) {}
}

/** The entity must have one or more of the components. */
export class AnyOf<C extends readonly ComponentLike[] = readonly ComponentLike[]> {
  readonly operator = 'any'
  constructor(readonly components: C) {}
}

export type Term = ComponentLike | Not | Optional | AnyOf

/** A query term: entities that do not have the component. */
export function not<C extends ComponentLike>(component: C): Not<C> {
  check(component, 'not')
  return new Not(component)
}

/** A query term that decides nothing: where the component is there, `read`, `write` and cursors reach it. */
export function optional<C extends ComponentLike>(component: C): Optional<C> {
  check(component, 'optional')
  return new Optional(component)
}

/** A query term: entities that have at least one of the components; each entity is visited once. */
export function any<const C extends readonly [ComponentLike, ...ComponentLike[]]>(
  ...components: C
): AnyOf<C> {
  if (components.length === 0) {
    throw new StrataTypeError('INVALID_QUERY', 'any: name at least one component, or no entity could match.')
  }
  for (const component of components) check(component, 'any')
  return new AnyOf(components)
}

function check(component: unknown, operation: string): void {
  if (definitionOf(component) === undefined) {
    throw new StrataTypeError(
      'NOT_A_COMPONENT',
      `${operation} takes a component or a tag, not ${describe(component)}.`,
    )
  }
}

export type Role = 'required' | 'excluded' | 'optional' | 'any'

/** A term taken apart: one entry for each component it names. */
export interface ParsedTerm {
  readonly definition: Definition
  readonly role: Role
  /** Which group of alternatives, from 0; -1 elsewhere. */
  readonly group: number
}

/**
 * Takes the terms apart, in the order given. A component may be named once.
 *
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 */
export function parseTerms(terms: readonly unknown[]): ParsedTerm[] {
  const parsed: ParsedTerm[] = []
  let groups = 0
  for (const term of terms) {
    if (term instanceof Not) parsed.push(parse(term.component, 'excluded', -1))
    else if (term instanceof Optional) parsed.push(parse(term.component, 'optional', -1))
    else if (term instanceof AnyOf) {
      for (const component of term.components) parsed.push(parse(component, 'any', groups))
      groups++
    } else parsed.push(parse(term, 'required', -1))
  }
  const seen = new Set<Definition>()
  for (const { definition } of parsed) {
    if (seen.has(definition)) {
      throw new StrataTypeError(
        'INVALID_QUERY',
        `query names ${definition.componentName} twice: say once whether it is required, excluded or optional.`,
      )
    }
    seen.add(definition)
  }
  return parsed
}

function parse(component: unknown, role: Role, group: number): ParsedTerm {
  const definition = definitionOf(component)
  if (definition === undefined) {
    throw new StrataTypeError(
      'NOT_A_COMPONENT',
      `query takes components, tags, not(), any() and optional(), not ${describe(component)}.`,
    )
  }
  return { definition, role, group }
}
