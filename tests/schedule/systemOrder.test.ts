// Shows the order of systems: before, after, chains, phases, ties, and the errors when no order is possible.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSchedule, StrataError, StrataTypeError, type Schedule } from '../../bindings/index'
import { allAfter, sequence } from '../../bindings/schedule/systemOrder'
import { caughtFrom } from '../support/caught'
import { watchedWorld } from '../support/watched'

const nothing = () => {}

function scheduleOf(systems: Record<string, object>): Schedule {
  const schedule = createSchedule(watchedWorld())
  for (const [name, options] of Object.entries(systems)) schedule.add(nothing, { name, ...options })
  return schedule
}

describe('the order of systems', () => {
  it('is the order in which they were added where nothing else is declared', () => {
    expect(scheduleOf({ c: {}, a: {}, b: {} }).order()).toEqual(['c', 'a', 'b'])
  })

  it('respects before and after, with ties in the order they were added', () => {
    const schedule = scheduleOf({
      draw: { after: ['move', 'collide'] },
      collide: { after: 'move' },
      sound: {},
      move: {},
      input: { before: 'move' },
    })
    expect(schedule.order()).toEqual(['sound', 'input', 'move', 'collide', 'draw'])
  })

  it('respects a chain, whose systems may be added later', () => {
    const schedule = createSchedule(watchedWorld()).chain('a', 'b', 'c')
    for (const name of ['c', 'x', 'b', 'a']) schedule.add(nothing, { name })
    expect(schedule.order()).toEqual(['x', 'a', 'b', 'c'])
    expect(schedule.chain().chain('x').order()).toEqual(['x', 'a', 'b', 'c'])
  })

  it('is respected by a run', () => {
    const ran: string[] = []
    const schedule = createSchedule(watchedWorld())
    for (const [name, after] of [
      ['third', 'second'],
      ['second', 'first'],
      ['first', []],
    ] as const) {
      schedule.add(() => void ran.push(name), { name, after })
    }
    schedule.run(0)
    schedule.run(0)
    expect(ran).toEqual(['first', 'second', 'third', 'first', 'second', 'third'])
  })

  it('follows the phases first', () => {
    const schedule = scheduleOf({
      last: { phase: 'last' },
      post: { phase: 'post' },
      update: {},
      pre: { phase: 'pre' },
      first: { phase: 'first' },
    })
    expect(schedule.order()).toEqual(['first', 'pre', 'update', 'post', 'last'])
  })

  it('lets a system declare before and after across phases that run in that order', () => {
    const schedule = scheduleOf({ a: { phase: 'first', before: 'b' }, b: { after: 'a' } })
    expect(schedule.order()).toEqual(['a', 'b'])
  })

  it('ignores constraints that name a removed system, until a system with that name is added again', () => {
    const schedule = scheduleOf({ a: { after: 'b' }, c: {}, b: { after: 'c' } }).chain('b', 'c')
    expect(() => schedule.order()).toThrow(/cycle|order/i)
    schedule.remove('b')
    expect(schedule.order()).toEqual(['a', 'c'])
    schedule.add(nothing, { name: 'b' })
    expect(schedule.order()).toEqual(['b', 'a', 'c'])
  })

  it('respects every edge, for any graph without a cycle', () => {
    const graphs = fc.integer({ min: 0, max: 12 }).chain((count) =>
      fc.record({
        names: fc.constant(Array.from({ length: count }, (_, i) => `s${i}`)),
        // Edges go from a lower to a higher place in a random permutation: never in a circle.
        places: fc.shuffledSubarray(
          Array.from({ length: count }, (_, i) => i),
          { minLength: count, maxLength: count },
        ),
        edges: fc.array(fc.tuple(fc.nat(Math.max(count - 1, 0)), fc.nat(Math.max(count - 1, 0)))),
      }),
    )
    fc.assert(
      fc.property(graphs, ({ names, places, edges }) => {
        const successors: number[][] = names.map(() => [])
        for (const [x, y] of edges) {
          if (places[x] < places[y]) successors[x].push(y)
        }
        const order = sequence(successors, names)
        expect([...order].sort((a, b) => a - b)).toEqual(names.map((_, i) => i))
        successors.forEach((list, i) => {
          for (const k of list) expect(order.indexOf(i)).toBeLessThan(order.indexOf(k))
        })
        // Ties: a system stands before a lower one only when it, or one behind it, has to.
        order.forEach((i, place) => {
          const lower = order.slice(place + 1).filter((k) => k < i)
          for (const k of lower) {
            const between = order.slice(place, order.indexOf(k))
            expect(between.some((m) => allAfter(successors, m).has(k))).toBe(true)
          }
        })
      }),
    )
  })
})

describe('a cycle', () => {
  it('a cycle is an error that spells it out', () => {
    const schedule = scheduleOf({
      outside: { after: 'c' },
      a: { before: 'b' },
      b: { before: 'c' },
      c: { before: 'a' },
    })
    const error = caughtFrom(() => schedule.run(0))
    expect(error).toBeInstanceOf(StrataError)
    expect(error.code).toBe('SCHEDULE_CYCLE')
    expect(error.message).toContain('a -> b -> c -> a')
    expect(error.message).not.toContain('outside')
    expect(caughtFrom(() => schedule.order()).message).toBe(error.message)
    expect(caughtFrom(() => schedule.ambiguities()).message).toBe(error.message)
  })

  it('a system before or after itself is a cycle of one', () => {
    for (const option of ['before', 'after']) {
      const schedule = scheduleOf({ a: {}, self: { [option]: 'self' } })
      expect(caughtFrom(() => schedule.run(0))).toMatchObject({
        code: 'SCHEDULE_CYCLE',
        message: expect.stringContaining('self -> self'),
      })
    }
  })

  it('a cycle is found between a chain and the constraints of systems', () => {
    const schedule = scheduleOf({ a: {}, b: { before: 'a' } }).chain('a', 'b')
    expect(caughtFrom(() => schedule.run(0)).message).toContain('a -> b -> a')
  })

  it('before and after against the order of the phases make a cycle', () => {
    const schedule = scheduleOf({ early: { phase: 'first', after: 'late' }, late: {} })
    const error = caughtFrom(() => schedule.run(0))
    expect(error.code).toBe('SCHEDULE_CYCLE')
    for (const part of ["'update'", "'first'", 'late -> early -> late']) expect(error.message).toContain(part)
  })

  it('runs no system, and is over when one of them is removed', () => {
    let ran = 0
    const schedule = scheduleOf({ a: { before: 'b' }, b: { before: 'a' } })
    schedule.add(() => void ran++, { name: 'count', phase: 'first' })
    expect(() => schedule.run(0)).toThrow()
    expect(() => schedule.run(0)).toThrow()
    expect(ran).toBe(0)
    schedule.remove('b').run(0)
    expect(ran).toBe(1)
  })

  it('of timers that follow each other is refused the same way', () => {
    const schedule = scheduleOf({ a: { of: 'b' }, b: { every: 2, of: 'c' }, c: { of: 'b' } })
    const error = caughtFrom(() => schedule.run(0))
    expect(error.code).toBe('SCHEDULE_CYCLE')
    expect(error.message).toContain('b -> c -> b')
  })
})

describe('an unknown name', () => {
  it.each([
    ['before', { before: 'mvoe' }],
    ['after', { after: ['input', 'mvoe'] }],
    ['of', { of: 'mvoe' }],
  ])('in %s is named, with the known names', (option, options) => {
    const schedule = scheduleOf({ input: {}, move: {}, draw: options })
    const error = caughtFrom(() => schedule.run(0))
    expect(error).toBeInstanceOf(StrataTypeError)
    expect(error.code).toBe('UNKNOWN_SYSTEM')
    for (const part of [`'draw' (${option})`, "'mvoe'", 'input, move, draw']) {
      expect(error.message).toContain(part)
    }
  })

  it('in a chain is named', () => {
    const error = caughtFrom(() => scheduleOf({ a: {} }).chain('a', 'b').run(0))
    expect(error.code).toBe('UNKNOWN_SYSTEM')
    expect(error.message).toContain("chain names 'b'")
  })

  it('is not an error if the system was added before the run', () => {
    const schedule = scheduleOf({ a: { after: 'b' } })
    expect(() => schedule.run(0)).toThrow()
    schedule.add(nothing, { name: 'b' }).run(0)
    expect(schedule.order()).toEqual(['b', 'a'])
  })

  it.each(['remove', 'enable', 'disable', 'isEnabled'] as const)('is refused by %s', (call) => {
    const schedule = scheduleOf({ move: {} })
    expect(caughtFrom(() => schedule[call]('mvoe'))).toMatchObject({
      code: 'UNKNOWN_SYSTEM',
      message: expect.stringMatching(new RegExp(`${call}.*'mvoe'.*move`)),
    })
    expect(caughtFrom(() => createSchedule(watchedWorld())[call]('x')).message).toContain('no systems')
  })
})
