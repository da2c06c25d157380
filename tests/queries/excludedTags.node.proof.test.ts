// Shows that entities with a tag of `excludeFromQueries: true` are in no query that does not name it, however the query is carried out, and
// whether the query or the tag was there first. Expectations come from a list of what was made.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  any,
  cascade,
  changed,
  cloneMany,
  component,
  createGroup,
  createKernel,
  destroyMany,
  disableMany,
  endFrame,
  forkWorld,
  inCreationOrder,
  loadWorld,
  not,
  object,
  objectsOf,
  onAdd,
  onChange,
  onEnter,
  onExit,
  optional,
  QueuedForDestroy,
  relation,
  removeMany,
  resetWorld,
  restoreWorld,
  saveWorld,
  snapshotWorld,
  sortedEntities,
  sparse,
  spawnMany,
  stable,
  sumOf,
  tag,
  toggle,
  u32,
  type ComponentLike,
  type Entity,
  type Ingredient,
  type Query,
  type Term,
  type World,
} from '../../bindings/index'
import { kernelsOf } from '../support/kernels'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { ROW_COUNTS } from '../support/rowCounts'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const Prefab = tag('Prefab', { excludeFromQueries: true })
const Disabled = tag('Disabled', { excludeFromQueries: true })
const Plain = component('Plain', { n: u32 })
const Loose = component('Loose', { n: u32 }, { storage: sparse })
const Fixed = component('Fixed', { n: u32 }, { storage: stable })
const Switch = component('Switch', { n: u32 }, { toggle })
const Mark = tag('Mark')
/** In no entity: with it a query is one that was not made before. */
const Unmet = tag('Unmet')
const Selected = tag('Selected', { order: 'insertion' })
const Sprite = object<string>('Sprite', { revive: () => 'held' })
const KINDS = [Plain, Loose, Fixed, Switch, Mark, Selected, Sprite] as const
const ALL: readonly ComponentLike[] = [...KINDS, Prefab, Disabled]
const ChildOf = relation('ChildOf', { exclusive: true })

const kernels = await kernelsOf(`
export function bump(rows: Rows, n: Column<u32>): Count {
  for (let i = rows.start; i < rows.end; i++) n[i] += 1
  return rows.end - rows.start
}`)

const ordered = (handles: Iterable<number>) => [...handles].sort((a, b) => a - b)

/** Every way to look at a query gives these entities, each once. */
function expectFinds(query: Query, wanted: readonly number[], name = ''): void {
  const walked: number[] = []
  for (const chunk of query) for (let i = chunk.start; i < chunk.end; i++) walked.push(chunk.entities[i])
  const called: number[] = []
  query.each((entity) => void called.push(entity))
  expect(ordered(walked), `${name}, by chunks`).toEqual(ordered(wanted))
  expect(called, `${name}, by each`).toEqual(walked)
  expect([...query.entities()], `${name}, as a list`).toEqual(walked)
  expect([query.count, query.isEmpty, query.first()], name).toEqual([
    wanted.length,
    wanted.length === 0,
    walked[0],
  ])
}

interface Asked {
  readonly terms: readonly Term[]
  readonly holds: (has: (one: ComponentLike) => boolean) => boolean
  /** The tags that the terms name. */
  readonly names: readonly ComponentLike[]
}

const ASKED: Asked[] = [
  { terms: [], holds: () => true, names: [] },
  ...KINDS.map((one) => ({
    terms: [one],
    holds: (has: (c: ComponentLike) => boolean) => has(one),
    names: [],
  })),
  { terms: [Plain, not(Loose)], holds: (has) => has(Plain) && !has(Loose), names: [] },
  { terms: [any(Plain, Loose), Mark], holds: (has) => (has(Plain) || has(Loose)) && has(Mark), names: [] },
  { terms: [Loose, Fixed], holds: (has) => has(Loose) && has(Fixed), names: [] },
  { terms: [Loose, Plain], holds: (has) => has(Loose) && has(Plain), names: [] },
  { terms: [optional(Loose), Plain], holds: (has) => has(Plain), names: [] },
  { terms: [Prefab], holds: (has) => has(Prefab), names: [Prefab] },
  { terms: [Loose, Prefab], holds: (has) => has(Loose) && has(Prefab), names: [Prefab] },
  { terms: [Plain, not(Prefab)], holds: (has) => has(Plain) && !has(Prefab), names: [Prefab] },
  { terms: [Plain, optional(Prefab)], holds: (has) => has(Plain), names: [Prefab] },
  { terms: [Loose, optional(Prefab)], holds: (has) => has(Loose), names: [Prefab] },
  { terms: [optional(Prefab, Disabled)], holds: () => true, names: [Prefab, Disabled] },
  { terms: [any(Prefab, Plain)], holds: (has) => has(Prefab) || has(Plain), names: [Prefab] },
  { terms: [any(not(Prefab), Loose)], holds: (has) => !has(Prefab) || has(Loose), names: [Prefab] },
  { terms: [Prefab, Disabled], holds: (has) => has(Prefab) && has(Disabled), names: [Prefab, Disabled] },
  {
    terms: [not(Prefab, Disabled)],
    holds: (has) => !has(Prefab) && !has(Disabled),
    names: [Prefab, Disabled],
  },
]

/** A world, and what was done to it. */
class Model {
  readonly entities = new Map<Entity, Set<ComponentLike>>()
  constructor(readonly world: World) {}

  spawn(parts: readonly ComponentLike[]): Entity {
    const entity = this.world.spawn(...parts.map(given))
    this.entities.set(entity, new Set(parts))
    return entity
  }

  matching({ holds, names }: Asked): Entity[] {
    return [...this.entities]
      .filter(([, set]) => holds((one) => set.has(one)))
      .filter(([, set]) => [Prefab, Disabled].every((hiding) => !set.has(hiding) || names.includes(hiding)))
      .map(([entity]) => entity)
  }
}

const given = (one: ComponentLike): Ingredient => (one.kind === 'object' ? (one('held') as never) : one)

const parts = fc.subarray(ALL as ComponentLike[])
const steps = fc.array(
  fc.oneof(
    fc.record({ what: fc.constant('spawn' as const), parts, at: fc.nat(200) }),
    fc.record({ what: fc.constant('add' as const), parts, at: fc.nat(200) }),
    fc.record({ what: fc.constant('remove' as const), parts, at: fc.nat(200) }),
    fc.record({ what: fc.constant('destroy' as const), parts, at: fc.nat(200) }),
    fc.record({ what: fc.constant('bulkAdd' as const), parts, at: fc.nat(200) }),
    fc.record({ what: fc.constant('bulkRemove' as const), parts, at: fc.nat(200) }),
    fc.record({ what: fc.constant('bulkDestroy' as const), parts, at: fc.nat(200) }),
  ),
  { maxLength: 60 },
)

/** Does a step to the world and to the model. */
function play(model: Model, { what, parts, at }: { what: string; parts: ComponentLike[]; at: number }): void {
  const { world, entities } = model
  const entity = [...entities.keys()][at % Math.max(entities.size, 1)]
  const asked = ASKED[at % ASKED.length] as Asked
  const plain = parts.filter(({ kind }) => kind !== 'object')
  if (what === 'spawn') model.spawn(parts)
  else if (what === 'add' && entity !== undefined && parts.length > 0) {
    world.add(entity, ...parts.map(given))
    for (const one of parts) entities.get(entity)?.add(one)
  } else if (what === 'remove' && entity !== undefined && parts.length > 0) {
    world.remove(entity, ...parts)
    for (const one of parts) entities.get(entity)?.delete(one)
  } else if (what === 'destroy' && entity !== undefined) {
    world.destroy(entity)
    entities.delete(entity)
  } else if (what.startsWith('bulk')) {
    const query = world.query(...asked.terms) as Query
    const matching = model.matching(asked)
    if (what === 'bulkDestroy' && at % 5 === 0) {
      expect(destroyMany(query)).toBe(matching.length)
      for (const one of matching) entities.delete(one)
    } else if (what === 'bulkAdd' && plain.length > 0) {
      expect(addMany(query, ...(plain as never[]))).toBe(matching.length)
      for (const one of matching) for (const part of plain) entities.get(one)?.add(part)
    } else if (what === 'bulkRemove' && parts.length > 0) {
      expect(removeMany(query, ...parts)).toBe(matching.length)
      for (const one of matching) for (const part of parts) entities.get(one)?.delete(part)
    }
  }
}

describe('a tag with excludeFromQueries: true', () => {
  it('keeps its entities out of every query that does not name it, after any changes, with listeners and without', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (script, listens) => {
        const world = testWorld({ memory: { initial: 2 ** 20 } })
        const model = new Model(world)
        const followed = ASKED.map((asked) => {
          // Made before the world has met any of the tags.
          const query = world.query(...asked.terms) as Query
          const inside = new Set<number>()
          let calls = 0
          if (listens) {
            onEnter(query, (entity) => void inside.add(entity))
            onExit(query, (entity) => void inside.delete(entity))
            onChange(query, () => void calls++)
          }
          return { asked, query, inside, seen: '', calls: () => calls }
        })
        for (const step of script) {
          const before = followed.map(
            ({ asked, calls }) => [ordered(model.matching(asked)).join(), calls()] as const,
          )
          play(model, step)
          followed.forEach(({ asked, query, inside, calls }, i) => {
            const wanted = ordered(model.matching(asked))
            expect(query.count).toBe(wanted.length)
            if (!listens) return
            expect(ordered(inside)).toEqual(wanted)
            const [matched, called] = before[i] as readonly [string, number]
            if (matched !== wanted.join()) expect(calls()).toBeGreaterThan(called)
          })
        }
        for (const { asked, query } of followed) expectFinds(query, model.matching(asked))
        const twin = forkWorld(world)
        for (const asked of ASKED) {
          expectFinds(world.query(...asked.terms) as Query, model.matching(asked))
          expect(ordered(twin.query(...asked.terms).entities())).toEqual(ordered(model.matching(asked)))
          world.batch(() =>
            expect(ordered(world.query(...asked.terms, optional(Unmet)).entities())).toEqual(
              ordered(model.matching(asked)),
            ),
          )
        }
        for (const one of [world, twin]) {
          checkInvariants(one)
          one.dispose()
        }
      }),
      { numRuns: proofLength(150) },
    )
  })

  it('keeps an entity from the listeners of a query even if the world first meets the tag with it', () => {
    const world = watchedWorld()
    const entered: number[] = []
    onEnter(world.query(Plain), (entity) => void entered.push(entity))
    const listed = world.spawn(Plain)
    const hidden = world.spawn(Plain, Prefab)
    expect(entered).toEqual([listed])
    world.remove(hidden, Prefab)
    expect(entered).toEqual([listed, hidden])
  })

  it('takes effect with the first entity that has it, even in a loop', () => {
    const world = watchedWorld()
    const listed = world.spawn(Loose({ n: 1 }))
    const query = world.query(Loose)
    expect(query.count).toBe(1)
    for (const chunk of query) {
      world.spawn(Loose({ n: 2 }), Prefab)
      expect(chunk.end).toBe(1)
    }
    expectFinds(query as unknown as Query, [listed])
  })

  it.each(ROW_COUNTS)(
    'hides every third of %i rows, in kernels, sums, orders, pages and conditions',
    (count) => {
      for (const C of [Plain, Loose, Fixed]) {
        const world = watchedWorld()
        const query = world.query(C)
        const inTheirOrder = world.query(C, inCreationOrder())
        const moved = world.query(changed(C))
        const step = createKernel(world, kernels['bump'] as never, { n: [C, 'n'] } as never)
        const handles = [...spawnMany(world, count, [C])]
        handles.forEach((entity, i) => world.set(entity as Entity, C, { n: i }))
        const listed = handles.filter((_, i) => i % 3 !== 0)
        for (const entity of handles) if (!listed.includes(entity)) world.add(entity as Entity, Prefab)
        expect(query.count).toBe(listed.length)
        expect([...sortedEntities(query, C, 'n')]).toEqual(listed)
        expect([...inTheirOrder.entities()]).toEqual(listed)
        expect(ordered(moved.entities())).toEqual(ordered(listed))
        const numbers = listed.map((entity) => handles.indexOf(entity))
        expect(sumOf(query, C, 'n')).toBe(numbers.reduce((sum, n) => sum + n, 0))
        expect(query.where(C, 'n', '>=', 30).count).toBe(numbers.filter((n) => n >= 30).length)
        expect(query.slice(1, 6).entities()).toHaveLength(Math.max(0, Math.min(5, listed.length - 1)))
        expect(query.run(step as never)).toBe(listed.length)
        handles.forEach((entity, i) =>
          expect(world.get(entity as Entity, C)?.n).toBe(i + (i % 3 === 0 ? 0 : 1)),
        )
      }
    },
  )

  it('hides entities of a group, whose components stay columns', () => {
    const A = component('A', { n: u32 }, { storage: sparse })
    const B = component('B', { n: u32 }, { storage: sparse })
    const world = watchedWorld()
    const grouped = createGroup(world, A, B)
    const listed: number[] = []
    for (let i = 0; i < 3000; i++) {
      const hidden = i % 7 === 3
      const entity = world.spawn(A({ n: i }), B({ n: 1 }), ...(hidden ? [Prefab] : []))
      if (!hidden) listed.push(entity)
    }
    expectFinds(grouped as unknown as Query, listed)
    let sum = 0
    for (const chunk of grouped) {
      const [a, b] = [chunk.read(A).n, chunk.read(B).n]
      for (let i = chunk.start; i < chunk.end; i++) sum += (a[i] as number) * (b[i] as number)
    }
    expect(sum).toBe(listed.reduce((total, entity) => total + (world.get(entity as Entity, A)?.n ?? 0), 0))
    const step = createKernel(world, kernels['bump'] as never, { n: [B, 'n'] } as never)
    expect(grouped.run(step as never)).toBe(listed.length)
    expect(sumOf(world.query(Prefab, A, B), B, 'n')).toBe(3000 - listed.length)
  })

  it('hides children and levels, from terms with a target and from cascades', () => {
    const world = watchedWorld()
    const root = world.spawn(Plain)
    const children = Array.from({ length: 9 }, (_, i) =>
      world.spawn(Plain, ChildOf(root), ...(i % 3 === 0 ? [Prefab] : [])),
    )
    const listed = children.filter((_, i) => i % 3 !== 0)
    expectFinds(world.query(ChildOf(root)) as unknown as Query, listed)
    expectFinds(world.query(Plain, ChildOf(root)) as unknown as Query, listed)
    expect([...world.query(Plain, cascade(ChildOf)).entities()]).toEqual([root, ...listed])
    expectFinds(
      world.query(Prefab, ChildOf(root)) as unknown as Query,
      children.filter((_, i) => i % 3 === 0),
    )
    // A list of links is no query.
    expect([...world.sources(root, ChildOf)]).toEqual(children)
    destroyMany(world.query(Plain, ChildOf(root)))
    expect([...world.sources(root, ChildOf)]).toEqual(children.filter((_, i) => i % 3 === 0))
  })

  it('switches only entities that a query finds', () => {
    const Burning = component('Burning', { n: u32 }, { storage: sparse, toggle })
    const world = watchedWorld()
    const listed = world.spawn(Burning)
    const hidden = world.spawn(Burning, Prefab)
    expect(disableMany(world.query(Burning), Burning)).toBe(1)
    expect([world.isEnabled(listed, Burning), world.isEnabled(hidden, Burning)]).toEqual([false, true])
  })

  it('stays in force after going back in time, even to before the tag was known', () => {
    const world = watchedWorld()
    const query = world.query(Loose)
    const first = world.spawn(Loose)
    const early = snapshotWorld(world)
    const hidden = world.spawn(Loose, Prefab)
    const late = snapshotWorld(world)
    world.remove(hidden, Prefab)
    expectFinds(query as unknown as Query, [first, hidden])
    restoreWorld(world, late)
    expectFinds(query as unknown as Query, [first])
    restoreWorld(world, early)
    expectFinds(query as unknown as Query, [first])
    const again = world.spawn(Loose, Prefab, Disabled)
    expectFinds(query as unknown as Query, [first])
    expectFinds(world.query(Loose, Prefab, optional(Disabled)) as unknown as Query, [again])
    resetWorld(world)
    expectFinds(query as unknown as Query, [])
    expectFinds(query as unknown as Query, [world.spawn(Loose)])
  })

  it('is saved like any other, and has its effect in the world that loads it', () => {
    const world = watchedWorld()
    world.spawn(Plain({ n: 1 }))
    world.spawn(Plain({ n: 2 }), Prefab)
    const { world: loaded } = loadWorld(saveWorld(world), { components: [Plain, Prefab] })
    expect(sumOf(loaded.query(Plain), Plain, 'n')).toBe(1)
    expect(sumOf(loaded.query(Plain, Prefab), Plain, 'n')).toBe(2)
    const part = loadWorld(saveWorld(world, { entities: world.query(Plain) }), {
      components: [Plain, Prefab],
    })
    expect(part.world.query(optional(Prefab)).count).toBe(1)
  })

  it('keeps entities reachable by handle, and listeners of components are called for them', () => {
    const world = watchedWorld()
    const heard: number[] = []
    onAdd(world, Plain, (entity) => void heard.push(entity))
    const hidden = world.spawn(Plain({ n: 7 }), Prefab)
    expect(heard).toEqual([hidden])
    expect(world.get(hidden, Plain)).toEqual({ n: 7 })
    expect(world.isAlive(hidden)).toBe(true)
    const copies = cloneMany(world, hidden, 3)
    // Copies drop the tag, unless they are given it.
    cloneMany(world, hidden, 2, Prefab)
    expect(ordered(world.query(Plain).entities())).toEqual(ordered(copies))
  })

  it('does not hide entities from the end of the frame, and from questions about a component', () => {
    const world = watchedWorld()
    const listed = world.spawn(Sprite('a'), QueuedForDestroy)
    endFrame(world)
    const hidden = world.spawn(Sprite('b'), Prefab)
    expect(world.isAlive(listed)).toBe(false)
    const heard: number[] = []
    onAdd(world, Sprite, (entity) => void heard.push(entity), { existing: true })
    expect(heard).toEqual([hidden])
    expect([...objectsOf(world, Sprite)].map(([, value]) => value)).toEqual(['b'])
    world.add(hidden, QueuedForDestroy)
    expect(world.query(QueuedForDestroy).count).toBe(0)
    endFrame(world)
    expect(world.isAlive(hidden)).toBe(false)
  })

  it.each([
    ['a toggle', { excludeFromQueries: true, toggle }],
    ['an order', { excludeFromQueries: true, order: 'insertion' }],
    ['no boolean', { excludeFromQueries: 1 }],
  ])('is refused with %s', (_, options) => {
    expect(() => tag('Wrong', options as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_SCHEMA',
        message: expect.stringContaining('excludeFromQueries'),
      }),
    )
  })

  it('is an option only of tags', () => {
    expect(() => component('Wrong', {}, { excludeFromQueries: true } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })
})
