// Shows the names that users give to types of their own: what a component holds, without writing it a second time.

/* eslint-disable @typescript-eslint/no-unused-vars -- values are made here for their types alone */

import {
  component,
  createWorld,
  entity,
  f32,
  object,
  sparse,
  tag,
  text,
  vec,
  type Entity,
  type ValueOf,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32, y: f32 })
const Body = component('Body', { mass: f32, name: text, who: entity, m: vec(f32, 16) }, { storage: sparse })
const Sprite = object<{ name: string }>('Sprite')
const Frozen = tag('Frozen')

expectType<Equal<ValueOf<typeof Position>, { x: number; y: number }>>()
expectType<Equal<ValueOf<typeof Body>, { mass: number; name: string; who: Entity; m: Float32Array }>>()
expectType<Equal<ValueOf<typeof Sprite>, { name: string }>>()
expectType<Equal<ValueOf<typeof Frozen>, never>>()

const world = createWorld()
const position = world.get(world.spawn(Position), Position)
expectType<Equal<typeof position, Readonly<ValueOf<typeof Position>> | undefined>>()
