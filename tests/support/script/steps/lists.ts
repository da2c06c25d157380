// The steps that change a list of entities in one call.

import { expect } from 'vitest'
import * as strata from '../../../../bindings/index'
import { NULL_ENTITY, SWITCHES, Slot } from '../kinds'
import { indexOf, mix } from '../numbers'
import type { Kind } from '../plainWorld'
import type { State } from '../state'
import { closesCircle } from './circles'
import { copied, finds, overridesOf, pickDead, pickOverrides } from './single'

export function spawnMany(session: State, a: number, b: number, c: number): void {
  const kinds = session.pickShared(a)
  const values = session.valuesFor(kinds, b)
  const count = Math.min((c % 5 === 0 ? c % 90 : c % 9) * session.growth, session.free)
  let filled = 0
  const handles = strata.spawnMany(session.world, count, session.ingredients(kinds, values), (chunk) => {
    filled += chunk.end - chunk.start
  })
  if (session.depth === 0) expect(filled).toBe(count)
  expect(handles.length).toBe(count)
  for (const handle of handles) session.born(handle, kinds, values)
}

export function spawnManyAt(session: State, a: number, b: number, c: number): void {
  const kinds = session.pickShared(a)
  const values = session.valuesFor(kinds, b)
  const picked = Array.from({ length: c % 20 }, (_, i) => pickDead(session, mix(c, i)))
  const handles = [...new Map(picked.map((handle) => [indexOf(handle), handle])).values()]
  const untaken = handles.filter((handle) => !session.isTaken(handle))
  const spawn = (list: number[]) =>
    strata.spawnManyAt(session.world, list, session.ingredients(kinds, values))
  // In a block, a copy of a source whose link to one of them was kept may give it a row first, and then it is told of twice.
  const isApart = session.depth > 0 && session.heard !== undefined
  const free = untaken.filter((handle) => !(isApart && session.plain.links.isAwaited(handle)))
  if (untaken.length < handles.length) {
    expect(() => spawn(handles)).toThrow(expect.objectContaining({ code: 'HANDLE_TAKEN' }))
  }
  if (!finds(session, () => expect([...spawn(free)]).toEqual(free))) return
  for (const handle of free) {
    session.cameBack(handle)
    session.born(handle, kinds, values)
  }
}

export function addMany(session: State, a: number, b: number, c: number): void {
  const { living, listed } = session.pickMany(a, b)
  const kinds = session.pickShared(b)
  const values = session.valuesFor(kinds, c)
  const add = () => strata.addMany(session.world, listed, ...session.ingredients(kinds, values))
  if (closesCircle(session, living, kinds, values, add)) return
  expect(add()).toBe(living.length)
  for (const handle of living) {
    session.plain.add(handle, kinds, values)
    session.noteWaiting(handle, kinds, true)
  }
}

export function removeMany(session: State, a: number, b: number): void {
  const { living, listed } = session.pickMany(a, b)
  const kinds = session.pickShared(b)
  expect(strata.removeMany(session.world, Uint32Array.from(listed), ...kinds)).toBe(living.length)
  for (const handle of living) {
    session.plain.remove(handle, kinds)
    session.noteWaiting(handle, kinds, false)
  }
}

export function setMany(session: State, a: number, b: number, c: number): void {
  const { living } = session.pickMany(a, b)
  const listed = [NULL_ENTITY, ...living]
  strata.setMany(session.world, listed, Slot, { number: listed.map((_, i) => (c + i) >>> 0) })
  living.forEach((handle, i) => session.plain.add(handle, [Slot], [{ number: (c + i + 1) >>> 0 }]))
}

export function switchMany(session: State, a: number, b: number, c: number): void {
  const { living, listed } = session.pickMany(a, b)
  const kind = SWITCHES[c % SWITCHES.length] as Kind
  const off = c % 3 !== 0
  const having = living.filter((handle) => session.plain.componentsOf(handle).has(kind))
  const told = (off ? strata.disableMany : strata.enableMany)(session.world, listed, kind)
  if (session.depth === 0) expect(told).toBe(having.length)
  for (const handle of having) session.plain.switch(handle, kind, off)
  session.switches++
}

export function destroyMany(session: State, a: number, b: number): void {
  const handles = [...session.plain.entities.keys()].filter((_, i) => mix(a, i) % 4 === 0).slice(0, b % 40)
  // Dead ones and repeats are passed over. Inside a block the dead of this block are still alive.
  const noise = session.depth === 0 ? session.stale.slice(-3) : []
  const told = strata.destroyMany(session.world, [...noise, ...handles, ...handles.slice(0, 2), NULL_ENTITY])
  if (session.depth === 0) expect(told).toBe(handles.length)
  session.died(handles)
}

export function clear(session: State, a: number): void {
  if (a % (3 * session.growth) !== 0) return
  strata.clearWorld(session.world)
  session.died([...session.plain.entities.keys()])
}

export function spawnFrom(session: State, a: number, b: number, c: number): void {
  const source = session.pick(a)
  if (source === undefined) return
  const overrides = pickOverrides(session, session.pickShared(c), mix(c, 1))
  const count = Math.min((b % 9) * session.growth, session.free)
  const copies = strata.cloneMany(session.world, source, count, ...overridesOf(session, overrides))
  for (const copy of copies) copied(session, source, copy, overrides)
}
