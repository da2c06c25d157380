// Shows what is proven of values: functions of Math, whole numbers, bits and comparisons give what JavaScript gives at the edges of
// each proof.

import { describe, it } from 'vitest'
import { expectSame, refusalOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'

/** Numbers of which different things are proven. */
const NUMBERS = [
  'r.f',
  'r.d',
  'Math.fround(r.d)',
  'r.i',
  'r.u',
  'r.b',
  'r.c',
  '(r.i + r.u)',
  '(r.u * r.c)',
  '(r.i * r.j)',
  '(r.f + r.g)',
  '(-r.c)',
  '(r.c * -1)',
  '(r.on ? r.f : r.d)',
  '(r.on ? r.f : r.i)',
  '(r.on ? r.i : r.u)',
  'Math.max(r.f, r.d)',
  'Math.min(r.d, r.f)',
]

/** Stores a number in each form in which one can be wanted. */
const everywhere = (number: string): string =>
  `(r) => { const x = ${number}; r.e = x; r.n[0] = 1 / x; r.g = x; r.j = x; r.v = x; r.s = x; r.on = x; r.off = x < 0.1; r.t = x | 0; r.n[1] = 1 / r.j; r.m[0] = 1 / r.t }`

describe('a function of Math', () => {
  it.each(['sqrt', 'abs', 'floor', 'ceil', 'trunc', 'round', 'sign', 'fround', 'clz32'])(
    '%s gives what JavaScript gives',
    (name) => {
      for (const number of NUMBERS) {
        expectSame(everywhere(`Math.${name}(${number})`))
        expectSame(everywhere(`Math.fround(Math.${name}(${number}))`))
      }
      expectSame(everywhere(`Math.${name}()`))
      expectSame(everywhere(`Math.${name}(r.on)`))
      expectSame(everywhere(`Math.${name}(-0.5) + Math.${name}(2.5, 7)`))
    },
  )

  it.each(['min', 'max', 'imul'])('%s gives what JavaScript gives', (name) => {
    for (const a of NUMBERS)
      for (const b of ['r.g', 'r.e', 'r.j', 'r.v', '-0', 'NaN', '3'])
        expectSame(everywhere(`Math.${name}(${a}, ${b})`))
    for (const given of ['', 'r.f', 'r.f, r.d, r.i', 'r.on, 2', '-0, 0'])
      expectSame(everywhere(`Math.${name}(${given})`))
  })

  it('may be a constant', () => {
    for (const name of ['PI', 'E', 'LN2', 'LN10', 'LOG2E', 'LOG10E', 'SQRT2', 'SQRT1_2'])
      expectSame(everywhere(`Math.${name} * r.f`))
    for (const name of [
      'EPSILON',
      'MAX_VALUE',
      'MIN_VALUE',
      'NaN',
      'MAX_SAFE_INTEGER',
      'MIN_SAFE_INTEGER',
      'POSITIVE_INFINITY',
      'NEGATIVE_INFINITY',
    ])
      expectSame(everywhere(`Number.${name} - r.d`))
    for (const number of NUMBERS)
      expectSame(`(r) => { r.on = Number.isNaN(${number}); r.off = Number.isFinite(${number}) }`)
  })

  it.each([
    [
      'Math.sin(r.f)',
      "the bits of Math.sin differ between engines: give sin of 'strata-ecs/kernel' among the values, and call that.",
    ],
    [
      'Math.cos(r.f)',
      "the bits of Math.cos differ between engines: give cos of 'strata-ecs/kernel' among the values, and call that.",
    ],
    [
      'Math.exp(r.f)',
      "the bits of Math.exp differ between engines: give exp of 'strata-ecs/kernel' among the values, and call that.",
    ],
    ['Math.tan(r.f)', 'the bits of Math.tan differ between engines: compute it with + - * / and Math.sqrt.'],
    [
      'Math.atan2(r.f, 1)',
      'the bits of Math.atan2 differ between engines: compute it with + - * / and Math.sqrt.',
    ],
    ['Math.hypot(r.f, 1)', 'the bits of Math.hypot differ between engines: write Math.sqrt(x * x + y * y).'],
    ['Math.pow(r.f, 2)', 'the bits of Math.pow differ between engines: write x * x.'],
    [
      'Math.random()',
      "Math.random cannot be repeated: give random or randomFloat of 'strata-ecs/kernel' among the values, which compute from a seed, and call that.",
    ],
    ['Math.mean(r.f)', 'Math has no mean.'],
    ['Math.sqrt', 'Math.sqrt must be called.'],
    ['Math.nothing', 'Math.nothing must be called.'],
    ['Number.isInteger(r.f)', 'Number.isInteger is not supported.'],
    ['Number.isNaN()', 'Number.isNaN is not supported.'],
    ['Number.parseFloat', 'Number.parseFloat is not supported.'],
    ['Number(r.f)', 'only functions of Math and functions that are given among the values can be called.'],
    ['r.f()', 'only functions of Math and functions that are given among the values can be called.'],
  ])('is refused: %s', (expression, sentence) => {
    expect(refusalOf(`(r) => { r.f = ${expression} }`)).toBe(sentence)
  })
})

describe('whole numbers', () => {
  it('are exact as f32 up to 2^24, and rounded beyond', () => {
    for (const x of [
      '(r.i & 0x1ffffff)',
      '(r.i & 0xffffff)',
      '(r.t * 256)',
      '(r.t * 257)',
      '16777216',
      '16777217',
      '(r.i >> 7)',
      '(r.u >>> 7)',
    ])
      for (const y of ['r.f', '1', '0.5', '(r.j & 0x1ffffff)', '(r.t * 513)'])
        for (const operator of ['+', '-', '*', '/'])
          expectSame(
            `(r) => { r.g = ${x} ${operator} ${y}; r.d = ${x} ${operator} ${y}; r.on = ${x} < ${y}; r.m[0] = Math.fround(${x}) ${operator} ${y} }`,
          )
  })

  it('keep their lowest bits within 2^53, and round beyond', () => {
    for (const x of [
      'r.i * r.j',
      'r.u * r.c',
      'r.i * 2097152',
      'r.i * 4194304',
      'r.u * 2097153',
      'r.u * 8388608 + r.c',
      'r.i * r.j + r.u',
      'r.i * 9007199254740993',
      '9007199254740993 + r.c',
      '18014398509481984 - r.c',
    ])
      expectSame(everywhere(`(${x})`))
  })

  it('are known to be -0 or not', () => {
    for (const x of [
      '-r.c',
      'r.c * -1',
      'r.c * r.b',
      'r.b * r.c',
      '(-r.c) + (-r.t)',
      '(-r.c) - r.t',
      '(-r.c) * r.t',
      'r.c - r.c',
      '-(r.c + r.t)',
      'Math.abs(-r.c)',
      'Math.min(r.c, -r.t)',
      'Math.max(-r.c, -r.t)',
      'r.on ? -r.c : r.c',
      'r.on ? -0 : r.c',
      'r.c * -0',
      'Math.round(-r.c)',
      'Math.fround(-r.c)',
      'Math.trunc(r.f) + 0',
    ])
      for (const y of [
        '(X)',
        '(X) | 0',
        '(X) >>> 0',
        '(X) >> 0',
        'Math.abs(X)',
        '-(X)',
        '1 / (X)',
        '(X) + (-r.c)',
        'Math.max(X, 0)',
        'Math.sign(X)',
      ])
        expectSame(everywhere(y.replace('X', x)))
  })

  it('are wrapped by fields and bit operations where they do not fit', () => {
    for (const x of ['r.u', 'r.i', '(r.i + 1)', '(r.u + r.v)', '-r.u', '(r.i * 3)', 'r.t', 'r.s'])
      expectSame(
        `(r) => { const x = ${x}; r.e = (x | 0) + (x >>> 0) * 2; r.b = x; r.c = x; r.s = x; r.who = x; r.d = r.b + r.c + r.s + r.who; r.n[0] = x & -2; r.n[1] = x & 255; r.m[0] = x << 3; r.k[0] = x >> 33; r.on = (x >>> 0) < 3000000000 }`,
      )
    expectSame(
      '(r) => { r.c = r.i & -2; r.d = r.c; r.v = r.i & r.j; r.e = r.v; r.t = r.s & r.i; r.n[0] = r.t }',
    )
    for (const shift of [0, 1, 7, 31, 32, 33, -1, 0.5, 'r.j', 'r.f'])
      expectSame(
        `(r) => { r.d = r.i << ${shift}; r.e = r.i >> ${shift}; r.n[0] = r.i >>> ${shift}; r.n[1] = r.u >>> ${shift}; r.v = r.f >>> ${shift} }`,
      )
  })
})

describe('a comparison', () => {
  it('with a limit between two f32 has the same answer as in f64', () => {
    for (const limit of [
      '0.1',
      '-0.1',
      '1e300',
      '-1e300',
      '1e-300',
      '-1e-300',
      '5e-324',
      '16777217',
      '3.4028235e38',
      '3.5e38',
      '1e-45',
      '0.49999999999999994',
      'NaN',
      '-0',
      '1/3',
    ])
      for (const operator of ['<', '<=', '>', '>=', '===', '!=='])
        expectSame(
          `(r) => { r.on = r.f ${operator} ${limit}; r.off = ${limit} ${operator} r.g; r.i = r.d ${operator} ${limit} ? 1 : 2; r.j = Math.fround(${limit}) ${operator} r.f ? 1 : 2 }`,
        )
    // Just above and below the limits themselves.
    for (const limit of ['0.1', '-0.1', '1e-45', '-1e-46', '3.4028235677973366e38'])
      for (const operator of ['<', '<=', '>', '>=', '===', '!=='])
        expectSame(
          `(r) => { const near = Math.fround(${limit}); const step = (r.i & 3) - 1; r.f = near + step * 1.5e-45; r.g = near * (1 + step * 1.2e-7); r.on = r.f ${operator} ${limit}; r.off = r.g ${operator} ${limit} }`,
        )
  })

  it('of equal, or opposite, operands folds to a constant', () => {
    for (const x of [
      'r.f === r.f',
      'r.f !== r.f',
      'r.on === r.on',
      'r.on && !r.on',
      'r.on || !r.on',
      'r.on ? true : false',
      'r.on ? !r.on : r.on',
      'r.on ? r.off : true',
      '!(r.f < r.g)',
      'r.on !== true',
      'r.f > r.g && r.f > r.g',
    ])
      expectSame(`(r) => { r.off = ${x} }`)
  })
})
