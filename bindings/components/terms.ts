// Owns the terms of a query as a user writes them, taking them apart, and those that most programs use: not and optional. The
// others bring what they need: anyAll.ts, present.ts, queries/changeTerms.ts.

import { describe, isOfOtherCopy } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/consoleText'
import type { ComponentLike } from './component'
import { type Definition, definitionOf } from './definition'
import type { Pair } from './pair'

/** What a term asks of links, for which its relation makes the query: see relations/relatedQuery.ts. */
export interface RelatedTerm {
  /** The machinery of the relation. */
  readonly related: object
}

/** The terms made by cascade() and inCreationOrder(): the order in which entities are visited. */
export interface Ordering {
  readonly operator: 'cascade' | 'inCreationOrder'
}

/** The machinery of a relation, where a term names a target or an order; undefined for all others. */
export function relatedIn(term: unknown): object | undefined {
  const asked = isNot(term) ? term.components.find(relatedIn) : term
  const related = typeof asked === 'object' ? (asked as Partial<RelatedTerm> | null)?.related : undefined
  return related === undefined || isOfOtherCopy(asked as object) ? undefined : related
}

/** One component or more. */
export type Several<C = ComponentLike> = readonly [C, ...C[]]
/** What stands inside of any, all and not: components, and terms that say something of one entity. */
export type Alternative = ComponentLike | Not | AnyOf | AllOf | Present
/** What can be denied. */
type Deniable = ComponentLike | AnyOf | AllOf | Present | Pair

/** The term made by any(): the entity must satisfy at least one of the alternatives. */
export interface AnyOf<
  C extends readonly Alternative[] = readonly Alternative[],
  Named extends readonly ComponentLike[] = readonly ComponentLike[],
> {
  readonly operator: 'any'
  readonly components: C
  /** For the compiler alone: the components whose values may be there, in the order in which they are written. */
  readonly named?: Named
}

/** The term made by all(): the entity must satisfy each of the parts. */
export interface AllOf<
  C extends readonly Alternative[] = readonly Alternative[],
  Named extends readonly ComponentLike[] = readonly ComponentLike[],
  Required extends ComponentLike = ComponentLike,
> {
  readonly operator: 'all'
  readonly components: C
  /** For the compiler alone: as in AnyOf, and those that are there wherever it holds. */
  readonly named?: Named
  readonly required?: Required
}

/** The term made by present(): the entity must have all of the components, each switched on or off. */
export interface Present<C extends readonly ComponentLike[] = readonly ComponentLike[]> {
  readonly operator: 'present'
  readonly components: C
}

/** The term made by changed(): the entity must have all of the components, each changed since the last look. */
export interface Changed<C extends readonly ComponentLike[] = readonly ComponentLike[]> {
  readonly operator: 'changed'
  readonly components: C
}

/** The term made by added(): the entity must have all of the components, each added since the last look. */
export interface Added<C extends readonly ComponentLike[] = readonly ComponentLike[]> {
  readonly operator: 'added'
  readonly components: C
}

/** A term that is made of components or of other terms. */
export abstract class Wrapped {
  abstract readonly operator: string
  abstract readonly components: readonly unknown[]

  /** @internal Adds what it asks to the terms of a query. */
  abstract enter(into: Parsing): void

  /** @internal Adds that it must not hold; undefined where that cannot be asked. */
  deny?(into: Parsing, written: Wrapped): void

  /** @internal */
  [INSPECT](): string {
    return describeTerm(this)
  }
}

/** The term made by not(): the entity must have none of the components. */
export class Not<C extends readonly Deniable[] = readonly Deniable[]> extends Wrapped {
  readonly operator = 'not'
  constructor(readonly components: C) {
    super()
  }

  /** @internal */
  enter(into: Parsing): void {
    for (const one of this.components) {
      if (one instanceof Wrapped) one.deny?.(into, this)
      else join(into, one, 'excluded', this)
    }
  }
}

/** @internal */
export function isNot(term: unknown): term is Not {
  return term instanceof Not
}

/**
 * The term made by optional(): the entity may have the components, and where it does their values can be read and
 * written.
 */
export class Optional<C extends readonly ComponentLike[] = readonly ComponentLike[]> extends Wrapped {
  readonly operator = 'optional'
  constructor(readonly components: C) {
    super()
  }

  /** @internal */
  enter(into: Parsing): void {
    for (const component of this.components) join(into, component, 'optional', this)
  }
}

/**
 * What world.query takes: a component, a tag, an object component, a relation with or without a target, or a term made by
 * not, any, all, optional, present, changed, added, cascade or inCreationOrder.
 */
export type Term =
  ComponentLike | Not | Optional | AnyOf | AllOf | Present | Changed | Added | Pair | Ordering

/**
 * A query term: the entity has none of the components, and none of the terms holds. `not(A, B)`, `not(any(A, B))` and the
 * two terms `not(A), not(B)` mean the same. A component that is switched off counts as absent.
 *
 * @param components one or more components or tags, or terms made by `any`, `all` and `present`
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 * @example const free = world.query(Position, not(Frozen, Held))
 */
export function not<const C extends Several<Deniable>>(...components: C): Not<C> {
  checkSome(components, 'not')
  for (const component of components) {
    const denies = component instanceof Wrapped && component.deny !== undefined
    if (!denies && relatedIn(component) === undefined) check(component, 'not', ', any, all and present')
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

/** @internal Throws unless a term has at least one component. */
export function checkSome(components: readonly unknown[], operation: string): void {
  if (components.length > 0) return
  throw new StrataTypeError('INVALID_QUERY', `${operation}: name at least one component.`)
}

/** @internal Throws unless a value is a component. `others` says what else may stand there. */
export function check(component: unknown, operation: string, others = ''): void {
  if (definitionOf(component) !== undefined) return
  if (component instanceof Wrapped) {
    const wayOut =
      isNot(component) && operation === 'not'
        ? `name ${namesOf(component.components)} by itself`
        : `write ${describeTerm(component)} as a term of its own`
    throw new StrataTypeError(
      'INVALID_QUERY',
      `${operation} takes components and tags${others}, not ${describeTerm(component)}: ${wayOut}.`,
    )
  }
  throw new StrataTypeError(
    'NOT_A_COMPONENT',
    `${operation} takes a component or a tag, not ${describe(component)}.`,
  )
}

/** @internal A term as it is written, for sentences. */
export function describeTerm(term: unknown): string {
  if (term instanceof Wrapped) return `${term.operator}(${namesOf(term.components)})`
  return definitionOf(term)?.componentName ?? describe(term)
}

/** @internal */
export function namesOf(terms: readonly unknown[]): string {
  return terms.map(describeTerm).join(', ')
}

export type Role = 'required' | 'excluded' | 'optional' | 'any'

/** Of a term that asks for changes: what must have changed, or come, since the last look. */
export interface AskedChanges {
  readonly changed?: boolean | undefined
  readonly added?: boolean | undefined
  /** Whether the component must have been there at the last look. */
  readonly kept?: boolean | undefined
  /** What such a term brings to find them: see queryPlan/changeTermHooks.ts. */
  readonly changing?: object | undefined
}

/** Groups of alternatives, in one world. */
export interface Groups {
  /** As the core takes them: (component, operator). */
  readonly pairs: readonly [number, number][]
  readonly count: number
  /** Whether all alternatives of one of them are unknown: nothing can match. */
  readonly impossible: boolean
}

/** A term taken apart: one entry for each component it names. */
export interface ParsedTerm extends AskedChanges {
  readonly definition: Definition
  readonly role: Role
  /** Which group of alternatives, from 0; -1 elsewhere. */
  readonly group: number
  /** Of an alternative: whether it holds where the component is absent. */
  readonly negated: boolean
  /** Of an alternative: what groups come to. The term brings it. */
  readonly groupsIn?:
    ((terms: readonly ParsedTerm[], ids: readonly (number | undefined)[]) => Groups) | undefined
  /** Whether a component counts as there although it is switched off. */
  readonly anyway: boolean
  /** Whether a loop reaches its values. */
  readonly gives: boolean
}

/** A term while others for the same component may still join it. */
export interface OpenTerm extends ParsedTerm {
  /** Whether the component was named by itself, not only inside changed() or added(). */
  readonly plain: boolean
  /** The term that named it first. */
  readonly written: unknown
}

/** The terms of a query while they are taken apart. */
export interface Parsing {
  readonly terms: OpenTerm[]
  /** How many groups of alternatives there are. */
  groups: number
  /** What the first `listed` terms name, once they are many. */
  named?: Set<Definition>
  listed: number
}

/** A search through so few terms takes less time than a set of what they name. */
const FEW_TERMS = 16

/**
 * Takes the terms apart, in the order given. A component may be named once, and in addition in changed() and added();
 * or in any number of any().
 *
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 */
export function parseTerms(terms: readonly unknown[]): readonly ParsedTerm[] {
  const into: Parsing = { terms: [], groups: 0, listed: 0 }
  for (const term of terms) {
    if (term instanceof Wrapped) term.enter(into)
    else join(into, term, 'required', term)
  }
  return into.terms
}

/** @internal Adds a component named by itself; it takes the place of the one that changed() or added() stood for. */
export function join(into: Parsing, component: unknown, role: Role, written: unknown, anyway = false): void {
  const { terms } = into
  const definition = parse(component)
  const before = findTerm(into, definition, (term) => term.anyway === anyway || !term.plain)
  const known = terms[before]
  if (known === undefined) {
    terms.push({ ...opened(definition, role, written), anyway })
    return
  }
  if (known.plain || role !== 'required') throw namedTwice(definition, known.written, written)
  terms.splice(before, 1)
  terms.push({ ...known, plain: true, anyway })
}

/** @internal The place of the first term for a component that passes, or -1. */
export function findTerm(
  into: Parsing,
  definition: Definition,
  passes: (term: OpenTerm) => boolean = () => true,
): number {
  const { terms } = into
  if (terms.length >= FEW_TERMS) {
    const named = (into.named ??= new Set())
    while (into.listed < terms.length) named.add((terms[into.listed++] as OpenTerm).definition)
    if (!named.has(definition)) return -1
  }
  return terms.findIndex((term) => term.definition === definition && passes(term))
}

/** @internal */
export function opened(definition: Definition, role: Role, written: unknown): OpenTerm {
  const gives = role !== 'excluded'
  return { definition, role, group: -1, negated: false, anyway: false, gives, plain: true, written }
}

/** @internal */
export function namedTwice(definition: Definition, first: unknown, second: unknown): StrataTypeError {
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

/** @internal */
export function parse(component: unknown): Definition {
  const definition = definitionOf(component)
  if (definition === undefined) {
    // What omit() returns is for copies; other libraries have a term of such a name.
    const isOmitted = (component as { readonly kind?: unknown } | null | undefined)?.kind === 'omitted'
    const instead = isOmitted
      ? ': omit() is for cloneEntity; to leave entities out of a query write not()'
      : ''
    throw new StrataTypeError(
      'NOT_A_COMPONENT',
      `query takes components, tags, and terms such as not(), any(), optional() and changed(), not ${describe(component)}${instead}.`,
    )
  }
  return definition
}

/** Names what the terms ask for: equal for queries that can share one match list and one order of cursors. */
export function keyOf(terms: readonly ParsedTerm[]): string {
  return terms
    .map(({ definition, role, group, negated, anyway, gives }) =>
      [definition.serial, role, group, negated, anyway, gives].join(''),
    )
    .join()
}

/** The terms as they could be written, for sentences. */
export function describeTerms(terms: readonly ParsedTerm[]): string {
  const groups = new Map<number, string[]>()
  const names: (string | string[])[] = []
  for (const { definition, role, group, negated, anyway, changed, added } of terms) {
    const { componentName } = definition
    const name = anyway ? `present(${componentName})` : componentName
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
