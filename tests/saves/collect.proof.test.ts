// Shows what a save takes of a world, storage by storage, and that it changes nothing.

import { describe, expect, it } from 'vitest'
import {
  type AnyComponent,
  type Storage,
  clearWorld,
  createCommands,
  digestWorld,
  endFrame,
  forkWorld,
  internText,
  NULL_ENTITY,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  object,
  resource,
  restoreWorld,
  saveWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { load } from '../support/loaded'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Name = component('Name', { value: text })
const Target = component('Target', { who: entity })
const Pair = component('Pair', { of: vec(entity, 2) }, { storage: sparse })
const Red = tag('Red')

const LEAST_AND_MOST: Record<string, { kind: AnyComponent; values: readonly unknown[] }> = {
  i8: { kind: component('I8', { v: i8 }), values: [-128, 127] },
  u8: { kind: component('U8', { v: u8 }), values: [0, 255] },
  i16: { kind: component('I16', { v: i16 }), values: [-32768, 32767] },
  u16: { kind: component('U16', { v: u16 }), values: [0, 65535] },
  i32: { kind: component('I32', { v: i32 }), values: [-(2 ** 31), 2 ** 31 - 1] },
  u32: { kind: component('U32', { v: u32 }), values: [0, 2 ** 32 - 1] },
  f32: { kind: component('F32', { v: f32 }), values: [NaN, -0, Infinity, -Infinity, Math.fround(1e-45)] },
  f64: { kind: component('F64', { v: f64 }), values: [NaN, -0, Infinity, -Infinity, 5e-324, 2 ** 53 + 2] },
  bool: { kind: component('Bool', { v: bool }), values: [true, false] },
  text: {
    kind: component('Text', { v: text }),
    values: ['', 'a', 'žluť', '\ud800', '\u0000"\\', 'x'.repeat(32_767)],
  },
}

describe('values', () => {
  it.each(Object.entries(LEAST_AND_MOST))(
    'The extreme values of %s are restored exactly',
    (_, { kind, values }) => {
      const world = testWorld()
      const handles = values.map((v) => world.spawn(kind({ v })))
      const loaded = load(saveWorld(world), [kind])
      values.forEach((v, i) => {
        const found = loaded.world.get(loaded.handles.get(handles[i] as number) as never, kind) as {
          v: unknown
        }
        expect(Object.is(found.v, v)).toBe(true)
      })
    },
  )

  it('A text is in the file once, however many rows have it, and unused texts are not', () => {
    const world = testWorld()
    internText(world, 'nobody has this')
    spawnMany(world, 500, [Name({ value: 'everybody has this' })])
    const file = new TextDecoder('latin1').decode(saveWorld(world))
    expect(file.split('everybody has this').length).toBe(2)
    expect(file).not.toContain('nobody')
  })

  it('A handle in a column follows its entity, and a stale one becomes NULL_ENTITY', () => {
    const world = testWorld()
    const doomed = world.spawn()
    const a = world.spawn(Position)
    const b = world.spawn(Target({ who: a }), Pair({ of: [doomed, a] }))
    world.destroy(doomed)
    const { world: loaded, handles } = load(saveWorld(world), [Position, Target, Pair])
    const newB = handles.get(b) as typeof b
    expect(loaded.get(newB, Target)).toEqual({ who: handles.get(a) })
    expect(Array.from(loaded.get(newB, Pair)?.of ?? [])).toEqual([NULL_ENTITY, handles.get(a)])
  })
})

describe.each(STORAGES)('%s storage', (storage: Storage) => {
  const Counted = component('Counted', { n: u32, wide: f64 }, { storage: STORED[storage], toggle })

  it('Any number of rows is restored in order, switched off or not', () => {
    for (const count of ROW_COUNTS) {
      const world = testWorld()
      let n = 0
      const handles = spawnMany(world, count, [Counted], (chunk) => {
        const { n: ns, wide } = chunk.write(Counted as never) as unknown as {
          n: Uint32Array
          wide: Float64Array
        }
        for (let row = chunk.start; row < chunk.end; row++, n++) {
          ns[row] = n
          wide[row] = n / 3
        }
      })
      for (let i = 0; i < count; i += 3) world.disable(handles[i] as never, Counted)
      const { world: loaded, handles: map } = load(saveWorld(world), [Counted])
      expect(map.size).toBe(count)
      handles.forEach((handle, i) => {
        const entity = map.get(handle) as never
        if (i % 97 === 0 || i > count - 3) expect(loaded.get(entity, Counted)).toEqual({ n: i, wide: i / 3 })
        if (loaded.isEnabled(entity, Counted) === (i % 3 === 0))
          throw new Error(`row ${i} is switched wrongly`)
      })
      world.dispose()
      loaded.dispose()
    }
  })

  it('Holes and removed rows are not saved', () => {
    const world = testWorld()
    const handles = spawnMany(world, 200, [Counted({ n: 7 }), Red])
    for (let i = 0; i < 200; i += 2) world.remove(handles[i] as never, Counted)
    for (let i = 0; i < 200; i += 5) world.destroy(handles[i] as never)
    const { world: loaded } = load(saveWorld(world), [Counted, Red])
    expect(loaded.query(Counted).count).toBe(80)
    expect(loaded.query(Red).count).toBe(160)
  })
})

describe('data that belongs to no row', () => {
  it('Resources with fields are restored, with their texts and handles', () => {
    const Time = resource('Time', { now: f64, who: entity, name: text, cells: vec(f32, 20_000) })
    const world = testWorld()
    const a = world.spawn(Position)
    world.setResource(Time, { now: 0.1, who: a, name: 'noon', cells: new Float32Array(20_000).fill(3) })
    const { world: loaded, handles } = load(saveWorld(world), [Position, Time])
    const { now, who, name, cells } = loaded.resource(Time)
    expect([now, who, name]).toEqual([0.1, handles.get(a), 'noon'])
    expect(cells.every((cell) => cell === 3)).toBe(true)
  })

  it('Values of JavaScript are saved by save and load; those without them are not, nor are they missed', () => {
    class Random {
      constructor(readonly state: number) {}
    }
    const Rng = resource<Random>('Rng', {
      save: ({ state }) => ({ state }),
      load: ({ state }) => new Random(state),
    })
    const Settings = resource<number>('Settings')
    const world = testWorld()
    world.setResource(Rng, new Random(42))
    world.setResource(Settings, 3)
    const { world: loaded, unknown } = load(saveWorld(world), [Rng, Settings])
    expect(loaded.resource(Rng)).toEqual(new Random(42))
    expect(loaded.hasResource(Settings)).toBe(false)
    expect(unknown).toEqual([])
  })

  it('A value that no file can hold is refused with the name of the resource, and changes nothing', () => {
    const Bad = resource<unknown>('Bad', { save: (value) => value, load: (value) => value })
    const world = testWorld()
    const circle: unknown[] = []
    circle.push(circle)
    for (const value of [new Map(), () => 1, Symbol('x'), circle, new Date(), new (class A {})()]) {
      world.setResource(Bad, value)
      expect(() => saveWorld(world)).toThrow(
        /^resource 'Bad': a file cannot hold .* Let its save return plain objects/,
      )
      expect(saveWorld(world, { only: [] }).length).toBeGreaterThan(0)
    }
  })

  it('The save of a resource cannot change the world, neither in a save nor in a snapshot', () => {
    const world = testWorld()
    let change: () => unknown = () => 0
    const Busy = resource<number>('Busy', { save: () => (change(), 1), load: (value) => value })
    world.setResource(Busy, 1)
    const red = world.spawn(Red)
    const { handles } = load(saveWorld(world), [Busy, Red])
    expect(handles.size).toBe(1)
    const before = [digestWorld(world), world.stats()]
    for (const refused of [
      () => world.spawn(Red),
      () => world.destroy(red),
      () => clearWorld(world),
      () => endFrame(world),
    ]) {
      change = refused
      for (const call of [() => saveWorld(world), () => snapshotWorld(world), () => forkWorld(world)]) {
        expect(call).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
        expect([digestWorld(world), world.stats()]).toEqual(before)
      }
    }
    change = () => 0
    restoreWorld(world, snapshotWorld(world))
    expect(world.destroy(red)).toBe(true)
  })

  it('The tick goes on from where it was, and rows count as added at it', () => {
    const world = testWorld()
    world.spawn(Position)
    for (let i = 0; i < 41; i++) world.advanceTick()
    const { world: loaded } = load(saveWorld(world), [Position])
    expect(loaded.tick).toBe(42)
  })

  it('Objects are saved with their entities, created by revive, and initialised before listeners run', () => {
    const log: string[] = []
    const Mesh = object<string>('Mesh', {
      revive: (entity, world) => `mesh of ${world.get(entity, Name)?.value}`,
      init: (value) => log.push(`init ${value}`),
    })
    const Socket = object<number>('Socket')
    const world = testWorld()
    const a = world.spawn(Name({ value: 'Ada' }), Mesh('x'), Socket(1))
    const { world: loaded, handles, absent } = load(saveWorld(world), [Name, Mesh, Socket])
    const copy = handles.get(a) as typeof a
    expect(loaded.get(copy, Mesh)).toBe('mesh of Ada')
    expect(absent).toEqual([{ entity: copy, component: Socket }])
    expect(loaded.has(copy, Socket)).toBe(false)
    expect(log).toEqual(['init x', 'init mesh of Ada'])
  })

  it('The order of insertion of a tag is restored', () => {
    const Waiting = tag('Waiting', { order: 'insertion', toggle })
    const Picked = tag('Picked', { order: 'insertion' })
    const world = testWorld()
    const handles = Array.from({ length: 40 }, (_, i) => (i % 2 ? world.spawn(Position) : world.spawn()))
    const order = [...handles.keys()].sort((a, b) => ((a * 7) % 40) - ((b * 7) % 40))
    for (const i of order) world.add(handles[i] as never, Waiting, Picked)
    for (const i of order.slice(0, 9)) world.remove(handles[i] as never, Waiting)
    world.disable(handles[order[12] as number] as never, Waiting)
    const { world: loaded, handles: map } = load(saveWorld(world), [Position, Waiting, Picked])
    for (const kind of [Waiting, Picked])
      expect([...loaded.query(kind).entities()]).toEqual(
        [...world.query(kind).entities()].map((e) => map.get(e)),
      )
    expect(loaded.query(Waiting).count).toBe(30)
  })
})

describe('a save', () => {
  it('Equal worlds give equal bytes, and saving changes nothing', () => {
    const [one, two] = [0, 0].map(() => {
      const world = testWorld()
      spawnMany(world, 100, [Position({ x: 1 }), Name({ value: 'a' })])
      world.spawn(Red, Pair)
      return world
    }) as [ReturnType<typeof testWorld>, ReturnType<typeof testWorld>]
    const digested = digestWorld(one)
    expect(saveWorld(one)).toEqual(saveWorld(two))
    expect(saveWorld(one)).toEqual(saveWorld(two))
    expect(digestWorld(one)).toBe(digested)
    checkInvariants(one)
  })

  it('An empty world can be saved and loaded', () => {
    const { world, handles, unknown } = load(saveWorld(testWorld()), [])
    expect([world.stats().entities, handles.size, unknown]).toEqual([0, 0, []])
  })

  it('Entities without components are saved, and handles that a command buffer has only reserved are not', () => {
    const world = testWorld()
    world.spawn()
    const commands = createCommands(world)
    commands.spawn(Position)
    const { world: loaded } = load(saveWorld(world), [Position])
    expect(loaded.stats().entities).toBe(1)
    commands.apply()
    expect(load(saveWorld(world), [Position]).world.stats().entities).toBe(2)
  })

  it('A component with a different storage than before finds its rows there', () => {
    for (const from of STORAGES)
      for (const to of STORAGES) {
        const world = testWorld()
        const Before = component(
          'Moved',
          { n: i32, label: text },
          { storage: STORED[from as Storage], toggle },
        )
        const After = component('Moved', { n: i32, label: text }, { storage: STORED[to as Storage] })
        const handles = Array.from({ length: 100 }, (_, n) =>
          world.spawn(Before({ n, label: `${n % 3}` }), Red),
        )
        world.disable(handles[5] as never, Before)
        const { world: loaded, handles: map } = load(saveWorld(world), [After, Red])
        handles.forEach((handle, n) =>
          expect(loaded.get(map.get(handle) as never, After)).toEqual({ n, label: `${n % 3}` }),
        )
        world.dispose()
        loaded.dispose()
      }
  })
})
