// Shows that queries over relations find what a search by hand finds: targets, wildcards, denials, filters over targets, levels,
// and what follows their results.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  addMany,
  cloneEntity,
  destroyMany,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  removeMany,
  restoreWorld,
  snapshotWorld,
  sortedEntities,
  sparse,
  StrataTypeError,
  any,
  cascade,
  changed,
  component,
  createWorld,
  f32,
  not,
  optional,
  relation,
  onChange,
  tag,
  u8,
  ancestors,
  depthOf,
  descendants,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Health = component('Health', { hp: f32 }, { storage: sparse })
const Vehicle = tag('Vehicle')
const Frozen = tag('Frozen')
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const Follows = relation('Follows', { exclusive: true })
const DockedAt = relation('DockedAt', { berth: u8 }, { exclusive: true })

const anything = (value: unknown) => value as never
const listed = (query: { entities(): Uint32Array }) => Array.from(query.entities())

/** Two cars with three wheels each, in turns, and a tree that is no vehicle with one leaf. */
function garage() {
  const world = watchedWorld()
  const [car, truck, tree] = [world.spawn(Position, Vehicle), world.spawn(Position, Vehicle), world.spawn()]
  const wheels = Array.from({ length: 6 }, (_, i) =>
    world.spawn(Position({ x: i }), ChildOf(i % 2 === 0 ? car : truck)),
  )
  const leaf = world.spawn(Position({ x: 9 }), Health, ChildOf(tree))
  const own = (...places: number[]) => places.map((i) => wheels[i] as Entity)
  return { world, car, truck, tree, wheels, leaf, own }
}

describe('a query with a target', () => {
  it('visits the sources of that target in their order, with columns and cursors', () => {
    const { world, car, own, wheels } = garage()
    const query = world.query(Position, ChildOf(car))
    expect(listed(query)).toEqual(own(0, 2, 4))
    expect(query.count).toBe(3)
    expect(query.first()).toBe(wheels[0])
    expect(query.at(1)).toBe(wheels[2])
    world.reorder(wheels[4] as Entity, ChildOf, { before: wheels[0] as Entity })
    expect(listed(query)).toEqual(own(4, 0, 2))
    const seen: number[] = []
    for (const chunk of query) {
      const { x } = chunk.write(Position)
      for (let i = chunk.start; i < chunk.end; i++) seen.push((x[i] = (x[i] as number) + 10))
    }
    expect(seen).toEqual([14, 10, 12])
    query.each((e, position) => expect(position.x).toBe(wheels.indexOf(e) + 10))
    expect(world.get(wheels[1] as Entity, Position)).toEqual({ x: 1 })
  })

  it('respects its other terms, and finds nothing for a stale handle', () => {
    const { world, car, tree, leaf, own } = garage()
    world.add(own(2)[0] as Entity, Frozen, Health)
    expect(listed(world.query(Position, ChildOf(car), not(Frozen)))).toEqual(own(0, 4))
    expect(listed(world.query(Health, ChildOf(car)))).toEqual(own(2))
    expect(listed(world.query(ChildOf(tree), Health))).toEqual([leaf])
    expect(listed(world.query(ChildOf(tree), any(Health, Frozen), optional(Position)))).toEqual([leaf])
    expect(listed(world.query(ChildOf(car), not(ChildOf(tree))))).toEqual(own(0, 2, 4))
    world.destroy(car)
    expect(world.query(Position, ChildOf(car)).isEmpty).toBe(true)
    expect(world.query(ChildOf(anything(0xffffffff))).count).toBe(0)
  })

  it('has the values of links as columns if it has no other terms', () => {
    const world = watchedWorld()
    const port = world.spawn()
    const other = world.spawn()
    const ships = Array.from({ length: 5 }, (_, i) =>
      world.spawn(DockedAt(i === 2 ? other : port, { berth: i })),
    )
    const berths: number[] = []
    for (const chunk of world.query(DockedAt(port))) {
      const { berth } = chunk.read(DockedAt)
      for (let i = chunk.start; i < chunk.end; i++) berths.push(berth[i] as number)
    }
    expect(berths).toEqual([0, 1, 3, 4])
    world.query(DockedAt(port)).each((e, link) => expect(link.berth).toBe(ships.indexOf(e)))
    expect(listed(world.query(DockedAt(port)).where(DockedAt, 'berth', '>', 2))).toEqual([ships[3], ships[4]])
    expect(listed(world.query(DockedAt).where(DockedAt, 'berth', '<', 3))).toEqual(ships.slice(0, 3))
    world.add(ships[0] as Entity, Position)
    world.query(Position, DockedAt(port)).each((_, position, link) => (position.x = link.berth + 1))
    expect(world.get(ships[0] as Entity, Position)).toEqual({ x: 1 })
  })

  it('works inside of loops, in pages, by conditions and sorted', () => {
    const { world, car, truck, own } = garage()
    const pairs: [number, number][] = []
    world.query(Vehicle).each((vehicle) => {
      for (const chunk of world.query(Position, ChildOf(vehicle))) {
        for (let i = chunk.start; i < chunk.end; i++) pairs.push([vehicle, chunk.entities[i] as number])
      }
    })
    expect(pairs).toEqual([...own(0, 2, 4).map((e) => [car, e]), ...own(1, 3, 5).map((e) => [truck, e])])
    const query = world.query(Position, ChildOf(car))
    expect(listed(query.slice(1, 2))).toEqual(own(2))
    expect(listed(query.where(Position, 'x', '>', 1))).toEqual(own(2, 4))
    world.set(own(0)[0] as Entity, Position, { x: 99 })
    expect(Array.from(sortedEntities(query, Position, 'x'))).toEqual(own(2, 4, 0))
  })

  it('makes changes of all that match', () => {
    const { world, car, truck, own } = garage()
    expect(addMany(world.query(ChildOf(car)), Frozen)).toBe(3)
    expect(listed(world.query(Frozen))).toEqual(own(0, 2, 4))
    expect(addMany(world.query(Frozen), ChildOf(truck))).toBe(3)
    expect(Array.from(world.sources(truck, ChildOf))).toEqual(own(1, 3, 5, 0, 2, 4))
    expect(removeMany(world.query(ChildOf(truck)), ChildOf)).toBe(6)
    expect(world.query(ChildOf(truck)).count).toBe(0)
    addMany(world.query(Position, not(Vehicle)), ChildOf(car))
    const { entities } = world.stats()
    expect(destroyMany(world.query(Position, ChildOf(car)))).toBe(7)
    expect(world.stats().entities).toBe(entities - 7)
  })

  it('reports what changed, including links', () => {
    const { world, car, truck, own } = garage()
    const moved = world.query(Position, ChildOf(car), changed(Position))
    expect(listed(moved)).toEqual(own(0, 2, 4))
    expect(listed(moved)).toEqual([])
    world.advanceTick()
    world.set(own(0)[0] as Entity, Position, { x: 5 })
    expect(listed(moved)).toContain(own(0)[0])
    const linked = world.query(changed(ChildOf))
    expect(linked.count).toBe(7)
    linked.entities()
    world.advanceTick()
    expect(linked.count).toBe(0)
    world.add(own(0)[0] as Entity, ChildOf(truck))
    expect(listed(linked)).toContain(own(0)[0])
  })
})

describe('a relation by itself and negated', () => {
  it('matches any target, once for each source', () => {
    const { world, car, truck, tree, leaf, wheels, own } = garage()
    expect(listed(world.query(Position, ChildOf)).sort()).toEqual([...wheels, leaf].sort())
    expect(new Set(listed(world.query(not(ChildOf))))).toEqual(new Set([car, truck, tree]))
    expect(new Set(listed(world.query(Position, not(ChildOf(car)))))).toEqual(
      new Set([car, truck, leaf, ...own(1, 3, 5)]),
    )
    expect(new Set(listed(world.query(Position, ChildOf, not(ChildOf(car), Health))))).toEqual(
      new Set(own(1, 3, 5)),
    )
    expect(new Set(listed(world.query(Position, ChildOf, not(ChildOf(Vehicle)))))).toEqual(new Set([leaf]))
  })

  it('ignores a target that was destroyed', () => {
    const { world, car, leaf, tree } = garage()
    world.add(leaf, Follows(car))
    world.destroy(car)
    expect(world.query(Follows).count).toBe(0)
    expect(world.query(ChildOf).count).toBe(4)
    world.destroy(tree)
    expect(world.query(ChildOf).count).toBe(3)
  })

  it('finds the sources of every target that has a component at the moment', () => {
    const { world, car, truck, tree, leaf, own } = garage()
    const query = world.query(Position, ChildOf(Vehicle))
    expect(new Set(listed(query))).toEqual(new Set(own(0, 1, 2, 3, 4, 5)))
    world.remove(truck, Vehicle)
    expect(listed(query)).toEqual(own(0, 2, 4))
    world.add(tree, Vehicle)
    world.remove(car, Vehicle)
    expect(listed(query)).toEqual([leaf])
  })

  it('reaches further with several queries: what is in something that is in a place', () => {
    const { world, car, own } = garage()
    const bolt = world.spawn(Position, ChildOf(own(0)[0] as Entity))
    expect(Array.from(descendants(world, car, ChildOf))).toEqual([...own(0, 2, 4), bolt])
    expect(world.has(bolt, ChildOf(car))).toBe(false)
    expect(Array.from(ancestors(world, bolt, ChildOf))).toContain(car)
  })

  it('refuses combinations that make no sense', () => {
    const { world, car } = garage()
    const refused = (action: () => unknown) => expect(action).toThrow(StrataTypeError)
    refused(() => world.query(ChildOf, ChildOf(car)))
    refused(() => world.query(optional(anything(ChildOf(car)))))
    refused(() => world.query(any(anything(ChildOf(car)))))
    refused(() => world.query(anything(Position({ x: 1 }))))
    refused(() => cascade(anything(Position)))
    refused(() => world.query(Position, cascade(ChildOf), cascade(Follows)))
    refused(() => onEnter(world.query(ChildOf(Vehicle)), () => {}))
  })
})

describe('cascade', () => {
  it('visits targets before their sources, level by level, and follows changes', () => {
    const world = watchedWorld()
    const nodes: Entity[] = []
    let random = 7
    const next = (n: number) => (random = (random * 1103515245 + 12345) & 0x7fffffff) % n
    for (let i = 0; i < 200; i++) {
      const kind = i % 3 === 0 ? [Position, Frozen] : [Position]
      nodes.push(
        i < 3
          ? world.spawn(...(kind as [typeof Position]))
          : world.spawn(...(kind as [typeof Position]), ChildOf(nodes[next(i)] as Entity)),
      )
    }
    const query = world.query(Position, cascade(ChildOf))
    const check = () => {
      const order = listed(query)
      expect(order).toHaveLength(nodes.length)
      expect(new Set(order).size).toBe(nodes.length)
      const depths = order.map((e) => depthOf(world, e, ChildOf))
      expect(depths).toEqual([...depths].sort((a, b) => a - b))
    }
    check()
    for (let k = 0; k < 60; k++) {
      const [a, b] = [nodes[next(200)] as Entity, nodes[next(200)] as Entity]
      if (a === b || Array.from(ancestors(world, b, ChildOf)).includes(a)) continue
      world.add(a, ChildOf(b))
      check()
    }
    const half = world.query(Position, Frozen, cascade(ChildOf))
    const depths = listed(half).map((e) => depthOf(world, e, ChildOf))
    expect(depths).toEqual([...depths].sort((a, b) => a - b))
    for (const chunk of query) {
      const { x } = chunk.write(Position)
      for (let i = chunk.start; i < chunk.end; i++) {
        const parent = world.target(chunk.entities[i] as Entity, ChildOf)
        x[i] = (world.get(parent, Position)?.x ?? 0) + 1
      }
    }
    for (const e of nodes) expect(world.get(e, Position)?.x).toBe(depthOf(world, e, ChildOf) + 1)
  })

  it('orders nothing without links, and refuses circles of links', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(Position), world.spawn(Position)]
    expect(listed(world.query(Position, cascade(Follows)))).toEqual([a, b])
    world.add(a, Follows(b))
    expect(listed(world.query(Position, cascade(Follows)))).toEqual([b, a])
    world.add(b, Follows(a))
    expect(() => listed(world.query(Position, cascade(Follows)))).toThrow(/lead back/)
    world.remove(b, Follows)
    expect(world.query(Position, cascade(Follows)).count).toBe(2)
  })

  it('restores its order after a restore', () => {
    const world = createWorld({ memory: { initial: 2 ** 20 } })
    const [a, b] = [world.spawn(Position), world.spawn(Position)]
    const query = world.query(Position, cascade(ChildOf))
    world.add(a, ChildOf(b))
    const before = snapshotWorld(world)
    expect(listed(query)).toEqual([b, a])
    world.remove(a, ChildOf)
    world.add(b, ChildOf(a))
    expect(listed(query)).toEqual([a, b])
    restoreWorld(world, before)
    expect(listed(query)).toEqual([b, a])
  })
})

describe('listeners of such queries', () => {
  it('are called when an entity starts or stops matching by a link, once', () => {
    const { world, car, truck, own } = garage()
    const told: unknown[] = []
    const query = world.query(Position, ChildOf(car))
    onEnter(query, (e) => told.push(['enter', e, world.target(e, ChildOf)]))
    onExit(query, (e) => told.push(['exit', e, world.target(e, ChildOf)]))
    const [a, b] = [own(0)[0] as Entity, own(1)[0] as Entity]
    world.add(a, ChildOf(truck))
    expect(told.splice(0)).toEqual([['exit', a, car]])
    world.add(b, ChildOf(car))
    expect(told.splice(0)).toEqual([['enter', b, car]])
    const made = world.spawn(Position, ChildOf(car))
    world.spawn(Position, ChildOf(truck))
    expect(told.splice(0)).toEqual([['enter', made, car]])
    const copy = cloneEntity(world, made)
    expect(told.splice(0)).toEqual([['enter', copy, car]])
    world.remove(made, Position)
    world.batch(() => world.remove(copy, ChildOf))
    expect(told.splice(0)).toEqual([
      ['exit', made, car],
      ['exit', copy, car],
    ])
    world.destroy(car)
    expect(told.map((one) => (one as unknown[])[0])).toEqual(['exit', 'exit', 'exit'])
  })

  it('report a new target as onRemove and then onAdd, once each', () => {
    const { world, car, truck, own } = garage()
    const told: unknown[] = []
    onRemove(world, ChildOf, (e) => told.push(['removed', e, world.target(e, ChildOf)]))
    onAdd(world, ChildOf, (e) => told.push(['added', e, world.target(e, ChildOf)]))
    onSet(world, ChildOf, (e) => told.push(['set', e]))
    const [a] = own(0)
    world.add(a as Entity, ChildOf(truck))
    expect(told.splice(0)).toEqual([
      ['removed', a, car],
      ['added', a, truck],
    ])
    world.add(a as Entity, ChildOf(truck))
    expect(told).toEqual([])
    world.exchange(a as Entity, [ChildOf], [ChildOf(car)])
    expect(told.splice(0)).toEqual([
      ['removed', a, truck],
      ['added', a, car],
    ])
  })

  it('subscribers are called when another set matches or the order changes, and not otherwise', () => {
    const { world, car, truck, own, wheels } = garage()
    let calls = 0
    const stops = [
      onChange(world.query(Position, ChildOf(car)), () => calls++),
      onChange(world.query(Position, not(ChildOf(truck))), () => (calls += 100)),
    ]
    world.add(own(1)[0] as Entity, ChildOf(car))
    expect(calls).toBe(101)
    calls = 0
    world.spawn(Position, ChildOf(truck))
    expect(calls).toBe(0)
    world.reorder(wheels[0] as Entity, ChildOf, { after: wheels[2] as Entity })
    expect(calls).toBe(1)
    calls = 0
    world.batch(() => {
      for (const e of own(0, 2)) world.add(e, ChildOf(truck))
    })
    expect(calls).toBe(101)
    for (const stop of stops) stop()
    world.destroy(car)
    expect(calls).toBe(101)
  })
})
