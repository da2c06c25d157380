// Shows which modules could keep something from one call to the next, and that compiled kernels never can.

import binaryen from 'assemblyscript/binaryen'
import { describe, expect, it } from 'vitest'
import { bytesOf, keepsState } from '../../bindings/workers/moduleBytes'
import { kernelsOf } from '../support/kernels'

const MEMORY = '(import "env" "memory" (memory 0))'

function keeps(text: string, instructions = ''): boolean {
  const module = binaryen.parseText(
    `(module ${MEMORY} ${text} (func (export "move") (param i32 i32) ${instructions}))`,
  )
  module.setFeatures(binaryen.Features.All)
  const bytes = module.emitBinary()
  module.dispose()
  return keepsState(bytes)
}

describe('a module', () => {
  it('keeps no state with nothing of its own but data', () => {
    expect(keeps('')).toBe(false)
    expect(keeps('(data (i32.const 2000) "abc") (data (i32.const 3000) "d")')).toBe(false)
    expect(keeps('', '(memory.fill (i32.const 0) (i32.const 0) (i32.const 0))')).toBe(false)
    expect(keeps('', '(memory.copy (i32.const 0) (i32.const 0) (i32.const 0))')).toBe(false)
  })

  it('may keep state with a global variable, a table, or segments to drop', () => {
    expect(keeps('(global $g (mut i32) (i32.const 0))', '(global.set $g (i32.const 1))')).toBe(true)
    expect(keeps('(table $t 2 2 funcref)', '(table.set $t (i32.const 0) (table.get $t (i32.const 1)))')).toBe(
      true,
    )
    expect(keeps('(data (i32.const 2000) "abc") (data $d "abc")', '(data.drop $d)')).toBe(true)
  })

  it('of a compiled kernel keeps none, with tables of numbers and functions, too', async () => {
    const kernels = await kernelsOf(`
const WAVE: StaticArray<f32> = [0, 0.5, 1]
const HALF: f32 = 0.5
function half(x: f32, by: f32 = HALF): f32 { return x * by }
export function wave(rows: Lanes, x: Column<f32>, k: i32): void {
  for (let i = rows.start; i < rows.end; i++) x[i] = half(x[i], HALF) + WAVE[k]
}
export function sum(rows: Rows, x: Column<f32>, cells: ReadonlyResource<f32>): Sum<f64> {
  let sum: f64 = 0
  for (let i = rows.start; i < rows.end; i++) sum += Math.sin(<f64>half(x[i], 3)) + cells[0]
  return sum
}
`)
    for (const { code } of Object.values(kernels)) expect(keepsState(bytesOf(code))).toBe(false)
  })
})
