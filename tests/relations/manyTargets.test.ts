// Shows relations with many targets: links, values, order, events, loops, copies, limits. Queries over them are in
// manyQueries.test.ts, the death of targets is in manyCleanUp.test.ts.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  addMany,
  clearWorld,
  cloneEntity,
  createCommands,
  digestWorld,
  forkWorld,
  NULL_ENTITY,
  ancestors,
  bool,
  cascade,
  component,
  descendants,
  entity,
  f32,
  f64,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  relation,
  removeMany,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  cloneTree,
  onChange,
  sweepTexts,
  tag,
  text,
  u8,
  vec,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Likes = relation('Likes', { weight: f32.default(1) })
const Knows = relation('Knows')
const anything = (value: unknown) => value as never

function people(count: number, world = testWorld()) {
  return { world, all: Array.from({ length: count }, () => world.spawn(Position)) as Entity[] }
}

describe('links to many targets', () => {
  it('are made, read, changed and removed one by one', () => {
    const { world, all } = people(3)
    const [ann, bob, eve] = all as [Entity, Entity, Entity]
    expect(world.add(ann, Likes(bob, { weight: 2 }))).toBe(true)
    world.add(ann, Likes(eve))
    expect(world.has(ann, Likes(bob)) && world.has(ann, Likes(eve)) && world.has(ann, Likes)).toBe(true)
    expect(world.has(bob, Likes)).toBe(false)
    expect(world.get(ann, Likes(bob))).toEqual({ weight: 2 })
    expect(world.get(ann, Likes(eve))).toEqual({ weight: 1 })
    expect(world.get(eve, Likes(ann))).toBe(undefined)
    world.set(ann, Likes(bob), { weight: 3 })
    expect(world.get(ann, Likes(bob))).toEqual({ weight: 3 })
    // The same link once more keeps its values and its place.
    world.add(ann, Likes(bob))
    expect(world.get(ann, Likes(bob))).toEqual({ weight: 3 })
    expect([...world.targets(ann, Likes)]).toEqual([bob, eve])
    expect(world.target(ann, Likes)).toBe(bob)
    expect([...world.sources(bob, Likes)]).toEqual([ann])
    expect(world.sourceCount(eve, Likes)).toBe(1)
    checkInvariants(world)
    expect(world.remove(ann, Likes(bob))).toBe(true)
    expect(world.remove(ann, Likes(bob))).toBe(false)
    expect(world.has(ann, Likes)).toBe(true)
    expect([...world.targets(ann, Likes)]).toEqual([eve])
    expect(world.sourceCount(bob, Likes)).toBe(0)
    checkInvariants(world)
    // A link made anew starts over, also where its record was used before.
    world.add(ann, Likes(bob))
    expect(world.get(ann, Likes(bob))).toEqual({ weight: 1 })
    expect(world.remove(ann, Likes)).toBe(true)
    expect(world.has(ann, Likes)).toBe(false)
    expect(world.target(ann, Likes)).toBe(NULL_ENTITY)
    expect(world.targets(ann, Likes)).toHaveLength(0)
    checkInvariants(world)
  })

  it('are set by the same call that makes them', () => {
    const { world, all } = people(2)
    world.set(all[0] as Entity, Likes(all[1] as Entity), { weight: 5 })
    expect(world.get(all[0] as Entity, Likes(all[1] as Entity))).toEqual({ weight: 5 })
    expect(codeOf(() => world.set(all[0] as Entity, Likes(all[1] as Entity), anything({ wait: 5 })))).toBe(
      'UNKNOWN_FIELD',
    )
  })

  it('hold fields of every kind, and texts as long as the link exists', () => {
    const Of = relation('Of', {
      on: bool.default(true),
      place: vec(f32, 3),
      long: f64,
      who: entity,
      small: u8.default(7),
      note: text.default('none'),
    })
    const { world, all } = people(40)
    const [hub] = all as [Entity]
    for (const [i, other] of all.entries()) {
      const values = { place: [i, i + 1, i + 2], long: i / 3, who: other, note: `note ${i}` }
      world.add(hub, Of(other, values))
    }
    for (const [i, other] of all.entries()) {
      expect(world.get(hub, Of(other))).toEqual({
        on: true,
        place: Float32Array.of(i, i + 1, i + 2),
        long: i / 3,
        who: other,
        small: 7,
        note: `note ${i}`,
      })
    }
    sweepTexts(world)
    expect(world.get(hub, Of(all[39] as Entity))?.note).toBe('note 39')
    const before = world.stats().texts
    for (const other of all.slice(1)) world.remove(hub, Of(other))
    expect(sweepTexts(world)).toBe(39)
    expect(world.stats().texts).toBe(before - 39)
    checkInvariants(world)
  })

  it('an entity can be linked to itself, and both ways', () => {
    const { world, all } = people(2)
    const [ann, bob] = all as [Entity, Entity]
    world.add(ann, Likes(ann, { weight: 4 }))
    world.add(ann, Likes(bob))
    world.add(bob, Likes(ann))
    expect([...world.sources(ann, Likes)]).toEqual([ann, bob])
    expect(ancestors(world, ann, Likes)).toHaveLength(1)
    expect([...descendants(world, bob, Likes)]).toEqual([ann])
    checkInvariants(world)
    world.destroy(ann)
    expect(world.has(bob, Likes)).toBe(false)
    checkInvariants(world)
  })

  it('exist in any number, even more than a segment has room for, and give their memory back', () => {
    const { world, all } = people(72)
    const used = () => world.stats().bytesUsed
    const bytes = used()
    for (const count of [1, 15, 16, 17, 72]) {
      for (const source of all.slice(0, count))
        for (const target of all.slice(0, count)) world.add(source, Knows(target))
      for (const source of all.slice(0, count)) expect(world.targets(source, Knows)).toHaveLength(count)
      checkInvariants(world)
      for (const source of all.slice(0, count)) {
        const targets = all.filter((_, i) => i < count && i % 2 === 0)
        world.remove(source, ...targets.map((target) => Knows(target)))
      }
      checkInvariants(world)
      for (const source of all.slice(0, count)) world.remove(source, Knows)
      checkInvariants(world)
    }
    expect(used() - bytes).toBeLessThan(20_000)
  })

  it('take some 44 bytes each, and their values', () => {
    const { world, all } = people(1000)
    for (const one of all) world.add(one, Knows(one))
    const before = world.stats().bytesUsed
    for (const [i, one] of all.entries())
      for (let k = 1; k < 31; k++) world.add(one, Knows(all[(i + k) % 1000] as Entity))
    const perLink = (world.stats().bytesUsed - before) / 30_000
    expect(perLink).toBeLessThan(48)
  })

  it('are ordered among the sources of each target by place', () => {
    const { world, all } = people(5)
    const [a, b, c, bob, eve] = all as [Entity, Entity, Entity, Entity, Entity]
    for (const one of [a, b, c]) world.add(one, Likes(bob))
    for (const one of [a, b, c]) world.add(one, Likes(eve))
    world.reorder(c, Likes(bob), { before: a })
    world.reorder(a, Likes(eve), { after: c })
    expect([...world.sources(bob, Likes)]).toEqual([c, a, b])
    expect([...world.sources(eve, Likes)]).toEqual([b, c, a])
    expect([...world.targets(a, Likes)]).toEqual([bob, eve])
    world.reorder(b, Likes(bob), { after: b })
    checkInvariants(world)
    expect(codeOf(() => world.reorder(a, anything(Likes), { before: b }))).toBe('INVALID_VALUE')
    expect(codeOf(() => world.reorder(a, Likes(c), { before: b }))).toBe('MISSING_COMPONENT')
    expect(codeOf(() => world.reorder(bob, Likes(bob), { before: b }))).toBe('MISSING_COMPONENT')
  })

  it('refuse invalid targets, and change nothing', () => {
    const { world, all } = people(2)
    const [ann, bob] = all as [Entity, Entity]
    world.destroy(bob)
    expect(codeOf(() => world.add(ann, Likes(bob)))).toBe('DEAD_ENTITY')
    expect(codeOf(() => world.add(bob, Likes(ann)))).toBe('DEAD_ENTITY')
    expect(codeOf(() => world.add(ann, anything(Likes)))).toBe('INVALID_VALUE')
    expect(codeOf(() => world.spawn(anything(Likes)))).toBe('INVALID_VALUE')
    expect(codeOf(() => Likes(anything('bob')))).toBe('INVALID_VALUE')
    expect(codeOf(() => Likes(ann, anything({ height: 1 })))).toBe('UNKNOWN_FIELD')
    expect(codeOf(() => cascade(anything(Likes)))).toBe('INVALID_QUERY')
    expect(codeOf(() => world.remove(ann, anything({})))).toBe('NOT_A_COMPONENT')
    expect(world.has(bob, Likes(ann)) || world.has(ann, Likes(bob))).toBe(false)
    expect(world.remove(bob, Likes(ann))).toBe(false)
    checkInvariants(world)
  })

  it('wait in a loop, in the order of the calls, and are found at its end', () => {
    const { world, all } = people(4)
    const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
    world.add(ann, Likes(bob))
    world.batch(() => {
      world.add(ann, Likes(eve, { weight: 8 }))
      world.add(ann, Likes(joe))
      expect(world.remove(ann, Likes(bob))).toBe(true)
      expect(world.has(ann, Likes(eve))).toBe(false)
      world.set(ann, Likes(joe), { weight: 9 })
    })
    expect([...world.targets(ann, Likes)]).toEqual([eve, joe])
    expect(world.get(ann, Likes(joe))).toEqual({ weight: 9 })
    world.batch(() => {
      world.remove(ann, Likes(eve), Likes(joe))
      world.add(bob, Likes(eve))
      world.destroy(eve)
    })
    expect(world.has(ann, Likes) || world.has(bob, Likes)).toBe(false)
    const commands = createCommands(world)
    commands.add(ann, Likes(bob))
    commands.add(ann, Likes(joe, { weight: 2 }))
    commands.spawn(Position, Likes(ann))
    commands.apply()
    expect([...world.targets(ann, Likes)]).toEqual([bob, joe])
    expect(world.sourceCount(ann, Likes)).toBe(1)
    checkInvariants(world)
  })

  it('can be made for many entities at once', () => {
    const { world, all } = people(2)
    const [ann, bob] = all as [Entity, Entity]
    const made = spawnMany(world, 700, [Position, Likes(ann, { weight: 3 })])
    expect([...world.sources(ann, Likes)]).toEqual([...made])
    expect(addMany(world.query(Position), Likes(bob, { weight: 6 }))).toBe(702)
    expect(world.sourceCount(bob, Likes)).toBe(702)
    expect(world.get(made[699] as Entity, Likes(ann))).toEqual({ weight: 3 })
    expect(world.get(made[699] as Entity, Likes(bob))).toEqual({ weight: 6 })
    checkInvariants(world)
    removeMany(world.query(Position), Likes)
    expect(world.sourceCount(bob, Likes) + world.sourceCount(ann, Likes)).toBe(0)
    checkInvariants(world)
  })

  it('are reset by exchange', () => {
    const { world, all } = people(3)
    const [ann, bob, eve] = all as [Entity, Entity, Entity]
    world.add(ann, Likes(bob))
    world.exchange(ann, [Likes], [Likes(eve)])
    expect([...world.targets(ann, Likes)]).toEqual([eve])
    expect(world.sourceCount(bob, Likes)).toBe(0)
    checkInvariants(world)
  })

  it('are copied with their values, and links inside a tree lead inside the copy', () => {
    const Owns = relation('Owns', { since: u8 }, { onTargetDestroy: 'destroy' })
    const { world, all } = people(4)
    const [root, left, right, outside] = all as [Entity, Entity, Entity, Entity]
    const leaf = world.spawn(Owns(left, { since: 1 }))
    world.add(leaf, Owns(right, { since: 2 }))
    world.add(left, Owns(root))
    world.add(right, Owns(root))
    world.add(root, Likes(leaf, { weight: 4 }))
    world.add(root, Likes(outside, { weight: 5 }))
    const copy = cloneEntity(world, leaf) as Entity
    expect([...world.targets(copy, Owns)]).toEqual([left, right])
    expect(world.get(copy, Owns(right))).toEqual({ since: 2 })
    world.destroy(copy)
    const [second] = cloneTree(world, root, 2)
    checkInvariants(world)
    const below = descendants(world, second as Entity, Owns)
    expect(below).toHaveLength(3)
    const [, , bottom] = below as unknown as [Entity, Entity, Entity]
    expect([...world.targets(bottom, Owns)]).toEqual([below[0], below[1]])
    expect(world.get(bottom, Owns(below[1] as Entity))).toEqual({ since: 2 })
    expect([...world.targets(second as Entity, Likes)]).toEqual([bottom, outside])
    expect(world.get(second as Entity, Likes(bottom))).toEqual({ weight: 4 })
    world.destroy(second as Entity)
    checkInvariants(world)
  })

  it('survive snapshots, forks and restores, and equal links have equal digests', () => {
    const { world, all } = people(30)
    const [ann, bob, eve] = all as [Entity, Entity, Entity]
    for (const one of all.slice(3)) world.add(ann, Likes(one))
    const empty = snapshotWorld(world)
    for (const one of all) world.add(bob, Likes(one, { weight: 2 }))
    const before = snapshotWorld(world)
    const digested = digestWorld(world)
    const twin = forkWorld(world)
    expect(digestWorld(twin)).toBe(digested)
    expect([...twin.targets(bob, Likes)]).toEqual(all)
    twin.add(eve, Likes(bob, { weight: 9 }))
    checkInvariants(twin)
    for (let i = 0; i < 600; i++) world.add(eve, Likes(world.spawn()))
    checkInvariants(world)
    restoreWorld(world, before)
    checkInvariants(world)
    expect(digestWorld(world)).toBe(digested)
    expect(world.has(eve, Likes)).toBe(false)
    expect(world.get(bob, Likes(eve))).toEqual({ weight: 2 })
    world.set(bob, Likes(eve), { weight: 3 })
    expect(digestWorld(world)).not.toBe(digested)
    world.set(bob, Likes(eve), { weight: 2 })
    // Records lie elsewhere now: that is nobody's business.
    world.remove(ann, Likes)
    for (const one of all.slice(3)) world.remove(bob, Likes(one))
    restoreWorld(world, empty)
    world.remove(ann, Likes)
    for (const one of [...all].reverse()) world.add(eve, Likes(one))
    world.remove(eve, Likes)
    const bare = digestWorld(world)
    world.add(ann, Likes(bob))
    world.remove(ann, Likes(bob))
    expect(digestWorld(world)).toBe(bare)
    checkInvariants(world)
    clearWorld(world)
    checkInvariants(world)
    resetWorld(world)
    const one = world.spawn()
    world.add(one, Likes(one))
    checkInvariants(world)
  })

  it('have the same digest whichever source was linked first', () => {
    const digestOf = (isAnnFirst: boolean) => {
      const { world, all } = people(3)
      const [ann, bob, eve] = all as [Entity, Entity, Entity]
      if (isAnnFirst) world.add(ann, Likes(bob))
      world.add(bob, Likes(eve))
      if (!isAnnFirst) world.add(ann, Likes(bob))
      return digestWorld(world)
    }
    expect(digestOf(true)).toBe(digestOf(false))
  })

  it('without memory for them are not made, and nothing changes', () => {
    const { world, all } = people(3, testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } }))
    const [ann] = all as [Entity]
    const others = spawnMany(world, 3000, [Position])
    let made = 0
    const code = codeOf(() => {
      for (const source of others)
        for (const target of others) {
          world.add(source, Likes(target))
          made++
        }
    })
    expect(code).toBe('MEMORY_LIMIT')
    checkInvariants(world)
    const [first] = others as unknown as [Entity]
    expect(made).toBeGreaterThan(3000)
    expect(world.targets(first, Likes)).toHaveLength(3000)
    world.remove(first, Likes(others[7] as Entity))
    world.add(first, Likes(ann))
    expect(world.targets(first, Likes)).toHaveLength(3000)
    checkInvariants(world)
  })
})

describe('listeners of a relation with many targets', () => {
  it('are called once when an entity gets its first link and when it loses its last one', () => {
    const { world, all } = people(3)
    const [ann, bob, eve] = all as [Entity, Entity, Entity]
    const told: string[] = []
    onAdd(world, Likes, (e) => void told.push(`add ${e === ann}`))
    onRemove(world, Likes, (e) => void told.push(`remove ${e === ann} ${world.targets(e, Likes).length}`))
    onSet(world, Likes, () => void told.push('set'))
    world.add(ann, Likes(bob))
    world.add(ann, Likes(eve, { weight: 1 }))
    world.remove(ann, Likes(bob))
    world.add(ann, Likes(bob))
    expect(told.splice(0)).toEqual(['add true', 'set'])
    world.remove(ann, Likes(bob), Likes(eve))
    expect(told.splice(0)).toEqual(['remove true 2'])
    world.add(ann, Likes(bob))
    world.destroy(bob)
    expect(told.splice(0)).toEqual(['add true', 'remove true 1'])
  })

  it('are called for single links by queries that name the target', () => {
    const Human = tag('Human')
    const { world, all } = people(3)
    const [ann, bob, eve] = all as [Entity, Entity, Entity]
    const told: string[] = []
    const ofBob = world.query(Likes(bob))
    onEnter(ofBob, (e) => void told.push(`enter ${e === ann}`))
    onExit(ofBob, (e) => void told.push(`exit ${world.has(e, Likes(bob))}`))
    onEnter(world.query(Position, Likes, Human), () => void told.push('human'))
    let changes = 0
    onChange(ofBob, () => void changes++)
    world.add(ann, Likes(eve))
    expect(changes).toBe(0)
    world.add(ann, Likes(bob))
    expect(told.splice(0)).toEqual(['enter true'])
    expect(changes).toBe(1)
    world.add(ann, Human)
    expect(told.splice(0)).toEqual(['human'])
    world.remove(ann, Likes(eve))
    world.add(ann, Likes(eve))
    expect(told).toEqual([])
    world.remove(ann, Likes(bob))
    expect(told.splice(0)).toEqual(['exit true'])
    world.add(ann, Likes(bob))
    world.destroy(bob)
    expect(told.splice(0)).toEqual(['enter true', 'exit true'])
    expect(changes).toBe(4)
    checkInvariants(world)
  })
})
