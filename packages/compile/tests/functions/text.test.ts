// Shows that nothing of the library is left in a compiled kernel: a read is one load, a write is one store, and all else is
// arithmetic.

import { beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../../../tests/support/compiled'

// What is left of the library in the module: nothing. A read is one load, a write one store, all else is arithmetic.
const SOURCE = `
import { Column, Count, Entities, Lanes, Min, ReadonlyColumn, ReadonlyResource, ReadonlyVec16Column, Resource, Rows, Sum, Vec3Column } from './assembly/kernel'
import { loadLanes, rampLanes, sin, storeLanes, storeLanesWhere, sumLanes, randomFloat } from './assembly/kernel'

export function move(rows: Rows, px: Column<f32>, py: Column<f32>, vx: ReadonlyColumn<f32>, vy: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
  }
}

export function transform(rows: Rows, p: Vec3Column<f32>, m: ReadonlyVec16Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) {
    p[i][0] += m[i][12]
    p[i][1] += m[i][13]
    p[i][2] += m[i][14]
  }
}

export function age(rows: Rows, ages: Column<u8>, old: Column<bool>): void {
  for (let i = rows.start; i < rows.end; i++) {
    const next = ages[i] + 1
    ages[i] = next
    old[i] = next > 60
  }
}

export function energy(rows: Rows, vx: ReadonlyColumn<f64>, vy: ReadonlyColumn<f64>): Sum<f64> {
  let sum: f64 = 0
  for (let i = rows.start; i < rows.end; i++) sum += vx[i] * vx[i] + vy[i] * vy[i]
  return sum
}

export function least(rows: Rows, levels: ReadonlyColumn<i16>): Min<i32> {
  let least = i32.MAX_VALUE
  for (let i = rows.start; i < rows.end; i++) least = min<i32>(least, levels[i])
  return least
}

export function held(rows: Rows, entities: Entities, targets: ReadonlyColumn<u32>): Count {
  let count: u32 = 0
  for (let i = rows.start; i < rows.end; i++) if (entities[i] == targets[i]) count++
  return count
}

export function gather(rows: Rows, at: ReadonlyColumn<u16>, cells: Resource<f32>): void {
  for (let i = rows.start; i < rows.end; i++) cells[at[i]] += 1
}

export function blur(from: ReadonlyResource<f64>, to: Resource<bool>, last: i32): void {
  for (let k = 1; k < last; k++) to[k] = from[k - 1] > from[k + 1]
}

export function waves(rows: Rows, height: Column<f32>, phase: ReadonlyColumn<f32>, tick: u32): void {
  for (let i = rows.start; i < rows.end; i++) height[i] = sin(phase[i]) + randomFloat(tick, i)
}

export function moveLanes(rows: Lanes, px: Column<f32>, vx: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i += 4) {
    storeLanes<f32>(px, i, f32x4.add(loadLanes<f32>(px, i), f32x4.mul(loadLanes<f32>(vx, i), f32x4.splat(dt))))
  }
}

export function ageLanes(rows: Lanes, ages: Column<u8>, frozen: ReadonlyColumn<bool>): void {
  for (let i = rows.start; i < rows.end; i += 4) {
    storeLanesWhere<u8>(ages, i, v128.not(loadLanes<bool>(frozen, i)), rampLanes(i))
  }
}

export function sumAllLanes(rows: Lanes, x: ReadonlyColumn<f32>): Sum<f32> {
  let sum = f32x4.splat(0)
  for (let i = rows.start; i < rows.end; i += 4) sum = f32x4.add(sum, loadLanes<f32>(x, i))
  return sumLanes<f32>(sum)
}
`
const KERNELS = Array.from(SOURCE.matchAll(/export function (\w+)/g), ([, name]) => name!)

let text = ''
/** The instructions of a kernel, by the exported name. */
let instructions: Record<string, string[]>

beforeAll(async () => {
  text = (await compile(SOURCE)).text
  const bodies = new Map(
    text
      .split(/\n \(func \$/)
      .slice(1)
      .map((body) => [body.slice(0, body.search(/\s/)), body] as const),
  )
  instructions = Object.fromEntries(
    Array.from(text.matchAll(/\(export "(\w+)" \(func \$(\S+?)\)\)/g), ([, name, id]) => [
      name!,
      bodies.get(id!)!.match(/[a-z0-9]+\.[a-z0-9_]+|\bcall\b/g)!,
    ]),
  )
})

/** Loads and stores of a kernel, in order. */
const accesses = (kernel: string): string[] =>
  instructions[kernel]!.filter((name) => /\.(load|store)/.test(name))

describe('the module', () => {
  it('has the exported functions and no other; it imports the memory', () => {
    expect(text.match(/^ \(func /gm)).toHaveLength(KERNELS.length)
    expect(Object.keys(instructions).sort()).toEqual([...KERNELS].sort())
    expect(text.match(/^ \(import .*/gm)).toEqual([' (import "env" "memory" (memory $0 16 32768))'])
  })

  it('has no globals, no data, no table, no start, and calls nothing', () => {
    expect(text).not.toMatch(/\((global|data|table|elem|start)\b/)
    expect(text).not.toMatch(/\bcall(_indirect)?\b/)
    expect(text).not.toMatch(/memory\.(grow|copy|fill)/)
  })
})

describe('a kernel reads with one load and writes with one store', () => {
  it.each([
    ['move', 'f32.load f32.load f32.store f32.load f32.load f32.store'],
    ['transform', 'f32.load f32.load f32.store '.repeat(3).trim()],
    ['age', 'i32.load8_u i32.store8 i32.store8'],
    ['energy', 'f64.load f64.load'],
    ['least', 'i32.load16_s'],
    ['held', 'i32.load i32.load'],
    ['gather', 'i32.load16_u f32.load f32.store'],
    ['blur', 'f64.load f64.load i32.store8'],
    ['waves', 'f32.load f32.store'],
    ['moveLanes', 'v128.load v128.load v128.store'],
    ['ageLanes', 'v128.load32_zero v128.load32_zero v128.store32_lane'],
    ['sumAllLanes', 'v128.load'],
  ])('%s', (kernel, expected) => {
    expect(accesses(kernel).join(' ')).toBe(expected)
  })

  it('the rows cost a mask and a shift, the address of a row a shift and an addition', () => {
    const counts = (kernel: string, name: string): number =>
      instructions[kernel]!.filter((other) => other === name).length
    // One shift for rows.end, one for the row; px, py, vx, vy and i + 1.
    expect(counts('move', 'i32.and')).toBe(1)
    expect(counts('move', 'i32.shr_u')).toBe(1)
    expect(counts('move', 'i32.shl')).toBeLessThanOrEqual(1)
    expect(counts('move', 'i32.add')).toBe(5)
    // One multiplication for rows of three numbers; rows of sixteen need a shift.
    expect(counts('transform', 'i32.mul')).toBe(1)
    expect(counts('transform', 'i32.shl')).toBe(1)
  })
})
