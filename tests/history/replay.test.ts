// Shows that checkReplay finds and names what a rollback would trip over. Each fault is planted here.

import { describe, expect, it } from 'vitest'
import {
  type World,
  changed,
  checkReplay,
  component,
  createSchedule,
  destroyMany,
  digestWorld,
  f32,
  object,
  relation,
  resource,
  restoreWorld,
  snapshotWorld,
  tag,
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

describe('a deterministic simulation', () => {
  it('It is equal, and the world is left where one run leaves it', () => {
    const [world, other] = [filled(), filled()]
    const stepOf = (inside: World) => {
      const schedule = createSchedule(inside, { timing: false })
        .phase('physics', { after: 'pre', fixedStep: 0.03 })
        .add(() => inside.query(Position, Velocity).each((_, p, v) => void (p.x += v.x)), {
          phase: 'physics',
        })
        .add(() => void inside.spawn(Health({ hp: inside.query(Health).count })), { every: 3 })
        .add(() => void destroyMany(inside.query(Position).where(Position, 'x', '>', 22)), { interval: 0.05 })
      return () => schedule.run(0.02)
    }
    const step = stepOf(world)
    expect(checkReplay(world, step, { frames: 12 })).toEqual(EQUAL)
    const single = stepOf(other)
    for (let i = 0; i < 12; i++) single()
    expect(digestWorld(world)).toBe(digestWorld(other))
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

  it('The matches of queries with changed make no difference', () => {
    const world = filled()
    const moved = world.query(changed(Position))
    const step = () => {
      for (const e of moved.entities()) world.add(e, Red)
      world.set(world.query(Position).first() as never, Position, { x: 5 })
    }
    expect(checkReplay(world, step)).toEqual(EQUAL)
  })
})

describe('frames that were taken back and played again', () => {
  const Place = component('Place', { place: f32 })
  const [Doomed, Old, New] = [tag('Doomed'), tag('Old'), tag('New')]
  const Follows = relation('Follows', { exclusive: true })
  type Frame = (world: World) => unknown

  /** Writes the order of a loop into the world. */
  const number: Frame = (world) => {
    let next = 0
    world.query(Place).each((_, row) => void (row.place = next++))
  }

  /** Plays frames in a world, and twice in another one, with a rollback between; the digests, and what checkReplay says. */
  function played(start: Frame, frames: readonly Frame[]) {
    const [once, back, checked] = [testWorld(), testWorld(), testWorld()]
    for (const world of [once, back, checked]) start(world)
    for (const frame of frames) frame(once)
    const before = snapshotWorld(back)
    for (const frame of frames) frame(back)
    restoreWorld(back, before)
    for (const frame of frames) frame(back)
    let n = 0
    const report = checkReplay(checked, () => frames[n++ % frames.length]?.(checked), {
      frames: frames.length,
    })
    const digests = [once, back, checked].map((world) => digestWorld(world))
    for (const world of [once, back, checked]) world.dispose()
    return { digests, report }
  }

  it('leave the world the same where one of them makes its first link, after a query has destroyed', () => {
    const frames: Frame[] = [
      (world) => destroyMany(world.query(Doomed)),
      (world) => {
        const [first, second] = world.query(Place).entities()
        world.add(first as never, Follows(second as never))
      },
      number,
    ]
    // Which rows are moved when the doomed are gone depends on where these stand.
    for (let doomed = 0; doomed < 64; doomed += 3) {
      for (const old of [0, 17, 34, 51, 85]) {
        const { digests, report } = played((world) => {
          for (const query of [[], [Place], [Doomed]]) world.query(...query)
          for (let i = 0; i < 8; i++)
            world.spawn(Place, ...((old >> i) & 1 ? [Old] : []), ...((doomed >> i) & 1 ? [Doomed] : []))
        }, frames)
        expect([report, ...digests]).toEqual([EQUAL, digests[0], digests[0], digests[0]])
      }
    }
  })

  it('leave the world the same where one of them makes a query for the first time', () => {
    const { digests, report } = played(
      (world) => {
        world.spawn(Place, Old)
        world.spawn(Place, New)
      },
      [
        (world) => {
          // Its archetype is the older one, and gets its row after that of the other.
          world.destroy(world.query(Old).first() as never)
          world.spawn(Place, Old)
        },
        number,
      ],
    )
    expect([report, ...digests]).toEqual([EQUAL, digests[0], digests[0], digests[0]])
  })
})

describe('a simulation that is not deterministic', () => {
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
      () => (world, n) => void (n === 9 && destroyMany(world.query(Health).slice(0, 1))),
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

  it('Objects that keep counts of their own are found by what they write', () => {
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

  it('It is named, and so is its entity, if the rollback loses the object and nothing else differs', () => {
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

  it('It is named if the entity that had it lives on with other components', () => {
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

  it('A value that revive creates again does not count as a difference', () => {
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
    expect(() => world.batch(() => checkReplay(world, () => {}))).toThrow(
      expect.objectContaining({ code: 'WORLD_LOCKED' }),
    )
  })
})
