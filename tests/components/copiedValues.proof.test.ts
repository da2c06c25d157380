// Shows that values are read once, when they are given: whatever the user's object does then or later, checked values reach the
// row they are meant for, and no other.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  createAccessor,
  createCommands,
  destroyMany,
  internText,
  NULL_ENTITY,
  bool,
  changed,
  component,
  entity,
  f32,
  i16,
  onSet,
  resetWorld,
  resource,
  spawnMany,
  tag,
  text,
  textOf,
  u8,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { seededRandom, STORAGES, STORED, TABLE_AND_POOL } from '../support/storages'
import { watchedWorld } from '../support/watched'

const MIB = 2 ** 20

const schema = { small: u8, size: f32, on: bool, who: entity, label: text, list: vec(i16, 3) }
const Moved = tag('Moved')
const Filler = component('Filler', { x: f32 })

interface Values {
  small?: number
  size?: number
  on?: boolean
  who?: Entity
  label?: string
  list?: ArrayLike<number>
}

const DEFAULTS = { small: 0, size: 0, on: false, who: NULL_ENTITY, label: '', list: [0, 0, 0] }
const FIRST: Values = { small: 7, size: 1.5, on: true, who: NULL_ENTITY, label: 'first', list: [1, 2, 3] }
const LATER = { small: 999, size: 'far', on: 3, who: -1, label: 42, list: [70_000], unknown: 1 }

/** A component of each storage, and of few fields, which are read in another way than many. */
const declare = (storage: (typeof STORAGES)[number]) =>
  component('Full', schema, { storage: STORED[storage] })
type Full = ReturnType<typeof declare>

/** Gets around the types, as a program in JavaScript does. */
const anything = (values: object) => values as never

function plain(values: object | undefined): unknown {
  if (values === undefined) return undefined
  const { list, ...others } = values as { list: ArrayLike<number> }
  return { ...others, list: Array.from(list) }
}

/** Every way to give values to a component; each returns the entity that has them when it is done. */
const WAYS: Record<string, (world: World, C: Full, values: object) => Entity> = {
  spawn: (world, C, values) => world.spawn(C(anything(values))),
  add: (world, C, values) => {
    const e = world.spawn(Moved)
    world.add(e, C(anything(values)))
    return e
  },
  'add of what is there': (world, C, values) => {
    const e = world.spawn(C)
    world.add(e, C(anything(values)))
    return e
  },
  exchange: (world, C, values) => {
    const e = world.spawn(Moved)
    world.exchange(e, [Moved], [C(anything(values))])
    return e
  },
  set: (world, C, values) => {
    const e = world.spawn(C)
    world.set(e, C, anything(values))
    return e
  },
  'set of what is missing': (world, C, values) => {
    const e = world.spawn()
    world.set(e, C, anything(values))
    return e
  },
  setIfDifferent: (world, C, values) => {
    const e = world.spawn(C)
    world.setIfDifferent(e, C, anything(values))
    return e
  },
  spawnMany: (world, C, values) => spawnMany(world, 3, [C(anything(values))])[1] as Entity,
  addMany: (world, C, values) => {
    const e = world.spawn(Moved)
    addMany(world.query(Moved), C(anything(values)))
    return e
  },
  'spawn in a block': (world, C, values) => world.batch(() => world.spawn(C(anything(values)))),
  'set in a block': (world, C, values) =>
    world.batch(() => {
      const e = world.spawn(C)
      world.set(e, C, anything(values))
      return e
    }),
  'spawnMany in a block': (world, C, values) =>
    world.batch(() => spawnMany(world, 2, [C(anything(values))]))[0] as Entity,
  'addMany in a block': (world, C, values) => {
    const e = world.spawn(Moved)
    world.batch(() => addMany(world.query(Moved), C(anything(values))))
    return e
  },
  'a buffer that spawns': (world, C, values) => {
    const commands = createCommands(world)
    const e = commands.spawn(C(anything(values)))
    commands.apply()
    return e
  },
  'a buffer that sets': (world, C, values) => {
    const commands = createCommands(world)
    const e = world.spawn()
    commands.set(e, C, anything(values))
    commands.apply()
    return e
  },
}

describe.each(TABLE_AND_POOL)('values given to a component in %s storage', (storage) => {
  const C = declare(storage)

  it.each(Object.keys(WAYS))('are read once by %s, each field by itself', (way) => {
    const world = watchedWorld()
    const reads: Record<string, number> = {}
    const values = {}
    for (const [name, value] of Object.entries(FIRST)) {
      Object.defineProperty(values, name, {
        enumerable: true,
        get: () => ((reads[name] = (reads[name] ?? 0) + 1) > 1 ? LATER[name as keyof typeof LATER] : value),
      })
    }
    const e = WAYS[way]?.(world, C, values) as Entity
    expect(plain(world.get(e, C))).toEqual(FIRST)
    expect(Object.values(reads)).toEqual([1, 1, 1, 1, 1, 1])
  })

  it.each(Object.keys(WAYS))('are refused by %s when one of them is wrong, and nothing changes', (way) => {
    for (const [name, value] of Object.entries(LATER)) {
      const world = watchedWorld()
      expect(() => WAYS[way]?.(world, C, { ...FIRST, [name]: value })).toThrow(
        expect.objectContaining({ code: name === 'unknown' ? 'UNKNOWN_FIELD' : 'INVALID_VALUE' }),
      )
      const other = world.spawn(C)
      expect(plain(world.get(other, C))).toEqual(DEFAULTS)
    }
  })

  it('are a snapshot: later changes of the object are ignored', () => {
    const world = watchedWorld()
    const list = [1, 2, 3]
    const values = { ...FIRST, list }
    const given = C(values)
    const commands = createCommands(world)
    const waiting = commands.spawn(given)
    Object.assign(values, LATER)
    list[0] = 70_000
    list.length = 1
    commands.apply()
    const inBlock = world.batch(() => world.spawn(given))
    for (const e of [waiting, inBlock, world.spawn(given), ...spawnMany(world, 2, [given])])
      expect(plain(world.get(e as Entity, C))).toEqual(FIRST)
    expect(world.query(C).count).toBe(5)
  })

  it('may be lists over the memory of a world that grows meanwhile', () => {
    const world = watchedWorld({ memory: { initial: MIB } })
    const source = world.spawn(C(FIRST))
    const given = C({ list: createAccessor(world, C).of(source).list })
    spawnMany(world, 100_000, [Filler])
    expect(plain(world.get(world.spawn(given), C))).toEqual({ ...DEFAULTS, list: [1, 2, 3] })
  })

  it('are written to the row of their entity even if a getter moves it, or to none', () => {
    const world = watchedWorld()
    const [a, b, c] = [
      world.spawn(C({ small: 1 })),
      world.spawn(C({ small: 2 })),
      world.spawn(C({ small: 3 })),
    ]
    world.set(a, C, {
      get small() {
        world.add(a, Moved)
        return 77
      },
    })
    expect([a, b, c].map((e) => world.get(e, C)?.small)).toEqual([77, 2, 3])
    const destroys = {
      get small() {
        world.destroy(b)
        return 99
      },
    }
    expect(() => world.set(b, C, destroys)).toThrow(expect.objectContaining({ code: 'DEAD_ENTITY' }))
    const removes = {
      get small() {
        world.remove(c, C)
        return 55
      },
    }
    world.setIfDifferent(c, C, removes)
    expect([a, b, c].map((e) => world.get(e, C)?.small)).toEqual([77, undefined, 55])
  })

  it('written to a cursor are numbers: anything that must be converted is refused and runs no code', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(C(FIRST)), world.spawn(C({ small: 2 }))]
    const cursor = createAccessor(world, C).of(a)
    for (const name of ['small', 'size', 'who', 'label'] as const) {
      let ran = 0
      const value = {
        valueOf: () => {
          ran++
          world.add(a, Moved)
          return 55
        },
      }
      for (const wrong of [value, Symbol('x'), null, undefined, 5n, [1], name === 'label' ? 1 : '1']) {
        expect(() => {
          cursor[name] = wrong as never
        }).toThrow(
          expect.objectContaining({
            code: 'INVALID_VALUE',
            message: expect.stringContaining(`Full.${name}`) as string,
          }),
        )
      }
      expect(ran).toBe(0)
    }
    expect(plain(world.get(a, C))).toEqual(FIRST)
    expect(plain(world.get(b, C))).toEqual({ ...DEFAULTS, small: 2 })
  })

  it('written to a cursor as a list stay in their row, whatever reading the list does', () => {
    const world = watchedWorld()
    const [a, b, c] = [1, 2, 3].map((small) => world.spawn(C({ small }))) as [Entity, Entity, Entity]
    const accessor = createAccessor(world, C)
    const list: number[] = [4, 5, 6]
    Object.defineProperty(list, 1, {
      get: () => {
        world.add(a, Moved)
        world.destroy(c)
        world.spawn(C({ small: 4 }))
        const inner: number[] = [7, 8, 9]
        createAccessor(world, C).of(b).list = inner as never
        accessor.of(a)
        return 50
      },
    })
    accessor.of(a).list = list as never
    expect([a, b].map((e) => Array.from(world.get(e, C)?.list ?? []))).toEqual([
      [4, 50, 6],
      [7, 8, 9],
    ])
    expect(world.isAlive(c)).toBe(false)
    expect(world.has(a, Moved)).toBe(true)
    const failing = new Proxy([1, 2, 3], {
      get: (target, key) => {
        if (key === '1') throw new Error('mine')
        return Reflect.get(target, key) as unknown
      },
    })
    expect(() => {
      accessor.of(b).list = failing as never
    }).toThrow('mine')
    expect(Array.from(world.get(b, C)?.list ?? [])).toEqual([7, 8, 9])
    resetWorld(world)
  })

  it('written to a cursor as an array that misstates its length change nothing after it', () => {
    class Liar extends Int16Array {
      override get length(): number {
        return 3
      }
    }
    const world = watchedWorld()
    const [a, b] = [world.spawn(C(FIRST)), world.spawn(C(FIRST))]
    expect(() => {
      createAccessor(world, C).of(a).list = new Liar(600).fill(9)
    }).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
    for (const e of [a, b]) expect(plain(world.get(e, C))).toEqual(FIRST)
  })
})

describe('texts among values', () => {
  it('are strings for good: the empty text stays empty in the whole world', () => {
    const world = watchedWorld()
    const Named = component('Named', { value: text })
    const other = world.spawn(Named)
    const values = { value: 'a' }
    const given = Named(values)
    values.value = 42 as never
    expect(world.get(world.spawn(given), Named)).toEqual({ value: 'a' })
    let reads = 0
    world.set(other, Named, {
      get value() {
        return reads++ === 0 ? 'ok' : (42 as never)
      },
    })
    expect(world.get(other, Named)).toEqual({ value: 'ok' })
    expect(world.get(world.spawn(Named), Named)).toEqual({ value: '' })
    expect(textOf(world, 0)).toBe('')
  })

  it('are written to their row even if a new one grows the memory', () => {
    const Named = component('Named', { value: text })
    const world = watchedWorld({ memory: { initial: MIB } })
    const e = world.spawn(Named)
    for (let i = 0; i < 200; i++) {
      const value = String.fromCharCode(0x4e00 + i).repeat(8000)
      world.advanceTick()
      world.set(e, Named, { value })
      expect(world.get(e, Named)).toEqual({ value })
    }
    expect(world.stats().bytesReserved).toBeGreaterThan(MIB)
  })
})

describe('values of a few f32', () => {
  const NAMES = ['x', 'y', 'z', 'w'] as const
  const counts = [1, 2, 3, 4, 5]
  const Between = component('Between', {})
  const declareFloats = (count: number, storage: (typeof STORAGES)[number]) =>
    component(
      'Floats',
      Object.fromEntries([...NAMES, 'v'].slice(0, count).map((name) => [name, f32.default(0.5)])),
      {
        storage: STORED[storage],
      },
    )
  const orders: Record<string, (names: string[]) => string[]> = {
    'all of them': (names) => names,
    'the other way round': (names) => [...names].reverse(),
    'without the last': (names) => names.slice(0, -1),
    'without the first': (names) => names.slice(1),
    'none of them': () => [],
  }

  it.each(TABLE_AND_POOL.flatMap((storage) => counts.map((count) => [count, storage] as const)))(
    'are written to their row whichever are given, of %i in %s storage',
    (count, storage) => {
      const world = watchedWorld()
      const C = declareFloats(count, storage)
      const names = Object.keys(C.schema)
      for (const [order, pick] of Object.entries(orders)) {
        const given = Object.fromEntries(pick(names).map((name) => [name, names.indexOf(name) + 1.25]))
        const expected = Object.fromEntries(
          names.map((name, k) => [name, pick(names).includes(name) ? k + 1.25 : 0.5]),
        )
        const made = [
          world.spawn(C(given as never)),
          world.spawn(Moved, C(given as never)),
          world.spawn(Moved, Filler, Between, C(given as never)),
          world.spawn(),
        ]
        world.add(made[3] as Entity, C(given as never))
        const set = [
          world.spawn(C),
          world.spawn(Moved, Filler, C),
          world.spawn(Moved),
          world.spawn(C),
          world.spawn(C),
        ]
        for (const e of set.slice(0, 3)) world.set(e, C, given as never)
        world.batch(() => {
          world.set(set[3] as Entity, C, given as never)
          // A queued change of the same component comes first.
          world.remove(set[4] as Entity, C)
          world.set(set[4] as Entity, C, given as never)
        })
        made.push(...set)
        for (const e of made) expect(world.get(e, C), order).toEqual(expected)
      }
      checkInvariants(world)
    },
  )

  it.each(counts)('are read once each, of %i fields, whether they are numbers or not', (count) => {
    const C = declareFloats(count, 'table')
    const names = Object.keys(C.schema)
    for (const wrong of [-1, ...names.keys()]) {
      const reads = names.map(() => 0)
      const given = {}
      names.forEach((name, k) =>
        Object.defineProperty(given, name, {
          enumerable: true,
          get: () => ((reads[k] as number)++ === 0 && k === wrong ? 'far' : k),
        }),
      )
      const world = watchedWorld()
      if (wrong < 0)
        expect(world.get(world.spawn(C(given)), C)).toEqual(Object.fromEntries(names.map((n, k) => [n, k])))
      else expect(() => C(given)).toThrow(`Floats.${names[wrong]}`)
      expect(Math.max(...reads)).toBe(1)
      reads.fill(0)
      const e = world.spawn(C)
      if (wrong < 0) {
        world.set(e, C, given)
        expect(world.get(e, C)).toEqual(Object.fromEntries(names.map((n, k) => [n, k])))
      } else {
        expect(() => world.set(e, C, given)).toThrow(`Floats.${names[wrong]}`)
        expect(world.get(e, C)).toEqual(Object.fromEntries(names.map((n) => [n, 0.5])))
      }
      expect(Math.max(...reads)).toBe(1)
    }
  })

  it.each(counts)('that are undefined leave the default, of %i fields', (count) => {
    const world = watchedWorld()
    const C = declareFloats(count, 'table')
    const names = Object.keys(C.schema)
    const given = Object.fromEntries(names.map((name, k) => [name, k % 2 === 0 ? undefined : k]))
    expect(world.get(world.spawn(C(given as never)), C)).toEqual(
      Object.fromEntries(names.map((name, k) => [name, k % 2 === 0 ? 0.5 : k])),
    )
    const e = world.spawn(C(Object.fromEntries(names.map((name) => [name, 7]))))
    world.set(e, C, given as never)
    expect(world.get(e, C)).toEqual(Object.fromEntries(names.map((name, k) => [name, k % 2 === 0 ? 7 : k])))
  })

  it.each(counts)('that an object inherits and does not list are not set, of %i fields', (count) => {
    const world = watchedWorld()
    const C = declareFloats(count, 'table')
    const names = Object.keys(C.schema)
    const hidden = Object.fromEntries(names.map((name) => [name, { value: 9, enumerable: false }]))
    const e = world.spawn(C)
    world.set(e, C, Object.create(Object.create(null, hidden) as object) as never)
    expect(world.get(e, C)).toEqual(Object.fromEntries(names.map((name) => [name, 0.5])))
    expect(() => world.set(e, C, { far: 1 } as never)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_FIELD' }),
    )
  })

  it.each(counts)(
    'that are set are reported and found as changed, and refused for dead entities, of %i fields',
    (count) => {
      const world = watchedWorld()
      const C = declareFloats(count, 'table')
      const [e, dead] = [world.spawn(C), world.spawn(C)]
      const altered = world.query(changed(C))
      altered.each(() => {})
      const heard: number[] = []
      onSet(world, C, (entity) => heard.push(entity))
      world.destroy(dead)
      world.set(e, C, { x: 4 } as never)
      expect(heard).toEqual([e])
      expect([...altered.entities()]).toEqual([e])
      expect(() => world.set(dead, C, { x: 1 } as never)).toThrow(
        expect.objectContaining({ code: 'DEAD_ENTITY' }),
      )
      const deadly = {
        get x() {
          world.destroy(e)
          return 1
        },
      }
      expect(() => world.set(e, C, deadly as never)).toThrow(expect.objectContaining({ code: 'DEAD_ENTITY' }))
    },
  )
})

describe('values on a page whose scripts have extended Object.prototype', () => {
  it.each([1, 2, 4, 5, 20])("are the object's own values, of %i fields", (count) => {
    const names = Array.from({ length: count }, (_, k) => `f${k}`)
    const C = component('C', Object.fromEntries(names.map((name) => [name, f32])))
    const world = watchedWorld()
    const [first, last] = [names[0] as string, names.at(-1) as string]
    const prototype = Object.prototype as { extra?: unknown }
    prototype.extra = () => {}
    try {
      const e = world.spawn(C(Object.fromEntries(names.map((name) => [name, 7])) as never))
      world.set(e, C, { [last]: 4 } as never)
      world.setIfDifferent(e, C, { [first]: 3 } as never)
      const expected = Object.fromEntries(names.map((name) => [name, 7]))
      expect(world.get(e, C)).toEqual({ ...expected, [last]: 4, [first]: 3 })
      expect(() => world.set(e, C, { own: 1 } as never)).toThrow("has no field 'own'")
    } finally {
      delete prototype.extra
    }
  })
})

describe('lists of components and handles', () => {
  it('are read once by spawnMany and exchange', () => {
    const world = watchedWorld()
    const Named = component('Named', { value: text })
    const Count = component('Count', { value: f32 })
    const changing = (first: unknown, later: unknown): never => {
      const list = [first]
      let reads = 0
      Object.defineProperty(list, 0, { get: () => (reads++ === 0 ? first : later) })
      return list as never
    }
    const made = spawnMany(world, 2, changing(Count({ value: 3 }), Named({ value: 'x' })))
    expect([...made].map((e) => world.get(e as Entity, Count))).toEqual([{ value: 3 }, { value: 3 }])
    const e = world.spawn(Moved)
    world.exchange(e, changing(Moved, Count), changing(Count({ value: 4 }), Named({ value: 'x' })))
    expect([world.get(e, Count), world.has(e, Moved), world.has(e, Named)]).toEqual([
      { value: 4 },
      false,
      false,
    ])
  })

  it('of handles are read before the first entity dies', () => {
    const world = watchedWorld()
    const [a, b, c] = spawnMany(world, 3, [Filler])
    const list = [a, b]
    Object.defineProperty(list, 1, {
      get: () => {
        world.spawn(Filler, Moved)
        addMany(world.query(Filler, Moved), tag('Late'))
        return b
      },
    })
    expect(destroyMany(world, list as number[])).toBe(2)
    expect([a, b, c].map((e) => world.isAlive(e as Entity))).toEqual([false, false, true])
    expect(world.query(Filler).count).toBe(2)
  })
})

describe('values given to a resource', () => {
  it('are read once, whatever reading does to the resource', () => {
    const Settings = resource('Settings', schema)
    for (const act of ['nothing', 'makes it', 'takes it away'] as const) {
      const world = watchedWorld({ memory: { initial: MIB } })
      if (act !== 'makes it') world.resource(Settings)
      let reads = 0
      world.setResource(Settings, {
        ...FIRST,
        get small() {
          if (act === 'makes it') world.resource(Settings).size = 9
          if (act === 'takes it away') world.removeResource(Settings)
          return reads++ === 0 ? 7 : 999
        },
      })
      expect(plain(world.getResource(Settings))).toEqual(FIRST)
      expect(reads).toBe(1)
      expect(() => {
        world.resource(Settings).small = { valueOf: () => 5 } as never
      }).toThrow(/Settings\.small takes a number/)
    }
  })

  it('are refused when reading them disposes of the world', () => {
    const Settings = resource('Settings', { size: f32 })
    const world = watchedWorld()
    const values = {
      get size() {
        world.dispose()
        return 1
      },
    }
    expect(() => world.setResource(Settings, values)).toThrow(
      expect.objectContaining({ code: 'WORLD_DISPOSED' }),
    )
  })
})

describe('a misspelt field', () => {
  it('of a cursor is refused with the existing names, wherever the cursor comes from', () => {
    const Position = component('Position', { x: f32, y: f32 })
    const Time = resource('Time', { dt: f32 })
    const world = watchedWorld()
    const e = world.spawn(Position)
    const unknown = { code: 'UNKNOWN_FIELD', message: "Position has no field 'z': its fields are x, y." }
    const misspell = (cursor: object) => {
      ;(cursor as { z: number }).z = 1
    }
    expect(() => misspell(createAccessor(world, Position).of(e))).toThrow(expect.objectContaining(unknown))
    expect(() => world.query(Position).each((_, position) => misspell(position))).toThrow(
      expect.objectContaining(unknown),
    )
    for (const chunk of world.query(Position)) {
      expect(() => misspell(chunk.cursor(Position).at(chunk.start))).toThrow(expect.objectContaining(unknown))
    }
    expect(() => misspell(world.resource(Time))).toThrow("Time has no field 'z': its fields are dt.")
    const cursor = createAccessor(world, Position).of(e) as unknown as Record<string, unknown>
    expect(() => Object.defineProperty(cursor, 'z', { value: 1 })).toThrow(TypeError)
    expect(cursor['z']).toBeUndefined()
    expect([cursor['x'], String(cursor), Object.keys(cursor)]).toEqual([0, '[object Object]', []])
  })

  it('of a cursor that serves two components alternately names the current one', () => {
    const world = watchedWorld()
    const Position = component('Position', { x: f32, y: f32 })
    const Velocity = component('Velocity', { x: f32, y: f32 })
    world.spawn(Position, Velocity)
    for (const C of [Position, Velocity, Position]) {
      expect(() =>
        world.query(C).each((_, cursor) => {
          ;(cursor as unknown as { z: number }).z = 1
        }),
      ).toThrow(`${C.componentName} has no field 'z'`)
    }
  })
})

describe('objects that change the world while they are read', () => {
  const NAMES = Object.keys(FIRST) as (keyof Values)[]

  it.each([1, 2, 3, 4, 5, 6].slice(0, proofLength(6) + 1))('have the result of a model, seed %i', (seed) => {
    const random = seededRandom(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const world = watchedWorld({ memory: { initial: MIB } })
    const C = declare(STORAGES[seed % 3] as (typeof STORAGES)[number])
    /** What each living entity has; undefined where it lacks the component. */
    const model = new Map<Entity, Record<string, unknown> | undefined>()

    const valuesAtRandom = (): Record<string, unknown> => {
      const all: Record<string, unknown> = {
        small: Math.floor(random() * 256),
        size: Math.fround(random()),
        on: random() < 0.5,
        who: pick([NULL_ENTITY, ...model.keys()]),
        label: pick(['', 'a', 'b'.repeat(300), String(random())]),
        list: [1, 2, 3].map(() => Math.floor(random() * 1000)),
      }
      return Object.fromEntries(NAMES.filter(() => random() < 0.6).map((name) => [name, all[name]]))
    }
    const merge = (e: Entity, values: Record<string, unknown>) =>
      model.set(e, { ...(model.get(e) ?? DEFAULTS), ...values })

    /** Something a getter does to the world, and to the model. */
    const disturb = () => {
      const e = pick([...model.keys(), NULL_ENTITY])
      switch (Math.floor(random() * 7)) {
        case 0: {
          const values = valuesAtRandom()
          merge(world.spawn(C(anything(values))), values)
          break
        }
        case 1:
          if (world.destroy(e)) model.delete(e)
          break
        case 2:
          if (model.has(e)) {
            world.remove(e, C)
            model.set(e, undefined)
          }
          break
        case 3:
          if (model.has(e)) world.add(e, Moved)
          break
        case 4:
          destroyMany(world, spawnMany(world, 4000, [Filler]))
          break
        case 5:
          if (model.has(e)) {
            const values = valuesAtRandom()
            world.set(e, C, anything(values))
            merge(e, values)
          }
          break
        case 6:
          internText(world, String(random()).repeat(100))
          break
      }
    }

    /** An object with these values that disturbs the world as it is read; read a second time it gives others. */
    const hostile = (values: Record<string, unknown>): object => {
      const seen = new Set<string>()
      const read = (name: string) => {
        if (seen.has(name)) return LATER[name as keyof typeof LATER]
        seen.add(name)
        if (random() < 0.5) disturb()
        const value = values[name]
        if (!Array.isArray(value) || random() < 0.5) return value
        const place = Math.floor(random() * value.length)
        const items: unknown[] = [...(value as unknown[])]
        let reads = 0
        Object.defineProperty(items, place, {
          get: () => {
            if (random() < 0.5) disturb()
            return reads++ === 0 ? (value[place] as unknown) : 'later'
          },
        })
        return items
      }
      if (random() < 0.3) return new Proxy(values, { get: (_, name) => read(String(name)) })
      const object = {}
      for (const name of Object.keys(values))
        Object.defineProperty(object, name, { enumerable: true, get: () => read(name) })
      return object
    }

    const failing = (values: Record<string, unknown>): [object, unknown] => {
      const name = pick(NAMES)
      if (random() < 0.5) {
        const bad = {
          valueOf: () => {
            disturb()
            return 1
          },
        }
        return [{ ...values, [name]: bad }, { code: 'INVALID_VALUE' }]
      }
      const throws = Object.defineProperty({ ...values }, name, {
        enumerable: true,
        get: () => {
          disturb()
          throw Object.assign(new Error('mine'), { code: 'MINE' })
        },
      })
      return [throws, { code: 'MINE' }]
    }

    /** Gives an object in some way; `accept` is called when it was taken. */
    const give = (e: Entity, object: object, accept: (entity: Entity) => void) => {
      const commands = createCommands(world)
      switch (Math.floor(random() * 8)) {
        case 0:
          accept(world.spawn(C(anything(object))))
          break
        case 1:
          world.set(e, C, anything(object))
          accept(e)
          break
        case 2:
          world.setIfDifferent(e, C, anything(object))
          accept(e)
          break
        case 3:
          world.add(e, C(anything(object)), Moved)
          accept(e)
          break
        case 4:
          commands.set(e, C, anything(object))
          commands.apply()
          accept(e)
          break
        case 5:
          for (const made of spawnMany(world, 3, [Moved, C(anything(object))])) accept(made as Entity)
          break
        case 6:
          accept(commands.spawn(C(anything(object))))
          commands.apply()
          break
        case 7:
          world.exchange(e, [Moved], [C(anything(object))])
          accept(e)
          break
      }
    }

    for (let step = 0; step < 120; step++) {
      const e = pick([...model.keys(), NULL_ENTITY])
      const values = valuesAtRandom()
      if (random() < 0.2) {
        const [object, error] = failing(values)
        expect(() => give(e, object, () => {})).toThrow(expect.objectContaining(error as object))
      } else {
        try {
          give(e, hostile(values), (entity) => merge(entity, values))
        } catch (error) {
          // It died while the values were read, or was dead before.
          expect(error).toMatchObject({ code: 'DEAD_ENTITY' })
          expect(model.has(e)).toBe(false)
        }
      }
      for (const [entity, has] of model) {
        expect(world.isAlive(entity)).toBe(true)
        expect(plain(world.get(entity, C))).toEqual(has)
      }
      expect(world.query().count).toBe(model.size)
      expect(textOf(world, 0)).toBe('')
      checkInvariants(world, step % 10 === 0 ? 'all' : 'tables')
    }
  })
})
