// Shows which systems are reported whose order matters while nothing decides it, by what they declare.

import { describe, expect, it } from 'vitest'
import { any, component, createSchedule, f32, not, optional, sparse, tag } from '../../bindings/index'
import { findAmbiguities } from '../../bindings/schedule/ambiguities'
import type { Arrangement } from '../../bindings/schedule/arrangement'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Velocity = component('Velocity', { x: f32 })
const Health = component('Health', { hp: f32 }, { storage: sparse })
const Frozen = tag('Frozen')
const nothing = () => {}

function scheduleOf(systems: Record<string, object>) {
  const schedule = createSchedule(watchedWorld())
  for (const [name, options] of Object.entries(systems)) schedule.add(nothing, { name, ...options })
  return schedule
}

const pairs = (schedule: ReturnType<typeof scheduleOf>) =>
  schedule.ambiguities().map(({ systems, components }) => `${systems.join(' ')}: ${components.join(' ')}`)

describe('ambiguities', () => {
  it('are pairs that touch a component, at least one writing, with no order between them', () => {
    const schedule = scheduleOf({
      move: { reads: [Velocity], writes: [Position] },
      push: { writes: [Velocity, Position] },
      draw: { reads: [Position] },
      sound: { reads: [Position] },
      idle: {},
    })
    expect(pairs(schedule)).toEqual([
      'move push: Position Velocity',
      'move draw: Position',
      'move sound: Position',
      'push draw: Position',
      'push sound: Position',
    ])
  })

  it('do not exist where an order is given, even through others, by a chain or by phases', () => {
    const schedule = scheduleOf({
      a: { writes: [Position], before: 'between' },
      between: {},
      b: { writes: [Position], after: 'between' },
      c: { writes: [Position] },
      d: { writes: [Position], phase: 'post' },
    })
    expect(pairs(schedule)).toEqual(['a c: Position', 'b c: Position'])
    expect(pairs(schedule.chain('b', 'c'))).toEqual([])
  })

  it('name the systems in the order in which they run now', () => {
    const schedule = scheduleOf({
      late: { writes: [Position], after: 'anchor' },
      anchor: {},
      early: { writes: [Position] },
    })
    expect(schedule.order()).toEqual(['anchor', 'late', 'early'])
    expect(pairs(schedule)).toEqual(['late early: Position'])
    expect(pairs(schedule.chain('early', 'anchor'))).toEqual([])
  })

  it('use what is read from the queries of a system', () => {
    const world = watchedWorld()
    const schedule = createSchedule(world)
    const queries = [world.query(Position, any(Velocity, Health)), world.query(optional(Frozen))]
    schedule.add(nothing, { name: 'asks', queries })
    for (const written of [Position, Velocity, Health, Frozen]) {
      schedule.add(nothing, { name: written.componentName, writes: [written] })
    }
    expect(pairs(schedule)).toEqual([
      'asks Position: Position',
      'asks Velocity: Velocity',
      'asks Health: Health',
      'asks Frozen: Frozen',
    ])
  })

  it('count a component of a query as written if that is declared, and an excluded one not at all', () => {
    const world = watchedWorld()
    const moving = world.query(Position, Velocity, not(Frozen))
    const schedule = createSchedule(world)
    schedule.add(nothing, { name: 'move', queries: [moving], writes: [Position] })
    schedule.add(nothing, { name: 'show', queries: [moving] })
    schedule.add(nothing, { name: 'freeze', writes: [Frozen] })
    expect(pairs(schedule)).toEqual(['move show: Position'])
  })

  it('include systems that are disabled now, and not removed ones', () => {
    const schedule = scheduleOf({ a: { writes: [Position] }, b: { writes: [Position], enabled: false } })
    expect(pairs(schedule)).toEqual(['a b: Position'])
    expect(pairs(schedule.remove('a'))).toEqual([])
  })

  it('are searched only among systems that touch the same component, not among all pairs', () => {
    /** How often the components that a system touches are looked at, for each system. */
    const looks = (count: number, writes: readonly unknown[]) => {
      let reads = 0
      const phase = {}
      const systems = Array.from({ length: count }, (_, i) => ({
        name: `s${i}`,
        phase,
        reads: new Set(),
        get writes() {
          reads++
          return new Set(writes)
        },
      }))
      const successors = systems.map((_, i) => (i + 1 < count ? [i + 1] : []))
      expect(findAmbiguities({ systems, successors } as unknown as Arrangement)).toEqual([])
      return reads / count
    }
    expect(looks(1000, [])).toBe(looks(10, []))
    expect(looks(1000, [Position])).toBe(looks(10, [Position]))
  })
})
