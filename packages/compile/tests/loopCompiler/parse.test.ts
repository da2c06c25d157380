// Shows that a source is read as JavaScript reads it: line ends, semicolons, precedence; and what of it is refused, where.

import { describe, it } from 'vitest'
import { expectSame, functionOf, refusalOf, refusedWith } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'

const FUNCTIONS =
  'a compiled function cannot contain another function: give it among the values, and call it from there.'
const ALLOCATES =
  'a compiled function allocates nothing: use variables or a vec field instead of arrays and objects.'

describe('a source', () => {
  it.each([
    ['a function', 'function (r) { r.f = 1 }'],
    ['one with a name', 'function step(r) { r.f = 1 }'],
    ['an arrow function of one parameter', 'r => { r.f = 1 }'],
    ['one that is an expression', '(r) => r.f = 1'],
    ['one that takes fields out', '({ f, m }, ) => { m[0] = f }'],
    ['one that renames them', '({ f: from, m: { length } }) => { from += length }'],
    ['a directive', "(r) => { 'use strict'; r.f = 1 }"],
  ])('may be %s', (_, source) => {
    expectSame(source)
  })

  it('may be a method', () => {
    expectSame((functionOf('({ step(r) { r.f = 1 } })') as unknown as { step(): void }).step)
  })

  it.each([
    '(r) => { r.i = 0x1F + 0b101 + 0o17 + 1_000 + .5 + 5. + 1e3 + 2E-2 + 0.5e+1 }',
    '(r) => { r.i = r.i+ +r.j- -r.i; r.j = r.i---r.j }',
    '(r) => { r.d = r.on?.5:.25 }',
    '(r) => { r.d = 2 + 3 * 4 - 5 / 2 % 1; r.i = 1 | 2 ^ 3 & 4 << 1 >>> 1 >> 1 }',
    '(r) => { r.on = r.i < r.j === r.u >= r.v; r.off = (r.i | 0) > 1 && r.on || r.on && !r.off }',
    '(r) => { r.f = r.on ? r.off ? 1 : 2 : r.off ? 3 : 4 }',
    '(r) => { let a, b; a = b = r.f; r.g = (a, b) }',
    '(r) => { // a comment\n r.i = 5 /* and\nanother */ r.j = 3 }',
  ])('is read as JavaScript reads it: %s', (source) => {
    expectSame(source)
  })

  it.each([
    ['LF', '\n'],
    ['CR', '\r'],
    ['CR LF', '\r\n'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
  ])('has lines that end in %s', (_, end) => {
    expectSame(
      `(r) => { // comment${end} r.i = 5${end}++r.i${end}let a = r.i${end}r.j = a; return${end} r.i = 3 }`,
    )
  })

  it.each([
    "({ 'x-y'(r) { r.f = 1 } })['x-y']",
    '({ 12(r) { r.f = 2 } })[12]',
    "({ ['a' + [0][0]](r) { r.f = 3 } }).a0",
    '({ async(r) { r.f = 4 } }).async',
    '({ class(r) { r.f = 5 } }).class',
    '({ get(r) { r.f = 6 } }).get',
    '({ function(r) { r.f = 7 } }).function',
    'class { static #q(r) { r.f = 8 } static get q() { return this.#q } }.q',
    'function async(r) { r.f = 9 }',
    'async => { async.f = 10 }',
    '(async) => { async.f = 11 }',
  ])('may be a method, under any name: %s', (source) => {
    expectSame(functionOf(source))
  })

  it.each([
    ['({ async m(r) {} }).m', 'a compiled function cannot be async.'],
    ['({ *m(r) {} }).m', 'a compiled function cannot be a generator.'],
    ['class A { constructor(r) { r.f = 1 } }', 'a class is no function over a row.'],
    ['async r => {}', 'a compiled function cannot be async.'],
    ['async function (r) {}', 'a compiled function cannot be async.'],
    ['async (r) => {}', 'a compiled function cannot be async.'],
    ['function* (r) {}', 'a compiled function cannot be a generator.'],
    ['class { constructor(r) { r.f = 1 } }', 'a class is no function over a row.'],
    ['(r = 1) => {}', 'a parameter cannot have a default.'],
    ['({ f = 1 }) => {}', 'a property cannot have a default.'],
    ['({ ...f }) => {}', 'only names can be taken out of this.'],
    ['(...r) => {}', 'a name is expected here, not ....'],
    ['([r]) => {}', 'a list cannot be taken apart: write const x = v[0].'],
    ['(r) => { out: for (;;) break out }', 'labels are not supported.'],
    [
      '(r) => { for (const k in r) r.f = 1 }',
      'for … in is not supported: count with for (let k = 0; k < 4; k++).',
    ],
    [
      '(r) => { for (const k of r) r.f = 1 }',
      'for … of is not supported: count with for (let k = 0; k < 4; k++).',
    ],
    [
      '(r) => { while (r.on) r.f = 1 }',
      'while is not supported: count to a number that is known, for (let k = 0; k < 8 && …; k++).',
    ],
    [
      '(r) => { do r.f = 1; while (r.on) }',
      'do is not supported: count to a number that is known, for (let k = 0; k < 8 && …; k++).',
    ],
    ['(r) => { try { r.f = 1 } catch {} }', 'try is not supported.'],
    ['(r) => { throw 1 }', 'throw is not supported.'],
    [
      '(r) => { debugger }',
      "'debugger' is not supported: to look at values, make the loop with { mode: 'javascript' }.",
    ],
    ['(r) => { r.f = new Date() }', 'new is not supported.'],
    ['function (r) { with (r) f = 1 }', 'with is not supported.'],
    ['function (r) { r.f = this.x }', "'this' is not supported: take what you need as a parameter."],
    ['(r) => { function f() {} }', FUNCTIONS],
    ['(r) => { class A {} }', FUNCTIONS],
    ['(r) => { const f = x => x }', FUNCTIONS],
    ['(r) => { const f = (x) => x }', FUNCTIONS],
    ['(r) => { r.f = (function () { return 1 })() }', FUNCTIONS],
    ["(r) => { r.f = 'a' }", 'a compiled function has no strings.'],
    ['(r) => { r.f = `a` }', 'a compiled function has no strings.'],
    ['(r) => { r.f = "a" }', 'a compiled function has no strings.'],
    ["(r) => { if (typeof r.f === 'number') r.f = 1 }", 'a compiled function has no strings.'],
    ['(r) => { r.f = 5n }', 'a compiled function has no BigInt.'],
    ['(r) => { r.f = /a/ }', 'a compiled function has no regular expressions.'],
    ['(r) => { const a = [1] }', ALLOCATES],
    ['(r) => { const a = { x: 1 } }', ALLOCATES],
    ['(r) => { [r.f, r.g] = [r.g, r.f] }', ALLOCATES],
    ['(r) => { r.f = Math.max(...r.m) }', 'arguments cannot be spread.'],
    ['(r) => { r.f = Math?.[0] }', 'only the values of a vec are reached by number.'],
    ['(r) => { r.f = Math.sqrt?.(2) }', "'?.' can only be followed by the name of a field."],
    ['function (r) { r.i = 010 }', 'a number with a 0 before it may be octal: write 0o17, or 17.'],
    ['function (r) { r.i = 08 }', 'a number with a 0 before it may be octal: write 0o17, or 17.'],
    ['function (r) { r.on = r.i <!--r.j\n }', '<!-- is not expected here.'],
    ['function (r) { r.i = 3\n--> r.j = 3\n }', '> is not expected here.'],
    ['(r) => { r.\\u0066 = 1 }', "'\\' is not expected here."],
  ])('is refused where it is %s', (source, sentence) => {
    expect(refusalOf(source)).toBe(sentence)
  })

  it('is refused as a getter', () => {
    const { get } = Object.getOwnPropertyDescriptor(
      functionOf('({ get f() { return 1 } })') as object,
      'f',
    ) as { get(): number }
    expect(refusalOf(get)).toBe("'(' is expected here, not f.")
  })

  it('is shown with a caret under the place, by line and column', () => {
    expect(refusedWith('(r) => {\n  r.f = 1\n\tr.g = WALL\n}')).toBe(
      "compile: line 3 of the function, column 8: 'WALL' is not known here: a compiled function sees no variables from around it. Give it among the values, compile([…], { WALL }, (…, { WALL }) => …).\n" +
        '\tr.g = WALL\n\t      ^^^^',
    )
  })

  it('is shown around the place where its line is long', () => {
    const [, line, caret] = refusedWith(`(r) => { ${'r.f = 1; '.repeat(50)} r.g = WALL }`).split(
      '\n',
    ) as string[]
    expect(line?.length).toBeLessThan(121)
    expect(line?.slice(caret?.indexOf('^'))).toBe('WALL }')
  })

  it('is the source of the function, whatever its toString returns', () => {
    const body = Object.assign(functionOf('(r) => { r.f = 1 }'), { toString: () => '(r) => { r.f = 2 }' })
    expectSame(body)
  })
})
