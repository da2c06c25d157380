// Shows that runs of kernels leave no garbage, by the median of many frames. Only over the release core: the guard of the checked
// core records what lies around rows and resources.

import { expect, it } from 'vitest'
import { component, createKernel, f32, resource, spawnMany, u32, vec } from '../../bindings/index'
import { kernelsOf } from '../support/kernels'
import { testWorld } from '../support/world'

const kernels = await kernelsOf(`
export function increase(rows: Rows, n: Column<u32>): void {
  for (let i = rows.start; i < rows.end; i++) n[i] += 1
}
export function mix(rows: Rows, n: Column<u32>, x: Column<f32>, y: ReadonlyColumn<f32>, salt: u32): Count {
  for (let i = rows.start; i < rows.end; i++) {
    n[i] += salt
    x[i] += y[i]
  }
  return rows.end
}
export function sow(rows: Rows, n: ReadonlyColumn<u32>, cells: Resource<f32>): void {
  for (let i = rows.start; i < rows.end; i++) cells[n[i] & 7] += 1
}
export function fade(cells: Resource<f32>, last: u32): void {
  for (let k: u32 = 0; k < last; k++) cells[k] *= 0.5
}`)

const Agent = component('Agent', { n: u32, x: f32 })
const Extra = component('Extra', { y: f32 })
const Cells = resource('Cells', { value: vec(f32, 8) })

/** Asking for the bytes in use leaves some objects itself. One number for each run would be 16 bytes for each of them. */
const MOST_BYTES = 4_000
const RUNS = 500

/** The bytes that a frame leaves, once V8 has compiled it. */
function bytesLeftBy(frame: () => void): number {
  for (let i = 0; i < 100; i++) frame()
  const left = Array.from({ length: 101 }, () => {
    const before = process.memoryUsage().heapUsed
    frame()
    return process.memoryUsage().heapUsed - before
  })
  return left.sort((a, b) => a - b)[50] as number
}

it('A run over chunks leaves no garbage', () => {
  const world = testWorld()
  spawnMany(world, 20_000, [Agent, Extra])
  const query = world.query(Agent, Extra)
  const step = createKernel(world, kernels.increase, { n: [Agent, 'n'] })
  const some = query.where(Agent, 'n', '>', 3)
  const mixed = createKernel(world, kernels.mix, { n: [Agent, 'n'], x: [Agent, 'x'], y: [Extra, 'y'] })
  const [none, scalars] = [{}, { salt: 1 }]
  const frame = () => {
    for (let i = 0; i < RUNS; i += 2) {
      query.run(step, none)
      some.run(mixed, scalars)
    }
  }
  expect(bytesLeftBy(frame)).toBeLessThan(MOST_BYTES)
})

it('A run with resources leaves no garbage', () => {
  const world = testWorld()
  spawnMany(world, 100, [Agent])
  const query = world.query(Agent)
  const fade = createKernel(world, kernels.fade, { cells: [Cells, 'value'] })
  const sow = createKernel(world, kernels.sow, { n: [Agent, 'n'], cells: [Cells, 'value'] })
  const [none, scalars] = [{}, { last: 8 }]
  const frame = () => {
    for (let i = 0; i < RUNS; i += 2) {
      fade.run(scalars)
      query.run(sow, none)
    }
  }
  expect(bytesLeftBy(frame)).toBeLessThan(MOST_BYTES)
})

it('One object for each run would be noticed', () => {
  // Each dies with the next: V8 moves what lives on to where its bytes are counted by the page.
  const last: object[] = []
  const frame = () => {
    for (let i = 0; i < RUNS; i++) last[0] = { i }
  }
  expect(bytesLeftBy(frame)).toBeGreaterThan(MOST_BYTES)
})
