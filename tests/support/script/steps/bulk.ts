// The steps that change all entities that match a query.

import { expect } from 'vitest'
import * as strata from '../../../../bindings/index'
import { SWITCHES, Waiting } from '../kinds'
import { To } from '../plainLinks'
import type { Given, Kind } from '../plainWorld'
import type { State } from '../state'
import { queryTermsOf } from '../terms'
import { closesCircle } from './circles'

export function queryAdd(session: State, a: number, b: number, c: number): void {
  const terms = session.termsOf(a)
  const kinds = session.pickShared(b)
  const values = session.sharedValues(kinds, c, c % 3 === 0)
  const matching = session.plain.matching(terms)
  const add = () =>
    strata.addMany(session.world.query(...queryTermsOf(terms)), ...session.ingredients(kinds, values))
  if (closesCircle(session, matching, kinds, values, add)) return
  if (kinds.includes(Waiting)) session.waiting = undefined
  // Sources are linked in the order of the rows; in a block, of those that there will be at its end.
  const order =
    hasLinks(values) && session.depth === 0
      ? [...session.world.query(...queryTermsOf(terms)).entities()]
      : matching
  const told = add()
  if (session.depth === 0) expect(told).toBe(matching.length)
  for (const handle of order) session.plain.add(handle, kinds, values)
  if (session.depth > 0) leaveOrders(session, kinds, values)
}

function hasLinks(values: readonly Given[]): boolean {
  return values.some((given) => given instanceof To)
}

function leaveOrders(session: State, kinds: readonly Kind[], values: readonly Given[]): void {
  values.forEach((given, i) => {
    if (given instanceof To) session.plain.links.leaveOrder(kinds[i] as Kind, given.target)
  })
}

export function queryRemove(session: State, a: number, b: number): void {
  const terms = session.termsOf(a)
  const kinds = session.pickShared(b)
  const told = strata.removeMany(session.world.query(...queryTermsOf(terms)), ...kinds)
  const matching = session.plain.matching(terms)
  if (session.depth === 0) expect(told).toBe(matching.length)
  for (const handle of matching) {
    session.plain.remove(handle, kinds)
    session.noteWaiting(handle, kinds, false)
  }
}

export function queryDestroy(session: State, a: number): void {
  const terms = session.termsOf(a)
  const told = strata.destroyMany(session.world.query(...queryTermsOf(terms)))
  const matching = session.plain.matching(terms)
  if (session.depth === 0) expect(told).toBe(matching.length)
  session.died(matching)
}

export function queryToggle(session: State, a: number, b: number): void {
  const kind = SWITCHES[b % SWITCHES.length] as Kind
  const off = b % 3 !== 0
  const terms = session.termsOf(a)
  const query = session.world.query(...queryTermsOf(terms))
  const told = off ? strata.disableMany(query, kind) : strata.enableMany(query, kind)
  const matching = session.plain.matchingSwitch(terms, kind)
  if (session.depth === 0) expect(told).toBe(matching.length)
  for (const handle of matching) session.plain.switch(handle, kind, off)
  session.switches++
}
