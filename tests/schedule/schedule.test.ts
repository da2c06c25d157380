// Shows what a user does with a schedule: adding, removing, switching, phases, conditions, figures.

import { describe, expect, it, vi } from 'vitest'
import {
  component,
  createSchedule,
  f32,
  Schedule,
  StrataTypeError,
  tag,
  type ErrorCode,
  type World,
} from '../../bindings/index'
import { caughtFrom } from '../support/caught'
import { STORED, TABLE_AND_POOL } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Burning = tag('Burning')
const nothing = () => {}

describe('a system', () => {
  it('is a function that gets the world and the seconds of the run', () => {
    const world = watchedWorld()
    const calls: [World, number][] = []
    const schedule = createSchedule(world).add(function move(...args) {
      calls.push(args)
    })
    schedule.run(0.5)
    schedule.run(0)
    expect(calls).toEqual([
      [world, 0.5],
      [world, 0],
    ])
    expect(schedule).toBeInstanceOf(Schedule)
  })

  it('is an object whose run is called on it, even if run is replaced later', () => {
    class Counter {
      readonly name = 'counter'
      count = 0
      run(_: World, dt: number) {
        this.count += dt
      }
    }
    const counter = new Counter()
    const schedule = createSchedule(watchedWorld()).add(counter)
    schedule.run(2)
    counter.run = () => (counter.count = -1)
    schedule.run(2)
    expect(counter.count).toBe(-1)
    expect(schedule.order()).toEqual(['counter'])
  })

  it('has the name it is given, or that of its function', () => {
    function move() {}
    const schedule = createSchedule(watchedWorld()).add(move).add(move, { name: 'again' })
    expect(schedule.order()).toEqual(['move', 'again'])
    expect([schedule.has('move'), schedule.has('other')]).toEqual([true, false])
  })

  it('that is an object is notified when it is added and removed', () => {
    const world = watchedWorld()
    const told: unknown[] = []
    class Life {
      constructor(readonly name: string) {}
      init(given: World) {
        told.push('init', this.name, given === world)
      }
      run() {}
      dispose(given: World) {
        told.push('dispose', this.name, given === world)
      }
    }
    const schedule = createSchedule(world)
    for (const name of ['a', 'b', 'c']) schedule.add(new Life(name))
    schedule.remove('a')
    schedule.dispose()
    schedule.dispose()
    const expected = ['init a', 'init b', 'init c', 'dispose a', 'dispose c', 'dispose b']
    expect(told).toEqual(expected.flatMap((line) => [...line.split(' '), true]))
    expect(schedule.order()).toEqual([])
    schedule.run(1)
    expect(schedule.stats().runs).toBe(1)
  })

  it('whose init throws is not added', () => {
    const schedule = createSchedule(watchedWorld())
    const broken = {
      name: 'broken',
      run: nothing,
      init: () => {
        throw new Error('no file')
      },
    }
    expect(caughtFrom(() => schedule.add(broken))).toMatchObject({
      code: 'SYSTEM_FAILED',
      system: 'broken',
      message: expect.stringContaining('no file'),
    })
    expect(schedule.has('broken')).toBe(false)
    schedule.add(nothing, { name: 'broken' }).run(0)
  })

  it('whose dispose throws is removed, and the others are disposed too', () => {
    const disposed: string[] = []
    const schedule = createSchedule(watchedWorld())
    for (const name of ['a', 'b', 'c']) {
      const dispose = () => {
        disposed.push(name)
        throw new Error(`left ${name}`)
      }
      schedule.add({ name, run: nothing, dispose })
    }
    expect(caughtFrom(() => schedule.remove('b'))).toMatchObject({ code: 'SYSTEM_FAILED', system: 'b' })
    expect(caughtFrom(() => schedule.dispose())).toMatchObject({ system: 'c' })
    expect(disposed).toEqual(['b', 'c', 'a'])
    expect(schedule.order()).toEqual([])
  })
})

describe('a wrong declaration changes nothing and reports what is wrong', () => {
  const schedule = () => createSchedule(watchedWorld()).add(() => {}, { name: 'there' })
  const add = (system: unknown, options: unknown = { name: 'new' }) =>
    schedule().add(system as never, options as never)
  const phase = (options: unknown, name = 'new') => schedule().phase(name, options as never)

  const WRONG: [ErrorCode, string, () => unknown, string[]][] = [
    ['INVALID_SYSTEM', 'no system', () => add(undefined), ['schedule.add', 'undefined']],
    ['INVALID_SYSTEM', 'an object without run', () => add({ name: 'x' }), ["'new'", 'run']],
    ['INVALID_SYSTEM', 'options that are none', () => add(nothing, 'move'), ["'move'"]],
    ['INVALID_SYSTEM', 'an empty name', () => add(nothing, { name: '' }), ["''", "{ name: 'move' }"]],
    ['INVALID_SYSTEM', 'a name that is none', () => add(nothing, { name: 5 }), ['name', '5']],
    ['INVALID_SYSTEM', 'a name that is taken', () => add(nothing, { name: 'there' }), ["'there'"]],
    ['INVALID_SYSTEM', 'an unknown option', () => add(nothing, { runif: nothing }), ["'runif'", 'runIf']],
    ['INVALID_SYSTEM', 'a condition that is none', () => add(nothing, { runIf: [true] }), ['runIf', 'true']],
    ['INVALID_SYSTEM', 'enabled', () => add(nothing, { enabled: 1 }), ['enabled', '1']],
    ['INVALID_SYSTEM', 'before', () => add(nothing, { before: null }), ['before', 'null']],
    ['INVALID_SYSTEM', 'after', () => add(nothing, { after: ['a', 5] }), ['after', '5']],
    ['INVALID_SYSTEM', 'interval 0', () => add(nothing, { interval: 0 }), ['interval', '0']],
    ['INVALID_SYSTEM', 'interval NaN', () => add(nothing, { interval: NaN }), ['interval', 'NaN']],
    ['INVALID_SYSTEM', 'every 0', () => add(nothing, { every: 0 }), ['every', '0']],
    ['INVALID_SYSTEM', 'every 1.5', () => add(nothing, { every: 1.5 }), ['every', '1.5']],
    ['INVALID_SYSTEM', 'both', () => add(nothing, { every: 2, interval: 1 }), ['interval', 'every']],
    ['INVALID_SYSTEM', 'of itself', () => add(nothing, { name: 'me', of: 'me' }), ["'me'", 'another']],
    ['INVALID_SYSTEM', 'queries', () => add(nothing, { queries: [Position] }), ['queries', 'world.query']],
    ['INVALID_SYSTEM', 'reads', () => add(nothing, { reads: Position }), ['reads', 'list']],
    ['NOT_A_COMPONENT', 'writes', () => add(nothing, { writes: ['x'] }), ['writes', "'x'"]],
    ['INVALID_SYSTEM', 'a generator', () => add(function* () {}, { name: 'g' }), ["'g'", 'generator']],
    ['INVALID_SYSTEM', 'chain', () => schedule().chain('a', 5 as never), ['chain', '5']],
    ['ASYNC_SYSTEM', 'an async function', () => add(async () => {}), ["'new'", 'promise']],
    ['ASYNC_SYSTEM', 'an async method', () => add({ name: 'o', async run() {} }, {}), ["'o'"]],
    ['ASYNC_SYSTEM', 'an async generator', () => add(async function* () {}), ["'new'"]],
    [
      'ASYNC_SYSTEM',
      'an async condition',
      () => add(nothing, { name: 'c', runIf: async () => true }),
      ["'c'"],
    ],
    ['UNKNOWN_PHASE', 'a system', () => add(nothing, { phase: 'updat' }), ["'updat'", 'first, pre, update']],
    ['UNKNOWN_PHASE', 'a phase', () => phase({ after: 'prr' }), ["'prr'", 'first, pre, update']],
    ['UNKNOWN_PHASE', 'alpha', () => schedule().alpha('updat'), ["'updat'"]],
    ['INVALID_OPTION', 'alpha', () => schedule().alpha('update'), ["'update'", 'fixedStep']],
    [
      'INVALID_OPTION',
      'a phase without a place',
      () => phase({ fixedStep: 1 }),
      ["'new'", 'before', 'after'],
    ],
    ['INVALID_OPTION', 'two places', () => phase({ before: 'post', after: 'pre' }), ['either']],
    ['INVALID_OPTION', 'moving a phase', () => phase({ after: 'pre' }, 'update'), ["'update'", 'place']],
    ['INVALID_OPTION', 'a phase option', () => phase({ after: 'pre', step: 1 }), ["'step'", 'fixedStep']],
    ['INVALID_OPTION', 'no options', () => phase(undefined), ["'new'", 'undefined']],
    ['INVALID_OPTION', 'no phase name', () => phase({}, ''), ['name']],
    ['INVALID_OPTION', 'step 0', () => phase({ fixedStep: 0 }, 'update'), ['fixedStep', '0']],
    ['INVALID_OPTION', 'step NaN', () => phase({ fixedStep: NaN }, 'update'), ['fixedStep', 'NaN']],
    ['INVALID_OPTION', 'maxSteps', () => phase({ fixedStep: 1, maxSteps: 0 }, 'update'), ['maxSteps', '0']],
    [
      'INVALID_OPTION',
      'maxCatchUp',
      () => phase({ fixedStep: 1, maxCatchUp: -1 }, 'update'),
      ['maxCatchUp', '-1'],
    ],
    ['INVALID_OPTION', 'maxSteps alone', () => phase({ maxSteps: 5 }, 'update'), ['maxSteps', 'fixedStep']],
    ['INVALID_OPTION', 'dt NaN', () => schedule().run(NaN), ['dt', 'NaN']],
    ['INVALID_OPTION', 'dt infinite', () => schedule().run(Infinity), ['dt', 'Infinity']],
    ['INVALID_OPTION', 'dt -infinite', () => schedule().run(-Infinity), ['dt', '-Infinity']],
    ['INVALID_OPTION', 'dt missing', () => schedule().run(undefined as never), ['dt', 'undefined']],
    ['INVALID_OPTION', 'dt text', () => schedule().run('1' as never), ['dt', "'1'"]],
    [
      'INVALID_OPTION',
      'timing',
      () => createSchedule(watchedWorld(), { timing: 1 as never }),
      ['timing', '1'],
    ],
  ]

  it('names the options of createSchedule if one is unknown', () => {
    const error = caughtFrom(() => createSchedule(watchedWorld(), { timings: false } as never))
    expect(error.code).toBe('INVALID_OPTION')
    expect(error.message).toBe("createSchedule: there is no option 'timings': the options are timing.")
  })

  it('may be a schedule that is made with new', () => {
    const error = caughtFrom(() => new (Schedule as unknown as new (world: World) => unknown)(watchedWorld()))
    expect(error).toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('createSchedule'),
    })
  })

  it.each(WRONG)('%s: %s', (code, _, call, names) => {
    const error = caughtFrom(call)
    expect(error).toBeInstanceOf(StrataTypeError)
    expect(error.code).toBe(code)
    for (const name of names) expect(error.message).toContain(name)
    expect(error.message).toMatch(/\.$/)
  })

  it('leaves a schedule as it was', () => {
    const kept = schedule()
    expect(() => kept.add(nothing, { name: 'x', phase: 'nowhere' })).toThrow()
    expect(() => kept.phase('x', { after: 'pre', fixedStep: -1 })).toThrow()
    expect(() => kept.phase('update', { fixedStep: -1 })).toThrow()
    expect(() => kept.disable('there', 'elsewhere')).toThrow()
    expect(kept.isEnabled('there')).toBe(true)
    expect(kept.order()).toEqual(['there'])
    expect(kept.stats().phases.map(({ name }) => name)).toEqual(['first', 'pre', 'update', 'post', 'last'])
    kept.run(1)
    expect(kept.stats()).toMatchObject({ runs: 1, systems: [{ name: 'there', runs: 1 }] })
  })
})

describe('phases', () => {
  it('of one’s own come directly beside the phase they name, in the order they were made', () => {
    const schedule = createSchedule(watchedWorld())
      .phase('a', { after: 'pre' })
      .phase('b', { after: 'pre' })
      .phase('x', { before: 'update' })
      .phase('y', { before: 'update' })
      .phase('a2', { after: 'a' })
      .phase('c', { after: 'pre' })
      .phase('zero', { before: 'first' })
      .phase('end', { after: 'last' })
    const names = schedule.stats().phases.map(({ name }) => name)
    expect(names.join(' ')).toBe('zero first pre a a2 b c x y update post last end')
  })

  it('that are made while the schedule runs appear in the next run', () => {
    const ran: string[] = []
    const schedule = createSchedule(watchedWorld())
    schedule.add(
      () => {
        if (schedule.has('new')) return
        schedule.phase('late', { after: 'last' })
        schedule.add(() => void ran.push('new'), { name: 'new', phase: 'late' })
      },
      { name: 'make' },
    )
    schedule.run(0)
    expect(ran).toEqual([])
    schedule.run(0)
    expect(ran).toEqual(['new'])
  })
})

describe('conditions', () => {
  it('must all hold', () => {
    const world = watchedWorld()
    let ran = 0
    const seen: unknown[] = []
    const [a, b] = [{ holds: false }, { holds: false }]
    const ask = (condition: { holds: boolean }) => (given: World) => {
      seen.push(given)
      return condition.holds
    }
    const schedule = createSchedule(world).add(() => void ran++, {
      name: 'count',
      runIf: [ask(a), ask(b)],
    })
    for (const [first, second] of [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ]) {
      a.holds = first
      b.holds = second
      schedule.run(0)
    }
    expect(ran).toBe(1)
    expect(seen).toEqual(Array(8).fill(world))
    expect(schedule.stats().systems[0]).toMatchObject({ runs: 1, skipped: 3 })
  })

  it('every condition is evaluated, even after one returned false, so that each has seen the change', () => {
    // Stands for `query.changed`: true once for each change, for whoever asked.
    let version = 0
    const changes = () => {
      let seen = 0
      return () => {
        const changed = seen !== version
        seen = version
        return changed
      }
    }
    let allowed = false
    let ran = 0
    const schedule = createSchedule(watchedWorld()).add(() => void ran++, {
      name: 'react',
      runIf: [() => allowed, changes(), changes()],
    })
    version++
    schedule.run(0)
    allowed = true
    schedule.run(0)
    expect(ran).toBe(0)
    version++
    schedule.run(0)
    schedule.run(0)
    expect(ran).toBe(1)
  })

  it('are evaluated only when the system is due and enabled', () => {
    let asked = 0
    const runIf = () => ++asked > 0
    const schedule = createSchedule(watchedWorld()).add(nothing, { name: 'third', every: 3, runIf })
    for (let i = 0; i < 7; i++) schedule.run(1)
    schedule.disable('third')
    for (let i = 0; i < 7; i++) schedule.run(1)
    expect(asked).toBe(2)
  })
})

describe('switching systems', () => {
  it('keeps a disabled one from running, until it is enabled', () => {
    const ran: string[] = []
    const schedule = createSchedule(watchedWorld())
    for (const name of ['a', 'b', 'c']) {
      schedule.add(() => void ran.push(name), { name, enabled: name !== 'b' })
    }
    schedule.run(0)
    schedule.enable('b').disable('a', 'c').run(0)
    expect(ran).toEqual(['a', 'c', 'b'])
    expect(['a', 'b', 'c'].map((name) => schedule.isEnabled(name))).toEqual([false, true, false])
    expect(schedule.stats().systems.map(({ enabled, skipped }) => [enabled, skipped])).toEqual([
      [false, 0],
      [true, 0],
      [false, 0],
    ])
  })

  it('takes effect at once for systems that have yet to run', () => {
    const ran: string[] = []
    const schedule = createSchedule(watchedWorld())
    schedule.add(() => void schedule.disable('on').enable('off').disable('switch'), { name: 'switch' })
    schedule.add(() => void ran.push('on'), { name: 'on' })
    schedule.add(() => void ran.push('off'), { name: 'off', enabled: false })
    schedule.run(0)
    schedule.run(0)
    expect(ran).toEqual(['off', 'off'])
  })
})

describe('a schedule that changes while it runs', () => {
  it('goes on undisturbed: removed systems are no longer called, added ones start with the next run', () => {
    const ran: string[] = []
    const schedule = createSchedule(watchedWorld())
    const note = (name: string) => () => void ran.push(name)
    schedule.add(note('gone'), { name: 'gone' })
    schedule.add(
      () => {
        ran.push('change')
        schedule.remove('gone').remove('next').remove('change')
        schedule.add(note('early'), { name: 'early', before: 'kept' })
        schedule.add(note('new next'), { name: 'next' })
      },
      { name: 'change' },
    )
    schedule.add(note('next'), { name: 'next' })
    schedule.add(note('kept'), { name: 'kept' })
    schedule.run(0)
    expect(ran.splice(0)).toEqual(['gone', 'change', 'kept'])
    schedule.run(0)
    expect(ran).toEqual(['early', 'kept', 'new next'])
  })

  it('disposes what a run removes at the end of that run', () => {
    const told: string[] = []
    const schedule = createSchedule(watchedWorld())
    schedule.add({
      name: 'short',
      run: () => {
        schedule.remove('short')
        told.push('still running')
      },
      dispose: () => void told.push('disposed'),
    })
    schedule.add(() => void told.push('other'), { name: 'other' })
    schedule.run(0)
    expect(told).toEqual(['still running', 'other', 'disposed'])
  })

  it('reports a dispose that throws at the end of the run, which was completed', () => {
    const schedule = createSchedule(watchedWorld())
    const dispose = () => {
      throw new Error('left')
    }
    schedule.add({ name: 'short', run: () => void schedule.remove('short'), dispose })
    expect(caughtFrom(() => schedule.run(0))).toMatchObject({ code: 'SYSTEM_FAILED', system: 'short' })
    expect(schedule.stats().runs).toBe(1)
    schedule.run(0)
    expect(schedule.stats().runs).toBe(2)
  })

  it('may have a new order with the next run, even an impossible one', () => {
    const ran: string[] = []
    const schedule = createSchedule(watchedWorld())
    schedule.add(() => void schedule.chain('b', 'a').chain('a', 'b'), { name: 'a' })
    schedule.add(() => void ran.push('b'), { name: 'b' })
    schedule.run(0)
    expect(ran).toEqual(['b'])
    expect(caughtFrom(() => schedule.run(0)).code).toBe('SCHEDULE_CYCLE')
  })
})

describe('sync points', () => {
  it.each(TABLE_AND_POOL)('a system sees what former ones changed, in a loop or not (%s)', (storage) => {
    const Number = component('Number', { n: f32 }, { storage: STORED[storage] })
    const world = watchedWorld()
    world.spawn(Position)
    const numbered = world.query(Number)
    const counts: number[] = []
    createSchedule(world)
      .add(
        (w) => {
          for (const chunk of w.query(Position)) {
            w.spawn(Number({ n: 1 }))
            w.add(chunk.entities[chunk.start], Number, Burning)
            counts.push(numbered.count)
          }
        },
        { name: 'deferring' },
      )
      .add(() => void counts.push(numbered.count), { name: 'counting' })
      .add((w) => void w.spawn(Number), { name: 'spawning' })
      .add(() => void counts.push(numbered.count), { name: 'last' })
      .run(0)
    expect(counts).toEqual([0, 2, 3])
  })
})

describe('figures', () => {
  it('show how often and how long systems ran, and phases stepped', () => {
    const schedule = createSchedule(watchedWorld())
    schedule.phase('physics', { after: 'pre', fixedStep: 0.5 })
    const busy = () => {
      const end = performance.now() + 2
      while (performance.now() < end);
    }
    schedule.add(busy, { phase: 'physics' })
    schedule.add(nothing, { name: 'third', every: 3 })
    for (let i = 0; i < 4; i++) schedule.run(0.25)
    const { runs, lastMs, totalMs, meanMs, phases, systems } = schedule.stats()
    const [first, second] = systems
    expect(runs).toBe(4)
    expect(first).toMatchObject({ name: 'busy', phase: 'physics', enabled: true, runs: 3, skipped: 0 })
    expect(second).toMatchObject({ name: 'third', phase: 'update', runs: 1, skipped: 3 })
    expect(first.lastMs).toBeGreaterThanOrEqual(2)
    expect(first.totalMs).toBeGreaterThanOrEqual(6)
    expect(first.meanMs).toBe(first.totalMs / 3)
    expect(totalMs).toBeGreaterThanOrEqual(first.totalMs)
    expect([meanMs, lastMs <= totalMs]).toEqual([totalMs / 4, true])
    expect(phases.find(({ name }) => name === 'physics')).toEqual({
      name: 'physics',
      fixedStep: 0.5,
      steps: 3,
      alpha: 0,
      behind: 0,
    })
    expect(phases.find(({ name }) => name === 'update')?.steps).toBeUndefined()
  })

  it('hold times from when timing is switched on until it is switched off', () => {
    const schedule = createSchedule(watchedWorld(), { timing: false }).add(nothing, { name: 'a' })
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++)
    try {
      schedule.run(1)
      expect([schedule.timing, schedule.stats().totalMs, now]).toEqual([false, 0, 0])
      schedule.timing = true
      schedule.run(1)
      const { totalMs } = schedule.stats()
      expect(totalMs).toBeGreaterThan(0)
      schedule.timing = false
      schedule.run(1)
      expect([schedule.stats().totalMs, schedule.stats().runs]).toEqual([totalMs, 3])
    } finally {
      clock.mockRestore()
    }
  })

  it('do not count the conditions of a skipped system for the next one', () => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    try {
      const schedule = createSchedule(watchedWorld())
        .add(nothing, { name: 'skipped', runIf: () => ((now += 100), false) })
        .add(() => void (now += 5), { name: 'next', after: 'skipped' })
      schedule.run(1)
      expect(schedule.stats().systems.map(({ name, lastMs }) => [name, lastMs])).toEqual([
        ['skipped', 0],
        ['next', 5],
      ])
    } finally {
      clock.mockRestore()
    }
  })

  it('do not advance while the schedule is paused, and no step is owed afterwards', () => {
    let ran = 0
    const schedule = createSchedule(watchedWorld())
      .phase('steps', { after: 'pre', fixedStep: 1 })
      .add(() => void ran++, { name: 'a', phase: 'steps' })
    schedule.paused = true
    schedule.run(5)
    expect([ran, schedule.stats().runs, schedule.alpha('steps')]).toEqual([0, 0, 0])
    schedule.paused = false
    schedule.run(1)
    expect([ran, schedule.stats().runs]).toEqual([1, 1])
  })

  it('hold no times with timing: false, and no means before the first run', () => {
    const schedule = createSchedule(watchedWorld(), { timing: false }).add(nothing, { name: 'a' })
    const none = { lastMs: 0, totalMs: 0, meanMs: 0 }
    expect(schedule.stats()).toMatchObject({ runs: 0, ...none, systems: [{ runs: 0, ...none }] })
    schedule.run(1)
    expect(schedule.stats()).toMatchObject({ runs: 1, ...none, systems: [{ runs: 1, ...none }] })
  })
})
