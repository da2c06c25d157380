// Shows that a schedule reports what puts its systems in order, and where each constraint comes from.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSchedule, object } from '../../bindings/index'
import { proofLength } from '../support/proofs'
import { watchedWorld } from '../support/watched'

const nothing = () => {}

function scheduleOf(systems: Record<string, object>) {
  const schedule = createSchedule(watchedWorld())
  for (const [name, options] of Object.entries(systems)) schedule.add(nothing, { name, ...options })
  return schedule
}

const said = (schedule: ReturnType<typeof scheduleOf>) =>
  schedule.constraints().map(({ systems, by }) => `${systems.join(' ')}: ${by.join(' ')}`)

describe('constraints', () => {
  it('do not exist where none were declared, however the systems run', () => {
    expect(createSchedule(watchedWorld()).constraints()).toEqual([])
    expect(scheduleOf({ a: {}, b: {}, c: { phase: 'last' } }).constraints()).toEqual([])
  })

  it('name the earlier system first, and their origin, in the order in which the systems run', () => {
    const schedule = scheduleOf({ draw: { after: 'move' }, move: {}, input: { before: ['draw', 'move'] } })
    expect(schedule.chain('input', 'draw').order()).toEqual(['input', 'move', 'draw'])
    expect(schedule.constraints()).toEqual([
      { systems: ['input', 'move'], by: ['before'] },
      { systems: ['input', 'draw'], by: ['before', 'chain'] },
      { systems: ['move', 'draw'], by: ['after'] },
    ])
  })

  it('are listed once, however often they were declared', () => {
    const schedule = scheduleOf({ a: { before: ['b', 'b'] }, b: { after: ['a', 'a'] } })
    expect(said(schedule.chain('a', 'b').chain('a', 'b'))).toEqual(['a b: before after chain'])
  })

  it('are found for systems that were referred to directly', () => {
    const first = () => {}
    const second = { name: 'object', run: () => {} }
    const schedule = createSchedule(watchedWorld())
      .chain(first, second)
      .add(second)
      .add(first, { before: second })
    expect(said(schedule)).toEqual(['first object: before chain'])
  })

  it('leave out what already follows from others, and what the order of the phases decides', () => {
    const schedule = scheduleOf({
      a: {},
      b: { after: 'a' },
      c: { after: 'b' },
      d: { phase: 'post', after: 'a' },
    })
    expect(said(schedule.chain('b', 'd'))).toEqual(['a b: after', 'b c: after'])
  })

  it('no longer name a system that was removed, whose neighbours in a chain follow each other', () => {
    const schedule = scheduleOf({ a: { before: 'b' }, b: {}, c: { after: 'b' } }).chain('a', 'b', 'c')
    expect(said(schedule)).toEqual(['a b: before chain', 'b c: after chain'])
    expect(said(schedule.remove('b'))).toEqual(['a c: chain'])
    expect(said(schedule.add(nothing, { name: 'b' }))).toEqual(['a b: before chain', 'b c: after chain'])
  })

  it('order object components by their order numbers within their phase', () => {
    const schedule = createSchedule(watchedWorld())
    for (const [name, order, phase] of [
      ['C', 7, 'update'],
      ['A', 0, 'update'],
      ['B', 2, 'update'],
      ['A2', 0, 'update'],
      ['Post', -1, 'post'],
    ] as const) {
      schedule.addObjects(object<{ tick(): void }>(name), { order, phase, name })
    }
    schedule.add(nothing, { name: 'system', after: 'A' }).chain('A', 'B')
    expect(said(schedule)).toEqual(['A B: chain order', 'A system: after', 'A2 B: order', 'B C: order'])
  })

  it('are refused if no order exists', () => {
    const schedule = scheduleOf({ a: { before: 'b' }, b: { before: 'a' } })
    expect(() => schedule.constraints()).toThrow(expect.objectContaining({ code: 'SCHEDULE_CYCLE' }))
    const lone = scheduleOf({ a: { before: 'nobody' } })
    expect(() => lone.constraints()).toThrow(expect.objectContaining({ code: 'UNKNOWN_SYSTEM' }))
  })

  it('are all that an order must satisfy', () => {
    const count = 8
    const link = fc.tuple(fc.nat(count - 1), fc.nat(count - 1)).filter(([a, b]) => a !== b)
    // One for all: a page has no memory for a world each.
    const world = watchedWorld()
    fc.assert(
      fc.property(fc.uniqueArray(link, { selector: String, maxLength: 14 }), (links) => {
        const wanted = links.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
        const schedule = createSchedule(world)
        // Added backwards, so that what was added first is never the reason.
        for (let i = count - 1; i >= 0; i--) {
          const before = wanted.filter(([a], k) => a === i && k % 2 === 0).map(([, b]) => `s${b}`)
          schedule.add(nothing, { name: `s${i}`, before })
        }
        wanted.forEach(([a, b], k) => void (k % 2 === 1 && schedule.chain(`s${a}`, `s${b}`)))
        const pairs = schedule.constraints().map(({ systems }) => systems.join())
        expect(new Set(pairs)).toEqual(new Set(wanted.map(([a, b]) => `s${a},s${b}`)))
        expect(pairs).toHaveLength(new Set(pairs).size)
        expect(schedule.constraints().every(({ by }) => by.length > 0)).toBe(true)
      }),
      { numRuns: proofLength(200), seed: 11 },
    )
  })
})
