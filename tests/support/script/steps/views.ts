// The steps that write through views: accessors, cursors, columns and what only marks; and those that write to resources.

import type { Component } from '../../../../bindings/index'
import { Ground, SORTS, Wind } from '../kinds'
import { type Kind, type Values, sameValues } from '../plainWorld'
import { RELATION_KINDS, hasCursor, isRelation } from '../relations'
import type { State } from '../state'

const COMPONENTS = SORTS.map(({ kind }) => kind).filter(({ kind }) => kind === 'component')
const WITH_LINKS = [...COMPONENTS, ...RELATION_KINDS.filter(hasCursor)]

/** Values of one entity, or the marks of whole chunks. */
export function write(session: State, a: number, b: number, c: number): void {
  const written = session.isLinked ? WITH_LINKS : COMPONENTS
  const kind = written[b % written.length] as Kind
  const way = c % 6
  if (way === 4) return markChunks(session, kind, a)
  const handle = session.pick(a)
  // What a block has changed is not made yet.
  if (handle === undefined || session.plain.isTouched(handle)) return
  const values = session.make(kind, c)
  const before = session.plain.componentsOf(handle).get(kind)
  // A link has no values before it has a target.
  if (isRelation(kind) && before === undefined) return
  if (way === 5) return setIfDifferent(session, handle, kind, values)
  if (before === undefined || Object.keys(values).length === 0) return
  if (way < 3 && !isRelation(kind))
    writeTo(
      session.world.accessor(kind as Component<any, any>).of(handle as never) as unknown as Values,
      values,
    )
  else if (session.plain.isOff(handle, kind)) return
  else writeInLoop(session, handle, kind, values)
  session.plain.add(handle, [kind], [values])
  session.compareEntity(handle)
}

function writeTo(cursor: Values, values: Values): void {
  for (const [name, value] of Object.entries(values))
    if (Array.isArray(value)) (cursor[name] as Float32Array).set(value as number[])
    else cursor[name] = value
}

interface Eachable {
  each(callback: (handle: number, cursor: Values) => void): void
}

function writeInLoop(session: State, wanted: number, kind: Kind, values: Values): void {
  const query = session.world.query(kind) as unknown as Eachable
  query.each((handle, cursor) => {
    if (handle === wanted) writeTo(cursor, values)
  })
}

function setIfDifferent(session: State, handle: number, kind: Kind, values: Values): void {
  if (session.depth > 0) return
  session.world.setIfDifferent(handle as never, kind as never, values as never)
  const before = session.plain.componentsOf(handle).get(kind)
  if (before === undefined || !sameValues({ ...before, ...values }, before))
    session.plain.add(handle, [kind], [values])
  session.compareEntity(handle)
}

interface Writable {
  readonly entities: Uint32Array
  readonly start: number
  readonly end: number
  write(kind: Kind): unknown
  touch(kind: Kind): void
}

/** Columns of some chunks are taken for writing, and nothing is written. */
function markChunks(session: State, kind: Kind, n: number): void {
  let count = 0
  for (const chunk of session.world.query(kind) as unknown as Iterable<Writable>) {
    if ((n + count++) % 3 === 0) continue
    if (n % 2 === 0) chunk.write(kind)
    else chunk.touch(kind)
    for (let row = chunk.start; row < chunk.end; row++) {
      const handle = chunk.entities[row] as number
      if (session.plain.stampOf(handle, kind) !== undefined) session.plain.stampChanged(handle, kind)
    }
  }
}

/** A resource is made, written or removed. */
export function setResource(session: State, a: number, b: number): void {
  const { plain, world } = session
  const isWind = a % 2 === 0
  const resource = isWind ? Wind : Ground
  // In a block no memory is taken for a resource.
  if (session.depth > 0 && !plain.resources.has(resource)) return
  if (b % 7 === 0) {
    world.removeResource(resource)
    plain.resources.delete(resource)
    return
  }
  if (b % 3 === 0 && plain.resources.has(resource)) {
    if (isWind) world.resource(Wind).speed = b & 255
    else world.resource(Ground).heat = b & 255
  } else if (isWind) world.setResource(Wind, { speed: b & 255 })
  else world.setResource(Ground, { heat: b & 255 })
  plain.resources.set(resource, plain.now)
}
