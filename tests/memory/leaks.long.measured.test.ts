// Shows that what a program makes in every frame is gone with the frame, from JavaScript and from linear memory, except for the
// caches of the garbage collector.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import {
  added,
  addMany,
  changed,
  cloneEntity,
  component,
  createAccessor,
  createCommands,
  createSchedule,
  createWorld,
  destroyMany,
  f32,
  createGroup,
  not,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  createRemovalReader,
  removeMany,
  resetWorld,
  resource,
  restoreWorld,
  snapshotWorld,
  sortedEntities,
  sparse,
  spawnMany,
  onChange,
  sweepTexts,
  tag,
  text,
  u32,
  type Entity,
  type Query,
  type World,
} from '../../bindings/index'
import type { WorldState } from '../../bindings/state/worldState'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Tracked = component('Tracked', { n: u32 }, { trackChanges: 'row' })
const Frozen = tag('Frozen')
const Named = component('Named', { name: text })
const Sprite = object<{ name: string }>('Sprite')
const [A, B, C] = ['A', 'B', 'C'].map((name) => component(name, { n: u32 }, { storage: sparse }))
const Time = resource('Time', { dt: f32 })
const Input = resource<{ keys: string[] }>('Input')

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** How often each thing is made. */
const TIMES = 10_000
/** What may be left of one: less than an object takes with its place in a list. */
const MOST_BYTES = 50

/** Bytes of JavaScript that are in use once all garbage is gone, what finalizers free included. */
async function bytesInUse(): Promise<number> {
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve))
    collect()
  }
  return process.memoryUsage().heapUsed
}

/**
 * Bytes that are left of what is made. V8 may keep something of its own meanwhile, but not each time: when they are not
 * fewer than `most`, it is made twice more, and the least counts.
 */
async function bytesLeft(make: () => void, most: number): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 3 && least >= most; round++) {
    const bytes = await bytesInUse()
    make()
    least = Math.min(least, (await bytesInUse()) - bytes)
  }
  return least
}

/** What a program makes: all of it is dropped at once. */
const MADE: [string, (world: World, i: number) => unknown][] = [
  ['queries with changed()', (world) => world.query(changed(Position)).count],
  ['queries with changed() by row, looped over', (world) => world.query(changed(Tracked)).each(() => {})],
  [
    'queries with added(), their entities taken',
    (world) => world.query(added(Position), not(Frozen)).entities(),
  ],
  ['queries with changed(), disposed of', (world) => world.query(changed(Position)).dispose()],
  ['queries of the same terms', (world) => world.query(Position, Tracked).first()],
  ['queries with where()', (world, i) => world.query(Position).where(Position, 'x', '>', i).count],
  [
    'queries with where() over what changed',
    (world) => [...world.query(changed(Tracked)).where(Tracked, 'n', '>', 3)].length,
  ],
  [
    'pages and parts',
    (world) => [world.query(Position).slice(1, 3).entities(), world.query(Position).partition(1, 3).count],
  ],
  ['sorted lists', (world) => sortedEntities(world.query(Position), Position, 'x')],
  [
    'loops left early',
    (world) => {
      for (const _ of world.query(Position)) break
    },
  ],
  ['iterators taken by hand', (world) => world.query(Position)[Symbol.iterator]().return?.()],
  ['accessors', (world) => createAccessor(world, Position).of(world.query(Position).first() as Entity).x],
  [
    'subscriptions to components',
    (world) => {
      const stops = [
        onAdd(world, Position, () => {}),
        onSet(world, Position, () => {}),
        onRemove(world, Frozen, () => {}),
      ]
      for (const stop of stops) stop()
    },
  ],
  [
    'subscriptions to entities of a query',
    (world) => {
      const query = world.query(Position, not(Frozen)) as unknown as Query
      const stops = [onEnter(query, () => {}), onExit(query, () => {})]
      for (const stop of stops) stop()
    },
  ],
  [
    'subscriptions to the result of a query',
    (world) => onChange(world.query(Position, not(Frozen)), () => {})(),
  ],
  [
    'buffers, applied',
    (world) => {
      const commands = createCommands(world)
      commands.destroy(commands.spawn(Position({ x: 3 })))
      commands.apply()
    },
  ],
  [
    'buffers, dropped',
    (world) => {
      const commands = createCommands(world)
      commands.add(world.query(Position).first() as Entity, Frozen)
    },
  ],
  ['blocks', (world) => world.batch(() => world.destroy(world.spawn(Position({ x: 3 }), Frozen)))],
  ['entities', (world) => world.destroy(cloneEntity(world, world.query(Position).first() as Entity))],
  ['entities with objects', (world) => world.destroy(world.spawn(Sprite({ name: 'ship' })))],
  [
    'texts',
    (world, i) => {
      world.destroy(world.spawn(Named({ name: `ship ${i}` })))
      if (i % 1000 === 999) sweepTexts(world)
    },
  ],
  ['groups', (world) => [...createGroup(world, A, B)].length],
  [
    'resources',
    (world, i) => {
      world.setResource(Time, { dt: i })
      world.setResource(Input, { keys: ['a'] })
      world.removeResource(Time)
      return world.resource(Time).dt
    },
  ],
  [
    'schedules',
    (world) =>
      createSchedule(world)
        .add(() => {}, { name: 'idle' })
        .run(1),
  ],
  [
    'removals',
    (world) => {
      const lost = createRemovalReader(world, Frozen)
      world.destroy(world.spawn(Frozen))
      lost.dispose()
    },
  ],
]

describe('nothing remains', () => {
  it.each(MADE)('of 10,000 %s', async (_, make) => {
    const world = testWorld()
    spawnMany(world, 5, [Position, Tracked])
    spawnMany(world, 5, [A, B])
    const makeMany = (from: number, to: number) => {
      for (let i = from; i < to; i++) make(world, i)
    }
    // Caches fill, code is compiled, and every dead index waits until a thousand others are free.
    makeMany(0, 3000)
    const makeTimes = () => {
      const { bytesUsed } = world.stats()
      makeMany(3000, 3000 + TIMES)
      // What a query has seen of changes takes 8 bytes, until the query is collected: the next test.
      expect(world.stats().bytesUsed - bytesUsed).toBeLessThan(TIMES * 10)
    }
    const most = TIMES * MOST_BYTES
    expect(await bytesLeft(makeTimes, most)).toBeLessThan(most)
    world.dispose()
  })

  it('of the looks of 3,000 queries, once they are collected', async () => {
    const world = testWorld()
    world.spawn(Position)
    const makeMany = () => {
      for (let i = 0; i < 3000; i++) world.query(changed(Position)).entities()
    }
    const used: number[] = []
    for (let round = 0; round < 5; round++) {
      makeMany()
      await bytesInUse()
      used.push(world.stats().bytesUsed)
    }
    // The garbage collector may leave some of the first for later.
    expect(used[4]).toBe(used[1])
    const before = snapshotWorld(world)
    makeMany()
    await bytesInUse()
    restoreWorld(world, before)
    makeMany()
    expect(world.stats().bytesUsed).toBe(used[1])
    world.dispose()
  })

  it('of 300 worlds', async () => {
    const makeMany = (count: number) => {
      for (let i = 0; i < count; i++) {
        const world = createWorld({ memory: { initial: 2 ** 20 } })
        spawnMany(world, 10, [Position, Frozen])
        world.query(changed(Position)).each(() => {})
        onChange(world.query(Position), () => {})
        onAdd(world, Position, () => {})
        world.dispose()
      }
    }
    makeMany(100)
    const most = 300 * 1000
    expect(await bytesLeft(() => makeMany(300), most)).toBeLessThan(most)
  })

  it('of declarations that are no longer referenced', async () => {
    const makeMany = () => {
      for (let i = 0; i < TIMES; i++) {
        component('C', { x: f32 })
        tag('T')
        object('O')
      }
    }
    makeMany()
    const most = TIMES * MOST_BYTES
    expect(await bytesLeft(makeMany, most)).toBeLessThan(most)
  })

  it('of worlds with queries, before the job that made them has ended', () => {
    const bytesAfter = (count: number) => {
      for (let i = 0; i < count; i++) {
        const world = testWorld()
        world.spawn(Position)
        expect(world.query(changed(Position)).count + world.query(Position).count).toBe(2)
      }
      collect()
      return process.memoryUsage().heapUsed
    }
    const bytes = bytesAfter(100)
    expect(bytesAfter(300) - bytes).toBeLessThan(300 * 1000)
  })

  it('of queries except their arrays, before the job that made them has ended', () => {
    const world = testWorld()
    world.spawn(Position)
    const bytesAfter = (count: number) => {
      for (let i = 0; i < count; i++) expect(world.query(changed(Position)).count).toBe(1)
      collect()
      return process.memoryUsage().heapUsed
    }
    const bytes = bytesAfter(3000)
    expect(bytesAfter(TIMES) - bytes).toBeLessThan(TIMES * 900)
  })
})

/** How many queries hold arrays over the memory of a world: more readers of the memory than a new world has. */
const keepersOf = (world: World) => readersOf(world) - readersOf(untouched)
const readersOf = (world: World) => (world as unknown as { state: WorldState }).state.heap.readers.count
const untouched = testWorld()

describe('the queries that hold arrays over the memory', () => {
  it('are the ones that were looped over, however often groups are made', () => {
    const world = testWorld()
    spawnMany(world, 5, [A, B])
    const first = createGroup(world, A, B)
    expect(first.count + world.query(A).count).toBe(10)
    expect(keepersOf(world)).toBe(0)
    for (const chunk of first) chunk.write(A)
    const before = keepersOf(world)
    expect(before).toBe(1)
    const others = Array.from({ length: 20 }, (_, i) =>
      [0, 1].map((k) => component(`Member ${i} ${k}`, { n: u32 }, { storage: sparse })),
    )
    for (const [one, other] of others) {
      for (const _ of createGroup(world, one, other)) break
      for (const chunk of first) chunk.write(A)
    }
    expect(keepersOf(world)).toBe(before + others.length)
    for (const _ of world.query(A, C)) break
    resetWorld(world)
    for (const chunk of first) chunk.write(A)
    expect(keepersOf(world)).toBe(before + others.length + 1)
  })

  it('are as many as before once a query was disposed of', () => {
    const world = testWorld()
    const before = keepersOf(world)
    const queries = Array.from({ length: 10 }, () => world.query(changed(Position)))
    for (const query of queries) query.each(() => {})
    expect(keepersOf(world)).toBe(before + 10)
    for (const query of queries) query.dispose()
    expect(keepersOf(world)).toBe(before)
  })

  it('can be read after the memory grew, and after a reset', () => {
    const world = testWorld({ memory: { initial: 2 ** 20 } })
    const grouped = createGroup(world, A, B)
    const query = world.query(changed(Tracked))
    const both = () => {
      spawnMany(world, 40_000, [Tracked, A({ n: 3 }), B])
      let sum = 0
      for (const chunk of grouped) for (let i = chunk.start; i < chunk.end; i++) sum += chunk.read(A).n[i]
      for (const chunk of query) sum += chunk.read(Tracked).n.length > 0 ? chunk.end - chunk.start : NaN
      return sum
    }
    expect(both()).toBe(160_000)
    expect(both()).toBe(280_000)
    resetWorld(world)
    expect(both()).toBe(160_000)
  })
})

describe('a query that was disposed of', () => {
  const USES: [string, (query: Query<[typeof Position]>) => unknown][] = [
    ['a loop', (query) => [...query]],
    ['each', (query) => query.each(() => {})],
    ['count', (query) => query.count],
    ['isEmpty', (query) => query.isEmpty],
    ['first', (query) => query.first()],
    ['entities', (query) => query.entities()],
    ['version', (query) => query.version],
    ['where', (query) => query.where(Position, 'x', '>', 1)],
    ['page', (query) => query.slice(0, 1)],
    ['add', (query) => addMany(query, Frozen)],
    ['remove', (query) => removeMany(query, Frozen)],
    ['destroy', (query) => destroyMany(query)],
    ['sorted', (query) => sortedEntities(query, Position, 'x')],
  ]

  it.each(USES)('refuses %s with an error that names it', (_, use) => {
    const world = testWorld()
    world.spawn(Position)
    const query = world.query(changed(Position)) as unknown as Query<[typeof Position]>
    query.each(() => {})
    const narrowed = query.where(Position, 'x', '>', 1)
    query.dispose()
    query.dispose()
    for (const each of [query, narrowed]) {
      expect(() => use(each)).toThrow(
        expect.objectContaining({
          code: 'QUERY_DISPOSED',
          message: expect.stringContaining('changed(Position)') as string,
        }),
      )
    }
    expect(world.query(changed(Position)).count).toBe(1)
    expect(world.query(Position).count).toBe(1)
  })

  it('lets a loop over it finish', () => {
    const world = testWorld()
    spawnMany(world, 2000, [Position])
    const query = world.query(changed(Position))
    let rows = 0
    for (const chunk of query) {
      query.dispose()
      rows += chunk.write(Position).x.subarray(chunk.start, chunk.end).length
    }
    expect(rows).toBe(2000)
    expect(() => query.count).toThrow(expect.objectContaining({ code: 'QUERY_DISPOSED' }))
  })

  it('is never one that others share', () => {
    const world = testWorld()
    world.spawn(Position)
    expect(() => world.query(Position).dispose()).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUERY',
        message: expect.stringContaining('(Position)') as string,
      }),
    )
    expect(world.query(Position).count).toBe(1)
  })
})
