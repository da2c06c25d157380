// Shows that the functions of the kernel library give their bits in a compiled loop, at edges and at random.

import { describe, it } from 'vitest'
import { cos, exp, random, randomFloat, rsqrt, sin } from '../../src/functions/functions'
import { expectSame } from '../support/bothForms'

const values = { cos, exp, random, randomFloat, rsqrt, sin }
const NUMBERS = [
  'r.f',
  'r.d',
  'r.i',
  'r.u',
  'r.c',
  'r.m[0]',
  '(r.g * 0.001)',
  '(r.i * 1e-5)',
  'r.on',
  '0',
  '(-0)',
  'NaN',
  '89.5',
  '(-104.5)',
  '1e-40',
]

describe('a function of the kernel library', () => {
  it.each(['sin', 'cos', 'exp', 'rsqrt'])('%s gives its bits', (name) => {
    for (const x of NUMBERS)
      expectSame(`(r, g) => { const x = g.${name}(${x}); r.f = x; r.d = x; r.e = 1 / x; r.i = x * 1000 }`, {
        values,
        rows: 131,
      })
  })

  it.each(['random', 'randomFloat'])('%s gives its bits', (name) => {
    for (const x of NUMBERS)
      for (const y of ['r.j', '7', 'r.e'])
        expectSame(`(r, g) => { const x = g.${name}(${x}, ${y}); r.f = x; r.d = x; r.i = x; r.u = x }`, {
          values,
          rows: 131,
        })
  })

  it('may have another name, and appear in a loop', () => {
    expectSame(
      '(r, { wave, noise }) => { for (let k = 0; k < 4; k++) r.m[k] = wave(r.m[k] + k) * noise(r.i, k) }',
      { values: { wave: sin, noise: randomFloat }, rows: 131 },
    )
  })
})
