// Shows that the order of a loop does not change without query.version and subscribe. That they follow which entities match
// is tested in queryPlan/changeTicks and events/subscribers.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  any,
  cascade,
  clearWorld,
  component,
  f32,
  inCreationOrder,
  not,
  onEnter,
  onExit,
  relation,
  removeMany,
  restoreWorld,
  snapshotWorld,
  sortRows,
  sortRowsAs,
  cloneMany,
  sparse,
  spawnMany,
  onChange,
  stable,
  tag,
  toggle,
  u8,
  type ComponentLike,
  type Entity,
  type Query,
  type World,
} from '../../bindings/index'
import { proofLength } from '../support/proofs'
import { watchedWorld } from '../support/watched'

const Z = component('Z', { z: f32 })
const Other = component('Other', { n: u8 })
const S = component('S', { z: f32 }, { storage: sparse })
const S2 = component('S2', { n: u8 }, { storage: sparse })
const Stable = component('Stable', { n: u8 }, { storage: stable })
const Switched = tag('Switched', { toggle })
const Picked = tag('Picked', { order: 'insertion' })
const Listed = tag('Listed', { order: 'insertion' })
const ChildOf = relation('ChildOf', { exclusive: true })
const Likes = relation('Likes')

/** Four entities with everything that can be in an order. */
function family(world: World) {
  const parent = world.spawn()
  const list = [5, 3, 8, 1].map((z) =>
    world.spawn(Z({ z }), S({ z }), Stable, Picked, Listed, ChildOf(parent), Likes(parent)),
  )
  return { parent, list: list as [Entity, Entity, Entity, Entity] }
}

type Family = ReturnType<typeof family>
type Case = [string, (world: World, of: Family) => object, (world: World, of: Family) => unknown]

const ORDERS: Case[] = [
  [
    'an ordered tag is exchanged for itself',
    (world) => world.query(Picked),
    (world, { list }) => world.exchange(list[0], [Picked], [Picked]),
  ],
  [
    'an ordered tag is removed and added in one block',
    (world) => world.query(Z, Picked),
    (world, { list }) => world.batch(() => (world.remove(list[0], Picked), world.add(list[0], Picked))),
  ],
  ['an ordered tag is sorted', (world) => world.query(Picked), (world) => sortRows(world, Picked, Z, 'z')],
  [
    'an ordered tag is sorted in a loop',
    (world) => world.query(Picked),
    (world) => world.query(Z).each(() => sortRows(world, Picked, Z, 'z')),
  ],
  [
    'a child is placed',
    (world, { parent }) => world.query(Z, ChildOf(parent)),
    (world, { list }) => world.reorder(list[3], ChildOf, { before: list[0] }),
  ],
  [
    'one of several links is placed',
    (world, { parent }) => world.query(Z, Likes(parent)),
    (world, { parent, list }) => world.reorder(list[3], Likes(parent), { before: list[0] }),
  ],
  [
    'a link is made again in one block',
    (world, { parent }) => world.query(Z, ChildOf(parent)),
    (world, { parent, list }) =>
      world.batch(() => (world.remove(list[0], ChildOf), world.add(list[0], ChildOf(parent)))),
  ],
  ['a pool is sorted', (world) => world.query(S), (world) => sortRows(world, S, 'z')],
  [
    'a pool is sorted by a function',
    (world) => world.query(S),
    (world) => sortRows(world, S, (a, b) => a.z - b.z),
  ],
  [
    'a pool follows another order',
    (world) => world.query(S),
    (world) => (sortRows(world, Picked, Z, 'z'), sortRowsAs(world, S, Picked)),
  ],
]

describe('Where the order of a loop changes', () => {
  it.each(ORDERS)('query.version changes and subscribers are called when %s', (_, queryOf, change) => {
    const world = watchedWorld()
    const of = family(world)
    const query = queryOf(world, of) as Query
    const before = Array.from(query.entities())
    const { version } = query
    change(world, of)
    expect(Array.from(query.entities())).not.toEqual(before)
    expect(query.version).not.toBe(version)
    const told: unknown[] = []
    const again = watchedWorld()
    const others = family(again)
    const subscribed = queryOf(again, others) as Query
    onChange(subscribed, () => told.push(Array.from(subscribed.entities())))
    change(again, others)
    expect(told.at(-1)).toEqual(Array.from(subscribed.entities()))
  })

  it('subscribers are not called when everything stays in place', () => {
    const world = watchedWorld()
    const { parent, list } = family(world)
    sortRows(world, S, 'z')
    let calls = 0
    for (const query of [
      world.query(S),
      world.query(Z, ChildOf(parent)),
      world.query(Z),
    ] as unknown as Query[])
      onChange(query, () => calls++)
    sortRows(world, S, 'z')
    world.reorder(list[0], ChildOf, { before: list[1] })
    world.exchange(list[0], [Z], [Z])
    expect(calls).toBe(0)
  })
})

it('A query with a target that remembers its result notifies no subscriber of a change before it is made', () => {
  const world = watchedWorld()
  const { list, parent } = family(world)
  let calls = 0
  onChange(world.query(Z, ChildOf(parent)), () => {})
  onChange(world.query(S), () => calls++)
  // Two bundles are noted one after the other.
  world.exchange(list[0], [S], [Z])
  expect(calls).toBe(1)
})

it.each([Z, S, Stable, Listed])('query.version changes when a component is reset in its row (%s)', (C) => {
  const world = watchedWorld()
  const { list } = family(world)
  const query = world.query(C) as unknown as Query
  const { version } = query
  const log: string[] = []
  onExit(query, () => log.push('exit'))
  onEnter(query, () => log.push('enter'))
  world.exchange(list[0], [C], [C])
  expect(log).toEqual(['exit', 'enter'])
  expect(query.version).not.toBe(version)
})

describe('Where the components of a target decide whether its sources match', () => {
  const In = relation('In', { exclusive: true })
  const Near = relation('Near', { onTargetDestroy: 'keep' })
  const Lamp = component('Lamp', { n: u8 }, { toggle })
  const Hidden = tag('Hidden', { excludeFromQueries: true })
  const parts: [string, ComponentLike][] = [
    ['a component of the table', Other],
    ['a component that can be switched', Lamp],
    ['a sparse component', S],
    ['a stable component', Stable],
    ['an ordered tag', Picked],
    ['a tag that keeps entities out of queries', Hidden],
  ]
  const cases = parts.flatMap(([name, Part]) =>
    [In, Near].flatMap((Link) =>
      [false, true].map((denied) => {
        const kind = Link === In ? 'its one target' : 'one of its targets'
        return [`${denied ? 'not ' : ''}having ${name} by ${kind}`, Part, Link, denied] as const
      }),
    ),
  )

  it.each(cases)('query.version and subscribers follow it, %s', (_, Part, Link, denied) => {
    const world = watchedWorld()
    const [chest, bag] = spawnMany(world, 2, [Z]) as unknown as [Entity, Entity]
    const items = [chest, bag, chest].map((place) => world.spawn(Z, Link(place)))
    const asked = (denied ? not(Link(Part as never)) : Link(Part as never)) as never
    const queries = [world.query(Z, asked), world.query(Z, asked, inCreationOrder())] as unknown as Query[]
    if (Link === In) queries.push(world.query(Z, asked, cascade(In)) as unknown as Query)
    let calls = 0
    onChange(queries[0] as Query, () => calls++)
    const listed = (query: Query) => Array.from(query.entities()).filter((one) => items.includes(one))
    let before = queries.map((query) => ({ found: listed(query), version: query.version }))

    /** Makes a change after which other items match, or the same. */
    const expectChange = (change: () => void, differs = true) => {
      const told = calls
      change()
      const found = items.filter((item) => world.targets(item, Link).some((place) => world.has(place, Part)))
      const matching = denied ? items.filter((item) => !found.includes(item)) : found
      queries.forEach((query, i) => {
        expect(listed(query).sort()).toEqual(matching.sort())
        if (differs) expect(query.version, `query ${i}`).not.toBe(before[i]?.version)
      })
      expect(calls > told).toBe(differs)
      before = queries.map((query) => ({ found: listed(query), version: query.version }))
    }
    expectChange(() => world.add(chest, Part))
    expectChange(() => world.exchange(chest, [Part], [Stable === Part ? S : Stable]))
    expectChange(() => world.batch(() => (world.add(bag, Part), world.add(chest, S2))))
    expectChange(() => world.add(chest, Part))
    expectChange(() => removeMany(world.query(Part), Part))
    expectChange(() => {
      const taken = snapshotWorld(world)
      world.add(chest, Part)
      const { version } = queries[0] as Query
      restoreWorld(world, taken)
      expect(queries[0]?.version).not.toBe(version)
      world.add(bag, Part)
    })
  })

  it('query.version follows the switch of a component of the target', () => {
    const world = watchedWorld()
    const chest = world.spawn(Lamp)
    world.spawn(Z, In(chest))
    const query = world.query(Z, In(Lamp)) as unknown as Query
    let calls = 0
    onChange(query, () => calls++)
    const { version } = query
    world.disable(chest, Lamp)
    expect([query.count, query.version === version, calls]).toEqual([0, false, 1])
  })

  it('query.version follows the death of a target when its links are kept', () => {
    const world = watchedWorld()
    const chest = world.spawn(Other)
    world.spawn(Z, Near(chest))
    const query = world.query(Z, Near(Other)) as unknown as Query
    const { version } = query
    world.destroy(chest)
    expect([query.count, query.version === version]).toEqual([0, false])
  })

  it('query.version stays the same while only others move', () => {
    const world = watchedWorld()
    const chest = world.spawn(Other)
    world.spawn(Z, In(chest))
    const query = world.query(Z, In(Other)) as unknown as Query
    const { version } = query
    world.spawn(S2)
    world.add(world.spawn(Stable), Picked)
    expect(query.version).toBe(version)
  })

  it('query.version can be read in a loop', () => {
    const world = watchedWorld()
    const chest = world.spawn(Stable)
    world.spawn(Z, In(chest))
    const query = world.query(Z, In(Other)) as unknown as Query
    const seen: number[] = []
    world.query(Stable).each(() => {
      seen.push(query.version, query.version)
      world.add(chest, Other)
    })
    expect(seen[0]).toBe(seen[1])
    expect([query.count, query.version === seen[0]]).toEqual([1, false])
  })
})

/** Queries whose order only what they name can change. */
function orderedQueries(world: World, parent: Entity): Query[] {
  return [
    world.query(Picked),
    world.query(Z, Picked),
    world.query(Listed),
    world.query(S),
    world.query(ChildOf(parent)),
    world.query(Z, ChildOf(parent)),
    world.query(Likes(parent)),
  ] as unknown as Query[]
}

function otherQueries(world: World, parent: Entity): Query[] {
  return [
    world.query(Z),
    world.query(Z, S),
    world.query(S, S2),
    world.query(Stable),
    world.query(Switched),
    world.query(any(Picked, S)),
    world.query(Z, not(Picked)),
    world.query(Z, ChildOf),
    world.query(Z, not(ChildOf(parent))),
    world.query(Z, cascade(ChildOf)),
    world.query(Z, inCreationOrder()),
    world.query(Picked, ChildOf(parent)),
    world.query(Z, ChildOf(Picked)),
    world.query(Z, not(ChildOf(S)), inCreationOrder()),
    world.query(Z, Likes(Other), cascade(ChildOf)),
    world.query(Z, not(Likes(Stable))),
  ] as unknown as Query[]
}

type Step = readonly [kind: number, which: number, other: number]

const PARTS = [Z, Other, S, S2, Stable, Switched, Picked, Listed, Picked, S]

/** Makes one change; what is not allowed just now is passed over. */
function make(world: World, parents: Entity[], handles: Entity[], [kind, which, other]: Step): void {
  const entity = handles[which % handles.length] as Entity
  const part = PARTS[other % PARTS.length] as typeof Z
  const second = PARTS[(other >> 2) % PARTS.length] as typeof Z
  // Some link to one that was made before them, which can be in other queries, and so never in a circle.
  const place = which % handles.length
  const older = place > 0 && which % 4 === 3 ? handles[other % place] : undefined
  const parent =
    older !== undefined && world.isAlive(older) ? older : (parents[other % parents.length] as Entity)
  if (kind === 0 || !world.isAlive(entity))
    return void handles.push(world.spawn(Z({ z: other }), S({ z: which }), Picked))
  switch (kind) {
    case 1:
      return void world.add(entity, part)
    case 2:
      return void world.remove(entity, part)
    case 3:
      return void world.exchange(entity, [part], [part])
    case 4:
      return void world.exchange(entity, [part], [second])
    case 5:
      return void world.add(entity, ChildOf(parent))
    case 6:
      return void (other % 2 === 0 ? world.remove(entity, ChildOf) : world.remove(entity, Likes))
    case 7:
      return void world.add(entity, Likes(parent))
    case 8: {
      const relation = other % 2 === 0 ? ChildOf : Likes(parent)
      const target = other % 2 === 0 ? world.target(entity, ChildOf) : parent
      const siblings =
        target === undefined ? [] : Array.from(world.sources(target, other % 2 === 0 ? ChildOf : Likes))
      const sibling = siblings[which % Math.max(1, siblings.length)]
      if (sibling !== undefined && siblings.includes(entity))
        world.reorder(entity, relation as never, { after: sibling })
      return
    }
    case 9:
      return sortRows(world, Picked, Z, 'z', { order: other % 2 === 0 ? 'descending' : 'ascending' })
    case 10:
      return sortRows(world, S, 'z', { order: other % 2 === 0 ? 'descending' : 'ascending' })
    case 11:
      return sortRowsAs(world, S2, other % 2 === 0 ? S : Picked)
    case 12:
      return void world.destroy(entity)
    case 13:
      removeMany(world.query(part).slice(which % 3, (which % 3) + 2), second)
      return
    case 14:
      addMany(world.query(part).slice(which % 3, (which % 3) + 3), second)
      return
    case 15:
      return void (other % 2 === 0 ? world.disable(entity, Switched) : world.enable(entity, Switched))
    case 16:
      return void world.set(entity, Z, { z: other })
    default:
      if (other % 16 !== 0) return void handles.push(...cloneMany(world, entity, 2))
      clearWorld(world)
      parents.splice(0, 2, world.spawn(), world.spawn())
  }
}

const step = fc.tuple(fc.nat(17), fc.nat(12), fc.nat(31))
const steps = fc.array(
  fc.oneof({ weight: 2, arbitrary: step }, fc.array(step, { minLength: 1, maxLength: 5 })),
  {
    minLength: 1,
    maxLength: 40,
  },
)

it('No loop changes its order without a new version and a call of its subscribers', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const world = watchedWorld({ memory: { initial: 2 ** 20 } })
      const parents = [world.spawn(), world.spawn()]
      const parent = parents[0] as Entity
      const handles = [5, 3, 8].map((z) =>
        world.spawn(Z({ z }), S({ z }), Picked, ChildOf(parent), Likes(parent)),
      )
      const ordered = orderedQueries(world, parent)
      const queries = [...ordered, ...otherQueries(world, parent)]
      let calls = ordered.map(() => 0)
      ordered.forEach((query, i) => onChange(query, () => calls[i]!++))
      const orderOf = (query: Query) => Array.from(query.entities()).join()
      let orders = queries.map(orderOf)
      let versions = queries.map((query) => query.version)
      for (const one of script) {
        calls = ordered.map(() => 0)
        const at = Array.isArray(one[0]) ? (one as unknown as Step[]) : [one as unknown as Step]
        if (at.length > 1) world.batch(() => at.forEach((each) => make(world, parents, handles, each)))
        else make(world, parents, handles, at[0] as Step)
        const now = queries.map(orderOf)
        queries.forEach((query, i) => {
          if (now[i] === orders[i]) return
          if (query.version === versions[i]) expect.unreachable(`query ${i} has the version it had`)
          if (i < ordered.length && calls[i] !== 1)
            expect.unreachable(`query ${i} was told ${calls[i]} times`)
        })
        orders = now
        versions = queries.map((query) => query.version)
      }
      world.dispose()
    }),
    { seed: 54, numRuns: proofLength(300) },
  )
})
