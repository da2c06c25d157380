// Shows that a bulk change of a query with changed or added changes what it finds, says how many, and uses up the look once; and
// that a bulk change of any query reaches what entities() lists.

import { describe, expect, it } from 'vitest'
import {
  added,
  addMany,
  all,
  any,
  cascade,
  changed,
  component,
  destroyMany,
  disableMany,
  f32,
  createGroup,
  inCreationOrder,
  not,
  object,
  onAdd,
  onEnter,
  onRemove,
  optional,
  present,
  relation,
  createRemovalReader,
  removeMany,
  sparse,
  spawnMany,
  onChange,
  stable,
  tag,
  toggle,
  u8,
  type Entity,
  type Query,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const Q = component('Q', { n: u8 })
const Seen = tag('Seen')
const Since = component('Since', { day: u8 }, { storage: sparse })
const Other = tag('Other')
const Lit = tag('Lit', { toggle })
const Owns = relation('Owns')
const Label = object<string>('Label')

/** What may listen in a world, to what is changed or to something else. */
const LISTENING: Record<string, (world: World) => unknown> = {
  'nothing is listened to': () => {},
  'the tag has a listener': (world) => onAdd(world, Seen, () => {}),
  'another component has a listener': (world) => onAdd(world, Other, () => {}),
  'a query has a listener': (world) => onEnter(world.query(Other), () => {}),
  'a query has a subscriber': (world) => onChange(world.query(Seen), () => {}),
  'removals are read': (world) => createRemovalReader(world, Q),
  'there is a relation': (world) => world.add(world.spawn(), Owns(world.spawn())),
  'there is an object': (world) => world.spawn(Label('x')),
}

/** A bulk change of eight entities, and how many of them it has reached. */
const CHANGES: Record<string, [(query: Query, world: World) => unknown, (world: World) => number]> = {
  add: [(query) => addMany(query, Seen), (world) => world.query(Seen).count],
  'add with a value': [(query) => addMany(query, Since({ day: 3 })), (world) => world.query(Since).count],
  remove: [(query) => removeMany(query, Q), (world) => 8 - world.query(Q).count],
  destroy: [(query) => destroyMany(query), (world) => 8 - world.query(Lit).count],
  disable: [(query) => disableMany(query, Lit), (world) => 8 - world.query(Lit).count],
  'add in a block': [
    (query, world) => world.batch(() => void addMany(query, Seen)),
    (world) => world.query(Seen).count,
  ],
}

describe.each(['chunk', 'row'] as const)('with changes tracked by %s', (track) => {
  const P = component('P', { x: f32 }, track === 'row' ? { trackChanges: track } : {})
  const QUERIES: Record<string, (world: World) => Query> = {
    'changed(P)': (world) => world.query(changed(P)) as unknown as Query,
    'added(P)': (world) => world.query(added(P)) as unknown as Query,
    'changed(Q), P': (world) => world.query(changed(Q), P) as unknown as Query,
    'changed(P), not(Other)': (world) => world.query(changed(P), not(Other)) as unknown as Query,
    'changed(P).where': (world) => world.query(changed(P)).where(P, 'x', '>=', 0) as unknown as Query,
  }

  describe.each(Object.keys(LISTENING))('where %s', (listening) => {
    it.each(Object.keys(CHANGES))('%s reaches what has changed, and consumes the look', (name) => {
      for (const make of Object.values(QUERIES)) {
        const world = testWorld()
        spawnMany(world, 8, [P({ x: 1 }), Q, Lit])
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

  it('a listener that changes the matches consumes the look once', () => {
    const world = testWorld()
    const entities = spawnMany(world, 8, [P({ x: 1 }), Q])
    const query = world.query(changed(P)).where(P, 'x', '>', 0)
    onRemove(world, Q, (entity) => {
      if (entity === entities[0]) world.set(entities[1] as never, P, { x: -1 })
    })
    expect(removeMany(query, Q)).toBe(8)
    expect(world.query(Q).count).toBe(0)
    expect(query.count).toBe(0)
    world.set(entities[3] as never, P, { x: 2 })
    expect(query.count).toBe(track === 'row' ? 1 : 7)
  })
})

const Stored = component('Stored', { x: f32 }, { toggle })
const Sparse = component('Sparse', { x: f32 }, { storage: sparse })
const Twin = component('Twin', { x: f32 }, { storage: sparse })
const Fixed = component('Fixed', { x: f32 }, { storage: stable })
const Hidden = tag('Hidden', { excludeFromQueries: true })
const Picked = tag('Picked', { order: 'insertion' })
const Chest = tag('Chest')
const In = relation('In', { exclusive: true })

/** A query of each kind; `chest` is what half of the entities lie in. */
const KINDS_OF_QUERIES: Record<string, (world: World, chest: Entity) => unknown> = {
  everything: (world) => world.query(),
  'a component': (world) => world.query(Stored),
  'not(a component)': (world) => world.query(not(Stored)),
  'what is switched off': (world) => world.query(present(Stored), not(Stored)),
  'one of two': (world) => world.query(any(Sparse, Picked)),
  'one of two, with more in each': (world) => world.query(any(all(Stored, Sparse), not(Fixed, Lit))),
  'a pool': (world) => world.query(Sparse),
  'two pools': (world) => world.query(Sparse, Fixed),
  'a group': (world) => createGroup(world, Sparse, Twin),
  'an ordered tag': (world) => world.query(Picked, Stored),
  'an excluded tag': (world) => world.query(Stored, Hidden),
  'an optional excluded tag': (world) => world.query(Stored, optional(Hidden)),
  'rows by value': (world) => world.query(Stored).where(Stored, 'x', '>', 20),
  'rows of an optional pool by value': (world) =>
    world.query(Stored, optional(Sparse)).where(Sparse, 'x', '<', 40),
  'a page': (world) => world.query(Stored).slice(5, 18),
  'a page of rows by value': (world) => world.query(Stored).where(Stored, 'x', '>', 9).slice(3, 10),
  'a part': (world) => world.query(Sparse).partition(1, 3),
  'a link': (world) => world.query(In),
  'no link': (world) => world.query(Stored, not(In)),
  'a target': (world, chest) => world.query(In(chest)),
  'not(a target)': (world, chest) => world.query(Stored, not(In(chest))),
  'what targets have': (world) => world.query(Stored, In(Chest)),
  'a page of a target': (world, chest) => world.query(In(chest)).slice(2, 7),
  'in the order of making': (world) => world.query(Stored, inCreationOrder()),
  'from the top down': (world) => world.query(Stored, cascade(In)),
}

const BULK: Record<string, [(query: Query) => number, (world: World, entity: Entity) => boolean]> = {
  add: [(query) => addMany(query, Seen), (world, entity) => world.has(entity, Seen)],
  'add with a value': [
    (query) => addMany(query, Since({ day: 4 })),
    (world, entity) => world.get(entity, Since)?.day === 4,
  ],
  remove: [(query) => removeMany(query, Other), (world, entity) => !world.has(entity, Other)],
  destroy: [(query) => destroyMany(query), (world, entity) => !world.isAlive(entity)],
}

/** 64 entities with all mixtures of what the queries ask for; with or without links. */
function mixed(hasLinks = true): [World, Entity[], Entity] {
  const world = testWorld()
  if (hasLinks) createGroup(world, Sparse, Twin)
  const chest = world.spawn(Chest, Other)
  const bag = world.spawn(Stored({ x: 1 }), Other)
  const entities = Array.from({ length: 64 }, (_, i) => {
    const entity = world.spawn(Other)
    const has = (bit: number) => ((i >> bit) & 1) === 1
    if (i % 5 !== 0) world.add(entity, Stored({ x: i }))
    if (has(0)) world.add(entity, Sparse({ x: i }))
    if (has(1)) world.add(entity, Twin({ x: i }), Lit)
    if (has(2)) world.add(entity, Fixed({ x: i }))
    if (has(3)) world.add(entity, Picked)
    if (has(4) && hasLinks) world.add(entity, In(has(5) ? chest : bag))
    if (i % 11 === 3) world.add(entity, Hidden)
    if (i % 7 === 1 && world.has(entity, Stored)) world.disable(entity, Stored)
    return entity
  })
  return [world, [chest, bag, ...entities], chest]
}

it.each(Object.entries(LISTENING))('a bulk change of a page consumes no look where %s', (_, listen) => {
  const world = testWorld()
  listen(world)
  spawnMany(world, 3, [Q])
  const query = world.query(changed(Q))
  addMany(query.slice(0, 1), Seen)
  removeMany(query.slice(0, 1), Seen)
  destroyMany(query.slice(2, 3))
  expect(query.entities()).toHaveLength(2)
  expect(query.entities()).toHaveLength(0)
})

it('a bulk addition writes the values that are given together with a tag', () => {
  const world = testWorld()
  const entity = world.spawn(Other)
  addMany(world.query(Other), Seen, Q({ n: 3 }))
  expect(world.get(entity, Q)).toEqual({ n: 3 })
})

describe.each(Object.entries(KINDS_OF_QUERIES))('a bulk change of %s', (_, ask) => {
  it.each(Object.entries(BULK))('reaches what entities() lists, and no others: %s', (_, [change, isDone]) => {
    for (const [listening, listen] of Object.entries(LISTENING)) {
      const [world, entities, chest] = mixed()
      listen(world)
      const query = ask(world, chest) as Query
      const found = new Set(query.entities())
      expect(found.size, listening).toBeGreaterThan(0)
      expect(change(query), listening).toBe(found.size)
      for (const entity of entities)
        if (isDone(world, entity) !== found.has(entity)) expect.unreachable(`${listening}: ${entity}`)
      checkInvariants(world)
      world.dispose()
    }
  })
})

describe.each(Object.entries(KINDS_OF_QUERIES))('destroying %s', (kind, ask) => {
  it.each([true, false])(
    'leaves rows and handles as destroying its list does; a world with links: %s',
    (hasLinks) => {
      if (!hasLinks && /link|target|top down/.test(kind)) return
      const [byQuery, byList] = [mixed(hasLinks), mixed(hasLinks)]
      destroyMany(ask(byQuery[0], byQuery[2]) as Query)
      destroyMany(byList[0], (ask(byList[0], byList[2]) as Query).entities())
      const left = [byQuery, byList].map(([world, , chest]) => [
        ...Object.entries(KINDS_OF_QUERIES)
          .filter(([other]) => hasLinks || !/link|target|top down|group/.test(other))
          .filter(([other]) => world.isAlive(chest) || !/target/.test(other))
          .map(([other, of]) => [other, [...(of(world, chest) as Query).entities()]]),
        spawnMany(world, 64, []),
      ])
      expect(left[0]).toEqual(left[1])
    },
  )
})
