// Shows that links go along with snapshots, restores, forks, digests, copies of entities and modules.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  checkReplay,
  cloneEntity,
  component,
  createHistory,
  digestWorld,
  f32,
  forkWorld,
  relation,
  restoreWorld,
  snapshotWorld,
  cloneMany,
  u8,
  ancestors,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const DockedAt = relation('DockedAt', { berth: u8 }, { exclusive: true })

const sources = (world: World, target: Entity) => Array.from(world.sources(target, ChildOf))

describe('links and time', () => {
  it('go back with a snapshot, even to before the relation was known', () => {
    const world = watchedWorld()
    const root = world.spawn(Position)
    const empty = snapshotWorld(world)
    const [a, b] = [world.spawn(ChildOf(root)), world.spawn(ChildOf(root))]
    const linked = snapshotWorld(world)
    const digested = digestWorld(world)
    world.reorder(b, ChildOf, { before: a })
    expect(digestWorld(world)).not.toBe(digested)
    world.destroy(a)
    world.spawn(ChildOf(b))
    restoreWorld(world, linked)
    expect(digestWorld(world)).toBe(digested)
    expect(sources(world, root)).toEqual([a, b])
    checkInvariants(world)
    world.destroy(a)
    expect(sources(world, root)).toEqual([b])
    restoreWorld(world, empty)
    expect(sources(world, root)).toEqual([])
    const again = world.spawn(ChildOf(root))
    expect(sources(world, root)).toEqual([again])
    restoreWorld(world, linked)
    expect(sources(world, root)).toEqual([a, b])
    world.destroy(root)
    expect(world.stats().entities).toBe(0)
  })

  it('are independent in a fork', () => {
    const world = watchedWorld()
    const root = world.spawn()
    const child = world.spawn(ChildOf(root))
    const twin = forkWorld(world)
    expect(digestWorld(twin)).toBe(digestWorld(world))
    twin.destroy(root)
    expect(twin.isAlive(child)).toBe(false)
    expect(sources(world, root)).toEqual([child])
    checkInvariants(twin)
    world.add(root, DockedAt(child))
    expect(digestWorld(twin)).not.toBe(digestWorld(world))
  })

  it('are the same in a run that is repeated', () => {
    const world = watchedWorld()
    const nodes = Array.from({ length: 20 }, () => world.spawn(Position))
    let frame = 0
    const report = checkReplay(
      world,
      () => {
        const e = nodes[(frame * 7) % 20] as Entity
        const target = nodes[(frame * 3 + 1) % 20] as Entity
        if (e !== target && !ancestors(world, target, ChildOf).includes(e)) world.add(e, ChildOf(target))
        frame = (frame + 1) % 8
        world.advanceTick()
      },
      { frames: 8 },
    )
    expect(report.equal).toBe(true)
  })

  it('give the same digest in any order of rows, and another one in another order of sources', () => {
    const make = (link: (world: World, nodes: readonly Entity[]) => void) => {
      const world = watchedWorld()
      const nodes = Array.from({ length: 6 }, () => world.spawn(Position))
      link(world, nodes)
      return [digestWorld(world), digestWorld(world, ChildOf), digestWorld(world, ChildOf, DockedAt)]
    }
    const [root, b, c, d, e] = [0, 1, 2, 3, 4]
    const inOrder = make((world, nodes) => {
      for (const i of [b, c, d]) world.add(nodes[i] as Entity, ChildOf(nodes[root] as Entity))
      world.add(nodes[e] as Entity, DockedAt(nodes[root] as Entity, { berth: 2 }))
    })
    const byPlace = make((world, nodes) => {
      world.add(nodes[e] as Entity, ChildOf(nodes[b] as Entity))
      world.add(nodes[e] as Entity, DockedAt(nodes[c] as Entity, { berth: 9 }))
      for (const i of [d, b, c]) world.add(nodes[i] as Entity, ChildOf(nodes[root] as Entity))
      world.reorder(nodes[d] as Entity, ChildOf, { after: nodes[c] as Entity })
      world.remove(nodes[e] as Entity, ChildOf)
      world.add(nodes[e] as Entity, DockedAt(nodes[root] as Entity, { berth: 2 }))
    })
    expect(byPlace).toEqual(inOrder)
    const otherOrder = make((world, nodes) => {
      for (const i of [c, b, d]) world.add(nodes[i] as Entity, ChildOf(nodes[root] as Entity))
      world.add(nodes[e] as Entity, DockedAt(nodes[root] as Entity, { berth: 2 }))
    })
    otherOrder.forEach((digested, i) => expect(digested).not.toBe(inOrder[i]))
  })

  it('go back in a history, frame by frame', () => {
    const world = watchedWorld()
    const history = createHistory(world, { frames: 5 })
    const root = world.spawn()
    const orders: Entity[][] = []
    for (let frame = 0; frame < 5; frame++) {
      const child = world.spawn(ChildOf(root), DockedAt(root, { berth: frame }))
      if (frame > 0) world.reorder(child, ChildOf, { before: sources(world, root)[0] as Entity })
      history.save()
      orders.push(sources(world, root))
    }
    for (let frame = 4; frame > 0; frame--) {
      expect(history.rewind(1)).toBe(true)
      expect(sources(world, root)).toEqual(orders[frame - 1])
      expect(world.sourceCount(root, DockedAt)).toBe(frame)
      checkInvariants(world)
    }
  })

  it('that differ in a replay are found, with the relation and an entity that differs', () => {
    const world = watchedWorld()
    const [root, other] = [world.spawn(), world.spawn()]
    const child = world.spawn()
    let runs = 0
    const report = checkReplay(
      world,
      () => {
        world.add(child, ChildOf(runs++ < 4 ? root : other))
        world.advanceTick()
      },
      { frames: 4 },
    )
    expect(report.equal).toBe(false)
    expect(report.component).toBe('ChildOf')
    expect([child, root, other]).toContain(report.entity)
  })

  it('of a copy have the same target, at the end of its list, and no sources', () => {
    const world = watchedWorld()
    const root = world.spawn()
    const child = world.spawn(Position({ x: 1 }), ChildOf(root), DockedAt(root, { berth: 4 }))
    const leaf = world.spawn(ChildOf(child))
    const copy = cloneEntity(world, child)
    expect(sources(world, root)).toEqual([child, copy])
    expect(sources(world, copy)).toEqual([])
    expect(sources(world, child)).toEqual([leaf])
    expect(world.get(copy, DockedAt)).toEqual({ berth: 4 })
    const many = cloneMany(world, child, 3)
    expect(sources(world, root)).toEqual([child, copy, ...many])
    let late = copy
    world.batch(() => void (late = cloneEntity(world, child)))
    expect(sources(world, root)).toEqual([child, copy, ...many, late])
    world.destroy(child)
    expect(sources(world, root)).toEqual([copy, ...many, late])
  })
})
