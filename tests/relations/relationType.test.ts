// Shows what calls with pairs do, at once, in loops and in buffers: they mean a link, not the relation.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  addMany,
  createCommands,
  forkWorld,
  NULL_ENTITY,
  type World,
  component,
  f32,
  onAdd,
  onEnter,
  onRemove,
  relation,
  resetWorld,
  cloneMany,
  spawnMany,
  tag,
  u8,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Frozen = tag('Frozen')
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const DockedAt = relation('DockedAt', { berth: u8.default(1) }, { exclusive: true })

type Remover = (world: World, remove: (remover: Pick<World, 'remove'>) => void) => void

/** Each way to make the same removals. */
const WAYS: readonly (readonly [string, Remover])[] = [
  ['at once', (world, remove) => remove(world)],
  ['in a block', (world, remove) => world.batch(() => remove(world))],
  [
    'in a buffer',
    (world, remove) => {
      const buffer = createCommands(world)
      remove(buffer as unknown as World)
      expect(buffer.size).toBeGreaterThan(0)
      buffer.apply()
    },
  ],
]

describe.each(WAYS)('removing a pair %s', (_, way) => {
  it('ends the link to that target, and no other', () => {
    const world = watchedWorld()
    const [car, truck] = [world.spawn(), world.spawn()]
    const wheels = [world.spawn(ChildOf(car)), world.spawn(ChildOf(truck)), world.spawn()] as const
    way(world, (remover) => {
      for (const wheel of wheels) remover.remove(wheel, ChildOf(car))
    })
    expect(wheels.map((wheel) => world.target(wheel, ChildOf))).toEqual([NULL_ENTITY, truck, NULL_ENTITY])
    expect([world.sourceCount(car, ChildOf), world.sourceCount(truck, ChildOf)]).toEqual([0, 1])
  })

  it('can be combined with components, other pairs, and bare relations', () => {
    const world = watchedWorld()
    const [car, port] = [world.spawn(), world.spawn()]
    const ship = world.spawn(Position, Frozen, ChildOf(car), DockedAt(port, { berth: 4 }))
    way(world, (remover) => void remover.remove(ship, Frozen, ChildOf(port), DockedAt(port)))
    expect([world.has(ship, Frozen), world.has(ship, ChildOf), world.has(ship, DockedAt)]).toEqual([
      false,
      true,
      false,
    ])
    way(world, (remover) => void remover.remove(ship, ChildOf(car), Position))
    expect([world.has(ship, Position), world.has(ship, ChildOf)]).toEqual([false, false])
  })

  it('refers to the target that an entity has when the command is applied', () => {
    const world = watchedWorld()
    const [car, truck] = [world.spawn(), world.spawn()]
    const wheel = world.spawn(ChildOf(car))
    way(world, (remover) => {
      const adder = remover as World
      adder.add(wheel, ChildOf(truck))
      remover.remove(wheel, ChildOf(car))
    })
    expect(world.target(wheel, ChildOf)).toBe(truck)
    way(world, (remover) => {
      const adder = remover as World
      remover.remove(wheel, ChildOf(truck))
      adder.add(wheel, ChildOf(car))
      remover.remove(wheel, ChildOf(truck))
    })
    expect(world.target(wheel, ChildOf)).toBe(car)
  })

  it('refuses anything but a pair, and records nothing then', () => {
    const world = watchedWorld()
    const car = world.spawn()
    const wheel = world.spawn(ChildOf(car), Frozen)
    for (const wrong of [Position({ x: 1 }), {}, null])
      expect(() => way(world, (remover) => void remover.remove(wheel, Frozen, wrong as never))).toThrow(
        expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
      )
    expect([world.has(wheel, Frozen), world.has(wheel, ChildOf)]).toEqual([true, true])
  })
})

describe('a buffer with pairs', () => {
  it('skips entities and targets that have died, and is empty after clear and reset', () => {
    const world = watchedWorld()
    const buffer = createCommands(world)
    const [car, truck] = [world.spawn(), world.spawn()]
    const [wheel, door] = [world.spawn(ChildOf(car)), world.spawn(ChildOf(truck))]
    buffer.remove(wheel, ChildOf(car))
    buffer.remove(door, ChildOf(truck))
    world.destroy(wheel)
    world.destroy(truck)
    buffer.apply()
    expect([world.isAlive(wheel), world.isAlive(door)]).toEqual([false, false])
    buffer.remove(wheel, ChildOf(car))
    expect(buffer.size).toBe(0)
    const part = world.spawn(ChildOf(car))
    buffer.remove(part, ChildOf(car))
    buffer.clear()
    buffer.apply()
    expect(world.target(part, ChildOf)).toBe(car)
    buffer.remove(part, ChildOf(car))
    resetWorld(world)
    expect(buffer.size).toBe(0)
  })
})

describe('exchange', () => {
  it('replaces a link by another one, which is reset, in one move and in loops', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(), world.spawn()]
    const ship = world.spawn(Position, DockedAt(a, { berth: 9 }))
    const told: string[] = []
    onAdd(world, DockedAt, (entity) => told.push(`+${world.target(entity, DockedAt)}`))
    onRemove(world, DockedAt, (entity) => told.push(`-${world.target(entity, DockedAt)}`))
    world.exchange(ship, [DockedAt, Position], [DockedAt(b)])
    expect([world.target(ship, DockedAt), world.get(ship, DockedAt), world.has(ship, Position)]).toEqual([
      b,
      { berth: 1 },
      false,
    ])
    // The same target again: the link ends and begins.
    world.exchange(ship, [DockedAt], [DockedAt(b, { berth: 3 })])
    world.batch(() => world.exchange(ship, [DockedAt], [DockedAt(a), Position({ x: 2 })]))
    expect([...world.sources(a, DockedAt)]).toEqual([ship])
    expect(told).toEqual([`-${a}`, `+${b}`, `-${b}`, `+${b}`, `-${b}`, `+${a}`])
    const refusals: [() => unknown, string][] = [
      [() => world.exchange(ship, [DockedAt(a) as never], []), 'NOT_A_COMPONENT'],
      [() => world.exchange(ship, [], [DockedAt as never, ChildOf as never]), 'INVALID_VALUE'],
      [() => world.exchange(ship, [DockedAt], [DockedAt(NULL_ENTITY)]), 'DEAD_ENTITY'],
      [() => world.exchange(ship, [], [ChildOf(ship as Entity)]), 'RELATION_CYCLE'],
    ]
    for (const [call, code] of refusals) {
      expect(call).toThrow(expect.objectContaining({ code }))
      expect([world.target(ship, DockedAt), world.get(ship, Position)]).toEqual([a, { x: 2 }])
    }
  })
})

describe('the component counts of a world', () => {
  it('include the declared ones, and not the lists that relations keep', () => {
    const world = watchedWorld()
    const before = world.stats().components
    const root = world.spawn(Position)
    world.spawn(ChildOf(root))
    expect(world.stats().components).toBe(before + 2)
    world.spawn(DockedAt(root))
    expect(world.stats().components).toBe(before + 3)
    expect(forkWorld(world).stats().components).toBe(before + 3)
    resetWorld(world)
    expect(world.stats().components).toBe(before)
  })
})

describe('an exclusive link added to entities with another target', () => {
  const Owned = relation('Owned', { n: u8 }, { exclusive: true, onTargetDestroy: 'destroy' })
  const Give: Record<string, (world: World, list: readonly Entity[], to: Entity) => unknown> = {
    add: (world, list, to) => list.forEach((entity) => world.add(entity, Owned(to))),
    addMany: (world, list, to) => addMany(world, list, Owned(to)),
    'addMany of a query': (world, _, to) => addMany(world.query(Position), Owned(to)),
    'the add of a page': (world, _, to) => addMany(world.query(Position).slice(0, 9), Owned(to)),
    exchange: (world, list, to) => list.forEach((entity) => world.exchange(entity, [Owned], [Owned(to)])),
    'a loop': (world, _, to) => world.query(Position).each((entity) => world.add(entity, Owned(to))),
    'a buffer': (world, list, to) => {
      const commands = createCommands(world)
      for (const entity of list) commands.add(entity, Owned(to))
      commands.apply()
    },
  }

  it.each(Object.keys(Give))('by %s leaves the old target, whose death spares them', (way) => {
    const world = watchedWorld()
    const [before, after] = [world.spawn(), world.spawn()]
    const list = Array.from(spawnMany(world, 5, [Position, Owned(before)]))
    Give[way]?.(world, list, after)
    expect([world.sourceCount(before, Owned), Array.from(world.sources(after, Owned))]).toEqual([0, list])
    world.destroy(before)
    expect(list.every((entity) => world.isAlive(entity))).toBe(true)
    world.destroy(after)
    expect(list.some((entity) => world.isAlive(entity))).toBe(false)
  })

  it('by an override of copies belongs to them alone', () => {
    const world = watchedWorld()
    const [before, after] = [world.spawn(), world.spawn()]
    const model = world.spawn(Position, Owned(before))
    const copies = cloneMany(world, model, 3, Owned(after))
    world.destroy(before)
    expect([world.isAlive(model), Array.from(world.sources(after, Owned))]).toEqual([
      false,
      Array.from(copies),
    ])
  })

  it('leaves no trace when a listener of the old one destroys the entity', () => {
    const world = watchedWorld()
    const [before, after] = [world.spawn(), world.spawn()]
    const hired = world.spawn(Position, Owned(before, { n: 7 }))
    onRemove(world, Owned, (entity) => void world.destroy(entity))
    world.add(hired, Owned(after))
    expect([world.isAlive(hired), world.sourceCount(before, Owned), world.sourceCount(after, Owned)]).toEqual(
      [false, 0, 0],
    )
    expect([world.query(Owned).count, world.query(Position, Owned(after)).count]).toEqual([0, 0])
    for (const born of spawnMany(world, 1100, [])) expect(world.has(born, Owned)).toBe(false)
  })

  it.each(['add', 'remove', 'the death of the target', 'a block'])(
    'by a listener during a change by %s is the one link in the end',
    (way) => {
      const Kept = relation('Kept', { n: u8 }, { exclusive: true })
      const world = watchedWorld()
      const [first, second, third] = [world.spawn(), world.spawn(), world.spawn()]
      const entity = world.spawn(Position, Kept(first))
      let left = 1
      onRemove(world, Kept, () => void (left-- > 0 && world.add(entity, Kept(third, { n: 3 }))))
      if (way === 'add') world.add(entity, Kept(second))
      else if (way === 'remove') world.remove(entity, Kept)
      else if (way === 'a block')
        world.batch(() => (world.remove(entity, Kept), world.add(entity, Kept(second))))
      else world.destroy(first)
      expect([world.target(entity, Kept), world.get(entity, Kept)]).toEqual([third, { n: 3 }])
      expect([second, third].map((target) => world.sourceCount(target, Kept))).toEqual([0, 1])
      expect(world.query(Kept(second)).count + world.query(Kept(third)).count).toBe(1)
    },
  )
})

it('Listeners are called in the same way however the sources of links are made', () => {
  const Fan = relation('Fan', { n: u8 })
  const made: Record<string, (world: World, to: Entity) => Iterable<number>> = {
    'one by one': (world, to) => [1, 2, 3].map(() => world.spawn(Position, DockedAt(to), Fan(to, { n: 9 }))),
    'at once': (world, to) => spawnMany(world, 3, [Position, DockedAt(to), Fan(to, { n: 9 })]),
    'in a block': (world, to) =>
      world.batch(() => spawnMany(world, 3, [Position, DockedAt(to), Fan(to, { n: 9 })])),
    'in a buffer': (world, to) => {
      const commands = createCommands(world)
      const list = commands.spawnMany(3, [Position, DockedAt(to), Fan(to, { n: 9 })])
      commands.apply()
      return list
    },
    'as copies': (world, to) => cloneMany(world, world.spawn(), 3, Position, DockedAt(to), Fan(to, { n: 9 })),
  }
  const told = Object.values(made).map((make) => {
    const world = watchedWorld()
    const to = world.spawn()
    const log: string[] = []
    onAdd(world, DockedAt, (entity) => log.push(`docked ${world.target(entity, DockedAt) === to}`))
    onAdd(world, Fan, (entity) => log.push(`fan ${world.get(entity, Fan(to))?.n}`))
    onEnter(world.query(Position, DockedAt(to)), () => log.push('enters'))
    onEnter(world.query(Fan(to)), () => log.push('enters the fans'))
    const list = Array.from(make(world, to))
    expect([Array.from(world.sources(to, DockedAt)), Array.from(world.sources(to, Fan))]).toEqual([
      list,
      list,
    ])
    return log.sort()
  })
  for (const log of told) expect(log).toEqual(told[0])
  expect(told[0]?.length).toBe(12)
})
