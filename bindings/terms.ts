// Owns the terms of a query as a user writes them: not, any, optional, changed, added. It must never evaluate them.

import { STORAGE_TAG } from '../build/layout'
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

/** The entity must have the component, and it changed since the query was last looked at. */
export class Changed<C extends ComponentLike = ComponentLike> {
  readonly operator = 'changed'
  constructor(readonly component: C) {}
}

/** The entity must have the component, and got it since the query was last looked at. */
export class Added<C extends ComponentLike = ComponentLike> {
  readonly operator = 'added'
  constructor(readonly component: C) {}
}

export type Term = ComponentLike | Not | Optional | AnyOf | Changed | Added

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

/**
 * A query term: entities whose component changed since this query was last looped over to its end; all of them the
 * first time. `write`, `touch`, `set`, cursors and adding mark; `read` and `get` do not. Told by chunk: when one row
 * changed, the run is the chunk; by row for a component declared with `track: 'row'`.
 *
 * @example const moved = world.query(changed(Position))
 */
export function changed<C extends ComponentLike>(component: C): Changed<C> {
  checkTracked(component, 'changed')
  return new Changed(component)
}

/** A query term like changed: entities that got the component since then, by a spawn or an add. */
export function added<C extends ComponentLike>(component: C): Added<C> {
  checkTracked(component, 'added')
  return new Added(component)
}

function checkTracked(component: unknown, operation: string): void {
  check(component, operation)
  const definition = component as Definition
  if (definition.storageCode === STORAGE_TAG) {
    throw new StrataTypeError(
      'INVALID_QUERY',
      `${operation}(${definition.componentName}): a ${definition.kind} without data takes no room in a row, so nothing tells when it came. Give it a field, or use world.onAdd.`,
    )
  }
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
  /** Whether only what changed, or was added, since the last look is meant. */
  readonly changed: boolean
  readonly added: boolean
}

/** A term while others for the same component may still join it. */
interface OpenTerm extends ParsedTerm {
  changed: boolean
  added: boolean
  /** Whether the component was named by itself, not only inside changed() or added(). */
  plain: boolean
}

/**
 * Takes the terms apart, in the order given. A component may be named once, and besides in changed() and added().
 *
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 */
export function parseTerms(terms: readonly unknown[]): ParsedTerm[] {
  const parsed: OpenTerm[] = []
  let groups = 0
  for (const term of terms) {
    if (term instanceof Not) join(parsed, term.component, 'excluded', -1)
    else if (term instanceof Optional) join(parsed, term.component, 'optional', -1)
    else if (term instanceof AnyOf) {
      for (const component of term.components) join(parsed, component, 'any', groups)
      groups++
    } else if (term instanceof Changed) joinChange(parsed, term.component, 'changed')
    else if (term instanceof Added) joinChange(parsed, term.component, 'added')
    else join(parsed, term, 'required', -1)
  }
  return parsed
}

/** Adds a component named by itself; it takes the place of the one that changed() or added() stood for. */
function join(parsed: OpenTerm[], component: unknown, role: Role, group: number): void {
  const definition = parse(component)
  const before = parsed.findIndex((term) => term.definition === definition)
  const known = parsed[before]
  if (known === undefined) {
    parsed.push({ definition, role, group, changed: false, added: false, plain: true })
    return
  }
  if (known.plain || role !== 'required') throw namedTwice(definition)
  parsed.splice(before, 1)
  parsed.push({ ...known, plain: true })
}

function joinChange(parsed: OpenTerm[], component: unknown, what: 'changed' | 'added'): void {
  const definition = parse(component)
  let term = parsed.find((other) => other.definition === definition)
  if (term === undefined) {
    term = { definition, role: 'required', group: -1, changed: false, added: false, plain: false }
    parsed.push(term)
  }
  if (term.role !== 'required' || term[what]) throw namedTwice(definition)
  term[what] = true
}

function namedTwice(definition: Definition): StrataTypeError {
  return new StrataTypeError(
    'INVALID_QUERY',
    `query names ${definition.componentName} twice: say once whether it is required, excluded or optional.`,
  )
}

function parse(component: unknown): Definition {
  const definition = definitionOf(component)
  if (definition === undefined) {
    throw new StrataTypeError(
      'NOT_A_COMPONENT',
      `query takes components, tags, not(), any(), optional(), changed() and added(), not ${describe(component)}.`,
    )
  }
  return definition
}
