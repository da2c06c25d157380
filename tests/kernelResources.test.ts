// Owns the proof that a kernel reads and writes the fields of resources where they are now, and that one without rows
// is called once. It must never take a resource's bytes for granted: it looks at them through the world.

import { describe, expect, it } from 'vitest'
import {
  LimitError,
  StrataError,
  type StrataTypeError,
  bool,
  component,
  createSchedule,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  not,
  resource,
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
  type World,
} from '../bindings/index'
import { changeTickOf } from './support/inside'
import { checkInvariants } from './support/invariants'
import { kernelsOf } from './support/kernels'
import { freeBytes, leaveFree } from './support/scarcity'
import { STORAGES } from './support/storages'
import { testWorld } from './support/world'

const CELLS = 4000

const kernels = await kernelsOf(
  `
export function count(rows: Rows, at: ReadonlyColumn<u32>, cells: Resource<f32>): void {
  for (let i = rows.start; i < rows.end; i++) cells[at[i]] += 1
}
export function look(rows: Rows, at: ReadonlyColumn<u32>, cells: ReadonlyResource<f32>, found: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) found[i] = cells[at[i]]
}
export function blur(from: ReadonlyResource<f32>, to: Resource<f32>, last: i32, share: f32): void {
  for (let k = 1; k < last; k++) to[k] = from[k] + (from[k - 1] + from[k + 1]) * share
}
export function add(a: Resource<f32>, b: ReadonlyResource<f32>, n: u32): void {
  for (let k: u32 = 0; k < n; k++) a[k] += b[k] + 1
}
export function kinds(a: Resource<i8>, b: Resource<u8>, c: Resource<i16>, d: Resource<u16>, e: Resource<i32>, f: Resource<u32>,
    g: Resource<f32>, h: Resource<f64>, on: Resource<bool>, who: Resource<Entity>, name: Resource<Text>, me: u32, label: u32): void {
  a[0] -= 1
  b[0] += 1
  c[0] -= 2
  d[0] += 2
  e[0] -= 3
  f[0] += 3
  g[0] += 0.5
  h[0] += 0.25
  on[0] = !on[0]
  who[0] = me
  name[0] = label
}
export function vecs(a: Resource<i8>, b: Resource<u8>, c: Resource<i16>, d: Resource<u16>, e: Resource<i32>, f: Resource<u32>,
    g: Resource<f32>, h: Resource<f64>, on: Resource<bool>, who: Resource<Entity>, last: u32): void {
  for (let k: u32 = 0; k <= last; k++) {
    a[k] = <i8>k
    b[k] = <u8>k
    c[k] = <i16>k
    d[k] = <u16>k
    e[k] = -<i32>k
    f[k] = 0xffffffff - k
    g[k] = <f32>k * 0.5
    h[k] = <f64>k * 0.25
    on[k] = (k & 1) != 0
    who[k] = k
  }
}
export function total(values: ReadonlyResource<f64>, n: i32): Sum<f64> {
  let sum: f64 = 0
  for (let k = 0; k < n; k++) sum += values[k]
  return sum
}
export function least(values: ReadonlyResource<f64>, n: i32): Min<f64> {
  let found: f64 = Infinity
  for (let k = 0; k < n; k++) found = min(found, values[k])
  return found
}
export function greatest(values: ReadonlyResource<f64>, n: i32): Max<f64> {
  let found: f64 = -Infinity
  for (let k = 0; k < n; k++) found = max(found, values[k])
  return found
}
export function positive(values: ReadonlyResource<f64>, n: i32): Count {
  let found: u32 = 0
  for (let k = 0; k < n; k++) if (values[k] > 0) found++
  return found
}
export function tally(rows: Rows, time: Resource<u32>): Count {
  time[0] += rows.end - rows.start
  return time[0]
}
export function trap(time: Resource<u32>): void {
  time[0] += 1
  unreachable()
}
`,
  'ground.kernel.ts',
)

const Agent = component('Agent', { at: u32, found: f32 })
const Ground = resource('Ground', { cells: vec(f32, CELLS) })
const Two = resource('Two', { from: vec(f32, 9), to: vec(f32, 9), other: vec(f64, 3) })
const Time = resource('Time', { dt: f32, ticks: u32 })
const Numbers = resource('Numbers', { list: vec(f64, 5), one: f64 })

function caughtFrom(action: () => unknown): StrataError {
  try {
    action()
  } catch (error) {
    return error as StrataError
  }
  throw new Error('nothing was thrown')
}

/** A world with a thousand agents, a third of them in each of three cells. */
function crowd(options = {}) {
  const world = testWorld(options)
  const C = component('Walker', { at: u32, found: f32 }, options)
  world.spawnMany(1000, [C], (chunk) => {
    const { at } = chunk.write(C)
    for (let i = chunk.start; i < chunk.end; i++) at[i] = (chunk.entities[i]! % 3) * 1999
  })
  return { world, C }
}

/** The descriptor's summary and the component's tick of a resource. */
const tickOf = (world: World, declaration: unknown) => changeTickOf(world, declaration as never)

describe('a kernel over rows', () => {
  it.each(STORAGES)('writes a resource from rows in %s storage, and reads it back', (storage) => {
    const { world, C } = crowd({ storage })
    const query = world.query(C)
    const add = world.kernel(kernels.count, { at: [C, 'at'], cells: [Ground, 'cells'] })
    const read = world.kernel(kernels.look, { at: [C, 'at'], cells: [Ground, 'cells'], found: [C, 'found'] })
    query.run(add, {})
    query.run(read, {})
    const { cells } = world.resource(Ground)
    expect(cells[0]! + cells[1999]! + cells[3998]!).toBe(1000)
    expect(cells.reduce((sum, value) => sum + value)).toBe(1000)
    for (const e of query.entities()) expect(world.get(e, C)!.found).toBe(cells[world.get(e, C)!.at])
    checkInvariants(world)
  })
})
