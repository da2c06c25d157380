// Shows that every error code can be reached, has its class, and that its sentence names the thing and what to do.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  clearWorld,
  createAccessor,
  DeadEntityError,
  destroyMany,
  LimitError,
  NULL_ENTITY,
  removeMany,
  resetWorld,
  sparse,
  spawnMany,
  StrataError,
  StrataTypeError,
  SystemError,
  any,
  component,
  createSchedule,
  createWorld,
  f32,
  f64,
  isStrataError,
  not,
  optional,
  tag,
  u8,
  vec,
  type Entity,
  type ErrorCode,
  type Query,
  type World,
} from '../../bindings/index'
import { ENTITIES_RECORDS, MAX_COMPONENTS, RECORD_BYTES, RECORD_LOCATION } from '../../build/layout'
import { caughtFrom } from '../support/caught'
import { indexOf, wordAt } from '../support/inside'
import { watchedWorld } from '../support/watched'
import { isChecked, testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Health = component('Health', { hp: u8 }, { storage: sparse })
const Frozen = tag('Frozen')

/** One way to reach a code: what to do in a fresh world, and what the sentence must name. */
interface Way {
  readonly code: ErrorCode
  readonly by: string
  readonly kind: new (...args: never[]) => Error
  readonly names: readonly (string | RegExp)[]
  readonly call: (world: World) => unknown
}

function dead(world: World): Entity {
  const entity = world.spawn()
  world.destroy(entity)
  return entity
}

function disposed(world: World): World {
  world.dispose()
  return world
}

function way(
  code: ErrorCode,
  by: string,
  kind: Way['kind'],
  names: readonly (string | RegExp)[],
  call: (world: World) => unknown,
): Way {
  return { code, by, kind, names, call }
}

const WAYS: readonly Way[] = [
  way('DEAD_ENTITY', 'add', DeadEntityError, ['add', 'index 1', 'isAlive'], (world) =>
    world.add(dead(world), Position),
  ),
  way('DEAD_ENTITY', 'set', DeadEntityError, ['set', 'index 1', 'isAlive'], (world) =>
    world.set(dead(world), Position, {}),
  ),
  way('DEAD_ENTITY', 'accessor', DeadEntityError, ['accessor(Position).of', 'isAlive'], (world) =>
    createAccessor(world, Position).of(NULL_ENTITY),
  ),
  way('MISSING_COMPONENT', 'accessor', StrataError, ['Position', 'add it first'], (world) =>
    createAccessor(world, Position).of(world.spawn()),
  ),
  way('MEMORY_LIMIT', 'spawnMany', LimitError, ['memory.maximum'], (world) =>
    spawnMany(world, 10_000_000, [Position]),
  ),
  way('ROW_LIMIT', 'spawn', LimitError, ['16 KiB', 'Wide takes 32008 bytes', 'sparse'], (world) =>
    world.spawn(component('Wide', { m: vec(f64, 4000) })),
  ),
  ...(
    [
      'spawn',
      'add',
      'remove',
      'has',
      'get',
      'set',
      'query',
      'createAccessor',
      'not',
      'optional',
      'any',
    ] as const
  ).map((operation) =>
    way('NOT_A_COMPONENT', operation, StrataTypeError, [operation, 'component'], (world) => {
      const wrong = 'Position' as never
      const entity = world.spawn()
      const calls = {
        spawn: () => world.spawn(wrong),
        add: () => world.add(entity, wrong),
        remove: () => world.remove(entity, wrong),
        has: () => world.has(entity, wrong),
        get: () => world.get(entity, wrong),
        set: () => world.set(entity, wrong, {} as never),
        query: () => world.query(wrong),
        createAccessor: () => createAccessor(world, wrong),
        not: () => not(wrong),
        optional: () => optional(wrong),
        any: () => any(wrong),
      }
      return calls[operation]()
    }),
  ),
  way('NOT_A_COMPONENT', 'addMany', StrataTypeError, ['addMany'], (world) => addMany(world.query())),
  way('NOT_A_COMPONENT', 'spawnMany', StrataTypeError, ['spawnMany'], (world) =>
    spawnMany(world, 1, [5 as never]),
  ),
  way('DUPLICATE_COMPONENT', 'spawn', StrataTypeError, ['spawn', 'Position'], (world) =>
    world.spawn(Position, Position),
  ),
  way('DUPLICATE_COMPONENT', 'add', StrataTypeError, ['add', 'Frozen'], (world) =>
    world.add(world.spawn(), Frozen, Position, Frozen),
  ),
  way('UNKNOWN_FIELD', 'a value', StrataTypeError, ['Position', "'z'", 'x, y'], () =>
    Position({ z: 1 } as never),
  ),
  way('UNKNOWN_FIELD', 'set', StrataTypeError, ['Position', "'z'", 'x, y'], (world) =>
    world.set(world.spawn(), Position, { z: 1 } as never),
  ),
  way('UNKNOWN_FIELD', 'chunk.index', StrataTypeError, ['Position', "'z'", 'x, y'], (world) => {
    world.spawn(Position)
    for (const chunk of world.query(Position)) chunk.index(Position, 'z' as never)
  }),
  way('INVALID_VALUE', 'a value', StrataTypeError, ['Position.x', "'1'"], () =>
    Position({ x: '1' as never }),
  ),
  way('INVALID_VALUE', 'a range', StrataTypeError, ['Health.hp', '0 to 255', '256'], () =>
    Health({ hp: 256 }),
  ),
  way('INVALID_SCHEMA', 'component', StrataTypeError, ['Wrong', "'x'"], () =>
    component('Wrong', { x: 'f32' as never }),
  ),
  way('INVALID_SCHEMA', 'vec', StrataTypeError, ['vec', '0'], () => vec(f32, 0)),
  way('INVALID_QUERY', 'any', StrataTypeError, ['any'], () => (any as () => unknown)()),
  way('INVALID_QUERY', 'query', StrataTypeError, ['Position', 'twice'], (world) =>
    world.query(Position, not(Position)),
  ),
  way(
    'NOT_A_COLUMN',
    'read of a sparse component',
    StrataTypeError,
    ['chunk.read', 'Health', 'cursor(Health)'],
    (world) => {
      world.spawn(Position, Health)
      for (const chunk of world.query(Position, Health)) chunk.read(Health as never)
    },
  ),
  way(
    'NOT_A_COLUMN',
    'write of what is not in the query',
    StrataTypeError,
    ['chunk.write', 'Health', 'Position'],
    (world) => {
      world.spawn(Position)
      for (const chunk of world.query(Position)) chunk.write(Health as never)
    },
  ),
  way('NOT_SINGLE', 'none', StrataError, ['0 entities', 'Position', 'Nobody'], (world) =>
    world.query(Position, tag('Nobody')).single(),
  ),
  way('NOT_SINGLE', 'two', StrataError, ['2 entities', 'Frozen'], (world) => {
    spawnMany(world, 2, [Frozen])
    return world.query(Frozen).single()
  }),
  way('WORLD_LOCKED', 'reset in a batch', StrataError, ['reset', 'after the loop'], (world) =>
    world.batch(() => resetWorld(world)),
  ),
  way('WORLD_LOCKED', 'dispose in a loop', StrataError, ['dispose', 'after the loop'], (world) => {
    world.spawn(Position)
    for (const _ of world.query(Position)) world.dispose()
  }),
  ...(
    [
      ['spawn', (world) => world.spawn()],
      ['spawn with a component', (world) => world.spawn(Position)],
      ['spawnMany', (world) => spawnMany(world, 1, [])],
      ['add', (world) => world.add(1 as Entity, Position)],
      ['set', (world) => world.set(1 as Entity, Position, {})],
      ['destroyMany', (world) => destroyMany(world, [1])],
      ['query', (world) => world.query(Position)],
      ['batch', (world) => world.batch(() => 0)],
      ['tick', (world) => world.tick],
      ['advanceTick', (world) => world.advanceTick()],
      ['clearWorld', (world) => clearWorld(world)],
      ['resetWorld', (world) => resetWorld(world)],
      ['stats', (world) => world.stats()],
    ] as readonly [string, (world: World) => unknown][]
  ).map(([by, call]) =>
    way('WORLD_DISPOSED', by, StrataError, ['disposed', 'createWorld'], (world) => call(disposed(world))),
  ),
  ...(
    [
      ['count', (query) => query.count],
      ['isEmpty', (query) => query.isEmpty],
      ['first', (query) => query.first()],
      ['single', (query) => query.single()],
      ['entities', (query) => query.entities()],
      ['each', (query) => query.each(() => 0)],
      ['a loop', (query) => [...(query as Iterable<unknown>)]],
      ['add', (query) => addMany(query, Frozen)],
      ['remove', (query) => removeMany(query, Position)],
      ['destroy', (query) => destroyMany(query)],
    ] as readonly [string, (query: Query) => unknown][]
  ).map(([by, call]) =>
    way('WORLD_DISPOSED', `${by} of a query from before`, StrataError, ['disposed'], (world) => {
      const query = world.query(Position)
      world.spawn(Position)
      disposed(world)
      return call(query as unknown as Query)
    }),
  ),
  way('WORLD_DISPOSED', 'an accessor from before', StrataError, ['disposed'], (world) => {
    const accessor = createAccessor(world, Position)
    const entity = world.spawn(Position)
    disposed(world)
    return accessor.of(entity)
  }),
  ...(
    [
      [{ maxEntities: 0 }, 'maxEntities'],
      [{ maxEntities: -1 }, 'maxEntities'],
      [{ maxEntities: 1.5 }, 'maxEntities'],
      [{ maxEntities: NaN }, 'maxEntities'],
      [{ maxEntities: '9' }, 'maxEntities'],
      [{ maxEntities: 2 ** 24 - 1 }, 'maxEntities'],
      [{ memory: { maximum: 1000 } }, 'memory.maximum'],
      [{ memory: { maximum: 2 ** 31 + 1 } }, 'memory.maximum'],
      [{ memory: { maximum: NaN } }, 'memory.maximum'],
      [{ memory: { initial: -1 } }, 'memory.initial'],
      [{ memory: { initial: 2 ** 24, maximum: 2 ** 21 } }, 'memory.initial'],
      [{ ids: 'loose' }, 'ids'],
      [{ ids: Object.create(null) }, 'ids'],
      [{ maxEntities: Object.create(null) }, 'maxEntities'],
      [{ maxEntites: 5 }, "no option 'maxEntites': the options are memory, maxEntities, ids, core"],
      [{ memory: { maximun: 2 ** 21 } }, "no option 'maximun': the options are initial, maximum"],
      [{ core: {} }, 'core'],
      [{ core: new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)) }, 'core'],
    ] as readonly [object, string][]
  ).map(([options, name]) =>
    way('INVALID_OPTION', JSON.stringify(options), StrataTypeError, ['createWorld', name], () =>
      createWorld(options),
    ),
  ),
  way('INVALID_OPTION', 'spawnMany', StrataTypeError, ['spawnMany', 'count', '-1'], (world) =>
    spawnMany(world, -1, []),
  ),
]

describe('every error has a code, a class and a sentence', () => {
  it.each(WAYS)('$code by $by', ({ code, kind, names, call }) => {
    const world = watchedWorld({ memory: { maximum: 4 * 2 ** 20 } })
    const error = caughtFrom(() => call(world))
    expect(error).toBeInstanceOf(kind)
    expect(error).toBeInstanceOf(StrataError)
    expect(error instanceof TypeError).toBe(kind === (StrataTypeError as Way['kind']))
    expect(error.code).toBe(code)
    expect(error.name).toBe(kind.name)
    for (const name of names) expect(error.message).toMatch(name instanceof RegExp ? name : literally(name))
    expect(error.message).toMatch(/[.)]$/)
    expect(error.message).not.toMatch(/undefined|\[object|=>/)
  })

  it('ENTITY_LIMIT by spawn, spawnMany and a promise', () => {
    const world = watchedWorld({ maxEntities: 1 })
    world.spawn()
    for (const call of [
      () => world.spawn(),
      () => spawnMany(world, 1, []),
      () => world.batch(() => world.spawn()),
    ]) {
      const error = caughtFrom(call)
      expect(error).toBeInstanceOf(LimitError)
      expect(error).toMatchObject({ code: 'ENTITY_LIMIT', name: 'LimitError' })
      expect(error.message).toMatch(/maxEntities/)
    }
    expect(world.stats().entities).toBe(1)
  })

  it('COMPONENT_LIMIT by one type too many', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 28 } })
    const entity = world.spawn()
    for (let i = 0; i < MAX_COMPONENTS; i += 255) {
      world.remove(entity, ...Array.from({ length: 255 }, (_, k) => tag(`T${i + k}`)))
    }
    const error = caughtFrom(() => world.spawn(tag('OneMore')))
    expect(error).toBeInstanceOf(LimitError)
    expect(error).toMatchObject({ code: 'COMPONENT_LIMIT' })
    expect(error.message).toMatch(/65,535/)
  })

  // The release core has no asserts to fail.
  if (isChecked) {
    it('CHECK_FAILED when the checked core finds its own rule broken', () => {
      // Not a watched world: it is broken on purpose.
      const world = testWorld()
      const entity = world.spawn(Position)
      const words = (world as unknown as { state: { heap: { u32: Uint32Array } } }).state.heap.u32
      const record = wordAt(world, ENTITIES_RECORDS) + indexOf(entity) * RECORD_BYTES
      words[(record + RECORD_LOCATION) >> 2] = 0x7ffff000
      const error = caughtFrom(() => world.destroy(entity))
      expect(error).toBeInstanceOf(StrataError)
      expect(error.code).toBe('CHECK_FAILED')
      expect(error.message).toMatch(/chunk id/)
    })
  }

  it('DeadEntityError carries the handle', () => {
    const world = watchedWorld()
    const entity = dead(world)
    expect(caughtFrom(() => world.add(entity))).toMatchObject({ entity, code: 'DEAD_ENTITY' })
  })
})

describe('the classes of errors', () => {
  const wrong = caughtFrom(() => vec(f32, 0))
  const dead = new DeadEntityError(1, 'add')
  const limit = caughtFrom(() => spawnMany(watchedWorld({ maxEntities: 1 }), 2, []))
  const failed = caughtFrom(() => {
    const fails = () => {
      throw new Error('broken')
    }
    createSchedule(watchedWorld()).add(fails).run(1)
  })

  it('are all StrataErrors, a wrong argument is a TypeError as well', () => {
    for (const error of [wrong, dead, limit, failed]) {
      expect(error instanceof StrataError).toBe(true)
      expect(error instanceof Error).toBe(true)
      expect(isStrataError(error)).toBe(true)
      expect(error instanceof TypeError).toBe(error === wrong)
    }
  })

  it('are told apart by instanceof', () => {
    const classes = [StrataTypeError, DeadEntityError, LimitError, SystemError]
    const errors = [wrong, dead, limit, failed]
    for (const error of errors) {
      expect(classes.filter((each) => error instanceof each)).toEqual([classes[errors.indexOf(error)]])
    }
  })

  it('include subclasses made by a program', () => {
    class Own extends StrataError {}
    class OwnLimit extends LimitError {}
    expect(new Own('ROW_LIMIT', '') instanceof StrataError).toBe(true)
    expect(new OwnLimit('ROW_LIMIT', '') instanceof LimitError).toBe(true)
    expect(new OwnLimit('ROW_LIMIT', '') instanceof Own).toBe(false)
    expect(dead instanceof Own).toBe(false)
    expect(wrong instanceof Own).toBe(false)
  })

  it('exclude everything else that is thrown, including hostile values', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const others = [
      undefined,
      null,
      0,
      'DEAD_ENTITY',
      {},
      { code: 'DEAD_ENTITY' },
      Object.create(null),
      proxy,
    ]
    for (const other of [...others, new TypeError('no'), new Error('no')]) {
      expect(other instanceof StrataError).toBe(false)
      expect(isStrataError(other)).toBe(false)
    }
  })

  it('are recognised when another copy of the package threw them', async () => {
    const another = '../../bindings/memory/errors.ts?another'
    const copy = (await import(/* @vite-ignore */ another)) as typeof import('../../bindings/memory/errors')
    expect(copy.StrataError).not.toBe(StrataError)
    const error = new copy.StrataTypeError('INVALID_VALUE', 'no')
    expect(error instanceof StrataTypeError).toBe(false)
    expect(error instanceof StrataError).toBe(true)
    expect(isStrataError(error)).toBe(true)
    expect(isStrataError(new copy.LimitError('ROW_LIMIT', ''))).toBe(true)
  })
})

describe('an error changes nothing', () => {
  const harmless = WAYS.filter(({ code, call }) => code !== 'WORLD_DISPOSED' && call.length > 0)

  it.each(harmless)('$code by $by leaves a world that goes on working', ({ call }) => {
    const world = watchedWorld({ memory: { maximum: 4 * 2 ** 20 } })
    const witness = world.spawn(Position({ x: 1, y: 2 }), Health({ hp: 3 }), Frozen)
    expect(() => {
      call(world)
    }).toThrow()
    expect(world.get(witness, Position)).toEqual({ x: 1, y: 2 })
    expect(world.get(witness, Health)).toEqual({ hp: 3 })
    expect(world.has(witness, Frozen)).toBe(true)
    const next = world.spawn(Position({ x: 5 }), Health)
    expect(world.get(next, Position)).toEqual({ x: 5, y: 0 })
    world.batch(() => world.destroy(next))
    expect(world.isAlive(next)).toBe(false)
  })

  it('MEMORY_LIMIT in a spawn with sparse components spends no id and no generation', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 20 } })
    let failed = false
    for (let i = 0; i < 200_000 && !failed; i++) {
      const before = world.stats()
      try {
        world.spawn(Position, Health)
      } catch (error) {
        expect(error).toMatchObject({ code: 'MEMORY_LIMIT' })
        const { entities, freeIds, retiredIds, chunks, bytesUsed } = before
        expect(world.stats()).toMatchObject({ entities, freeIds, retiredIds, chunks, bytesUsed })
        failed = true
      }
    }
    expect(failed).toBe(true)
  })

  it('after MEMORY_LIMIT, the memory of a destroyed entity is enough for a new one', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 20 } })
    expect(() => {
      for (let i = 0; i < 200_000; i++) world.spawn(Position, Health)
    }).toThrow(LimitError)
    const some = world.query(Position).entities().slice(0, 100)
    expect(destroyMany(world, some)).toBe(100)
    expect(world.isAlive(world.spawn(Position, Health))).toBe(true)
  })
})

function literally(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}
