// Shows that a group keeps its pools packed and aligned through every change, that loops over it give each entity its own values,
// and that nothing else sees a difference. checkInvariants looks at the order of the rows themselves.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Entity,
  addMany,
  clearWorld,
  cloneEntity,
  destroyMany,
  endFrame,
  createGroup,
  type World,
  changed,
  component,
  f32,
  f64,
  not,
  optional,
  removeMany,
  resetWorld,
  sortRows,
  sortRowsAs,
  sortedEntities,
  cloneMany,
  sparse,
  spawnMany,
  stable,
  tag,
  toggle,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { changeTickOf } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { ROW_COUNTS } from '../support/rowCounts'
import { seededRandom } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const Body = component('Body', { x: f32, y: f32 }, { storage: sparse })
const Speed = component('Speed', { x: f64, trail: vec(u16, 3) }, { storage: sparse })
const Mass = component('Mass', { kg: u8 }, { storage: sparse })
const Bare = component('Bare', {}, { storage: sparse })
const Place = component('Place', { n: u32 })
const Fixed = component('Fixed', { n: u32 }, { storage: stable })
const Mark = tag('Mark')

/** Every entity of a group with its number in both components, read through the columns. */
function readColumns(world: World): [number, number, number][] {
  const rows: [number, number, number][] = []
  for (const chunk of createGroup(world, Body, Speed)) {
    const { x } = chunk.read(Body)
    const { trail } = chunk.read(Speed)
    for (let i = chunk.start; i < chunk.end; i++)
      rows.push([chunk.entities[i] as number, x[i] as number, trail[i * 3 + 2] as number])
  }
  return rows
}

const both = (n: number) => [Body({ x: n }), Speed({ trail: [0, 0, n & 0xffff] })] as const

describe('a group', () => {
  it.each(ROW_COUNTS)('shows %i entities side by side, whatever else is in its pools', (count) => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed)
    const expected = new Map<number, number>()
    for (let i = 0; i < count; i++) {
      if (i % 3 === 0) world.spawn(Body({ x: -1 }))
      if (i % 5 === 0) world.spawn(Speed)
      expected.set(world.spawn(...both(i)), i)
    }
    const rows = readColumns(world)
    expect(rows.length).toBe(count)
    for (const [e, x, n] of rows) expect([x, n]).toEqual([expected.get(e), expected.get(e)])
    expect(grouped.count).toBe(count)
    expect([...grouped.entities()]).toEqual(rows.map(([e]) => e))
    expect(grouped.first()).toBe(rows[0]?.[0])
    expect(grouped.isEmpty).toBe(count === 0)
  })

  it('includes entities that exist already', () => {
    const world = watchedWorld()
    const random = seededRandom(1)
    const expected: number[] = []
    for (let i = 0; i < 3000; i++) {
      const [body, speed] = [random() < 0.5, random() < 0.5]
      const e = world.spawn(...[body && both(i)[0], speed && both(i)[1]].filter((kind) => kind !== false))
      if (body && speed) expected.push(e)
    }
    const grouped = createGroup(world, Body, Speed)
    expect([...grouped.entities()].sort((a, b) => a - b)).toEqual(expected)
    expect(readColumns(world).every(([, x, n]) => x === n)).toBe(true)
  })

  it('is the same for the query with its components, named in any order, even one made before', () => {
    const world = watchedWorld()
    const before: any = world.query(Speed, Body)
    const e = world.spawn(...both(4))
    const codes = () => [...before].map((chunk) => codeOf(() => chunk.read(Body)))
    expect(codes()).toEqual(['NOT_A_COLUMN'])
    const grouped = createGroup(world, Body, Speed)
    expect(createGroup(world, Speed, Body).count).toBe(1)
    expect(world.query(Body, Speed)).toBe(grouped)
    expect(codes()).toEqual(['nothing thrown'])
    const seen: unknown[] = []
    before.each((entity: Entity, s: any, b: any) => seen.push(entity, s.trail[2], b.x))
    expect(seen).toEqual([e, 4, 4])
    // With another term it is a query like any other.
    const more: any = [...world.query(Body, Speed, not(Mark))][0]
    expect(codeOf(() => more.read(Body))).toBe('NOT_A_COLUMN')
    const some: any = [...world.query(Body, optional(Speed))][0]
    expect(some.cursor(Speed).at(some.start).trail[2]).toBe(4)
  })

  it('agrees on a row through columns, index, cursor, entities and each', () => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed, Mass)
    for (let i = 0; i < 900; i++) {
      world.spawn(...both(i), Mass({ kg: i & 255 }))
      if (i % 7 === 0) world.spawn(Mass)
    }
    const bySteps: unknown[] = []
    let runs = 0
    for (const chunk of grouped) {
      runs++
      expect(chunk.start).toBe(0)
      const { x } = chunk.write(Body)
      const first = chunk.index(Body, 'x')
      const trail = chunk.index(Speed, 'trail')
      for (let i = chunk.start; i < chunk.end; i++) {
        expect(chunk.heap.f32[first + i]).toBe(x[i])
        expect(chunk.heap.u16[trail + i * 3 + 2]).toBe(x[i])
        expect(chunk.cursor(Body).at(i).x).toBe(x[i])
        expect(chunk.cursor(Mass).at(i).kg).toBe(chunk.read(Mass).kg[i])
        bySteps.push(chunk.entities[i], x[i], chunk.read(Mass).kg[i])
      }
    }
    expect(runs).toBeGreaterThan(3)
    const byEach: unknown[] = []
    grouped.each((e, b, s, m) => {
      byEach.push(e, b.x, m.kg)
      expect(s.trail[2]).toBe(b.x)
    })
    expect(byEach).toEqual(bySteps)
  })

  it('gives the same arrays again, so that a loop allocates nothing', () => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed)
    for (let i = 0; i < 2000; i++) world.spawn(...both(i))
    const arrays = () => {
      const seen: unknown[] = []
      for (const chunk of grouped) seen.push(chunk.read(Body), chunk.write(Speed).x, chunk.entities)
      return seen
    }
    const first = arrays()
    const second = arrays()
    expect(second.length).toBe(first.length)
    second.forEach((array, i) => expect(array).toBe(first[i]))
  })

  it('marks only what is written, in the chunk it is written in', () => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed)
    const handles = Array.from({ length: 2000 }, (_, i) => world.spawn(...both(i)))
    const before = world.tick
    world.advanceTick()
    for (const chunk of grouped) {
      chunk.read(Body)
      chunk.write(Speed)
      break
    }
    expect(changeTickOf(world, handles[0] as number, Body)).toBe(before)
    expect(changeTickOf(world, handles[0] as number, Speed)).toBe(world.tick)
    expect(changeTickOf(world, handles[1999] as number, Speed)).toBe(before)
    for (const chunk of grouped) chunk.markChanged(Body)
    expect(changeTickOf(world, handles[1999] as number, Body)).toBe(world.tick)
    world.advanceTick()
    grouped.each((_e, b) => (b.x = 1))
    expect(changeTickOf(world, handles[1999] as number, Body)).toBe(world.tick)
  })

  it('writes through columns reach the entities', () => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed)
    const handles = Array.from({ length: 1000 }, (_, i) => world.spawn(...both(i)))
    for (const chunk of grouped) {
      const { y } = chunk.write(Body)
      const { x } = chunk.read(Body)
      for (let i = chunk.start; i < chunk.end; i++) y[i] = (x[i] as number) * 2
    }
    handles.forEach((e, i) => expect(world.get(e, Body)?.y).toBe(i * 2))
  })

  it('follows adding, removing and destroying in bulk, by any query', () => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed)
    for (let i = 0; i < 500; i++)
      world.spawn(Body({ x: i }), ...(i % 2 ? [Mark] : []), ...(i % 3 ? [Place] : []))
    expect(addMany(world.query(Body, Mark), Speed)).toBe(250)
    expect(grouped.count).toBe(250)
    checkInvariants(world)
    expect(addMany(world.query(Body), Speed, Mass)).toBe(500)
    expect(grouped.count).toBe(500)
    expect(world.query(Body, Mass).count).toBe(500)
    checkInvariants(world)
    removeMany(world.query(Place, Body, Mark), Speed)
    checkInvariants(world)
    removeMany(world.query(Speed), Body)
    expect(grouped.count).toBe(0)
    checkInvariants(world)
    addMany(world.query(Speed), Body)
    destroyMany(grouped)
    checkInvariants(world)
    expect(grouped.count).toBe(0)
    const many = spawnMany(world, 700, [Body, Speed, Place])
    expect(grouped.count).toBe(700)
    destroyMany(world, many.subarray(100, 300))
    expect(grouped.count).toBe(500)
  })

  it('adds to entities in one of its pools without missing any', () => {
    const world = watchedWorld()
    createGroup(world, Body, Speed)
    const handles = Array.from({ length: 300 }, (_, i) => world.spawn(Body({ x: i })))
    for (let i = 0; i < 300; i += 7) world.add(handles[i], Speed)
    expect(addMany(world.query(Body), Speed)).toBe(300)
    expect(handles.every((e) => world.has(e, Speed))).toBe(true)
    removeMany(world.query(Body), Speed)
    expect(addMany(world.query(Body, not(Speed)), Speed)).toBe(300)
    expect(handles.every((e) => world.has(e, Speed))).toBe(true)
  })

  it('is narrowed by conditions, windows and partitions', () => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed)
    for (let i = 0; i < 1700; i++) {
      if (i % 4 === 0) world.spawn(Body({ x: i }))
      world.spawn(...both(i))
    }
    const all = readColumns(world)
    const seen = (query: typeof grouped) => {
      const rows: unknown[] = []
      for (const chunk of query) {
        const { x } = chunk.read(Body)
        const { trail } = chunk.write(Speed)
        for (let i = chunk.start; i < chunk.end; i++) rows.push([chunk.entities[i], x[i], trail[i * 3 + 2]])
      }
      const byEach: unknown[] = []
      query.each((e, b, s) => byEach.push([e, b.x, s.trail[2]]))
      expect(byEach).toEqual(rows)
      expect(query.count).toBe(rows.length)
      expect([...query.entities()]).toEqual(rows.map((row) => (row as number[])[0]))
      return rows
    }
    const odd = grouped.where(Body, 'x', '>', 100).where(Body, 'x', '<=', 1500)
    expect(seen(odd)).toEqual(all.filter(([, x]) => x > 100 && x <= 1500))
    expect(seen(grouped.slice(55, 955))).toEqual(all.slice(55, 955))
    expect(seen(odd.slice(10, 30))).toEqual(all.filter(([, x]) => x > 100 && x <= 1500).slice(10, 30))
    expect(seen(grouped.slice(5000, 5_001))).toEqual([])
    expect([0, 1, 2].flatMap((i) => seen(grouped.partition(i, 3)))).toEqual(all)
    expect(grouped.at(1234)).toBe(all[1234]?.[0])
    expect(grouped.at(1700)).toBe(undefined)
    expect(destroyMany(grouped.where(Body, 'x', '<', 10))).toBe(10)
    expect(seen(grouped)).toEqual(readColumns(world))
    expect(grouped.count).toBe(1690)
  })

  it('reports what changed, by row where rows are tracked', () => {
    const world = watchedWorld()
    const Tracked = component('Tracked', { n: u32 }, { storage: sparse, trackChanges: 'row' })
    const grouped = createGroup(world, Tracked, Body)
    const handles = Array.from({ length: 900 }, (_, n) => world.spawn(Tracked({ n }), Body))
    const news = world.query(changed(Tracked), Body)
    expect(news.entities().length).toBe(900)
    expect(news.entities().length).toBe(0)
    for (const chunk of grouped.where(Tracked, 'n', '==', 500)) chunk.write(Tracked)
    expect([...news.entities()]).toEqual([handles[500]])
    for (const chunk of grouped.where(Tracked, 'n', '==', 7)) chunk.markChanged(Tracked, chunk.start)
    expect([...news.entities()]).toEqual([handles[7]])
    grouped.each((_e, t) => t.n === 8 && (t.n = 9))
    expect([...news.entities()]).toEqual([handles[8]])
    sortRows(world, Tracked, 'n')
    expect([...news.entities()]).toEqual([])
  })

  it('includes clones, and releases frame components', () => {
    const world = watchedWorld()
    const Hit = component('Hit', { n: u32 }, { storage: sparse, lifetime: 'frame' })
    const hits = createGroup(world, Body, Hit)
    world.spawn(Body({ x: 9 }))
    const e = world.spawn(Body({ x: 1 }), Hit({ n: 5 }))
    const copies = [cloneEntity(world, e), ...cloneMany(world, e, 600)]
    const seen: number[] = []
    for (const chunk of hits) {
      const [{ x }, { n }] = [chunk.read(Body), chunk.read(Hit)]
      for (let i = chunk.start; i < chunk.end; i++) {
        seen.push(chunk.entities[i] as number)
        expect([x[i], n[i]]).toEqual([1, 5])
      }
    }
    expect(seen).toEqual([e, ...copies])
    endFrame(world)
    expect(hits.count).toBe(0)
    expect(world.query(Body).count).toBe(603)
  })

  it('survives clear, and comes back after reset', () => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed)
    for (let i = 0; i < 200; i++) world.spawn(...both(i))
    clearWorld(world)
    expect(grouped.count).toBe(0)
    world.spawn(...both(1))
    expect(readColumns(world).map(([, x]) => x)).toEqual([1])
    resetWorld(world)
    expect(grouped.count).toBe(0)
    const e = world.spawn(...both(2))
    for (const chunk of grouped) expect(chunk.read(Body).x[chunk.start]).toBe(2)
    expect(readColumns(world)).toEqual([[e, 2, 2]])
    resetWorld(world)
    world.spawn(...both(3))
    world.batch(() => expect(codeOf(() => grouped.count)).toBe('WORLD_LOCKED'))
    expect(grouped.count).toBe(1)
  })

  it('lets changes wait while a loop over it is open, even in nested loops', () => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed)
    for (let i = 0; i < 300; i++) world.spawn(...both(i))
    let inner = 0
    for (const chunk of grouped) {
      for (let i = chunk.start; i < chunk.end; i++) {
        if ((chunk.entities[i] as number) % 2 === 0) world.remove(chunk.entities[i], Speed)
      }
      grouped.each(() => inner++)
      expect(createGroup(world, Body, Speed)).toBe(grouped)
    }
    expect(inner % 300).toBe(0)
    expect(inner).toBeGreaterThan(300)
    expect(grouped.count).toBe(150)
  })

  it('unlocks the world when a loop ends by a throw or a break', () => {
    const world = watchedWorld()
    const grouped = createGroup(world, Body, Speed)
    const e = world.spawn(...both(1))
    expect(() =>
      grouped.each(() => {
        throw new Error('stop')
      }),
    ).toThrow('stop')
    for (const _ of grouped) break
    world.remove(e, Speed)
    expect(world.has(e, Speed)).toBe(false)
  })

  it('refuses queries that cannot be one, and says why', () => {
    const loose = { group: createGroup } as any
    const world: any = watchedWorld()
    expect(codeOf(() => loose.group(world, Body))).toBe('INVALID_GROUP')
    expect(codeOf(() => loose.group(world, Body, Place))).toBe('INVALID_GROUP')
    expect(codeOf(() => loose.group(world, Body, Fixed))).toBe('INVALID_GROUP')
    expect(codeOf(() => loose.group(world, Body, Mark))).toBe('INVALID_GROUP')
    const Lamp = component('Lamp', { n: u8 }, { storage: sparse, toggle })
    expect(codeOf(() => loose.group(world, Body, Lamp))).toBe('INVALID_GROUP')
    expect(codeOf(() => loose.group(world, Body, Body))).toBe('DUPLICATE_COMPONENT')
    expect(codeOf(() => loose.group(world, Body, 5))).toBe('NOT_A_COMPONENT')
    world.batch(() => expect(codeOf(() => loose.group(world, Body, Speed))).toBe('WORLD_LOCKED'))
    expect(world.stats().components).toBe(0)
    loose.group(world, Body, Speed)
    expect(codeOf(() => loose.group(world, Body, Mass))).toBe('INVALID_GROUP')
    expect(() => loose.group(world, Body, Mass)).toThrow('Body is in another group')
    expect(codeOf(() => loose.group(world, Body, Speed, Mass))).toBe('INVALID_GROUP')
    world.spawn(...both(1))
    for (const chunk of loose.group(world, Body, Speed)) {
      expect(codeOf(() => chunk.read(Mass))).toBe('NOT_A_COLUMN')
      expect(codeOf(() => chunk.cursor(Mass))).toBe('NOT_A_COLUMN')
      expect(codeOf(() => chunk.index(Body, 'z'))).toBe('UNKNOWN_FIELD')
    }
  })

  it('accepts a component without fields, which filters and has no data', () => {
    const world = watchedWorld()
    const grouped: any = createGroup(world, Bare, Body)
    world.spawn(Body({ x: 1 }))
    const e = world.spawn(Body({ x: 2 }), Bare)
    const seen: unknown[] = []
    grouped.each((...args: any[]) => seen.push(args.length, args[0], args[1].x))
    expect(seen).toEqual([2, e, 2])
    for (const chunk of grouped) expect(codeOf(() => chunk.read(Bare))).toBe('NOT_A_COLUMN')
  })
})

describe('the order of a group', () => {
  it('is set by sort for all its pools; the rest of the pool is sorted after it', () => {
    const world = watchedWorld()
    const random = seededRandom(3)
    const grouped = createGroup(world, Body, Speed)
    for (let i = 0; i < 1500; i++) {
      const n = Math.floor(random() * 400)
      world.spawn(...both(n).slice(0, i % 3 ? 2 : 1))
    }
    sortRows(world, Body, 'x')
    const rows = readColumns(world)
    expect(rows.length).toBe(1000)
    expect(rows.every(([, x, n]) => x === n)).toBe(true)
    const numbers = rows.map(([, x]) => x)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    const all = [...world.query(Body).entities()].map((e) => world.get(e, Body)?.x as number)
    expect(all.slice(0, 1000)).toEqual(numbers)
    expect(all.slice(1000)).toEqual(all.slice(1000).sort((a, b) => a - b))
    expect([...sortedEntities(grouped, Speed, 'x')].length).toBe(1000)
  })

  it('is not changed by sortAs, which is accepted only if it has nothing to do', () => {
    const world = watchedWorld()
    createGroup(world, Body, Speed)
    for (let i = 0; i < 20; i++) world.spawn(...both(i), Mass({ kg: 20 - i }))
    sortRows(world, Mass, 'kg')
    expect(codeOf(() => sortRowsAs(world, Body, Mass))).toBe('INVALID_ORDER')
    expect(codeOf(() => sortRowsAs(world, Body, Speed))).toBe('nothing thrown')
    sortRows(world, Body, 'x')
    sortRowsAs(world, Mass, Body)
    expect([...world.query(Mass).entities()]).toEqual([...world.query(Body).entities()])
    expect(codeOf(() => sortRowsAs(world, Body, Mass))).toBe('nothing thrown')
  })
})

describe('a model of two groups', () => {
  const kinds = [Body, Speed, Mass, Bare, Place]
  const kind = fc.constantFrom(...kinds)
  const operation = fc.oneof(
    fc.record({ name: fc.constant('spawn' as const), kinds: fc.uniqueArray(kind) }),
    fc.record({ name: fc.constantFrom('add' as const, 'remove' as const), at: fc.nat(), kind }),
    fc.record({ name: fc.constant('destroy' as const), at: fc.nat() }),
    fc.record({
      name: fc.constantFrom('addTo' as const, 'removeFrom' as const),
      of: kind,
      kind,
    }),
    fc.record({ name: fc.constant('destroyBoth' as const), of: kind, kind }),
    fc.record({ name: fc.constantFrom('group' as const, 'sort' as const, 'clear' as const) }),
  )

  it('has the same members, each with its own values, after every operation', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const world = testWorld()
        const model = new Map<Entity, Set<unknown>>()
        const numbers = new Map<Entity, number>()
        let next = 1
        const give = (e: Entity) => {
          if (world.has(e, Body)) world.set(e, Body, { x: numbers.get(e) as number })
          if (world.has(e, Speed)) world.set(e, Speed, { x: numbers.get(e) as number })
        }
        for (const step of operations) {
          const living = [...model.keys()]
          const chosen = 'at' in step ? living[step.at % (living.length || 1)] : undefined
          if (step.name === 'spawn') {
            const e = world.spawn(...step.kinds)
            model.set(e, new Set(step.kinds))
            numbers.set(e, next++)
            give(e)
          } else if (step.name === 'group') {
            createGroup(world, Body, Speed)
            createGroup(world, Mass, Bare)
          } else if (step.name === 'sort') sortRows(world, Body, 'x')
          else if (step.name === 'clear') {
            if (next % 5 === 0) {
              clearWorld(world)
              model.clear()
            }
          } else if (step.name === 'addTo' || step.name === 'removeFrom') {
            const query = world.query(step.of)
            for (const [, has] of model) {
              if (!has.has(step.of)) continue
              if (step.name === 'addTo') has.add(step.kind)
              else has.delete(step.kind)
            }
            if (step.name === 'addTo') addMany(query, step.kind)
            else removeMany(query, step.kind)
            for (const e of model.keys()) give(e)
          } else if (step.name === 'destroyBoth') {
            if (step.of !== step.kind) destroyMany(world.query(step.of, step.kind))
            for (const [e, has] of model)
              if (step.of !== step.kind && has.has(step.of) && has.has(step.kind)) model.delete(e)
          } else if (chosen !== undefined) {
            if (step.name === 'destroy') {
              world.destroy(chosen)
              model.delete(chosen)
            } else if (step.name === 'add') {
              world.add(chosen, step.kind)
              model.get(chosen)?.add(step.kind)
              give(chosen)
            } else if (step.name === 'remove') {
              world.remove(chosen, step.kind)
              model.get(chosen)?.delete(step.kind)
            }
          }
          checkInvariants(world)
          const expected = [...model].filter(([, has]) => has.has(Body) && has.has(Speed)).map(([e]) => e)
          const seen: number[] = []
          world.query(Body, Speed).each((e, b, s) => {
            seen.push(e)
            expect([b.x, s.x]).toEqual([numbers.get(e), numbers.get(e)])
          })
          expect(seen.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b))
        }
        world.dispose()
      }),
      { numRuns: proofLength(80) },
    )
  })
})
