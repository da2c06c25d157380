// Owns the terms any() and all(), what they mean inside each other, and what they become in a world: a list of groups of
// alternatives, one of which must hold in each group.
//
//   any(all(A, B), C)       any(A, C), any(B, C)
//   not(any(A, not(B)))     not(A), any(B)

import { TERM_ANY, TERM_GROUP_STEP, TERM_NEGATED, TERM_PRESENT } from '../../build/layout'
import { StrataTypeError } from '../memory/errors'
import { ComponentValue } from './componentValues'
import { type Definition, canToggle, definitionOf } from './definition'
import type { NamedIn, RequiredBy } from './queryTypes'
import {
  type AllOf,
  type Alternative,
  type AnyOf,
  type Groups,
  type ParsedTerm,
  type Parsing,
  type Several,
  Wrapped,
  check,
  checkSome,
  describeTerm,
  isNot,
  join,
  namedTwice,
  opened,
  relatedIn,
} from './terms'

/** How many conditions the terms of one any(), all() or not() may come to. */
const MOST_CONDITIONS = 256
/** How many any() and all() may stand inside of each other: far fewer than a stack has room for. */
const MOST_LEVELS = 100

/** That a component is there, or that it is not. */
export interface TermCondition {
  readonly definition: Definition
  readonly negated: boolean
  /** Whether it counts as there although it is switched off. */
  readonly anyway: boolean
}

/** All of these must hold, and of each one condition at least. */
export type Clauses = readonly (readonly TermCondition[])[]

/** A term that can stand inside of others. */
export interface Nested {
  /** How many any() and all() stand inside of each other, itself included. */
  readonly levels?: number
  clauses(negated: boolean): Clauses
}

class AnyTerm<C extends readonly Alternative[]> extends Wrapped implements AnyOf<C>, Nested {
  readonly operator = 'any'
  constructor(
    readonly components: C,
    readonly levels: number,
  ) {
    super()
  }

  enter(into: Parsing): void {
    // In a plain list nothing can be meant twice.
    const named = this.components.map((part) => definitionOf(isNot(part) ? part.components[0] : part))
    const twice = named.find((definition, i) => definition !== undefined && named.indexOf(definition) < i)
    if (twice !== undefined && !named.includes(undefined)) throw namedTwice(twice, this, this)
    enterClauses(into, this.clauses(false), this)
  }

  override deny(into: Parsing, written: Wrapped): void {
    enterDenied(into, this, written)
  }

  clauses(negated: boolean): Clauses {
    const parts = this.components.map((part) => clausesOf(part, negated))
    return limited(negated ? parts.flat() : oneOf(parts), this)
  }
}

class AllTerm<C extends readonly Alternative[]> extends Wrapped implements AllOf<C>, Nested {
  readonly operator = 'all'
  constructor(
    readonly components: C,
    readonly levels: number,
  ) {
    super()
  }

  enter(into: Parsing): void {
    for (const part of this.components as readonly unknown[]) {
      if (part instanceof Wrapped) part.enter(into)
      else join(into, part, 'required', this)
    }
  }

  override deny(into: Parsing, written: Wrapped): void {
    enterDenied(into, this, written)
  }

  clauses(negated: boolean): Clauses {
    const parts = this.components.map((part) => clausesOf(part, negated))
    return limited(negated ? oneOf(parts) : parts.flat(), this)
  }
}

/**
 * A query term: at least one of the alternatives holds for the entity. Each entity is visited once. An alternative is a
 * component, or a term made by `not`, `any`, `all` or `present`, to any depth: `any(all(Shield, Armour), not(Burning))`.
 * A query may have several `any` terms, which must all hold and may share components: `any(A, B), any(B, C)`. Of the
 * components that are not inside of a `not`, values can be reached where they are there.
 * Cost: when the query is made, nested terms are brought into the form of several `any` of plain alternatives, which may be
 * up to 256 in all; up to 100 `any` and `all` may stand inside of each other. After that each costs as if it had been written so: nothing a row, except where alternatives are sparse
 * or have a switch.
 *
 * @param alternatives one or more components, tags or terms
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 * @example const armed = world.query(any(Sword, Bow))
 */
export function any<const C extends Several<Alternative>>(...alternatives: C): AnyOf<C, NamedIn<C>> {
  return new AnyTerm(alternatives, checkParts(alternatives, 'any'))
}

/**
 * A query term: each of the parts holds for the entity. Among the terms of a query it means the same as its parts; it is
 * for use inside of `any` and `not`. `not(all(A, B))` finds all entities but those with both.
 *
 * @param parts one or more components or tags, or terms made by `not`, `any`, `all` and `present`
 * @throws StrataTypeError NOT_A_COMPONENT, INVALID_QUERY
 * @example const covered = world.query(any(all(Shield, Armour), Hidden))
 */
export function all<const C extends Several<Alternative>>(...parts: C): AllOf<C, NamedIn<C>, RequiredBy<C>> {
  return new AllTerm(parts, checkParts(parts, 'all'))
}

/** @returns how many levels a term of these parts has */
function checkParts(parts: readonly unknown[], operation: string): number {
  checkSome(parts, operation)
  for (const part of parts)
    for (const one of isNot(part) ? part.components : [part]) refuseTarget(one, operation)
  for (const part of parts) if (!isNested(part)) check(part, operation, ', not, any, all and present')
  const levels = 1 + levelsOf(parts)
  if (levels <= MOST_LEVELS) return levels
  throw new StrataTypeError(
    'INVALID_QUERY',
    `${operation}: more than ${MOST_LEVELS} any() and all() stand inside of each other. Give what it finds a tag, or make several queries.`,
  )
}

function levelsOf(parts: readonly unknown[]): number {
  return parts.reduce<number>((most, part) => {
    const levels = isNot(part) ? levelsOf(part.components) : ((part as Partial<Nested>).levels ?? 0)
    return Math.max(most, levels)
  }, 0)
}

/** Whom a link leads to is not asked of the other alternatives' rows: a query takes it as a term of its own. */
function refuseTarget(part: unknown, operation: string): void {
  if (!(part instanceof ComponentValue) || relatedIn(part) === undefined) return
  const name = part.component.componentName
  throw new StrataTypeError(
    'INVALID_QUERY',
    `${operation} takes no relation with its target: make a query for each target, or loop over query(${name}) and ask world.has(entity, ${name}(target)).`,
  )
}

function isNested(part: unknown): boolean {
  if (!isNot(part)) return typeof (part as Partial<Nested> | undefined)?.clauses === 'function'
  return part.components.every((one: unknown) => isNested(one) || definitionOf(one) !== undefined)
}

/** What it comes to that a part holds, or that it does not. */
function clausesOf(part: unknown, negated: boolean): Clauses {
  if (isNot(part)) {
    const parts = part.components.map((one: unknown) => clausesOf(one, !negated))
    return limited(negated ? oneOf(parts) : parts.flat(), part)
  }
  if (part instanceof Wrapped) return (part as unknown as Nested).clauses(negated)
  return [[conditionOf(part, negated)]]
}

/** @internal That a component is there, or not. */
export function conditionOf(component: unknown, negated: boolean): TermCondition {
  return { definition: component as Definition, negated, anyway: false }
}

/** One of the parts must hold: each clause of one together with each clause of all others. */
function oneOf(parts: readonly Clauses[]): Clauses {
  return parts.reduce((joined, part) => {
    if (joined.length * part.length > MOST_CONDITIONS) return TOO_MANY
    return distinct(joined.flatMap((clause) => part.map((other) => united(clause, other))))
  })
}

/** So many that they are refused. */
const TOO_MANY: Clauses = /* @__PURE__ */ new Array<[]>(MOST_CONDITIONS + 1).fill([])

function limited(clauses: Clauses, term: Wrapped): Clauses {
  const count = clauses.reduce((sum, clause) => sum + Math.max(clause.length, 1), 0)
  if (count <= MOST_CONDITIONS) return clauses
  throw new StrataTypeError(
    'INVALID_QUERY',
    `${describeTerm(term)} comes to more than ${MOST_CONDITIONS} conditions, because every all() inside of an any() multiplies with the others. Give what it finds a tag, or make several queries.`,
  )
}

/** The conditions of both, each once. */
function united(one: readonly TermCondition[], other: readonly TermCondition[]): readonly TermCondition[] {
  return [...one, ...other.filter((condition) => !one.some((known) => isSame(known, condition)))]
}

/** Each clause once. Those that say the same in other words stay: values are reached by the components that are named. */
function distinct(clauses: Clauses): Clauses {
  const equal = (a: readonly TermCondition[], b: readonly TermCondition[]) =>
    a.length === b.length && a.every((condition) => b.some((other) => isSame(condition, other)))
  return clauses.filter((clause, i) => clauses.findIndex((other) => equal(clause, other)) === i)
}

function isSame(a: TermCondition, b: TermCondition): boolean {
  return a.definition === b.definition && a.negated === b.negated && a.anyway === b.anyway
}

/** @internal Adds that a term must not hold. */
export function enterDenied(into: Parsing, term: Wrapped & Nested, written: Wrapped): void {
  const clauses = term.clauses(true)
  const isAlone = (clause: readonly TermCondition[]) => clause.length === 1 && clause[0]?.negated === true
  for (const clause of clauses)
    if (isAlone(clause)) join(into, clause[0]?.definition, 'excluded', written, clause[0]?.anyway)
  enterClauses(
    into,
    clauses.filter((clause) => !isAlone(clause)),
    written,
  )
}

/** Adds groups of alternatives, in the order in which components that give values are named first: that of the cursors. */
function enterClauses(into: Parsing, clauses: Clauses, written: Wrapped): void {
  const first = into.groups
  const conditions = clauses.flatMap((clause, i) =>
    clause.map((condition) => ({ condition, group: first + i })),
  )
  for (const { definition } of conditions.map(({ condition }) => condition)) {
    const other = into.terms.find((term) => term.definition === definition && term.role !== 'any')
    if (other !== undefined) throw namedTwice(definition, other.written, written)
  }
  const named = componentsIn(written, true)
  const placeOf = ({ definition }: TermCondition) => {
    const place = named.findIndex((one) => one.gives && one.component === definition)
    return place < 0 ? named.findIndex(({ component }) => component === definition) : place
  }
  conditions.sort((a, b) => placeOf(a.condition) - placeOf(b.condition) || a.group - b.group)
  for (const { condition, group } of conditions) {
    const gives = !condition.negated && named[placeOf(condition)]?.gives === true
    const term = opened(condition.definition, 'any', written)
    into.terms.push({ ...term, ...condition, gives, group, groupsIn })
  }
  into.groups += clauses.length
}

/** The components in a term, in the order in which they are written, and whether they give values: not inside of a not(). */
function componentsIn(term: unknown, gives: boolean): { component: unknown; gives: boolean }[] {
  if (!(term instanceof Wrapped)) return [{ component: term, gives }]
  return term.components.flatMap((part: unknown) => componentsIn(part, gives && !isNot(term)))
}

/** The groups among these terms, numbered in a canonical order; `ids` are those of the components in a world. */
function groupsIn(terms: readonly ParsedTerm[], ids: readonly (number | undefined)[]): Groups {
  const groups = new Map<number, number[]>()
  const possible = new Set<number>()
  const held = new Set<number>()
  terms.forEach(({ definition, role, group, negated, anyway }, i) => {
    if (role !== 'any') return
    const id = ids[i]
    const alternatives = groups.get(group) ?? []
    groups.set(group, alternatives)
    if (id !== undefined || negated) possible.add(group)
    // What is absent everywhere, because this world has not met it, is an alternative that always holds.
    if (id === undefined && negated) held.add(group)
    if (id === undefined) return
    const switched = anyway && canToggle(definition) ? TERM_PRESENT : 0
    alternatives.push(id * TERM_GROUP_STEP + (switched | (negated ? TERM_NEGATED : 0)))
  })
  const asked = [...groups].filter(([group]) => possible.has(group) && !held.has(group))
  const sorted = asked.map(([, alternatives]) => alternatives.sort((a, b) => a - b))
  sorted.sort((a, b) => compareLists(a, b))
  const pairs = sorted.flatMap((alternatives, number) => {
    const operator = TERM_ANY + number * TERM_GROUP_STEP
    return alternatives.map((code): [number, number] => [
      Math.floor(code / TERM_GROUP_STEP),
      operator | (code & (TERM_GROUP_STEP - 1)),
    ])
  })
  return { pairs, count: sorted.length, impossible: possible.size < groups.size }
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
