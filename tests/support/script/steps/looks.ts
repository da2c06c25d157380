// The steps of readers: looks of every kind, bulk changes through what has changed, versions, subscribers, removals and
// conditions. A look may stand in a block; what is compared exactly stands outside.

import { expect } from 'vitest'
import * as strata from '../../../../bindings/index'
import { Waiting, isObject } from '../kinds'
import { mix } from '../numbers'
import type { Asked, Reader } from '../readers'
import { hasCursor, isRelation } from '../relations'
import type { State } from '../state'
import { closesCircle } from './circles'
import { add, destroy, exchange, remove } from './single'

export function readerOf(session: State, a: number): Reader {
  return session.readers[a % session.readers.length] as Reader
}

/** One reader looks, in one of its ways. */
export function look(session: State, a: number, b: number): void {
  readerOf(session, a).look(session.plain, b)
}

/**
 * One reader looks, one of those that it is about is written, another one moves or dies, and the reader looks again. What moves
 * brings rows of other chunks along, which only those notice that have looked before and look after.
 */
export function lookAround(session: State, a: number, b: number, c: number): void {
  if (session.depth > 0) return
  const { plain, world } = session
  const reader = readerOf(session, a)
  reader.look(plain, 0)
  for (let i = 0; i < 1 + (c % 3); i++) {
    const [{ kind }] = reader.asked as readonly [Asked]
    const having = [...world.query(kind).entities()].filter((handle) => plain.entities.has(handle))
    if (having.length < 2) return
    const number = mix(c, i)
    // The last rows are those that fill holes.
    const written = having[having.length - 1 - (mix(b, i) % Math.min(having.length, 3))] as number
    const moved = having[number % having.length] as number
    if (kind.kind !== 'tag' && !isObject(kind) && (!isRelation(kind) || hasCursor(kind))) {
      const values = session.make(kind, number)
      world.set(written, kind as never, values as never)
      plain.tick()
      plain.add(written, [kind], [values])
    }
    if (number % 5 === 4 && !isObject(kind) && !isRelation(kind)) {
      // It comes back to where others of its archetype have stayed.
      for (const way of ['remove', 'add'] as const) {
        plain.tick()
        world[way](moved, kind as never)
        if (way === 'add') plain.add(moved, [kind], [undefined])
        else plain.remove(moved, [kind])
        session.noteWaiting(moved, [kind], way === 'add')
      }
      continue
    }
    const place = [...plain.entities.keys()].indexOf(moved)
    plain.tick()
    const change = [destroy, remove, add, exchange][mix(number, 3) % 4] as typeof add
    change(session, place, mix(number, 1), mix(number, 2))
  }
  reader.look(plain, b)
}

/** A change of all that one reader finds, which is a look. */
export function changeFound(session: State, a: number, b: number, c: number): void {
  if (session.depth > 0) return
  const { plain } = session
  const reader = readerOf(session, a)
  const found = [...reader.narrowed.slice(0, 1e6).entities()]
  reader.check(plain, found, 'a page')
  const query = reader.narrowed
  const kinds = session.pickShared(b)
  const choice = c % 8
  if (choice === 0) {
    expect(strata.destroyMany(query)).toBe(found.length)
    session.died(found)
  } else if (choice < 4) {
    expect(strata.removeMany(query, ...kinds)).toBe(found.length)
    for (const handle of found) {
      plain.remove(handle, kinds)
      session.noteWaiting(handle, kinds, false)
    }
  } else {
    const values = session.sharedValues(kinds, mix(c, 1), choice >= 6)
    const add = () => strata.addMany(query, ...session.ingredients(kinds, values))
    if (closesCircle(session, found, kinds, values, add)) return
    if (kinds.includes(Waiting)) session.waiting = undefined
    expect(add()).toBe(found.length)
    for (const handle of found) plain.add(handle, kinds, values)
  }
  reader.sawAll(plain)
}

/** Removals, versions, subscribers or conditions of systems. */
export function ask(session: State, a: number, b: number): void {
  if (session.depth > 0) return
  const { lossReaders, plain, subscribed, versions } = session
  const choice = a % 4
  if (choice === 0) lossReaders[b % lossReaders.length]?.take(plain)
  else if (choice === 1) versions[b % versions.length]?.compare(plain)
  else if (choice === 2) subscribed[b % Math.max(subscribed.length, 1)]?.compare(plain)
  else session.conditions.run(plain)
}

export function advance(session: State): void {
  session.world.advanceTick()
}

/** Everything that remembers is asked once. */
export function askAll(session: State, n: number): void {
  const { lossReaders, plain, readers, subscribed, versions } = session
  readers.forEach((reader, i) => reader.look(plain, mix(n, i)))
  for (const reader of [...lossReaders]) reader.take(plain)
  for (const reader of [...versions, ...subscribed]) reader.compare(plain)
  session.conditions.run(plain)
}
