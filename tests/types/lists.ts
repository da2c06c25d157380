// Shows what calls that give or take lists accept and return.

/* eslint-disable @typescript-eslint/no-unused-vars --
   values are made here for their types alone */

import {
  addMany,
  bool,
  component,
  createWorld,
  entity,
  f32,
  object,
  removeMany,
  setMany,
  cloneMany,
  spawnMany,
  tag,
  text,
  vec,
  type ComponentLike,
  type EntityArray,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32, at: vec(f32, 2), name: text, on: bool, who: entity })
const Frozen = tag('Frozen')
const Mesh = object<{ readonly id: number }>('Mesh')
const world = createWorld()
const ship = world.spawn(Position)
const ships = spawnMany(world, 3, [Position])

// ── what there is ────────────────────────────────────────────────────────────────────────────────────────

const found = world.componentsOf(ship)
const named = world.componentByName('Position')
expectType<Equal<typeof found, ComponentLike[]>>()
expectType<Equal<typeof named, ComponentLike | undefined>>()
for (const each of world.components()) world.has(ship, each)

// ── lists of handles ─────────────────────────────────────────────────────────────────────────────────────

const count = addMany(world, ships, Frozen, Position({ x: 1 }))
expectType<Equal<typeof count, number>>()
addMany(world, [ship], Frozen)
removeMany(world, ships, Frozen, Mesh)
setMany(world, ships, Position, { x: new Float32Array(3), at: [1, 2, 3, 4, 5, 6], name: ['a', 'b', 'c'] })
setMany(world, [ship], Position, { on: [true], who: ships })
const copies = cloneMany(world, ship, 2, Position({ x: 1 }), Frozen)
expectType<Equal<typeof copies, EntityArray<ArrayBuffer>>>()
// @ts-expect-error entities cannot share the value of an object component
addMany(world, ships, Mesh({ id: 1 }))
// @ts-expect-error entities cannot share the value of an object component
cloneMany(world, ship, 2, Mesh({ id: 1 }))
// @ts-expect-error there is no field z
setMany(world, ships, Position, { z: [1] })
// @ts-expect-error a tag has no fields
setMany(world, ships, Frozen, {})
// @ts-expect-error texts are no numbers
setMany(world, ships, Position, { x: ['1'] })
