// Shows what becomes of a run that goes wrong, by a system that throws, one that is async, or loops that stay open, and that the
// world goes on working.

import { describe, expect, it } from 'vitest'
import {
  component,
  createSchedule,
  f32,
  object,
  resetWorld,
  sparse,
  spawnMany,
  StrataError,
  StrataTypeError,
  SystemError,
  tag,
  type Query,
  type World,
} from '../../bindings/index'
import { caughtFrom } from '../support/caught'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Health = component('Health', { hp: f32 }, { storage: sparse })
const Frozen = tag('Frozen')

/** Whether changes take effect at once, as they do in a world that no loop has locked. */
function isUnlocked(world: World): boolean {
  const entity = world.spawn()
  world.add(entity, Frozen)
  const unlocked = world.has(entity, Frozen)
  world.destroy(entity)
  return unlocked
}

describe('a system that throws', () => {
  it('is named by the error, which carries what it threw', () => {
    const cause = new RangeError('boom')
    const schedule = createSchedule(watchedWorld()).add(
      () => {
        throw cause
      },
      { name: 'broken', phase: 'post' },
    )
    const error = caughtFrom(() => schedule.run(0))
    expect(error).toBeInstanceOf(SystemError)
    expect(error).toBeInstanceOf(StrataError)
    expect(error).toMatchObject({ name: 'SystemError', code: 'SYSTEM_FAILED', system: 'broken' })
    expect(error.cause).toBe(cause)
    expect(error.message).toMatch(/'broken'.*'post'.*boom.*\.$/)
  })

  it.each([undefined, null, 'text', 5])('may throw anything: %s', (thrown) => {
    const schedule = createSchedule(watchedWorld()).add(
      () => {
        throw thrown
      },
      { name: 'broken' },
    )
    const error = caughtFrom(() => schedule.run(0))
    expect(error.code).toBe('SYSTEM_FAILED')
    expect(error.cause).toBe(thrown)
  })

  it('ends the run there: systems before it ran, systems after it did not; the next run is complete', () => {
    const ran: string[] = []
    let fail = true
    const schedule = createSchedule(watchedWorld())
      .add(() => void ran.push('before'), { name: 'before' })
      .add(
        () => {
          if (fail) throw new Error('boom')
        },
        { name: 'broken' },
      )
      .add(() => void ran.push('behind'), { name: 'behind' })
      .add(() => void ran.push('last'), { name: 'last', phase: 'last' })
    expect(() => schedule.run(0)).toThrow(SystemError)
    expect(ran.splice(0)).toEqual(['before'])
    expect(schedule.stats()).toMatchObject({ runs: 0 })
    fail = false
    schedule.run(0)
    expect(ran).toEqual(['before', 'behind', 'last'])
    expect(schedule.stats()).toMatchObject({ runs: 1 })
    expect(schedule.stats().systems[1]).toMatchObject({ runs: 1, skipped: 0 })
  })

  it('includes one whose condition throws', () => {
    const schedule = createSchedule(watchedWorld()).add(() => {}, {
      name: 'asked',
      runIf: () => {
        throw new Error('no answer')
      },
    })
    expect(caughtFrom(() => schedule.run(0))).toMatchObject({ code: 'SYSTEM_FAILED', system: 'asked' })
  })

  it.each([
    [
      'a loop',
      (world: World, body: () => void) => {
        for (const _ of world.query(Position)) body()
      },
    ],
    ['each', (world: World, body: () => void) => world.query(Position).each(body)],
    ['batch', (world: World, body: () => void) => world.batch(body)],
    [
      'nested loops',
      (world: World, body: () => void) => {
        world.query(Position).each(() => {
          for (const _ of world.query(Health)) world.batch(body)
        })
      },
    ],
  ])('in %s leaves the world unlocked, with what it queued applied', (_, within) => {
    const world = watchedWorld()
    const ship = world.spawn(Position, Health)
    const schedule = createSchedule(world).add(
      (w) =>
        within(w, () => {
          w.add(ship, Frozen)
          throw new Error('boom')
        }),
      { name: 'broken' },
    )
    expect(caughtFrom(() => schedule.run(0)).cause).toMatchObject({ message: 'boom' })
    expect(world.has(ship, Frozen)).toBe(true)
    expect(isUnlocked(world)).toBe(true)
    expect(() => schedule.run(0)).toThrow(/boom/)
  })

  it('with an iterator it holds by hand leaves the world unlocked, with what it queued applied', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position, Health)
    const iterators: Iterator<unknown>[] = []
    const schedule = createSchedule(world).add(
      (w) => {
        for (const query of [w.query(Position), w.query(Health), w.query(Position, Health)]) {
          const iterator = (query as Query)[Symbol.iterator]()
          iterator.next()
          iterators.push(iterator)
        }
        w.add(ship, Frozen)
        throw new Error('boom')
      },
      { name: 'broken' },
    )
    expect(() => schedule.run(0)).toThrow(/boom/)
    expect(world.has(ship, Frozen)).toBe(true)
    expect(isUnlocked(world)).toBe(true)
    for (const iterator of iterators) expect(iterator.next().done).toBe(true)
    for (const iterator of iterators) expect(iterator.return?.().done).toBe(true)
    expect(isUnlocked(world)).toBe(true)
    resetWorld(world)
  })

  it('keeps the error of a change it had queued beside its own', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    const schedule = createSchedule(world).add(
      (w) => {
        w.query(Position)[Symbol.iterator]().next()
        spawnMany(w, 1, [Health], () => {
          throw new Error('while filling')
        })
        w.add(ship, Frozen)
        throw new Error('boom')
      },
      { name: 'broken' },
    )
    const { cause } = caughtFrom(() => schedule.run(0))
    expect(cause).toBeInstanceOf(AggregateError)
    const messages = (cause as AggregateError).errors.map(({ message }) => message)
    expect(messages).toEqual(['boom', 'while filling'])
    expect(world.has(ship, Frozen)).toBe(true)
    expect(isUnlocked(world)).toBe(true)
  })
})

describe('a system that throws a value that cannot become text', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const withGetter = Object.defineProperty(new Error(), 'message', {
    get: () => {
      throw new Error('not this one')
    },
  })
  const symbolic = Object.defineProperty(new Error(), 'message', { value: Symbol('no text') })
  const THROWN: [string, unknown][] = [
    ['an object without a prototype', Object.create(null)],
    ['an error whose message throws', withGetter],
    ['an error whose message is a symbol', symbolic],
    ['a proxy that was revoked', proxy],
    ['undefined', undefined],
  ]

  it.each(THROWN)('such as %s leaves a schedule that runs again', (_, thrown) => {
    let ran = 0
    let broken = true
    const world = watchedWorld()
    const schedule = createSchedule(world)
      .add(
        () => {
          for (const __ of world.query(Position)) if (broken) throw thrown
          if (broken) throw thrown
        },
        { name: 'broken' },
      )
      .add(() => void ran++, { name: 'behind' })
    world.spawn(Position)
    const error = caughtFrom(() => schedule.run(0))
    expect(error).toBeInstanceOf(SystemError)
    expect(error.system).toBe('broken')
    expect(Object.is(error.cause, thrown)).toBe(true)
    expect(error.message).toMatch(/^System 'broken' of phase 'update' failed, with ".+"/)
    expect(isUnlocked(world)).toBe(true)
    broken = false
    schedule.run(0)
    expect(ran).toBe(1)
    schedule.dispose()
  })

  it.each(THROWN)('such as %s in init or dispose is reported as well', (_, thrown) => {
    const fail = () => {
      throw thrown
    }
    const schedule = createSchedule(watchedWorld())
    const entry = caughtFrom(() => schedule.add({ name: 'new', run: () => {}, init: fail }))
    expect(entry).toBeInstanceOf(SystemError)
    schedule.add({ name: 'old', run: () => {}, dispose: fail })
    expect(caughtFrom(() => schedule.remove('old'))).toBeInstanceOf(SystemError)
    expect(schedule.has('old')).toBe(false)
    schedule.run(0)
  })
})

describe('an iterator that was abandoned', () => {
  /** A world whose one system left a loop over Position open, one chunk into the walk, and threw. */
  function abandoned() {
    const world = watchedWorld()
    spawnMany(world, 3_000, [Position])
    const query = world.query(Position)
    const held: Iterator<unknown>[] = []
    const schedule = createSchedule(world).add(
      () => {
        const iterator = query[Symbol.iterator]()
        iterator.next()
        held.push(iterator)
        throw new Error('boom')
      },
      { name: 'broken' },
    )
    expect(() => schedule.run(0)).toThrow(/boom/)
    return { world, query, left: held[0] }
  }

  it('does not end a loop that was opened after it', () => {
    const { world, query, left } = abandoned()
    const ship = world.spawn()
    let steps = 0
    for (const _ of query) {
      if (steps++ === 0) left.return?.()
      world.add(ship, Frozen)
      expect(world.has(ship, Frozen)).toBe(false)
    }
    expect(steps).toBeGreaterThan(1)
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('no longer shows a row, in a loop or out of one', () => {
    const { query, left } = abandoned()
    for (const _ of query) {
      expect(left.next().done).toBe(true)
      break
    }
    expect(left.next().done).toBe(true)
  })

  it('is not reused by a loop while it may still be held', () => {
    const { query, left } = abandoned()
    let rows = 0
    for (const chunk of query) {
      rows += chunk.end - chunk.start
      left.next()
    }
    expect(rows).toBe(3_000)
  })

  it('of a generator ends the generator', () => {
    const world = watchedWorld()
    spawnMany(world, 3_000, [Position])
    function* walk() {
      for (const chunk of world.query(Position)) yield chunk.start
      return 'end'
    }
    const walking = walk()
    const schedule = createSchedule(world).add(() => void walking.next(), { name: 'step' })
    expect(caughtFrom(() => schedule.run(0)).cause).toMatchObject({ code: 'WORLD_LOCKED' })
    expect(walking.next()).toEqual({ done: true, value: 'end' })
    expect(isUnlocked(world)).toBe(true)
    schedule.run(0)
  })
})

describe('a system that returns with a loop still open', () => {
  it('fails like one that throws, with an error that says how to close it', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    let behind = 0
    const schedule = createSchedule(world)
      .add(
        (w) => {
          w.query(Position)[Symbol.iterator]().next()
          w.add(ship, Frozen)
        },
        { name: 'open' },
      )
      .add(() => void behind++, { name: 'behind' })
    const error = caughtFrom(() => schedule.run(0))
    expect(error).toMatchObject({ code: 'SYSTEM_FAILED', system: 'open' })
    expect(error.cause).toMatchObject({ code: 'WORLD_LOCKED', message: expect.stringMatching(/return\(\)/) })
    expect([behind, world.has(ship, Frozen), isUnlocked(world)]).toEqual([0, true, true])
  })

  it('is also found in a condition', () => {
    const world = watchedWorld()
    world.spawn(Position)
    const runIf = (w: World) => !w.query(Position)[Symbol.iterator]().next().done
    const schedule = createSchedule(world).add(() => {}, { name: 'open', runIf })
    expect(caughtFrom(() => schedule.run(0)).cause).toMatchObject({ code: 'WORLD_LOCKED' })
    expect(isUnlocked(world)).toBe(true)
  })
})

describe('a system that turns out to be async', () => {
  it.each([
    ['a promise', () => Promise.resolve()],
    ['something to wait for', () => ({ then: () => {} })],
  ])('because it returns %s is refused by the run, by name', (_, body) => {
    const schedule = createSchedule(watchedWorld()).add(body as never, { name: 'slow' })
    const error = caughtFrom(() => schedule.run(0))
    expect(error).toBeInstanceOf(StrataTypeError)
    expect(error.code).toBe('ASYNC_SYSTEM')
    expect(error.message).toMatch(/'slow'/)
  })

  it('in a condition is refused too, since a promise is always true', () => {
    const runIf = (() => Promise.resolve(false)) as never
    const schedule = createSchedule(watchedWorld()).add(() => {}, { name: 'slow', runIf })
    expect(caughtFrom(() => schedule.run(0)).code).toBe('ASYNC_SYSTEM')
  })

  it.each(['a system', 'a condition', 'a value of addObjects'])(
    'through what %s returns has its promise as the cause, and the rejection has no effect',
    async (where) => {
      const returned: Promise<void>[] = []
      const fail = () => {
        returned.push(Promise.reject(new Error('lost')))
        return returned[0]
      }
      const world = watchedWorld()
      const schedule = createSchedule(world)
      if (where === 'a system') schedule.add(fail as never, { name: 'slow' })
      if (where === 'a condition') schedule.add(() => {}, { name: 'slow', runIf: fail as never })
      if (where === 'a value of addObjects') {
        const Updatable = object<{ tick: () => void }>('Updatable')
        world.spawn(Updatable({ tick: fail as never }))
        schedule.addObjects(Updatable, { name: 'slow' })
      }
      const error = caughtFrom(() => schedule.run(0))
      expect(error.code).toBe('ASYNC_SYSTEM')
      expect(error.cause).toBe(returned[0])
      // Were it unhandled, the runner would fail now.
      await new Promise((resolve) => setTimeout(resolve, 0))
      await expect(returned[0]).rejects.toThrow('lost')
    },
  )

  it('does not start work that is lazy until awaited', () => {
    let began = 0
    const lazy = { then: () => void began++ }
    const schedule = createSchedule(watchedWorld()).add((() => lazy) as never, { name: 'slow' })
    expect(caughtFrom(() => schedule.run(0)).cause).toBe(lazy)
    expect(began).toBe(0)
  })

  it.each([5, 'text', null, {}, [], () => {}])('is not one whose function returns %s', (value) => {
    const schedule = createSchedule(watchedWorld()).add((() => value) as never, { name: 'fine' })
    schedule.run(0)
    expect(schedule.stats().runs).toBe(1)
  })
})

describe('a run is refused', () => {
  it('inside a run of the same schedule, while that run goes on', () => {
    const schedule = createSchedule(watchedWorld())
    const codes: unknown[] = []
    const calls = [() => schedule.run(0), () => schedule.dispose()]
    schedule.add(
      () => {
        for (const call of calls)
          codes.push(caughtFrom(call).code, caughtFrom(call).message.includes("'inner'"))
      },
      { name: 'inner' },
    )
    schedule.run(0)
    expect(codes).toEqual(['SCHEDULE_RUNNING', true, 'SCHEDULE_RUNNING', true])
    expect(schedule.stats().runs).toBe(1)
  })

  it('inside a loop or a batch', () => {
    const world = watchedWorld()
    world.spawn(Position)
    let ran = 0
    const schedule = createSchedule(world).add(() => void ran++, { name: 'count' })
    expect(caughtFrom(() => world.batch(() => schedule.run(0))).code).toBe('WORLD_LOCKED')
    expect(caughtFrom(() => world.query(Position).each(() => schedule.run(0))).code).toBe('WORLD_LOCKED')
    expect(ran).toBe(0)
    schedule.run(0)
    expect(ran).toBe(1)
  })

  it('for a world that was disposed', () => {
    const world = watchedWorld()
    const schedule = createSchedule(world).add(() => {}, { name: 'a' })
    world.dispose()
    expect(caughtFrom(() => schedule.run(0)).code).toBe('WORLD_DISPOSED')
  })

  it('for a world that one of its systems disposes of, from the next run on', () => {
    const world = watchedWorld()
    const schedule = createSchedule(world).add((w) => w.dispose(), { name: 'end' })
    schedule.run(0)
    expect(caughtFrom(() => schedule.run(0)).code).toBe('WORLD_DISPOSED')
  })

  it('except inside a run of another schedule', () => {
    const world = watchedWorld()
    const order: string[] = []
    const inner = createSchedule(world).add(() => void order.push('inner'), { name: 'inner' })
    createSchedule(world)
      .add((_, dt) => inner.run(dt), { name: 'nested' })
      .add(() => void order.push('outer'), { name: 'outer' })
      .run(0)
    expect(order).toEqual(['inner', 'outer'])
  })
})

it('A frame earlier than the one before counts as no time: nothing runs backwards, and no time is lost', () => {
  const seen: number[] = []
  let steps = 0
  const schedule = createSchedule(watchedWorld())
    .phase('physics', { after: 'pre', fixedStep: 0.01 })
    .add(() => void steps++, { name: 'step', phase: 'physics' })
    .add((_, dt) => void seen.push(dt), { name: 'draw' })
  // The start is by the clock, and a frame has the time at which it began.
  let last = 100.4
  for (const now of [99.9, 116.6, 133.3, 133.1, 150]) {
    schedule.run((now - last) / 1000)
    last = now
  }
  expect(seen.map((dt) => Math.round(dt * 10_000))).toEqual([0, 167, 167, 0, 169])
  expect(Object.is(seen[0], 0)).toBe(true)
  schedule.run(-0)
  expect(Object.is(seen.at(-1), 0)).toBe(true)
  expect([5, 6]).toContain(steps)
})
