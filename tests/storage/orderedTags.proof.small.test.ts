// Shows that an ordered tag's entities are visited in their order: as they were added, or as they were sorted; in every kind of
// query, through every change. checkInvariants looks at the order lists themselves.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Entity,
  addMany,
  clearWorld,
  cloneEntity,
  createAccessor,
  createCommands,
  destroyMany,
  enableMany,
  endFrame,
  createGroup,
  LimitError,
  type World,
  changed,
  component,
  f32,
  f64,
  not,
  onAdd,
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
  u32,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { indexOf } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { leaveFree, withoutFreeObjects } from '../support/scarcity'
import { ROW_COUNTS } from '../support/rowCounts'
import { seededRandom } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const Other = tag('Other', { order: 'insertion' })
const ByInsertion = tag('ByInsertion', { order: 'insertion' })
const Place = component('Place', { x: f32, n: u32 })
const Health = component('Health', { hp: f64 }, { storage: sparse })
const Slot = component('Slot', { n: u32 }, { storage: stable })
const Extra = component('Extra', { n: u32 })
const Mark = tag('Mark')

/** The handles in the order in which a loop visits them. */
function visited(world: World, ...terms: any[]): number[] {
  const seen: number[] = []
  for (const chunk of world.query(...terms) as Iterable<any>)
    for (let row = chunk.start; row < chunk.end; row++) seen.push(chunk.entities[row])
  return seen
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seededRandom(seed)
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}

describe('an ordered tag', () => {
  const Tag = ByInsertion

  it.each(ROW_COUNTS)('visits %i entities in order', (count) => {
    const world = watchedWorld()
    const handles = shuffled([...spawnMany(world, count, [Place])], count)
    for (const e of handles) world.add(e, Tag)
    const expected = [...handles]
    expect(visited(world, Tag)).toEqual(expected)
    expect([...world.query(Tag).entities()]).toEqual(expected)
    expect(visited(world, Tag, Place)).toEqual(expected)
    expect(world.query(Tag).count).toBe(count)
    expect(world.query(Tag, Place).count).toBe(count)
    expect(world.query(Tag).first()).toBe(expected[0])
    const gone = shuffled(handles, 1).slice(0, count >> 1)
    for (const e of gone) world.remove(e, Tag)
    expect(visited(world, Tag)).toEqual(expected.filter((e) => !gone.includes(e as Entity)))
  })

  it('is followed by every query that requires it, whatever its other terms', () => {
    const world = watchedWorld()
    const random = seededRandom(7)
    const handles: Entity[] = []
    for (let i = 0; i < 400; i++) {
      const kinds = [Place({ n: i }), Health({ hp: i }), Slot({ n: i }), Mark].filter(() => random() < 0.6)
      handles.push(world.spawn(...kinds))
    }
    const added = shuffled(handles, 2).slice(0, 300)
    for (const e of added) world.add(e, Tag)
    const expected = [...added] as Entity[]
    const having = (...kinds: any[]) => expected.filter((e) => world.has(e, ...kinds))
    expect(visited(world, Tag, Place)).toEqual(having(Place))
    expect(visited(world, Health, Tag)).toEqual(having(Health))
    expect(visited(world, Tag, Slot, Mark)).toEqual(having(Slot, Mark))
    expect(visited(world, Tag, not(Mark))).toEqual(expected.filter((e) => !world.has(e, Mark)))
    expect(visited(world, Tag, optional(Place), not(Slot))).toEqual(
      expected.filter((e) => !world.has(e, Slot)),
    )
    const rows: unknown[] = []
    world.query(Tag, Place, Health, optional(Slot)).each((e, p, h, s) => rows.push([e, p.n, h.hp, s?.n]))
    expect(rows).toEqual(
      having(Place, Health).map((e) => {
        const n = handles.indexOf(e)
        return [e, n, n, world.has(e, Slot) ? n : undefined]
      }),
    )
    const cursors: unknown[] = []
    for (const chunk of world.query(Tag, Health)) {
      for (let i = chunk.start; i < chunk.end; i++) cursors.push(chunk.cursor(Health).at(i).hp)
    }
    expect(cursors).toEqual(having(Health).map((e) => handles.indexOf(e)))
    const columns: unknown[] = []
    for (const chunk of world.query(Tag, Place)) {
      const { n } = chunk.write(Place)
      for (let i = chunk.start; i < chunk.end; i++) columns.push(n[i])
    }
    expect(columns).toEqual(having(Place).map((e) => handles.indexOf(e)))
    expect([...sortedEntities(world.query(Tag, Place), Place, 'n')]).toEqual(
      having(Place).sort((a, b) => handles.indexOf(a) - handles.indexOf(b)),
    )
  })

  it('is followed by conditions, windows, places and changes', () => {
    const world = watchedWorld()
    const handles = Array.from({ length: 5000 }, (_, n) => world.spawn(Place({ n }), Health({ hp: n % 7 })))
    const added = shuffled(handles, 5)
    for (const e of added) world.add(e, Tag)
    const expected = [...added]
    const numberOf = new Map(handles.map((e, n) => [e as number, n]))
    const meant = expected.filter(
      (e) => (numberOf.get(e) as number) < 4000 && (numberOf.get(e) as number) % 7 > 3,
    )
    const query = world.query(Tag, Place, Health).where(Place, 'n', '<', 4000).where(Health, 'hp', '>', 3)
    expect([...query.entities()]).toEqual(meant)
    expect([...query.slice(100, 150).entities()]).toEqual(meant.slice(100, 150))
    expect([...world.query(Tag).slice(4990, 5_040).entities()]).toEqual(expected.slice(4990))
    expect([...world.query(Tag, Place).slice(4090, 4_140).entities()]).toEqual(expected.slice(4090, 4140))
    expect(world.query(Tag).at(4321)).toBe(expected[4321])
    expect(world.query(Tag, Place).at(0)).toBe(expected[0])
    expect([0, 1, 2].flatMap((i) => [...world.query(Tag, Place).partition(i, 3).entities()])).toEqual(
      expected,
    )
    const news = world.query(Tag, changed(Slot))
    expect(news.count).toBe(0)
    for (const e of added.slice(0, 3)) world.add(e, Slot)
    expect([...news.entities()]).toEqual(added.slice(0, 3))
    expect([...news.entities()]).toEqual([])
    expect(destroyMany(query)).toBe(meant.length)
    expect(visited(world, Tag)).toEqual(expected.filter((e) => !meant.includes(e)))
  })

  it('can be switched off if it is declared with a toggle', () => {
    const world = watchedWorld()
    const Lit = tag('Lit', { order: 'insertion', toggle })
    const handles = shuffled([...spawnMany(world, 300, [Place])], 8)
    for (const e of handles) world.add(e, Lit)
    for (const e of handles.slice(0, 100)) world.disable(e, Lit)
    const expected = handles.slice(100)
    expect(visited(world, Lit)).toEqual(expected)
    expect(visited(world, Lit, Place)).toEqual(expected)
    enableMany(world.query(Lit), Lit)
    expect(visited(world, Lit)).toEqual([...handles])
  })

  it('keeps its order when a bulk change moves the rows too', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 300, [Place])]
    expect(addMany(world.query(Place), Tag, Extra)).toBe(300)
    expect(visited(world, Tag)).toEqual(handles)
  })

  it('is copied with clones, and may end with the frame', () => {
    const world = watchedWorld()
    const Seen = tag('Seen', { order: 'insertion', lifetime: 'frame' })
    const handles = [...spawnMany(world, 10, [Tag, Seen])]
    const copies = [cloneEntity(world, handles[3]), ...cloneMany(world, handles[5], 300)]
    expect(visited(world, Tag)).toEqual([...handles, ...copies])
    expect(visited(world, Seen)).toEqual([...handles, ...copies])
    endFrame(world)
    expect(visited(world, Seen)).toEqual([])
    world.add(handles[7], Seen)
    expect(visited(world, Seen)).toEqual([handles[7]])
    expect(visited(world, Tag)).toEqual([...handles, ...copies])
  })

  it('gives runs as long as consecutive entities have consecutive rows', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 3000, [Place])]
    for (const e of handles) world.add(e, Tag)
    const all = [...world.query(Place)].length
    expect([...world.query(Tag, Place)].length).toBe(all)
    world.remove(handles[1000], Tag)
    expect([...world.query(Tag, Place)].length).toBe(all + 1)
  })

  it('is a tag in every other way', () => {
    const world: any = watchedWorld()
    const e = world.spawn(Tag, Place)
    const other = world.spawn(Place)
    expect(world.has(e, Tag)).toBe(true)
    expect(world.has(other, Tag)).toBe(false)
    expect(world.get(e, Tag)).toBe(undefined)
    expect(world.add(e, Tag)).toBe(false)
    expect(world.add(other, Tag)).toBe(true)
    expect(world.remove(other, Tag)).toBe(true)
    expect(world.remove(other, Tag)).toBe(false)
    expect(visited(world, Place, not(Tag))).toEqual([other])
    expect(visited(world, Place, optional(Tag)).length).toBe(2)
    expect(codeOf(() => createAccessor(world, Tag as never))).toBe('NOT_A_COMPONENT')
    for (const chunk of world.query(Tag, Place)) {
      expect(codeOf(() => chunk.read(Tag))).toBe('NOT_A_COLUMN')
    }
    world.destroy(e)
    expect(visited(world, Tag)).toEqual([])
  })

  it('follows adding, removing and destroying in bulk', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 600, [Place])]
    handles.forEach((e, i) => i % 3 === 0 && world.add(e, Mark))
    const marked = visited(world, Place, Mark)
    expect(addMany(world.query(Place, Mark), Tag)).toBe(200)
    expect(visited(world, Tag)).toEqual([...marked])
    const rest = visited(world, Place).filter((e) => !marked.includes(e))
    expect(addMany(world.query(Place), Tag)).toBe(600)
    expect(visited(world, Tag)).toEqual([...marked, ...rest])
    checkInvariants(world)
    removeMany(world.query(Mark), Tag)
    expect(visited(world, Tag)).toEqual([...rest])
    const more = [...spawnMany(world, 100, [Tag, Health])]
    expect(visited(world, Tag)).toEqual([...rest, ...more])
    destroyMany(world.query(Tag, Health))
    expect(visited(world, Tag)).toEqual([...rest])
    destroyMany(world, rest.slice(0, 50))
    expect(visited(world, Tag)).toEqual(rest.slice(50))
    removeMany(world.query(Tag), Tag)
    expect(world.query(Tag).count).toBe(0)
    addMany(world.query(Place), Tag)
    clearWorld(world)
    expect(visited(world, Tag)).toEqual([])
    const last = world.spawn(Tag)
    expect(visited(world, Tag)).toEqual([last])
    resetWorld(world)
    expect(visited(world, Tag)).toEqual([])
  })

  it('stays in its order while a loop over it queues changes, and shows them after it', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 50, [Tag, Place])]
    const seen: number[] = []
    const inner: number[][] = []
    world.query(Tag).each((e) => {
      seen.push(e)
      if (seen.length % 2 === 0) world.remove(e, Tag)
      if (seen.length === 10) world.spawn(Tag)
      if (seen.length % 20 === 0) inner.push(visited(world, Tag))
    })
    expect(seen).toEqual(handles)
    expect(inner).toEqual([handles, handles])
    const added = visited(world, Tag).filter((e) => !handles.includes(e as Entity))
    expect(added.length).toBe(1)
    expect(visited(world, Tag)).toEqual([...handles.filter((_, i) => i % 2 === 0), ...added])
  })

  it('is put in order in a loop that opens inside another one', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 20, [Place])]
    for (const e of shuffled(handles, 3)) world.add(e, Tag)
    world.remove(handles[5], Tag)
    const expected = shuffled(handles, 3).filter((e) => e !== handles[5])
    for (const _ of world.query(Place)) expect(visited(world, Tag)).toEqual(expected)
  })

  it('takes no more memory however often it is added and removed', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 100, [Place, Tag])]
    const turn = () => {
      for (const e of handles) {
        world.remove(e, Tag)
        world.add(e, Tag)
      }
    }
    for (let i = 0; i < 5; i++) turn()
    const before = world.stats().bytesUsed
    for (let i = 0; i < 50; i++) turn()
    expect(world.stats().bytesUsed).toBe(before)
    expect(visited(world, Tag)).toEqual(handles)
  })

  it('fails as a whole when memory runs out, for one entity and in bulk', () => {
    for (let kib = 0; kib < 24; kib++) {
      const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
      const handles = [...spawnMany(world, 300, [Place])]
      for (let i = 0; i < 60; i++) world.add(handles[i * 2], Tag)
      const expected = visited(world, Tag)
      const query = world.query(Place)
      leaveFree(world, kib)
      withoutFreeObjects(world, () => {
        for (const action of [
          () => world.add(handles[1], Tag),
          () => world.spawn(Tag),
          () => addMany(query, Tag),
          () => spawnMany(world, 200, [Tag]),
        ]) {
          try {
            action()
            return
          } catch (error) {
            expect(error).toBeInstanceOf(LimitError)
            expect(visited(world, Tag)).toEqual(expected)
          }
        }
      })
      checkInvariants(world)
    }
  })
})

describe('re-adding', () => {
  it('puts an entity at the end of the order', () => {
    const world = watchedWorld()
    const [a, b, c] = [0, 1, 2].map(() => world.spawn(Other, ByInsertion)) as [Entity, Entity, Entity]
    world.remove(a, ByInsertion)
    world.add(a, ByInsertion)
    expect(visited(world, ByInsertion)).toEqual([b, c, a])
    expect(visited(world, Other)).toEqual([a, b, c])
    // The first ordered tag that is required decides.
    expect(visited(world, ByInsertion, Other)).toEqual([b, c, a])
    expect(visited(world, Other, ByInsertion)).toEqual([a, b, c])
    expect(visited(world, optional(Other), ByInsertion)).toEqual([b, c, a])
  })

  it('of an index that names a new entity is not confused with the old one', () => {
    const world = watchedWorld()
    const all = [...spawnMany(world, 1500, [ByInsertion])]
    destroyMany(world, all.slice(0, 1200))
    const reborn = [...spawnMany(world, 100, [ByInsertion])]
    expect(reborn.some((e) => indexOf(e) < 1200)).toBe(true)
    expect(visited(world, ByInsertion)).toEqual([...all.slice(1200), ...reborn])
  })
})

describe('a tag in insertion order that is added in a block', () => {
  /** A world of `count` entities with the tag, in the order of their handles. */
  const lined = (count: number) => {
    const world = watchedWorld()
    const all = Array.from({ length: count }, (_, n) => world.spawn(Place({ n }), ByInsertion))
    return { world, all }
  }
  const again = (target: Pick<World, 'remove' | 'add'>, e: Entity) => {
    target.remove(e, ByInsertion)
    target.add(e, ByInsertion)
  }
  const ways: Record<string, (world: World, e: Entity) => void> = {
    'at once': again,
    'in a batch': (world, e) => world.batch(() => again(world, e)),
    'in a loop': (world, e) => {
      for (const chunk of world.query(Place)) if (chunk.entities[chunk.start] === e) again(world, e)
    },
    'in a command buffer': (world, e) => {
      const commands = createCommands(world)
      again(commands as never, e)
      commands.apply()
    },
    'in a listener': (world, e) => {
      onAdd(world, Mark, (marked) => again(world, marked))
      world.add(e, Mark)
    },
    'by an exchange with itself': (world, e) => void world.exchange(e, [ByInsertion], [ByInsertion]),
    'by a deferred exchange with itself': (world, e) =>
      world.batch(() => world.exchange(e, [ByInsertion], [ByInsertion])),
    'in a block after an exchange with itself': (world, e) =>
      world.batch(() => {
        world.exchange(e, [ByInsertion], [ByInsertion])
        world.add(e, Extra)
        world.add(e, Mark)
      }),
  }

  it.each(Object.keys(ways))('moves an entity that had it to the end: removed and added again %s', (way) => {
    const { world, all } = lined(3)
    const [a, b, c] = all
    ways[way]?.(world, a as Entity)
    expect(visited(world, ByInsertion)).toEqual([b, c, a])
    expect(visited(world, ByInsertion, Place)).toEqual([b, c, a])
  })

  it('keeps an entity in its place if it is added once more', () => {
    const { world, all } = lined(3)
    world.batch(() => {
      world.add(all[0] as Entity, Mark)
      world.add(all[0] as Entity, ByInsertion)
    })
    expect(visited(world, ByInsertion)).toEqual(all)
  })

  it('is in the order of the commands, whatever else they do to the same entities', () => {
    const { world, all } = lined(4)
    const [a, b, c, d] = all as [Entity, Entity, Entity, Entity]
    const e = world.spawn(Place)
    world.batch(() => {
      world.add(a, Mark)
      world.add(e, Mark)
      again(world, c)
      const f = world.spawn(Place)
      again(world, b)
      world.add(e, ByInsertion)
      world.add(f, ByInsertion)
      again(world, a)
      all.push(e, f)
      world.remove(c, Mark)
    })
    const [f] = all.slice(-1)
    expect(visited(world, ByInsertion)).toEqual([d, c, b, e, f, a])
  })

  it('is in the order of the commands for more entities than fit into one call', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 40_000, [Place])] as Entity[]
    const order = shuffled(handles, 9)
    world.batch(() => {
      for (const e of handles) world.add(e, Mark)
      for (const e of order) world.add(e, ByInsertion)
    })
    expect(visited(world, ByInsertion)).toEqual(order)
  })

  it('is in order before a bulk change, or a sort, later in the block', () => {
    const { world, all } = lined(2)
    const [a, b] = all as [Entity, Entity]
    const late = world.spawn(Place({ n: 9 }), Extra)
    world.batch(() => {
      world.add(a, Mark)
      again(world, b)
      again(world, a)
      addMany(world.query(Extra), ByInsertion)
      again(world, b)
    })
    expect(visited(world, ByInsertion)).toEqual([a, late, b])
  })

  it('takes no more memory however often it is exchanged with itself', () => {
    const { world, all } = lined(50)
    const turn = () => all.forEach((e) => world.exchange(e, [ByInsertion], [ByInsertion]))
    for (let i = 0; i < 5; i++) turn()
    const before = world.stats().bytesUsed
    for (let i = 0; i < 50; i++) turn()
    expect(world.stats().bytesUsed).toBe(before)
    expect(visited(world, ByInsertion)).toEqual(all)
  })

  it('stays in its order if there is no memory for an exchange with itself', () => {
    let refused = 0
    for (let count = 250; count < 262; count++) {
      const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
      const all = [world.spawn(ByInsertion)]
      const exchange = () => world.exchange(all[0] as Entity, [ByInsertion], [ByInsertion])
      // So that the bundle and the query are there.
      exchange()
      visited(world, ByInsertion)
      while (all.length < count) all.push(world.spawn(ByInsertion))
      leaveFree(world, 0)
      withoutFreeObjects(world, () => {
        try {
          exchange()
          expect(visited(world, ByInsertion)).toEqual([...all.slice(1), all[0]])
        } catch (error) {
          expect(error).toBeInstanceOf(LimitError)
          expect(visited(world, ByInsertion)).toEqual(all)
          refused++
        }
      })
      checkInvariants(world)
    }
    expect(refused).toBeGreaterThan(0)
  })
})

describe('sortRows of an ordered tag', () => {
  it.each([Place, Health, Slot])(
    'orders it by a field of %o, stable, entities without the field last',
    (Keyed: any) => {
      const world = watchedWorld()
      const random = seededRandom(11)
      const field = Keyed === Health ? 'hp' : 'n'
      const handles = Array.from({ length: 700 }, () =>
        world.spawn(...(random() < 0.7 ? [Keyed({ [field]: Math.floor(random() * 40) })] : [])),
      )
      const added = shuffled(handles, 4).slice(0, 600)
      for (const e of added) world.add(e, ByInsertion)
      for (const e of added.slice(0, 50)) world.remove(e, ByInsertion)
      const old = added.slice(50)
      sortRows(world, ByInsertion, Keyed, field as never)
      const key = (e: Entity) => (world.get(e, Keyed) as any)?.[field] ?? Infinity
      const expected = old
        .map((e, i) => [key(e), i, e] as const)
        .sort(([a, i], [b, k]) => (a === b ? i - k : a - b))
        .map(([, , e]) => e)
      expect(visited(world, ByInsertion)).toEqual(expected)
      const late = world.spawn(ByInsertion)
      expect(visited(world, ByInsertion)).toEqual([...expected, late])
      sortRowsAs(world, Health, ByInsertion)
      const holders = visited(world, ByInsertion).filter((e) => world.has(e as Entity, Health))
      expect([...world.query(Health).entities()].slice(0, holders.length)).toEqual(holders)
    },
  )

  it('waits for the end of a loop', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(ByInsertion, Place({ n: 2 })), world.spawn(ByInsertion, Place({ n: 1 }))]
    const seen: number[] = []
    world.query(ByInsertion).each((e) => {
      sortRows(world, ByInsertion, Place, 'n')
      seen.push(e)
    })
    expect(seen).toEqual([a, b])
    expect(visited(world, ByInsertion)).toEqual([b, a])
  })

  it('changes nothing when there is no memory to sort in', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const handles = [...spawnMany(world, 3000, [Place, ByInsertion])]
    handles.forEach((e, i) => world.set(e, Place, { n: 5000 - i }))
    leaveFree(world, 20)
    expect(() => sortRows(world, ByInsertion, Place, 'n')).toThrow(LimitError)
    expect(visited(world, ByInsertion)).toEqual(handles)
  })

  it('refuses what cannot be sorted, and says why', () => {
    const loose = { group: createGroup, sort: sortRows, sortAs: sortRowsAs } as any
    const world: any = watchedWorld()
    expect(codeOf(() => loose.sort(world, ByInsertion, Place, 'none'))).toBe('UNKNOWN_FIELD')
    expect(codeOf(() => loose.sort(world, ByInsertion, 'n'))).toBe('NOT_A_COMPONENT')
    expect(codeOf(() => loose.sort(world, Mark, 'n'))).toBe('UNKNOWN_FIELD')
    expect(codeOf(() => loose.sortAs(world, ByInsertion, Health))).toBe('INVALID_ORDER')
    expect(codeOf(() => loose.group(world, ByInsertion, Health))).toBe('INVALID_GROUP')
    expect(codeOf(() => tag('Wrong', { order: 'random' } as any))).toBe('INVALID_SCHEMA')
    expect(codeOf(() => loose.sort(world, ByInsertion, Place, 'n'))).toBe('nothing thrown')
  })
})

describe('a model of ordered tags', () => {
  const operation = fc.oneof(
    { weight: 3, arbitrary: fc.record({ name: fc.constant('spawn' as const), with: fc.boolean() }) },
    {
      weight: 8,
      arbitrary: fc.record({ name: fc.constantFrom('add' as const, 'remove' as const), at: fc.nat() }),
    },
    { weight: 2, arbitrary: fc.record({ name: fc.constant('destroy' as const), at: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        name: fc.constantFrom('addAll' as const, 'removeSome' as const, 'sort' as const, 'look' as const),
      }),
    },
  )

  it('has the same entities in the same order after every operation', () => {
    const Tag = ByInsertion
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120 }), (operations) => {
        const world = testWorld()
        let living: Entity[] = []
        let tagged: Entity[] = []
        let n = 0
        for (const step of operations) {
          const chosen = 'at' in step ? living[step.at % (living.length || 1)] : undefined
          if (step.name === 'spawn') {
            const value = (n++ * 7919) % 13
            const e = world.spawn(
              ...(value % 3 ? [Place({ n: value })] : []),
              ...(value % 2 ? [Mark] : []),
              ...(step.with ? [Tag] : []),
            )
            living.push(e)
            if (step.with) tagged.push(e)
          } else if (step.name === 'addAll') {
            tagged.push(...[...world.query(Mark).entities()].filter((e) => !tagged.includes(e)))
            addMany(world.query(Mark), Tag)
          } else if (step.name === 'removeSome') {
            tagged = tagged.filter((e) => !world.has(e, Mark))
            removeMany(world.query(Tag, Mark), Tag)
          } else if (step.name === 'sort') {
            sortRows(world, Tag, Place, 'n')
            const key = (e: Entity) => world.get(e, Place)?.n ?? 99
            tagged = tagged
              .map((e, i) => [key(e), i, e] as const)
              .sort(([a, i], [b, k]) => a - b || i - k)
              .map(([, , e]) => e)
          } else if (step.name === 'look') visited(world, Tag)
          else if (chosen !== undefined) {
            if (step.name === 'add') {
              if (world.add(chosen, Tag)) tagged.push(chosen)
            } else {
              tagged = tagged.filter((e) => e !== chosen)
              if (step.name === 'remove') world.remove(chosen, Tag)
              else {
                world.destroy(chosen)
                living = living.filter((e) => e !== chosen)
              }
            }
          }
          checkInvariants(world)
          if (n % 3 === 0) continue
          expect(visited(world, Tag)).toEqual(tagged)
          expect(visited(world, Tag, Place)).toEqual(tagged.filter((e) => world.has(e as Entity, Place)))
        }
        expect(visited(world, Tag)).toEqual(tagged)
        world.dispose()
      }),
      { numRuns: proofLength(60) },
    )
  })
})

describe('two entities tagged by a bulk change', () => {
  it.each([
    ['in their table', [Place]],
    ['in their pool', [Health]],
    ['row by row', [Place, Health]],
    ['in a stable pool', [Slot]],
  ] as [string, never[]][])('are in the order of their rows when it walks them %s', (_, having) => {
    const world = watchedWorld()
    const both = [world.spawn(...having), world.spawn(...having)]
    expect(addMany(world.query(...having), ByInsertion)).toBe(2)
    expect(visited(world, ByInsertion)).toEqual(both)
    removeMany(world.query(ByInsertion), ByInsertion)
    expect(addMany(world.query(...having), ByInsertion, Extra as never)).toBe(2)
    expect(visited(world, ByInsertion)).toEqual(both)
  })
})
