// Shows what is inferred for object components and listeners, and what does not compile.

/* eslint-disable @typescript-eslint/no-unused-vars -- values are made here for their types alone */

import {
  any,
  component,
  createAccessor,
  createCommands,
  createWorld,
  f32,
  not,
  object,
  objectsOf,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  optional,
  createRemovalReader,
  sparse,
  tag,
  u16,
  type Entity,
  type Removal,
  type RemovalReader,
  type World,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

interface Picture {
  readonly name: string
}

const Position = component('Position', { x: f32 })
const Health = component('Health', { hp: u16 }, { storage: sparse })
const Frozen = tag('Frozen')
const Sprite = object<Picture>('Sprite', {
  init: (value, entity, world) => {
    expectType<Equal<typeof value, Picture>>()
    expectType<Equal<typeof entity, Entity>>()
    expectType<Equal<typeof world, World>>()
  },
  clone: (value) => ({ name: value.name }),
})
const world = createWorld()

const ship = world.spawn(Sprite({ name: 'a' }), Position, Frozen)
const picture = world.get(ship, Sprite)
expectType<Equal<typeof picture, Picture | undefined>>()
world.set(ship, Sprite, { name: 'b' })
world.add(ship, Sprite({ name: 'c' }))
world.exchange(ship, [Sprite], [Sprite({ name: 'c' })])
createCommands(world).set(ship, Sprite, { name: 'd' })
expectType<Equal<ReturnType<typeof world.has>, boolean>>()
world.has(ship, Sprite, Position)

// @ts-expect-error -- the value has a type
Sprite({ title: 'a' })
// @ts-expect-error -- there is no default
Sprite()
// @ts-expect-error -- the whole value is replaced
world.set(ship, Sprite, {})
// @ts-expect-error -- there are no fields to point at
createAccessor(world, Sprite)

for (const chunk of world.query(Position, Sprite, optional(Health))) {
  const pictures = chunk.objects(Sprite)
  expectType<Equal<typeof pictures, readonly Picture[]>>()
  // @ts-expect-error -- no columns
  chunk.read(Sprite)
  // @ts-expect-error -- no cursor
  chunk.cursor(Sprite)
  // @ts-expect-error -- not an object component
  chunk.objects(Position)
}
for (const chunk of world.query(Position, optional(Sprite))) {
  const pictures = chunk.objects(Sprite)
  expectType<Equal<typeof pictures, readonly (Picture | undefined)[] | undefined>>()
}
for (const chunk of world.query(Position, not(Sprite))) {
  // @ts-expect-error -- excluded
  chunk.objects(Sprite)
}
world.query(Sprite, Position, Frozen, optional(Health)).each((entity, sprite, position, health) => {
  expectType<Equal<typeof sprite, Picture>>()
  expectType<Equal<typeof position, { x: number }>>()
  expectType<Equal<typeof health, { hp: number } | undefined>>()
})
world.query(any(Sprite, Frozen), optional(Sprite)).each((entity, first) => {
  expectType<Equal<typeof first, Picture | undefined>>()
})
for (const [entity, value] of objectsOf(world, Sprite)) {
  expectType<Equal<typeof entity, Entity>>()
  expectType<Equal<typeof value, Picture>>()
}
// @ts-expect-error -- only object components have values to walk
objectsOf(world, Position)

const stop = onAdd(world, Sprite, (entity, given) => {
  expectType<Equal<typeof entity, Entity>>()
  expectType<Equal<typeof given, World>>()
})
expectType<Equal<typeof stop, () => void>>()
onRemove(world, Frozen, () => {})
onSet(world, Health, () => {})
onAdd(world, Health, () => {}, { existing: true })
onEnter(world.query(Position, not(Frozen)), (entity) => world.has(entity, Position), { existing: true })
onExit(world.query(), () => {})
const lost: RemovalReader = createRemovalReader(world, Sprite)
expectType<Equal<ReturnType<typeof lost.read>, readonly Removal[]>>()
for (const { entity, died } of lost.read()) {
  expectType<Equal<typeof entity, Entity>>()
  expectType<Equal<typeof died, boolean>>()
}
// @ts-expect-error -- a component, not its name
createRemovalReader(world, 'Sprite')
// @ts-expect-error -- a query is made by world.query
onEnter(Position, () => {})

// With `before`, a listener gets the values before.
onSet(
  world,
  Position,
  (entity, before, same) => {
    expectType<Equal<typeof before, { x: number } | undefined>>()
    expectType<Equal<typeof same, typeof world>>()
    void entity
  },
  { before: true },
)
onSet(world, Sprite, (_, before) => void before?.name, { before: true })

// Several components are set with their values, not by their names.
world.set(ship, Position({ x: 1 }), Health({ hp: 2 }), Sprite({ name: 'b' }))
// @ts-expect-error a component without values sets nothing
world.set(ship, Position({ x: 1 }), Health)
