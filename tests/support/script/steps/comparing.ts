// Compares the world with the plain world: what queries find in each of their ways, orders, handles that died, every entity with
// every value.

import { expect } from 'vitest'
import { maxOf, minOf, objectsOf, sumOf, type Query } from '../../../../bindings/index'
import { Health, NUMBERS, OBJECT_SORTS, Position, Red, Slot, Waiting } from '../kinds'
import { ascending } from '../numbers'
import { type Kind, type Values, sameValues } from '../plainWorld'
import { hasCursor, isRelation } from '../relations'
import type { State } from '../state'
import { ANY, type PlainTerms, queryTermsOf, reachedByAny } from '../terms'
import { askDeadTarget, compareLinks } from './comparingLinks'

interface Eachable {
  each(callback: (handle: number, ...cursors: (Values | undefined)[]) => void): void
}

export function compareQuery(session: State, a: number): void {
  if (session.depth === 0) compareTerms(session, session.termsOf(a))
}

/** Handles found in every way a query has are those that the plain world finds. */
export function compareTerms(session: State, terms: PlainTerms): void {
  const query = session.world.query(...queryTermsOf(terms))
  const expected = ascending(session.plain.matching(terms))
  const found = ascending(query.entities())
  expect(found).toEqual(expected)
  expect(query.count).toBe(expected.length)
  expect(query.isEmpty).toBe(expected.length === 0)
  const first = query.first()
  expect(first === undefined ? expected.length === 0 : expected.includes(first)).toBe(true)
  compareEach(session, query as unknown as Eachable, terms, expected)
  compareWhere(session, query, terms, expected)
  compareFolded(session, query, terms, expected)
}

/** The same, asked for the first time while memory must not grow, and once more afterwards. */
export function compareProbed(session: State, terms: PlainTerms): void {
  session.world.batch(() => compareTerms(session, terms))
  compareTerms(session, terms)
}

/** A condition on the first number that the query reaches, with a value that some entity has. */
export function compareWhere(
  session: State,
  query: Query,
  terms: PlainTerms,
  expected: readonly number[],
): void {
  const links = terms.links.filter(({ absent }) => !absent).map(({ kind }) => kind)
  const kinds = [...links, ...terms.required, ...terms.optional, ...reachedByAny(terms)]
  const asked = NUMBERS.find(([kind]) => kinds.includes(kind))
  if (asked === undefined) return
  const [kind, field] = asked
  const valueOf = (handle: number) =>
    session.plain.componentsOf(handle).get(kind)?.[field] as number | undefined
  const values = expected.map(valueOf).filter((value) => value !== undefined)
  const value = values[values.length >> 1] ?? 0
  const found = query.where(kind as never, field as never, '<=', value as never).entities()
  const kept = expected.filter((handle) => (valueOf(handle) ?? NaN) <= value)
  expect(ascending(found)).toEqual(kept)
}

/** Sum, least and greatest of the first number that the query requires. */
function compareFolded(session: State, query: Query, terms: PlainTerms, expected: readonly number[]): void {
  const asked = NUMBERS.find(([kind]) => terms.required.includes(kind) && !isRelation(kind))
  if (asked === undefined) return
  const [kind, field] = asked
  const values = expected.map((handle) => session.plain.componentsOf(handle).get(kind)?.[field] as number)
  const fold = (how: typeof sumOf | typeof minOf) =>
    how(query as Query<[typeof Slot]>, kind as never, field as never)
  // In which order floats are added is the world's.
  const sum = values.reduce((total, value) => total + value, 0)
  expect(Math.abs((fold(sumOf) as number) - sum)).toBeLessThanOrEqual(
    1e-9 * values.reduce((all, value) => all + Math.abs(value), 0),
  )
  expect(fold(minOf)).toBe(Math.min(...values))
  expect(fold(maxOf as typeof minOf)).toBe(Math.max(...values))
}

/** `each` gives a cursor for every component with data, in the order of the terms. */
export function compareEach(
  session: State,
  query: Eachable,
  terms: PlainTerms,
  expected: readonly number[],
): void {
  const links = terms.links.filter(({ absent }) => !absent).map(({ kind }) => kind)
  const named = [...links, ...terms.required, ...reachedByAny(terms), ...terms.optional].filter(
    (kind) => kind.kind !== 'tag' && (!isRelation(kind) || hasCursor(kind)),
  )
  const visited: number[] = []
  query.each((handle, ...cursors) => {
    visited.push(handle)
    named.forEach((kind, i) => {
      const values = session.plain.componentsOf(handle).get(kind)
      const cursor = cursors[i]
      if ((cursor === undefined) !== (values === undefined))
        throw new Error(`each gives the wrong cursor for ${kind.componentName}`)
      if (cursor === undefined || values === undefined) return
      session.sawThrough(handle, kind)
      const seen = Object.fromEntries(Object.keys(values).map((name) => [name, cursor[name]]))
      if (!sameValues(seen, values)) throw new Error(`each shows wrong values of ${kind.componentName}`)
    })
  })
  expect(ascending(visited)).toEqual(expected)
}

export function askStale(session: State, a: number): void {
  if (session.depth > 0 || session.stale.length === 0) return
  const handle = session.stale[a % session.stale.length] as number
  expect(session.world.isAlive(handle)).toBe(false)
  expect(session.world.has(handle, Position)).toBe(false)
  expect(session.world.get(handle, Health)).toBe(undefined)
  expect(session.world.destroy(handle)).toBe(false)
  expect(session.world.remove(handle, Position)).toBe(false)
  expect(() => session.world.add(handle, Red)).toThrow('is not alive')
  expect(() => session.world.set(handle, Slot, { number: 1 })).toThrow('is not alive')
  askDeadTarget(session, handle)
}

/** Ordered tags are visited in their order. */
export function compareOrders(session: State): void {
  const waiting = [...session.world.query(Waiting).entities()]
  const members = session.plain.matching({ ...ANY, required: [Waiting] })
  expect(ascending(waiting)).toEqual(ascending(members))
  if (session.waiting !== undefined) expect(waiting).toEqual(session.waiting)
  session.waiting = waiting
}

/** Who has an object, with its value. */
function compareObjects(session: State): void {
  if (session.heard === undefined) return
  for (const { kind } of OBJECT_SORTS) {
    const found = new Map(objectsIn(session, kind))
    const having = session.plain.matchingSwitch({ ...ANY, required: [kind] }, kind)
    expect(ascending(found.keys())).toEqual(ascending(having))
    for (const [handle, value] of found)
      if (!sameValues(value, session.plain.componentsOf(handle).get(kind)))
        throw new Error(`objectsOf gives another ${kind.componentName} of ${handle}`)
  }
}

function objectsIn({ world }: State, kind: Kind): (readonly [number, Values])[] {
  // The pair is one and the same array.
  return Array.from(objectsOf(world, kind as never), ([handle, value]) => [handle, value as Values] as const)
}

/** Every entity with every value, and every handle that died. */
export function compareAll(session: State): void {
  expect(session.world.stats().entities).toBe(session.plain.entities.size)
  for (const handle of session.plain.entities.keys()) {
    if (!session.world.isAlive(handle)) throw new Error(`handle ${handle} should be alive`)
    session.compareEntity(handle)
  }
  compareOrders(session)
  compareObjects(session)
  compareLinks(session)
  session.heard?.compare(session.plain)
  for (const handle of session.stale)
    if (session.world.isAlive(handle)) throw new Error(`handle ${handle} died and is alive again`)
}
