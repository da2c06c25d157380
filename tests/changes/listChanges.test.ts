// Shows that setMany writes what single sets would write, in their order, whatever lists it is given and however rows lie. What it
// refuses, and how it waits in loops, is in world/lists.test.ts.

import { describe, expect, it } from 'vitest'
import {
  type World,
  bool,
  changed,
  component,
  digestWorld,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  onSet,
  setMany,
  spawnMany,
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const LENGTHS = [0, 1, 2, 7, 8, 9, 63, 64, 65, 300]
const Mark = tag('Mark')

describe.each(STORAGES)('Lists of values for a %s component', (storage) => {
  const schema = {
    a: f32,
    b: f64,
    c: i8,
    d: u8,
    e: i16,
    f: u16,
    g: i32,
    h: u32,
    on: bool,
    who: entity,
    at: vec(f32, 3),
    flags: vec(bool, 2),
  }
  const Kinds = component('Kinds', schema, { storage: STORED[storage], trackChanges: 'row' })
  const Named = component('Named', { name: text, n: i32 }, { storage: STORED[storage] })

  /** For each field a list of so many values that it can hold, and as a typed array of its own kind. */
  const listsOf = (count: number) => {
    const whole = (length: number, factor: number) => Array.from({ length }, (_, i) => (i * factor) % 100)
    const plain = {
      a: Array.from({ length: count }, (_, i) => i / 3),
      b: Array.from({ length: count }, (_, i) => i / 7),
      c: whole(count, -1),
      d: whole(count, 3),
      e: whole(count, -5),
      f: whole(count, 7),
      g: whole(count, -9),
      h: whole(count, 11),
      on: Array.from({ length: count }, (_, i) => i % 3 === 0),
      who: whole(count, 13),
      at: Array.from({ length: 3 * count }, (_, i) => i / 9),
      flags: Array.from({ length: 2 * count }, (_, i) => i % 5 === 0),
    }
    const typed = {
      a: Float32Array.from(plain.a),
      b: Float64Array.from(plain.b),
      c: Int8Array.from(plain.c),
      d: Uint8Array.from(plain.d),
      e: Int16Array.from(plain.e),
      f: Uint16Array.from(plain.f),
      g: Int32Array.from(plain.g),
      h: Uint32Array.from(plain.h),
      on: Uint8Array.from(plain.on, Number),
      who: Uint32Array.from(plain.who),
      at: Float32Array.from(plain.at),
      flags: Uint8Array.from(plain.flags, Number),
    }
    return { plain, typed }
  }

  /** What single sets would do. */
  function setEach(
    world: World,
    handles: ArrayLike<number>,
    plain: ReturnType<typeof listsOf>['plain'],
  ): void {
    for (let i = 0; i < handles.length; i++) {
      if (!world.isAlive(handles[i] as number)) continue
      const values = Object.fromEntries(Object.entries(plain).map(([name, list]) => [name, list[i]]))
      world.set(handles[i] as number, Kinds, {
        ...values,
        at: plain.at.slice(3 * i, 3 * i + 3),
        flags: plain.flags.slice(2 * i, 2 * i + 2),
      } as never)
    }
  }

  it.each(LENGTHS)('%i of them arrive from plain and from typed arrays', (count) => {
    const { plain, typed } = listsOf(count)
    const longer = { ...typed, a: Float32Array.from({ length: count + 5 }, (_, i) => i / 3), b: typed.a }
    for (const lists of [plain, typed, longer, { ...typed, on: plain.on, a: plain.a }]) {
      const [many, single] = [watchedWorld(), watchedWorld()]
      const handles = spawnMany(many, count, [Kinds])
      spawnMany(single, count, [Kinds])
      expect(setMany(many, handles, Kinds, lists as never)).toBe(count)
      setEach(single, handles, lists === longer ? { ...plain, b: Array.from(typed.a) } : plain)
      expect(digestWorld(many)).toBe(digestWorld(single))
    }
  })

  it('are written to entities in any order, with repeats, dead ones and some that lack the component', () => {
    const random = seededRandom(3)
    const build = () => {
      const world = watchedWorld()
      const handles = spawnMany(world, 400, [Kinds])
      handles.forEach((handle, i) => {
        if (i % 5 === 0) world.add(handle, Mark)
        if (i % 17 === 3) world.remove(handle, Kinds)
        if (i % 29 === 1) world.destroy(handle)
      })
      return { world, handles }
    }
    const [{ world: many, handles }, { world: single }] = [build(), build()]
    const runs = handles.subarray(100, 250)
    const listed = [
      ...handles.filter(() => random() < 0.5).sort(() => random() - 0.5),
      ...runs,
      ...handles.subarray(0, 40),
      ...runs,
      1.5,
      -1,
    ]
    const { plain } = listsOf(listed.length)
    expect(setMany(many, listed, Kinds, plain as never)).toBe(
      new Set(listed.filter((handle) => many.isAlive(handle))).size,
    )
    setEach(single, listed, plain)
    expect(digestWorld(many)).toBe(digestWorld(single))
    checkInvariants(many)
  })

  it('mark only the rows that they are written to', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 100, [Kinds])
    const query = world.query(changed(Kinds))
    query.entities()
    setMany(world, handles.subarray(20, 70), Kinds, { a: new Float32Array(50) })
    expect([...query.entities()]).toEqual([...handles.subarray(20, 70)])
    setMany(world, [handles[4] as number, handles[9] as number], Kinds, { a: [1, 2] })
    expect([...query.entities()]).toEqual([handles[4], handles[9]])
  })

  it('are reported to listeners one by one, each with its value and before the next is written', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 30, [Kinds])
    const heard: unknown[] = []
    onSet(
      world,
      Kinds,
      (handle) =>
        void heard.push([handle, world.get(handle, Kinds)?.a, world.get(handles[29] as number, Kinds)?.a]),
    )
    setMany(world, handles, Kinds, { a: Float32Array.from(handles, (_, i) => i + 1) })
    expect(heard).toEqual(Array.from(handles, (handle, i) => [handle, i + 1, i === 29 ? 30 : 0]))
  })

  it('wait in a loop after changes queued for the same entity, and are written at once where nothing waits', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 20, [Kinds])
    world.batch(() => {
      setMany(world, handles, Kinds, { g: Int32Array.from(handles, (_, i) => i) })
      expect(world.get(handles[7] as number, Kinds)?.g).toBe(7)
      world.remove(handles[3] as number, Kinds)
      setMany(world, handles, Kinds, { g: Int32Array.from(handles, (_, i) => 100 + i) })
      expect(world.get(handles[3] as number, Kinds)?.g).toBe(3)
    })
    handles.forEach((handle, i) => expect(world.get(handle, Kinds)?.g).toBe(100 + i))
  })

  it('may be texts, and numbers of a component that has texts', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 50, [Named])
    const name = Array.from(handles, (_, i) => `name ${i % 20}`)
    setMany(world, handles, Named, { name, n: Int32Array.from(handles, (_, i) => 9 - i) })
    handles.forEach((handle, i) => expect(world.get(handle, Named)).toEqual({ name: name[i], n: 9 - i }))
    setMany(world, handles, Named, { n: Array.from(handles, (_, i) => i) })
    handles.forEach((handle, i) => expect(world.get(handle, Named)).toEqual({ name: name[i], n: i }))
  })
})
