// The steps that bring rows into an order, those that ask whether a version reports it, and those that sweep up what is unused.

import { expect } from 'vitest'
import * as strata from '../../../../bindings/index'
import { Health, Score, Slot, Waiting, Weight } from '../kinds'
import { mix } from '../numbers'
import type { State } from '../state'
import { ANY } from '../terms'
import { add, destroy, exchange, remove, spawn, toggle } from './single'

/** Texts that nobody holds go, and no value changes: whoever compares later would see it. */
export function sweepTexts(session: State): void {
  if (session.depth > 0) return
  const before = session.world.stats().texts
  expect(strata.sweepTexts(session.world)).toBe(before - session.world.stats().texts)
  expect(strata.sweepTexts(session.world)).toBe(0)
}

/** Nothing else is to be seen of it, now or later. */
export function trim(session: State): void {
  if (session.depth > 0) return
  const before = session.world.stats()
  const dropped = strata.trimWorld(session.world)
  const { archetypes, emptyArchetypes } = session.world.stats()
  expect([archetypes, emptyArchetypes]).toEqual([
    before.archetypes - dropped,
    before.emptyArchetypes - dropped,
  ])
  // At most that of entities without components stays.
  expect(emptyArchetypes).toBeLessThanOrEqual(1)
  expect(strata.trimWorld(session.world)).toBe(0)
}

/** The order of the insertion becomes that of a field; who lacks the component comes last. */
export function sortTag(session: State): void {
  strata.sortRows(session.world, Waiting, Slot, 'number')
  session.plain.rowsMoved()
  const keyOf = (handle: number) =>
    (session.plain.componentsOf(handle).get(Slot)?.['number'] as number | undefined) ?? Infinity
  session.waiting?.sort((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) - keyOf(b)))
}

export function sortPool(session: State, a: number): void {
  strata.sortRows(session.world, Health, 'hp')
  session.plain.rowsMoved()
  if (a % 2 === 0) strata.sortRowsAs(session.world, Score, Health)
  if (session.depth > 0) return
  const hps = Array.from(session.world.query(Health).entities(), (e) => session.world.get(e, Health)?.hp ?? 0)
  // Those of the group come first, in order.
  const grouped = session.isGrouped ? session.world.query(Health, Weight).count : 0
  expect(hps.slice(0, grouped)).toEqual(hps.slice(0, grouped).sort((x, y) => x - y))
  expect(hps.slice(grouped)).toEqual(hps.slice(grouped).sort((x, y) => x - y))
}

/** Those who wait start over in an exchange or in a block, so that one of them comes last. */
function waitAgain(session: State, a: number, b: number): void {
  const { plain, world } = session
  const waiting = plain.matching({ ...ANY, required: [Waiting] })
  const handle = waiting[a % Math.max(waiting.length, 1)]
  if (handle === undefined) return
  const isBlock = b % 2 === 0
  if (isBlock) {
    plain.openBlock()
    world.batch(() => (world.remove(handle, Waiting), world.add(handle, Waiting)))
  } else world.exchange(handle, [Waiting], [Waiting])
  plain.remove(handle, [Waiting])
  plain.add(handle, [Waiting], [undefined])
  session.noteWaiting(handle, [Waiting], false)
  session.noteWaiting(handle, [Waiting], true)
  if (isBlock) plain.closeBlock()
}

const CHANGES_OF_ORDER = [sortTag, sortPool, waitAgain, add, destroy, exchange, remove, spawn, toggle]

/**
 * All versions are asked, one change is made, and they are asked again. Between looks that are far apart something else has
 * moved nearly every version on, and a change that forgot to do so would not be seen.
 */
export function versionsAround(session: State, a: number, b: number, c: number): void {
  if (session.depth > 0) return
  const { plain, versions } = session
  const compare = () => versions.forEach((reader) => reader.compare(plain))
  compare()
  for (let i = 0; i < 1 + (c % 3); i++) {
    const change = CHANGES_OF_ORDER[mix(c, i) % CHANGES_OF_ORDER.length] as typeof add
    plain.tick()
    change(session, mix(a, i), mix(b, i), mix(c, i + 9))
    compare()
  }
}
