// The steps that change one entity: by a call, or recorded in a buffer.

import { expect } from 'vitest'
import * as strata from '../../../../bindings/index'
import { Brief, SWITCHES, Spark, UNCOPIED } from '../kinds'
import { mix } from '../numbers'
import type { Given, Kind, Sort } from '../plainWorld'
import { hasCursor, isRelation } from '../relations'
import type { State } from '../state'
import { closesCircle } from './circles'

export function spawn(session: State, a: number, b: number): void {
  const kinds = a % 11 === 0 ? [] : session.pickAny(a)
  const values = session.valuesFor(kinds, b)
  if (session.free === 0) {
    expect(() => session.world.spawn(...session.ingredients(kinds, values))).toThrow(strata.LimitError)
    return
  }
  const handle = session.target.spawn(...session.ingredients(kinds, values))
  session.born(handle, kinds, values)
  session.compareEntity(handle)
}

/** A handle that was alive once, or any other one: of few generations, and not far beyond those that there are. */
export function pickDead(session: State, n: number): number {
  const { stale, limit } = session
  if (n % 2 === 0 && stale.length > 0) return stale[mix(n, 1) % stale.length] as number
  const index = 1 + (mix(n, 2) % Math.min(limit, session.plain.entities.size * 2 + 50))
  return (((mix(n, 3) % 4) << 24) | index) >>> 0
}

/** In a block memory must not grow: where records are missing for handles that a step names, it is refused, and nothing is. */
export function finds(session: State, step: () => void): boolean {
  try {
    step()
    return true
  } catch (error) {
    if (session.depth === 0 || (error as strata.StrataError).code !== 'WORLD_LOCKED') throw error
    return false
  }
}

export function spawnAt(session: State, a: number, b: number, c: number): void {
  const handle = pickDead(session, c)
  const kinds = a % 11 === 0 ? [] : session.pickAny(a)
  const values = session.valuesFor(kinds, b)
  const { target } = session
  const spawn = () =>
    target instanceof strata.World
      ? strata.spawnAt(target, handle, ...session.ingredients(kinds, values))
      : target.spawnAt(handle, ...session.ingredients(kinds, values))
  if (session.isTaken(handle)) {
    expect(spawn).toThrow(expect.objectContaining({ code: 'HANDLE_TAKEN' }))
    return
  }
  if (!finds(session, () => expect(spawn()).toBe(handle))) return
  session.cameBack(handle)
  session.born(handle, kinds, values)
  session.compareEntity(handle)
}

export function add(session: State, a: number, b: number, c: number): void {
  const handle = session.pick(a)
  if (handle === undefined) return
  const kinds = session.pickAny(b)
  const values = session.valuesFor(kinds, c)
  const make = () => session.target.add(handle, ...session.ingredients(kinds, values))
  if (closesCircle(session, [handle], kinds, values, make)) return
  const told = make()
  const added = session.plain.add(handle, kinds, values)
  session.noteWaiting(handle, kinds, true)
  if (session.depth === 0 && told !== added) throw new Error(`add said ${told} and should have said ${added}`)
  session.compareEntity(handle)
}

export function exchange(session: State, a: number, b: number, c: number): void {
  const handle = session.pick(a)
  if (handle === undefined) return
  const removed = session.pickAny(a)
  // Often the same components: what is in both lists starts over.
  const added = c % 3 ? session.pickAny(b) : removed.slice(0, 1 + (b % 2))
  const values = session.valuesFor(added, c)
  const make = () => session.target.exchange(handle, removed, session.ingredients(added, values))
  if (closesCircle(session, [handle], added, values, make)) return
  const told = make()
  const gone = session.plain.remove(handle, removed)
  // What is in both lists starts over, at the end.
  session.noteWaiting(handle, removed, false)
  session.noteWaiting(handle, added, true)
  const changed = session.plain.add(handle, added, values) || gone
  if (session.depth === 0 && told !== changed)
    throw new Error(`exchange said ${told} and should have said ${changed}`)
  session.compareEntity(handle)
}

export function remove(session: State, a: number, b: number): void {
  const handle = session.pick(a)
  if (handle === undefined) return
  const kinds = session.pickAny(b)
  const told = session.target.remove(handle, ...kinds)
  session.noteWaiting(handle, kinds, false)
  const removed = session.plain.remove(handle, kinds)
  if (session.depth === 0 && told !== removed)
    throw new Error(`remove said ${told} and should have said ${removed}`)
  session.compareEntity(handle)
}

export function set(session: State, a: number, b: number, c: number): void {
  const handle = session.pick(a)
  const { sorts } = session
  const { kind } = sorts[b % sorts.length] as Sort
  if (handle === undefined || kind.kind === 'tag') return
  // A link has no values before it has a target, and is named where there may be several.
  if (isRelation(kind) && !(hasCursor(kind) && session.plain.componentsOf(handle).has(kind))) return
  const values = session.make(kind, c)
  session.target.set(handle, kind, values)
  session.plain.add(handle, [kind], [values])
  session.compareEntity(handle)
}

/** The values of several components, of which the entity has some. */
export function setAll(session: State, a: number, b: number, c: number): void {
  const handle = session.pick(a)
  const kinds = session.pickAny(b).filter((kind) => kind.kind !== 'tag' && !isRelation(kind))
  if (handle === undefined || kinds.length === 0) return
  const values = kinds.map((kind, i) => session.make(kind, mix(c, i)))
  session.world.set(handle, ...(session.ingredients(kinds, values) as never[]))
  session.plain.add(handle, kinds, values)
  session.compareEntity(handle)
}

export function destroy(session: State, a: number): void {
  const handle = session.pick(a)
  if (handle === undefined) return
  const told = session.target.destroy(handle)
  if (session.buffer === undefined) expect(told).toBe(true)
  session.died([handle])
}

export function toggle(session: State, a: number, b: number): void {
  const handle = session.pick(a)
  if (handle === undefined) return
  const kind = SWITCHES[b % SWITCHES.length] as Kind
  const off = b % 3 !== 0
  const told = off ? session.world.disable(handle, kind) : session.world.enable(handle, kind)
  const switched = session.plain.switch(handle, kind, off)
  session.switches++
  if (session.depth === 0 && told !== switched) throw new Error(`the switch said ${told}, not ${switched}`)
  session.compareEntity(handle)
}

export function discard(session: State, a: number): void {
  const handle = session.pick(a)
  if (handle === undefined) return
  const told = strata.queueDestroy(session.world, handle)
  if (session.depth === 0) expect(told).toBe(!session.plain.discarded.has(handle))
  session.plain.discarded.add(handle)
  session.plain.rowsMoved()
}

export function endFrame(session: State): void {
  if (session.loops > 0 && session.frameWaits) {
    // A loop that is open at the end of two frames was left open by mistake: the world says so, and changes nothing.
    expect(() => strata.endFrame(session.world)).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
    return
  }
  session.frameWaits = session.depth > 0
  strata.endFrame(session.world)
  session.died([...session.plain.discarded])
  session.plain.discarded.clear()
  for (const handle of session.plain.entities.keys()) session.plain.remove(handle, [Brief, Spark])
}

/** What copies get beside what their model has, or in place of it, and what they do not get. */
interface Overrides {
  readonly dropped: readonly Kind[]
  readonly kinds: readonly Kind[]
  readonly values: readonly Given[]
}

const PLAIN: Overrides = { dropped: [], kinds: [], values: [] }

/** Overrides among some components; half of the time there are none. */
export function pickOverrides(session: State, among: readonly Kind[], n: number): Overrides {
  if (n % 2 === 0) return PLAIN
  const dropped = mix(n, 1) % 2 === 0 ? session.pickAny(mix(n, 2)) : []
  const kinds = mix(n, 3) % 3 === 0 ? [] : among
  return { dropped, kinds, values: session.valuesFor(kinds, mix(n, 4)) }
}

/** The same as calls that copy take them. */
export function overridesOf(session: State, { dropped, kinds, values }: Overrides): never[] {
  const left = dropped.length === 0 ? [] : [strata.omit(...(dropped as readonly strata.ComponentLike[]))]
  return [...session.ingredients(kinds, values), ...left] as never[]
}

/** A copy gets everything but objects that cannot be copied and what it drops, and the overrides then. */
export function copied(session: State, source: number, copy: number, overrides: Overrides): void {
  const { plain } = session
  const components = plain.componentsOf(source)
  const isCopied = (kind: Kind) => !UNCOPIED.has(kind) && !overrides.dropped.includes(kind)
  const kinds = [...components.keys()].filter((kind) => isCopied(kind) && !isRelation(kind))
  session.born(
    copy,
    kinds,
    kinds.map((kind) => components.get(kind)),
  )
  plain.copyLinks(source, copy, isCopied)
  plain.passedThrough(overrides.dropped.filter((kind) => components.has(kind)))
  for (const kind of plain.off.get(source) ?? []) if (isCopied(kind)) plain.switch(copy, kind, true)
  if (plain.discarded.has(source)) plain.discarded.add(copy)
  plain.addAtBirth(copy, overrides.kinds, overrides.values)
  session.noteWaiting(copy, overrides.kinds, true)
  session.compareEntity(copy)
}

export function clone(session: State, a: number, b: number, c: number): void {
  const source = session.pick(a)
  if (source === undefined || session.free === 0) return
  const overrides = pickOverrides(session, session.pickAny(b), c)
  copied(
    session,
    source,
    strata.cloneEntity(session.world, source, ...overridesOf(session, overrides)),
    overrides,
  )
}
