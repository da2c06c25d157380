// How a script goes on in a world that was loaded from a save, by bytes or by JSON, and how it takes in what another one has
// saved: what the plain world holds then, under the new handles.

import { expect } from 'vitest'
import {
  type ComponentLike,
  QueuedForDestroy,
  type Entity,
  type Loaded,
  mergeWorld,
  NULL_ENTITY,
  saveToJSON,
  saveWorld,
} from '../../../bindings/index'
import { checkInvariants } from '../invariants'
import { load, loadJSON } from '../loaded'
import { Ground, HANDLES, OBJECT_SORTS, REVIVED, SORTS, Socket, Sprite, Wind } from './kinds'
import type { Kind, PlainWorld, Values } from './plainWorld'
import { RELATION_KINDS } from './relations'
import { Session } from './session'

const KINDS = [...SORTS, ...OBJECT_SORTS].map(({ kind }) => kind as ComponentLike)
const RELATED = [...KINDS, ...(RELATION_KINDS as readonly ComponentLike[])]

type Handles = ReadonlyMap<number, Entity>

/** Who was gone when a world was saved has no handle in another one: below 0, each another one. */
let nobody = 0

/** All that names in a save of a session stand for. */
export function knownIn(session: Session): readonly ComponentLike[] {
  return [...(session.isLinked ? RELATED : KINDS), Ground, Wind, QueuedForDestroy] as readonly ComponentLike[]
}

/** The world of a session, saved and loaded. */
export function loadedFrom(session: Session, asJSON: boolean): Loaded {
  const { limit, world } = session
  const options = limit < 2 ** 20 ? { maxEntities: limit } : {}
  const known = knownIn(session)
  return asJSON ? loadJSON(saveToJSON(world), known, options) : load(saveWorld(world), known, options)
}

/** A session in a world that was loaded from a save of another session's, which stays as it is. */
export function goOn(session: Session, { world, handles, unknown, absent }: Loaded): Session {
  const { growth, limit, plain, queryCount, querySeed, waiting } = session
  expect(unknown).toEqual([])
  expect(absent.map(({ component }) => component)).toEqual(absent.map(() => Socket))
  expect(absent.length).toBe(session.world.query(Socket).count)
  expect(world.tick).toBe(session.world.tick)
  const next = new Session(world, limit, querySeed, queryCount, growth)
  next.begin(
    renamed(plain, handles),
    waiting?.map((handle) => handles.get(handle) as number),
  )
  return next
}

/** The session goes on in a world that was loaded from a save of its own, which ends. */
export function reload(session: Session, asJSON: boolean): Session {
  const next = goOn(session, loadedFrom(session, asJSON))
  session.world.dispose()
  return next
}

/** What another session has saved comes into the world of this one. Whether there is room for it. */
export function mergeInto(session: Session, other: Session): boolean {
  const { plain, world } = session
  if (other.plain.entities.size > session.free) return false
  const { handles, unknown } = mergeWorld(world, saveWorld(other.world), {
    components: knownIn(session),
  })
  checkInvariants(world)
  expect(unknown).toEqual([])
  plain.tick()
  plain.takeIn(renamed(other.plain, handles))
  const come = other.waiting?.map((handle) => handles.get(handle) as number)
  session.waiting = come && session.waiting?.concat(come)
  for (const handle of handles.values()) session.cameBack(handle)
  return true
}

/** The plain world with the handles of another one, where all that is there has just been made. */
function renamed(plain: PlainWorld, handles: Handles): PlainWorld {
  expect(handles.size).toBe(plain.entities.size)
  const copy = plain.copy((handle) => handles.get(handle) ?? --nobody)
  for (const [handle, components] of copy.entities) {
    copy.forget(handle, Socket as unknown as Kind)
    if (components.has(Sprite as unknown as Kind)) components.set(Sprite as unknown as Kind, { n: REVIVED })
    for (const [kind, name] of HANDLES) follow(copy, handle, kind, name, handles)
  }
  copy.startTime()
  return copy
}

/** Handles in fields follow their entities, and become those of nobody where these are gone. */
function follow(copy: PlainWorld, handle: number, kind: Kind, name: string, handles: Handles): void {
  const followed = (values: Values): Values => ({
    ...values,
    [name]: handles.get(values[name] as number) ?? NULL_ENTITY,
  })
  const components = copy.componentsOf(handle)
  const values = components.get(kind)
  if (values === undefined) return
  if (name in values) components.set(kind, followed(values))
  for (const [target, values] of copy.links.targetsOf(kind, handle))
    copy.links.link(kind, handle, target, followed(values))
}
