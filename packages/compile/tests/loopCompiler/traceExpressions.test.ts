// Shows what names, assignments and operators do, and which are refused.

import { describe, it } from 'vitest'
import { type World, bool, entity, f32, f64, i32, resource, u32, vec } from '../../../../bindings/index'
import { expectSame, filledWith, refusalOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'

const FLOATS = [
  'r.f',
  'r.g',
  'r.d',
  'r.e',
  'r.m[1]',
  'r.n[0]',
  'Math.fround(r.d)',
  '0.1',
  '-0',
  'NaN',
  '2',
  'Infinity',
]
const WHOLE = [
  'r.i',
  'r.j',
  'r.u',
  'r.v',
  'r.b',
  'r.c',
  'r.s',
  'r.t',
  'r.who',
  'r.k[1]',
  'r.flags[0]',
  '7',
  '-3',
  '4294967295',
]

/** Half of them take an f64 as it is; the others want f32 and whole numbers. */
const TARGETS = ['r.d', 'r.e', 'r.n[0]', 'r.n[1]', 'r.f', 'r.m[0]', 'r.i', 'r.c']

describe('an operator', () => {
  it.each([
    '+',
    '-',
    '*',
    '/',
    '<',
    '<=',
    '>',
    '>=',
    '===',
    '!==',
    '==',
    '!=',
    '&',
    '|',
    '^',
    '<<',
    '>>',
    '>>>',
  ])('%s gives what JavaScript gives, of each kind of number at its edges', (operator) => {
    const operands = [...FLOATS, ...WHOLE]
    // Each operator takes every second one first, and all of them second.
    for (const a of operands.filter((_, k) => k % 2 === operator.length % 2))
      for (let k = 0; k < operands.length; k += TARGETS.length) {
        const pairs = operands.slice(k, k + TARGETS.length).map((b) => `${a} ${operator} ${b}`)
        const before = pairs.map((pair, j) => `x${j} = ${pair}`).join(', ')
        const stored = pairs.map((_, j) => `${TARGETS[j]} = +x${j}`).join('; ')
        expectSame(`(r) => { const ${before}; ${stored} }`)
      }
  })

  it('% gives the rest of whole numbers, with the sign of the first', () => {
    for (const a of ['r.i', 'r.u', 'r.b', '(r.on ? r.i : r.u)', '(r.f | 0)'])
      for (const b of [
        'r.j',
        'r.v',
        'r.s',
        '7',
        '(-3)',
        '1',
        '256',
        '3000000000',
        '4294967295',
        '(r.i | 1)',
      ]) {
        expectSame(`(r) => { r.d = ${a} % ${b}; r.i = ${a} % ${b}; r.v = ${a} % ${b}; r.f = ${a} % ${b} }`)
        expectSame(`(r) => { r.on = ${a} % ${b} < 1; r.off = !(${a} % ${b}); r.d = 1 / (${a} % ${b}) }`)
      }
    expectSame('(r) => { r.d = 5.5 % 2 }')
    for (const source of ['(r) => { r.f = r.f % 1 }', '(r) => { r.d = r.i % 0.5 }', '(r) => { r.f %= 1 }'])
      expect(refusalOf(source)).toBe(
        '% takes whole numbers: make them whole by | 0, or write a - Math.trunc(a / b) * b.',
      )
  })

  it('before or after one operand gives what JavaScript gives', () => {
    for (const a of [...FLOATS, ...WHOLE, 'r.on']) {
      expectSame(`(r) => { r.e = - ${a}; r.d = + ${a}; r.i = ~ ${a}; r.off = !${a} }`)
      expectSame(`(r) => { r.f = - ${a}; r.j = - ${a}; r.c = - ${a}; r.u = ~~${a} }`)
    }
    expectSame('(r) => { r.i = r.on + r.off; r.d = -r.on; r.on++; r.f = +(r.i > 0); void r.f }')
  })

  it('of logic gives one of its operands', () => {
    for (const a of ['r.f', 'r.d', 'r.i', 'r.u', '0', '2'])
      for (const b of ['r.g', 'r.j', 'NaN']) {
        expectSame(`(r) => { r.e = ${a} && ${b}; r.d = ${a} || ${b} }`)
        expectSame(
          `(r) => { r.on = ${a} && r.on; r.off = ${a} || r.off ? true : false; r.d = ${a} ?? ${b} }`
            .replace('r.on = ', 'r.on = !!')
            .replace('!!' + a, `!!(${a}) && r.off`),
        )
      }
    expectSame(
      '(r) => { r.on = r.on === r.off; r.off = r.on !== r.off; r.i = (r.on == 0) + (r.off != 1) * 2 }',
    )
    expectSame('(r) => { r.i = r.on === 1 ? 1 : 2; r.j = r.on !== 1 ? 1 : 2; r.d = r.on ? r.f : r.u }')
  })

  it.each([
    ['r.f ** 2', 'the bits of ** differ between engines: write x * x, or Math.sqrt(x).'],
    ['delete r.f', 'delete is not supported.'],
    ['typeof r.f', 'typeof is not supported.'],
    ['r.i in r', 'in is not supported.'],
    ['r.i instanceof r', 'this is a component: name one of its fields.'],
    ['r.on ? 1 : true', 'this would be a number for some rows and a boolean for others.'],
    ['r.on && 1 || r.on', 'this would be a number for some rows and a boolean for others.'],
    ['null', 'null can only be compared with.'],
    ['undefined', 'this is undefined here.'],
    ['r', 'this is a component: name one of its fields.'],
    ['r.m', 'this is a vec: name one of its values, such as [0].'],
    ['r.on', 'Row.f holds a number, not a boolean: write a ? 1 : 0.'],
  ])('is refused: %s', (expression, sentence) => {
    const target = expression === 'r.i in r' ? 'this is a component: name one of its fields.' : sentence
    expect(refusalOf(`function (r) { r.f = ${expression} }`)).toBe(target)
  })
})

describe('a power', () => {
  it('of two is exact, as minifiers write it', () => {
    expectSame('(r) => { r.d = 2 ** -52 + r.f; r.e = Math.pow(2, 53) - 1; r.f = 2 ** 1024 }')
    expect(refusalOf('(r) => { r.d = Math.pow(r.f, 2) }')).toMatch(/^the bits of Math\.pow differ/)
    expect(refusalOf('(r) => { r.d = 3 ** 2 }')).toMatch(/^the bits of \*\* differ/)
  })
})

describe('an assignment', () => {
  it('stores what a typed array of each kind would hold', () => {
    for (const a of [...FLOATS, ...WHOLE])
      expectSame(
        `(r) => { const a = ${a}; r.f = a; r.d = a; r.i = a; r.u = a; r.b = a; r.c = a; r.s = a; r.t = a; r.who = a; r.on = a > 1;
          r.m[0] = a; r.n[1] = a; r.k[2] = a; r.flags[1] = a; r.j = r.b + r.c; r.e = r.f * r.m[0] }`,
      )
    expectSame('(r) => { r.on = r.f; r.off = r.i; r.i = r.on ? 1 : 2 }')
  })

  it.each(['+=', '-=', '*=', '/=', '&=', '|=', '^=', '<<=', '>>=', '>>>=', '&&=', '||='])(
    '%s reads the previous value',
    (operator) => {
      for (const field of ['f', 'd', 'i', 'u', 'b', 'c', 't'])
        expectSame(
          `(r) => { r.${field} ${operator} r.g; r.m[0] ${operator} r.j; let a = r.e; a ${operator} r.f; r.n[0] = a }`,
        )
    },
  )

  it('computes an index once, and before what is assigned', () => {
    for (const source of [
      '(r) => { let k = 0; r.m[k++] = k; r.i = k }',
      '(r) => { let k = 0; r.m[k++] += k; r.i = k }',
      '(r) => { let k = 0; r.m[k++]++; --r.m[++k]; r.i = k }',
      '(r) => { let k = 0; r.m[k++] ||= 7; r.m[k++] &&= 7; r.i = k }',
      '(r) => { let k = 0; r.m[k++] = r.m[k++] = r.m[k++]; r.i = k }',
      '(r) => { let k = 0; r.m[(k = 2, k)] -= (k = 1, k); r.i = k }',
    ])
      expectSame(source)
  })

  it('is an expression', () => {
    for (const source of [
      '(r) => { r.i = (r.b = 300) + r.b }',
      '(r) => { r.f = r.d = r.i = r.e }',
      '(r) => { r.i = r.j++ + ++r.j; r.u = r.v-- - --r.v }',
      '(r) => { r.f += (r.f = 3) }',
      '(r) => { let a = r.i; r.j = a + (a = 5) * a }',
      '(r) => { r.e = (r.c++, r.t--, r.c * r.t) }',
    ])
      expectSame(source)
  })

  it('marks only what the function assigns to', () => {
    for (const source of ['(r) => { r.f === 1 }', '(r) => { r.m[0] === r.m.length }', '({ n }) => { n[1] }'])
      expect((expectSame(source) as { readonly marks: number }).marks).toBe(0)
    const after = expectSame('(r) => { r.f = r.f }') as { readonly marks: number }
    expect(after.marks).toBeGreaterThan(0)
  })

  it.each([
    ['(r) => { r.m = 1 }', 'set the values of a vec one by one, by their index.'],
    ['(r) => { r.m += 1 }', 'set the values of a vec one by one, by their index.'],
    ['(r) => { r.m.length = 1 }', 'only variables and the fields of components can be assigned to.'],
    [
      '(r) => { r.z = 1 }',
      "Row has no field 'z': its fields are f, g, d, e, i, j, u, v, b, c, s, t, on, off, who, m, n, k, flags.",
    ],
    ['(r) => { r.constructor = 1 }', null],
    ['(r) => { r.__proto__ = 1 }', null],
    ['(r) => { r.toString }', null],
    ['(r) => { r[0] = 1 }', 'only variables and the fields of components can be assigned to.'],
    ['(r) => { r.f = r[0] }', 'only the values of a vec are reached by number.'],
    [
      '(r) => { r.m[r.i] = 1 }',
      'the index of a vec must be known when the function is compiled: a number, or the counter of a loop.',
    ],
    [
      '(r) => { r.f = r.m[r.i & 3] }',
      'the index of a vec must be known when the function is compiled: a number, or the counter of a loop.',
    ],
    ['(r) => { r.m[4] = 1 }', 'the indices of m are 0 to 3, not 4.'],
    ['(r) => { r.f = r.m[-1] }', 'the indices of m are 0 to 3, not -1.'],
    ['(r) => { r.f = r.m[0.5] }', 'the indices of m are 0 to 3, not 0.5.'],
    ['(r) => { r.f = r.m[true] }', 'the indices of m are 0 to 3, not true.'],
    ['(r) => { r.f = r.m.x }', "there is no 'x' here."],
    ['(r) => { r.f = r.f.x }', "there is no 'x' here."],
    ['(r) => { r.i = true }', 'Row.i holds a number, not a boolean: write a ? 1 : 0.'],
    ['(r) => { r.flags[0] = r.on }', 'Row.flags holds a number, not a boolean: write a ? 1 : 0.'],
    ['(r) => { r.f **= 2 }', 'the bits of ** differ between engines: write x * x, or Math.sqrt(x).'],
  ] as const)('is refused: %s', (source, sentence) => {
    if (sentence === null) expect(refusalOf(source)).toMatch(/^Row has no field/)
    else expect(refusalOf(source)).toBe(sentence)
  })
})

describe('a value', () => {
  const Wind = resource('Wind', { x: f32, y: f64, n: i32, on: bool, m: vec(f32, 3), who: entity })
  const windy = (rows: number, makeWorld: () => World): World => {
    const world = filledWith(rows, makeWorld)
    Object.assign(world.resource(Wind), { x: 0.1, y: -0, n: -7, on: true })
    world.resource(Wind).m[2] = 5e-324 + 1.5
    return world
  }

  it('is passed to each run, or is a constant', () => {
    const values = { a: f32, b: f64, c: i32, d: u32, e: bool, h: entity, k: -0, l: true, n: NaN }
    for (const given of [
      { a: 0.1, b: 0.1, c: -5, d: 4294967295, e: true, h: 7 },
      { a: -0, b: -0, c: -0, d: -0, e: false, h: -0 },
      { a: NaN, b: 5e-324, c: -(2 ** 31), d: 0, e: true, h: 4294967295 },
    ])
      for (const source of [
        '(r, g) => { r.f = g.a; r.d = g.b; r.i = g.c; r.u = g.d; r.on = g.e; r.who = g.h; r.g = g.k; r.off = g.l; r.e = g.n }',
        '(r, { a, b, c, d, e, h, k }) => { r.d = 1 / a + 1 / b; r.e = 1 / c; r.n[0] = 1 / d; r.n[1] = 1 / h; r.f = 1 / k; r.i = e + c }',
        '(r, { a, b, c, d }) => { r.f += a; r.d *= b; r.i <<= c; r.u >>>= d; r.g = Math.fround(r.f * a) + c }',
      ])
        expectSame(source, { values, given })
  })

  it('may have any name', () => {
    const values = Object.fromEntries([
      ['__proto__', 3],
      ['constructor', f32],
      ['toString', 2],
      ['Row.f', f64],
    ] as const)
    const given = Object.fromEntries([
      ['constructor', 0.5],
      ['Row.f', 2],
    ])
    expectSame('(r, g) => { r.f = g.__proto__ + g.constructor + g.toString }', { values, given })
    expectSame('(r, { __proto__: p, constructor: c }) => { r.f = p * c }', { values, given })
  })

  it('may be a resource, even one named like a component', () => {
    const values = { Row: resource('OtherRow', { f: f32 }), wind: Wind }
    const world = (rows: number, makeWorld: () => World): World => {
      const made = windy(rows, makeWorld)
      made.resource(values.Row).f = 3
      return made
    }
    expectSame(
      '(r, { Row, wind }) => { r.f = r.f + Row.f; r.d = wind.y; r.i = wind.n; r.on = wind.on; r.g = wind.m[2]; r.e = 1 / wind.y }',
      { values, world },
    )
    expectSame(
      '(r, { wind: { x, m, who } }) => { for (let k = 0; k < m.length; k++) r.m[k] = m[k] * x; r.who = who }',
      { values, world },
    )
  })

  it.each([
    ['(r, { wind }) => { wind.x = 1 }', 'a resource is only read in a compiled function.'],
    ['(r, { wind }) => { wind.m[0] = 1 }', 'a resource is only read in a compiled function.'],
    ['(r, { wind }) => { r.f = wind }', 'this is a resource: name one of its fields.'],
    ['(r, { wind }) => { r.f = wind.m }', 'this is a vec: name one of its values, such as [0].'],
    ['(r, { wind }) => { r.f = wind.m[3] }', 'the indices of m are 0 to 2, not 3.'],
    ['(r, { wind }) => { r.f = wind.z }', "Wind has no field 'z': its fields are x, y, n, on, m, who."],
    ['(r, g) => { r.f = g }', 'these are all values: name one of them.'],
    ['(r, g) => { r.f = g.z }', "'z' is not among the values that compile was given: wind, dt."],
    [
      '(r, g) => { r.f = g.constructor }',
      "'constructor' is not among the values that compile was given: wind, dt.",
    ],
    [
      '(r, g) => { r.f = g.__proto__ }',
      "'__proto__' is not among the values that compile was given: wind, dt.",
    ],
    ['(r, g) => { g.dt = 1 }', 'only variables and the fields of components can be assigned to.'],
  ])('is refused: %s', (source, sentence) => {
    expect(refusalOf(source, { values: { wind: Wind, dt: f32 } })).toBe(sentence)
  })
})
