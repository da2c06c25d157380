// Shows what holds when several components come or go in one call, in whatever order, and for thousands of component types.

import { beforeAll, describe, expect, it } from 'vitest'
import {
  addMany,
  LimitError,
  removeMany,
  spawnMany,
  StrataTypeError,
  component,
  f32,
  i32,
  not,
  tag,
  u8,
  type ComponentLike,
  type Entity,
  type Ingredient,
  type Tag,
  type World,
} from '../../bindings/index'
import { MAX_COMPONENTS } from '../../build/layout'
import { archetypeOf } from '../support/inside'
import { KINDS, declare, numbered } from '../support/kinds'
import { watchedWorld } from '../support/watched'

const TABLE = component('Table', { x: f32 })
const OTHER = component('Other', { n: i32.default(3) })
const SPARSE = numbered('Sparse', 'sparse')
const STABLE = numbered('Stable', 'stable')
const MARK = tag('Mark')
const MIXED: readonly ComponentLike[] = [TABLE, OTHER, SPARSE, STABLE, MARK]

/** Every order of the items. */
function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  )
}

function tagsOf(count: number): Tag[] {
  return Array.from({ length: count }, (_, i) => tag(`T${i}`))
}

/** Which of the components an entity has, as indices. */
function owned(world: World, entity: Entity, of: readonly ComponentLike[]): number[] {
  return of.flatMap((one, i) => (world.has(entity, one) ? [i] : []))
}

describe('several components in one call', () => {
  it('spawn in any order gives the same archetype and the same values', () => {
    const world = watchedWorld()
    const ingredients: readonly Ingredient[] = [
      TABLE({ x: 1 }),
      OTHER({ n: 2 }),
      SPARSE({ value: 3 }),
      STABLE({ value: 4 }),
      MARK,
    ]
    const handles = permutations(ingredients).map((order) => world.spawn(...order))
    expect(new Set(handles.map((handle) => archetypeOf(world, handle))).size).toBe(1)
    for (const handle of handles) {
      expect(world.has(handle, ...MIXED)).toBe(true)
      expect(world.get(handle, TABLE)).toEqual({ x: 1 })
      expect(world.get(handle, OTHER)).toEqual({ n: 2 })
      expect(world.get(handle, SPARSE)).toEqual({ value: 3 })
      expect(world.get(handle, STABLE)).toEqual({ value: 4 })
    }
  })

  it('add in any order gives each component its own value, even if some existed already', () => {
    const world = watchedWorld()
    for (const order of permutations(MIXED)) {
      for (const before of [[], [TABLE], [SPARSE, MARK], [OTHER, STABLE]]) {
        const entity = world.spawn(...before)
        const ingredients = order.map((one) => {
          if (one === TABLE) return TABLE({ x: 10 })
          if (one === SPARSE) return SPARSE({ value: 20 })
          return one
        })
        expect(world.add(entity, ...ingredients)).toBe(true)
        expect(world.get(entity, TABLE)).toEqual({ x: 10 })
        expect(world.get(entity, OTHER)).toEqual({ n: 3 })
        expect(world.get(entity, SPARSE)).toEqual({ value: 20 })
        expect(world.get(entity, STABLE)).toEqual({ value: 0 })
        expect(world.add(entity, ...order)).toBe(false)
      }
    }
  })

  it('remove in any order removes exactly the named ones; absent ones do not matter', () => {
    const world = watchedWorld()
    for (const order of permutations(MIXED)) {
      for (let named = 0; named <= order.length; named++) {
        const entity = world.spawn(TABLE({ x: 1 }), SPARSE({ value: 2 }), MARK)
        const gone = order.slice(0, named)
        const there = [TABLE, SPARSE, MARK] as ComponentLike[]
        expect(world.remove(entity, ...gone)).toBe(gone.some((one) => there.includes(one)))
        for (const one of MIXED) {
          expect(world.has(entity, one)).toBe(there.includes(one) && !gone.includes(one))
        }
      }
    }
  })

  it('a bundle that overlaps existing components adds only the rest and keeps the values', () => {
    const world = watchedWorld()
    const entity = world.spawn(TABLE({ x: 5 }), SPARSE({ value: 6 }))
    expect(world.add(entity, ...MIXED)).toBe(true)
    expect(world.get(entity, TABLE)).toEqual({ x: 5 })
    expect(world.get(entity, SPARSE)).toEqual({ value: 6 })
    expect(world.get(entity, OTHER)).toEqual({ n: 3 })
    expect(world.get(entity, STABLE)).toEqual({ value: 0 })
  })

  it('several components come in one move: no archetype in between is made', () => {
    const world = watchedWorld()
    const entity = world.spawn()
    const { archetypes } = world.stats()
    world.add(entity, TABLE, OTHER, MARK)
    expect(world.stats().archetypes).toBe(archetypes + 1)
    world.remove(entity, MARK, TABLE, OTHER)
    expect(world.stats().archetypes).toBe(archetypes + 1)
  })

  it.each(KINDS)('a %s component named twice is refused at any position; nothing changes', (kind) => {
    const world = watchedWorld()
    const D = declare('Doubled', kind)
    const entity = world.spawn(TABLE({ x: 1 }))
    world.add(entity, D)
    world.remove(entity, D)
    const marked = world.query(MARK)
    const before = world.stats()
    for (const list of [
      [D, D],
      [D, MARK, D],
      [MARK, D, D],
      [D, TABLE, MARK, D],
    ]) {
      for (const call of [
        () => world.spawn(...list),
        () => world.add(entity, ...list),
        () => world.remove(entity, ...list),
        () => spawnMany(world, 2, list),
        () => addMany(marked, ...list),
        () => removeMany(marked, ...list),
      ]) {
        expect(call).toThrow(StrataTypeError)
        expect(call).toThrow(/Doubled twice/)
      }
    }
    expect(world.stats()).toEqual(before)
    expect(owned(world, entity, [TABLE, D, MARK])).toEqual([0])
  })

  it('a wrong argument after right ones changes nothing', () => {
    const world = watchedWorld()
    const entity = world.spawn(TABLE)
    const before = world.stats()
    for (const wrong of [
      undefined,
      null,
      5,
      'Mark',
      {},
      [MARK],
      () => 1,
      component,
      Object.create(null),
      Symbol('m'),
    ]) {
      expect(() => world.spawn(MARK, wrong as never)).toThrow(StrataTypeError)
      expect(() => world.add(entity, MARK, wrong as never)).toThrow(StrataTypeError)
      expect(() => world.remove(entity, TABLE, wrong as never)).toThrow(StrataTypeError)
    }
    expect(world.stats()).toEqual(before)
    expect(owned(world, entity, [TABLE, MARK])).toEqual([0])
  })

  it('all subsets of six components, added to all subsets, give the union', () => {
    const world = watchedWorld()
    const six = [...MIXED, component('Sixth', { v: u8 })]
    const subset = (bits: number) => six.filter((_, k) => (bits >> k) & 1)
    for (let had = 0; had < 64; had++) {
      for (let given = 0; given < 64; given++) {
        const entity = world.spawn(...subset(had))
        world.add(entity, ...subset(given))
        const union = owned(world, entity, six).reduce((bits, k) => bits | (1 << k), 0)
        world.remove(entity, ...subset(given))
        const rest = owned(world, entity, six).reduce((bits, k) => bits | (1 << k), 0)
        if (union !== (had | given) || rest !== (had & ~given)) expect.unreachable(`${had} and ${given}`)
        world.destroy(entity)
      }
    }
    expect(world.stats().entities).toBe(0)
  })
})

describe('many components on one entity', () => {
  it.each([31, 32, 33, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025])('%i tags in one call', (count) => {
    const world = watchedWorld()
    const tags = tagsOf(count)
    const entity = world.spawn(...tags)
    const reverse = world.spawn(...[...tags].reverse())
    const last = tags[count - 1]
    expect(archetypeOf(world, reverse)).toBe(archetypeOf(world, entity))
    expect(world.has(entity, ...tags)).toBe(true)
    expect(world.remove(entity, tags[0], last)).toBe(true)
    expect(owned(world, entity, tags)).toEqual(tags.map((_, i) => i).slice(1, -1))
    expect(world.query(last).entities()).toEqual(Uint32Array.of(reverse))
    expect(world.query(tags[1], not(last)).entities()).toEqual(Uint32Array.of(entity))
  })

  it.each([63, 64, 65, 256, 500])('%i table components in one call keep their values apart', (count) => {
    const world = watchedWorld()
    const parts = Array.from({ length: count }, (_, i) => component(`C${i}`, { v: i32 }))
    const entity = world.spawn(...parts.map((part, i) => part({ v: i })))
    const other = world.spawn(...[...parts].reverse())
    world.remove(entity, parts[0], parts[count - 1])
    parts.forEach((part, i) => {
      const removed = i === 0 || i === count - 1
      expect(world.get(entity, part)).toEqual(removed ? undefined : { v: i })
      expect(world.get(other, part)).toEqual({ v: 0 })
    })
  })

  it.each(['sparse', 'stable'] as const)(
    '300 %s components in one call keep their values apart',
    (storage) => {
      const world = watchedWorld({ memory: { maximum: 2 ** 28 } })
      const parts = Array.from({ length: 300 }, (_, i) => numbered(`S${i}`, storage))
      const entity = world.spawn(...parts.map((part, i) => part({ value: i })))
      const other = world.spawn(...parts)
      world.remove(entity, ...parts.filter((_, i) => i % 3 === 0))
      parts.forEach((part, i) => {
        expect(world.get(entity, part)).toEqual(i % 3 === 0 ? undefined : { value: i })
        expect(world.get(other, part)).toEqual({ value: 0 })
      })
      world.destroy(entity)
      for (const part of parts) expect(world.query(part).count).toBe(1)
    },
  )
})

describe('4,096 component types in one world', () => {
  const types: ComponentLike[] = []
  beforeAll(() => {
    for (let i = 0; i < 4096; i++) types.push(declare(`Type${i}`, KINDS[i % KINDS.length]))
  })

  it('each is found on its own entity and on no other, even with ids above 64, 256 and 1,024', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 30 } })
    const handles = types.map((type) => world.spawn(type))
    expect(world.stats().components).toBe(4096)
    for (const i of [0, 1, 31, 32, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 2048, 4094, 4095]) {
      expect(world.query(types[i]).entities()).toEqual(Uint32Array.of(handles[i]))
      expect(owned(world, handles[i], types)).toEqual([i])
    }
  })

  it('pairs of low and high ids add and remove like any other', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 30 } })
    const entity = world.spawn()
    for (let low = 0; low < 2048; low += 97) {
      const pair = [types[4095 - low], types[low]]
      expect(world.add(entity, ...pair)).toBe(true)
      expect(world.has(entity, ...pair)).toBe(true)
      expect(world.query(...pair).entities()).toEqual(Uint32Array.of(entity))
      expect(world.query(pair[0], not(pair[1])).count).toBe(0)
      expect(world.remove(entity, ...pair)).toBe(true)
      expect(owned(world, entity, pair)).toEqual([])
    }
  })

  it('4,096 tags on one entity, in bundles of 512 and one by one', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 30 } })
    const tags = tagsOf(4096)
    const entity = world.spawn(TABLE({ x: 8 }))
    for (let i = 0; i < 4096; i += 512) expect(world.add(entity, ...tags.slice(i, i + 512))).toBe(true)
    expect(tags.every((one) => world.has(entity, one))).toBe(true)
    expect(world.get(entity, TABLE)).toEqual({ x: 8 })
    for (const i of [0, 64, 256, 2048, 4095]) {
      expect(world.remove(entity, tags[i])).toBe(true)
      expect(world.has(entity, tags[i])).toBe(false)
      expect(world.query(tags[i]).count).toBe(0)
      expect(world.query(tags[i === 0 ? 1 : i - 1]).count).toBe(1)
    }
    expect(world.destroy(entity)).toBe(true)
    expect(world.stats()).toMatchObject({ entities: 0, chunks: 0 })
  })
})

describe('more components than there is room for', () => {
  it('an entity collects tags until a limit is named, and the world stays whole', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 30 } })
    const witness = world.spawn(TABLE({ x: 3 }), SPARSE({ value: 4 }))
    const entity = world.spawn(TABLE({ x: 1 }), SPARSE({ value: 2 }))
    const tags = tagsOf(20_480)
    let added = 0
    for (; added < tags.length; added += 512) {
      try {
        world.add(entity, ...tags.slice(added, added + 512))
      } catch (error) {
        expect(error).toBeInstanceOf(LimitError)
        break
      }
    }
    expect(added).toBeGreaterThanOrEqual(4096)
    tags.forEach((one, i) => {
      if (world.has(entity, one) !== i < added) expect.unreachable(`tag ${i} of ${added}`)
      if (world.has(witness, one)) expect.unreachable(`tag ${i} reached another entity`)
    })
    expect(world.get(entity, TABLE)).toEqual({ x: 1 })
    expect(world.get(entity, SPARSE)).toEqual({ value: 2 })
    expect(world.get(witness, TABLE)).toEqual({ x: 3 })
    expect(world.get(witness, SPARSE)).toEqual({ value: 4 })
    expect(world.destroy(entity)).toBe(true)
    expect(world.isAlive(world.spawn(MARK))).toBe(true)
  })

  it('table components beyond one chunk are refused together, by name', () => {
    const world = watchedWorld()
    const parts = Array.from({ length: 4096 }, (_, i) => component(`C${i}`, { v: u8 }))
    const entity = world.spawn()
    let error: unknown
    let added = 0
    for (; added < parts.length; added += 64) {
      try {
        world.add(entity, ...parts.slice(added, added + 64))
      } catch (caught) {
        error = caught
        break
      }
    }
    expect(error).toMatchObject({ code: 'ROW_LIMIT' })
    expect(added).toBeGreaterThanOrEqual(512)
    expect(owned(world, entity, parts)).toEqual(parts.map((_, i) => i).slice(0, added))
    expect(world.destroy(entity)).toBe(true)
  })

  it('one component type more than a world knows throws LimitError; the world goes on', () => {
    const world = watchedWorld({ memory: { maximum: 2 ** 30 } })
    const entity = world.spawn()
    const tags = tagsOf(MAX_COMPONENTS)
    for (let i = 0; i < MAX_COMPONENTS; i += 255) world.remove(entity, ...tags.slice(i, i + 255))
    expect(world.stats().components).toBe(MAX_COMPONENTS)
    const before = world.stats()
    const OneMore = tag('OneMore')
    for (const call of [
      () => world.add(entity, OneMore),
      () => world.spawn(OneMore),
      () => world.query(OneMore),
    ]) {
      expect(call).toThrow(LimitError)
      expect(call).toThrow(/65,535 component types/)
    }
    expect(world.stats()).toEqual(before)
    expect(world.has(entity, OneMore)).toBe(false)
    expect(world.add(entity, tags[0], tags[MAX_COMPONENTS - 1])).toBe(true)
    expect(world.has(entity, tags[MAX_COMPONENTS - 1])).toBe(true)
    expect(world.query(tags[MAX_COMPONENTS - 1]).entities()).toEqual(Uint32Array.of(entity))
  })
})
