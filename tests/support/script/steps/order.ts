// Owns the steps that bring rows into an order, and those that sweep up what nobody holds.

import { expect } from 'vitest'
import { Health, Score, Slot, Waiting, Weight } from '../kinds'
import type { State } from '../state'

/** Texts that nobody holds go, and no value changes: whoever compares later would see it. */
export function sweepTexts(session: State): void {
  if (session.depth > 0) return
  const before = session.world.stats().texts
  expect(session.world.sweepTexts()).toBe(before - session.world.stats().texts)
  expect(session.world.sweepTexts()).toBe(0)
}

/** The order of the insertion becomes that of a field; who lacks the component comes last. */
export function sortTag(session: State): void {
  session.world.sort(Waiting, Slot, 'number')
  session.plain.rowsMoved()
  const keyOf = (handle: number) =>
    (session.plain.componentsOf(handle).get(Slot)?.['number'] as number | undefined) ?? Infinity
  session.waiting?.sort((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) - keyOf(b)))
}

export function sortPool(session: State, a: number): void {
  session.world.sort(Health, 'hp')
  session.plain.rowsMoved()
  if (a % 2 === 0) session.world.sortAs(Score, Health)
  if (session.depth > 0) return
  const hps = Array.from(session.world.query(Health).entities(), (e) => session.world.get(e, Health)?.hp ?? 0)
  // Those of the group come first, in order.
  const grouped = session.isGrouped ? session.world.query(Health, Weight).count : 0
  expect(hps.slice(0, grouped)).toEqual(hps.slice(0, grouped).sort((x, y) => x - y))
  expect(hps.slice(grouped)).toEqual(hps.slice(grouped).sort((x, y) => x - y))
}
