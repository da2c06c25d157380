// Owns the terms of the queries of a script: as the plain world knows them, as a query takes them, and made up from a number.
// It must never ask a world.

import { type Term, any, not, optional } from '../../../bindings/index'
import { SORTS } from './kinds'
import { mix } from './numbers'
import type { Kind } from './plainWorld'

/** A component that is there, or one that is not. */
export interface Alternative {
  readonly kind: Kind
  readonly absent: boolean
}

/** Terms by component: what a query asks of an entity. Groups of alternatives may share components. */
export interface PlainTerms {
  readonly required: readonly Kind[]
  readonly excluded: readonly Kind[]
  readonly anyOf: readonly (readonly Alternative[])[]
  readonly optional: readonly Kind[]
}

/** The terms as a query takes them. Several excluded components are one term, as are several optional ones. */
export function queryTermsOf(terms: PlainTerms): Term[] {
  const { required, excluded, anyOf, optional: optionals } = terms
  return [
    ...required,
    ...(excluded.length > 0 ? [not(...(excluded as Several))] : []),
    ...anyOf.map((alternatives) =>
      any(...(alternatives.map(({ kind, absent }) => (absent ? not(kind) : kind)) as Several)),
    ),
    ...(optionals.length > 0 ? [optional(...(optionals as Several))] : []),
  ]
}

type Several = [Kind, ...Kind[]]

/** Terms that every entity matches. */
export const ANY: PlainTerms = { required: [], excluded: [], anyOf: [], optional: [] }

/** Terms in which every component appears at most once, but for groups of alternatives, which may share theirs. */
export function pickTerms(n: number): PlainTerms {
  const shuffled = SORTS.map(({ kind }, i) => ({ kind, key: mix(n, i + 10) })).sort((a, b) => a.key - b.key)
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
  }
}

/** Components whose values a query reaches by its groups of alternatives, each once. */
export function reachedByAny({ anyOf }: PlainTerms): Kind[] {
  const present = anyOf.flat().filter(({ absent }) => !absent)
  return [...new Set(present.map(({ kind }) => kind))]
}
