// Owns the steps of readers: looks of every kind, bulk changes through what has changed, versions, subscribers, removals and
// conditions. A look may stand in a block; what is compared exactly stands outside.

import { expect } from 'vitest'
import { Waiting } from '../kinds'
import { mix, pickKinds } from '../numbers'
import type { Reader } from '../readers'
import type { State } from '../state'

export function readerOf(session: State, a: number): Reader {
  return session.readers[a % session.readers.length] as Reader
}

/** One reader looks, in one of its ways. */
export function look(session: State, a: number, b: number): void {
  readerOf(session, a).look(session.plain, b)
}

/** A change of all that one reader finds, which is a look. */
export function changeFound(session: State, a: number, b: number, c: number): void {
  if (session.depth > 0) return
  const { plain } = session
  const reader = readerOf(session, a)
  const found = [...reader.narrowed.page(0, 1e6).entities()]
  reader.check(plain, found, 'a page')
  const query = reader.narrowed
  const kinds = pickKinds(b)
  const choice = c % 8
  if (choice === 0) {
    expect(query.destroy()).toBe(found.length)
    for (const handle of found) session.died(handle)
  } else if (choice < 4) {
    expect(query.remove(...kinds)).toBe(found.length)
    for (const handle of found) {
      plain.remove(handle, kinds)
      session.noteWaiting(handle, kinds, false)
    }
  } else {
    const values = choice < 6 ? kinds.map(() => undefined) : session.valuesFor(kinds, mix(c, 1))
    if (kinds.includes(Waiting)) session.waiting = undefined
    expect(query.add(...session.ingredients(kinds, values))).toBe(found.length)
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
  session.world.advance()
}

/** Everything that remembers is asked once. */
export function askAll(session: State, n: number): void {
  const { lossReaders, plain, readers, subscribed, versions } = session
  readers.forEach((reader, i) => reader.look(plain, mix(n, i)))
  for (const reader of [...lossReaders]) reader.take(plain)
  for (const reader of [...versions, ...subscribed]) reader.compare(plain)
  session.conditions.run(plain)
}
