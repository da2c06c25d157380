// Shows that values of object components go into a file and back by `save` and `load`, and that one that throws changes nothing.

import { describe, expect, it } from 'vitest'
import {
  component,
  type Entity,
  destroyMany,
  entity,
  f32,
  LimitError,
  mergeWorld,
  not,
  object,
  objectsOf,
  onAdd,
  saveToJSON,
  saveWorld,
  StrataError,
  tag,
  text,
  u32,
  type World,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { load, loadJSON } from '../support/loaded'
import { described, descriptionOf } from '../support/saveBytes'
import { leaveFree } from '../support/scarcity'
import { testWorld } from '../support/world'

type Effect = { name: string; turns: number; by?: number }

const Position = component('Position', { x: f32 })
const Name = component('Name', { value: text })
const Target = component('Target', { who: entity })
const Red = tag('Red')

class Stats {
  constructor(readonly points: Map<string, number>) {}
}

/** Components with `save` and `load`, and what became of their values. */
function stage(track?: 'row') {
  const begun: unknown[] = []
  const ended: unknown[] = []
  const both = { init: (value: unknown) => begun.push(value), dispose: (value: unknown) => ended.push(value) }
  const Effects = object<Effect[]>('Effects', {
    save: (effects) => effects.map((effect) => ({ ...effect })),
    load: (state: Effect[]) => state,
    ...both,
    ...(track && { trackChanges: track }),
  })
  const Scores = object('Scores', () => new Stats(new Map()), {
    save: ({ points }) => [...points],
    load: (state) => new Stats(new Map(state as [string, number][])),
    ...both,
  })
  return { world: testWorld(), Effects, Scores, begun, ended }
}

const WAYS: [string, (world: World, components: readonly never[]) => ReturnType<typeof load>][] = [
  ['loadWorld', (world, components) => load(saveWorld(world), components)],
  ['loadFromJSON', (world, components) => loadJSON(saveToJSON(world), components)],
  [
    'mergeWorld',
    (world, components) => {
      const into = testWorld()
      into.spawn(Red)
      return { world: into, ...mergeWorld(into, saveWorld(world), { components }) }
    },
  ],
]

const anything = (value: unknown) => value as never

describe.each(WAYS)('Values of objects by %s', (_, loadBy) => {
  it.each([undefined, 'row'] as const)('are restored, a value for each entity, track: %s', (track) => {
    const { world, Effects, Scores, begun, ended } = stage(track)
    const ships: Entity[] = []
    for (let i = 0; i < 70; i++) {
      const ship = world.spawn(Position({ x: i }), Name({ value: `ship ${i % 3}` }))
      if (i % 2 === 0) world.add(ship, Effects([{ name: 'slow', turns: i }]))
      if (i % 3 === 0) world.add(ship, Scores, Red)
      world.get(ship, Scores)?.points.set('hits', i)
      ships.push(ship)
    }
    begun.length = 0
    const {
      world: loaded,
      handles,
      absent,
      unknown,
    } = loadBy(world, anything([Position, Name, Effects, Scores, Red]))
    expect([absent, unknown, ended]).toEqual([[], [], []])
    ships.forEach((ship, i) => {
      const one = handles.get(ship) as Entity
      expect(loaded.get(one, Effects)).toEqual(i % 2 === 0 ? [{ name: 'slow', turns: i }] : undefined)
      expect(loaded.get(one, Scores)?.points.get('hits')).toBe(i % 3 === 0 ? i : undefined)
      expect(loaded.get(one, Scores)).not.toBe(i % 3 === 0 ? world.get(ship, Scores) : null)
      expect(loaded.get(one, Name)?.value).toBe(`ship ${i % 3}`)
    })
    expect(begun).toHaveLength(35 + 24)
    const values = new Set<unknown>()
    for (const kind of [Effects, Scores])
      for (const [, value] of objectsOf<unknown>(loaded, anything(kind))) values.add(value)
    expect(new Set(begun)).toEqual(values)
    checkInvariants(loaded)
    loaded.dispose()
    expect(ended).toHaveLength(35 + 24)
  })

  it('hold everything that a file can, and handles follow the map', () => {
    const All = object<unknown>('All', { save: (value) => value, load: (state) => state as unknown })
    const world = testWorld()
    const values = [
      null,
      0,
      -0,
      NaN,
      '',
      'žluť',
      false,
      12n,
      [undefined, [1]],
      Uint8Array.of(1, 2),
      { $: 'none', deep: { who: 5 } },
      { $: 1 },
    ]
    const ships = values.map((value) => world.spawn(All(anything(value))))
    const { world: loaded, handles } = loadBy(world, anything([All]))
    expect(ships.map((ship) => loaded.get(handles.get(ship) as Entity, All))).toEqual(values)

    const { world: second, Effects } = stage()
    second.destroy(second.spawn())
    const witch = second.spawn(Red)
    const cursed = second.spawn(Effects([{ name: 'curse', turns: 3, by: witch }]), Target({ who: witch }))
    const { world: other, handles: map } = loadBy(second, anything([Effects, Red, Target]))
    for (const [, effects] of objectsOf(other, Effects))
      for (const effect of effects) if (effect.by !== undefined) effect.by = map.get(effect.by)!
    const one = map.get(cursed) as Entity
    expect(other.get(one, Effects)?.[0]?.by).toBe(other.get(one, Target)?.who)
  })

  it('are dropped and reported if the declaration has no load, and revive still creates others', () => {
    const { world, Effects } = stage()
    const ship = world.spawn(Effects([{ name: 'slow', turns: 1 }]), Position)
    const Plain = object('Effects')
    const Revived = object('Effects', { revive: () => 'again' })
    const first = loadBy(world, anything([Plain, Position]))
    const one = first.handles.get(ship) as Entity
    expect([first.unknown, first.absent]).toEqual([['Effects'], [{ entity: one, component: Plain }]])
    expect([first.world.has(one, Plain), first.world.has(one, Position)]).toEqual([false, true])
    const second = loadBy(world, anything([Revived, Position]))
    expect([second.unknown, second.absent]).toEqual([['Effects'], []])
    expect(second.world.get(second.handles.get(ship) as Entity, Revived)).toBe('again')
    const third = loadBy(world, anything([component('Effects', { n: u32.default(4) }), Position]))
    expect(third.unknown).toEqual(['Effects'])
    for (const { world: loaded } of [first, second, third]) checkInvariants(loaded)
  })

  it('are missing in files from before `save`: revive creates them, a maker does not', () => {
    const world = testWorld()
    const Before = object('Effects', () => [0])
    const ship = world.spawn(Before, Position)
    const saves = { save: (list: number[]) => list, load: (state: number[]) => state }
    const Made = object('Effects', () => [1], saves)
    const Revived = object<number[]>('Effects', { ...saves, revive: () => [2] })
    const first = loadBy(world, anything([Made, Position]))
    expect(first.absent.map((one) => one.entity)).toEqual([first.handles.get(ship)])
    const second = loadBy(world, anything([Revived, Position]))
    expect(second.world.get(second.handles.get(ship) as Entity, Revived)).toEqual([2])
    // Without `save`, the maker's values are not saved, and the file says so by nothing.
    expect([first.unknown, second.unknown]).toEqual([[], []])
  })
})

it('Revive can read what was loaded, and listeners see it', () => {
  const { world, Effects } = stage()
  const Icon = object<string>('Icon', {
    revive: (one, inside) => `icon of ${inside.get(one, Effects)?.[0]?.name}`,
  })
  const ship = world.spawn(Icon('old'), Effects([{ name: 'slow', turns: 1 }]))
  const into = testWorld()
  const told: unknown[] = []
  onAdd(into, Effects, (one) => told.push(into.get(one, Icon)))
  const { handles } = mergeWorld(into, saveWorld(world), { components: [Icon, Effects] })
  expect(told).toEqual(['icon of slow'])
  expect(into.get(handles.get(ship) as Entity, Icon)).toBe('icon of slow')
})

it('Only selected objects are saved, and equal worlds give equal bytes', () => {
  const { world, Effects, Scores } = stage()
  const ship = world.spawn(Effects([]), Scores)
  world.spawn(Effects([{ name: 'fast', turns: 2 }]), Red)
  expect(saveWorld(world)).toEqual(saveWorld(world))
  const all = anything([Effects, Scores, Red])
  const chosen = load(saveWorld(world, { entities: [ship] }), all)
  expect([...objectsOf(chosen.world, Effects)].map(([, value]) => value)).toEqual([[]])
  const { world: only } = load(saveWorld(world, { only: [Effects] }), all)
  expect([only.query(Effects).count, only.query(Scores).count]).toEqual([2, 0])
  const { world: twice } = load(saveWorld(world), all)
  expect(saveWorld(load(saveWorld(twice), all).world)).toEqual(saveWorld(twice))
  expect(saveToJSON(world)).toContain(
    '{"entity":2,"has":{"Effects":{},"Red":{}},"values":{"Effects":[{"name":"fast","turns":2}]}}',
  )
})

describe('A save or load that throws', () => {
  it('A save throws its own error, values no file can hold throw INVALID_VALUE, and the world is as it was', () => {
    const world = testWorld()
    const Failing = object<number>('Failing', {
      save: (value) => {
        if (value === 2) throw new RangeError('no')
        if (value === 3) return new Map()
        if (value === 4) world.spawn()
        return value
      },
      load: (state) => state as number,
    })
    const ship = world.spawn(Failing(1))
    for (const [value, error] of [
      [2, RangeError],
      [3, /object 'Failing', entity 1: a file cannot hold/],
      [4, /cannot change while migrate, or save or load/],
    ] as const) {
      world.set(ship, Failing, value)
      expect(() => saveWorld(world)).toThrow(error)
      expect(() => saveToJSON(world)).toThrow(error)
      expect(world.stats().entities).toBe(1)
      world.spawn()
      destroyMany(world, world.query(not(Failing)).entities())
      checkInvariants(world)
    }
  })

  it.each(['throws', 'gives undefined'])(
    'A load that %s leaves the world as it was, and disposes of what was loaded',
    (how) => {
      const ended: [number, number][] = []
      const Failing = object<number>('Failing', {
        save: (value) => value,
        load: (state: number) => {
          if (state < 3) return state
          if (how === 'throws') throw new RangeError('no')
          return anything(undefined)
        },
        dispose: (value, one) => {
          ended.push([value, one])
          throw new Error('one that throws does not keep the others')
        },
      })
      const world = testWorld()
      for (let i = 0; i < 5; i++) world.spawn(Failing(i), Position)
      const into = testWorld()
      into.spawn(Position)
      const before = saveWorld(into)
      const calls = [
        () => mergeWorld(into, saveWorld(world), { components: [Failing] }),
        () => load(saveWorld(world), [Failing, Position]),
        () => loadJSON(saveToJSON(world), [Failing, Position]),
      ]
      for (const call of calls) {
        ended.length = 0
        expect(call).toThrow(how === 'throws' ? RangeError : 'holds any value but undefined')
        expect(ended.map(([value]) => value)).toEqual([0, 1, 2])
        expect(new Set(ended.map(([, one]) => one))).toEqual(new Set([0xffffffff]))
        expect(saveWorld(into)).toEqual(before)
        checkInvariants(into)
      }
      ended.length = 0
      const two = testWorld()
      two.spawn(Failing(1))
      expect(() => load(saveWorld(two), [Failing], { maxEntities: -1 })).toThrow(expect.anything())
      expect(ended).toEqual([[1, 0xffffffff]])
    },
  )

  it('A load cannot change the world that merge fills', () => {
    const into = testWorld()
    const Meddling = object<number>('Meddling', {
      save: (value) => value,
      load: (state) => (into.spawn(), state as number),
    })
    const world = testWorld()
    world.spawn(Meddling(1))
    expect(codeOf(() => mergeWorld(into, saveWorld(world), { components: [Meddling] }))).toBe('WORLD_LOCKED')
    expect(into.stats().entities).toBe(0)
  })

  it('If memory runs out, what was loaded is disposed of once, and nothing stays', () => {
    const source = stage()
    for (let i = 0; i < 20; i++)
      source.world.spawn(
        source.Effects([{ name: 'slow', turns: i }]),
        Position({ x: i }),
        Name({ value: `${i}` }),
      )
    const bytes = saveWorld(source.world)
    let failed = 0
    for (let kib = 0; kib < 12; kib++) {
      const { Effects, begun, ended } = stage()
      const world = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
      leaveFree(world, kib)
      try {
        mergeWorld(world, bytes, { components: [Effects, Position, Name] })
        expect([begun.length, ended.length]).toEqual([20, 0])
      } catch (error) {
        expect(error).toBeInstanceOf(LimitError)
        failed++
        expect([begun.length, ended.length]).toEqual([0, 20])
        expect(world.query(Effects).count).toBe(0)
      }
      checkInvariants(world)
      world.dispose()
    }
    expect(failed).toBeGreaterThan(0)
    expect(failed).toBeLessThan(12)
  })
})

describe('Files with values that were edited by hand or by other programs', () => {
  const { world, Effects } = stage()
  world.spawn(Effects([{ name: 'slow', turns: 1 }]), Position)
  world.spawn(Effects([]), Position)
  const bytes = saveWorld(world)
  const refused = expect.objectContaining({ code: 'SAVE_REFUSED' }) as StrataError
  const table = (change: (table: Record<string, unknown>) => void) =>
    described(bytes, ({ tables: [first] }) => change(first as Record<string, unknown>))

  it('A file without values has the version that it had before', () => {
    expect([bytes[8], saveWorld(testWorld())[8]]).toEqual([4, 1])
    expect(Object.keys(JSON.parse(JSON.stringify(descriptionOf(bytes).tables[0])) as object)).toContain(
      'values',
    )
  })

  it.each([
    ['no object', []],
    ['nothing', {}],
    ['a place that is not there', { 7: [1, 2] }],
    ['a place with another name', { '00': [1, 2] }],
    ['values of a component with fields', { 0: [1, 2], 1: [1, 2] }],
    ['too few', { 0: [1] }],
    ['too many', { 0: [1, 2, 3] }],
    ['no list', { 0: {} }],
    ['a mark that is unknown', { 0: [{ $: 'what' }, 1] }],
  ])('Values are refused: %s', (_, values) => {
    const file = table((one) => (one['values'] = values))
    expect(() => load(file, [Effects, Position])).toThrow(refused)
  })

  it('A version that does not match the values is refused', () => {
    const file = bytes.slice()
    file[8] = 3
    expect(() => load(file, [Effects, Position])).toThrow(refused)
    expect(() =>
      load(
        table((one) => delete one['values']),
        [Effects, Position],
      ),
    ).toThrow(refused)
  })

  it('A row without a value loses the component, or is revived; the others keep their values', () => {
    const file = table((one) => (one['values'] = { 0: [{ $: 'none' }, [{ name: 'fast', turns: 2 }]] }))
    const json = saveToJSON(world).replace('"values":{"Effects":[{"name":"slow","turns":1}]}', '"off":[]')
    const saves = { save: (value: Effect[]) => value, load: (state: Effect[]) => state }
    const Revived = object<Effect[]>('Effects', { ...saves, revive: () => [] })
    for (const kind of [Effects, Revived]) {
      for (const { world: loaded, absent } of [
        load(file, [kind, Position]),
        loadJSON(json, [kind, Position]),
      ]) {
        const [first, second] = loaded.query(Position).entities().sort()
        expect(loaded.get(first, kind)).toEqual(kind === Revived ? [] : undefined)
        expect(loaded.has(first, kind)).toBe(kind === Revived)
        expect(absent.map((one) => one.entity)).toEqual(kind === Revived ? [] : [first])
        expect(loaded.get(second, kind)).toBeDefined()
      }
    }
  })

  it.each([
    ['of a component that the entity lacks', '"values":{"Effects"', '"values":{"Other"'],
    ['of another component of the entity', '"values":{"Effects"', '"values":{"Position"'],
    ['that are not an object', '"values":{"Effects":[{"name":"slow","turns":1}]}', '"values":5'],
  ])('JSON is refused for values %s', (_, from, to) => {
    const json = saveToJSON(world)
    expect(json).toContain(from)
    expect(() => loadJSON(json.replace(from, to), [Effects, Position])).toThrow(refused)
  })
})
