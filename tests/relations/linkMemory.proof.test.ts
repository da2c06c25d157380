// Shows that links write into their own memory alone, however the tables of a world have moved since: for links with and without
// values, in every order of growing, going back, forking and shrinking.

import { describe, expect, it } from 'vitest'
import {
  destroyMany,
  forkWorld,
  LimitError,
  NULL_ENTITY,
  component,
  entity,
  f32,
  relation,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  cloneTree,
  sweepReferences,
  sweepTexts,
  tag,
  text,
  u32,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { MEMORY_STEP } from '../support/proofs'
import { leaveFree } from '../support/scarcity'
import { testWorld } from '../support/world'

const Value = component('Value', { value: u32 })
const TAGS = Array.from({ length: 8 }, (_, i) => tag(`Tag ${i}`))
const GROUPS = 200
const EACH = 30

/** Relations with many targets, and what the i-th link of one is. */
const RELATIONS = [
  { values: 'no values', of: relation('Knows'), link: (_: number) => ({}) },
  { values: 'a number', of: relation('Likes', { weight: f32 }), link: (i: number) => ({ weight: i }) },
  {
    values: 'a text and a number',
    of: relation('Quotes', { words: text.default('nothing'), at: u32 }),
    link: (i: number) => (i % 2 === 0 ? { words: `said ${i}`, at: i } : { words: 'nothing', at: i }),
  },
] as const

type Case = (typeof RELATIONS)[number]
/** The relation as all of them can be called. */
type Named = (target: Entity, values: object) => never

/** So many archetypes that the table of chunks has moved several times, and what it left is in use again. */
function grow(world: World, from = 0): Entity[] {
  const made: Entity[] = []
  for (let group = from; group < from + GROUPS; group++) {
    const tags = TAGS.filter((_, i) => ((group >> i) & 1) === 1)
    for (let i = 0; i < EACH; i++) made.push(world.spawn(Value({ value: 7 }), ...tags))
  }
  return made
}

function link(world: World, source: Entity, { of, link }: Case, target: Entity, i: number): void {
  world.add(source, (of as unknown as Named)(target, link(i)))
}

/** Every entity is visited once with its value, and memory is whole. */
function expectWhole(world: World, made: readonly Entity[]): void {
  const visited: Entity[] = []
  world.query(Value).each((entity, { value }) => {
    if (value !== 7) throw new Error(`entity ${entity} has ${value}`)
    visited.push(entity)
  })
  expect(visited.sort((a, b) => a - b)).toEqual([...made].sort((a, b) => a - b))
  checkInvariants(world)
}

/** The links of a source are those from `first` to before `end`, to the entities of these places. */
function expectLinks(
  world: World,
  source: Entity,
  { of, link }: Case,
  made: readonly Entity[],
  end: number,
): void {
  const targets = made.slice(0, end)
  expect([...world.targets(source, of)]).toEqual(targets)
  targets.forEach((target, i) => {
    expect(world.get(source, (of as unknown as Named)(target, {}))).toEqual(link(i))
    expect(world.sourceCount(target, of)).toBe(1)
  })
}

/** A world whose ticks are no small numbers, so that one that is written where it does not belong is seen. */
function olderWorld(): World {
  const world = testWorld()
  for (let i = 0; i < 1000; i++) world.advanceTick()
  return world
}

describe.each(RELATIONS)('links with $values', (relation) => {
  it('write nothing else once the tables of the world have moved', () => {
    const world = olderWorld()
    const source = world.spawn()
    link(world, source, relation, world.spawn(), 0)
    const made = grow(world)
    const other = world.spawn()
    for (let i = 0; i < 40; i++) link(world, other, relation, made[i] as Entity, i)
    expectWhole(world, made)
    expectLinks(world, other, relation, made, 40)
  })

  it('write nothing else after a restore to when there was one of them, and growth since', () => {
    const world = olderWorld()
    const [source, target] = [world.spawn(), world.spawn()]
    link(world, source, relation, target, 0)
    const before = snapshotWorld(world)
    grow(world)
    restoreWorld(world, before)
    link(world, target, relation, source, 1)
    const made = grow(world, 13)
    const other = world.spawn()
    for (let i = 0; i < 40; i++) link(world, other, relation, made[i] as Entity, i)
    expectWhole(world, made)
    expectLinks(world, other, relation, made, 40)
  })

  it('write nothing else in a fork, nor in the world that was forked', () => {
    const world = olderWorld()
    link(world, world.spawn(), relation, world.spawn(), 0)
    const made = grow(world)
    const twin = forkWorld(world)
    const more = [world, twin].map((one) => [...made, ...grow(one, 31)])
    for (const [k, one] of [world, twin].entries()) {
      const other = one.spawn()
      for (let i = 0; i < 40; i++) link(one, other, relation, (more[k] as Entity[])[i] as Entity, i)
      expectLinks(one, other, relation, more[k] as Entity[], 40)
    }
    expectWhole(world, more[0] as Entity[])
    expectWhole(twin, more[1] as Entity[])
    twin.dispose()
  })

  it('write nothing else when all have ended and memory for them is obtained again', () => {
    const world = olderWorld()
    const first = world.spawn()
    for (let i = 0; i < 600; i++) link(world, first, relation, world.spawn(), i)
    world.destroy(first)
    const made = grow(world)
    const other = world.spawn()
    for (let i = 0; i < 600; i++) link(world, other, relation, made[i] as Entity, i)
    expectWhole(world, made)
    expectLinks(world, other, relation, made, 600)
  })
})

/** Does something in worlds with so many KiB left, from none up, until it finds memory; how often it did not. */
function untilItFits(make: () => World, act: (world: World) => void, check: (world: World) => void): number {
  for (let kib = 0; ; kib += MEMORY_STEP) {
    const world = make()
    leaveFree(world, kib)
    try {
      act(world)
      return kib
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
      check(world)
      checkInvariants(world)
    } finally {
      world.dispose()
    }
  }
}

const scarce = (): World => testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })

it('A link for which there is no memory leaves none of its texts', () => {
  const Quotes = relation('Quotes', { words: text })
  let all: Entity[] = []
  for (let kib = 4; kib < 40; kib += MEMORY_STEP) {
    const world = scarce()
    all = Array.from({ length: 500 }, () => world.spawn())
    const source = world.spawn(Quotes(all[0] as Entity))
    leaveFree(world, kib)
    const fill = () => all.forEach((one, i) => world.add(source, Quotes(one, { words: `text ${i}` })))
    expect(fill).toThrow(LimitError)
    expect(sweepTexts(world)).toBe(0)
    world.dispose()
  }
})

it('A tree copied without memory for its links leaves no link between siblings of the model', () => {
  const Part = relation('Part', { exclusive: true, onTargetDestroy: 'destroy' })
  let root = 0 as Entity
  let branches: Entity[] = []
  let leaves: Entity[][] = []
  const failures = untilItFits(
    () => {
      const world = scarce()
      root = world.spawn()
      branches = Array.from({ length: 60 }, () => world.spawn(Part(root)))
      leaves = branches.map((branch) => [0, 1, 2].map(() => world.spawn(Part(branch))))
      return world
    },
    (world) => cloneTree(world, root, 20),
    (world) => {
      expect(Array.from(world.sources(root, Part))).toEqual(branches)
      expect(branches.map((branch) => Array.from(world.sources(branch, Part)))).toEqual(leaves)
    },
  )
  expect(failures).toBeGreaterThan(0)
})

it('A sweep of references finds the handles in links, and nothing where no link exists', () => {
  const Meets = relation('Meets', { at: entity, with: vec(entity, 3) })
  const world = testWorld()
  const [source, target, other] = spawnMany(world, 3, []) as unknown as [Entity, Entity, Entity]
  const gone = world.spawn()
  world.destroy(gone)
  world.add(source, Meets(target, { at: other }))
  expect(sweepReferences(world)).toBe(0)
  // As many links as take several pieces of memory; all but one end, and leave what they held.
  const targets = spawnMany(world, 700, [])
  for (const one of targets) world.add(source, Meets(one, { at: gone, with: [gone, other, gone] }))
  destroyMany(world, targets.subarray(1))
  expect(sweepReferences(world)).toBe(3)
  expect(sweepReferences(world)).toBe(0)
  expect(world.get(source, Meets(targets[0] as Entity))).toEqual({
    at: NULL_ENTITY,
    with: Uint32Array.of(NULL_ENTITY, other, NULL_ENTITY),
  })
  checkInvariants(world)
  world.dispose()
})
