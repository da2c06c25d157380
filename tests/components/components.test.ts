// Shows what a declaration promises: names, schemas, defaults and values of every kind of field, and what add, set, get and
// remove do with it on one entity.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  clearWorld,
  createAccessor,
  NULL_ENTITY,
  removeMany,
  sparse,
  spawnMany,
  stable,
  StrataTypeError,
  any,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
  type Component,
  type Entity,
} from '../../bindings/index'
import { caughtFrom } from '../support/caught'
import { KINDS, STORAGES, declare, numbered } from '../support/kinds'
import { STORED, TABLE_AND_POOL } from '../support/storages'
import { watchedWorld } from '../support/watched'

/** A kind of field, with values it takes and values it refuses. */
interface FieldCase {
  readonly name: string
  readonly field: typeof f32
  readonly start: unknown
  readonly takes: readonly unknown[]
  readonly refuses: readonly unknown[]
}

const NO_NUMBERS: readonly unknown[] = [
  '1',
  '',
  true,
  false,
  null,
  {},
  [],
  [1],
  1n,
  () => 1,
  Symbol('x'),
  Object.create(null),
]

function integer(name: string, field: unknown, least: number, most: number): FieldCase {
  return {
    name,
    field: field as typeof f32,
    start: 0,
    takes: [least, least + 1, 0, 1, most - 1, most],
    refuses: [least - 1, most + 1, 0.5, -0.5, NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), ...NO_NUMBERS],
  }
}

const FIELDS: readonly FieldCase[] = [
  integer('i8', i8, -128, 127),
  integer('u8', u8, 0, 255),
  integer('i16', i16, -32768, 32767),
  integer('u16', u16, 0, 65535),
  integer('i32', i32, -(2 ** 31), 2 ** 31 - 1),
  integer('u32', u32, 0, 2 ** 32 - 1),
  {
    name: 'f32',
    field: f32,
    start: 0,
    takes: [0, -1.5, 2 ** 24, 1.401298464324817e-45, 3.4028234663852886e38, Infinity, -Infinity, NaN],
    refuses: NO_NUMBERS,
  },
  {
    name: 'f64',
    field: f64 as unknown as typeof f32,
    start: 0,
    takes: [0, 0.1, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE, Number.EPSILON, Infinity, -Infinity, NaN],
    refuses: NO_NUMBERS,
  },
  {
    name: 'bool',
    field: bool as unknown as typeof f32,
    start: false,
    takes: [true, false],
    refuses: [0, 1, 2, NaN, 'true', '', null, {}, [], [true], 1n, Symbol('x')],
  },
  {
    name: 'entity',
    field: entity as unknown as typeof f32,
    start: NULL_ENTITY,
    takes: [NULL_ENTITY, 1, 0, 0x01000001],
    refuses: [-1, 2 ** 32, 0.5, NaN, Infinity, ...NO_NUMBERS],
  },
  {
    name: 'text',
    field: text as unknown as typeof f32,
    start: '',
    takes: [
      '',
      'a',
      'ÿ',
      'Ā',
      '\ud800',
      '\udc00\ud800',
      '\0',
      'a\0',
      '𝒳',
      'x'.repeat(32_767),
      'Ž'.repeat(32_767),
    ],
    refuses: [0, 1, NaN, true, null, {}, [], ['a'], 1n, Symbol('x'), new String('a'), 'x'.repeat(32_768)],
  },
]

const CASES = TABLE_AND_POOL.flatMap((storage) => FIELDS.map((of) => ({ storage, ...of })))

/** A list of texts is refused when it is declared. */
const LISTS = CASES.filter(({ name }) => name !== 'text')

/** Asserts a wrong argument: a TypeError with a code, whose sentence names all of these. */
function expectWrongArgument(call: () => unknown, code: string, ...named: string[]): void {
  const error = caughtFrom(call)
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toBeInstanceOf(StrataTypeError)
  expect(error.code).toBe(code)
  for (const name of named) expect(error.message).toContain(name)
}

describe('declaring a component', () => {
  it('shows its name, its schema and its storage', () => {
    const schema = { x: f32, y: f32 }
    const C = component('Position', schema)
    expect(C.componentName).toBe('Position')
    expect(C.name).toBe('Position')
    expect(C.schema).toBe(schema)
    expect(C.storage).toBe('table')
    expect(component('P', schema, { storage: sparse }).storage).toBe('sparse')
    expect(component('P', schema, { storage: stable }).storage).toBe('stable')
    expect(component('P', schema, {}).storage).toBe('table')
    expect(tag('Frozen').componentName).toBe('Frozen')
  })

  it('two declarations of the same name and schema are two components, each in a world of its own', () => {
    const [one, two] = [watchedWorld(), watchedWorld()]
    const [first, second] = [component('Same', { x: f32 }), component('Same', { x: f32 })]
    const here = one.spawn(first({ x: 1 }))
    const there = two.spawn(second({ x: 2 }))
    expect(one.get(here, first)).toEqual({ x: 1 })
    expect(two.get(there, second)).toEqual({ x: 2 })
    expect(() => one.add(here, second)).toThrow(expect.objectContaining({ code: 'DUPLICATE_NAME' }))
  })

  it('one declaration serves several worlds, in whatever order they meet it', () => {
    const [one, two] = [watchedWorld(), watchedWorld()]
    const [A, B] = [component('A', { x: f32 }), component('B', { x: f32 }, { storage: sparse })]
    const here = one.spawn(A({ x: 1 }), B({ x: 2 }))
    const there = two.spawn(B({ x: 3 }))
    two.add(there, A({ x: 4 }))
    expect([one.get(here, A), one.get(here, B)]).toEqual([{ x: 1 }, { x: 2 }])
    expect([two.get(there, A), two.get(there, B)]).toEqual([{ x: 4 }, { x: 3 }])
  })

  it.each([[''], [undefined], [null], [5], [{}], [Symbol('n')]])(
    'the name %s is refused, for components and for tags',
    (name) => {
      expectWrongArgument(() => component(name as string, { x: f32 }), 'INVALID_SCHEMA', 'component', 'name')
      expectWrongArgument(() => tag(name as string), 'INVALID_SCHEMA', 'tag', 'name')
    },
  )

  it.each([[undefined], [null], [5], ['f32'], [() => ({ x: f32 })]])('the schema %s is refused', (schema) => {
    expectWrongArgument(() => component('Wrong', schema as never), 'INVALID_SCHEMA', 'Wrong', 'schema')
  })

  it.each([
    ['f32'],
    [undefined],
    [null],
    [0],
    [{}],
    [[f32]],
    [Float32Array],
    [() => f32],
    [{ kind: 'f32', length: 1 }],
  ])('the field %s is refused, naming the component and the field', (field) => {
    expectWrongArgument(
      () => component('Wrong', { good: f32, bad: field as never }),
      'INVALID_SCHEMA',
      'Wrong',
      'bad',
    )
  })

  it.each([['disk'], [''], [0], [{}], ['toString'], ['constructor'], ['__proto__'], ['TABLE'], ['sparse']])(
    'the storage %s is refused',
    (storage) => {
      expectWrongArgument(
        () => component('Wrong', { x: f32 }, { storage: storage as never }),
        'INVALID_SCHEMA',
        'Wrong',
        'storage',
      )
    },
  )

  it.each([
    'x',
    'row',
    'data',
    'heap',
    'tick',
    'seat',
    'mark',
    'offsets',
    'pointer',
    'columns',
    'length',
    'name',
    'at',
    'constructor',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'then',
    'default',
    'a b',
    '0',
    'Ω',
    '$',
    '',
  ])("a field may be called '%s'", (name) => {
    const world = watchedWorld()
    for (const storage of STORAGES) {
      const C = component(`C ${storage}`, { [name]: u16, other: u16 } as unknown as { v: typeof u16 }, {
        storage: STORED[storage],
      })
      const of = (value: number) => ({ [name]: value }) as unknown as { v: number }
      const handle = world.spawn(C(of(7)))
      expect(world.get(handle, C)).toEqual({ [name]: 7, other: 0 })
      world.set(handle, C, of(8))
      const cursor = createAccessor(world, C).of(handle) as unknown as Record<string, number>
      expect(cursor[name]).toBe(8)
      cursor[name] = 9
      expect(world.get(handle, C)).toEqual({ [name]: 9, other: 0 })
      let seen = 0
      world.query(C).each((_, c) => {
        seen = (c as unknown as Record<string, number>)[name]
      })
      expect(seen).toBe(9)
    }
  })

  it("a field called '__proto__' is refused, or is a field like any other", () => {
    const world = watchedWorld()
    let C: Component<Record<string, typeof u8>>
    try {
      C = component('C', { ['__proto__']: u8 })
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_SCHEMA' })
      return
    }
    const handle = world.spawn(C({ ['__proto__']: 3 }))
    expect(Object.entries(world.get(handle, C) ?? {})).toEqual([['__proto__', 3]])
  })

  it.each([[0], [-1], [0.5], [2 ** 24 + 1], [NaN], ['3'], [undefined], [2 ** 32 + 1]])(
    'vec(f32, %s) is refused',
    (length) => {
      expectWrongArgument(() => vec(f32, length as number), 'INVALID_SCHEMA', 'vec', 'length')
    },
  )

  it.each([4096, 2 ** 24])('a vec of %s is refused, with an alternative', (length) => {
    const schema = { few: vec(u8, 4095), cells: vec(u8, length) }
    expectWrongArgument(() => component('Land', schema), 'INVALID_SCHEMA', 'Land', 'cells', 'resource')
    expect(component('Land', { few: vec(u8, 4095) }).schema.few.length).toBe(4095)
  })

  it.each([['f32'], [undefined], [5], [{}], [vec(f32, 1)], [vec(f32, 3)], [vec(f32, 3).default([1, 2, 3])]])(
    'vec(%s, 2) is refused',
    (field) => {
      expectWrongArgument(() => vec(field as typeof f32, 2), 'INVALID_SCHEMA', 'vec')
    },
  )

  it('255 fields in one component keep apart', () => {
    const world = watchedWorld()
    const names = Array.from({ length: 255 }, (_, k) => `f${k}`)
    const C = component('C', Object.fromEntries(names.map((name) => [name, u8])))
    const values = Object.fromEntries(names.map((name, k) => [name, k]))
    const [first, second] = [world.spawn(C(values)), world.spawn(C)]
    world.destroy(first)
    const third = world.spawn(C(values))
    expect(world.get(third, C)).toEqual(values)
    expect(world.get(second, C)).toEqual(Object.fromEntries(names.map((name) => [name, 0])))
  })

  it.each([1, 255, 256, 5000, 20_000])('a name of %i characters works, even beyond ASCII', (length) => {
    const world = watchedWorld()
    const C = component('ß'.repeat(length), { x: f32 })
    expect(world.get(world.spawn(C({ x: 2 })), C)).toEqual({ x: 2 })
  })
})

describe('values of each kind of field', () => {
  it.each(CASES)('$name ($storage) starts as its zero value', ({ storage, field, start }) => {
    const world = watchedWorld()
    const C = component('C', { v: field }, { storage: STORED[storage] })
    const absent = { v: undefined } as unknown as { v: number }
    for (const handle of [world.spawn(C), world.spawn(C()), world.spawn(C({})), world.spawn(C(absent))]) {
      expect(world.get(handle, C)).toEqual({ v: start })
    }
  })

  it.each(CASES)(
    '$name ($storage) keeps its boundary values, by every way of writing',
    ({ storage, field, takes }) => {
      const world = watchedWorld()
      const C = component(
        `C ${storage}`,
        { before: field, v: field, after: field },
        { storage: STORED[storage] },
      )
      const accessor = createAccessor(world, C)
      const neighbour = world.spawn(C)
      const zero = world.get(neighbour, C)
      let count = 0
      for (const value of takes as number[]) {
        const spawned = world.spawn(C({ v: value }))
        const added = world.spawn()
        world.add(added, C({ v: value }))
        const set = world.spawn(C)
        world.set(set, C, { v: value })
        const put = world.spawn(C)
        accessor.of(put).v = value
        for (const handle of [spawned, added, set, put]) {
          expect(world.get(handle, C)).toEqual({ ...zero, v: value })
          expect(accessor.of(handle).v).toEqual(value)
        }
        const defaulted = component(`D${count++}`, { v: field.default(value) }, { storage: STORED[storage] })
        expect(world.get(world.spawn(defaulted), defaulted)).toEqual({ v: value })
      }
      expect(world.get(neighbour, C)).toEqual(zero)
    },
  )

  it.each(CASES)(
    '$name ($storage) refuses wrong values with a TypeError that names it; nothing changes',
    (one) => {
      const world = watchedWorld()
      const Chosen = component('Chosen', { good: u8, bad: one.field }, { storage: STORED[one.storage] })
      const value = one.takes[0] as number
      const handle = world.spawn(Chosen({ good: 1, bad: value }))
      const other = world.spawn()
      const before = world.stats()
      for (const wrong of one.refuses as number[]) {
        const values = { good: 2, bad: wrong }
        expectWrongArgument(() => Chosen(values), 'INVALID_VALUE', 'Chosen.bad')
        expectWrongArgument(() => world.set(handle, Chosen, values), 'INVALID_VALUE', 'Chosen.bad')
        expectWrongArgument(() => world.set(other, Chosen, values), 'INVALID_VALUE', 'Chosen.bad')
        expectWrongArgument(() => one.field.default(wrong), 'INVALID_VALUE')
      }
      expect(world.get(handle, Chosen)).toEqual({ good: 1, bad: value })
      expect(world.has(other, Chosen)).toBe(false)
      expect(world.stats()).toEqual(before)
    },
  )

  it.each(LISTS)(
    'a vec of $name ($storage) keeps boundary values in every place',
    ({ storage, field, takes }) => {
      const world = watchedWorld()
      const C = component('C', { v: vec(field, takes.length) }, { storage: STORED[storage] })
      const list = takes as number[]
      const stored = list.map(Number)
      const handles = [world.spawn(C({ v: list })), world.spawn(C), world.spawn(C)]
      world.set(handles[1], C, { v: list })
      createAccessor(world, C).of(handles[2]).v.set(stored)
      for (const handle of handles) {
        const value = world.get(handle, C) as unknown as { v: Float32Array }
        expect([...value.v]).toEqual(stored)
        expect([...createAccessor(world, C).of(handle).v]).toEqual(stored)
      }
      const again = world.spawn(C(world.get(handles[0], C)))
      expect(world.get(again, C)).toEqual(world.get(handles[0], C))
    },
  )

  it.each(LISTS)('a vec of $name ($storage) refuses a wrong element and names its place', (one) => {
    const world = watchedWorld()
    const Listed = component('Listed', { v: vec(one.field, 3) }, { storage: STORED[one.storage] })
    const good = one.takes[0] as number
    const handle = world.spawn(Listed({ v: [good, good, good] }))
    const before = world.get(handle, Listed)
    // 0 and 1 are how a vec of bool reads, so that what was read can be written.
    const refused =
      one.name === 'bool' ? one.refuses.filter((value) => value !== 0 && value !== 1) : one.refuses
    for (const wrong of refused as number[]) {
      for (const k of [0, 1, 2]) {
        const list = [good, good, good]
        list[k] = wrong
        expectWrongArgument(() => Listed({ v: list }), 'INVALID_VALUE', `Listed.v[${k}]`)
        expectWrongArgument(() => world.set(handle, Listed, { v: list }), 'INVALID_VALUE', `Listed.v[${k}]`)
      }
    }
    expect(world.get(handle, Listed)).toEqual(before)
  })

  it.each(TABLE_AND_POOL)('a vec (%s) takes any list of its length and no other', (storage) => {
    const world = watchedWorld()
    const M = component('M', { m: vec(f32, 3) }, { storage: STORED[storage] })
    for (const list of [
      [1, 2, 3],
      Float32Array.of(1, 2, 3),
      Float64Array.of(1, 2, 3),
      Uint8Array.of(1, 2, 3),
    ]) {
      expect(world.get(world.spawn(M({ m: list })), M)).toEqual({ m: Float32Array.of(1, 2, 3) })
    }
    const handle = world.spawn(M({ m: [1, 2, 3] }))
    const wrong: unknown[] = [
      [],
      [1],
      [1, 2],
      [1, 2, 3, 4],
      new Float32Array(4),
      'abc',
      3,
      null,
      {},
      { length: 3 },
      new DataView(new ArrayBuffer(3)),
      new Array(3),
      [1, , 3],
    ]
    for (const list of wrong) {
      expectWrongArgument(() => M({ m: list as number[] }), 'INVALID_VALUE', 'M.m')
      expectWrongArgument(() => world.set(handle, M, { m: list as number[] }), 'INVALID_VALUE', 'M.m')
      expect(caughtFrom(() => (createAccessor(world, M).of(handle).m = list as never))).toBeInstanceOf(
        StrataTypeError,
      )
    }
    expect(world.get(handle, M)).toEqual({ m: Float32Array.of(1, 2, 3) })
  })

  it.each([1, 2, 3, 63, 64, 65, 1000, 4000])('a vec of %i numbers is a list of that length', (length) => {
    const world = watchedWorld()
    const M = component('M', { m: vec(f32, length), last: u8 })
    const list = Array.from({ length }, (_, k) => k + 1)
    const [first, second] = [world.spawn(M({ m: list, last: 5 })), world.spawn(M)]
    expect(world.get(first, M)).toEqual({ m: Float32Array.from(list), last: 5 })
    expect(world.get(second, M)).toEqual({ m: new Float32Array(length), last: 0 })
    for (const chunk of world.query(M)) {
      expect([...chunk.read(M).m.slice(0, length)]).toEqual(list)
      expect(chunk.read(M).m.length).toBe(chunk.entities.length * length)
      break
    }
  })

  it('each copy that get gave is independent', () => {
    const world = watchedWorld()
    const M = component('M', { x: f32, m: vec(f32, 2) })
    const handle = world.spawn(M({ x: 1, m: [1, 2] }))
    const copy = world.get(handle, M)
    if (copy === undefined) return expect.unreachable('the entity has the component')
    ;(copy as { x: number }).x = 9
    copy.m[0] = 9
    expect(world.get(handle, M)).toEqual({ x: 1, m: Float32Array.of(1, 2) })
  })

  it('f32 rounds to the nearest float and keeps negative zero', () => {
    const world = watchedWorld()
    const C = component('C', { single: f32, double: f64 })
    const handle = world.spawn(C({ single: 0.1, double: 0.1 }))
    expect(world.get(handle, C)).toEqual({ single: Math.fround(0.1), double: 0.1 })
    world.set(handle, C, { single: -0, double: -0 })
    expect(world.get(handle, C)).toEqual({ single: -0, double: -0 })
  })

  it('an entity field reads as it was written, even after that entity died', () => {
    const world = watchedWorld()
    const Target = component('Target', { who: entity })
    const prey = world.spawn()
    const hunter = world.spawn(Target({ who: prey }))
    world.destroy(prey)
    const who = world.get(hunter, Target)?.who as Entity
    expect(who).toBe(prey)
    expect(world.isAlive(who)).toBe(false)
    expect(world.get(world.spawn(Target), Target)).toEqual({ who: NULL_ENTITY })
  })
})

describe('defaults', () => {
  it.each(TABLE_AND_POOL)('fields that are left out get their defaults (%s)', (storage) => {
    const world = watchedWorld()
    const C = component(
      'C',
      {
        a: i8.default(-5),
        b: f64.default(0.1),
        c: bool.default(true),
        d: entity.default(7 as Entity),
        e: vec(f32, 3).default([1, 2, 3]),
        f: vec(u8.default(9), 2),
        g: vec(entity, 2),
        h: u32,
        i: vec(f64, 1).default([5]),
      },
      { storage: STORED[storage] },
    )
    const defaults = {
      a: -5,
      b: 0.1,
      c: true,
      d: 7,
      e: Float32Array.of(1, 2, 3),
      f: Uint8Array.of(9, 9),
      g: Uint32Array.of(NULL_ENTITY, NULL_ENTITY),
      h: 0,
      i: Float64Array.of(5),
    }
    const handles = [
      world.spawn(C),
      world.spawn(C({ h: 4 })),
      world.spawn(C({ a: 0, e: [0, 0, 0], c: false })),
    ]
    const [bulk] = spawnMany(world, 3, [C]) as unknown as Entity[]
    const bare = world.spawn()
    world.add(bare, C)
    expect(world.get(handles[0], C)).toEqual(defaults)
    expect(world.get(bulk, C)).toEqual(defaults)
    expect(world.get(bare, C)).toEqual(defaults)
    expect(world.get(handles[1], C)).toEqual({ ...defaults, h: 4 })
    expect(world.get(handles[2], C)).toEqual({ ...defaults, a: 0, e: new Float32Array(3), c: false })
  })

  it('default makes a new field and leaves the old one as it was', () => {
    const one = f32.default(1)
    expect(one.defaultValue).toBe(1)
    expect(f32.defaultValue).toBe(0)
    expect(one.default(2).defaultValue).toBe(2)
    expect(one.defaultValue).toBe(1)
  })

  it('a default list that is changed afterwards changes no default', () => {
    const world = watchedWorld()
    const list = [1, 2]
    const M = component('M', { m: vec(f32, 2).default(list) })
    list[0] = 9
    expect(world.get(world.spawn(M), M)).toEqual({ m: Float32Array.of(1, 2) })
  })

  it.each([[[1]], [[1, 2, 3]], [5], ['ab'], [null], [[1, 'x']]])(
    'the default %j of vec(f32, 2) is refused',
    (value) => {
      expectWrongArgument(() => vec(f32, 2).default(value as number[]), 'INVALID_VALUE')
    },
  )

  it.each(TABLE_AND_POOL)('defaults of every width are written in bulk (%s)', (storage) => {
    const world = watchedWorld()
    const C = component(
      'C',
      {
        a: u8.default(1),
        b: u16.default(2),
        c: f32.default(3),
        d: f64.default(4),
        e: vec(u16, 5).default([1, 2, 3, 4, 5]),
      },
      { storage: STORED[storage] },
    )
    const handles = spawnMany(world, 3000, [])
    expect(addMany(world.query(), C)).toBe(3000)
    for (const handle of handles) {
      const value = world.get(handle, C)
      if (
        value?.a !== 1 ||
        value.b !== 2 ||
        value.c !== 3 ||
        value.d !== 4 ||
        value.e.join() !== '1,2,3,4,5'
      ) {
        expect.unreachable(JSON.stringify(value))
      }
    }
  })
})

describe.each(STORAGES)('add, set, get and remove (%s)', (storage) => {
  const C = component('C', { x: f32, n: i32.default(5) }, { storage: STORED[storage] })

  it('set on an entity without the component adds it: named fields as given, others with their defaults', () => {
    const world = watchedWorld()
    const handle = world.spawn()
    world.set(handle, C, { x: 2 })
    expect(world.has(handle, C)).toBe(true)
    expect(world.get(handle, C)).toEqual({ x: 2, n: 5 })
    const other = world.spawn()
    world.set(other, C, {})
    expect(world.get(other, C)).toEqual({ x: 0, n: 5 })
  })

  it('set twice: the second value wins, and there is one component', () => {
    const world = watchedWorld()
    const handle = world.spawn()
    world.set(handle, C, { x: 1, n: 1 })
    world.set(handle, C, { x: 2 })
    expect(world.get(handle, C)).toEqual({ x: 2, n: 1 })
    expect(world.query(C).count).toBe(1)
    expect(world.remove(handle, C)).toBe(true)
    expect(world.remove(handle, C)).toBe(false)
    expect(world.has(handle, C)).toBe(false)
  })

  it('set of some fields leaves the others; undefined means left out', () => {
    const world = watchedWorld()
    const handle = world.spawn(C({ x: 1, n: 2 }))
    world.set(handle, C, { n: 3 })
    expect(world.get(handle, C)).toEqual({ x: 1, n: 3 })
    world.set(handle, C, { x: undefined, n: 4 } as unknown as { n: number })
    expect(world.get(handle, C)).toEqual({ x: 1, n: 4 })
    world.set(handle, C, {})
    expect(world.get(handle, C)).toEqual({ x: 1, n: 4 })
  })

  it.each(['removed', 'destroyed', 'moved away', 'cleared'])(
    'add without a value writes the defaults where the slot was used by one that was %s',
    (how) => {
      const world = watchedWorld()
      const M = tag('M')
      const before = world.spawn(C({ x: 123, n: 456 }))
      if (how === 'removed') world.remove(before, C)
      else if (how === 'destroyed') world.destroy(before)
      else if (how === 'moved away') world.add(before, M)
      else clearWorld(world)
      const after = world.spawn()
      world.add(after, C)
      expect(world.get(after, C)).toEqual({ x: 0, n: 5 })
      expect(world.get(world.spawn(C), C)).toEqual({ x: 0, n: 5 })
      for (const handle of spawnMany(world, 5, [C])) expect(world.get(handle, C)).toEqual({ x: 0, n: 5 })
    },
  )

  it('remove and add give the defaults again, not the old value', () => {
    const world = watchedWorld()
    const handle = world.spawn(C({ x: 9, n: 9 }))
    world.remove(handle, C)
    world.add(handle, C)
    expect(world.get(handle, C)).toEqual({ x: 0, n: 5 })
  })

  it('bulk add writes the defaults where the slots were used before', () => {
    const world = watchedWorld()
    const M = tag('M')
    const handles = spawnMany(world, 2000, [C, M])
    for (const handle of handles) world.set(handle, C, { x: 7, n: 7 })
    removeMany(world.query(C), C)
    addMany(world.query(M), C)
    for (const handle of handles) {
      const value = world.get(handle, C)
      if (value?.x !== 0 || value.n !== 5) expect.unreachable(JSON.stringify(value))
    }
  })

  it('add of an existing component keeps the value and returns false; with a value it writes only the named fields', () => {
    const world = watchedWorld()
    const handle = world.spawn(C({ x: 1, n: 2 }))
    expect(world.add(handle, C)).toBe(false)
    expect(world.add(handle, C())).toBe(false)
    expect(world.add(handle, C({}))).toBe(false)
    expect(world.get(handle, C)).toEqual({ x: 1, n: 2 })
    expect(world.add(handle, C({ x: 3 }))).toBe(false)
    expect(world.get(handle, C)).toEqual({ x: 3, n: 2 })
  })

  it('bulk add keeps existing values and adds the missing components', () => {
    const world = watchedWorld()
    const M = tag('M')
    const D = numbered('D', storage)
    const full = world.spawn(C({ x: 1, n: 2 }), M)
    const bare = world.spawn(M)
    const both = world.spawn(C({ x: 3 }), D({ value: 4 }), M)
    expect(addMany(world.query(M), C, D)).toBe(3)
    expect(world.get(full, C)).toEqual({ x: 1, n: 2 })
    expect(world.get(full, D)).toEqual({ value: 0 })
    expect(world.get(bare, C)).toEqual({ x: 0, n: 5 })
    expect(world.get(both, C)).toEqual({ x: 3, n: 5 })
    expect(world.get(both, D)).toEqual({ value: 4 })
  })

  it('the same component twice in one call is refused, with or without values; nothing changes', () => {
    const world = watchedWorld()
    const handle = world.spawn(C({ x: 1 }))
    const bare = world.spawn()
    const before = world.stats()
    for (const call of [
      () => world.spawn(C, C),
      () => world.spawn(C({ x: 1 }), C({ x: 2 })),
      () => world.spawn(C, C({ x: 2 })),
      () => world.add(bare, C, C),
      () => world.add(handle, C({ x: 5 }), C),
      () => world.remove(handle, C, C),
      () => spawnMany(world, 3, [C, C]),
    ]) {
      expectWrongArgument(call, 'DUPLICATE_COMPONENT', 'C', 'twice')
    }
    expect(world.stats()).toEqual(before)
    expect(world.get(handle, C)).toEqual({ x: 1, n: 5 })
    expect(world.has(bare, C)).toBe(false)
  })

  it('has of several requires all of them; any finds entities with at least one', () => {
    const world = watchedWorld()
    const D = numbered('D', storage)
    const handles = [world.spawn(), world.spawn(C), world.spawn(D), world.spawn(C, D)]
    expect(handles.map((handle) => world.has(handle, C, D))).toEqual([false, false, false, true])
    expect(handles.map((handle) => world.has(handle, D, C))).toEqual([false, false, false, true])
    expect(handles.map((handle) => world.has(handle))).toEqual([true, true, true, true])
    expect(world.query(any(C, D)).entities().sort()).toEqual(Uint32Array.from(handles.slice(1)).sort())
    expect(world.query(C, D).entities()).toEqual(Uint32Array.of(handles[3]))
  })

  it('an unknown field is refused with its name and the known ones; nothing changes', () => {
    const world = watchedWorld()
    const handle = world.spawn(C({ x: 1 }))
    const other = world.spawn()
    const before = world.stats()
    for (const values of [{ y: 1 }, { x: 2, y: 1 }, { y: undefined }, { toString: 1 }, { X: 1 }, [1]]) {
      const name = Object.keys(values).find((key) => key !== 'x') as string
      expectWrongArgument(() => C(values as object), 'UNKNOWN_FIELD', 'C', `'${name}'`, 'x, n')
      expectWrongArgument(() => world.set(handle, C, values as object), 'UNKNOWN_FIELD', 'C', `'${name}'`)
      expectWrongArgument(() => world.set(other, C, values as object), 'UNKNOWN_FIELD', 'C', `'${name}'`)
    }
    expect(world.stats()).toEqual(before)
    expect(world.get(handle, C)).toEqual({ x: 1, n: 5 })
    expect(world.has(other, C)).toBe(false)
  })

  it.each([[null], [5], ['x'], [true], [1n], [Symbol('v')]])('values given as %s are refused', (values) => {
    const world = watchedWorld()
    const handle = world.spawn(C({ x: 1 }))
    expectWrongArgument(() => C(values as never), 'INVALID_VALUE', 'C')
    expectWrongArgument(() => world.set(handle, C, values as never), 'INVALID_VALUE', 'C')
    expect(world.get(handle, C)).toEqual({ x: 1, n: 5 })
  })

  it('set without values is refused: it has nothing to set', () => {
    const world = watchedWorld()
    const handle = world.spawn()
    expectWrongArgument(() => world.set(handle, C, undefined as never), 'INVALID_VALUE', 'C')
    expect(world.has(handle, C)).toBe(false)
  })

  it('one value object serves several entities', () => {
    const world = watchedWorld()
    const value = C({ x: 3 })
    const [first, second] = [world.spawn(value), world.spawn(value)]
    world.set(first, C, { x: 4 })
    expect(world.get(second, C)).toEqual({ x: 3, n: 5 })
    world.add(first, value)
    expect(world.get(first, C)).toEqual({ x: 3, n: 5 })
  })
})

describe('tags', () => {
  it('a tag takes no values, and set adds it', () => {
    const world = watchedWorld()
    const Frozen = tag('Frozen')
    const handle = world.spawn()
    expectWrongArgument(
      () => (Frozen as unknown as (values: object) => void)({ x: 1 }),
      'UNKNOWN_FIELD',
      'Frozen',
      "'x'",
    )
    expect(world.add(handle, Frozen)).toBe(true)
    expect(world.add(handle, Frozen)).toBe(false)
    expect(world.remove(handle, Frozen)).toBe(true)
    expect(world.remove(handle, Frozen)).toBe(false)
  })

  it.each(KINDS)('a %s component that is added and removed 10,000 times leaves no trace', (kind) => {
    const world = watchedWorld()
    const D = declare('D', kind)
    const handle = world.spawn()
    world.add(handle, D)
    world.remove(handle, D)
    const before = world.stats()
    for (let i = 0; i < 10_000; i++) {
      if (!world.add(handle, D) || !world.remove(handle, D)) expect.unreachable(`round ${i}`)
    }
    expect(world.stats()).toEqual(before)
  })
})
