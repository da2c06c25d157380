// Shows that toArrow gives a table with every row of a query in loop order, each kind of field as the Arrow type that the guide
// names and nulls where a component is absent, and that another implementation of Arrow reads the same.

import { tableFromIPC as readByAnother } from '@uwdata/flechette'
import { type Table, tableFromIPC, tableToIPC } from 'apache-arrow'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { toArrow } from '../src/arrow'
import {
  createGroup,
  NULL_ENTITY,
  type Entity,
  type World,
  any,
  bool,
  changed,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  not,
  object,
  optional,
  sparse,
  spawnMany,
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
} from '../../../bindings/index'
import { STORAGES, STORED } from '../../../tests/support/storages'
import { proofLength } from '../../../tests/support/proofs'
import { testWorld } from '../../../tests/support/world'

const Position = component('Position', { x: f32, y: f32 })
const Everything = component('Everything', {
  a: f32,
  b: f64,
  c: i8,
  d: u8,
  e: i16,
  f: u16,
  g: i32,
  h: u32,
  yes: bool,
  who: entity,
  name: text,
  list: vec(f32, 3),
  flags: vec(bool, 5),
})
const Health = component('Health', { hp: u16 })
const Label = component('Label', { text: text }, { storage: sparse })
const Matrix = component('Matrix', { m: vec(f64, 4), on: bool }, { storage: sparse })
const Frozen = tag('Frozen')
const Sprite = object<{ image: string }>('Sprite')

/** All rows, as plain values. */
function rowsOf(table: Table): Record<string, unknown>[] {
  const names = table.schema.fields.map(({ name }) => name)
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(names.map((name) => [name, plain(table.getChild(name)!.get(row))])),
  )
}

/** Vectors as lists. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Array.from(value as Iterable<unknown>) : value

const typesOf = (table: Table) =>
  Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]))

const both = [{ copy: true }, { copy: false }]

function fill(world: World, count: number): Entity[] {
  return Array.from({ length: count }, (_, k) => {
    const ship = world.spawn(Position({ x: k, y: -k }))
    if (k % 2 === 0) world.add(ship, Health({ hp: k }))
    if (k % 3 === 0) world.add(ship, Label({ text: `ship ${k % 5}` }))
    if (k % 5 === 0) world.add(ship, Frozen)
    return ship
  })
}

describe.each(both)('a table with %o', (options) => {
  it('has a column for each field with the Arrow type of its kind, and every value', () => {
    const world = testWorld()
    const other = world.spawn()
    const values = {
      a: 1.5,
      b: Math.PI,
      c: -128,
      d: 255,
      e: -32768,
      f: 65535,
      g: -(2 ** 31),
      h: 2 ** 32 - 1,
      yes: true,
      who: other,
      name: 'Zoë 🚀',
      list: [1, 2.5, -3],
      flags: [1, 0, 0, 1, 1],
    }
    const first = world.spawn(Everything(values))
    const second = world.spawn(Everything)
    const table = toArrow(world.query(Everything), options)
    const prefixed = (row: object) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [`Everything.${name}`, value]))
    expect(rowsOf(table)).toEqual([
      {
        entity: first,
        ...prefixed({ ...values, flags: [true, false, false, true, true] }),
      },
      {
        entity: second,
        ...prefixed({ ...values, a: 0, b: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0, yes: false }),
        'Everything.who': NULL_ENTITY,
        'Everything.name': '',
        'Everything.list': [0, 0, 0],
        'Everything.flags': [false, false, false, false, false],
      },
    ])
    expect(typesOf(table)).toEqual({
      entity: 'Uint32',
      'Everything.a': 'Float32',
      'Everything.b': 'Float64',
      'Everything.c': 'Int8',
      'Everything.d': 'Uint8',
      'Everything.e': 'Int16',
      'Everything.f': 'Uint16',
      'Everything.g': 'Int32',
      'Everything.h': 'Uint32',
      'Everything.yes': 'Bool',
      'Everything.who': 'Uint32',
      'Everything.name': 'Dictionary<Int32, Utf8>',
      'Everything.list': 'FixedSizeList[3]<Float32>',
      'Everything.flags': 'FixedSizeList[5]<Bool>',
    })
  })

  it('is null where an optional component is absent, and nowhere else', () => {
    const world = testWorld()
    const ships = fill(world, 12)
    const query = world.query(Position, optional(Health, Label))
    const table = toArrow(query, options)
    const order = [...query.entities()]
    expect(rowsOf(table)).toEqual(
      order.map((ship) => ({
        entity: ship,
        'Position.x': ships.indexOf(ship),
        'Position.y': -ships.indexOf(ship),
        'Health.hp': world.get(ship, Health)?.hp ?? null,
        'Label.text': world.get(ship, Label)?.text ?? null,
      })),
    )
    expect(table.schema.fields.map(({ nullable }) => nullable)).toEqual([false, false, false, true, true])
    expect(table.getChild('Health.hp')!.nullCount).toBe(6)
    expect(table.getChild('Label.text')!.nullCount).toBe(8)
    expect(table.getChild('Position.x')!.nullCount).toBe(0)
  })

  it('is null for alternatives of any() that an entity does not have', () => {
    const world = testWorld()
    const one = world.spawn(Health({ hp: 3 }))
    const two = world.spawn(Position({ x: 8 }))
    const rows = rowsOf(toArrow(world.query(any(Health, Position)), options))
    expect(rows).toContainEqual({ entity: one, 'Health.hp': 3, 'Position.x': null, 'Position.y': null })
    expect(rows).toContainEqual({ entity: two, 'Health.hp': null, 'Position.x': 8, 'Position.y': 0 })
    expect(rows).toHaveLength(2)
  })

  it('has no rows for a query without matches, but all of its columns', () => {
    const world = testWorld()
    const table = toArrow(world.query(Position, optional(Label)), options)
    expect(table.numRows).toBe(0)
    expect(Object.keys(typesOf(table))).toEqual(['entity', 'Position.x', 'Position.y', 'Label.text'])
    expect(tableFromIPC(tableToIPC(table)).numRows).toBe(0)
  })

  it('has no columns for tags and for excluded components, whose rows it leaves out', () => {
    const world = testWorld()
    fill(world, 20)
    const table = toArrow(world.query(Position, Frozen, not(Health), optional(tag('Rare'))), options)
    expect(Object.keys(typesOf(table))).toEqual(['entity', 'Position.x', 'Position.y'])
    expect(rowsOf(table).map((row) => row['Position.x'])).toEqual([5, 15])
  })

  it('has only the entity if a query names no values', () => {
    const world = testWorld()
    const ship = world.spawn(Frozen)
    expect(rowsOf(toArrow(world.query(Frozen), options))).toEqual([{ entity: ship }])
  })

  it('follows where, page and partition', () => {
    const world = testWorld()
    fill(world, 40)
    const query = world.query(Position)
    const xs = (some: Parameters<typeof toArrow>[0]) =>
      rowsOf(toArrow(some as typeof query, options)).map((row) => row['Position.x'])
    const every = xs(query as never)
    expect(every).toHaveLength(40)
    const odd = query.where(Position, 'x', '>', 9).where(Position, 'x', '<', 31)
    expect(xs(odd as never)).toEqual(every.filter((x) => (x as number) > 9 && (x as number) < 31))
    expect(xs(query.slice(7, 12) as never)).toEqual(every.slice(7, 12))
    expect([0, 1, 2].flatMap((part) => xs(query.partition(part, 3) as never))).toEqual(every)
  })

  it('has the rows of a group, whose pools are walked side by side', () => {
    const world = testWorld()
    const Mass = component('Mass', { kg: f32 }, { storage: sparse })
    const Charge = component('Charge', { e: i32 }, { storage: sparse })
    const grouped = createGroup(world, Mass, Charge)
    for (let k = 0; k < 3000; k++) {
      const one = world.spawn(Mass({ kg: k }))
      if (k % 2 === 1) world.add(one, Charge({ e: -k }))
    }
    const rows = rowsOf(toArrow(grouped, options))
    expect(rows).toHaveLength(1500)
    for (const { entity: one, 'Mass.kg': kg, 'Charge.e': e } of rows) {
      expect(world.get(one as Entity, Mass)?.kg).toBe(kg)
      expect(world.get(one as Entity, Charge)?.e).toBe(e)
    }
  })

  it('has every row of many chunks, in the order of a loop', () => {
    const world = testWorld()
    spawnMany(world, 10_000, [Position], (chunk) => {
      const { x } = chunk.write(Position)
      for (let k = chunk.start; k < chunk.end; k++) x[k] = chunk.entities[k]! % 16_777_216
    })
    for (const ship of [...world.query(Position).slice(4000, 5_000).entities()]) world.destroy(ship)
    const table = toArrow(world.query(Position), options)
    const entities = [...world.query(Position).entities()]
    expect([...table.getChild('entity')!]).toEqual(entities)
    expect([...table.getChild('Position.x')!]).toEqual(entities.map((one) => one % 16_777_216))
    let chunks = 0
    for (const _ of world.query(Position)) chunks++
    expect(chunks).toBeGreaterThan(2)
    expect(table.batches).toHaveLength(options.copy ? 1 : chunks)
  })

  it.each(STORAGES)('has the values of a component in every storage: %s', (storage) => {
    const world = testWorld()
    const Own = component(
      'Own',
      { n: u32, word: text, pair: vec(i16, 2), on: bool },
      { storage: STORED[storage] },
    )
    const made = [0, 1, 2, 3, 4].map((n) =>
      world.spawn(
        Own({ n, word: `w${n % 2}`, pair: [n, 9 - n], on: n % 2 === 0 }),
        ...(n > 2 ? [Position] : []),
      ),
    )
    world.destroy(made[1]!)
    for (const query of [world.query(Own), world.query(Own, optional(Position))]) {
      const rows = rowsOf(toArrow(query as never, options)).map((row) => [
        row.entity,
        row['Own.n'],
        row['Own.word'],
        row['Own.pair'],
        row['Own.on'],
      ])
      expect(rows.sort((a, b) => (a[0] as number) - (b[0] as number))).toEqual(
        [0, 2, 3, 4].map((n) => [made[n], n, `w${n % 2}`, [n, 9 - n], n % 2 === 0]),
      )
    }
    const required = rowsOf(toArrow(world.query(Position, Own), options))
    expect(required.map((row) => row['Own.n']).sort()).toEqual([3, 4])
  })

  it('is read by another implementation of Arrow exactly as written', () => {
    const world = testWorld()
    fill(world, 200)
    world.query(Position).each((ship, { x }) => {
      if (x % 7 === 0) world.add(ship, Matrix({ m: [x, 1, 2, 3], on: x % 2 === 0 }))
    })
    const table = toArrow(world.query(Position, optional(Health, Label, Matrix)), options)
    for (const kind of ['stream', 'file'] as const) {
      const bytes = tableToIPC(table, kind)
      expect(rowsOf(tableFromIPC(bytes))).toEqual(rowsOf(table))
      const other = readByAnother(bytes)
      const columns = other.schema.fields.map(({ name }: { name: string }) => [
        name,
        Array.from(other.getChild(name) as Iterable<unknown>, plain),
      ])
      expect(Object.fromEntries(columns)).toEqual(
        Object.fromEntries(
          table.schema.fields.map(({ name }) => [name, rowsOf(table).map((row) => row[name])]),
        ),
      )
    }
  })

  it('can be made inside a loop, where it sees what the loop sees', () => {
    const world = testWorld()
    fill(world, 3)
    const query = world.query(Position)
    let seen = 0
    for (const chunk of query) {
      world.spawn(Position({ x: 99 }))
      world.destroy(chunk.entities[chunk.start] as Entity)
      seen = toArrow(query, options).numRows
      break
    }
    expect(seen).toBe(3)
    expect(toArrow(query, options).numRows).toBe(3)
  })

  it('counts as a look at the changes', () => {
    const world = testWorld()
    const [first] = fill(world, 2)
    const moved = world.query(changed(Position))
    expect(toArrow(moved, options).numRows).toBe(2)
    expect(toArrow(moved, options).numRows).toBe(0)
    world.set(first!, Position, { x: 50 })
    expect(toArrow(moved, options).numRows).toBeGreaterThan(0)
  })

  it('agrees with world.get for any mixture of components', () => {
    const masks = fc.array(fc.integer({ min: 0, max: 31 }), { maxLength: 60 })
    fc.assert(
      fc.property(masks, fc.integer({ min: 0, max: 20 }), (all, deaths) => {
        const world = testWorld()
        const living = all.map((mask, k) => {
          const one = world.spawn(Position({ x: k }))
          if (mask & 1) world.add(one, Health({ hp: k }))
          if (mask & 2) world.add(one, Label({ text: `${mask}` }))
          if (mask & 4) world.add(one, Matrix({ m: [k, k, k, mask], on: mask > 16 }))
          if (mask & 8) world.add(one, Frozen)
          return one
        })
        for (const one of living.slice(0, deaths)) world.destroy(one)
        for (const query of [
          world.query(Position, optional(Health, Label, Matrix)),
          world.query(Label, optional(Health, Matrix)),
          world.query(Health, Matrix),
          world.query(any(Label, Health), not(Frozen)),
        ]) {
          const rows = rowsOf(toArrow(query as never, options))
          expect(rows.map((row) => row.entity)).toEqual([...query.entities()])
          for (const row of rows)
            for (const [name, value] of Object.entries(row)) {
              const [of, field] = name.split('.') as [string, string]
              const declared = [Position, Health, Label, Matrix].find(
                ({ componentName }) => componentName === of,
              )
              if (declared === undefined) continue
              const has = world.get(row.entity as Entity, declared as typeof Position) as any
              expect(value).toEqual(has === undefined ? null : plain(has[field]))
            }
        }
        world.dispose()
      }),
      { numRuns: proofLength(100) },
    )
  })
})

describe('a copy', () => {
  it('stays as it is whatever the world does', () => {
    const world = testWorld()
    const [first] = fill(world, 30)
    const query = world.query(Position, Health)
    const table = toArrow(query)
    const before = rowsOf(table)
    world.set(first!, Position, { x: 1234 })
    for (const ship of [...query.entities()].slice(0, 7)) world.destroy(ship)
    spawnMany(world, 100_000, [Position, Health])
    expect(rowsOf(table)).toEqual(before)
    world.dispose()
    expect(rowsOf(table)).toEqual(before)
  })
})

describe('a table that is not copied', () => {
  it('shows later writes, because it is the memory of the world', () => {
    const world = testWorld()
    const [, second] = fill(world, 4)
    const table = toArrow(world.query(Position), { copy: false })
    const at = [...table.getChild('entity')!].indexOf(second)
    world.set(second!, Position, { x: 77 })
    expect(table.getChild('Position.x')!.get(at)).toBe(77)
    for (const batch of table.batches)
      expect((batch.getChild('Position.x')!.data[0]!.values as Float32Array).buffer).toBe(
        (world.query(Position)[Symbol.iterator]().next().value as any).read(Position).x.buffer,
      )
  })

  it('copies bools, texts and everything reached by row', () => {
    const world = testWorld()
    const Own = component('Own', { on: bool, word: text })
    const one = world.spawn(Own({ on: true, word: 'a' }), Matrix({ m: [1, 2, 3, 4], on: true }))
    const table = toArrow(world.query(Own, Matrix), { copy: false })
    world.set(one, Own, { on: false, word: 'b' })
    world.set(one, Matrix, { m: [0, 0, 0, 0], on: false })
    expect(rowsOf(table)).toEqual([
      { entity: one, 'Own.on': true, 'Own.word': 'a', 'Matrix.m': [1, 2, 3, 4], 'Matrix.on': true },
    ])
  })
})

describe('toArrow', () => {
  it('has each text once in the dictionary of the whole table', () => {
    const world = testWorld()
    for (let k = 0; k < 50; k++) world.spawn(Position, Label({ text: k % 2 === 0 ? 'even' : 'odd' }))
    const column = toArrow(world.query(Position, Label)).getChild('Label.text')!
    expect(column.data[0]!.dictionary!.toJSON()).toEqual(['even', 'odd'])
  })

  it('creates tables with texts under a content security policy that forbids compiling functions', () => {
    const world = testWorld()
    for (const text of ['Ada', '', 'Zoë 🚀']) world.spawn(Position, Label({ text }))
    const compiled = vi.fn(() => {
      throw new EvalError('unsafe-eval is not allowed')
    })
    vi.stubGlobal('Function', new Proxy(Function, { construct: compiled, apply: compiled }))
    try {
      const column = toArrow(world.query(Position, Label)).getChild('Label.text')!
      expect([...column]).toEqual(['Ada', '', 'Zoë 🚀'])
    } finally {
      vi.unstubAllGlobals()
    }
    expect(compiled).not.toHaveBeenCalled()
  })

  it.each([
    ['the query', undefined, {}, /^toArrow takes a query, not undefined\.$/],
    ['the query', Position, {}, /^toArrow takes a query, not the component Position\.$/],
    ['the query', { source: 5 }, {}, /^toArrow takes a query, not an object\.$/],
    ['the options', 'query', null, /options must be an object such as \{ copy: false \}, not null\.$/],
    ['the options', 'query', true, /options must be an object such as \{ copy: false \}, not true\.$/],
    ['an option', 'query', { copies: true }, /^toArrow has no option 'copies': there is copy\.$/],
    ['copy', 'query', { copy: 1 }, /^toArrow: copy must be true or false, not 1\.$/],
  ])('refuses wrong arguments with a typed error: %s, %o %o', (_, query, options, sentence) => {
    const world = testWorld()
    const given = query === 'query' ? world.query(Position) : query
    const call = () => toArrow(given as never, options as never)
    expect(call).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', name: 'StrataTypeError' }))
    expect(call).toThrow(sentence)
    world.dispose()
  })

  it('treats options that are undefined as left out', () => {
    const world = testWorld()
    expect(toArrow(world.query(Position), undefined).numRows).toBe(0)
    expect(toArrow(world.query(Position), { copy: undefined }).numRows).toBe(0)
  })

  it('refuses object components, whose values have no Arrow type', () => {
    const world = testWorld()
    world.spawn(Sprite({ image: 'a.png' }), Position)
    for (const query of [world.query(Sprite), world.query(Position, optional(Sprite))]) {
      const call = () => toArrow(query as never)
      expect(call).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }))
      expect(call).toThrow(/Sprite is an object component/)
    }
    expect(toArrow(world.query(Position, not(Sprite))).numRows).toBe(0)
  })

  it('refuses a query of a disposed world', () => {
    const world = testWorld()
    const query = world.query(Position)
    world.dispose()
    expect(() => toArrow(query)).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }))
  })
})
