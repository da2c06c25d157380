// Shows that no source makes the compiler work for long, however it is written: what it does is counted, in operations of maps, sets
// and lists, never in time.

import { describe, it } from 'vitest'
import { Graph } from '../../src/loopCompiler/graph'
import { make, makeOrRefuse } from '../../src/loopCompiler/make'
import type { LoopShape } from '../../src/loopCompiler/shapes'
import { TooLarge, Work } from '../../src/loopCompiler/work'
import { caughtFrom } from '../../../../tests/support/caught'
import { expect } from '../../../../tests/support/expect'

/** Steps that a compile is given here, a tenth of what it has; and the operations that it may make with them. */
const STEPS = 500_000
const MOST_OPERATIONS = 4 * STEPS
const COUNTED = [
  [Map.prototype, ['get', 'set', 'has']],
  [Set.prototype, ['add', 'has']],
  [Array.prototype, ['push', 'pop', 'flat', 'flatMap', 'map', 'find', 'findIndex', 'indexOf']],
] as const

const A = <T>(length: number, each: (k: number) => T): T[] => Array.from({ length }, (_, k) => each(k))
const field = (name: string, kind: 'f32' | 'f64' | 'i32' | 'bool', vec = 0) => ({ name, kind, vec })
const part = (name: string, isOptional = false): LoopShape['parts'][number] => ({
  name,
  fields: [
    field('x', 'f32'),
    field('y', 'f64'),
    field('i', 'i32'),
    field('b', 'bool'),
    field('m', 'f32', 3000),
  ],
  isReadonly: false,
  isOptional,
})
const helper = (text: string) => ({ source: { name: 'helper', text } })
const shapeOf = (text: string, values?: LoopShape['values'], parts = [part('P')]): LoopShape => ({
  parts,
  values,
  body: { name: 'body', text },
  result: 'none',
})

/** Counts what `go` does; past the limit each operation throws. */
function operationsOf(go: () => void): number {
  let count = 0
  const before = COUNTED.flatMap(([prototype, names]) =>
    names.map((name) => {
      const original = (prototype as never)[name] as (...given: unknown[]) => unknown
      const counting = function (this: unknown, ...given: unknown[]): unknown {
        if (++count > MOST_OPERATIONS) throw new Error('more operations than there are steps for')
        return Reflect.apply(original, this, given)
      }
      Object.defineProperty(prototype, name, { value: counting, writable: true, configurable: true })
      return (): unknown =>
        Object.defineProperty(prototype, name, { value: original, writable: true, configurable: true })
    }),
  )
  try {
    go()
  } finally {
    for (const back of before) back()
  }
  return count
}

const CELLS = 'for (let k = 0; k < 2000; k++) p.m[k] = k;'
const IFS = 'for (let k = 0; k < 2000; k++) {'
const doubled = 'b = (b && c) || (b && d); b = (b || c) && (b || e);'
const CASES: Readonly<Record<string, LoopShape>> = {
  'ifs with many cells': shapeOf(`p => { ${CELLS} ${IFS} ${'if (p.x > 1) p.y = 1; '.repeat(20)} } }`),
  'ifs with many variables': shapeOf(
    `p => { for (let k = 0; k < 2000; k++) { let a = 1; } ${IFS} ${'if (p.x > 1) p.y = 1; '.repeat(20)} } }`,
  ),
  '&& with many cells': shapeOf(`p => { ${CELLS} ${IFS} ${'p.x > 1 && (p.y = 1);'.repeat(20)} } }`),
  'choices with many cells': shapeOf(`p => { ${CELLS} ${IFS} p.y = ${'p.b || '.repeat(40)} p.b ? 1 : 0 } }`),
  'breaks with many cells': shapeOf(
    `p => { ${CELLS} for (let k = 0; k < 900; k++) if (p.m[k] + p.x > k) break }`,
  ),
  'cases with many cells': shapeOf(
    `p => { ${CELLS} for (let k = 0; k < 2000; k++) switch (p.i) { ${A(60, (k) => `case ${k}: p.x += ${k}; break;`).join('')} } }`,
  ),
  'calls of a helper that ends before it begins': shapeOf(
    `(p, g) => { for (let k = 0; k < 4000; k++) { ${'g.h();'.repeat(20)} } }`,
    { h: helper(`() => { return; ${'{ var a; }'.repeat(15_000)} }`) },
  ),
  'rounds that end before they begin': shapeOf(
    `p => { for (let k = 0; k < 4000; k++) { continue; ${';'.repeat(190_000)} } }`,
  ),
  'cases that none takes': shapeOf(
    `p => { for (let k = 0; k < 4000; k++) switch (0) { case 1: ${';'.repeat(150_000)} } }`,
  ),
  'names that are far out': shapeOf(
    `p => { ${'{'.repeat(1500)} let a = 1; ${'a = a + a + a + a;'.repeat(9000)} ${'}'.repeat(1500)} }`,
  ),
  'patterns of many names': shapeOf('(p, g) => { for (let k = 0; k < 4000; k++) g.h(p) }', {
    h: helper(`({ ${A(20_000, (k) => `x: a${k}`).join()} }) => {}`),
  }),
  'parameters that are not given': shapeOf('(p, g) => { for (let k = 0; k < 4000; k++) g.h() }', {
    h: helper(`(${A(20_000, (k) => `a${k}`).join()}) => {}`),
  }),
  'arguments of a constant': shapeOf(
    `p => { for (let k = 0; k < 4000; k++) p.x = Math.min(${'1,'.repeat(50_000)} 1) }`,
  ),
  'conditions that double': shapeOf('(p, g) => { p.x = g.h(p.b, p.x > 1, p.x > 2, p.x > 3) }', {
    h: helper(`(b, c, d, e) => { ${doubled.repeat(40)} if (b) return 1; if (c) return 2; return 3 }`),
  }),
  'choices by one condition': shapeOf(
    'p => { let a = p.y, d = p.x; for (let k = 0; k < 2400; k++) { a = (p.b ? a : 1) + 1; d = (p.b ? d : 2) * d } p.y = a + d }',
  ),
  'costly sides': shapeOf(
    'p => { let a = p.y; for (let k = 0; k < 60; k++) if (p.x > k) for (let j = 0; j < 60; j++) a = Math.sqrt(a + k + j) / 3; p.y = a }',
  ),
  'costly sides in a tree': shapeOf('(p, g) => { p.y = g.f(p.y, 0, g, p) }', {
    f: helper(
      '(v, n, g, p) => n > 9 ? v : p.m[n] > 3 ? Math.sqrt(g.f(Math.sqrt(v + n) / 3 / (v + 2), n + 1, g, p)) / 7 / v : g.f(Math.sqrt(v - n) / 5 / (v + 6), n + 1, g, p)',
    ),
  }),
  'all variants together': shapeOf(
    `(p, q, r, s, t) => { for (let k = 0; k < 4000; k++) { ${'1;'.repeat(35)} } }`,
    undefined,
    [part('P'), ...['Q', 'R', 'S', 'T'].map((name) => part(name, true))],
  ),
  'fields of a large component': shapeOf(
    `p => { for (let k = 0; k < 4000; k++) { ${'p.f8999;'.repeat(30)} } }`,
    undefined,
    [{ name: 'P', fields: A(9000, (k) => field(`f${k}`, 'f64')), isReadonly: false, isOptional: false }],
  ),
  'fields of which each is one more column': shapeOf(
    `p => { ${A(9000, (k) => `p.f${k};`).join('')} }`,
    undefined,
    [{ name: 'P', fields: A(9000, (k) => field(`f${k}`, 'f64')), isReadonly: false, isOptional: false }],
  ),
  'values that come with each run': shapeOf(
    `(p, g) => { for (let k = 0; k < 4000; k++) { ${'g.v8999;'.repeat(30)} } }`,
    Object.fromEntries(A(9000, (k) => [`v${k}`, { scalar: 'f64' } as const])),
  ),
}

describe('the work of a compile', () => {
  it.each(Object.keys(CASES))('is bounded for %s', (name) => {
    const count = operationsOf(() => {
      try {
        makeOrRefuse(CASES[name] as LoopShape, new Work(STEPS))
      } catch (error) {
        expect((error as Error).message).toMatch('this is too large')
      }
    })
    expect(count).toBeLessThan(MOST_OPERATIONS)
  })

  it('is refused with a sentence that says what to do, and a code', () => {
    const { message, code } = caughtFrom(() => make(CASES['ifs with many cells'] as LoopShape))
    expect(code).toBe('COMPILE_REFUSED')
    expect(message).toMatch('this is too large once its loops are unrolled and its calls are inlined')
  })

  it('is counted in one sum, wherever it is done', () => {
    const work = new Work(9)
    const graph = new Graph(work)
    graph.constant(1)
    work.spend(2)
    expect(() => graph.constant(2)).toThrow(TooLarge)
  })

  it('of an ordinary loop is a small part of the limit', () => {
    const nearest = `p => { let best = 1e9; for (let k = 0; k < 16; k++) { const d = Math.abs(p.m[k] - p.x); if (d < best) { best = d; p.i = k } } p.y = best }`
    const count = operationsOf(() => void make(shapeOf(nearest)))
    expect(count).toBeLessThan(MOST_OPERATIONS / 10)
  })
})
