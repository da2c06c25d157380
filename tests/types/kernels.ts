// Shows what is inferred of kernels, their columns, resources, scalars and results, and what does not compile.

/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type --
   values are made here for their types alone; {} is what the compiler writes */

import {
  bool,
  cascade,
  component,
  createKernel,
  createWorld,
  entity,
  f32,
  f64,
  kernelRuntime,
  relation,
  resource,
  sparse,
  tag,
  text,
  u32,
  u8,
  vec,
  type BoundKernel,
  type Kernel,
  type KernelDescription,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32, y: f32 })
const Mass = component('Mass', { kg: f64, count: u32, near: entity, flags: u8, on: bool })
const Bone = component('Bone', { m: vec(f32, 16), one: vec(f32, 1) }, { storage: sparse })
const Name = component('Name', { value: text })
const Frozen = tag('Frozen')
const Ground = resource('Ground', {
  cells: vec(f32, 4000),
  time: f32,
  wide: f64,
  who: vec(entity, 3),
  name: text,
})
const Settings = resource<{ level: number }>('Settings')
const world = createWorld()
const query = world.query(Position, Mass)

// ── as generated declarations state them ─────────────────────────────────────────────────────────────────

declare const move: Kernel<{ px: 'f32'; kg: 'f64' }, { dt: number; on: boolean }, void>
declare const rotate: Kernel<{ m: ['f32', 16] }, {}, void>
declare const total: Kernel<{ kg: 'f64' }, {}, number>
declare const link: Kernel<{ who: 'entity'; n: 'u32'; flags: 'u8'; on: 'bool'; name: 'text' }, {}, void>
declare const tick: Kernel<{}, { n: number }, number>

const step = createKernel(world, move, { px: [Position, 'x'], kg: [Mass, 'kg'] })
expectType<Equal<typeof step, BoundKernel<{ dt: number; on: boolean }, void>>>()
query.run(step, { dt: 1, on: true })
const sum = createKernel(world, total, { kg: [Mass, 'kg'] })
const found = query.run(sum)
expectType<Equal<typeof found, number>>()
query.run(sum, {})
const nothing = query.where(Position, 'x', '>', 1).run(step, { dt: 1, on: false })
expectType<Equal<typeof nothing, void>>()
createKernel(world, rotate, { m: [Bone, 'm'] })
createKernel(world, link, {
  who: [Mass, 'near'],
  n: [Mass, 'count'],
  flags: [Mass, 'flags'],
  on: [Mass, 'on'],
  name: [Name, 'value'],
})
query.run(createKernel(world, tick, {}), { n: 1 })
// A vec of one value lies in memory like the value.
createKernel(world, move, { px: [Bone, 'one'], kg: [Mass, 'kg'] })

// @ts-expect-error the parameter kg has no column
createKernel(world, move, { px: [Position, 'x'] })
// @ts-expect-error there is no such parameter
createKernel(world, move, { px: [Position, 'x'], kg: [Mass, 'kg'], vx: [Position, 'y'] })
// @ts-expect-error a scalar is no column
createKernel(world, move, { px: [Position, 'x'], kg: [Mass, 'kg'], dt: [Position, 'y'] })
// @ts-expect-error f64 where f32 is wanted
createKernel(world, move, { px: [Mass, 'kg'], kg: [Mass, 'kg'] })
// @ts-expect-error no such field
createKernel(world, move, { px: [Position, 'z'], kg: [Mass, 'kg'] })
// @ts-expect-error a column is a component and a field
createKernel(world, move, { px: Position, kg: [Mass, 'kg'] })
// @ts-expect-error a tag has no columns
createKernel(world, total, { kg: [Frozen, 'kg'] })
// @ts-expect-error one value where a vec is wanted
createKernel(world, rotate, { m: [Position, 'x'] })
// @ts-expect-error handles where numbers are wanted
createKernel(world, tickOf<'u32'>(), { n: [Mass, 'near'] })
// @ts-expect-error numbers where handles are wanted
createKernel(world, tickOf<'entity'>(), { n: [Mass, 'count'] })
// @ts-expect-error numbers where booleans are wanted
createKernel(world, tickOf<'bool'>(), { n: [Mass, 'flags'] })
declare function tickOf<K extends 'u32' | 'entity' | 'bool'>(): Kernel<{ n: K }, {}, void>

// @ts-expect-error the scalars are missing
query.run(step)
// @ts-expect-error one of them is missing
query.run(step, { dt: 1 })
// @ts-expect-error of another type
query.run(step, { dt: 1, on: 1 })
// @ts-expect-error no such scalar
query.run(step, { dt: 1, on: true, dx: 1 })
// @ts-expect-error it takes none
query.run(sum, { dt: 1 })
// @ts-expect-error bound to no columns yet
query.run(move, { dt: 1, on: true })

// ── with resources, and without rows ─────────────────────────────────────────────────────────────────────

declare const steer: Kernel<{ px: 'f32'; cells: { resource: 'f32' } }, { dt: number }, void>
declare const blur: Kernel<{ cells: { resource: 'f32' } }, { share: number }, void, false>
declare const weigh: Kernel<{ who: { resource: 'entity' }; name: { resource: 'text' } }, {}, number, false>

const steering = createKernel(world, steer, { px: [Position, 'x'], cells: [Ground, 'cells'] })
expectType<Equal<typeof steering, BoundKernel<{ dt: number }, void>>>()
query.run(steering, { dt: 1 })
// A field of one value fits, too.
const blurring = createKernel(world, blur, { cells: [Ground, 'time'] })
expectType<Equal<typeof blurring, BoundKernel<{ share: number }, void, false>>>()
const blurred = blurring.run({ share: 1 })
expectType<Equal<typeof blurred, void>>()
const weight = createKernel(world, weigh, { who: [Ground, 'who'], name: [Ground, 'name'] }).run()
expectType<Equal<typeof weight, number>>()

// @ts-expect-error no rows
query.run(blurring, { share: 1 })
// @ts-expect-error rows
steering.run({ dt: 1 })
// @ts-expect-error the scalars are missing
blurring.run()
// @ts-expect-error no such scalar
blurring.run({ dt: 1 })
// @ts-expect-error the resource is missing
createKernel(world, steer, { px: [Position, 'x'] })
// @ts-expect-error a component where a resource is wanted
createKernel(world, blur, { cells: [Position, 'x'] })
// @ts-expect-error a resource where a component is wanted
createKernel(world, steer, { px: [Ground, 'time'], cells: [Ground, 'cells'] })
// @ts-expect-error f64 where f32 is wanted
createKernel(world, blur, { cells: [Ground, 'wide'] })
// @ts-expect-error handles where texts are wanted
createKernel(world, weigh, { who: [Ground, 'who'], name: [Ground, 'who'] })
// @ts-expect-error no such field
createKernel(world, blur, { cells: [Ground, 'cell'] })
// @ts-expect-error a JavaScript value has no fields
createKernel(world, blur, { cells: [Settings, 'level'] })

// ── imported from its source, as an editor sees it ───────────────────────────────────────────────────────

declare class Rows {
  readonly start: number
  readonly end: number
}
declare class Column<T> {
  [row: number]: T
}
declare class Resource<T> {
  [k: number]: T
}
declare function steerSource(rows: Rows, px: Column<number>, cells: Resource<number>, dt: number): void
declare function blurSource(cells: Resource<number>, share: number): void
declare function weighSource(cells: Resource<number>): number
declare function source(rows: Rows, px: Column<number>, dt: number, on: boolean): void
declare function plain(rows: Rows, px: Column<number>): number

const loose = createKernel(world, source, { px: [Position, 'x'] })
query.run(loose, { dt: 1, on: true })
const looseSum = query.run(createKernel(world, plain, { px: [Mass, 'kg'] }))
expectType<Equal<typeof looseSum, number>>()
// @ts-expect-error the scalars are missing
query.run(loose)
// @ts-expect-error scalars are numbers and booleans
query.run(loose, { dt: '1' })
// @ts-expect-error no such field
createKernel(world, source, { px: [Position, 'z'] })
// @ts-expect-error a column is a component and a field
createKernel(world, source, { px: 'x' })
// @ts-expect-error not a kernel
createKernel(world, Position, { px: [Position, 'x'] })

const looseSteering = createKernel(world, steerSource, { px: [Position, 'x'], cells: [Ground, 'cells'] })
query.run(looseSteering, { dt: 1 })
const looseBlurring = createKernel(world, blurSource, { cells: [Ground, 'cells'] })
looseBlurring.run({ share: 1 })
const looseWeight = createKernel(world, weighSource, { cells: [Ground, 'cells'] }).run()
expectType<Equal<typeof looseWeight, number>>()
// @ts-expect-error no rows
query.run(looseBlurring, { share: 1 })
// @ts-expect-error rows
looseSteering.run({ dt: 1 })
// @ts-expect-error no such field
createKernel(world, blurSource, { cells: [Ground, 'cell'] })
// @ts-expect-error the scalars are missing
looseBlurring.run()

// ── without declarations ─────────────────────────────────────────────────────────────────────────────────

declare const bare: KernelDescription
// @ts-expect-error it comes without what runs it
createKernel(world, bare, { px: [Position, 'x'], m: [Bone, 'm'] })
const described = { ...bare, runtime: kernelRuntime }
const any = createKernel(world, described, { px: [Position, 'x'], m: [Bone, 'm'] })
query.run(any, { dt: 1 })
createKernel(world, described, { cells: [Ground, 'cells'] }).run({ dt: 1 })
declare const untyped: any
createKernel(world, untyped, { cells: [Ground, 'cells'] }).run({ dt: 1 })
query.run(createKernel(world, untyped, { px: [Position, 'x'] }), { dt: 1 })

// ── parents ──────────────────────────────────────────────────────────────────────────────────────────────

declare const place: Kernel<{ m: ['f32', 16]; parent: { parent: 'f32' } }, {}, void>
const ChildOf = relation('ChildOf', { exclusive: true })
const Likes = relation('Likes')

const placed = createKernel(world, place, { m: [Bone, 'm'], parent: [ChildOf, Bone, 'm'] })
world.query(Bone, cascade(ChildOf)).run(placed)
// One value or a vec, as with resources.
createKernel(world, place, { m: [Bone, 'm'], parent: [ChildOf, Position, 'x'] })

// @ts-expect-error a column of parents needs a relation
createKernel(world, place, { m: [Bone, 'm'], parent: [Bone, 'm'] })
// @ts-expect-error a column of its own needs none
createKernel(world, place, { m: [ChildOf, Bone, 'm'], parent: [ChildOf, Bone, 'm'] })
// @ts-expect-error no such field
createKernel(world, place, { m: [Bone, 'm'], parent: [ChildOf, Bone, 'n'] })
// @ts-expect-error f64 where f32 is wanted
createKernel(world, place, { m: [Bone, 'm'], parent: [ChildOf, Mass, 'kg'] })
// @ts-expect-error a relation with one target
createKernel(world, place, { m: [Bone, 'm'], parent: [Likes, Bone, 'm'] })
