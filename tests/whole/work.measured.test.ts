// Shows that the work of calls grows like what there is, not like its square, by counts rather than by time.

import { describe, expect, it } from 'vitest'
import {
  component,
  createSchedule,
  f32,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  type World,
} from '../../bindings/index'
import { countWork } from '../support/work'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Updatable = object<{ tick: () => void }>('Updatable')
const FEW = 200
const MANY = 8 * FEW

/**
 * Expects that eight times as many make less than `most` times as much work. The first call warms things up. V8 forgets
 * the counts of code that it throws away, so that a count may be too small: what grows too fast does so three times.
 */
function expectGrowth(most: number, work: (count: number) => () => void): void {
  work(FEW)()
  let growth = Infinity
  for (let attempt = 0; attempt < 3 && growth >= most; attempt++) {
    growth = Math.min(growth, countWork(work(MANY)) / countWork(work(FEW)))
  }
  expect(growth).toBeLessThan(most)
}

const nothing = () => {}

describe('the work of listening to changes', () => {
  const listen: [string, (world: World, handler: () => void) => () => void][] = [
    ['onAdd', (world, handler) => onAdd(world, Position, handler)],
    ['onRemove', (world, handler) => onRemove(world, Position, handler)],
    ['onSet', (world, handler) => onSet(world, Position, handler)],
    ['onEnter', (world, handler) => onEnter(world.query(Position), handler)],
    ['onExit', (world, handler) => onExit(world.query(Position), handler)],
  ]

  it.each(listen)('grows by the same amount for each listener that subscribes by %s', (_, subscribe) => {
    const work = (count: number) => {
      const world = testWorld()
      return () => {
        for (let i = 0; i < count; i++) subscribe(world, () => void i)
      }
    }
    expectGrowth(12, work)
  })

  it.each(listen)(
    'grows by the same amount for each listener of %s that stops, in any order',
    (_, subscribe) => {
      for (const order of [
        (i: number) => i,
        (i: number, n: number) => n - 1 - i,
        (i: number, n: number) => (i * 7) % n,
      ]) {
        const work = (count: number) => {
          const world = testWorld()
          const stops = Array.from({ length: count }, (_, i) => subscribe(world, () => void i))
          return () => {
            for (let i = 0; i < count; i++) stops[order(i, count)]()
          }
        }
        expectGrowth(12, work)
      }
    },
  )

  it('grows by the same amount for each component that has listeners', () => {
    const components = Array.from({ length: MANY }, (_, i) => component(`C${i}`, { x: f32 }))
    const work = (count: number) => {
      const world = testWorld()
      return () => {
        const stops = components.slice(0, count).map((each) => onAdd(world, each, nothing))
        for (const stop of stops) stop()
      }
    }
    expectGrowth(12, work)
  })
})

describe('the work of ordering a schedule', () => {
  const options: [string, (i: number, count: number) => object][] = [
    ['without any order', () => ({})],
    ['in a chain of after', (i) => (i === 0 ? {} : { after: `s${i - 1}` })],
    ['in a chain of before, against the order of adding', (i) => (i === 0 ? {} : { before: `s${i - 1}` })],
    ['in a chain of timers', (i) => (i === 0 ? { every: 2 } : { every: 1, of: `s${i - 1}` })],
    ['in a chain of timers, added from its end', (i, n) => (i === n - 1 ? {} : { of: `s${i + 1}` })],
    ['that all come after the first one', (i) => (i === 0 ? {} : { after: 's0' })],
    ['in five phases', (i) => ({ phase: ['last', 'first', 'post', 'pre', 'update'][i % 5] })],
  ]

  it.each(options)('grows linearly with systems %s, up to a logarithm', (_, optionsOf) => {
    const work = (count: number) => {
      const schedule = createSchedule(testWorld())
      for (let i = 0; i < count; i++) schedule.add(nothing, { name: `s${i}`, ...optionsOf(i, count) })
      return () => {
        schedule.run(1)
      }
    }
    expectGrowth(14, work)
  })

  it.each([1, 2, 40])('grows linearly with systems with an order number, %i to a number', (each) => {
    const work = (count: number) => {
      const world = testWorld()
      const schedule = createSchedule(world)
      for (let i = 0; i < count; i++) {
        schedule.addObjects(Updatable, { name: `s${i}`, order: Math.floor(i / each) % 100 })
      }
      return () => {
        schedule.run(1)
      }
    }
    expectGrowth(14, work)
  })
})
