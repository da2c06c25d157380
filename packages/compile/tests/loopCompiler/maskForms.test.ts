// Shows how booleans are computed: comparisons in the form in which both numbers compare alike, truth, choices, for four rows and for
// one.

import { describe, it } from 'vitest'
import { bool } from '../../../../bindings/index'
import { expectSame } from '../support/bothForms'

const NUMBERS = [
  'r.f',
  'r.d',
  'Math.fround(r.e)',
  'r.i',
  'r.u',
  'r.b',
  'r.t',
  '(r.i + r.j)',
  '(r.u * r.c)',
  '(r.u + 1)',
  '(-r.c)',
  '(r.on ? r.i : r.u)',
  '4294967296',
]

describe('a boolean', () => {
  it.each(['<', '<=', '===', '!=='])('of %s compares numbers of any two kinds', (operator) => {
    for (const a of NUMBERS)
      for (const b of NUMBERS)
        for (const rows of [3, 50])
          expectSame(
            `(r) => { const x = ${a} ${operator} ${b}; r.off = x; r.f = x ? r.f : r.g; r.d = x ? r.e : r.d; r.j = +x }`,
            { rows },
          )
  })

  it('is the truth of a number', () => {
    for (const a of NUMBERS)
      for (const rows of [3, 50])
        expectSame(
          `(r) => { const x = ${a}; r.off = x; r.e = x ? 1 : 2; r.n[0] = !x ? r.d : r.f; r.s = x && r.on ? 3 : 4; r.on = !!x }`,
          { rows },
        )
  })

  it('joins others', () => {
    for (const rows of [3, 50])
      for (const a of ['r.on', 'r.f > r.g', 'r.d > r.e', 'g.a', 'true'])
        for (const b of ['r.off', 'r.i < r.u', 'r.d < 0.1', 'g.b'])
          expectSame(
            `(r, g) => { const x = ${a}, y = ${b}; r.n[0] = x && y ? 1 : 2; r.n[1] = x || y ? 1 : 2; r.d = x !== y ? r.d : r.e; r.f = x === y ? 1 : 2; r.on = x ? y : !y; r.off = !x; r.i = x + y }`,
            { rows, values: { a: bool, b: false }, given: { a: true } },
          )
  })
})
