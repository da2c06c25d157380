// Shows the lowest 32 bits of values: of whole numbers, of what is rounded, of floats of any size, for four rows and for one.

import { describe, it } from 'vitest'
import { expectSame } from '../support/bothForms'

const VALUES = [
  'r.f', 'r.d', '(r.f * r.g)', '(r.f * 65536)', '(r.d * 4294967296)', '(r.i * r.j)', '(r.u * r.v)', '(r.i * 3 + r.u)', '(r.u - r.i)', '(-r.i)', '(-r.u)', '(-r.f)',
  'Math.abs(r.i)', 'Math.abs(-r.u)', 'Math.abs(r.i + r.i)', 'Math.abs(r.f)', 'Math.floor(r.d)', 'Math.fround(r.u)', 'Math.fround(r.i * 3)', '(r.on ? r.i : r.f)', '(r.on ? r.i : r.u)', 'Math.min(r.i, r.j)',
  'Math.min(r.u, r.v)', 'Math.min(r.i, r.u)', 'Math.max(r.u, r.i)', 'Math.max(r.i, r.c)', 'Math.max(r.f, r.i)', '(r.on + r.off)', '(r.i % 4000000000)', '(r.u % 4000000000)', '(r.u % 3)', '(r.i % -7)',
  '((r.on ? r.i : r.u) % 4294967295)', 'r.b', 'r.c', 'r.s', 'r.t', 'r.k[1]', 'r.flags[1]', 'r.who', '4294967295', '-0', '1e20', 'NaN',
] // prettier-ignore

describe('the lowest 32 bits', () => {
  it('are the same as in JavaScript', () => {
    for (const x of VALUES)
      for (const rows of [3, 50]) {
        expectSame(
          `(r) => { const x = ${x}; r.j = x; r.v = x; r.who = x; r.b = x; r.c = x; r.s = x; r.t = x; r.k[0] = x; r.flags[0] = x; r.d = r.b + r.c * 3; r.e = r.s + r.t * 3 }`,
          { rows },
        )
        expectSame(
          `(r) => { const x = ${x}; r.e = x | 0; r.n[0] = x >>> 0; r.n[1] = ~x; r.g = x & 0xffff; r.m[0] = x ^ r.j; r.m[1] = Math.imul(x, r.j); r.m[2] = Math.clz32(x); r.m[3] = x >> (r.c & 7) }`,
          { rows },
        )
      }
  })

  it('are shifted by values that are the same for all rows, and by others', () => {
    for (const operator of ['<<', '>>', '>>>'])
      for (const by of ['0', '1', '31', '33', '-1', 'r.j', 'r.c', 'r.f', 'g.n', '(g.n + 40)'])
        for (const rows of [3, 50])
          expectSame(
            `(r, g) => { r.d = r.i ${operator} ${by}; r.e = r.u ${operator} ${by}; r.n[0] = g.n ${operator} ${by} }`,
            { rows, values: { n: 5 } },
          )
  })
})
