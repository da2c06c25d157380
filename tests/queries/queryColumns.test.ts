// Shows columns of a query that are read into an array of the caller's and written back in the same order, and query.map.

import { describe, expect, it } from 'vitest'
import {
  bool,
  changed,
  component,
  digestWorld,
  entity,
  f32,
  f64,
  getColumn,
  i8,
  not,
  onSet,
  setColumn,
  tag,
  text,
  toggle,
  u16,
  vec,
} from '../../bindings/index'
import { caughtFrom, codeOf } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'
import { STORED } from '../support/storages'

const STORAGES = ['table', 'sparse', 'stable'] as const
const anything = (value: unknown) => value as never

describe.each(STORAGES)('Columns in %s storage', (storage) => {
  const Body = component(
    'Body',
    { x: f32, long: f64, n: u16, s: i8, on: bool, who: entity, at: vec(f32, 3), name: text },
    { storage: STORED[storage], ...(storage === 'table' && { toggle }) },
  )
  const Odd = tag('Odd')
  const Third = component('Third', { k: u16 })

  /** Bodies in several archetypes, some of them switched off. */
  function stage(count: number) {
    const world = testWorld()
    const all = Array.from({ length: count }, (_, i) =>
      i % 3 === 0
        ? world.spawn(Body({ x: i, n: i, at: [i, 0, i] }), Third)
        : world.spawn(Body({ x: i, n: i })),
    )
    for (let i = 1; i < count; i += 2) world.add(all[i] as never, Odd)
    if (storage === 'table') for (let i = 0; i < count; i += 5) world.disable(all[i] as never, Body)
    return { world, all }
  }

  it.each([0, 1, 7, 8, 63, 64, 65, 500])(
    'of %i entities are read into an array, and written back',
    (count) => {
      const { world } = stage(count)
      for (const query of [world.query(Body), world.query(Body, Odd), world.query(Body, not(Third))]) {
        const wanted = getColumn(query, Body, 'x')
        const into = new Float32Array(wanted.length + 1).fill(-1)
        expect(getColumn(query, Body, 'x', { into })).toBe(wanted.length)
        expect([...into]).toEqual([...wanted, -1])
        const before = digestWorld(world)
        expect(setColumn(query, Body, 'x', into)).toBe(wanted.length)
        expect(digestWorld(world)).toBe(before)
        expect(
          setColumn(
            query,
            Body,
            'x',
            wanted.map((x) => x + 1000),
          ),
        ).toBe(wanted.length)
        expect(query.map((one) => world.get(one, Body)?.x)).toEqual(Array.from(wanted, (x) => x + 1000))
        expect(setColumn(query, Body, 'x', Array.from(wanted))).toBe(wanted.length)
        expect(digestWorld(world)).toBe(before)
        const vecs = getColumn(query, Body, 'at').map((_, i) => i)
        expect(setColumn(query, Body, 'at', vecs)).toBe(wanted.length)
        expect([...getColumn(query, Body, 'at')]).toEqual([...vecs])
        expect(getColumn(query, Body, 'at', { into: new Float32Array(vecs.length) })).toBe(vecs.length)
        checkInvariants(world)
      }
    },
  )

  it('accept every kind of field except texts', () => {
    const { world, all } = stage(20)
    const query = world.query(Body)
    const { count } = query
    setColumn(query, Body, 'long', new Float64Array(count).fill(1 / 3))
    setColumn(query, Body, 'n', new Uint16Array(count).fill(65_535))
    setColumn(query, Body, 's', new Int8Array(count).fill(-128))
    setColumn(query, Body, 'on', new Array<boolean>(count).fill(true))
    setColumn(query, Body, 'who', new Uint32Array(count).fill(all[3] as number))
    for (const one of query.entities())
      expect(world.get(one, Body)).toMatchObject({ long: 1 / 3, n: 65_535, s: -128, on: true, who: all[3] })
    const before = digestWorld(world)
    const error = caughtFrom(() => setColumn(query, Body, 'name', new Uint32Array(count)))
    expect([error.code, error.message]).toEqual(['INVALID_VALUE', expect.stringContaining('setMany')])
    expect(digestWorld(world)).toBe(before)
  })

  it('are refused where the array is too short or of another class, or a value does not fit', () => {
    const { world } = stage(20)
    const query = world.query(Body)
    const short = query.count - 1
    const before = digestWorld(world)
    for (const [code, call] of [
      ['INVALID_OPTION', () => getColumn(query, Body, 'x', { into: new Float32Array(short) })],
      ['INVALID_OPTION', () => getColumn(query, Body, 'x', { into: anything(new Float64Array(99)) })],
      ['INVALID_OPTION', () => getColumn(query, Body, 'x', { into: anything(null) })],
      ['INVALID_OPTION', () => getColumn(query, Body, 'x', anything({ to: 1 }))],
      [
        'UNKNOWN_FIELD',
        () => getColumn(query, Body, anything('z'), { into: anything(new Float32Array(99)) }),
      ],
      ['INVALID_VALUE', () => setColumn(query, Body, 'x', new Float32Array(short))],
      ['INVALID_VALUE', () => setColumn(query, Body, 'n', new Array<number>(99).fill(65_536))],
      ['INVALID_OPTION', () => setColumn(query, Body, 'n', anything(undefined))],
      ['INVALID_OPTION', () => setColumn(query, Body, 'n', anything(7))],
      ['UNKNOWN_FIELD', () => setColumn(query, Body, anything('z'), [])],
      ['INVALID_ORDER', () => setColumn(query, anything(Third), anything('k'), [])],
    ] as [string, () => void][])
      expect(codeOf(call), String(call)).toBe(code)
    expect(digestWorld(world)).toBe(before)
  })

  it('mark the component as changed, and call no listener', () => {
    const { world } = stage(20)
    const query = world.query(Body)
    const moved = world.query(changed(Body))
    moved.entities()
    let told = 0
    onSet(world, Body, () => told++)
    world.advanceTick()
    expect(moved.isEmpty).toBe(true)
    setColumn(query, Body, 'x', getColumn(query, Body, 'x'))
    expect(moved.count).toBe(query.count)
    expect(told).toBe(0)
  })
})

describe('query.map', () => {
  const Body = component('Body', { x: f32 })

  it('lists whatever its function returns', () => {
    const world = testWorld()
    const all = [1, 2, 3].map((x) => world.spawn(Body({ x })))
    expect(world.query(Body).map((one, i) => ({ one, i }))).toEqual(all.map((one, i) => ({ one, i })))
    expect(world.query(Body).map((one) => `e${one}`)).toEqual(all.map((one) => `e${one}`))
    expect(world.query(not(Body)).map(() => 1)).toEqual([])
    expect(codeOf(() => world.query(Body).map(anything(7)))).toBe('INVALID_OPTION')
  })

  it('lets its function change the world at once', () => {
    const world = testWorld()
    for (let x = 0; x < 100; x++) world.spawn(Body({ x }))
    const gone = world.query(Body).map((one) => world.destroy(one) && world.isAlive(one))
    expect(gone).toEqual(new Array(100).fill(false))
    expect(world.query(Body).count).toBe(0)
    checkInvariants(world)
  })
})
