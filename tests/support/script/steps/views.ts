// The steps that write through views: accessors, cursors, columns and what only marks; and those that write to resources.

import { expect } from 'vitest'
import { getColumn, createAccessor, setColumn, type Component, type Query } from '../../../../bindings/index'
import { Ground, NUMBERS, SORTS, type Slot, Wind } from '../kinds'
import { type Kind, type Values, sameValues } from '../plainWorld'
import { RELATION_KINDS, hasCursor, isRelation } from '../relations'
import type { State } from '../state'
import { ANY, queryTermsOf } from '../terms'

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
      createAccessor(session.world, kind as Component<any, any>).of(handle as never) as unknown as Values,
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
  markChanged(kind: Kind): void
}

/** Columns of some chunks are taken for writing, and nothing is written. */
function markChunks(session: State, kind: Kind, n: number): void {
  let count = 0
  for (const chunk of session.world.query(kind) as unknown as Iterable<Writable>) {
    if ((n + count++) % 3 === 0) continue
    if (n % 2 === 0) chunk.write(kind)
    else chunk.markChanged(kind)
    for (let row = chunk.start; row < chunk.end; row++) {
      const handle = chunk.entities[row] as number
      if (session.plain.stampOf(handle, kind) !== undefined) session.plain.stampChanged(handle, kind)
    }
  }
}

/** A field of all that matches some terms is written from an array, of the class of the column or any other, and read again. */
export function writeColumn(session: State, a: number, b: number, c: number): void {
  if (session.depth > 0) return
  const known = session.isLinked ? NUMBERS : NUMBERS.filter(([kind]) => !isRelation(kind))
  const [kind, field] = known[b % known.length] as (typeof NUMBERS)[0]
  const terms = session.termsOf(a)
  const isNamed =
    terms.excluded.includes(kind) ||
    terms.optional.includes(kind) ||
    terms.anyOf.some((some) => some.some((one) => one.kind === kind))
  const required = [...new Set([...terms.required, kind])]
  const given =
    isNamed || terms.links.some((one) => one.kind === kind)
      ? { ...ANY, required: [kind] }
      : { ...terms, required }
  const query = session.world.query(...queryTermsOf(given)) as unknown as Query<[typeof Slot]>
  const handles = query.entities()
  const values = Array.from(handles, (_, i) => (c + i) & 0x7fff)
  const [component, name] = [kind as unknown as typeof Slot, field as 'number']
  const into = getColumn(query, component, name)
  const list = c % 2 === 0 ? values : into.map((_, i) => values[i] as number)
  expect(setColumn(query, component, name, list)).toBe(handles.length)
  expect(getColumn(query, component, name, { into })).toBe(handles.length)
  expect([...into]).toEqual(values)
  handles.forEach((handle, i) => session.plain.add(handle, [kind], [{ [field]: values[i] }]))
  for (const handle of handles.subarray(0, 3)) session.compareEntity(handle)
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
