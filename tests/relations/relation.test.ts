// Shows how relations are declared, how links are made and asked about, the order of sources, and what is refused.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  createCommands,
  DeadEntityError,
  type Entity,
  type Ingredient,
  digestWorld,
  NULL_ENTITY,
  type World,
  added,
  component,
  f32,
  not,
  onAdd,
  onEnter,
  relation,
  spawnMany,
  tag,
  text,
  u8,
  ancestors,
  depthOf,
  descendants,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Frozen = tag('Frozen')
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy', order: 'insertion' })
const Follows = relation('Follows', { exclusive: true })
const DockedAt = relation('DockedAt', { berth: u8.default(7), pilot: text }, { exclusive: true })

type Links = readonly Ingredient[]
type FourOf<T> = [T, T, T, T]

const anything = (value: unknown) => value as never

describe('declaring a relation', () => {
  it('keeps its name, fields and policy, and refuses unknown options', () => {
    expect(ChildOf.componentName).toBe('ChildOf')
    expect(ChildOf.kind).toBe('relation')
    expect(ChildOf.onTargetDestroy).toBe('destroy')
    expect(Follows.onTargetDestroy).toBe('remove')
    expect(Object.keys(DockedAt.schema)).toEqual(['berth', 'pilot'])
    expect(String(ChildOf)).toBe('relation ChildOf')
    for (const options of [
      { exclusive: 1 },
      { exclusive: false, onTargetDestroy: 'die' },
      { exclusive: true, onTargetDestroy: 'die' },
      { exclusive: true, order: 'x' },
      { exclusive: true, weight: 1 },
    ])
      expect(codeOf(() => relation('Wrong', anything(options)))).toBe('INVALID_OPTION')
    expect(codeOf(() => relation('Wrong', anything({ x: 1 }), { exclusive: true }))).toBe('INVALID_SCHEMA')
    expect(codeOf(() => relation(anything(5), { exclusive: true }))).toBe('INVALID_SCHEMA')
  })

  it('takes an entity as its target, and values of its fields', () => {
    for (const wrong of [undefined, null, -1, 1.5, 'car', {}])
      expect(codeOf(() => ChildOf(anything(wrong)))).toBe('INVALID_VALUE')
    expect(codeOf(() => DockedAt(5, anything({ quay: 1 })))).toBe('UNKNOWN_FIELD')
    expect(codeOf(() => DockedAt(5, { berth: anything('one') }))).toBe('INVALID_VALUE')
  })

  it('has one name in a world, like any component', () => {
    const world = watchedWorld()
    const parent = world.spawn()
    world.spawn(ChildOf(parent))
    const other = component('ChildOf', { x: f32 })
    expect(codeOf(() => world.spawn(other))).toBe('DUPLICATE_NAME')
  })
})

describe('a link', () => {
  it('lists a source once, however often the same link is made', () => {
    const world = watchedWorld()
    const car = world.spawn(Position)
    const wheel = world.spawn(Position, ChildOf(car))
    expect(world.add(wheel, ChildOf(car))).toBe(false)
    expect(world.add(wheel, ChildOf(car))).toBe(false)
    expect(Array.from(world.sources(car, ChildOf))).toEqual([wheel])
    expect(world.sourceCount(car, ChildOf)).toBe(1)
    expect(world.target(wheel, ChildOf)).toBe(car)
    expect(Array.from(world.targets(wheel, ChildOf))).toEqual([car])
    expect(Array.from(world.targets(car, ChildOf))).toEqual([])
  })

  it('moves from the old target to the new one, and the others keep their order', () => {
    const world = watchedWorld()
    const [car, truck] = [world.spawn(), world.spawn()]
    const wheels = Array.from({ length: 5 }, () => world.spawn(ChildOf(car)))
    expect(world.add(wheels[2] as Entity, ChildOf(truck))).toBe(true)
    expect(Array.from(world.sources(car, ChildOf))).toEqual([0, 1, 3, 4].map((i) => wheels[i]))
    expect(Array.from(world.sources(truck, ChildOf))).toEqual([wheels[2]])
    const { archetypes } = world.stats()
    for (const wheel of wheels) world.add(wheel, ChildOf(truck))
    expect(Array.from(world.sources(truck, ChildOf))).toEqual([2, 0, 1, 3, 4].map((i) => wheels[i]))
    expect(world.sourceCount(car, ChildOf)).toBe(0)
    expect(world.stats().archetypes).toBe(archetypes)
  })

  it('moves no row of the archetype and makes none, for any number of targets', () => {
    const world = watchedWorld()
    const parents = spawnMany(world, 300, [Position])
    const { archetypes } = world.stats()
    for (const parent of parents) world.spawn(Position, ChildOf(parent))
    expect(world.stats().archetypes).toBe(archetypes)
  })

  it('has values, which are reset when it gets another target', () => {
    const world = watchedWorld()
    const [port, other] = [world.spawn(), world.spawn()]
    const ship = world.spawn(DockedAt(port, { berth: 3, pilot: 'Ann' }))
    expect(world.get(ship, DockedAt)).toEqual({ berth: 3, pilot: 'Ann' })
    expect(world.get(ship, DockedAt(port))).toEqual({ berth: 3, pilot: 'Ann' })
    expect(world.get(ship, DockedAt(other))).toBeUndefined()
    world.set(ship, DockedAt, { berth: 4 })
    world.add(ship, DockedAt(port, { pilot: 'Bob' }))
    expect(world.get(ship, DockedAt)).toEqual({ berth: 4, pilot: 'Bob' })
    world.add(ship, DockedAt(other))
    expect(world.get(ship, DockedAt)).toEqual({ berth: 7, pilot: '' })
    expect(world.target(ship, DockedAt)).toBe(other)
    const stop = onAdd(world, DockedAt, () => {})
    world.add(ship, DockedAt(port, { berth: 9 }))
    stop()
    expect(world.get(ship, DockedAt)).toEqual({ berth: 9, pilot: '' })
    expect(codeOf(() => world.set(port, DockedAt, { berth: 1 }))).toBe('INVALID_VALUE')
  })

  it('is read and removed with its target or without', () => {
    const world = watchedWorld()
    const [car, truck] = [world.spawn(), world.spawn()]
    const wheel = world.spawn(Position, Frozen, ChildOf(car))
    expect(world.has(wheel, ChildOf)).toBe(true)
    expect(world.has(wheel, ChildOf(car))).toBe(true)
    expect(world.has(wheel, Position, ChildOf(truck))).toBe(false)
    expect(world.remove(wheel, ChildOf(truck))).toBe(false)
    expect(world.remove(wheel, ChildOf(truck), Frozen)).toBe(true)
    expect(world.has(wheel, ChildOf)).toBe(true)
    expect(world.remove(wheel, ChildOf(car))).toBe(true)
    expect(world.has(wheel, ChildOf)).toBe(false)
    world.add(wheel, ChildOf(car))
    expect(world.remove(wheel, ChildOf)).toBe(true)
    expect(world.remove(wheel, ChildOf)).toBe(false)
    expect(world.sourceCount(car, ChildOf)).toBe(0)
    expect(codeOf(() => world.remove(wheel, anything(Position({ x: 1 }))))).toBe('NOT_A_COMPONENT')
    expect(codeOf(() => world.has(wheel, anything(Position({ x: 1 }))))).toBe('NOT_A_COMPONENT')
    expect(codeOf(() => world.get(wheel, anything(Position({ x: 1 }))))).toBe('NOT_A_COMPONENT')
  })

  it.each([
    ['add', (world: World, links: Links) => world.add(world.spawn(), ...links)],
    ['spawn', (world: World, links: Links) => world.spawn(...links)],
    ['spawnMany', (world: World, links: Links) => spawnMany(world, 2, [...links])],
    ['batch', (world: World, links: Links) => world.batch(() => world.spawn(...links))],
    ['addMany', (world: World, links: Links) => addMany(world, [world.spawn(), world.spawn()], ...links)],
    [
      'a buffer',
      (world: World, links: Links) => {
        const commands = createCommands(world)
        commands.spawn(...links)
        commands.apply()
      },
    ],
  ])('is added together with others in one %s, with any listeners', (_, make) => {
    const Likes = relation('Likes', { weight: f32 })
    const world = watchedWorld()
    const entered: number[] = []
    onEnter(world.query(Position), (entity) => entered.push(entity))
    onEnter(world.query(not(Frozen)), (entity) => entered.push(entity))
    const [car, port, boss, friend] = Array.from({ length: 4 }, () => world.spawn(Position)) as FourOf<Entity>
    make(world, [ChildOf(car), DockedAt(port), Follows(boss), Likes(friend, { weight: 2 })])
    const sources = [...world.query(ChildOf).entities()]
    expect(sources.length).toBeGreaterThan(0)
    expect([...world.sources(car, ChildOf)]).toEqual(sources)
    expect([...world.sources(port, DockedAt)]).toEqual(sources)
    expect([...world.sources(boss, Follows)]).toEqual(sources)
    expect([...world.sources(friend, Likes)]).toEqual(sources)
  })

  it('cannot be added without its target, and changes nothing then', () => {
    const world = watchedWorld()
    const e = world.spawn(Position)
    const before = digestWorld(world)
    expect(codeOf(() => world.spawn(Position, anything(ChildOf)))).toBe('INVALID_VALUE')
    expect(codeOf(() => world.add(e, anything(ChildOf)))).toBe('INVALID_VALUE')
    expect(codeOf(() => spawnMany(world, 3, [anything(ChildOf)]))).toBe('INVALID_VALUE')
    expect(codeOf(() => world.spawn(anything(ChildOf(Position as never))))).toBe('INVALID_VALUE')
    expect(digestWorld(world)).toBe(before)
  })

  it('refuses a target that is dead, recycled or null', () => {
    const world = watchedWorld()
    const [gone, e] = [world.spawn(), world.spawn(Position)]
    world.destroy(gone)
    for (const target of [gone, NULL_ENTITY, 0, 12345]) {
      expect(() => world.add(e, ChildOf(target), Frozen)).toThrow(DeadEntityError)
      expect(() => world.spawn(ChildOf(target))).toThrow(DeadEntityError)
      expect(() => spawnMany(world, 2, [ChildOf(target)])).toThrow(DeadEntityError)
      expect(() => world.batch(() => world.add(e, ChildOf(target)))).toThrow(DeadEntityError)
    }
    expect(world.has(e, Frozen)).toBe(false)
    expect(world.stats().entities).toBe(1)
  })

  it('is refused if an entity would depend on itself', () => {
    const world = watchedWorld()
    const a = world.spawn()
    const b = world.spawn(ChildOf(a))
    const c = world.spawn(ChildOf(b))
    expect(codeOf(() => world.add(a, ChildOf(a)))).toBe('RELATION_CYCLE')
    expect(codeOf(() => world.add(a, ChildOf(b)))).toBe('RELATION_CYCLE')
    expect(codeOf(() => world.add(a, Position, ChildOf(c)))).toBe('RELATION_CYCLE')
    expect(codeOf(() => addMany(world.query(), ChildOf(c)))).toBe('RELATION_CYCLE')
    expect(world.has(a, ChildOf)).toBe(false)
    expect(codeOf(() => world.batch(() => world.add(a, ChildOf(c))))).toBe('RELATION_CYCLE')
  })

  it('may form a circle where nothing depends on a target, and destruction still ends', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(), world.spawn()]
    world.add(a, Follows(b))
    world.add(b, Follows(a))
    expect(codeOf(() => ancestors(world, a, Follows))).toBe('RELATION_CYCLE')
    expect(codeOf(() => descendants(world, a, Follows))).toBe('RELATION_CYCLE')
    expect(codeOf(() => depthOf(world, a, Follows))).toBe('RELATION_CYCLE')
    world.add(a, Follows(a))
    world.destroy(a)
    expect(world.isAlive(b)).toBe(true)
    expect(world.has(b, Follows)).toBe(false)
  })

  it('gives an answer for any handle, and only for relations', () => {
    const world = watchedWorld()
    const e = world.spawn()
    for (const handle of [NULL_ENTITY, 0, -1, NaN, 1.5, 99999]) {
      expect(world.target(handle, ChildOf)).toBe(NULL_ENTITY)
      expect(world.sources(handle, ChildOf)).toHaveLength(0)
      expect(world.sourceCount(handle, ChildOf)).toBe(0)
      expect(descendants(world, handle, ChildOf)).toHaveLength(0)
    }
    world.spawn(ChildOf(e))
    for (const handle of [NULL_ENTITY, 0, -1, NaN, 1.5, 99999]) {
      expect(world.target(handle, ChildOf)).toBe(NULL_ENTITY)
      expect(world.sources(handle, ChildOf)).toHaveLength(0)
    }
    for (const wrong of [Position, Frozen, undefined, 'ChildOf', ChildOf(e)])
      expect(codeOf(() => world.target(e, anything(wrong)))).toBe('NOT_A_RELATION')
    world.dispose()
    expect(codeOf(() => world.target(e, ChildOf))).toBe('WORLD_DISPOSED')
  })
})

describe('the order of sources', () => {
  it('is that of linking until place changes it', () => {
    const world = watchedWorld()
    const parent = world.spawn()
    const [a, b, c, d] = Array.from({ length: 4 }, () => world.spawn(ChildOf(parent))) as [
      Entity,
      Entity,
      Entity,
      Entity,
    ]
    const order = () => Array.from(world.sources(parent, ChildOf))
    world.reorder(d, ChildOf, { before: a })
    expect(order()).toEqual([d, a, b, c])
    world.reorder(a, ChildOf, { after: c })
    expect(order()).toEqual([d, b, c, a])
    world.reorder(a, ChildOf, { after: c })
    world.reorder(a, ChildOf, { before: a })
    expect(order()).toEqual([d, b, c, a])
    world.batch(() => {
      world.reorder(c, ChildOf, { before: d })
      expect(order()).toEqual([d, b, c, a])
    })
    expect(order()).toEqual([c, d, b, a])
  })

  it('refuses a sibling that has another target, is dead, or is missing', () => {
    const world = watchedWorld()
    const [parent, other] = [world.spawn(), world.spawn()]
    const a = world.spawn(ChildOf(parent))
    const b = world.spawn(ChildOf(other))
    expect(codeOf(() => world.reorder(a, ChildOf, { before: b }))).toBe('MISSING_COMPONENT')
    expect(codeOf(() => world.reorder(parent, ChildOf, { before: b }))).toBe('MISSING_COMPONENT')
    expect(codeOf(() => world.reorder(a, ChildOf, { before: 77 }))).toBe('DEAD_ENTITY')
    expect(codeOf(() => world.reorder(77, ChildOf, { before: a }))).toBe('DEAD_ENTITY')
    for (const place of [undefined, {}, { before: a, after: b }, { at: 1 }, { before: 'a' }, 5])
      expect(codeOf(() => world.reorder(a, ChildOf, anything(place)))).toBe('INVALID_OPTION')
  })
})

describe('above and below', () => {
  it('lists ancestors from the nearest up, descendants level by level, and counts the depth', () => {
    const world = watchedWorld()
    const root = world.spawn()
    const [left, right] = [world.spawn(ChildOf(root)), world.spawn(ChildOf(root))]
    const leaf = world.spawn(ChildOf(left))
    const other = world.spawn(ChildOf(right))
    expect(Array.from(ancestors(world, leaf, ChildOf))).toEqual([left, root])
    expect(Array.from(descendants(world, root, ChildOf))).toEqual([left, right, leaf, other])
    expect([root, left, leaf].map((e) => depthOf(world, e, ChildOf))).toEqual([0, 1, 2])
  })
})

it.each([ChildOf, Follows, DockedAt])(
  'A link of $componentName to another target counts as added',
  (Link) => {
    const world = watchedWorld()
    const [first, second, source] = [world.spawn(), world.spawn(), world.spawn()]
    world.add(source, Link(first))
    const query = world.query(added(Link))
    expect([...query.entities()]).toEqual([source])
    world.advanceTick()
    world.add(source, Link(first))
    expect([...query.entities()]).toEqual([])
    world.advanceTick()
    world.add(source, Link(second))
    expect([...query.entities()]).toEqual([source])
  },
)
