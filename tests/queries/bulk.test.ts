// Owns the proof that a bulk change of a query with changed or added changes what it finds, says how many, and uses the look up
// once, whatever else the world has. What bulk changes do to rows is in tests/changes and tests/loops.

import { describe, expect, it } from 'vitest'
import {
  added,
  changed,
  component,
  f32,
  not,
  object,
  relation,
  tag,
  u8,
  type Query,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const Q = component('Q', { n: u8 })
const Seen = tag('Seen')
const Since = component('Since', { day: u8 }, { storage: 'sparse' })
const Other = tag('Other')
const Lit = tag('Lit', { toggle: true })
const Owns = relation('Owns')
const Label = object<string>('Label')

/** What may listen in a world, to what is changed or to something else. */
const LISTENING: Record<string, (world: World) => unknown> = {
  'nobody listens': () => {},
  'a listener hears of the tag': (world) => world.onAdd(Seen, () => {}),
  'a listener hears of something else': (world) => world.onAdd(Other, () => {}),
  'a listener hears of a query': (world) => world.onEnter(world.query(Other), () => {}),
  'a query has a subscriber': (world) => world.query(Seen).subscribe(() => {}),
  'removals are read': (world) => world.removals(Q),
  'removals are listed': (world) => world.removed(Q),
  'there is a relation': (world) => world.add(world.spawn(), Owns(world.spawn())),
  'there is an object': (world) => world.spawn(Label('x')),
}

/** A bulk change of eight entities, and how many of them it has reached. */
const CHANGES: Record<string, [(query: Query, world: World) => unknown, (world: World) => number]> = {
  add: [(query) => query.add(Seen), (world) => world.query(Seen).count],
  'add with a value': [(query) => query.add(Since({ day: 3 })), (world) => world.query(Since).count],
  remove: [(query) => query.remove(Q), (world) => 8 - world.query(Q).count],
  destroy: [(query) => query.destroy(), (world) => 8 - world.query(Lit).count],
  disable: [(query) => query.disable(Lit), (world) => 8 - world.query(Lit).count],
  'add in a block': [
    (query, world) => world.defer(() => void query.add(Seen)),
    (world) => world.query(Seen).count,
  ],
}

describe.each(['chunk', 'row'] as const)('with changes tracked by %s', (track) => {
  const P = component('P', { x: f32 }, track === 'row' ? { track } : {})
  const QUERIES: Record<string, (world: World) => Query> = {
    'changed(P)': (world) => world.query(changed(P)) as unknown as Query,
    'added(P)': (world) => world.query(added(P)) as unknown as Query,
    'changed(Q), P': (world) => world.query(changed(Q), P) as unknown as Query,
    'changed(P), not(Other)': (world) => world.query(changed(P), not(Other)) as unknown as Query,
    'changed(P).where': (world) => world.query(changed(P)).where(P, 'x', '>=', 0) as unknown as Query,
  }

  describe.each(Object.keys(LISTENING))('where %s', (listening) => {
    it.each(Object.keys(CHANGES))('%s reaches what has changed, and uses the look up', (name) => {
      for (const make of Object.values(QUERIES)) {
        const world = testWorld()
        world.spawnMany(8, [P({ x: 1 }), Q, Lit])
        LISTENING[listening]?.(world)
        const query = make(world)
        const [change, reached] = CHANGES[name] as (typeof CHANGES)[string]
        const returned = change(query, world)
        if (returned !== undefined) expect(returned).toBe(8)
        expect(reached(world)).toBe(8)
        expect(query.count).toBe(0)
        checkInvariants(world)
      }
    })
  })

  it('a handler that changes what is found leaves the look used up once', () => {
    const world = testWorld()
    const entities = world.spawnMany(8, [P({ x: 1 }), Q])
    const query = world.query(changed(P)).where(P, 'x', '>', 0)
    world.onRemove(Q, (entity) => {
      if (entity === entities[0]) world.set(entities[1] as never, P, { x: -1 })
    })
    expect(query.remove(Q)).toBe(8)
    expect(world.query(Q).count).toBe(0)
    expect(query.count).toBe(0)
    world.set(entities[3] as never, P, { x: 2 })
    expect(query.count).toBe(track === 'row' ? 1 : 7)
  })
})
