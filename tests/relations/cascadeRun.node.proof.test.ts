// Shows that one call of a kernel that reads the rows of parents carries values down a whole forest, as a walk by hand does,
// whatever the storage and whatever has changed since the last call.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  cascade,
  changed,
  component,
  createKernel,
  f32,
  not,
  relation,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  tag,
  toggle,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { kernelsOf } from '../support/kernels'
import { isShort } from '../support/proofs'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { isChecked } from '../support/world'

const { descend, mix, tally, wide, narrow, two } = await kernelsOf(
  `
export function descend(rows: Rows, path: Column<u32>, own: ReadonlyColumn<u32>, parent: ParentColumn<u32>): void {
  for (let i = rows.start; i < rows.end; i++) path[i] = parent.has(i) ? parent[i][0] * 31 + own[i] : own[i]
}
export function mix(rows: Rows, p: Vec3Column<f32>, parent: ParentColumn<f32>, by: f32): void {
  for (let i = rows.start; i < rows.end; i++) {
    if (!parent.has(i)) continue
    for (let k = 0; k < 3; k++) p[i][k] = parent[i][k] + by
  }
}
export function tally(rows: Rows, own: ReadonlyColumn<u32>, parent: ParentColumn<u32>): Sum<u32> {
  let sum: u32 = 0
  for (let i = rows.start; i < rows.end; i++) if (parent.has(i)) sum += parent[i][0]
  return sum
}
export function wide(rows: Rows, path: Column<u32>, entities: Entities, parent: ParentColumn<u32>): void {
  for (let i = rows.end - 1; i >= rows.start; i--) path[i] = (parent.has(i) ? parent[i][0] : 0) + 1
}
export function narrow(rows: Rows, x: Column<u8>, parent: ParentColumn<u8>): void {
  for (let i = rows.start; i < rows.end; i++) x[i] = parent.has(i) ? parent[i][0] + 1 : 0
}
export function two(rows: Rows, path: Column<u32>, first: ParentColumn<u32>, second: ParentColumn<f32>): void {
  for (let i = rows.start; i < rows.end; i++)
    path[i] = (first.has(i) ? first[i][0] : 1000) + (second.has(i) ? <u32>second[i][0] : 100)
}`,
  'descend.kernel.ts',
)

const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const Follows = relation('Follows', { exclusive: true })
const Keeps = relation('Keeps', { exclusive: true, onTargetDestroy: 'keep' })
const Likes = relation('Likes')
const Frozen = tag('Frozen')
const Own = component('Own', { n: u32 })

const anything = (value: unknown) => value as never

describe.each(STORAGES)('a kernel with parents over a %s component', (storage) => {
  const Path = component('Path', { n: u32, own: u32 }, { storage: STORED[storage] })
  const inWorld = () => {
    const world = watchedWorld()
    const kernel = createKernel(world, anything(descend), {
      path: [Path, 'n'],
      own: [Path, 'own'],
      parent: [ChildOf, Path, 'n'],
    } as never)
    const query = world.query(Path, cascade(ChildOf))
    return { world, query, run: () => query.run(kernel as never), path: (e: Entity) => world.get(e, Path)?.n }
  }

  it('carries values from roots to leaves in one call, though rows are in another order', () => {
    const { world, run, path } = inWorld()
    const leaf = world.spawn(Path({ own: 3 }))
    const middle = world.spawn(Path({ own: 2 }))
    const root = world.spawn(Path({ own: 1 }))
    world.add(leaf, ChildOf(middle))
    world.add(middle, ChildOf(root))
    run()
    expect([root, middle, leaf].map(path)).toEqual([1, 33, 33 * 31 + 3])
    world.set(root, Path, { own: 5 })
    run()
    expect(path(leaf)).toBe((5 * 31 + 2) * 31 + 3)
  })

  it('treats a parent without the component as no parent, and finds it once it has it', () => {
    const { world, run, path } = inWorld()
    const root = world.spawn(Path({ own: 1 }))
    const between = world.spawn(ChildOf(root))
    const leaf = world.spawn(Path({ own: 3 }), ChildOf(between))
    run()
    expect(path(leaf)).toBe(3)
    world.add(between, Path({ own: 2 }))
    run()
    expect(path(leaf)).toBe(33 * 31 + 3)
    world.remove(between, Path)
    run()
    expect(path(leaf)).toBe(3)
  })

  it.each([0, 1, 2, 63, 64, 65, 127, 128, 129, 700, 1300])(
    'carries values along a chain of %i whose rows are in reverse order',
    (count) => {
      const { world, run, query, path } = inWorld()
      const chain = Array.from({ length: count }, () => world.spawn(Path({ own: 1 })))
      for (let i = 1; i < count; i++) world.add(chain[i - 1] as Entity, ChildOf(chain[i] as Entity))
      run()
      run()
      let expected = 0
      for (let i = count - 1; i >= 0; i--) {
        expected = (Math.imul(expected, 31) + 1) >>> 0
        expect(path(chain[i] as Entity)).toBe(expected)
      }
      expect(query.count).toBe(count)
    },
  )

  it('follows rows that move, entities that come and go, and links that change', () => {
    const { world, run, path } = inWorld()
    const [sun, star] = [world.spawn(Path({ own: 1 })), world.spawn(Path({ own: 2 }))]
    const planets = Array.from({ length: 200 }, (_, i) => world.spawn(Path({ own: i }), ChildOf(sun)))
    const moons = planets.map((planet, i) => world.spawn(Path({ own: i }), ChildOf(planet)))
    const expectAll = (ofSun: number) => {
      run()
      planets.forEach((planet, i) => {
        if (!world.isAlive(planet)) return
        const own = ofSun * 31 + i
        expect(path(planet)).toBe(own)
        expect(path(moons[i] as Entity)).toBe(own * 31 + i)
      })
    }
    expectAll(1)
    for (let i = 0; i < 200; i += 3) world.destroy(planets[i] as Entity)
    expectAll(1)
    for (const planet of planets) if (world.isAlive(planet)) world.add(planet, ChildOf(star))
    expectAll(2)
    for (let i = 1; i < 200; i += 6)
      if (world.isAlive(planets[i] as Entity)) world.add(planets[i] as Entity, Frozen)
    expectAll(2)
    world.add(star, ChildOf(sun))
    expectAll(33)
    world.remove(star, ChildOf)
    expectAll(2)
  })

  it('works with snapshots, and with changes that waited for the end of a loop', () => {
    const { world, run, path } = inWorld()
    const [a, b] = [world.spawn(Path({ own: 1 })), world.spawn(Path({ own: 2 }))]
    const leaf = world.spawn(Path({ own: 3 }), ChildOf(a))
    run()
    const before = snapshotWorld(world)
    world.batch(() => {
      world.add(leaf, ChildOf(b))
      run()
      expect(path(leaf)).toBe(34)
    })
    run()
    expect(path(leaf)).toBe(65)
    world.destroy(b)
    restoreWorld(world, before)
    world.set(a, Path, { own: 7 })
    run()
    expect(path(leaf)).toBe(7 * 31 + 3)
    resetWorld(world)
    run()
    const root = world.spawn(Path({ own: 4 }))
    const child = world.spawn(Path({ own: 5 }), ChildOf(root))
    run()
    expect(path(child)).toBe(4 * 31 + 5)
  })
})

describe('the rows of a kernel with parents', () => {
  const Path = component('Path', { n: u32 })
  const Switched = component('Switched', { n: u32 }, { toggle })
  const Tracked = component('Tracked', { n: u32 }, { trackChanges: 'row' })

  const depthsIn = (world: World, Counted: typeof Path) => {
    const kernel = createKernel(world, anything(wide), {
      path: [Counted, 'n'],
      parent: [ChildOf, Counted, 'n'],
    } as never)
    return kernel as never
  }

  it('are never parents of each other in one run, so a loop may walk them backwards', () => {
    const world = watchedWorld()
    const chain = [world.spawn(Path)]
    for (let i = 1; i < 100; i++) chain.push(world.spawn(Path, ChildOf(chain[i - 1] as Entity)))
    const kernel = depthsIn(world, Path)
    const query = world.query(Path, cascade(ChildOf))
    query.run(kernel)
    expect(chain.map((one) => world.get(one, Path)?.n)).toEqual(chain.map((_, i) => i + 1))
    // And where places are counted, or rows told apart.
    for (const one of chain) world.set(one, Path, { n: 0 })
    query.slice(0, 60).run(kernel)
    expect(chain.map((one) => world.get(one, Path)?.n)).toEqual(chain.map((_, i) => (i < 60 ? i + 1 : 0)))
    query.where(Path, 'n', '==', 0).run(kernel)
    expect(chain.map((one) => world.get(one, Path)?.n)).toEqual(chain.map((_, i) => i + 1))
  })

  it('leave out entities that are switched off, whose children still read them', () => {
    const world = watchedWorld()
    const kernel = depthsIn(world, anything(Switched))
    const root = world.spawn(Switched({ n: 10 }))
    const middle = world.spawn(Switched({ n: 20 }), ChildOf(root))
    const leaf = world.spawn(Switched({ n: 30 }), ChildOf(middle))
    const query = world.query(Switched, cascade(ChildOf))
    world.disable(middle, Switched)
    query.run(kernel)
    expect([root, middle, leaf].map((one) => world.get(one, Switched)?.n)).toEqual([1, 20, 21])
  })

  it('are marked as changed in each call, even where rows are tracked', () => {
    const world = watchedWorld()
    const root = world.spawn(Path, Tracked)
    world.spawn(Path, Tracked, ChildOf(root))
    world.spawn(Path, Tracked, Frozen)
    for (const Counted of [Path, anything(Tracked) as typeof Path]) {
      const kernel = depthsIn(world, Counted)
      const query = world.query(Counted, not(Frozen), cascade(ChildOf))
      const seen = world.query(changed(Counted))
      for (let round = 0; round < 3; round++) {
        seen.entities()
        world.advanceTick()
        expect(seen.count).toBe(0)
        query.run(kernel)
        expect(seen.count).toBe(2)
      }
    }
  })

  it('can have a vec, scalars, and narrow fields', () => {
    const world = watchedWorld()
    const Place = component('Place', { p: vec(f32, 3) })
    const Depth = component('Depth', { x: u8 })
    const root = world.spawn(Place({ p: [1, 2, 3] }), Depth)
    const child = world.spawn(Place, Depth, ChildOf(root))
    const leaf = world.spawn(Place, Depth, ChildOf(child))
    const query = world.query(Place, Depth, cascade(ChildOf))
    query.run(
      createKernel(world, anything(mix), {
        p: [Place, 'p'],
        parent: [ChildOf, Place, 'p'],
      } as never) as never,
      { by: 0.5 } as never,
    )
    expect(Array.from(world.get(leaf, Place)?.p ?? [])).toEqual([2, 3, 4])
    query.run(
      createKernel(world, anything(narrow), {
        x: [Depth, 'x'],
        parent: [ChildOf, Depth, 'x'],
      } as never) as never,
    )
    expect([root, child, leaf].map((one) => world.get(one, Depth)?.x)).toEqual([0, 1, 2])
  })

  it('may read several columns of parents, each of which a parent may lack', () => {
    const world = watchedWorld()
    const Heat = component('Heat', { t: f32 }, { storage: sparse })
    const kernel = createKernel(world, anything(two), {
      path: [Path, 'n'],
      first: [ChildOf, Path, 'n'],
      second: [ChildOf, Heat, 't'],
    } as never) as never
    const warm = world.spawn(Heat({ t: 7 }))
    const both = world.spawn(Path, Heat({ t: 5 }))
    const under = [world.spawn(Path, ChildOf(warm)), world.spawn(Path, ChildOf(both)), world.spawn(Path)]
    world.query(Path, cascade(ChildOf)).run(kernel)
    expect([both, ...under].map((one) => world.get(one, Path)?.n)).toEqual([1100, 1007, 1105, 1100])
  })

  it('add up to one result over all calls', () => {
    const world = watchedWorld()
    const root = world.spawn(Own({ n: 3 }))
    const children = Array.from({ length: 5000 }, (_, i) => world.spawn(Own({ n: i }), ChildOf(root)))
    for (let i = 0; i < 5000; i += 2) world.spawn(Own({ n: 1 }), ChildOf(children[i] as Entity))
    const kernel = createKernel(world, anything(tally), {
      own: [Own, 'n'],
      parent: [ChildOf, Own, 'n'],
    } as never) as never
    const query = world.query(Own, cascade(ChildOf))
    const expected = 5000 * 3 + 2 * ((2499 * 2500) / 2)
    expect([query.run(kernel), query.run(kernel)]).toEqual([expected, expected])
  })

  it('reach a million levels down without recursion', () => {
    const world = watchedWorld()
    // The guard looks at the memory around every single row.
    const count = isChecked ? 4000 : isShort ? 100_000 : 1_000_000
    const handles = spawnMany(world, count, [Path])
    const parents = handles.subarray(0, count - 1)
    const Under = relation('Under', { exclusive: true })
    for (let i = 1; i < count; i++) world.add(handles[i] as Entity, Under(parents[i - 1] as Entity))
    const kernel = createKernel(world, anything(wide), {
      path: [Path, 'n'],
      parent: [Under, Path, 'n'],
    } as never) as never
    const query = world.query(Path, cascade(Under))
    query.run(kernel)
    expect(world.get(handles[count - 1] as Entity, Path)?.n).toBe(count)
    world.remove(handles[count / 2] as Entity, Under)
    query.run(kernel)
    expect(world.get(handles[count - 1] as Entity, Path)?.n).toBe(count / 2)
  }, 120_000)

  it('lose parents that are destroyed, by each policy', () => {
    for (const Links of [ChildOf, Follows, Keeps]) {
      const world = watchedWorld()
      const kernel = createKernel(world, anything(wide), {
        path: [Path, 'n'],
        parent: [Links, Path, 'n'],
      } as never) as never
      const root = world.spawn(Path)
      const child = world.spawn(Path, Links(root))
      const leaf = world.spawn(Path, Links(child))
      const query = world.query(Path, cascade(Links))
      query.run(kernel)
      expect(world.get(leaf, Path)?.n).toBe(3)
      world.destroy(root)
      query.run(kernel)
      expect(world.get(leaf, Path)?.n).toBe(Links === ChildOf ? undefined : 2)
    }
  })
})

describe('a kernel with parents is refused', () => {
  const Path = component('Path', { n: u32, x: f32 })
  const refused = (binding: unknown): unknown => {
    const world = watchedWorld()
    try {
      return createKernel(world, anything(descend), {
        path: [Path, 'n'],
        own: [Path, 'n'],
        parent: binding,
      } as never)
    } catch (error) {
      return error
    }
  }

  it.each([
    ['no binding', undefined, /'parent'.* a relation, a component and the name of a field/],
    ['a column of its own', [Path, 'n'], /\[Relation, Component, 'field'\]/],
    ['no relation', [Path, Path, 'n'], /a relation first, not/],
    ['a relation with many targets', [Likes, Path, 'n'], /one target, and in Likes .*exclusive: true/],
    ['a tag', [ChildOf, Frozen, 'n'], /the field of a component/],
    ['a field that is not there', [ChildOf, Path, 'z'], /no 'z'.*n, x/],
    ['a field of another kind', [ChildOf, Path, 'x'], /u32 of the parents.*Path\.x is f32/],
  ])('for %s', (_, binding, sentence) => {
    expect(refused(binding)).toMatchObject({
      code: 'INVALID_BINDING',
      message: expect.stringMatching(sentence),
    })
  })

  it('over a query that does not visit parents first', () => {
    const world = watchedWorld()
    const kernel = createKernel(world, anything(descend), {
      path: [Path, 'n'],
      own: [Path, 'n'],
      parent: [ChildOf, Path, 'n'],
    } as never) as never
    for (const query of [world.query(Path), world.query(Path, cascade(Follows)), world.query(Path, ChildOf)])
      expect(() => query.run(kernel)).toThrow(/add|cascade\(ChildOf\) among its terms/)
  })

  it('where links lead in a circle, and runs again once they do not', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(Path), world.spawn(Path)]
    const kernel = createKernel(world, anything(wide), {
      path: [Path, 'n'],
      parent: [Follows, Path, 'n'],
    } as never)
    const query = world.query(Path, cascade(Follows))
    world.add(a, Follows(b))
    query.run(kernel as never)
    world.add(b, Follows(a))
    expect(() => query.run(kernel as never)).toThrow(expect.objectContaining({ code: 'RELATION_CYCLE' }))
    world.remove(a, Follows)
    query.run(kernel as never)
    expect([a, b].map((one) => world.get(one, Path)?.n)).toEqual([1, 2])
  })
})
