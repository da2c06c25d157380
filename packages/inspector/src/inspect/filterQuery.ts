// Owns turning the meaning of a filter into a query, and finding what no query can say.

import { type Definition, isHiding } from '../../../../bindings/components/definition'
import {
  type Query,
  type Term,
  type World,
  all,
  any,
  isStrataError,
  not,
  optional,
} from '../../../../bindings/index'
import type { Registration } from '../../../../bindings/state/registration'
import type { FilterCondition, FilterMeaning, Subject } from './filterMeaning'

/** How a filter is carried out. */
export interface FilterQuery {
  /** Visits all that may match; undefined when nothing can. */
  readonly query: Query | undefined
  /** `query` without the comparisons in the core that narrow it. */
  readonly base: Query | undefined
  /** Those comparisons. */
  readonly compared: FilterCondition
  /** What is asked of each entity in addition. */
  readonly rows: FilterCondition | undefined
  /** The only entities that may match, where the filter names them; then there is no query, and `rows` says all. */
  readonly candidates?: readonly number[]
}

type Single = Exclude<FilterCondition, { readonly kind: 'and' | 'or' }>
type Comparing = Extract<FilterCondition, { readonly kind: 'compare' }>
type Linking = Extract<FilterCondition, { readonly kind: 'link' }>

export const NOTHING: FilterQuery = {
  query: undefined,
  base: undefined,
  compared: { kind: 'always', negated: false },
  rows: undefined,
}

export function queryFor(meaning: FilterMeaning, world: World): FilterQuery {
  const candidates = candidatesOf(meaning.condition)
  if (candidates !== undefined) return { ...NOTHING, rows: ordered(meaning), candidates }
  const draft = new Draft(meaning)
  if (draft.isImpossible) return NOTHING
  let base: Query
  try {
    base = draft.base(world)
  } catch (error) {
    // More alternatives than a query has room for, or a component in two of its terms.
    if (!isStrataError(error) || error.code !== 'INVALID_QUERY') throw error
    draft.askRowsOfAlternatives()
    base = draft.base(world)
  }
  const { rows, comparisons } = draft
  return {
    query: draft.compare(base),
    base,
    compared: allOf(comparisons) ?? NOTHING.compared,
    rows: allOf(rows),
  }
}

/** The condition, with the component that the order asks for. */
function ordered({ condition, order }: FilterMeaning): FilterCondition {
  if (order === undefined) return condition
  const { registration } = order.subject
  return { kind: 'and', parts: [condition, { kind: 'has', registration, negated: false }] }
}

/** The entities of which one must be it, where the filter says so. */
function candidatesOf(condition: FilterCondition): readonly number[] | undefined {
  if (condition.kind === 'is') return condition.negated ? undefined : [condition.entity]
  if (isSingle(condition)) return undefined
  const parts = condition.parts.map(candidatesOf)
  if (condition.kind === 'and') return parts.find((part) => part !== undefined)
  const named = parts.filter((part) => part !== undefined)
  return named.length < parts.length ? undefined : [...new Set(named.flat())]
}

function allOf(parts: readonly FilterCondition[]): FilterCondition | undefined {
  return parts.length > 1 ? { kind: 'and', parts } : parts[0]
}

/** A query in the making, from conditions that must all hold. */
class Draft {
  isImpossible = false
  /** What is asked of each row in JavaScript. */
  rows: FilterCondition[] = []
  private readonly required = new Set<Registration>()
  private readonly excluded = new Set<Registration>()
  private readonly links: Linking[] = []
  /** What the core asks of each row. */
  readonly comparisons: Comparing[] = []
  private alternatives: FilterCondition[] = []

  constructor(private readonly meaning: FilterMeaning) {
    const { condition, order } = meaning
    if (order !== undefined) this.required.add(order.subject.registration)
    for (const part of condition.kind === 'and' ? flattened(condition.parts) : [condition]) this.enter(part)
    for (const registration of this.required) if (this.excluded.has(registration)) this.isImpossible = true
  }

  private enter(condition: FilterCondition): void {
    switch (condition.kind) {
      case 'always':
        if (condition.negated) this.isImpossible = true
        break
      case 'is':
        this.rows.push(condition)
        break
      case 'has':
        ;(condition.negated ? this.excluded : this.required).add(condition.registration)
        break
      case 'link':
        this.enterLink(condition)
        break
      case 'compare':
        this.enterComparison(condition)
        break
      default:
        if (saysPresence(condition)) this.alternatives.push(condition)
        else this.rows.push(condition)
    }
  }

  /** A query visits the sources of one target; what else is asked of links is asked of each. */
  private enterLink(condition: Linking): void {
    if (condition.negated) {
      this.rows.push(condition)
      return
    }
    this.required.add(condition.registration)
    if (this.links.length === 0) this.links.push(condition)
    else this.rows.push(condition)
  }

  private enterComparison(condition: Comparing): void {
    const { subject, comparison, negated } = condition
    if (!negated) this.required.add(subject.registration)
    const isOrdered = comparison !== '==' && comparison !== '!='
    if (negated || subject.isVec || (subject.kind === 'text' && isOrdered)) this.rows.push(condition)
    else this.comparisons.push(condition)
  }

  /** The alternatives become questions to each row. */
  askRowsOfAlternatives(): void {
    this.rows.push(...this.alternatives)
    this.alternatives = []
  }

  /** The query with all terms. */
  base(world: World): Query {
    const terms: unknown[] = []
    const inTerms = new Set<Registration>()
    for (const registration of this.required) {
      const link = this.links.find((other) => other.registration === registration)
      terms.push(link === undefined ? registration.definition : pairOf(link))
      inTerms.add(registration)
    }
    for (const { definition } of this.excluded) terms.push(not(definition as never))
    for (const registration of this.excluded) inTerms.add(registration)
    for (const alternative of this.alternatives) {
      terms.push(termOf(alternative))
      for (const registration of namedIn(alternative)) inTerms.add(registration)
    }
    // A tag that keeps its entities out of queries lets them in where it is named, and the filter names it.
    for (const registration of this.meaning.named) {
      if (!isHiding(registration.definition) || inTerms.has(registration)) continue
      terms.push(optional(registration.definition as never))
    }
    return world.query<Term[]>(...(terms as Term[]))
  }

  /** The query with all comparisons. */
  compare(base: Query): Query {
    let query = base
    for (const { subject, comparison, value } of this.comparisons) {
      query = query.where(
        subject.registration.definition as never,
        fieldName(subject) as never,
        comparison,
        value as never,
      )
    }
    return query
  }
}

function flattened(parts: readonly FilterCondition[]): FilterCondition[] {
  return parts.flatMap((part) => (part.kind === 'and' ? flattened(part.parts) : part))
}

export function fieldName({ registration, field }: Subject): string {
  return registration.definition.fieldNames[field] as string
}

function pairOf({ registration, target }: Linking): unknown {
  const relation = registration.definition as unknown as (target: unknown) => unknown
  return relation(typeof target === 'number' ? target : target.definition)
}

function isSingle(condition: FilterCondition): condition is Single {
  return condition.kind !== 'and' && condition.kind !== 'or'
}

/** Whether nothing but the presence of components decides. */
function saysPresence(condition: FilterCondition): boolean {
  return isSingle(condition) ? condition.kind === 'has' : condition.parts.every(saysPresence)
}

function namedIn(condition: FilterCondition): Registration[] {
  if (!isSingle(condition)) return condition.parts.flatMap(namedIn)
  return condition.kind === 'has' ? [condition.registration] : []
}

/** A condition that says presence, as a term. */
function termOf(condition: FilterCondition): never {
  if (isSingle(condition)) {
    const { registration, negated } = condition as Extract<FilterCondition, { readonly kind: 'has' }>
    const definition: Definition = registration.definition
    return (negated ? not(definition as never) : definition) as never
  }
  const parts = condition.parts.map(termOf) as [never]
  return (condition.kind === 'and' ? all(...parts) : any(...parts)) as never
}
