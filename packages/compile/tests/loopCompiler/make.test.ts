// Shows what a loop is compiled to: the description of a kernel, its parameters, and a variant for each set of optional components.

import { describe, it } from 'vitest'
import { type Query, changed, component, entity, f32, optional, text, vec } from '../../../../bindings/index'
import { compile, read } from '../../src/compile/compile'
import { make } from '../../src/loopCompiler/make'
import type { LoopShape } from '../../src/loopCompiler/shapes'
import { Row, functionOf, refusalOf } from '../support/bothForms'
import { caughtFrom } from '../../../../tests/support/caught'
import { expect } from '../../../../tests/support/expect'
import { testWorld } from '../../../../tests/support/world'

const A = component('A', { x: f32 })
const B = component('B', { x: f32, m: vec(f32, 2) })
const C = component('C', { x: f32 })

const shape = (text: string, others: Partial<LoopShape> = {}): LoopShape => ({
  parts: [
    {
      name: 'P',
      fields: [
        { name: 'x', kind: 'f32', vec: 0 },
        { name: 'm', kind: 'f64', vec: 3 },
      ],
      isReadonly: false,
      isOptional: false,
    },
  ],
  values: { dt: { scalar: 'f64' }, P: { resource: 'P', fields: [{ name: 'x', kind: 'f32', vec: 0 }] } },
  body: { name: 'step', text },
  result: 'none',
  ...others,
})

describe('a compiled function', () => {
  it('is a kernel with a parameter for each field that it uses, and each value', () => {
    const { variants } = make(shape('(p, { dt, P }) => { p.m[1] = p.x * dt + P.x }'))
    expect(variants.length).toBe(1)
    expect(variants[0]?.kernel).toMatchObject({
      kernel: 'step',
      format: 2,
      result: 'none',
      parameters: [
        { name: 'P.x', role: 'column', kind: 'f32', length: 1, writes: false },
        { name: 'P.m', role: 'column', kind: 'f64', length: 3, writes: true },
        { name: 'dt', role: 'scalar', kind: 'f64' },
        { name: 'P.x´', role: 'resource', kind: 'f32' },
      ],
    })
    expect(variants[0]?.columns).toEqual({ 'P.x': [0, 'x'], 'P.m': [0, 'm'] })
    expect(variants[0]?.resources).toEqual({ 'P.x´': ['P', 'x'] })
  })

  it('has a variant for each set of optional components', () => {
    const optionalPart = (name: string) => ({
      name,
      fields: [{ name: 'x', kind: 'f32' as const, vec: 0 }],
      isReadonly: false,
      isOptional: true,
    })
    const parts = ['a', 'b', 'c'].map(optionalPart)
    const { variants } = make(
      shape('(a, b, c) => { if (a && c) a.x = c.x; if (b) b.x = 1 }', { parts, values: undefined }),
    )
    expect(variants.map(({ columns }) => Object.keys(columns).sort().join())).toEqual([
      'a.x,b.x,c.x',
      'b.x',
      'a.x,c.x',
      '',
      'b.x',
      'b.x',
      '',
      '',
    ])
    const many = ['a', 'b', 'c', 'd', 'e'].map(optionalPart)
    expect(caughtFrom(() => make(shape('() => {}', { parts: many }))).message).toBe(
      'compile: step has 5 optional components, and at most 4 can be.',
    )
  })

  it('is the same whenever it is made', () => {
    const source =
      '(p, { dt }) => { for (let k = 0; k < 3; k++) if (p.m[k] > dt) p.m[k] = Math.sqrt(p.m[k]) / p.x }'
    expect(make(shape(source))).toEqual(make(shape(source)))
  })

  it.each([
    [
      '(r) => { r.f = r.g }',
      [read(Row)],
      'Row is only read here: leave out read(Row) to assign to its fields.',
    ],
    [
      '(n) => { n.label }',
      [component('Named', { label: text, n: f32 })],
      'Named.label is a text, which a compiled function cannot read: keep a number beside it.',
    ],
    [
      '(a, b) => { b.x = 1 }',
      [A, optional(B)],
      'some entities have no such component: test it first, with if, or write ?.x.',
    ],
    [
      '(a, b) => { b.x++ }',
      [A, optional(B)],
      'some entities have no such component: test it first, with if, or write ?.x.',
    ],
    [
      '(a, b) => { a.x = b.x }',
      [A, optional(B)],
      'some entities have no such component: test it first, with if, or write ?.x.',
    ],
    ['(a, b) => { a.x = b?.x }', [A, optional(B)], 'this is undefined here.'],
    ['(a, self) => { self = 1 }', [A, entity], null],
    [
      '(a, self) => { self.x = 1 }',
      [A, entity],
      'only variables and the fields of components can be assigned to.',
    ],
  ] as const)('is refused: %s', (source, parts, sentence) => {
    if (sentence === null) expect(compile(parts as never, functionOf(source) as never).mode).toBe('compiled')
    else expect(refusalOf(source, { parts: parts as never })).toBe(sentence)
  })

  it('marks a component only in the chunks where it is assigned', () => {
    const marked = (['compiled', 'javascript'] as const).map((mode) => {
      const world = testWorld()
      for (let k = 0; k < 20; k++)
        world.spawn(A({ x: k }), ...(k % 2 ? [B({ x: k })] : []), ...(k % 3 ? [C] : []))
      const marks = [A, B, C].map((each) => world.query(changed(each)))
      for (const each of marks) each.entities()
      world.advanceTick()
      const query = world.query(A, optional(B), optional(C)) as unknown as Query
      const source = '(a, b, c) => { if (b) a.x = b.m[0]; else if (c) c.x = 2 }'
      ;(query as unknown as { run(loop: unknown): void }).run(
        compile([A, optional(B), optional(C)], functionOf(source) as never, { mode }),
      )
      return marks.map((each) => Array.from(each.entities()))
    })
    expect(marked[0]).toEqual(marked[1])
    expect(marked[0]?.map(({ length }) => length)).toEqual([10, 0, 6])
  })
})
