// Shows that checkReplay finds and names what a rollback would trip over. Each fault is planted here.

import { describe, expect, it } from 'vitest'
import {
  type World,
  changed,
  checkReplay,
  createSchedule,
  digest,
  f32,
  object,
  resource,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { Health, Position, Red, Velocity } from '../support/kinds'
import { testWorld } from '../support/world'

const Time = resource('Time', { now: f32 })
const EQUAL = { equal: true, frame: undefined, component: undefined, entity: undefined }

function filled(): World {
  const world = testWorld()
  for (let i = 0; i < 20; i++) world.spawn(Position({ x: i }), Velocity({ x: 1 }))
  for (let i = 0; i < 5; i++) world.spawn(Health({ hp: 9 }))
  return world
}

describe('a simulation that is deterministic', () => {
  it('It is equal, and the world is where one run leaves it', () => {
    const [world, other] = [filled(), filled()]
    const stepOf = (inside: World) => {
      const schedule = createSchedule(inside, { timing: false })
        .phase('physics', { after: 'pre', fixedStep: 0.03 })
        .add(() => inside.query(Position, Velocity).each((_, p, v) => void (p.x += v.x)), {
          phase: 'physics',
        })
        .add(() => void inside.spawn(Health({ hp: inside.query(Health).count })), { every: 3 })
        .add(() => void inside.query(Position).where(Position, 'x', '>', 22).destroy(), { interval: 0.05 })
      return () => schedule.run(0.02)
    }
    const step = stepOf(world)
    expect(checkReplay(world, step, { frames: 12 })).toEqual(EQUAL)
    const single = stepOf(other)
    for (let i = 0; i < 12; i++) single()
    expect(digest(world)).toBe(digest(other))
    expect(checkReplay(world, step)).toEqual(EQUAL)
    checkInvariants(world)
  })

  it('The default is 8 frames, and each is run twice', () => {
    const world = filled()
    let runs = 0
    checkReplay(world, () => void runs++)
    expect(runs).toBe(16)
    checkReplay(world, () => void runs++, { frames: 1 })
    expect(runs).toBe(18)
  })

  it('What queries with changed find does not make a difference', () => {
    const world = filled()
    const moved = world.query(changed(Position))
    const step = () => {
      for (const e of moved.entities()) world.add(e, Red)
      world.set(world.query(Position).first() as never, Position, { x: 5 })
    }
    expect(checkReplay(world, step)).toEqual(EQUAL)
  })
})

describe('a simulation that is not', () => {
  const faults: [string, () => (world: World, n: number) => void, string | undefined][] = [
    [
      'a counter outside of the world',
      () => (world, n) => world.query(Health).each((_, h) => void (h.hp = n)),
      'Health',
    ],
    ['a value of a resource', () => (world, n) => void (world.resource(Time).now = n), 'Time'],
    [
      'a tag that comes another time',
      () => (world, n) => void (n === 11 && world.add(world.query(Position).first() as never, Red)),
      'Red',
    ],
    ['an entity that comes another time', () => (world, n) => void (n === 13 && world.spawn()), undefined],
    [
      'an entity that dies another time',
      () => (world, n) => void (n === 9 && world.query(Health).page(0, 1).destroy()),
      undefined,
    ],
  ]

  it.each(faults)('It finds %s', (_, make, name) => {
    const world = filled()
    world.resource(Time)
    const fault = make()
    let n = 0
    const report = checkReplay(world, () => fault(world, n++))
    expect([report.equal, report.component]).toEqual([false, name])
    expect(report.frame).toBeGreaterThanOrEqual(1)
    if (name === 'Time') expect(report.entity).toBe(undefined)
    else expect(report.entity).toBeGreaterThan(0)
    checkInvariants(world)
  })

  it('It names the frame, the first component and the first entity that differ', () => {
    const world = filled()
    const [, , third] = world.query(Position).entities()
    let n = 0
    const step = () => {
      n++
      if (n !== 8 + 5) return
      world.query(Velocity).each((e, v) => void (v.y = e >= (third as number) ? 1 : 0))
      world.query(Health).each((_, h) => void (h.hp = 1))
    }
    expect(checkReplay(world, step)).toEqual({ equal: false, frame: 5, component: 'Velocity', entity: third })
    // It is where the first run left it: nothing had changed then.
    expect(world.query(Health).where(Health, 'hp', '==', 1).count).toBe(0)
  })

  it('Objects that count for themselves are found by what they write', () => {
    class Spinner {
      turns = 0
    }
    const Spin = object<Spinner>('Spin')
    const world = filled()
    const e = world.spawn(Spin(new Spinner()), Position)
    const step = () => void world.set(e, Position, { x: ++(world.get(e, Spin) as Spinner).turns })
    expect(checkReplay(world, step)).toMatchObject({
      equal: false,
      frame: 1,
      component: 'Position',
      entity: e,
    })
  })
})

describe('an object component without revive', () => {
  class Spinner {
    turns = 0
  }
  const Spin = object<Spinner>('Spin')
  const Model = object<Spinner>('Model', { revive: () => new Spinner() })

  it('It is named, and so is its entity, when the rollback loses the object and nothing else differs', () => {
    const world = filled()
    const [first, second] = [world.spawn(Spin(new Spinner())), world.spawn(Spin(new Spinner()))]
    // Removed in the first frame of both runs: the loss makes no difference.
    expect(checkReplay(world, () => void world.remove(first, Spin))).toEqual(EQUAL)
    let n = 0
    const late = () => void (++n === 2 && world.remove(second, Spin))
    expect(checkReplay(world, late)).toEqual({ equal: false, frame: 1, component: 'Spin', entity: second })
    expect(world.has(second, Spin)).toBe(false)
    checkInvariants(world)
  })

  it('It is named when the entity that had it lives on by other components', () => {
    const world = filled()
    const ship = world.spawn(Position, Spin(new Spinner()))
    let n = 0
    const step = () => {
      if (++n === 1) return
      world.remove(ship, Spin)
      if (n < 4) world.add(ship, Spin(new Spinner()))
    }
    const report = checkReplay(world, step, { frames: 5 })
    expect(report).toEqual({ equal: false, frame: 1, component: 'Spin', entity: ship })
  })

  it('A value that revive makes again is no difference', () => {
    const world = filled()
    const ship = world.spawn(Position, Model(new Spinner()))
    let n = 0
    expect(checkReplay(world, () => void (n++ % 8 === 4 && world.remove(ship, Model)))).toEqual(EQUAL)
    expect(world.has(ship, Model)).toBe(false)
  })

  it('Entities that are destroyed with their object in the first run lose it in the second', () => {
    const world = filled()
    const bullet = world.spawn(Spin(new Spinner()))
    const timers = world.resource(Time)
    const step = () => {
      if (++timers.now === 3) world.destroy(bullet)
    }
    expect(checkReplay(world, step)).toEqual({ equal: false, frame: 1, component: 'Spin', entity: bullet })
    expect(checkReplay(world, step)).toEqual(EQUAL)
    checkInvariants(world)
  })
})

describe('wrong use', () => {
  it('Arguments are checked before anything runs', () => {
    const world = filled()
    let runs = 0
    const step = () => void runs++
    for (const frames of [0, -1, 2.5, NaN, '8', null])
      if (frames !== null)
        expect(() => checkReplay(world, step, { frames: frames as never })).toThrow(
          expect.objectContaining({ code: 'INVALID_OPTION' }),
        )
    expect(() => checkReplay(world, step, { frame: 1 } as never)).toThrow("no option 'frame'")
    expect(() => checkReplay({} as never, step)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(() => checkReplay(world, 5 as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(runs).toBe(0)
  })

  it('A step that is async, or throws, ends it', () => {
    const world = filled()
    const asynchronous = expect.objectContaining({ code: 'ASYNC_CALLBACK' })
    expect(() => checkReplay(world, async () => {})).toThrow(asynchronous)
    expect(() => checkReplay(world, () => Promise.resolve())).toThrow(asynchronous)
    expect(() =>
      checkReplay(world, () => {
        throw new Error('step')
      }),
    ).toThrow('step')
    expect(world.query(Position).count).toBe(20)
    expect(() => world.defer(() => checkReplay(world, () => {}))).toThrow(
      expect.objectContaining({ code: 'WORLD_LOCKED' }),
    )
  })
})
