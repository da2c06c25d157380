// Owns what groups of alternatives come to in one world: the terms made by any() and all() bring it. It must never evaluate them.

import { TERM_ANY, TERM_GROUP_STEP, TERM_NEGATED, TERM_PRESENT } from '../../build/layout'
import { canToggle } from './definition'
import type { Groups, ParsedTerm } from './terms'

/** The groups among these terms, numbered in a canonical order; `ids` are those of the components in a world. */
export function groupsIn(terms: readonly ParsedTerm[], ids: readonly (number | undefined)[]): Groups {
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
