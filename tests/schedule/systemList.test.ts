// Shows how systems are named and found: by name, and by the function or object that was added.

import { describe, expect, it } from 'vitest'
import { createSchedule, type Schedule, type SystemReference } from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const makeSchedule = () => createSchedule(watchedWorld())

/** A function as a minifier leaves it: with a name that says nothing, or without any. */
function minified(name: string, run: () => void = () => {}): () => void {
  return Object.defineProperty(() => run(), 'name', { value: name })
}

function messageFrom(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    const { code, message } = error as Error & { code: string }
    return `${code} ${message}`
  }
  return expect.unreachable('the call throws')
}

describe('a system without a name in the options', () => {
  it('has the name of its function, its object or its class', () => {
    class Gravity {
      run() {}
    }
    const schedule = makeSchedule()
      .add(function move() {})
      .add({ name: 'draw', run() {} })
      .add(new Gravity())
    expect(schedule.order()).toEqual(['move', 'draw', 'Gravity'])
  })

  it('gets a number if another system has that name, and a name if it lacks one', () => {
    const schedule = makeSchedule()
    for (const name of ['e', '', 'e', '', 'e']) schedule.add(minified(name))
    schedule.add({ run() {} })
    expect(schedule.order()).toEqual(['e', 'system', 'e 2', 'system 2', 'e 3', 'system 3'])
    expect(schedule.has('e 2')).toBe(true)
  })

  it('gets a free name, even after others were removed', () => {
    const schedule = makeSchedule().add(minified('e')).add(minified('e')).remove('e').add(minified('e'))
    expect(schedule.order()).toEqual(['e 2', 'e'])
  })

  it('is refused the second time, since nothing distinguishes the two', () => {
    const move = minified('move')
    const schedule = makeSchedule().add(move)
    expect(messageFrom(() => schedule.add(move))).toMatch(/^INVALID_SYSTEM .*'move'.*another name/)
    expect(schedule.add(move, { name: 'again' }).order()).toEqual(['move', 'again'])
  })

  it('never changes a requested name: a taken one is refused', () => {
    const schedule = makeSchedule().add(minified('move'))
    expect(messageFrom(() => schedule.add(minified('x'), { name: 'move' }))).toMatch(
      /^INVALID_SYSTEM .*'move'/,
    )
    expect(schedule.order()).toEqual(['move'])
  })
})

describe('a system referred to by its function or object', () => {
  it.each([
    ['before', (a: SystemReference, c: SystemReference) => [{}, { before: a, after: c }]],
    ['after', (a: SystemReference, c: SystemReference) => [{ after: [c] }, { before: [a], after: c }]],
  ])('is found by %s, even when it is added later', (_, optionsOf) => {
    const [a, b, c] = [minified('e'), minified('e'), { run() {} }]
    const [ofA, ofB] = optionsOf(a, c) as [object, object]
    const schedule = makeSchedule().add(b, { name: 'b', ...ofB })
    schedule.add(a, { name: 'a', ...ofA }).add(c, { name: 'c' })
    expect(schedule.order()).toEqual(['c', 'b', 'a'])
  })

  it('is found by chain, beside names', () => {
    const [a, b] = [minified('e'), minified('e')]
    const schedule = makeSchedule().chain(b, 'middle', a)
    schedule
      .add(a)
      .add(() => {}, { name: 'middle' })
      .add(b)
    expect(schedule.order()).toEqual(['e 2', 'middle', 'e'])
  })

  it('is found by of: the timer follows it', () => {
    const ran: string[] = []
    const leader = minified('e', () => ran.push('leader'))
    const schedule = makeSchedule()
      .add(leader, { every: 2 })
      .add(
        minified('e', () => ran.push('follower')),
        { every: 2, of: leader },
      )
    for (let i = 0; i < 8; i++) schedule.run(1)
    expect(ran).toEqual(['leader', 'leader', 'follower', 'leader', 'leader', 'follower'])
  })

  it('is found by has, enable, disable, isEnabled and remove', () => {
    let runs = 0
    const count = minified('e', () => runs++)
    const schedule = makeSchedule().add(minified('e')).add(count)
    expect(schedule.has(count)).toBe(true)
    expect(schedule.disable(count).isEnabled(count)).toBe(false)
    expect(schedule.isEnabled('e')).toBe(true)
    schedule.run(1)
    schedule.enable(count).run(1)
    expect(runs).toBe(1)
    expect(schedule.remove(count).has(count)).toBe(false)
    expect(schedule.order()).toEqual(['e'])
  })

  it('has no effect after it was removed, until it is added again', () => {
    const [a, b] = [minified('e'), minified('e')]
    const schedule = makeSchedule().add(a, { name: 'a', after: b }).add(b, { name: 'b' })
    expect(schedule.order()).toEqual(['b', 'a'])
    expect(schedule.remove('b').order()).toEqual(['a'])
    expect(schedule.add(b).order()).toEqual(['e', 'a'])
    schedule.dispose()
    expect(schedule.add(a, { after: b }).order()).toEqual(['e'])
  })

  it.each(['remove', 'enable', 'disable', 'isEnabled'] as const)(
    'is refused by %s when it was not added',
    (call) => {
      const schedule = makeSchedule().add(() => {}, { name: 'move' })
      const named = messageFrom(() => schedule[call](minified('draw')))
      expect(named).toMatch(
        new RegExp(`^UNKNOWN_SYSTEM schedule.${call} names the function 'draw'.*not added.*move`),
      )
      expect(messageFrom(() => schedule[call]({ run() {} }))).toContain('an object without a name')
    },
  )

  it('is refused by a run when it was not added, and nothing has run', () => {
    let runs = 0
    const other = minified('')
    const schedule = makeSchedule().add(() => runs++, { name: 'a', before: other })
    expect(messageFrom(() => schedule.run(1))).toMatch(
      /^UNKNOWN_SYSTEM system 'a' \(before\) names a function without/,
    )
    expect(runs).toBe(0)
  })

  it('must be unique: what was added twice is referred to by its names', () => {
    const twice = minified('e')
    const ask: ((schedule: Schedule) => unknown)[] = [
      (schedule) => schedule.remove(twice),
      (schedule) => schedule.chain(twice, 'a').run(1),
    ]
    for (const call of ask) {
      const schedule = makeSchedule().add(twice, { name: 'a' }).add(twice, { name: 'b' })
      expect(messageFrom(() => call(schedule))).toMatch(/^INVALID_SYSTEM .*'a' and 'b'/)
      expect(schedule.has('a')).toBe(true)
    }
  })

  it('follows no timer in a circle', () => {
    const [a, b] = [minified('e'), minified('e')]
    const schedule = makeSchedule().add(a, { of: b }).add(b, { of: a })
    expect(messageFrom(() => schedule.run(1))).toMatch(/^SCHEDULE_CYCLE .*e -> e 2 -> e/)
  })

  it('follows no timer of its own', () => {
    const a = minified('e')
    expect(messageFrom(() => makeSchedule().add(a, { of: a }))).toMatch(/^INVALID_SYSTEM System 'e'/)
  })
})
