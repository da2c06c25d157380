// The terms of the queries of a script: as the plain world knows them, as a query takes them, and made up from a number.

import { type Term, any, cascade, not, optional } from '../../../bindings/index'
import { SORTS } from './kinds'
import { mix } from './numbers'
import type { Kind } from './plainWorld'
import { Owns, RELATION_KINDS, pairOf } from './relations'

/** A component that is there, or one that is not. */
export interface Alternative {
  readonly kind: Kind
  readonly absent: boolean
}

/** A link to a target, or to any target with a component, that is there or not. */
export interface LinkTerm {
  readonly kind: Kind
  readonly target: number | Kind
  readonly absent: boolean
}

/** Terms by component: what a query asks of an entity. Groups of alternatives may share components. */
export interface PlainTerms {
  readonly required: readonly Kind[]
  readonly excluded: readonly Kind[]
  readonly anyOf: readonly (readonly Alternative[])[]
  readonly optional: readonly Kind[]
  /** Links come first in a query. */
  readonly links: readonly LinkTerm[]
  /** The relation whose levels are visited one after the other. */
  readonly levels?: Kind
}

/** The terms as a query takes them. Several excluded components are one term, as are several optional ones. */
export function queryTermsOf(terms: PlainTerms): Term[] {
  const { required, excluded, anyOf, optional: optionals, links, levels } = terms
  return [
    ...links.map(({ kind, target, absent }) => {
      const pair = pairOf(kind, target)
      return absent ? not(pair) : pair
    }),
    ...required,
    ...(excluded.length > 0 ? [not(...(excluded as Several))] : []),
    ...anyOf.map((alternatives) =>
      any(...(alternatives.map(({ kind, absent }) => (absent ? not(kind) : kind)) as Several)),
    ),
    ...(optionals.length > 0 ? [optional(...(optionals as Several))] : []),
    ...(levels === undefined ? [] : [cascade(levels as never)]),
  ]
}

type Several = [Kind, ...Kind[]]

/** Terms that every entity matches. */
export const ANY: PlainTerms = { required: [], excluded: [], anyOf: [], optional: [], links: [] }

/** Whether a world of the script has relations decides what can be asked: one that knows none goes ways of its own. */
const KINDS = SORTS.map(({ kind }) => kind)
const LEVELS = Owns as unknown as Kind
const KINDS_AND_RELATIONS = [...KINDS, ...RELATION_KINDS]

/** Terms in which every component appears at most once, but for groups of alternatives, which may share theirs. */
export function pickTerms(n: number, isLinked: boolean): PlainTerms {
  const all = isLinked ? KINDS_AND_RELATIONS : KINDS
  const shuffled = all.map((kind, i) => ({ kind, key: mix(n, i + 10) })).sort((a, b) => a.key - b.key)
  const kinds = shuffled.map(({ kind }) => kind)
  const take = (count: number) => kinds.splice(0, count)
  const terms = {
    required: take(mix(n, 1) % 3),
    excluded: take([0, 1, 1, 1, 2][mix(n, 2) % 5] as number),
    optional: take([0, 1, 0, 2][mix(n, 3) % 4] as number),
  }
  const groups = mix(n, 4) % 4 === 0 ? 2 : mix(n, 4) % 2
  const size = 1 + (mix(n, 5) % 3)
  const isShared = mix(n, 6) % 2 === 0
  const firsts = Array.from({ length: groups }, (_, i) => (isShared ? kinds.slice(i, i + size) : take(size)))
  return {
    ...terms,
    anyOf: firsts.map((alternatives, i) =>
      alternatives.map((kind, k) => ({ kind, absent: mix(n, 20 + 3 * i + k) % 4 === 0 })),
    ),
    links: [],
  }
}

/** Terms of which one or two more are about links: to a target, or to targets with a component. */
export function withLinks(terms: PlainTerms, n: number, targets: readonly number[]): PlainTerms {
  const isNamed = (kind: Kind) =>
    [terms.required, terms.excluded, terms.optional].some((kinds) => kinds.includes(kind)) ||
    terms.anyOf.some((group) => group.some((one) => one.kind === kind))
  const free = RELATION_KINDS.filter((kind) => !isNamed(kind))
  const count = Math.min(free.length, 1 + (mix(n, 30) % 5 === 0 ? 1 : 0))
  const first = mix(n, 31) % Math.max(free.length, 1)
  const links = Array.from({ length: count }, (_, i) => {
    const target = targets[mix(n, 32 + i) % Math.max(targets.length, 1)]
    const isAny = target === undefined || mix(n, 35 + i) % 4 === 0
    return {
      kind: free[(first + i) % free.length] as Kind,
      target: isAny ? (KINDS[mix(n, 38 + i) % KINDS.length] as Kind) : target,
      absent: mix(n, 41 + i) % 3 === 0,
    }
  })
  return { ...terms, links }
}

/** Terms whose entities are visited level by level, by a relation whose links cannot lead in a circle. */
export function withLevels(terms: PlainTerms): PlainTerms {
  return { ...terms, levels: LEVELS }
}

/** Components whose values a query reaches by its groups of alternatives, each once. */
export function reachedByAny({ anyOf }: PlainTerms): Kind[] {
  const present = anyOf.flat().filter(({ absent }) => !absent)
  return [...new Set(present.map(({ kind }) => kind))]
}
