// Owns what calls with pairs do, at once, in loops and in buffers: a link is meant, not the relation.

import { describe, expect, it } from 'vitest'
import { type Entity, NULL_ENTITY, type World, component, f32, relation, tag, u8 } from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Frozen = tag('Frozen')
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const DockedAt = relation('DockedAt', { berth: u8.default(1) }, { exclusive: true })

type Remover = (world: World, remove: (remover: Pick<World, 'remove'>) => void) => void

/** Each way to make the same removals. */
const WAYS: readonly (readonly [string, Remover])[] = [
  ['at once', (world, remove) => remove(world)],
  ['in a block', (world, remove) => world.defer(() => remove(world))],
  [
    'in a buffer',
    (world, remove) => {
      const buffer = world.commands()
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

  it('goes together with components, other pairs, and bare relations', () => {
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

  it('means the target that an entity has when its turn comes', () => {
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

  it('refuses what is no pair, and records nothing then', () => {
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
  it('passes over entities and targets that have died, and is empty after clear and reset', () => {
    const world = watchedWorld()
    const buffer = world.commands()
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
    world.reset()
    expect(buffer.size).toBe(0)
  })
})

describe('exchange', () => {
  it('replaces a link by another one, which starts over, in one move and in loops', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(), world.spawn()]
    const ship = world.spawn(Position, DockedAt(a, { berth: 9 }))
    const told: string[] = []
    world.onAdd(DockedAt, (entity) => told.push(`+${world.target(entity, DockedAt)}`))
    world.onRemove(DockedAt, (entity) => told.push(`-${world.target(entity, DockedAt)}`))
    world.exchange(ship, [DockedAt, Position], [DockedAt(b)])
    expect([world.target(ship, DockedAt), world.get(ship, DockedAt), world.has(ship, Position)]).toEqual([
      b,
      { berth: 1 },
      false,
    ])
    // The same target again: the link ends and begins.
    world.exchange(ship, [DockedAt], [DockedAt(b, { berth: 3 })])
    world.defer(() => world.exchange(ship, [DockedAt], [DockedAt(a), Position({ x: 2 })]))
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

describe('what a world says of its components', () => {
  it('counts those that were declared, and not the lists that relations keep', () => {
    const world = watchedWorld()
    const before = world.stats().components
    const root = world.spawn(Position)
    world.spawn(ChildOf(root))
    expect(world.stats().components).toBe(before + 2)
    world.spawn(DockedAt(root))
    expect(world.stats().components).toBe(before + 3)
    expect(world.fork().stats().components).toBe(before + 3)
    world.reset()
    expect(world.stats().components).toBe(before)
  })
})
