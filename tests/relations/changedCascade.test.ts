// Shows that changed and added find along a cascade, and beside negative targets, what they find without: making the order and
// the links is not a look.

import { describe, expect, it } from 'vitest'
import {
  added,
  cascade,
  changed,
  getColumn,
  component,
  f32,
  not,
  relation,
  tag,
  type Entity,
  type Query,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const Off = tag('Off')
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })

/** Each way to look at what has changed. */
const LOOKS: Record<string, (query: Query) => Entity[]> = {
  entities: (query) => Array.from(query.entities()),
  each: (query) => {
    const found: Entity[] = []
    query.each((entity) => void found.push(entity))
    return found
  },
  'a loop over chunks': (query) => {
    const found: Entity[] = []
    for (const chunk of query)
      for (let i = chunk.start; i < chunk.end; i++) found.push(chunk.entities[i] as Entity)
    return found
  },
}

describe.each(['chunk', 'row'] as const)('with changes tracked by %s', (track) => {
  const Local = component('Local', { x: f32 }, track === 'row' ? { trackChanges: track } : {})

  describe.each(Object.keys(LOOKS))('%s', (name) => {
    const look = LOOKS[name] as (query: Query<any, any>) => Entity[]

    function family() {
      const world = testWorld()
      const sun = world.spawn(Local)
      const moonless = world.spawn(Local, Off)
      const earth = world.spawn(Local, ChildOf(sun))
      const moon = world.spawn(Local, ChildOf(earth), Off)
      return { world, sun, moonless, earth, moon }
    }

    it('finds everything at the first look, and nothing at the second', () => {
      const { world, sun, moonless, earth, moon } = family()
      const all = new Set([sun, moonless, earth, moon])
      const queries = [
        [world.query(changed(Local), cascade(ChildOf)), all],
        [world.query(added(Local), cascade(ChildOf)), all],
        [world.query(changed(Local), not(Off), cascade(ChildOf)), new Set([sun, earth])],
        [world.query(changed(Local), not(ChildOf(sun))), new Set([sun, moonless, moon])],
      ] as const
      for (const [query, expected] of queries) {
        expect(query.count).toBe(expected.size)
        expect(expected).toContain(query.first())
        expect(new Set(look(query))).toEqual(expected)
        expect(look(query)).toEqual([])
      }
    })

    it.each(['a value', 'a link', 'a move', 'a spawn', 'a death'])(
      'finds what changed, parents first, in the frame of %s, and what changes later',
      (event) => {
        const { world, sun, moonless, earth, moon } = family()
        const leaf = world.spawn(Local, ChildOf(moon))
        const moved = world.query(changed(Local), cascade(ChildOf))
        look(moved)
        if (event === 'a link') world.add(moon, ChildOf(sun))
        else if (event === 'a move') world.add(sun, Off)
        else if (event === 'a spawn') world.spawn(Local, ChildOf(moon))
        else if (event === 'a death') world.destroy(leaf)
        for (const entity of [moon, sun, earth]) world.set(entity, Local, { x: 1 })
        const { count } = moved
        const found = look(moved)
        expect(found.length).toBe(count)
        expect(found.every((entity) => world.isAlive(entity))).toBe(true)
        expect(found.indexOf(sun)).toBeGreaterThanOrEqual(0)
        expect(found.indexOf(earth)).toBeGreaterThan(found.indexOf(sun))
        expect(found.indexOf(moon)).toBeGreaterThan(found.indexOf(event === 'a link' ? sun : earth))
        expect(look(moved)).toEqual([])
        world.set(moonless, Local, { x: 2 })
        expect(look(moved)).toContain(moonless)
        expect(look(moved)).toEqual([])
        checkInvariants(world)
      },
    )
  })

  it('peeking leaves everything to be found', () => {
    const world = testWorld()
    const sun = world.spawn(Local)
    world.spawn(Local, ChildOf(sun))
    const moved = world.query(changed(Local), cascade(ChildOf))
    expect([moved.count, moved.isEmpty, moved.slice(0, 9).entities().length]).toEqual([2, false, 2])
    expect(getColumn(moved, Local, 'x').length).toBe(2)
    expect(moved.entities().length).toBe(2)
  })
})
