// Shows that changes of many entities in one call (spawnMany, destroyMany, and add, remove and destroy by query) do what single
// calls do.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  DeadEntityError,
  destroyMany,
  NULL_ENTITY,
  any,
  component,
  f32,
  not,
  optional,
  removeMany,
  sparse,
  spawnMany,
  stable,
  tag,
  u16,
  u32,
  type Ingredient,
} from '../../bindings/index'
import { ROW_COUNTS } from '../support/rowCounts'
import { capacitiesOf, seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32, y: f32.default(5) })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Count = component('Count', { n: u32 })
const Health = component('Health', { hp: u16.default(100) }, { storage: sparse })
const Armour = component('Armour', { points: u16 }, { storage: stable })
const Frozen = tag('Frozen')
const Burning = tag('Burning')

describe('spawnMany', () => {
  it('a million entities with two columns written in the callback land row by row', () => {
    const world = watchedWorld()
    let next = 0
    const handles = spawnMany(world, 1_000_000, [Position, Count], (chunk) => {
      const { x } = chunk.write(Position)
      const { n } = chunk.write(Count)
      for (let i = chunk.start; i < chunk.end; i++) {
        x[i] = next % 1_000
        n[i] = next++
      }
    })
    const { first, full, large } = capacitiesOf(Position, Count)
    const chunks = 4 + Math.ceil((1_000_000 - first - 3 * full) / large)
    expect(next).toBe(1_000_000)
    expect(new Set(handles).size).toBe(1_000_000)
    expect([...world.query(Position)].length).toBeGreaterThan(0)
    expect(Array.from(world.query(Position), () => 1).length).toBe(chunks)
    for (let i = 0; i < 1_000_000; i += 7_919) {
      expect(world.get(handles[i], Count)).toEqual({ n: i })
      expect(world.get(handles[i], Position)).toEqual({ x: i % 1_000, y: 5 })
    }
    expect(world.query(Count).entities()).toEqual(handles)
  })

  it.each(STORAGES.flatMap((storage) => ROW_COUNTS.map((rows) => ({ storage, rows }))))(
    '$rows entities of $storage at once equal the same number of single spawns',
    ({ storage, rows }) => {
      const Number = component('Number', { n: u32.default(7), m: f32 }, { storage: STORED[storage] })
      const [bulk, single] = [watchedWorld(), watchedWorld()]
      const handles = spawnMany(bulk, rows, [Number({ m: 2 }), Velocity, Frozen])
      const one = Uint32Array.from({ length: rows }, () => single.spawn(Number({ m: 2 }), Velocity, Frozen))
      expect(handles).toEqual(one)
      for (const world of [bulk, single]) {
        expect(world.stats().entities).toBe(rows)
        expect(world.query(Number, Velocity, Frozen).entities()).toEqual(handles)
        for (let i = 0; i < rows; i += 37) expect(world.get(handles[i], Number)).toEqual({ n: 7, m: 2 })
      }
    },
  )

  it('defaults are written into rows that were used before', () => {
    const world = watchedWorld()
    spawnMany(world, 3_000, [Position({ x: 9, y: 9 }), Health({ hp: 9 })])
    destroyMany(world.query(Position))
    for (const handle of spawnMany(world, 3_000, [Position, Health]).subarray(2_900)) {
      expect(world.get(handle, Position)).toEqual({ x: 0, y: 5 })
      expect(world.get(handle, Health)).toEqual({ hp: 100 })
    }
  })

  it('a sparse component beside a table one is filled through its cursor, and on its own as a column', () => {
    const world = watchedWorld()
    const mixed = spawnMany(world, 300, [Count, Health], (chunk) => {
      const health = chunk.cursor(Health)
      const { n } = chunk.write(Count)
      for (let i = chunk.start; i < chunk.end; i++) {
        n[i] = chunk.entities[i]
        health.at(i).hp = i
      }
      expect(() => (chunk.write as (c: unknown) => unknown)(Health)).toThrow(/cursor/)
      expect(() => (chunk.write as (c: unknown) => unknown)(Velocity)).toThrow(/Velocity/)
    })
    expect(world.get(mixed[299], Count)).toEqual({ n: mixed[299] })
    let rows = 0
    const alone = spawnMany(world, 5_000, [Health], (chunk) => {
      const { hp } = chunk.write(Health)
      for (let i = chunk.start; i < chunk.end; i++) hp[i] = rows++
    })
    expect(rows).toBe(5_000)
    expect(Array.from(alone, (handle) => world.get(handle, Health)?.hp)).toEqual(
      Array.from({ length: 5_000 }, (_, i) => i),
    )
  })

  it('a batch is split over the tail of the last chunk and new chunks, in order', () => {
    const { first, full } = capacitiesOf(Count)
    for (const before of [0, 1, first - 1, first, first + 1, first + full - 1, first + full]) {
      for (const size of [1, 2, full - 1, full, full + 1, 2 * full + first]) {
        const world = watchedWorld()
        spawnMany(world, before, [Count])
        const runs: number[] = []
        let next = 0
        const handles = spawnMany(world, size, [Count], (chunk) => {
          runs.push(chunk.end - chunk.start)
          const { n } = chunk.write(Count)
          for (let i = chunk.start; i < chunk.end; i++) n[i] = ++next
        })
        expect(runs.reduce((a, b) => a + b)).toBe(size)
        expect(Array.from(world.query(Count).entities().subarray(before))).toEqual(Array.from(handles))
        expect(world.get(handles[size - 1], Count)).toEqual({ n: size })
        if (before > 0) expect(world.get(world.query(Count).entities()[before - 1], Count)).toEqual({ n: 0 })
      }
    }
  })

  it('indices come back first and all handles are different and alive', () => {
    const world = watchedWorld()
    const old = spawnMany(world, 3_000, [Count])
    destroyMany(world, old)
    const handles = spawnMany(world, 5_000, [Count])
    expect(new Set([...old, ...handles]).size).toBe(8_000)
    expect(handles.every((handle) => world.isAlive(handle))).toBe(true)
    expect(old.some((handle) => world.isAlive(handle))).toBe(false)
  })

  it('a count of 0 makes no entity and runs no callback; anything but a count is refused', () => {
    const world = watchedWorld()
    expect(spawnMany(world, 0, [Position], () => expect.unreachable())).toEqual(new Uint32Array(0))
    for (const wrong of [-1, 1.5, NaN, Infinity, '3', undefined, null]) {
      expect(() => spawnMany(world, wrong as number, [Position])).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION' }),
      )
    }
    expect(world.stats().entities).toBe(0)
  })

  it('the callback is a loop: structural changes wait for its end', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 3_000, [Count], (chunk) => {
      for (let i = chunk.start; i < chunk.end; i++) {
        if (i % 2) world.destroy(chunk.entities[i])
        else world.add(chunk.entities[i], Frozen)
      }
      expect(world.query(Frozen).count).toBe(0)
    })
    expect(world.query(Count).count).toBe(world.query(Frozen).count)
    expect(world.isAlive(handles[0])).toBe(true)
  })
})

describe('destroyMany', () => {
  it.each(ROW_COUNTS)('%i entities are destroyed at once; the others stay whole', (count) => {
    const world = watchedWorld()
    const doomed = spawnMany(world, count, [Count, Health, Frozen])
    const kept = Array.from({ length: 100 }, (_, n) => world.spawn(Count({ n }), Health({ hp: n }), Frozen))
    expect(destroyMany(world, doomed)).toBe(count)
    expect(destroyMany(world, doomed)).toBe(0)
    expect(world.stats().entities).toBe(100)
    kept.forEach((handle, n) => {
      expect(world.get(handle, Count)).toEqual({ n })
      expect(world.get(handle, Health)).toEqual({ hp: n })
    })
  })

  it('dead handles, repeats and invalid handles are skipped', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 100, [Count])
    world.destroy(handles[50])
    const wrong = [NULL_ENTITY, 0, -1, 0.5, NaN, handles[3] + 0.5, handles[3] + 2 ** 32, 2 ** 53, -(2 ** 31)]
    expect(destroyMany(world, wrong)).toBe(0)
    expect(destroyMany(world, [...handles, ...handles, ...wrong])).toBe(99)
    expect(destroyMany(world, [])).toBe(0)
  })

  it('a list may be longer than one call of the core takes', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 100_000, [Position])
    const kept = handles.filter((_, i) => i % 3 === 0)
    expect(
      destroyMany(
        world,
        handles.filter((_, i) => i % 3 !== 0),
      ),
    ).toBe(100_000 - kept.length)
    expect(world.query(Position).entities().sort()).toEqual(kept.sort())
  })
})

/** Entities of many mixtures, the same in each world that asks. */
function populate(count = 2_000) {
  const world = watchedWorld()
  const random = seededRandom(3)
  const handles = Array.from({ length: count }, (_, n) => {
    const parts: Ingredient[] = [Count({ n })]
    if (random() < 0.5) parts.push(Position({ x: n }))
    if (random() < 0.3) parts.push(Velocity({ y: n }))
    if (random() < 0.5) parts.push(Health({ hp: n }))
    if (random() < 0.3) parts.push(Armour({ points: n }))
    if (random() < 0.3) parts.push(Frozen)
    return world.spawn(...parts)
  })
  const picture = () =>
    handles.map((handle) => {
      if (!world.isAlive(handle)) return 'dead'
      const tags = [world.has(handle, Frozen), world.has(handle, Burning)]
      return [
        ...[Count, Position, Velocity, Health, Armour].map((C) => world.get(handle, C as typeof Count)),
        ...tags,
      ]
    })
  return { world, handles, picture }
}

const QUERIES = [
  { name: 'a table term', terms: [Position] },
  { name: 'a sparse term', terms: [Health] },
  { name: 'a stable term', terms: [Armour] },
  { name: 'a tag', terms: [Frozen] },
  { name: 'mixed terms', terms: [Position, Health, not(Frozen)] },
  { name: 'alternatives', terms: [any(Velocity, Armour), not(Health)] },
  { name: 'all but some', terms: [not(Velocity)] },
  { name: 'everything', terms: [optional(Frozen)] },
] as const

const BUNDLES: {
  name: string
  parts: readonly (typeof Position | typeof Velocity | typeof Health | typeof Armour | typeof Frozen)[]
}[] = [
  { name: 'a table component', parts: [Velocity] },
  { name: 'a sparse component', parts: [Health as never] },
  { name: 'a stable component', parts: [Armour as never] },
  { name: 'a tag', parts: [Burning as never] },
  { name: 'one of each', parts: [Position, Health as never, Armour as never, Frozen, Burning] },
]

const changes = QUERIES.flatMap((query) =>
  BUNDLES.map((bundle) => ({ query, bundle, what: `${bundle.name} by ${query.name}` })),
)

describe('by query', () => {
  it.each(changes)('adding $what has the effect of single calls', ({ query, bundle }) => {
    const [bulk, single] = [populate(), populate()]
    const matching = single.world.query(...query.terms).entities()
    expect(addMany(bulk.world.query(...query.terms), ...bundle.parts)).toBe(matching.length)
    for (const handle of matching) single.world.add(handle, ...bundle.parts)
    expect(bulk.picture()).toEqual(single.picture())
  })

  it.each(changes)('removing $what has the effect of single calls', ({ query, bundle }) => {
    const [bulk, single] = [populate(), populate()]
    const matching = single.world.query(...query.terms).entities()
    expect(removeMany(bulk.world.query(...query.terms), ...bundle.parts)).toBe(matching.length)
    for (const handle of matching) single.world.remove(handle, ...bundle.parts)
    expect(bulk.picture()).toEqual(single.picture())
  })

  it.each(QUERIES)('destroying by $name has the effect of single calls', ({ terms }) => {
    const [bulk, single] = [populate(), populate()]
    const matching = single.world.query(...terms).entities()
    expect(destroyMany(bulk.world.query(...terms))).toBe(matching.length)
    for (const handle of matching) single.world.destroy(handle)
    expect(bulk.picture()).toEqual(single.picture())
    expect(bulk.world.query(...terms).count).toBe(0)
  })

  it('values given to a bulk add are written to all that match', () => {
    const { world, picture } = populate()
    const before = picture()
    const matched = addMany(world.query(Position), Velocity({ x: 4 }), Health({ hp: 6 }), Burning)
    world.query(Position).each((handle) => {
      expect(world.get(handle, Velocity)?.x).toBe(4)
      expect(world.get(handle, Health)).toEqual({ hp: 6 })
    })
    expect(world.query(Burning).count).toBe(matched)
    expect(before.length).toBe(2_000)
  })

  it('wrong arguments are refused and change nothing', () => {
    const { world, picture } = populate(100)
    const before = picture()
    const query = world.query(Count)
    expect(() => addMany(query)).toThrow(TypeError)
    expect(() => addMany(query, {} as never)).toThrow(expect.objectContaining({ code: 'NOT_A_COMPONENT' }))
    expect(() => addMany(query, Frozen, Frozen)).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_COMPONENT' }),
    )
    expect(() => removeMany(query, undefined as never)).toThrow(TypeError)
    expect(picture()).toEqual(before)
    expect(() => world.add(NULL_ENTITY, Frozen)).toThrow(DeadEntityError)
  })
})

describe('tags relabel chunks', () => {
  it.each(ROW_COUNTS)(
    'a tag on %i entities moves no row: views over the chunks stay the same bytes',
    (count) => {
      const world = watchedWorld({ memory: { initial: 8 * 2 ** 20 } })
      let next = 0
      const handles = spawnMany(world, count, [Count], (chunk) => {
        const { n } = chunk.write(Count)
        for (let i = chunk.start; i < chunk.end; i++) n[i] = next++
      })
      const addresses = () => Array.from(world.query(Count), (chunk) => chunk.entities.byteOffset)
      const before = addresses()
      expect(addMany(world.query(Count), Frozen)).toBe(count)
      expect(addresses()).toEqual(before)
      expect(world.query(Count, Frozen).entities()).toEqual(handles)
      expect(world.query(Count, not(Frozen)).count).toBe(0)
      expect(removeMany(world.query(Frozen), Frozen)).toBe(count)
      expect(world.query(Frozen).count).toBe(0)
      handles.forEach((handle, n) => expect(world.get(handle, Count)).toEqual({ n }))
    },
  )

  const { first, full } = capacitiesOf(Count)
  const sizes = [
    1,
    2,
    first - 1,
    first,
    first + 1,
    first + full - 1,
    first + full,
    first + full + 1,
    first + full + 700,
    first + 3 * full + 1,
  ]
  it.each(sizes.flatMap((a) => sizes.map((b) => ({ a, b }))))(
    'relabelled chunks join an archetype that has rows: $a rows are added to $b, and every one keeps its values',
    ({ a, b }) => {
      const world = watchedWorld()
      const handles = Array.from({ length: a + b }, (_, n) =>
        n < a ? world.spawn(Count({ n })) : world.spawn(Count({ n }), Frozen),
      )
      addMany(world.query(Count), Frozen)
      expect(world.query(Frozen).count).toBe(a + b)
      const chunks = Array.from(world.query(Frozen), (chunk) => [chunk.end, chunk.entities.length])
      for (const [rows, capacity] of chunks.slice(0, -1)) expect(rows).toBe(capacity)
      handles.forEach((handle, n) => expect(world.get(handle, Count)).toEqual({ n }))
      destroyMany(
        world,
        handles.filter((_, n) => n % 2),
      )
      removeMany(world.query(Count), Frozen)
      handles.forEach((handle, n) => expect(world.get(handle, Count)).toEqual(n % 2 ? undefined : { n }))
    },
  )

  it('several archetypes join one in a single call', () => {
    const world = watchedWorld()
    const tags = [Burning, tag('Wet'), tag('Dark')]
    const handles = Array.from({ length: 8_000 }, (_, n) =>
      world.spawn(Count({ n }), Health({ hp: n }), ...tags.filter((_, k) => n & (1 << k))),
    )
    expect(removeMany(world.query(Count), ...tags)).toBe(8_000)
    expect(Array.from(world.query(Count), (chunk) => chunk.end).reduce((sum, rows) => sum + rows)).toBe(8_000)
    expect(world.query(any(...(tags as [typeof Burning]))).count).toBe(0)
    handles.forEach((handle, n) => {
      expect(world.get(handle, Count)).toEqual({ n })
      expect(world.get(handle, Health)).toEqual({ hp: n })
    })
  })
})
