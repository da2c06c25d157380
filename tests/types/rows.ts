// Shows what is inferred where rows are told apart, by changes, conditions, switches and pages, and what does not compile.

/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-unused-expressions --
   values are made here for their types alone */

import {
  added,
  any,
  bool,
  changed,
  component,
  createWorld,
  disableMany,
  enableMany,
  entity,
  f32,
  not,
  optional,
  sparse,
  tag,
  toggle,
  u16,
  u8,
  vec,
  type Entity,
  type Query,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32, y: f32 }, { trackChanges: 'row' })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Health = component('Health', { hp: u16, fresh: bool }, { storage: sparse, toggle, trackChanges: 'row' })
const Target = component('Target', { who: entity, list: vec(f32, 3) })
const Spin = component('Spin', { angle: f32 })
const Fuse = tag('Fuse', { toggle })
const world = createWorld()
const ship = world.spawn(Position, Health, Fuse)

// ── declarations ─────────────────────────────────────────────────────────────────────────────────────────

expectType<Equal<(typeof Health)['storage'], 'sparse'>>()
expectType<Equal<(typeof Position)['storage'], 'table'>>()
component('X', { x: f32 }, { trackChanges: 'chunk' })
// @ts-expect-error rows or chunks
component('X', { x: f32 }, { trackChanges: 'rows' })
// @ts-expect-error what is imported, and nothing else
component('X', { x: f32 }, { toggle: 'yes' })
tag('X', { trackChanges: 'row' })
// @ts-expect-error a tag is tracked by row, or not at all
tag('X', { trackChanges: 'chunk' })

// ── changed and added ────────────────────────────────────────────────────────────────────────────────────

world.query(changed(Position)).each((e, p, ...rest) => {
  expectType<Equal<typeof e, Entity>>()
  expectType<Equal<typeof p.x, number>>()
  expectType<Equal<typeof rest, []>>()
})
world.query(Position, changed(Position), Velocity).each((e, p, v, ...rest) => {
  expectType<Equal<typeof p, typeof v>>()
  expectType<Equal<typeof rest, []>>()
})
world.query(changed(Health), added(Health), optional(Velocity), not(Fuse)).each((e, h, v, ...rest) => {
  expectType<Equal<typeof h.hp, number>>()
  const x = v?.x
  expectType<Equal<typeof x, number | undefined>>()
  expectType<Equal<typeof rest, []>>()
})
world.query(changed(Health), Position, Health).each((e, p, h, ...rest) => {
  expectType<Equal<typeof p.y, number>>()
  expectType<Equal<typeof h.fresh, boolean>>()
  expectType<Equal<typeof rest, []>>()
})
// @ts-expect-error one cursor for a component, however often it is named
world.query(Position, changed(Position)).each((e, p, q) => q)

for (const chunk of world.query(changed(Position), added(Velocity))) {
  expectType<Equal<typeof p.x, Float32Array>>()
  const p = chunk.write(Position)
  chunk.read(Velocity).x[chunk.start]
  // @ts-expect-error not in the query
  chunk.read(Target)
}
for (const chunk of world.query(changed(Health))) {
  expectType<Equal<typeof h.hp, Uint16Array>>()
  const h = chunk.write(Health)
}
for (const chunk of world.query(Position, changed(Health))) {
  expectType<Equal<ReturnType<typeof h.at>['hp'], number>>()
  const h = chunk.cursor(Health)
  // @ts-expect-error beside a table component a sparse one is a cursor
  chunk.read(Health)
}
// @ts-expect-error values are no component
changed(Position({ x: 1 }))
// @ts-expect-error one component
added()

// ── where ────────────────────────────────────────────────────────────────────────────────────────────────

const query = world.query(Position, optional(Target), any(Health, Fuse), not(Spin))
const filtered = query
  .where(Position, 'x', '>', 1)
  .where(Target, 'who', '==', ship)
  .where(Health, 'fresh', '!=', true)
expectType<Equal<typeof filtered, typeof query>>()
filtered.each((e, p) => {
  p.x += 1
})
// @ts-expect-error no such field
query.where(Position, 'z', '>', 1)
// @ts-expect-error no such comparison
query.where(Position, 'x', '=', 1)
// @ts-expect-error a number is compared with a number
query.where(Position, 'x', '>', '1')
// @ts-expect-error a boolean is compared with a boolean
query.where(Health, 'fresh', '==', 1)
// @ts-expect-error a field of another component
query.where(Health, 'x', '==', 1)
// @ts-expect-error an excluded component has no values
query.where(Spin, 'angle', '==', 1)
// @ts-expect-error not in the query
world.query(Position).where(Health, 'hp', '==', 1)
// @ts-expect-error a tag has no fields
query.where(Fuse, 'x', '==', 1)
world.query(changed(Position)).where(Position, 'x', '<', 1)

// ── switches ─────────────────────────────────────────────────────────────────────────────────────────────

expectType<Equal<ReturnType<typeof world.enable>, boolean>>()
expectType<Equal<ReturnType<typeof world.disable>, boolean>>()
expectType<Equal<ReturnType<typeof world.isEnabled>, boolean>>()
world.disable(ship, Health)
world.enable(ship, Fuse)
// @ts-expect-error a component, not its values
world.disable(ship, Health({ hp: 1 }))
// @ts-expect-error a handle first
world.disable(Health, ship)
expectType<Equal<ReturnType<typeof enableMany>, number>>()
disableMany(query, Fuse)
// @ts-expect-error a component, not its values
disableMany(query, Health({ hp: 1 }))

// ── places, pages, parts ─────────────────────────────────────────────────────────────────────────────────

const third = query.at(3)
expectType<Equal<typeof third, Entity | undefined>>()
const page = query.slice(0, 10)
expectType<Equal<typeof page, typeof query>>()
const part = query.partition(0, 4)
expectType<Equal<typeof part, typeof query>>()
expectType<Equal<typeof query.version, number>>()
const kept: Query = world.query() as unknown as Query
expectType<Equal<ReturnType<typeof query.slice>, typeof query>>()
// @ts-expect-error a start at least
query.slice()
expectType<Equal<ReturnType<typeof world.setIfDifferent>, boolean>>()
world.setIfDifferent(ship, Position, { x: 1 })
// @ts-expect-error no such field
world.setIfDifferent(ship, Position, { z: 1 })
