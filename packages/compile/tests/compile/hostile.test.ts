// Shows that hostile sources end in a typed error with a sentence, or in a module that runs: deep, large or exponential ones, names
// that objects have already, functions that lie about themselves; and that none takes long.

import { describe, it } from 'vitest'
import { component, f32, f64 } from '../../../../bindings/index'
import { compile } from '../../src/compile/compile'
import { type LoopShape } from '../../src/loopCompiler/shapes'
import { make } from '../../src/loopCompiler/make'
import { codeOf } from '../../../../tests/support/caught'
import { Row, expectSame, functionOf, refusalOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'
import { testWorld } from '../../../../tests/support/world'

const TOO_LARGE = /too large once its loops are unrolled and its calls are inlined/
const A = <T>(length: number, each: (k: number) => T): T[] => Array.from({ length }, (_, k) => each(k))
const field = (name: string, kind: 'f32' | 'f64' | 'i32') => ({ name, kind, vec: 0 })
const PART = {
  name: 'P',
  fields: [field('x', 'f32'), field('y', 'f32'), field('d', 'f64'), field('i', 'i32')],
  isReadonly: false,
  isOptional: false,
} as const
const helper = (text: string) => ({ source: { name: 'helper', text } })

/** Compiles a source that no engine needs to have parsed. */
function made(text: string, values?: LoopShape['values']): Uint8Array {
  const { variants } = make({ parts: [PART], values, body: { name: 'hostile', text }, result: 'none' })
  const [{ kernel }] = variants as [(typeof variants)[0]]
  return Uint8Array.from(atob(kernel.code.bytes as string), (character) => character.charCodeAt(0))
}

/** Either a module that the engine compiles as a whole, or COMPILE_REFUSED. */
function outcome(text: string, values?: LoopShape['values']): 'made' | 'refused' {
  let bytes: Uint8Array
  try {
    bytes = made(text, values)
  } catch (error) {
    expect((error as { code?: string }).code, String(error)).toBe('COMPILE_REFUSED')
    expect((error as Error).message).toMatch(TOO_LARGE)
    return 'refused'
  }
  expect(WebAssembly.validate(bytes as Uint8Array<ArrayBuffer>)).toBe(true)
  return 'made'
}

describe('a deep source', () => {
  it.each([
    ['parentheses', `(p) => { p.x = ${'('.repeat(10_000)}1${')'.repeat(10_000)} }`],
    ['ifs', `(p) => { ${'if (p.x) {'.repeat(10_000)}${'}'.repeat(10_000)} }`],
    ['signs', `(p) => { p.x = ${'- '.repeat(10_000)}p.x }`],
    ['conditions', `(p) => { p.x = ${A(5000, (k) => `p.x > ${k} ? ${k} : `).join('')} 0 }`],
    ['blocks', `(p) => ${'{'.repeat(20_000)}${'}'.repeat(20_000)}`],
    ['assignments', `(p) => { ${'p.x = '.repeat(10_000)} 1 }`],
    ['products', `(p) => { ${'p.d = p.d * 1.5 + p.x;'.repeat(6000)} }`],
    ['returns', `(p) => { ${A(3000, (k) => `if (p.x > ${k}) return; p.y += ${k};`).join('')} }`],
    ['cases', `(p) => { switch (p.i) { ${A(2000, (k) => `case ${k}: p.x += ${k};`).join('')} } }`],
  ])('of %s is refused', (_, source) => {
    expect(outcome(source)).toBe('refused')
  })
})

describe('a large source', () => {
  it.each([
    ['statements', `(p) => { ${'p.x = 1;'.repeat(400_000)} }`],
    ['spaces', `(p) => { ${' '.repeat(5e6)} p.x = 1 }`],
    ['a comment', `(p) => { /*${'x'.repeat(5e6)}*/ p.x = 1 }`],
    ['a string', `(p) => { '${'x'.repeat(5e6)}'; p.x = 1 }`],
    ['a name', `(p) => { p.x = ${'a'.repeat(5e6)} }`],
    ['a number', `(p) => { p.x = ${'1'.repeat(5e6)} }`],
    ['constants', `(p) => { for (let k = 0; k < 4000; k++) { ${'p.x = 1;'.repeat(4000)} } }`],
    [
      'variables',
      `(p) => { ${A(3000, (k) => `let a${k} = p.y * ${k}; if (p.x > ${k}) a${k} += 1;`).join('')} }`,
    ],
    ['rounds', '(p) => { for (let k = 0; k < 4000; k++) p.x = p.x * 1.5 + p.x }'],
    ['ifs', `(p) => { ${'if (p.x) p.x += 1;'.repeat(9000)} }`],
  ])('of %s is refused', (_, source) => {
    expect(outcome(source)).toBe('refused')
  })

  it('needs at most as many locals as engines have', () => {
    const lines = A(130, (k) => `let a${k} = p.d + ${k}; ${`a${k} *= a${k};`.repeat(135)}`)
    expect(outcome(`(p) => { ${lines.join('')} p.d = ${A(130, (k) => `a${k}`).join('+')} }`)).toBe('refused')
  })

  it('takes at most as many parameters as a kernel has', () => {
    const values = Object.fromEntries(A(130, (k) => [`v${k}`, { scalar: 'f64' } as const]))
    expect(codeOf(() => made('(p, g) => { p.x = g.v7 }', values))).toBe('COMPILE_REFUSED')
  })
})

describe('an exponential source', () => {
  const doubling = Object.fromEntries(
    A(31, (k) => [`f${k}`, helper(k === 30 ? 'x => x' : `(x, g) => g.f${k + 1}(x, g) + g.f${k + 1}(x, g)`)]),
  )
  it.each([
    ['helpers that call the next one twice', '(p, g) => { p.x = g.f0(p.x, g) }', doubling],
    ['the same over a constant', '(p, g) => { p.x = g.f0(1, g) }', doubling],
    [
      'a helper that calls itself',
      '(p, g) => { p.x = g.f(p.x, g) }',
      { f: helper('(x, g) => x > 0 ? g.f(x - 1, g) : x') },
    ],
    [
      'one that does so twice',
      '(p, g) => { p.x = g.f(p.x, g) }',
      { f: helper('(x, g) => g.f(g.f(x, g), g)') },
    ],
    [
      'one that ends',
      '(p, g) => { p.x = g.f(32, g) }',
      { f: helper('(n, g) => n < 2 ? n : g.f(n - 1, g) + g.f(n - 2, g)') },
    ],
  ])('of %s is refused', (_, source, values) => {
    expect(outcome(source, values)).toBe('refused')
  })

  it('of costly branches in sequence is written once', () => {
    const sides = (n: number): number =>
      made(
        `(p) => { let s = p.d; ${A(n, (k) => `if (p.x > ${k}) s = Math.sqrt(s * ${k} + p.y) / (s + ${k}) / p.y;`).join('\n')} p.d = s }`,
      ).length
    expect(sides(40)).toBeLessThan(3 * sides(20))
  })

  it('of nested costly branches is written once', () => {
    const sides = (n: number): number =>
      made(
        `(p) => { let s = p.d; ${A(n, (k) => `if (s > ${k}) { s = Math.sqrt(s * ${k} + p.y) / (s + ${k}) / p.y;`).join('\n')} ${'}'.repeat(n)} p.d = s }`,
      ).length
    expect(sides(40)).toBeLessThan(3 * sides(20))
  })
})

describe('a hostile name', () => {
  it('of a function is not shown', () => {
    for (const name of ['\ud800', 'x'.repeat(1e6), '', 'a\nb', {}, null, Symbol('s')]) {
      const body = Object.defineProperty(functionOf('(r) => { r.f = 2 }'), 'name', { value: name })
      expectSame(body, { rows: 5 })
    }
  })

  it('of a field or a value is an ordinary name', () => {
    const Odd = component('Odd', { constructor: f32, hasOwnProperty: f32, toString: f64, valueOf: f32 })
    const world = testWorld()
    const handle = world.spawn(Odd({ constructor: 1, hasOwnProperty: 2, toString: 3, valueOf: 4 }))
    const body = functionOf(
      '(o, g) => { o.constructor += g.hasOwnProperty; o.toString *= g.valueOf; o.valueOf = o.hasOwnProperty }',
    )
    const loop = compile([Odd], { hasOwnProperty: 5, valueOf: f32 }, body as never, { mode: 'compiled' })
    world.query(Odd).run(loop as never, { valueOf: 0.5 } as never)
    expect(world.get(handle, Odd)).toEqual({ constructor: 6, hasOwnProperty: 2, toString: 1.5, valueOf: 2 })
  })

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'prototype', 'name'])(
    '%s is unknown in every position',
    (name) => {
      expect(refusalOf(`(r) => { r.f = ${name} }`)).toMatch(`'${name}' is not known here`)
      expect(refusalOf(`(r) => { r.${name} = 1 }`)).toMatch(`Row has no field '${name}'`)
      expect(refusalOf(`(r, g) => { r.f = g.${name} }`, { values: { a: 1 } })).toMatch(
        `'${name}' is not among the values`,
      )
      expect(refusalOf(`(r) => { r.f = Math.${name}(1) }`)).toBe(`Math has no ${name}.`)
      expect(refusalOf(`(r) => { r.f = Number.${name} }`)).toBe(`Number.${name} is not supported.`)
      expect(refusalOf(`(r) => { r.f = r.m.${name} }`)).toBe(`there is no '${name}' here.`)
    },
  )
})

describe('a body that is not a function over a row', () => {
  it('is refused, or runs as JavaScript', () => {
    const { get } = Object.getOwnPropertyDescriptor(functionOf('({ get f() { return 1 } })'), 'f') as {
      get(): unknown
    }
    const refused = [
      'async (r) => {}',
      'async function (r) {}',
      'function* (r) {}',
      'async function* (r) {}',
      'class { constructor(r) {} }',
      'class A {}',
    ]
    for (const source of refused) expect(refusalOf(source)).toMatch(/\.$/)
    expect(refusalOf(get as never)).toMatch(/\.$/)
    for (const body of [
      Math.sqrt,
      functionOf('(r) => {}').bind(null),
      new Proxy(functionOf('(r) => {}'), {}),
    ]) {
      expect(compile([Row], body as never).reason).toMatch('bound or built in')
      expect(codeOf(() => compile([Row], body as never, { mode: 'compiled' }))).toBe('COMPILE_REFUSED')
    }
  })

  it('is refused if it is not a function', () => {
    for (const wrong of [undefined, null, 1, 'r => {}', {}, [], Symbol('s')])
      expect(codeOf(() => compile([Row], wrong as never))).toBe('INVALID_BINDING')
  })
})

describe('hostile declarations', () => {
  const body = functionOf('(r) => { r.f = 2 }') as never
  it('are checked', () => {
    const lists: unknown[] = [
      undefined,
      {},
      'Row',
      [undefined],
      [null],
      [{}],
      [() => {}],
      [Row, Row],
      [[Row]],
      [{ read: {} }],
      [{ operator: 'optional', components: [] }],
    ]
    for (const list of lists) expect(codeOf(() => compile(list as never, body))).toBe('INVALID_BINDING')
    const values: unknown[] = ['x', null, undefined, [], {}, 5n, Symbol('s'), new Date(), Row]
    for (const value of values)
      expect(codeOf(() => compile([Row], { value } as never, body))).toBe('INVALID_BINDING')
    for (const options of [{ as: 'wasm' }, { result: 'mean' }, { nothing: 1 }])
      expect(codeOf(() => compile([Row], body, options as never))).toBe('INVALID_OPTION')
  })

  it('are read once', () => {
    let reads = 0
    const values = {
      get a() {
        return ++reads
      },
    }
    const loop = compile([Row], values as never, functionOf('(r, { a }) => { r.f = a + a }') as never)
    expect(loop.mode).toBe('compiled')
    expect(reads).toBe(1)
  })

  it('that are proxies of components bind, or are refused in a sentence', () => {
    const world = testWorld()
    world.spawn(Row)
    const proxy = new Proxy(Row, {})
    const code = codeOf(() => world.query(Row).run(compile([proxy], body)))
    expect(['nothing thrown', 'INVALID_BINDING', 'NOT_A_COLUMN', 'INVALID_COMPONENT']).toContain(code)
  })
})
