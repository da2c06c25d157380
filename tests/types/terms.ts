// Shows what is inferred from terms of several components and from groups of alternatives, and what does not compile among terms
// and conditions.

/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-unused-expressions --
   values are made here for their types alone */

import {
  added,
  all,
  any,
  bool,
  changed,
  component,
  createWorld,
  entity,
  f32,
  not,
  object,
  optional,
  present,
  sparse,
  tag,
  text,
  u16,
  vec,
  type Entity,
  type Query,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Scale = component('Scale', { value: f32 })
const Health = component('Health', { hp: u16, fresh: bool }, { storage: sparse })
const Shield = component('Shield', { hp: u16, fresh: bool }, { storage: sparse })
const Label = component('Label', { title: text, owner: entity, m: vec(f32, 2) })
const Frozen = tag('Frozen')
const Sprite = object<{ readonly id: string }>('Sprite')
const world = createWorld()

// ── several components ───────────────────────────────────────────────────────────────────────────────────

world.query(changed(Position, Velocity), not(Frozen, Health)).each((e, p, v, ...rest) => {
  expectType<Equal<typeof p, { x: number; y: number }>>()
  expectType<Equal<typeof v, { x: number; y: number }>>()
  expectType<Equal<typeof rest, []>>()
})
world
  .query(Velocity, added(Position, Velocity), optional(Scale, Sprite, Frozen))
  .each((e, v, p, s, sprite, ...rest) => {
    expectType<Equal<typeof p.x, number>>()
    expectType<Equal<typeof s, { value: number } | undefined>>()
    expectType<Equal<typeof sprite, { readonly id: string } | undefined>>()
    expectType<Equal<typeof rest, []>>()
  })
for (const chunk of world.query(changed(Position, Velocity), optional(Scale, Health))) {
  chunk.write(Position).x[0] = 1
  chunk.write(Velocity).x[0] = 1
  const scale = chunk.read(Scale)?.value[0]
  expectType<Equal<typeof scale, number | undefined>>()
  chunk.cursor(Health).at(0)?.hp
  // @ts-expect-error may be undefined
  chunk.read(Scale).value
}
for (const chunk of world.query(Position, not(Scale, Velocity))) {
  // @ts-expect-error excluded
  chunk.read(Velocity)
}
// @ts-expect-error none of what
not()
// @ts-expect-error nothing that may be there
optional()
// @ts-expect-error nothing that may have changed
changed()
// @ts-expect-error nothing that may have come
added()
// @ts-expect-error values are no component
not(Position, Velocity({ x: 1 }))

// ── groups of alternatives ───────────────────────────────────────────────────────────────────────────────

world.query(any(Position, Velocity), any(Velocity, Scale)).each((e, p, v, s, ...rest) => {
  expectType<Equal<typeof v, { x: number; y: number } | undefined>>()
  expectType<Equal<typeof s, { value: number } | undefined>>()
  expectType<Equal<typeof rest, []>>()
})
world.query(any(not(Position), Velocity)).each((e, v, ...rest) => {
  expectType<Equal<typeof v, { x: number; y: number } | undefined>>()
  expectType<Equal<typeof rest, []>>()
})
for (const chunk of world.query(any(not(Position), Velocity))) {
  chunk.read(Velocity)?.x
  // @ts-expect-error may be absent, and its values are not asked for
  chunk.read(Position)
}
world.query(Position, not(any(Velocity, Frozen), Scale)).each((e, p, ...rest) => {
  expectType<Equal<typeof rest, []>>()
})
// @ts-expect-error an alternative is there or absent
any(optional(Position), Scale)
// @ts-expect-error denied twice
not(not(Position))

// ── terms inside of each other ───────────────────────────────────────────────────────────────────────────

world
  .query(any(all(Position, Health), all(not(Velocity), any(Scale, Frozen))))
  .each((e, p, h, s, ...rest) => {
    expectType<Equal<typeof p, { x: number; y: number } | undefined>>()
    expectType<Equal<typeof h, { hp: number; fresh: boolean } | undefined>>()
    expectType<Equal<typeof s, { value: number } | undefined>>()
    expectType<Equal<typeof rest, []>>()
  })
for (const chunk of world.query(any(all(Position, Frozen), not(Scale)))) {
  const x = chunk.read(Position)?.x[0]
  expectType<Equal<typeof x, number | undefined>>()
  // @ts-expect-error may be absent
  chunk.read(Position).x
  // @ts-expect-error inside of a not
  chunk.read(Scale)
}
world.query(any(all(Position, Velocity), all(Position, Scale))).each((e, p, v, s, ...rest) => {
  expectType<Equal<typeof rest, []>>()
})
for (const chunk of world.query(all(Position, any(Velocity, Scale)), not(all(Frozen, Sprite)))) {
  chunk.write(Position).x[0] = 1
  chunk.read(Velocity)?.x
  // @ts-expect-error one of two
  chunk.read(Velocity).x
}
world.query(all(Position, any(Velocity, Health)), changed(Position)).each((e, p, v, h, ...rest) => {
  expectType<Equal<typeof p, { x: number; y: number }>>()
  expectType<Equal<typeof v, { x: number; y: number } | undefined>>()
  expectType<Equal<typeof rest, []>>()
})
world
  .query(present(Position, Frozen), not(present(Scale)), any(present(Velocity), Health))
  .each((e, p, v, h, ...rest) => {
    expectType<Equal<typeof p, { x: number; y: number }>>()
    expectType<Equal<typeof v, { x: number; y: number } | undefined>>()
    expectType<Equal<typeof rest, []>>()
  })
for (const chunk of world.query(present(Position))) chunk.write(Position).x[0] = 1
not(any(not(Position), Velocity))
any(not(Position, Velocity), Scale)
// @ts-expect-error no alternative
any(all(optional(Position)), Scale)
// @ts-expect-error nothing to hold
all()
// @ts-expect-error nothing to be there
present()
// @ts-expect-error components only
present(any(Position, Velocity))

// ── what changed, without what is new ────────────────────────────────────────────────────────────────────

world.query(changed(Position, Health, { added: false }), Velocity).each((e, p, h, v, ...rest) => {
  expectType<Equal<typeof p, { x: number; y: number }>>()
  expectType<Equal<typeof h, { hp: number; fresh: boolean }>>()
  expectType<Equal<typeof v, { x: number; y: number }>>()
  expectType<Equal<typeof rest, []>>()
})
// @ts-expect-error true or false
changed(Position, { added: 1 })
// @ts-expect-error no such option
changed(Position, { changed: false })
// @ts-expect-error nothing that may have changed
changed({ added: false })

// ── components with the same fields ──────────────────────────────────────────────────────────────────────

for (const chunk of world.query(Position)) {
  // @ts-expect-error not in the query, though its fields are the same
  chunk.write(Velocity)
}
for (const chunk of world.query(Health, Shield)) {
  // @ts-expect-error of several sparse components none is a column
  chunk.read(Health)
}
expectType<Equal<(typeof Position)['componentName'], 'Position'>>()

// ── where ────────────────────────────────────────────────────────────────────────────────────────────────

const moving = world.query(Position, optional(Label), Health)
const narrowed = moving.where(Position, 'y', '<', 1)
expectType<Equal<typeof narrowed, typeof moving>>()
narrowed.where(Position, 'x', '>', 1).where(Health, 'fresh', '==', true).where(Label, 'title', '!=', 'Ada')
moving.where(Label, 'owner', '==', 5)
// @ts-expect-error no such field
moving.where(Position, 'z', '>', 1)
// @ts-expect-error compared with a number
moving.where(Position, 'x', '>', 'a')
// @ts-expect-error compared with a number
moving.where(Position, 'x', '==', true)
// @ts-expect-error compared with true or false
moving.where(Health, 'fresh', '==', 1)
// @ts-expect-error compared with a string
moving.where(Label, 'title', '==', 1)
// @ts-expect-error texts have no order
moving.where(Label, 'title', '<', 'b')
// @ts-expect-error several values a row
moving.where(Label, 'm', '==', 1)
// @ts-expect-error no such comparison
moving.where(Position, 'x', '=', 1)
// @ts-expect-error not in the query
moving.where(Scale, 'value', '>', 1)
// @ts-expect-error not in the query, though its fields are the same
moving.where(Velocity, 'x', '>', 1)
// @ts-expect-error no values
world.query(Position, Frozen).where(Frozen, 'x', '>', 1)
// @ts-expect-error excluded
world.query(Position, not(Scale)).where(Scale, 'value', '>', 1)

function among(query: Query, owner: Entity) {
  return query.where(Label, 'owner', '==', owner)
}
among(moving as unknown as Query, 5 as Entity)
