// The steps about links: several at once, the end of single ones, places among the sources of a target, what is asked about
// single targets, and the sweep of handles that lead nowhere.

import { expect } from 'vitest'
import * as strata from '../../../../bindings/index'
import { HANDLES, NULL_ENTITY, Position } from '../kinds'
import { mix } from '../numbers'
import { To } from '../plainLinks'
import type { Kind } from '../plainWorld'
import { RELATIONS, RELATION_KINDS, SINCE, pairOf, relationOf } from '../relations'
import type { State } from '../state'
import { ANY, type PlainTerms } from '../terms'
import { closesCircle } from './circles'
import { compareTerms } from './comparing'
import { compareSources } from './comparingLinks'
import { add, remove } from './single'

/** One to three relations by one call; in scripts without them, other components. */
export function link(session: State, a: number, b: number, c: number): void {
  if (!session.isLinked) return add(session, a, b, c)
  const handle = session.pick(a)
  if (handle === undefined) return
  const kinds = [0, 1, 3].slice(0, 1 + (c % 3)).map((i) => RELATION_KINDS[(b + i) % 6] as Kind)
  const values = session.valuesFor(kinds, c)
  const make = () => session.target.add(handle, ...session.ingredients(kinds, values))
  if (closesCircle(session, [handle], kinds, values, make)) return
  const told = make()
  const added = session.plain.add(handle, kinds, values)
  if (session.depth === 0 && told !== added) throw new Error(`add said ${told} and should have said ${added}`)
  session.compareEntity(handle)
}

/** The values of a link that is there, or of one that is made. */
export function setLink(session: State, a: number, b: number, c: number): void {
  if (!session.isLinked) return add(session, a, b, c)
  const handle = session.pick(a)
  const kind = RELATION_KINDS[b % 6] as Kind
  if (handle === undefined) return
  const targets = livingTargets(session, kind, handle)
  const target = targets[c % Math.max(targets.length, 1)] ?? (session.pick(c) as number)
  const given = new To(target, session.make(kind, mix(c, 1)))
  const pair = pairOf(kind, target)
  const set = () => {
    if (session.buffer !== undefined) session.buffer.add(handle, ...session.ingredients([kind], [given]))
    else session.world.set(handle as strata.Entity, pair as never, given.values as never)
  }
  if (closesCircle(session, [handle], [kind], [given], set)) return
  set()
  session.plain.add(handle, [kind], [given])
  session.compareEntity(handle)
}

/** All links of one entity in a relation: none, some or many, often some of those that it has, with a column of values or without. */
export function setTargets(session: State, a: number, b: number, c: number): void {
  if (!session.isLinked) return
  const { plain, world } = session
  const handle = session.pick(a)
  if (handle === undefined) return
  const { kind, isExclusive } = RELATIONS[b % 6] as (typeof RELATIONS)[0]
  const most = isExclusive ? 2 : mix(c, 1) % 8 === 0 ? 50 : 6
  const kept = livingTargets(session, kind, handle).filter((_, i) => mix(c, i + 2) % 2 === 0)
  const others = Array.from({ length: mix(c, 3) % most }, (_, i) => session.pick(mix(b, i)) as number)
  const targets = [...new Set(c % 2 === 0 ? [...kept, ...others] : [...others, ...kept.reverse()])]
  const links = isExclusive ? targets.slice(0, 1) : targets
  const since = SINCE.has(kind) && mix(c, 4) % 2 === 0 ? links.map((_, i) => mix(c, i) & 0xffff) : undefined
  const given = links.map((target, i) => new To(target, since && { since: since[i] }))
  const set = () => {
    const options = since && { values: { since } }
    world.setTargets(
      handle as strata.Entity,
      relationOf(kind),
      mix(c, 5) % 2 ? links : Uint32Array.from(links),
      options,
    )
  }
  const kinds = links.map(() => kind)
  if (closesCircle(session, [handle], kinds, given, set)) return
  set()
  plain.relink(handle, kind, given)
  session.compareEntity(handle)
}

function livingTargets(session: State, kind: Kind, handle: number): number[] {
  const { entities, links } = session.plain
  return [...links.targetsOf(kind, handle).keys()].filter((target) => entities.has(target))
}

/** Some links end: those of one or two relations, with a component, some that are not there. */
export function unlink(session: State, a: number, b: number, c: number): void {
  if (!session.isLinked) return remove(session, a, b)
  const handle = session.pick(a)
  if (handle === undefined) return
  const { links } = session.plain
  const first = b % 6
  const kinds = [first, (first + 1 + (c % 5)) % 6].slice(0, 1 + (c % 2)).map((i) => RELATION_KINDS[i] as Kind)
  const ended = kinds.map((kind) => {
    const targets = [...links.targetsOf(kind, handle).keys()].filter((target) => target >= 0)
    const some = targets.slice(mix(c, 1) % 3 === 0 ? 0 : mix(c, 2) % Math.max(targets.length, 1))
    const other = session.pick(mix(c, 3)) as number
    return [kind, [...new Set(mix(c, 4) % 3 === 0 ? [...some, other] : some)]] as const
  })
  const pairs = ended.flatMap(([kind, targets]) => targets.map((target) => pairOf(kind, target)))
  const isBeside = mix(c, 5) % 3 === 0
  const told = session.target.remove(handle, ...(isBeside ? [Position] : []), ...pairs)
  let removed = isBeside && session.plain.remove(handle, [Position])
  for (const [kind, targets] of ended) removed = session.plain.unlink(handle, kind, targets) || removed
  if (session.depth === 0 && told !== removed)
    throw new Error(`remove said ${told} and should have said ${removed}`)
  session.compareEntity(handle)
}

/** A source goes before or after another one of the same target. */
export function place(session: State, a: number, b: number, c: number): void {
  if (!session.isLinked) return
  const { plain, world } = session
  const { kind, isExclusive } = RELATIONS[b % 6] as (typeof RELATIONS)[0]
  const some = session.pick(a)
  if (some === undefined) return
  const target = livingTargets(session, kind, some)[0] ?? some
  const sources = plain.sourcesOf(kind, target)
  if (sources.length === 0) return
  const [one, sibling] = [b, c].map((n) => sources[mix(n, 1) % sources.length]) as [number, number]
  const isBefore = c % 2 === 0
  const asked = isExclusive && mix(c, 2) % 2 === 0 ? relationOf(kind) : pairOf(kind, target)
  world.reorder(one, asked as never, isBefore ? { before: sibling } : { after: sibling })
  plain.links.place(kind, one, target, sibling, isBefore)
}

/** A query with links is watched from here on, mostly one to a target that has sources; all that are watched are compared. */
export function watch(session: State, a: number, b: number): void {
  if (!session.isLinked || session.depth > 0) return
  const { plain, watched } = session
  if (b % 2 === 0) watched.watch(b % 3 === 0 ? session.linkedTerms(ANY, a) : termsToWatch(session, a))
  watched.compare(plain)
}

/** Terms with a link, to a target that an entity has. */
function termsToWatch(session: State, n: number): PlainTerms {
  const handle = session.pick(n)
  const kinds = RELATION_KINDS.filter(
    (kind) => handle !== undefined && livingTargets(session, kind, handle).length > 0,
  )
  const kind = kinds[mix(n, 1) % Math.max(kinds.length, 1)]
  if (kind === undefined) return session.linkedTerms(ANY, n)
  const target = livingTargets(session, kind, handle as number)[0] as number
  const required = mix(n, 2) % 2 === 0 ? [] : session.someTerms(n).required.filter((one) => one !== kind)
  return { ...ANY, required, links: [{ kind, target, absent: mix(n, 3) % 4 === 0 }] }
}

/** All that can be asked about single targets. */
export function askTargets(session: State, a: number, b: number): void {
  if (!session.isLinked || session.depth > 0) return
  compareTerms(session, session.linkedTerms(b % 2 === 0 ? ANY : session.termsOf(a), mix(a, 1)))
  const target = session.pick(a)
  if (target !== undefined) for (const { kind } of RELATIONS) compareSources(session, kind, target)
}

/** Handles of the dead become those of nobody, in components and in links, which counts as a write where there was one. */
export function sweepReferences(session: State): void {
  // In a block who died in it is alive.
  if (session.depth > 0) return
  const { plain, world } = session
  const isDead = (value: unknown) => value !== NULL_ENTITY && !plain.entities.has(value as number)
  let count = 0
  for (const [kind, name] of HANDLES) {
    for (const [handle, components] of plain.entities) {
      const values = components.get(kind)
      if (values !== undefined && name in values) {
        if (!isDead(values[name])) continue
        count++
        plain.add(handle, [kind], [{ [name]: NULL_ENTITY }])
      } else {
        for (const [target, values] of plain.links.targetsOf(kind, handle)) {
          if (!isDead(values[name])) continue
          count++
          plain.writeLink(handle, kind, target, { ...values, [name]: NULL_ENTITY })
        }
      }
    }
  }
  expect(strata.sweepReferences(world)).toBe(count)
  expect(strata.sweepReferences(world)).toBe(0)
}
