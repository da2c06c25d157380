// Shows the sentences of errors that newcomers meet early: each says what happened, to what, and what to do.

import { expect, it } from 'vitest'
import {
  changed,
  component,
  createAccessor,
  createSchedule,
  f32,
  createGroup,
  onAdd,
  onRemove,
  relation,
  onChange,
  sparse,
  stable,
  tag,
  toggle,
  u8,
} from '../../bindings/index'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Health = component('Health', { hp: u8 }, { storage: sparse })
const Armour = component('Armour', { hp: u8 }, { storage: sparse })
const Node = component('Node', { n: u8 }, { storage: stable })
const Switch = component('Switch', { n: u8 }, { storage: sparse, toggle })
const Frozen = tag('Frozen')
const Likes = relation('Likes', { weight: u8 })

const stage = () => {
  const world = testWorld()
  const ship = world.spawn(Position, Health, Armour)
  return { world, ship, query: world.query(Position) }
}
type Stage = ReturnType<typeof stage>

it.each<[string, (stage: Stage) => unknown, string]>([
  [
    'listening to a narrowed query',
    ({ query }) => onChange(query.where(Position, 'x', '>', 1), () => {}),
    'onChange takes a query without where(), slice() or partition(): listeners cannot follow values or places.',
  ],
  [
    'listening to what changed',
    ({ world }) => onChange(world.query(changed(Position)), () => {}),
    'onChange cannot watch changed(Position): leave it out of the query, and listen with onAdd or onSet.',
  ],
  [
    'disposing of a shared query',
    ({ query }) => query.dispose(),
    'query.dispose: the query (Position) is shared by every world.query(…) with the same terms. Only one with changed() or added() has memory of its own to free.',
  ],
  [
    'using a query that was disposed of',
    ({ world }) => {
      const news = world.query(changed(Position))
      news.dispose()
      return news.count
    },
    'The query (changed(Position)) was disposed of: make a new one with world.query(…).',
  ],
  [
    'setting several components, one of them without values',
    ({ world, ship }) => world.set(ship, Position({ x: 1 }), Health as never),
    'set takes components with values; got the component Health.',
  ],
  [
    'setting a tag among components',
    ({ world, ship }) => world.set(ship, Position({ x: 1 }), Frozen as never),
    'set takes components with values; got the tag Frozen.',
  ],
  [
    'setting a relation without its target',
    ({ world, ship }) => world.set(ship, Position({ x: 1 }), Likes as never),
    'set takes components with values; got the relation Likes.',
  ],
  [
    'an async callback',
    ({ query }) => query.each((async () => {}) as never),
    'each cannot wait for a callback that is async or returns a promise: await before or after each.',
  ],
  [
    'a circle of systems',
    ({ world }) =>
      createSchedule(world)
        .add(function move() {}, { name: 'move', after: 'draw' })
        .add(function draw() {}, { name: 'draw', after: 'move' })
        .run(1),
    'These systems must each run before the next, in a cycle: move -> draw -> move. Take out one of the constraints between them (before, after or chain).',
  ],
  [
    'listeners that never end',
    ({ world, ship }) => {
      onAdd(world, Frozen, (entity) => void world.remove(entity, Frozen))
      onRemove(world, Frozen, (entity) => void world.add(entity, Frozen))
      world.add(ship, Frozen)
    },
    "Listeners have caused each other's events for 100000 rounds, and what was queued is dropped: one makes the change that it listens to. Let it test whether the change is needed.",
  ],
  [
    'a group of what is not sparse',
    ({ world }) => createGroup(world, Position as never, Health),
    'createGroup takes components that are declared with { storage: sparse }, and the component Position is not.',
  ],
  [
    'a group of a tag',
    ({ world }) => createGroup(world, Frozen as never, Health),
    'createGroup takes components that are declared with { storage: sparse }, and the tag Frozen is not.',
  ],
  [
    'a group of what can be switched',
    ({ world }) => createGroup(world, Switch, Health),
    'createGroup: Switch was declared with { toggle }, and every row of a group must be on: declare it without.',
  ],
  [
    'a group of one',
    ({ world }) => (createGroup as any)(world, Health),
    'createGroup takes two components or more.',
  ],
  [
    'an empty row',
    ({ world }) => createAccessor(world, Node).at(3),
    'accessor(Node).at: row 3 of Node is empty: its entity was destroyed, or lost Node. Compare entityAt(row) with the entity that you expect.',
  ],
])('of %s says what happened and what to do', (_, call, sentence) => {
  const staged = stage()
  expect(() => call(staged)).toThrow(expect.objectContaining({ message: sentence }))
})
