// Shows in which form floats are computed: what is exact as f32 and what is not, for four rows and for one, dense and in vecs.

import { describe, it } from 'vitest'
import { expectSame } from '../support/bothForms'

const F32 = ['r.f', 'r.g', 'r.m[1]', 'Math.fround(r.e)', '0.5', 'r.c']
const F64 = ['r.d', 'r.e', 'r.n[1]', '0.1', '(r.f * r.g)', 'r.u', 'r.i']

describe('an operation of floats', () => {
  it.each(['+', '-', '*', '/'])('%s is rounded once', (operator) => {
    for (const a of [...F32, ...F64])
      for (const b of [...F32, ...F64])
        expectSame(
          `(r) => { const x = ${a} ${operator} ${b}; r.m[0] = x; r.n[0] = x; r.m[2] = Math.fround(x) + 1; r.on = Math.fround(x) < x }`,
        )
  })

  it.each([
    'Math.sqrt',
    'Math.floor',
    'Math.ceil',
    'Math.trunc',
    'Math.round',
    'Math.sign',
    'Math.abs',
    '-',
    '+',
  ])('%s is rounded once', (name) => {
    for (const a of [...F32, ...F64])
      expectSame(
        `(r) => { const x = ${name}(${a}); r.m[0] = x; r.n[0] = x; r.n[1] = Math.fround(x); r.i = x }`,
      )
  })

  it('is chosen in the required form', () => {
    for (const a of F32)
      for (const b of F64)
        expectSame(
          `(r) => { const x = r.on ? ${a} : ${b}, y = r.e > 0 ? ${b} : ${a}; r.m[0] = x; r.n[0] = x; r.m[1] = y; r.n[1] = y; r.f = Math.max(x, y); r.d = Math.min(x, y) }`,
        )
  })

  it('takes whole numbers with and without a sign', () => {
    for (const a of [
      'r.i',
      'r.u',
      'r.who',
      '(r.i >>> 0)',
      '(r.u | 0)',
      '(r.c - 300)',
      '(r.u + r.v)',
      '(r.i - r.u)',
      '(r.t * r.t)',
      '(-r.u)',
      '(r.u % 4000000000)',
      '(r.i * (r.c & 0))',
    ])
      expectSame(
        `(r) => { const x = ${a}; r.f = x; r.d = x; r.g = x + r.g; r.e = x * r.e; r.m[0] = x / 3; r.n[0] = Math.fround(x); r.m[1] = Math.fround(x) * 0.1; r.on = x < 0.5 }`,
      )
  })

  it('reads and writes its four rows', () => {
    for (const rows of [1, 2, 3, 4, 5, 7, 8, 63, 64, 65])
      expectSame(
        '(r) => { r.d = r.f + r.m[1]; r.f = r.d * r.n[1]; r.m[3] = r.d; r.n[0] = r.m[2]; r.e = r.e + r.f; r.g = r.m[0] }',
        { rows },
      )
  })
})
