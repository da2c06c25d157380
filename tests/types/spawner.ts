// Shows what is inferred of a prepared spawn and of one field of an accessor, and what does not compile.

/* eslint-disable @typescript-eslint/no-unused-vars -- values are made here for their types alone */

import {
  bool,
  component,
  createAccessor,
  createSpawner,
  createWorld,
  entity,
  f32,
  object,
  relation,
  sparse,
  tag,
  text,
  u8,
  vec,
  type Entity,
  type FieldAccessor,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32, y: f32 })
const Body = component(
  'Body',
  { on: bool, name: text, at: vec(f32, 3), who: entity, hp: u8 },
  { storage: sparse },
)
const Frozen = tag('Frozen')
const Sprite = object<Date>('Sprite')
const ChildOf = relation('ChildOf', { exclusive: true })
const Likes = relation('Likes', { weight: f32 })
const world = createWorld()
const base = world.spawn()

// ── a prepared spawn ─────────────────────────────────────────────────────────────────────────────────────

const ship = createSpawner(world, [Position, 'x', 'y'], Frozen, [Body, 'hp', 'on', 'name', 'who'])
expectType<Equal<Parameters<typeof ship>, [number, number, number, boolean, string, Entity]>>()
expectType<Equal<ReturnType<typeof ship>, Entity>>()
ship(1, 2, 3, true, 'Argo', base)
createSpawner(world, [Body, 'at'])([1, 2, 3])
const rock = createSpawner(world, Position({ x: 1 }), Frozen, ChildOf(base), Sprite(new Date()))
expectType<Equal<Parameters<typeof rock>, []>>()
const picture = createSpawner(world, [Sprite, 'value'], [Likes, 'target', 'weight'])
expectType<Equal<Parameters<typeof picture>, [Date, Entity | number, number]>>()

// @ts-expect-error a value too few
ship(1, 2, 3, true, 'Argo')
// @ts-expect-error a string for a number
ship('1', 2, 3, true, 'Argo', base)
// @ts-expect-error no such field
createSpawner(world, [Position, 'z'])
// @ts-expect-error a tag has no fields
createSpawner(world, [Frozen, 'x'])
// @ts-expect-error an object component has no default
createSpawner(world, Sprite)
// @ts-expect-error a relation needs its target
createSpawner(world, ChildOf)
// @ts-expect-error no component
createSpawner(world, 'Position')

// ── one field ────────────────────────────────────────────────────────────────────────────────────────────

const x = createAccessor(world, Position, 'x')
expectType<Equal<typeof x, FieldAccessor<number>>>()
const who = createAccessor(world, Body, 'who')
expectType<Equal<ReturnType<typeof who.get>, Entity>>()
x.set(base, x.get(base) + 1)
// @ts-expect-error no such field
createAccessor(world, Position, 'z')
// @ts-expect-error a boolean for a number
x.set(base, true)
