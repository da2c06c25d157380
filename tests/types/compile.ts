// Shows what is inferred of compiled loops: what the body receives, what a run takes and returns, and what does not compile.

import {
  type Entity,
  NULL_ENTITY,
  bool,
  component,
  createWorld,
  entity,
  f32,
  i32,
  optional,
  resource,
  tag,
  u8,
  vec,
} from 'strata-ecs'
import { type CompiledLoop, type LoopValues, compile, read } from 'strata-ecs/compile'
import { random } from 'strata-ecs/kernel'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Flags = component('Flags', { on: bool, level: u8, bones: vec(f32, 4), who: entity })
const Time = resource('Time', { dt: f32 })
const Frozen = tag('Frozen')
const world = createWorld()
const moving = world.query(Position, Velocity)

const move = compile([Position, read(Velocity)], { dt: f32 }, (position, velocity, { dt }) => {
  expectType<Equal<typeof position.x, number>>()
  expectType<Equal<typeof dt, number>>()
  position.x += velocity.x * dt
  // @ts-expect-error -- it is only read
  velocity.x = 1
  // @ts-expect-error -- no such field
  position.z = 1
})
expectType<Equal<typeof move.mode, 'compiled' | 'javascript'>>()
expectType<Equal<typeof move.reason, string | undefined>>()
moving.run(move, { dt: 1 })
// @ts-expect-error -- dt comes with each run
moving.run(move)
// @ts-expect-error -- it is a number
moving.run(move, { dt: 'soon' })
// @ts-expect-error -- there is no such value
moving.run(move, { dt: 1, gravity: 2 })
// @ts-expect-error -- it takes rows
move.run({ dt: 1 })

compile(
  [Flags, optional(Position), entity],
  { on: bool, who: entity, WALL: 100, YES: true, NULL_ENTITY, time: Time, random, step: i32 },
  (flags, position, self, values) => {
    expectType<Equal<typeof flags.on, boolean>>()
    expectType<Equal<typeof flags.level, number>>()
    expectType<Equal<typeof flags.who, Entity>>()
    expectType<Equal<typeof self, Entity>>()
    expectType<Equal<typeof values.on, boolean>>()
    expectType<Equal<typeof values.who, Entity>>()
    expectType<Equal<typeof values.WALL, number>>()
    expectType<Equal<typeof values.YES, boolean>>()
    expectType<Equal<typeof values.time.dt, number>>()
    expectType<Equal<typeof values.step, number>>()
    flags.bones[0] = values.random(self, values.step)
    // @ts-expect-error -- an entity may lack it
    position.x = 1
    if (position) position.x = 1
    // @ts-expect-error -- a resource is only read
    values.time.dt = 1
  },
)

const sum = compile([Position], (position) => position.x, { result: 'sum' })
const total: number = moving.run(sum)
void total
const count: number = moving.run(
  compile([Position], { least: f32 }, (position, { least }) => position.x > least, { result: 'count' }),
  { least: 2 },
)
void count
// @ts-expect-error -- a sum is of numbers
compile([Position], (position) => position.x > 0, { result: 'sum' })
// @ts-expect-error -- a loop without a result returns nothing
const nothing: number = moving.run(compile([Position], (position) => void (position.x = 1)))
void nothing

const loop: CompiledLoop = compile([Position], (position) => void (position.x = 1), { mode: 'javascript' })
moving.run(loop)
// @ts-expect-error -- a tag has no fields
compile([Frozen], () => {})
// @ts-expect-error -- no text comes with a run
compile([Position], { name: 'Ann' }, () => {})
// @ts-expect-error -- no number of that kind comes with a run
compile([Position], { level: u8 }, () => {})
// @ts-expect-error -- a component is no value
compile([Position], { Velocity }, () => {})
// A function in place takes what it is called with.
compile([Position], { twice: (x) => x * 2 }, (position, { twice }) => void (position.x = Number(twice(2))))
const given: LoopValues = { dt: f32 }
compile([Position], given, () => {})
// @ts-expect-error -- there is no such form
compile([Position], () => {}, { mode: 'wasm' })
