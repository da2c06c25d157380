// Shows that cursors point at the right rows by what a list knows of its chunks, whatever was added and removed, grew or was looped
// over meanwhile, and that what they write counts as changed in that chunk alone.

import { beforeEach, describe, expect, it } from 'vitest'
import {
  changed,
  component,
  f64,
  optional,
  snapshotWorld,
  restoreWorld,
  tag,
  trimWorld,
  u8,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Wide = component('Wide', { flag: u8, at: vec(f64, 3), n: f64 })
const Level = component('Level', { n: f64 })
const Other = component('Other', { n: f64 })
/** Of rows that are marked one by one: its cursors do not stand by the list. */
const Tracked = component('Tracked', { n: f64 }, { trackChanges: 'row' })
/** One tag for each archetype. */
const KINDS = Array.from({ length: 130 }, (_, k) => tag(`Kind${k}`))

let world: World
beforeEach(() => {
  world = watchedWorld()
})

/** An entity in an archetype of its own. */
function spawnIn(kind: number): Entity {
  return world.spawn(
    Wide({ flag: kind & 255, at: [kind, kind + 0.25, kind + 0.5], n: -kind }),
    Level({ n: kind }),
    KINDS[kind] as (typeof KINDS)[number],
  )
}

/** What a loop over both components finds, by handle. */
function found(): Map<Entity, number[]> {
  const rows = new Map<Entity, number[]>()
  world.query(Level, Wide).each((entity, level, wide) => {
    rows.set(entity, [level.n, wide.flag, ...wide.at, wide.n])
  })
  return rows
}

function expectAll(kinds: ReadonlyMap<Entity, number>): void {
  const expected = [...kinds].map(([entity, kind]) => [
    entity,
    [kind, kind & 255, kind, kind + 0.25, kind + 0.5, -kind],
  ])
  expect([...found()].sort(([a], [b]) => a - b)).toEqual(expected.sort(([a], [b]) => Number(a) - Number(b)))
}

describe('cursors of a loop point at the right rows', () => {
  it.each([0, 1, 3, 4, 5, 63, 64, 65, 130])('in %d chunks', (count) => {
    const kinds = new Map(Array.from({ length: count }, (_, kind) => [spawnIn(kind), kind]))
    expectAll(kinds)
    expectAll(kinds)
  })

  it('after chunks were freed and allocated elsewhere', () => {
    const kinds = new Map<Entity, number>()
    for (let kind = 0; kind < 130; kind++) kinds.set(spawnIn(kind), kind)
    expectAll(kinds)
    for (const [entity, kind] of kinds) {
      if (kind % 3 !== 0) continue
      world.destroy(entity)
      kinds.delete(entity)
    }
    expectAll(kinds)
    trimWorld(world)
    expectAll(kinds)
    for (let kind = 129; kind >= 0; kind -= 3) kinds.set(spawnIn(kind), kind)
    expectAll(kinds)
  })

  it('after memory grew and a snapshot was restored', () => {
    const kinds = new Map([[spawnIn(1), 1]])
    expectAll(kinds)
    const before = snapshotWorld(world)
    for (let i = 0; i < 40_000; i++) world.spawn(Other)
    const more = new Map([...kinds, [spawnIn(2), 2] as const])
    expectAll(more)
    restoreWorld(world, before)
    expectAll(kinds)
  })

  it('while nested loops find chunks that the outer loop has not reached', () => {
    for (let kind = 0; kind < 66; kind++) spawnIn(kind)
    const query = world.query(Level)
    let sum = 0
    let inner = 0
    query.each((_, level) => {
      const own = level.n
      if (own % 20 === 0)
        query.each((_entity, other) => {
          inner += other.n
        })
      expect(level.n).toBe(own)
      sum += level.n
    })
    expect([sum, inner]).toEqual([2145, 4 * 2145])
  })

  it('after a loop by entity moved the same cursors', () => {
    const one = spawnIn(1)
    const two = spawnIn(2)
    world.add(two, Other({ n: 7 }))
    const levels: (number | undefined)[] = []
    for (let round = 0; round < 2; round++) {
      // Cursors of equal shape are handed out in turn: by list, then by chunk where one may be missing.
      world.query(Level).each((_, level) => levels.push(level.n))
      world.query(optional(Other), Level).each((_, other, level) => levels.push(other?.n, level.n))
    }
    expect(levels).toEqual([1, 2, undefined, 1, 7, 2, 1, 2, undefined, 1, 7, 2])
    expect(world.get(one, Level)?.n).toBe(1)
  })

  it('and mark the chunk that they wrote to, and no other', () => {
    const all = Array.from({ length: 9 }, (_, kind) => spawnIn(kind))
    const seen = world.query(changed(Level))
    const changes = (): number[] => [...seen.entities()]
    changes()
    world.query(Level, Wide).each((_, level) => {
      if (level.n === 4) level.n = 40
    })
    expect(changes()).toEqual([all[4]])
    expect(changes()).toEqual([])
  })

  it('together with a component whose rows are marked one by one', () => {
    const all = [1, 2, 3].map((n) => world.spawn(Level({ n }), Tracked({ n: 10 * n })))
    const seen = world.query(changed(Tracked))
    seen.entities()
    world.query(Level, Tracked).each((_, level, tracked) => {
      if (level.n === 2) tracked.n += level.n
    })
    expect([...seen.entities()]).toEqual([all[1]])
    expect(all.map((entity) => world.get(entity, Tracked)?.n)).toEqual([10, 22, 30])
  })
})
