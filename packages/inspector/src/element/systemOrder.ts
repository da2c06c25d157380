// Owns what determines the place of each system in the order: which ones it comes after and before, for what reason, and for
// which ones nothing decides. It is given what a schedule found.

import type { Ambiguity, Constraint } from '../../../../bindings/index'
import { grouped, shownName } from './format'

/** The place of one system: the pairs that it is one of. */
export interface Place {
  /** With those that it must run after. */
  readonly after: Constraint[]
  /** With those that its own option `before` names. */
  readonly before: Constraint[]
  readonly undecided: Ambiguity[]
}

/** The place of each system, by its name. Pairs stand in the order in which the others run. */
export function placesOf(
  order: readonly string[],
  constraints: readonly Constraint[],
  ambiguities: readonly Ambiguity[],
): ReadonlyMap<string, Place> {
  const places = new Map(
    order.map((name): [string, Place] => [name, { after: [], before: [], undecided: [] }]),
  )
  for (const pair of constraints) {
    places.get(pair.systems[1])?.after.push(pair)
    if (pair.by.includes('before')) places.get(pair.systems[0])?.before.push(pair)
  }
  for (const pair of ambiguities) for (const name of pair.systems) places.get(name)?.undecided.push(pair)
  return places
}

/** Others that a line names until a person asks for all. */
export const MOST_NAMED = 5
/** Components that both of a pair touch, as far as they are named. */
const MOST_TOUCHED = 5

/** Whom a system comes after, with what says so unless its own `after` alone does, and whom it put itself before. */
export function orderText({ after, before }: Place, most: number): string {
  const first = listed(after, most, ({ systems, by }) => {
    const ways = by.map((way) => (way === 'before' ? 'its before' : way === 'after' ? 'own after' : way))
    return by.length === 1 && by[0] === 'after' ? shownName(systems[0]) : explained(systems[0], ways)
  })
  const then = listed(before, most, ({ systems }) => shownName(systems[1]))
  return [first && `after ${first}`, then && `before ${then}`].filter((text) => text !== '').join(' · ')
}

/** With whom nothing decides the order of a system, and what both touch. */
export function warningText(name: string, { undecided }: Place, most: number): string {
  const others = listed(undecided, most, ({ systems: [first, second], components }) => {
    const touched = components.slice(0, MOST_TOUCHED).map(shownName)
    if (components.length > MOST_TOUCHED) touched.push('…')
    return explained(first === name ? second : first, touched)
  })
  return others && `⚠ undecided with ${others}`
}

const explained = (name: string, why: readonly string[]) => `${shownName(name)} (${why.join(', ')})`

/** The first `most` of them, and how many more there are. */
function listed<T>(pairs: readonly T[], most: number, textOf: (pair: T) => string): string {
  const rest = pairs.length - most
  const named = pairs.slice(0, most).map(textOf).join(', ')
  return rest > 0 ? `${named} and ${grouped(rest)} more` : named
}
