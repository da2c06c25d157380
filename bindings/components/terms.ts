// Owns the terms of a query as a user writes them: not, any, optional, changed, added. It must never evaluate them.

import { STORAGE_TAG } from '../../build/layout'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/inspection'
import type { ComponentLike } from './component'
import { type Definition, definitionOf } from './definition'

/** One component or more. */
type Several<C = ComponentLike> = readonly [C, ...C[]]
/** A component, or its absence. */
type Alternative = ComponentLike | Not<readonly [ComponentLike]>
/** What can be denied: that a component is there, and that one of several is there. */
type Deniable = ComponentLike | AnyOf<readonly ComponentLike[]>

/** The term made by not(): the entity must have none of the components. */
export class Not<C extends readonly Deniable[] = readonly Deniable[]> {
  readonly operator = 'not'
  readonly components: readonly ComponentLike[]
  constructor(readonly denied: C) {
    this.components = denied.flatMap((one) => (one instanceof AnyOf ? one.components : [one]))
  }

  /** @internal */
  [INSPECT](): string {
    return describeTerm(this)
  }
}

/**
 * The term made by optional(): the entity may have the components, and where it does their values can be read and
 * written.
 */
export class Optional<C extends readonly ComponentLike[] = readonly ComponentLike[]> {
  readonly operator = 'optional'
  constructor(readonly components: C) {}

  /** @internal */
  [INSPECT](): string {
    return describeTerm(this)
  }
}

/** The term made by any(): the entity must satisfy at least one of the alternatives. */
export class AnyOf<C extends readonly Alternative[] = readonly Alternative[]> {
  readonly operator = 'any'
  constructor(readonly components: C) {}

  /** @internal */
  [INSPECT](): string {
    return describeTerm(this)
  }
}

/** The term made by changed(): the entity must have all of the components, each changed since the last look. */
export class Changed<C extends readonly ComponentLike[] = readonly ComponentLike[]> {
  readonly operator = 'changed'
  constructor(readonly components: C) {}

  /** @internal */
  [INSPECT](): string {
    return describeTerm(this)
  }
}

/** The term made by added(): the entity must have all of the components, each added since the last look. */
export class Added<C extends readonly ComponentLike[] = readonly ComponentLike[]> {
  readonly operator = 'added'
  constructor(readonly components: C) {}

  /** @internal */
  [INSPECT](): string {
    return describeTerm(this)
  }
}

/**
 * What world.query takes: a component, a tag, an object component, or a term made by not, any, optional, changed or
 * added.
 */
export type Term = ComponentLike | Not | Optional | AnyOf | Changed | Added

/**
 * A query term: the entity has none of the components. `not(A, B)`, `not(any(A, B))` and the two terms
 * `not(A), not(B)` mean the same. A component that is switched off counts as absent.
 *
 * @param components one or more components, tags, or `any` terms without a `not` in them
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 * @example const free = world.query(Position, not(Frozen, Held))
 */
export function not<const C extends Several<Deniable>>(...components: C): Not<C> {
  checkSome(components, 'not')
  for (const component of components) {
    if (component instanceof AnyOf) checkDenied(component)
    else check(component, 'not')
  }
  return new Not(components)
}

/**
 * A query term that excludes no entity: where an entity has one of the components, `read`, `write` and cursors reach
 * its values; elsewhere they give undefined. `optional(A, B)` and the two terms `optional(A), optional(B)` mean the
 * same.
 *
 * @param components one or more components or tags
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 * @example world.query(Position, optional(Scale)).each((entity, position, scale) => { … })
 */
export function optional<const C extends Several>(...components: C): Optional<C> {
  checkSome(components, 'optional')
  for (const component of components) check(component, 'optional')
  return new Optional(components)
}

/**
 * A query term: the entity has at least one of the components. Each entity is visited once. An alternative can be the
 * absence of one component: `any(Shield, not(Burning))`. A query may have several `any` terms, which must all hold
 * and may share components: `any(A, B), any(B, C)`.
 *
 * @param alternatives one or more components, tags, or `not` terms with one component
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 * @example const armed = world.query(any(Sword, Bow))
 */
export function any<const C extends Several<Alternative>>(...alternatives: C): AnyOf<C> {
  if (alternatives.length === 0) {
    throw new StrataTypeError('INVALID_QUERY', 'any: name at least one component, or no entity could match.')
  }
  for (const alternative of alternatives) {
    if (!(alternative instanceof Not)) check(alternative, 'any')
    else if (alternative.denied.length > 1 || alternative.denied[0] instanceof AnyOf) {
      throw new StrataTypeError(
        'INVALID_QUERY',
        `any: ${describeTerm(alternative)} is several conditions, and an alternative is one: use one any() with each of them, such as ${splitUp(alternatives, alternative)}.`,
      )
    }
  }
  return new AnyOf(alternatives)
}

/**
 * A query term: the entity has the component, and it changed since the last look at this query. The first look finds
 * all entities with the component. With several components, each of them must have changed. A look is a loop that
 * runs to its end, `each`, `entities()` or a bulk change; `count`, `first()` and pages only peek.
 * Changes are made by `write`, `touch`, `set`, cursors, kernels and adding; `read` and `get` make none. They are
 * tracked per chunk: if one row changed, the loop visits all rows of its chunk. For a component declared with
 * `track: 'row'` they are tracked per row. Each query with this term has about 2 KB of its own memory: keep it and
 * reuse it.
 *
 * @param components one or more components with fields
 * @throws StrataTypeError NOT_A_COMPONENT; INVALID_QUERY for tags and object components
 * @example const moved = world.query(changed(Position))
 */
export function changed<const C extends Several>(...components: C): Changed<C> {
  checkSome(components, 'changed')
  for (const component of components) checkTracked(component, 'changed')
  return new Changed(components)
}

/**
 * A query term: the entity got the component, by a spawn or an add, since the last look at this query. The first look
 * finds all entities with the component. With several components, each of them must have been added. What counts as a
 * look, the tracking per chunk or per row and the cost are those of `changed`.
 *
 * @param components one or more components with fields
 * @throws StrataTypeError NOT_A_COMPONENT; INVALID_QUERY for tags and object components
 * @example const born = world.query(added(Health))
 */
export function added<const C extends Several>(...components: C): Added<C> {
  checkSome(components, 'added')
  for (const component of components) checkTracked(component, 'added')
  return new Added(components)
}

function checkTracked(component: unknown, operation: 'changed' | 'added'): void {
  check(component, operation)
  const definition = component as Definition
  if (definition.storageCode !== STORAGE_TAG) return
  const { componentName: name, kind } = definition
  const reason =
    kind === 'object'
      ? `the values of an object component are in JavaScript, and linear memory, where change ticks are, has no row of them`
      : `a ${kind} without fields has no row in memory that could keep a change tick`
  const instead = operation === 'changed' && kind === 'object' ? 'world.onSet' : 'world.onAdd'
  throw new StrataTypeError('INVALID_QUERY', `${operation}(${name}): ${reason}. Use ${instead}(${name}, …).`)
}

function checkSome(components: readonly unknown[], operation: string): void {
  if (components.length > 0) return
  throw new StrataTypeError('INVALID_QUERY', `${operation}: name at least one component.`)
}

function checkDenied(group: AnyOf<readonly Alternative[]>): void {
  const denied = group.components.find((one) => one instanceof Not)
  if (denied === undefined) return
  throw new StrataTypeError(
    'INVALID_QUERY',
    `not(${describeTerm(group)}): ${describeTerm(denied)} cannot be denied once more. Name what must be there by itself, and what must not in not(…).`,
  )
}

function check(component: unknown, operation: string): void {
  if (definitionOf(component) !== undefined) return
  if (isTerm(component)) {
    throw new StrataTypeError(
      'INVALID_QUERY',
      `${operation} takes components and tags, ${NESTED[operation] ?? ''}not ${describeTerm(component)}: ${wayOut(component, operation)}.`,
    )
  }
  throw new StrataTypeError(
    'NOT_A_COMPONENT',
    `${operation} takes a component or a tag, not ${describe(component)}.`,
  )
}

/** Which other terms may stand inside of one. */
const NESTED: Record<string, string> = { not: 'or any(A, B), ', any: 'or not(A), ' }

/** What to write in place of a term inside of another. */
function wayOut(term: Exclude<Term, ComponentLike>, operation: string): string {
  const names = namesOf(term.components)
  if (term instanceof Not && operation === 'not') return `name ${names} by itself`
  if (term instanceof AnyOf && operation === 'any')
    return `write its alternatives beside the others, any(${names}, …)`
  return `write ${describeTerm(term)} as a term of its own`
}

/** The alternatives with one conjunction among them, as several any(). */
function splitUp(alternatives: readonly unknown[], conjunction: Not): string {
  const others = alternatives.filter((one) => one !== conjunction).map(describeTerm)
  return conjunction.components
    .map((component) => `any(${[...others, `not(${describeTerm(component)})`].join(', ')})`)
    .join(', ')
}

function isTerm(value: unknown): value is Exclude<Term, ComponentLike> {
  return (
    value instanceof Not ||
    value instanceof Optional ||
    value instanceof AnyOf ||
    value instanceof Changed ||
    value instanceof Added
  )
}

/** A term as it is written, for sentences. */
function describeTerm(term: unknown): string {
  if (term instanceof Not) return `not(${namesOf((term as Not).denied)})`
  if (isTerm(term)) return `${term.operator}(${namesOf((term as Optional).components)})`
  return definitionOf(term)?.componentName ?? describe(term)
}

function namesOf(terms: readonly unknown[]): string {
  return terms.map(describeTerm).join(', ')
}

export type Role = 'required' | 'excluded' | 'optional' | 'any'

/** A term taken apart: one entry for each component it names. */
export interface ParsedTerm {
  readonly definition: Definition
  readonly role: Role
  /** Which group of alternatives, from 0; -1 elsewhere. */
  readonly group: number
  /** Of an alternative: whether it holds where the component is absent. */
  readonly negated: boolean
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
  /** The term that named it first. */
  readonly written: unknown
}

/**
 * Takes the terms apart, in the order given. A component may be named once, and in addition in changed() and added();
 * or in any number of any().
 *
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 */
export function parseTerms(terms: readonly unknown[]): ParsedTerm[] {
  const parsed: OpenTerm[] = []
  let groups = 0
  for (const term of terms) {
    if (term instanceof Not) {
      for (const component of term.components) join(parsed, component, 'excluded', term)
    } else if (term instanceof Optional) {
      for (const component of term.components) join(parsed, component, 'optional', term)
    } else if (term instanceof AnyOf) {
      const group = term as AnyOf
      for (const alternative of group.components) joinGroup(parsed, alternative, groups, group)
      groups++
    } else if (term instanceof Changed) {
      for (const component of term.components) joinChange(parsed, component, 'changed', term)
    } else if (term instanceof Added) {
      for (const component of term.components) joinChange(parsed, component, 'added', term)
    } else join(parsed, term, 'required', term)
  }
  return parsed
}

/** Adds a component named by itself; it takes the place of the one that changed() or added() stood for. */
function join(parsed: OpenTerm[], component: unknown, role: Role, written: unknown): void {
  const definition = parse(component)
  const before = parsed.findIndex((term) => term.definition === definition)
  const known = parsed[before]
  if (known === undefined) {
    parsed.push(opened(definition, role, written))
    return
  }
  if (known.plain || role !== 'required') throw namedTwice(definition, known.written, written)
  parsed.splice(before, 1)
  parsed.push({ ...known, plain: true })
}

function joinGroup(parsed: OpenTerm[], alternative: Alternative, group: number, written: AnyOf): void {
  const negated = alternative instanceof Not
  const definition = parse(negated ? alternative.components[0] : alternative)
  for (const other of parsed) {
    if (other.definition !== definition) continue
    if (other.role !== 'any' || other.group === group) throw namedTwice(definition, other.written, written)
  }
  parsed.push({ ...opened(definition, 'any', written), group, negated })
}

function joinChange(
  parsed: OpenTerm[],
  component: unknown,
  what: 'changed' | 'added',
  written: unknown,
): void {
  const definition = parse(component)
  let term = parsed.find((other) => other.definition === definition)
  if (term === undefined) {
    term = { ...opened(definition, 'required', written), plain: false }
    parsed.push(term)
  }
  if (term.role !== 'required' || term[what]) throw namedTwice(definition, term.written, written)
  term[what] = true
}

function opened(definition: Definition, role: Role, written: unknown): OpenTerm {
  return { definition, role, group: -1, negated: false, changed: false, added: false, plain: true, written }
}

function namedTwice(definition: Definition, first: unknown, second: unknown): StrataTypeError {
  const name = definition.componentName
  const places = [first, second].map((term) =>
    definitionOf(term) ? 'by itself' : `in ${describeTerm(term)}`,
  )
  const [one, other] = places
  const where = one === other ? `both times ${one}` : `${one} and ${other}`
  return new StrataTypeError(
    'INVALID_QUERY',
    `query names ${name} twice, ${where}: say once whether it is required, excluded or optional.`,
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

/** Names what the terms ask for: equal for queries that can share one match list and one order of cursors. */
export function keyOf(terms: readonly ParsedTerm[]): string {
  return terms
    .map(
      ({ definition, role, group, negated }) => `${definition.serial}${role}${group}${negated ? 'not' : ''}`,
    )
    .join()
}

/** The terms as they could be written, for sentences. */
export function describeTerms(terms: readonly ParsedTerm[]): string {
  const groups = new Map<number, string[]>()
  const names: (string | string[])[] = []
  for (const { definition, role, group, negated, changed, added } of terms) {
    const name = definition.componentName
    if (role === 'any') {
      let alternatives = groups.get(group)
      if (alternatives === undefined) names.push((alternatives = []))
      groups.set(group, alternatives)
      alternatives.push(negated ? `not(${name})` : name)
    } else if (changed || added) {
      if (changed) names.push(`changed(${name})`)
      if (added) names.push(`added(${name})`)
    } else if (role === 'required') names.push(name)
    else names.push(`${role === 'excluded' ? 'not' : role}(${name})`)
  }
  return names.map((name) => (typeof name === 'string' ? name : `any(${name.join(', ')})`)).join(', ')
}
