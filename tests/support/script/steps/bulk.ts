// Owns the steps that change all entities that match a query.

import { expect } from 'vitest'
import { SWITCHES, Waiting } from '../kinds'
import { pickKinds } from '../numbers'
import type { Kind } from '../plainWorld'
import type { State } from '../state'
import { queryTermsOf } from '../terms'

export function queryAdd(session: State, a: number, b: number, c: number): void {
  const terms = session.termsOf(a)
  const kinds = pickKinds(b)
  const values = c % 3 === 0 ? session.valuesFor(kinds, c) : kinds.map(() => undefined)
  if (kinds.includes(Waiting)) session.waiting = undefined
  const told = session.world.query(...queryTermsOf(terms)).add(...session.ingredients(kinds, values))
  const matching = session.plain.matching(terms)
  if (session.depth === 0) expect(told).toBe(matching.length)
  for (const handle of matching) session.plain.add(handle, kinds, values)
}

export function queryRemove(session: State, a: number, b: number): void {
  const terms = session.termsOf(a)
  const kinds = pickKinds(b)
  const told = session.world.query(...queryTermsOf(terms)).remove(...kinds)
  const matching = session.plain.matching(terms)
  if (session.depth === 0) expect(told).toBe(matching.length)
  for (const handle of matching) {
    session.plain.remove(handle, kinds)
    session.noteWaiting(handle, kinds, false)
  }
}

export function queryDestroy(session: State, a: number): void {
  const terms = session.termsOf(a)
  const told = session.world.query(...queryTermsOf(terms)).destroy()
  const matching = session.plain.matching(terms)
  if (session.depth === 0) expect(told).toBe(matching.length)
  for (const handle of matching) session.died(handle)
}

export function queryToggle(session: State, a: number, b: number): void {
  const kind = SWITCHES[b % SWITCHES.length] as Kind
  const off = b % 3 !== 0
  const terms = session.termsOf(a)
  const query = session.world.query(...queryTermsOf(terms))
  const told = off ? query.disable(kind) : query.enable(kind)
  const matching = session.plain.matchingSwitch(terms, kind)
  if (session.depth === 0) expect(told).toBe(matching.length)
  for (const handle of matching) session.plain.switch(handle, kind, off)
  session.switches++
}
