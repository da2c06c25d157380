// Shows the errors for calls that leave out the target of a relation with many targets, or name several at once.

import { expect, it } from 'vitest'
import { all, any, component, digestWorld, f32, not, relation } from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Name = component('Name', { x: f32 })
const Likes = relation('Likes', { weight: f32.default(1) })
const ChildOf = relation('ChildOf', { exclusive: true })

function stage() {
  const world = watchedWorld()
  const bob = world.spawn(Name)
  const ann = world.spawn(Name, Likes(bob, { weight: 5 }))
  return { world, ann, bob }
}
type Stage = ReturnType<typeof stage>

it.each<[string, (stage: Stage) => unknown]>([
  ['get', ({ world, ann }) => world.get(ann, Likes as never)],
  ['get of an entity without links', ({ world, bob }) => world.get(bob, Likes as never)],
  ['set', ({ world, ann }) => world.set(ann, Likes as never, { weight: 3 } as never)],
  [
    'set in a loop',
    ({ world, ann }) => world.batch(() => world.set(ann, Likes as never, { weight: 3 } as never)),
  ],
  ['setIfDifferent', ({ world, ann }) => world.setIfDifferent(ann, Likes as never, { weight: 3 } as never)],
  [
    'where',
    ({ world, bob }) =>
      world.query(Name, Likes(bob)).where(Likes as never, 'weight' as never, '>', 3 as never),
  ],
  [
    'a cursor of a chunk',
    ({ world }) => {
      for (const chunk of world.query(Name, Likes)) chunk.cursor(Likes as never)
    },
  ],
])('%s of values without a target says how to name one', (_, call) => {
  const staged = stage()
  const before = digestWorld(staged.world)
  expect(() => call(staged)).toThrow(
    'Likes can have many targets, and each link has values of its own: name the target, as in world.get(entity, Likes(target)).',
  )
  expect(digestWorld(staged.world)).toBe(before)
})

it('A missing or dead target is reported under the name of the call', () => {
  const { world, bob } = stage()
  world.destroy(bob)
  for (const [name, call] of [
    ['spawn', () => world.spawn(ChildOf as never)],
    ['spawn', () => world.spawn(ChildOf(bob))],
    ['spawn', () => world.spawn(Name, Likes as never)],
    ['add', () => world.add(world.query(Name).first() as never, ChildOf as never)],
    ['add', () => world.add(world.query(Name).first() as never, ChildOf(bob))],
    ['exchange', () => world.exchange(world.query(Name).first() as never, [Name], [ChildOf(bob)])],
  ] as const)
    expect(call).toThrow(new RegExp(`^${name}: `))
})

it('A target inside any(), all() or a not() in them is refused, and the sentence says what to write', () => {
  const { world, ann, bob } = stage()
  for (const query of [
    () => any(Likes(ann) as never, Likes(bob) as never),
    () => any(Name, not(Likes(bob))),
    () => world.query(all(ChildOf(bob) as never)),
  ]) {
    expect(query).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }))
    expect(query).toThrow(
      /takes no relation with its target: make a query for each target, or loop over query\((Likes|ChildOf)\)/,
    )
  }
})
