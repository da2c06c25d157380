// Shows that calling listeners changes nothing: rows and handles end up where they would without them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  component,
  destroyMany,
  not,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  relation,
  createRemovalReader,
  spawnMany,
  onChange,
  tag,
  u32,
  type Entity,
  type World,
} from '../../bindings/index'
import { proofLength } from '../support/proofs'
import { SORTS } from '../support/script/kinds'
import type { Kind } from '../support/script/plainWorld'
import { Session, steps } from '../support/script/session'
import { runScript } from '../support/script/shrinking'
import { testWorld } from '../support/world'

const UNLIMITED = 0x7fffffff
/** More than one call of the core takes. */
const LONG_LIST = 40_000

const Unit = component('OrderUnit', { n: u32 })
const Red = tag('OrderRed')
const Green = tag('OrderGreen')
const ChildOf = relation('OrderChildOf')

const nothing = () => {}

/** Somebody who listens to each kind, or reads of it, by what they are told of. */
const LISTENERS: Record<string, (world: World, kind: Kind) => unknown> = {
  onAdd: (world, kind) => onAdd(world, kind, nothing),
  onRemove: (world, kind) => onRemove(world, kind, nothing),
  onSet: (world, kind) => kind.kind !== 'tag' && onSet(world, kind, nothing),
  onEnter: (world, kind) => onEnter(world.query(kind), nothing),
  onExit: (world, kind) => onExit(world.query(not(kind)), nothing),
  subscribe: (world, kind) => onChange(world.query(kind), nothing),
  removals: (world, kind) => createRemovalReader(world, kind),
}

/** The entities of a world in its order, and those with each of some kinds. */
const orderOf = (world: World, kinds: readonly Kind[]) => [
  [...world.query().entities()],
  ...kinds.map((kind) => [...world.query(kind).entities()]),
]

describe.each(Object.keys(LISTENERS))('%s', (name) => {
  /** The order of a world after a change, and the handles that come next. */
  const outcomeOf = (isHeard: boolean, change: (world: World) => void) => {
    const world = testWorld()
    for (const kind of [Unit, Red, Green]) {
      world.query(kind)
      if (isHeard) LISTENERS[name]?.(world, kind)
    }
    change(world)
    const order = orderOf(world, [Unit, Red, Green])
    return [order, Array.from({ length: 20 }, () => world.spawn(Unit))]
  }
  const expectSame = (change: (world: World) => void) =>
    expect(outcomeOf(true, change)).toEqual(outcomeOf(false, change))

  it('leaves rows and handles where they were when a list with dead handles and repeats is destroyed', () => {
    expectSame((world) => {
      const all = spawnMany(world, 60, [Unit])
      world.destroy(all[9] as Entity)
      // The first of them is among the last rows, from which others take the places of those in the middle.
      destroyMany(
        world,
        [57, 20, 9, 21, 20, 22, 23].map((place) => all[place] as Entity),
      )
    })
  })

  it('leaves rows and handles where they were when a list is longer than one call takes', () => {
    expectSame((world) => {
      const all = spawnMany(world, LONG_LIST, [Unit])
      destroyMany(
        world,
        all.filter((_, i) => i % 3000 === 7),
      )
      destroyMany(
        world,
        all.filter((_, i) => i % 40 !== 0),
      )
    })
  })

  it('leaves rows and handles where they were when all that a query finds is destroyed', () => {
    expectSame((world) => {
      for (let i = 0; i < 90; i++) {
        const entity = world.spawn(Unit({ n: i }))
        if (i % 2 === 0) world.add(entity, Red)
        if (i % 3 === 0) world.add(entity, Green)
      }
      destroyMany(world.query(Unit, Red).where(Unit, 'n', '<', 40))
      destroyMany(world.query(Green))
    })
  })

  it('leaves handles as they were when a world is cleared', () => {
    expectSame((world) => {
      for (let i = 0; i < 40; i++) world.spawn(...(i % 2 === 0 ? [Unit] : [Unit, Red]))
      world.destroy(world.query(Red).first() as Entity)
      clearWorld(world)
    })
  })

  it('leaves rows and handles where they were when some of a list have links', () => {
    expectSame((world) => {
      const all = spawnMany(world, 80, [Unit])
      for (let i = 1; i < 80; i += 7) world.add(all[i] as Entity, ChildOf(all[i - 1] as Entity))
      destroyMany(world, all.subarray(5, 30))
      destroyMany(world.query(Unit).where(Unit, 'n', '==', 0).slice(3, 23))
      destroyMany(world.query(Unit, ChildOf))
    })
  })

  it('leaves rows and handles where they were after any sequence of calls', () => {
    const property = fc.property(steps(1, 150), fc.nat(), (script, querySeed) =>
      runScript(script, (steps) => {
        // Without listeners of its own.
        const sessions = [0, 1].map(() => new Session(testWorld(), UNLIMITED, querySeed & ~1))
        const [alone, heard] = sessions as [Session, Session]
        for (const { kind } of SORTS) LISTENERS[name]?.(heard.world, kind)
        const orders: unknown[] = []
        const kinds = SORTS.map(({ kind }) => kind)
        alone.run(steps, () => void orders.push(orderOf(alone.world, kinds)))
        let step = 0
        heard.run(steps, () => expect(orderOf(heard.world, kinds)).toEqual(orders[step++]))
        for (const { world } of sessions) world.dispose()
      }),
    )
    fc.assert(property, { seed: 4712, endOnFailure: true, numRuns: proofLength(60) })
  })
})
