// Shows what is said about the place of a system: all that a schedule reports about it, at the system it is about, and nothing
// else.

import { describe, expect, it } from 'vitest'
import { component, createSchedule, f32, type Schedule } from '../../../../bindings/index'
import { orderText, placesOf, warningText } from '../../src/element/systemOrder'
import { testWorld } from '../../../../tests/support/world'

const Heat = component('Heat', { value: f32 })
const Mass = component('Mass', { value: f32 })

/** What stands below each name, in the order in which the systems run. */
function linesOf(schedule: Schedule, most = Infinity): Record<string, string> {
  const places = placesOf(schedule.order(), schedule.constraints(), schedule.ambiguities())
  return Object.fromEntries(
    [...places].map(([name, place]) => [
      name,
      [orderText(place, most), warningText(name, place, most)].filter((text) => text !== '').join(' | '),
    ]),
  )
}

const systems = (...all: [name: string, options?: object][]) =>
  all.reduce(
    (schedule, [name, options]) => schedule.add(() => {}, { name, ...options }),
    createSchedule(testWorld()),
  )

describe('the place of a system', () => {
  it('names the systems it comes after, and the reason unless it is only its own `after`', () => {
    const schedule = systems(
      ['steer', { before: 'move' }],
      ['move'],
      ['collide', { after: ['move', 'steer'] }],
    )
    expect(linesOf(schedule)).toEqual({
      steer: 'before move',
      move: 'after steer (its before)',
      collide: 'after steer, move',
    })
    schedule.chain('steer', 'move', 'collide')
    expect(linesOf(schedule)).toEqual({
      steer: 'before move',
      move: 'after steer (its before, chain)',
      collide: 'after steer, move (own after, chain)',
    })
  })

  it('shows a constraint that follows from others if it was declared as well', () => {
    const schedule = systems(['a'], ['b'], ['c']).chain('a', 'b', 'c').chain('a', 'c')
    expect(linesOf(schedule)).toEqual({ a: '', b: 'after a (chain)', c: 'after a (chain), b (chain)' })
  })

  it('names each of an ambiguous pair for the other, and what both touch', () => {
    const schedule = systems(
      ['cool', { writes: [Heat, Mass] }],
      ['glow', { reads: [Heat] }],
      ['weigh', { writes: [Mass], after: 'glow' }],
      ['draw', { phase: 'last', reads: [Heat] }],
    )
    expect(linesOf(schedule)).toEqual({
      cool: '⚠ undecided with glow (Heat), weigh (Mass)',
      glow: '⚠ undecided with cool (Heat)',
      weigh: 'after glow | ⚠ undecided with cool (Mass)',
      draw: '',
    })
    expect(linesOf(schedule.chain('cool', 'glow'))).toEqual({
      cool: '',
      glow: 'after cool (chain)',
      weigh: 'after glow',
      draw: '',
    })
  })

  it('names as many as requested, and says how many more exist', () => {
    const names = Array.from({ length: 8 }, (_, i) => `s${i}`)
    const schedule = systems(
      ...names.map((name): [string] => [name]),
      ['last', { after: names }],
      ['first', { before: names }],
    )
    const { first, last } = linesOf(schedule, 2)
    expect(last).toBe('after s0, s1 and 6 more')
    expect(first).toBe('before s0, s1 and 6 more')
    expect(linesOf(schedule).last).toBe(`after ${names.join(', ')}`)
  })

  it('names five components of a pair', () => {
    const writes = Array.from({ length: 7 }, (_, i) => component(`Touched${i}`, { value: f32 }))
    expect(linesOf(systems(['a', { writes }], ['b', { writes }])).a).toBe(
      '⚠ undecided with b (Touched0, Touched1, Touched2, Touched3, Touched4, …)',
    )
  })

  it('cuts long names, and shows invisible characters', () => {
    const schedule = systems(
      ['w'.repeat(100)],
      ['\u202e', { after: 'w'.repeat(100) }],
      ['c', { after: '\u202e' }],
    )
    const lines = linesOf(schedule)
    expect(lines['\u202e']).toBe(`after ${'w'.repeat(80)}…`)
    expect(lines.c).toBe(String.raw`after '\u{202e}'`)
  })
})
