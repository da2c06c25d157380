// Shows random access by handle: createAccessor(world, C).of(entity), its cursors, and what it refuses.

import { describe, expect, it } from 'vitest'
import {
  bool,
  changed,
  clearWorld,
  component,
  createAccessor,
  DeadEntityError,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  NULL_ENTITY,
  resetWorld,
  spawnMany,
  StrataError,
  StrataTypeError,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
  vec,
  type Entity,
} from '../../bindings/index'
import { STORAGES, numbered } from '../support/kinds'
import { watchedWorld } from '../support/watched'
import { STORED } from '../support/storages'

describe.each(STORAGES)('an accessor of a component in %s storage', (storage) => {
  const C = numbered('Counter', storage)
  const other = component('Other', { x: f32 })
  const mark = tag('Mark')

  it('reads and writes the row of the entity it is given, and no other', () => {
    const world = watchedWorld()
    const handles = Array.from({ length: 1000 }, (_, i) => world.spawn(C({ value: i })))
    const accessor = createAccessor(world, C)
    handles.forEach((handle, i) => {
      const cursor = accessor.of(handle)
      if (cursor.value !== i) expect.unreachable(`entity ${i} reads ${cursor.value}`)
      cursor.value += 1000
    })
    handles.forEach((handle, i) => {
      if (world.get(handle, C)?.value !== i + 1000) expect.unreachable(`entity ${i}`)
    })
  })

  it('is the same for the same component, with independent cursors', () => {
    const world = watchedWorld()
    const [first, second] = [world.spawn(C({ value: 1 })), world.spawn(C({ value: 2 }))]
    const accessor = createAccessor(world, C)
    expect(createAccessor(world, C)).toBe(accessor)
    const cursor = accessor.of(first)
    expect(cursor.value).toBe(1)
    expect(accessor.of(second).value).toBe(2)
    expect(cursor.value).toBe(1)
  })

  it('works as in the design: of(ship).x += 1', () => {
    const world = watchedWorld()
    const ship = world.spawn(C({ value: 41 }))
    createAccessor(world, C).of(ship).value += 1
    expect(world.get(ship, C)).toEqual({ value: 42 })
  })

  it('an accessor made before the first component of its kind finds it later', () => {
    const world = watchedWorld()
    const accessor = createAccessor(world, C)
    const handle = world.spawn()
    expect(() => accessor.of(handle)).toThrow(StrataError)
    world.add(handle, C({ value: 5 }))
    expect(accessor.of(handle).value).toBe(5)
  })

  it('throws MISSING_COMPONENT with the name for a living entity without it', () => {
    const world = watchedWorld()
    const handle = world.spawn(other)
    world.spawn(C)
    for (const call of [() => createAccessor(world, C).of(handle)]) {
      expect(call).toThrow(StrataError)
      expect(call).not.toThrow(DeadEntityError)
      expect(call).toThrow(/Counter/)
      expect(call).toThrow(expect.objectContaining({ code: 'MISSING_COMPONENT' }))
    }
    expect(world.has(handle, C)).toBe(false)
  })

  it('throws DeadEntityError for dead handles and NULL_ENTITY, and works again afterwards', () => {
    const world = watchedWorld()
    const accessor = createAccessor(world, C)
    const [dead, alive] = [world.spawn(C({ value: 1 })), world.spawn(C({ value: 2 }))]
    world.destroy(dead)
    expect(() => accessor.of(dead)).toThrow(DeadEntityError)
    expect(() => accessor.of(NULL_ENTITY)).toThrow(DeadEntityError)
    expect(accessor.of(alive).value).toBe(2)
  })

  it('a refused call leaves the cursor in place', () => {
    const world = watchedWorld()
    const accessor = createAccessor(world, C)
    const [first, bare] = [world.spawn(C({ value: 7 })), world.spawn()]
    const cursor = accessor.of(first)
    expect(() => accessor.of(bare)).toThrow(StrataError)
    expect(cursor.value).toBe(7)
    cursor.value = 8
    expect(world.get(first, C)).toEqual({ value: 8 })
  })

  it('finds the row after it was moved by a swap, by a move to another archetype, or by growth', () => {
    const world = watchedWorld()
    const accessor = createAccessor(world, C)
    const [first, second] = [world.spawn(C({ value: 1 })), world.spawn(C({ value: 2 }))]
    expect(accessor.of(second).value).toBe(2)
    world.destroy(first)
    expect(accessor.of(second).value).toBe(2)
    world.add(second, other, mark)
    expect(accessor.of(second).value).toBe(2)
    spawnMany(world, 200_000, [C])
    expect(accessor.of(second).value).toBe(2)
    accessor.of(second).value = 3
    expect(world.get(second, C)).toEqual({ value: 3 })
  })

  it('a cursor kept while the memory grows still points at its row', () => {
    const world = watchedWorld()
    const handle = world.spawn(C({ value: 1 }))
    const cursor = createAccessor(world, C).of(handle)
    spawnMany(world, 300_000, [other])
    expect(cursor.value).toBe(1)
    cursor.value = 2
    expect(world.get(handle, C)).toEqual({ value: 2 })
  })

  it('two accessors of two components do not disturb each other; nor do two worlds', () => {
    const [one, two] = [watchedWorld(), watchedWorld()]
    const D = numbered('D', storage)
    const here = one.spawn(C({ value: 1 }), D({ value: 2 }))
    const there = two.spawn(D({ value: 4 }), C({ value: 3 }))
    const cursors = [
      createAccessor(one, C).of(here),
      createAccessor(one, D).of(here),
      createAccessor(two, C).of(there),
      createAccessor(two, D).of(there),
    ]
    expect(cursors.map((cursor) => cursor.value)).toEqual([1, 2, 3, 4])
    cursors.forEach((cursor, i) => (cursor.value = 10 * i))
    expect([one.get(here, C), one.get(here, D), two.get(there, C), two.get(there, D)]).toEqual(
      [0, 10, 20, 30].map((value) => ({ value })),
    )
  })

  it('inside a loop it reads and writes at once; promised handles have no row yet', () => {
    const world = watchedWorld()
    const accessor = createAccessor(world, C)
    const handles = [1, 2, 3].map((value) => world.spawn(C({ value })))
    let promised = NULL_ENTITY
    world.query(C).each((current) => {
      accessor.of(current).value *= 10
      if (promised === NULL_ENTITY) promised = world.spawn(C({ value: 9 }))
      expect(() => accessor.of(promised)).toThrow(expect.objectContaining({ code: 'MISSING_COMPONENT' }))
    })
    expect(handles.map((handle) => accessor.of(handle).value)).toEqual([10, 20, 30])
    expect(accessor.of(promised).value).toBe(9)
  })

  it.each([
    ['one width', { a: f32, b: u32, c: i32 }, {}],
    ['one width of 8', { a: f64, b: f64, c: f64 }, {}],
    ['one width of 1', { a: u8, b: i8, c: u8 }, {}],
    ['several widths', { a: u8, b: f64, c: u16 }, {}],
    ['one width, with rows that are tracked', { a: f32, b: f32, c: u32 }, { trackChanges: 'row' as const }],
    ['one width, that can be switched off', { a: f32, b: f32, c: u32 }, { toggle }],
  ])('alternates between archetypes, small chunks and full ones: fields of %s', (_, schema, options) => {
    const D = component('D', schema, { storage: STORED[storage], ...options })
    const tags = [tag('T0'), tag('T1'), tag('T2')]
    const world = watchedWorld()
    const handles = Array.from({ length: 3000 }, (_, i) => {
      const entity = world.spawn(D({ a: i % 100, b: i % 101, c: i % 102 }))
      tags.forEach((one, k) => ((i >> k) & 1) !== 0 && i % 7 !== 0 && world.add(entity, one))
      if (i % 5 === 0) world.add(entity, other)
      return entity
    })
    const accessor = createAccessor(world, D)
    const look = () =>
      handles.every((_, i) => {
        const at = (i * 1009) % handles.length
        const { a, b, c } = accessor.of(handles[at]!)
        return a === at % 100 && b === at % 101 && c === at % 102
      })
    expect(look()).toBe(true)
    const without = world.spawn(other, mark)
    expect(() => accessor.of(without)).toThrow(expect.objectContaining({ code: 'MISSING_COMPONENT' }))
    expect(look()).toBe(true)
    for (const [i, handle] of handles.entries()) if (i % 3 === 0) world.add(handle, mark)
    expect(look()).toBe(true)
    handles.forEach((handle, i) => {
      const cursor = accessor.of(handle)
      cursor.a = (i + 1) % 100
      cursor.c = (i + 1) % 102
    })
    for (const [i, handle] of handles.entries())
      if (world.get(handle, D)!.a !== (i + 1) % 100) expect.unreachable(`entity ${i}`)
    // Layouts get their numbers anew.
    resetWorld(world)
    world.spawn(other, mark)
    const again = world.spawn(other, D({ a: 5, b: 6, c: 7 }), mark)
    expect(JSON.parse(JSON.stringify(accessor.of(again)))).toEqual({ a: 5, b: 6, c: 7 })
  })

  it('goes on after clear and after reset', () => {
    const world = watchedWorld()
    const accessor = createAccessor(world, C)
    const before = world.spawn(C({ value: 1 }))
    expect(accessor.of(before).value).toBe(1)
    clearWorld(world)
    expect(() => accessor.of(before)).toThrow(DeadEntityError)
    expect(accessor.of(world.spawn(C({ value: 2 }))).value).toBe(2)
    resetWorld(world)
    // Another component comes first now, so that the ids of before name something else.
    world.spawn(other({ x: 1 }), mark)
    const after = world.spawn(C({ value: 3 }))
    expect(accessor.of(after).value).toBe(3)
    expect(createAccessor(world, C).of(after).value).toBe(3)
  })

  it('every kind of field reads and writes through its property, beside its neighbours', () => {
    const world = watchedWorld()
    const All = component(
      'All',
      {
        a: i8,
        b: u8,
        c: i16,
        d: u16,
        e: i32,
        f: u32,
        g: f32,
        h: f64,
        i: bool,
        j: entity,
        k: vec(f32, 3),
        l: vec(u8, 2),
        m: text,
      },
      { storage: STORED[storage] },
    )
    const accessor = createAccessor(world, All)
    const [left, middle, right] = [world.spawn(All), world.spawn(All), world.spawn(All)]
    const untouched = world.get(left, All)
    const cursor = accessor.of(middle)
    cursor.a = -128
    cursor.b = 255
    cursor.c = -32768
    cursor.d = 65535
    cursor.e = -(2 ** 31)
    cursor.f = 2 ** 32 - 1
    cursor.g = 0.5
    cursor.h = 0.1
    cursor.i = true
    cursor.j = right
    cursor.k = [1, 2, 3] as unknown as Float32Array
    cursor.l[1] = 7
    cursor.m = 'middle'
    expect(world.get(middle, All)).toEqual({
      a: -128,
      b: 255,
      c: -32768,
      d: 65535,
      e: -(2 ** 31),
      f: 2 ** 32 - 1,
      g: 0.5,
      h: 0.1,
      i: true,
      j: right,
      k: Float32Array.of(1, 2, 3),
      l: Uint8Array.of(0, 7),
      m: 'middle',
    })
    expect([...cursor.k]).toEqual([1, 2, 3])
    expect(world.get(left, All)).toEqual(untouched)
    expect(world.get(right, All)).toEqual(untouched)
  })
})

it('an accessor that alternates between layouts marks the chunk of its current row', () => {
  const Before = component('Before', { x: f32 })
  const C = component('Counter', { value: f32 })
  const world = watchedWorld()
  world.spawn(Before, C)
  const handles = Array.from({ length: 600 }, (_, i) =>
    i % 2 === 0 ? world.spawn(C) : world.spawn(Before, C),
  )
  const changes = world.query(changed(C))
  const touched = () => {
    const found = changes.entities()
    world.advanceTick()
    return [...found]
  }
  touched()
  const accessor = createAccessor(world, C)
  // Each of two archetypes has 300 rows, some of them in a small chunk, the rest in a full one.
  for (const written of [0, 1, 598, 599, 3, 596]) {
    for (const handle of handles) accessor.of(handle)
    accessor.of(handles[written]!).value = 5
    const found = touched()
    expect(found).toContain(handles[written])
    expect(found.length).toBeLessThan(300)
    for (const handle of found) expect(world.has(handle, Before)).toBe(written % 2 === 1)
  }
  expect(touched()).toEqual([])
})

describe('what has no accessor', () => {
  it('a tag is refused by its name: it has no values', () => {
    const world = watchedWorld()
    const Frozen = tag('Frozen')
    expect(() => createAccessor(world, Frozen as never)).toThrow(StrataTypeError)
    expect(() => createAccessor(world, Frozen as never)).toThrow(/Frozen/)
  })

  it.each([[undefined], [null], [5], ['C'], [{}], [() => 1], [Symbol('c')], [Object.create(null)]])(
    '%s is refused as not a component',
    (wrong) => {
      const world = watchedWorld()
      expect(() => createAccessor(world, wrong as never)).toThrow(StrataTypeError)
      expect(() => createAccessor(world, wrong as never)).toThrow(/createAccessor/)
    },
  )

  it('a component with values is refused: name the component alone', () => {
    const world = watchedWorld()
    const C = component('C', { x: f32 })
    expect(() => createAccessor(world, C({ x: 1 }) as never)).toThrow(StrataTypeError)
  })

  it('a handle that is not a number is refused', () => {
    const world = watchedWorld()
    const C = component('C', { x: f32 })
    world.spawn(C)
    for (const wrong of ['1', undefined, null, {}, 1n, Symbol('e')]) {
      expect(() => createAccessor(world, C).of(wrong as Entity)).toThrow(
        'accessor(C).of takes an entity, not',
      )
    }
  })
})

it('a cursor shows the values of its row as JSON', () => {
  const Named = component('Named', { x: f32, on: bool })
  const world = watchedWorld()
  const cursor = createAccessor(world, Named).of(world.spawn(Named({ x: 2, on: true })))
  expect(JSON.stringify(cursor)).toBe('{"x":2,"on":true}')
})

it('a cursor refuses a field that its component does not have, and keeps the others', () => {
  const world = watchedWorld()
  const C = component('C', { x: f32 })
  const cursor = createAccessor(world, C).of(world.spawn(C({ x: 3 }))) as { x: number; misspelt?: number }
  expect(() => (cursor.misspelt = 1)).toThrow(/misspelt/)
  expect(cursor.misspelt).toBeUndefined()
  expect(cursor.x).toBe(3)
})
