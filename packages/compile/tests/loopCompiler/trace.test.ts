// Shows what statements do: variables, if, switch, loops, return, helpers, and which of them are refused.

import { describe, it } from 'vitest'
import { expectSame, functionOf, refusalOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'

const helper = (source: string): ((...given: never[]) => never) => functionOf(source)

describe('variables', () => {
  it.each([
    '(r) => { let a; if (r.on) a = r.f; else a = r.g; r.d = a }',
    '(r) => { const a = r.f, b = r.g; r.f = b; r.g = a }',
    '(r) => { if (r.on) { var a = r.f } else a = r.g; r.d = a }',
    '(r) => { var a = 1; var a; r.i = a; var a = 2; r.j = a }',
    '(r) => { let a = 1; { let a = 2; a++; r.j = a } r.i = a }',
    '(r) => { let a = r.on; a = r.i; r.j = a }',
    '({ f: x, m }) => { const v = m; v[0] = x; m[1] = v[0] }',
    'function (r) { r.i = Math.imul(3, r.j); { let Math = 1; r.j = Math } }',
    '(r) => { let undefined = 3; r.i = undefined }',
    'function (r) { var NaN = 1; let Infinity = 2; r.i = NaN; r.j = Infinity }',
    // These are names of a function like any other: only at the top of a script are they read-only.
    'function (r) { var undefined, NaN, Infinity; undefined = 3; NaN = r.f; Infinity = NaN; r.i = undefined; r.g = Infinity }',
    '(r) => { let a = 1; { r.i = a } { let a = 2; r.j = a } }',
    '(r) => { a = r.f; var a; r.g = a }',
    '(r) => { NaN = 1; r.f = NaN; { if (r.on) for (var NaN = 5; NaN < 6; NaN++); } r.g = NaN }',
    '(r) => { Infinity = r.g; switch (r.i) { case 1: var { f: Infinity } = r } r.e = Infinity }',
    'function (r) { var r; r.f = 1 }',
    '(r) => { let a = 1; switch (a) { case 1: let a = 2; r.i = a } }',
    '(r) => { switch (r.i & 3) { case 0: var a = 1; case 1: a = 2; r.f = a } }',
    '(r) => { const { i } = r; r = 1; r += i; r > 2 }',
    '(r) => { let m = r.m; m = m[1]; r.f = m }',
    '(r) => { let m = r.m; if (r.on) { m = r.m; m[0] = 3 } m[1] = 2 }',
  ])('hold the same values as in JavaScript: %s', (source) => {
    expectSame(source)
  })

  it.each([
    ['(r) => { let a; if (r.on) a = 1; r.f = a }', 'this has no value on some path that leads here.'],
    ['(r) => { let a; r.f = a }', 'this has no value on some path that leads here.'],
    [
      '(r) => { let a; if (r.on) a = 1; if (a === undefined) r.f = 1 }',
      'this has no value on some path that leads here.',
    ],
    [
      '(r) => { let a = 1; if (r.on) a = true; r.f = a }',
      "'a' would be a number on one path and a boolean on the other.",
    ],
    ['(r) => { const a = 1; a = 2 }', "'a' is a constant."],
    ['(r) => { const a = 1; a++ }', "'a' is a constant."],
    ['(r) => { const m = r.m; m = 1 }', "'m' is a constant."],
    [
      '(r) => { let m = r.m; if (r.on) m = 1; r.f = m }',
      'this is not the same on all paths that lead here: a number, a component or nothing on some, and another on others.',
    ],
    [
      '(r) => { let m = r.m; if (r.on) m = r.k; m[0] = 1 }',
      'this is not the same on all paths that lead here: a number, a component or nothing on some, and another on others.',
    ],
    [
      '(r) => { switch (r.i) { case 0: let a = 1; r.f = a; break; case 1: a = 2 } }',
      "'a' is used before it is declared, on some path that leads here.",
    ],
    ['function (r) { undefined = 1 }', "'undefined' cannot be assigned to."],
    ['function (r) { NaN = 1 }', "'NaN' cannot be assigned to."],
    ['(r) => { r.f = a; let a = 1 }', "'a' is used before it is declared."],
    ['(r) => { let a = 1; { r.f = a; let a = 2 } }', "'a' is used before it is declared."],
    ['(r) => { let a = 1; { a = 3; let { f: a } = r } }', "'a' is used before it is declared."],
    ['(r) => { let a = 1; { const b = a, a = 2 } }', "'a' is used before it is declared."],
    ['(r) => { let a = 1; { let a = a + 1 } }', "'a' is used before it is declared."],
    ['(r) => { let k = 1; for (let k = k; k < 3; k++); }', "'k' is used before it is declared."],
    ['(r) => { let k = 1; for (;;) { if (k > 0) break; let k = 3 } }', "'k' is used before it is declared."],
    [
      '(r) => { let a = 1; switch (a) { case 1: r.f = a; case 2: let a = 3 } }',
      "'a' is used before it is declared.",
    ],
    [
      '(r) => { let a = 1; switch (2) { case 1: let a = 3; case 2: r.f = a } }',
      "'a' is used before it is declared.",
    ],
    ['(r) => { { r.f = Math.abs(1); let Math = 2 } }', "'Math' is used before it is declared."],
    // It is undefined until then, not the one of the language.
    ['(r) => { r.f = Infinity; var Infinity = 1 }', 'this has no value on some path that leads here.'],
    [
      '(r) => { r.f = NaN; for (;;) { switch (1) { default: { if (r.on) var NaN = 1; else return } } } }',
      'this has no value on some path that leads here.',
    ],
    [
      '(r) => { if (r.f === undefined) r.g = 1; for (var { f: undefined } = r; ; ) break }',
      'this has no value on some path that leads here.',
    ],
    [
      '(r) => { r.f = Math.abs(1); if (r.on) {} else var Math = 2 }',
      'this has no value on some path that leads here.',
    ],
    ['(r) => { r.f = a; var a = 1 }', 'this has no value on some path that leads here.'],
    [
      '(r) => { console.log(r.f) }',
      "'console' is not supported: to look at values, make the loop with { mode: 'javascript' }.",
    ],
    ['(r) => { let { f } }', null],
    [
      '(r, s) => { r.f = s.f }',
      'nothing is given for parameter 2: compile was given 1 component and no values. The parameters are the components, without the entity of each: for the handle name entity first, compile([entity, …], (self, …) => …). Name the values, compile([…], { dt: f32 }, (…, { dt }) => …).',
    ],
  ] as const)('are refused in %s', (source, sentence) => {
    if (sentence === null) expect(() => functionOf(source)).toThrow(SyntaxError)
    else expect(refusalOf(source)).toBe(sentence)
  })

  it('are not taken from around the function, and must be declared', () => {
    for (const name of ['WALL', 'globalThis', 'arguments', 'constructor', '__proto__', 'isNaN', 'Date'])
      expect(refusalOf(`function (r) { r.f = ${name} }`)).toMatch(`'${name}' is not known here`)
    expect(refusalOf('(r, g, h) => {}', { values: { a: 1 } })).toBe('nothing is given for parameter 3.')
  })
})

describe('if', () => {
  it.each([
    '(r) => { if (r.f) r.i++; else r.j-- }',
    '(r) => { if (r.f > 0) { if (r.g > 0) r.i = 1; else r.i = 2 } else if (r.on) r.i = 3 }',
    '(r) => { if (r.f > r.g) return; r.d = 3; if (r.on) return; r.e = 4 }',
    '(r) => { if (true) r.i = 1; else r.nothing = 2 }',
    '(r) => { r.on && (r.i = 3); r.off || (r.j = r.i); r.on ? r.u = 1 : (r.v = 2, r.u = 3) }',
    '(r) => { if (r.on) { r.f = 1; { if (r.off) return; r.g = 2 } r.d = 3 } r.e = 4 }',
  ])('takes the same branch as in JavaScript: %s', (source) => {
    expectSame(source)
  })
})

describe('a switch', () => {
  it.each([
    '(r) => { switch (r.i & 3) { case 0: r.f = 1; break; case 1: r.f = 2; case 2: r.g = 3; break; default: r.g = 4 } }',
    '(r) => { switch (r.i & 3) { default: r.f = 1; case 1: r.g = 2; break; case 2: r.d = 3 } }',
    '(r) => { switch (r.i & 3) { case 0: r.f = 1; default: r.g = 2; case 3: r.d = 3 } }',
    '(r) => { switch (r.i & 3) { case 1: return; case 2: if (r.on) break; r.f = 1 } r.g = 2 }',
    '(r) => { let a = 0; switch (r.j & 3) { case a++: r.f = 1; break; case a++: r.g = 2; break; case a++: r.d = 3 } r.i = a }',
    '(r) => { switch (true) { case r.f > 1: r.i = 1; break; case r.f > 0: r.i = 2; break; case r.on: r.i = 3 } }',
    '(r) => { switch (r.i & 1) { case true: r.f = 1; break; case false: r.f = 2; break; case 1: r.f = 3 } }',
    '(r) => { switch (r.d) { case NaN: r.i = 1; break; case 0: r.i = 2; break; case -Infinity: r.i = 3 } }',
    '(r) => { switch (r.i & 1) { case 1: switch (r.j & 1) { case 1: r.f = 1; break; default: r.f = 2; break } r.g = 7 } }',
    '(r) => { for (let k = 0; k < 4; k++) { switch (r.i & k) { case 1: continue; case 2: break; case 3: r.f++ } r.g++ } }',
    '(r) => { switch (r.i & 1) { case 0: for (;;) { r.f = 2; break } r.g = 3; break; case 1: r.g = 4 } }',
    '(r) => { switch (r.i) {} r.f = 2 }',
    '(r) => { switch (2) { case 1: r.f = 1; case 2: r.f = 2; case 3: r.g = 3 } }',
    '(r) => { switch (r.i & 1) { case 0: { let a = 3; r.f = a } case 1: { let a = 4; r.g = a } } }',
  ])('falls through and breaks as in JavaScript: %s', (source) => {
    expectSame(source)
  })
})

describe('a loop', () => {
  it.each([
    '(r) => { for (let k = 0; k < 4; k++) r.m[k] += k }',
    '(r) => { for (let k = 0, n = r.m.length; k < n; k += 2) r.m[k] = n }',
    '(r) => { let k; for (k = 3; k >= 0; k--) r.m[k] = k; r.i = k }',
    '(r) => { for (let k = 0; k < 4 && r.f > k; k++) r.g += k }',
    '(r) => { for (let k = 0; k < 6; k++) { if (r.f > k) continue; if (r.g < k) break; r.i += k } r.j = 1 }',
    '(r) => { for (let k = 0; k < 4; k++) { if (r.i > k) return; r.j++ } r.g = 1 }',
    '(r) => { for (let k = 0; k < 3; k++) for (let j = 0; j < 3; j++) { if (r.i & k) break; if (r.j & j) continue; r.u++ } }',
    '(r) => { let k = 0; for (;;) { if (++k > 5) break; r.f += k } r.i = k }',
    '(r) => { let k = 0; for (; k < 3; ) { k++; if (k === 2) continue; r.i += k } }',
    '(r) => { let k = 0; for (; r.f > k && k < 9; k++); r.i = k }',
    '(r) => { for (var k = 0; k < 2; k++) { var a = k; } r.i = a + k }',
    '(r) => { for (let k = 0; false; k++) r.f = 1 }',
    '(r) => { for (let k = 0; k < 2; k++) { let k = 7; r.i += k } }',
  ])('runs as often as in JavaScript: %s', (source) => {
    expectSame(source)
  })

  const UNBOUNDED =
    'loops are unrolled, and these have more than 4096 rounds: give them a bound that is known when the function is compiled, for (let k = 0; k < 8 && …; k++).'
  const OPEN =
    'the number of rounds depends on values that are not known when the function is compiled: bound it by a number up to 128, for (let k = 0; k < 8 && …; k++).'
  it.each([
    ['(r) => { for (;;) r.f = 1 }', UNBOUNDED],
    ['(r) => { for (;;); }', UNBOUNDED],
    ['(r) => { for (let k = 0; k < 65; k++) for (let j = 0; j < 65; j++) r.i |= 1 }', UNBOUNDED],
    ['(r) => { for (let k = 0; k < r.i; k++) r.f = 1 }', OPEN],
    ['(r) => { for (let k = 0; k < 300 && r.f > k; k++) r.i = k }', OPEN],
    ['(r) => { break }', null],
  ] as const)('without a known bound is refused: %s', (source, sentence) => {
    if (sentence === null) expect(() => functionOf(source)).toThrow(SyntaxError)
    else expect(refusalOf(source)).toBe(sentence)
  })
})

describe('a returned value', () => {
  it.each(['sum', 'min', 'max', 'count'] as const)('becomes the %s', (result) => {
    for (const source of [
      '(r) => r.i',
      '(r) => r.d * 0.1',
      '(r) => { if (r.on) return; return r.f > 0 ? r.i : r.u }',
      '(r) => { if (r.on) return r.i; if (!r.on) return 3 }',
      '(r) => r.on',
      '(r) => { }',
      '(r) => { r.i++; return r.i & 1 }',
    ])
      for (const rows of [0, 1, 3, 4, 5, 63, 64, 65, 200]) expectSame(source, { result, rows })
  })

  it('is not kept if it is not used', () => {
    expectSame('(r) => { return r.i++ }')
    expectSame('(r) => r.on && (r.f = 1)')
  })
})

describe('a function among the values', () => {
  it.each([
    ['(r, { h }) => { r.f = h(r.f, r.g) }', '(a, b) => a < b ? a : b'],
    [
      '(r, { h }) => { r.d = h(r.f) + h(r.g) }',
      '(a) => { if (a > 0) return 1; if (a < 0) return -1; return 0 }',
    ],
    [
      '(r, { h }) => { r.i = h(r.i) }',
      'function (a) { for (let k = 0; k < 3; k++) { if (a & 1) return k; a >>= 1 } return -1 }',
    ],
    ['(r, { h }) => { h(r); r.g = 2 }', '(r) => { if (r.on) return; r.f = 1 }'],
    ['(r, { h }) => { if (h(r)) r.f = 1 }', '(r) => r.on && r.off'],
    [
      '(r, { h }) => { for (let k = 0; k < 2; k++) { if (h(k)) break; r.i++ } }',
      '(k) => { for (;;) { if (k) return true; return false } }',
    ],
    ['(r, { h }) => { let a = 1; r.i = h(2) + a }', '(b) => { var a = 5; return a + b }'],
    ['(r, { h }) => { r.f = h(r.f, 1, 2, 3) }', '(a) => a + 1'],
    ['(r, { h }) => { r.f = h(r.m, 2) }', '(m, k) => m[k] * m[k - 1]'],
    ['(r, { h }) => { r.i = h(r.i++, r.i) }', '(a, b) => a * 16 + b'],
    ['(r, { h }) => { switch (r.i & 1) { case h(r): r.f = 1; break; default: r.f = 2 } }', '(r) => r.j & 1'],
  ])('has the same result as in JavaScript: %s', (source, h) => {
    expectSame(source, { values: { h: helper(h) } })
  })

  it.each([
    [
      '(r, { h }) => { r.f = h(r.f) }',
      '(a) => { if (a > 0) return 1 }',
      'this has no value on some path that leads here.',
    ],
    ['(r, { h }) => { r.f = h(r.f) }', '(a) => {}', 'this has no value on some path that leads here.'],
    ['(r, { h }) => { r.f = h(r.f) }', '(a, b) => a + b', 'this is undefined here.'],
    [
      '(r, { h }) => { r.f = h(r.f) }',
      '(a) => { if (a > 0) return 1; return true }',
      'what is returned would be a number on one path and a boolean on the other.',
    ],
    ['(r, { h }) => { r.f = h }', '(a) => a', 'this is a function: call it.'],
    [
      '(r, { h }) => { r.f = h(r.f) }',
      '(a) => a + r.f',
      "'r' is not known here: a compiled function sees no variables from around it. Give it among the values, compile([…], { r }, (…, { r }) => …).",
    ],
    [
      '(r, { h }) => { r.f = h(r.f) }',
      '(a) => h(a)',
      "'h' is not known here: a compiled function sees no variables from around it. Give it among the values, compile([…], { h }, (…, { h }) => …).",
    ],
    [
      '(r, { h }) => { r.f = r.f(1) }',
      '(a) => a',
      'only functions of Math and functions that are given among the values can be called.',
    ],
  ])('is refused if it is not supported: %s, %s', (source, h, sentence) => {
    expect(refusalOf(source, { values: { h: helper(h) } })).toBe(sentence)
  })

  it('is refused if it has no source', () => {
    for (const h of [Math.max, helper('(a) => a').bind(null)])
      expect(refusalOf('(r, { h }) => { r.f = h(r.f, 1) }', { values: { h } })).toBe(
        'this function is bound or built in, and shows no source: give one that is written out.',
      )
  })
})
