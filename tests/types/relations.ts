// Shows what is inferred from relations of both kinds and from pairs, and what does not compile among them.

/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-unused-expressions --
   values are made here for their types alone */

import {
  ancestors,
  cascade,
  component,
  createWorld,
  depthOf,
  descendants,
  f32,
  not,
  relation,
  tag,
  text,
  u8,
  type AnyRelation,
  type Entity,
  type EntityArray,
  type ManyRelation,
  type Relation,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32 })
const Human = tag('Human')
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const DockedAt = relation('DockedAt', { berth: u8, pilot: text }, { exclusive: true })
const Knows = relation('Knows')
const Needs = relation('Needs', { onTargetDestroy: 'destroy' })
const Likes = relation('Likes', { weight: f32 })
const Recalls = relation('Recalls', { since: u8 }, { onTargetDestroy: 'keep', exclusive: false })
const world = createWorld()
const ann = world.spawn(Position)
const bob = world.spawn(Position)

// ── declarations ────────────────────────────────────────────────────────────────────────────────────────

type None = Readonly<Record<never, never>>
expectType<Equal<typeof ChildOf, Relation<None, 'ChildOf'>>>()
expectType<Equal<typeof Knows, ManyRelation<None, 'Knows'>>>()
expectType<Equal<typeof Needs, ManyRelation<None, 'Needs'>>>()
expectType<Equal<(typeof Likes)['componentName'], 'Likes'>>()
const both: AnyRelation[] = [ChildOf, DockedAt, Knows, Likes, Recalls]
// @ts-expect-error no such policy
relation('Wrong', { onTargetDestroy: 'die' })
// @ts-expect-error no such option
relation('Wrong', { weight: f32 }, { only: true })

// ── links ───────────────────────────────────────────────────────────────────────────────────────────────

world.spawn(Position, ChildOf(ann), Likes(bob, { weight: 2 }))
world.add(ann, Likes(bob), Knows(bob), DockedAt(bob, { berth: 3 }))
// @ts-expect-error a relation needs its target
world.add(ann, Likes)
// @ts-expect-error a relation needs its target
world.spawn(ChildOf)
// @ts-expect-error no such field
Likes(bob, { height: 2 })
// @ts-expect-error a number
Likes(bob, { weight: 'much' })

const weight = world.get(ann, Likes(bob))
expectType<Equal<typeof weight, Readonly<{ weight: number }> | undefined>>()
const berth = world.get(ann, DockedAt)
expectType<Equal<typeof berth, Readonly<{ berth: number; pilot: string }> | undefined>>()
const sameBerth = world.get(ann, DockedAt(bob))
expectType<Equal<typeof sameBerth, Readonly<{ berth: number; pilot: string }> | undefined>>()
// @ts-expect-error which of its links?
world.get(ann, Likes)
world.set(ann, Likes(bob), { weight: 3 })
world.set(ann, DockedAt, { berth: 4 })
world.set(ann, DockedAt(bob), { berth: 4 })
// @ts-expect-error which of its links?
world.set(ann, Likes, { weight: 3 })
// @ts-expect-error no such field
world.set(ann, Likes(bob), { height: 3 })
world.has(ann, Likes(bob), Likes, ChildOf)
world.remove(ann, Likes(bob), Knows, Position)
world.exchange(ann, [Likes], [Likes(bob, { weight: 1 })])

const targets = world.targets(ann, Likes)
expectType<Equal<typeof targets, EntityArray<ArrayBuffer>>>()
const target = world.target(ann, Knows)
expectType<Equal<typeof target, Entity>>()
world.reorder(ann, ChildOf, { before: bob })
world.reorder(ann, Likes(bob), { before: bob })
// @ts-expect-error among the sources of which target?
world.reorder(ann, Likes, { before: bob })

// ── queries and walks ───────────────────────────────────────────────────────────────────────────────────

world.query(Position, Likes(bob), not(Likes(Human)), Knows).each((e, position, ...rest) => {
  expectType<Equal<typeof position, { x: number }>>()
  // The values of a link are asked for with its target.
  expectType<Equal<typeof rest, []>>()
})
world.query(Position, DockedAt(Human)).each((e, position, docked) => {
  expectType<Equal<typeof docked, { berth: number; pilot: string }>>()
})
for (const chunk of world.query(Position, cascade(ChildOf))) chunk.read(Position).x[0]
// @ts-expect-error no levels where an entity has several targets
cascade(Likes)
depthOf(world, ann, ChildOf)
// @ts-expect-error no depth where an entity has several targets
depthOf(world, ann, Likes)
ancestors(world, ann, Likes)
descendants(world, ann, ChildOf)

// All links of one entity: values are lists for the fields of the relation, and an array that is filled gives a number.
world.setTargets(ann, Likes, [bob, ann], { values: { weight: new Float32Array(2) } })
world.setTargets(ann, Likes, new Uint32Array(2))
const filled = world.targets(ann, Likes, { into: new Uint32Array(4) })
expectType<Equal<typeof filled, number>>()
world.add(ann, Likes(bob), Likes(ann))
// @ts-expect-error there is no such field
world.setTargets(ann, Likes, [bob], { values: { wait: [1] } })
// @ts-expect-error a list is no number
world.setTargets(ann, Likes, bob)
