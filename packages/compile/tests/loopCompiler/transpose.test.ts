// Shows that vecs are read and written as squares of four values where there are such, with the values of JavaScript in every place.

import { describe, it } from 'vitest'
import { type World, component, entity, f32, f64, i32, u32, vec } from '../../../../bindings/index'
import { compile } from '../../src/compile/compile'
import { make } from '../../src/loopCompiler/make'
import { V128_STORE32_LANE } from '../../src/loopCompiler/opcodes'
import { EDGES, functionOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'
import { plainWorld, testWorld } from '../../../../tests/support/world'

const TYPES = { f32, f64, i32, u32, entity }
type Kind = keyof typeof TYPES
const LENGTHS = [3, 4, 5, 7, 8, 16]
const ROWS = [1, 3, 4, 5, 63, 64, 65]

const range = (length: number): number[] => Array.from({ length }, (_, k) => k)

/** Every value of both vecs, after a run in a world of so many rows. */
function held(
  kind: Kind,
  length: number,
  rows: number,
  source: string,
  mode: 'compiled' | 'javascript',
): number[] {
  const Vecs = component('Vecs', { a: vec(TYPES[kind], length), b: vec(TYPES[kind], length) } as never)
  const world: World = mode === 'compiled' ? testWorld() : plainWorld()
  const valueOf = (at: number): number => {
    const edge = EDGES[at % EDGES.length] as number
    return kind.startsWith('f') ? edge : kind === 'i32' ? edge | 0 : edge >>> 0
  }
  for (let row = 0; row < rows; row++) {
    const [a, b] = [0, 5].map((from) => range(length).map((k) => valueOf(row * length + k + from)))
    world.spawn((Vecs as unknown as (values: object) => never)({ a, b }))
  }
  const loop = compile([Vecs as never], functionOf(source) as never, { mode })
  expect(loop.mode).toBe(mode)
  world.query(Vecs as never).run(loop as never)
  const found: number[] = []
  for (const chunk of world.query(Vecs as never)) {
    const { a, b } = chunk.read(Vecs as never) as Record<'a' | 'b', Float64Array>
    found.push(...a.slice(0, rows * length), ...b.slice(0, rows * length))
  }
  world.dispose()
  return found
}

function expectSame(kind: Kind, length: number, source: string): void {
  for (const rows of ROWS)
    expect(held(kind, length, rows, source, 'compiled'), `${kind} ${length} ${rows}: ${source}`).toEqual(
      held(kind, length, rows, source, 'javascript'),
    )
}

/** A statement for each of these values. */
const each = (places: readonly number[], statement: (k: number) => string): string =>
  `(v) => { ${places.map(statement).join('; ')} }`

describe.each(Object.keys(TYPES) as Kind[])('A vec of %s', (kind) => {
  it.each(LENGTHS)('of %i values is read and written whole, transposed, and value by value', (length) => {
    const all = range(length)
    expectSame(
      kind,
      length,
      each(all, (k) => `v.a[${k}] = v.b[${k}]`),
    )
    expectSame(
      kind,
      length,
      each(all, (k) => `v.a[${k}] = v.b[${length - 1 - k}] * 3 + v.a[${k}]`),
    )
    for (const place of all) expectSame(kind, length, `(v) => { v.a[${place}] = v.b[${place}] + 1 }`)
  })

  it.each([4, 8])('of %i values is read before it is overwritten', (length) => {
    const all = range(length)
    const next = (k: number): number => (k + 1) % length
    // Both vecs change places, turned by one: each store overwrites what a later one reads.
    const old = all.map((k) => `a${k} = v.a[${k}], b${k} = v.b[${k}]`).join(', ')
    const swap = all.map((k) => `v.a[${k}] = b${next(k)}; v.b[${k}] = a${next(k)}`).join('; ')
    expectSame(kind, length, `(v) => { const ${old}; ${swap} }`)
    // Four stores beside each other, of two vecs.
    expectSame(kind, length, '(v) => { v.a[0] = 1; v.a[1] = v.b[0]; v.a[2] = v.b[3]; v.b[3] = v.a[1] }')
    // Three of a square are read, and the fourth is written before.
    expectSame(kind, length, '(v) => { v.a[0] = 7; v.b[1] = v.a[1] + v.a[2] * v.a[3] }')
  })

  it('is read in branches that only some rows take', () => {
    const long = (name: string): string =>
      range(16)
        .map((k) => `v.${name}[${k}] / (v.${name}[${15 - k}] + 0.1)`)
        .join(' + ')
    expectSame(kind, 16, `(v) => { v.a[3] = v.b[1] > 1 ? ${long('a')} : v.b[2] > 0 ? ${long('b')} : v.a[0] }`)
    expectSame(
      kind,
      16,
      `(v) => { if (v.b[0] > 0) { for (let k = 0; k < 16; k++) v.a[k] = ${long('b')} } else v.b[5] = v.a[4] }`,
    )
  })
})

describe('A square', () => {
  /** How many values of one row the code of a body stores by themselves. */
  const lanesStored = (source: string): number => {
    const fields = ['a', 'b'].map((name) => ({ name, kind: 'f32' as const, vec: 8 }))
    const parts = [{ name: 'Vecs', fields, isReadonly: false, isOptional: false }]
    const made = make({ parts, values: undefined, body: { name: 'body', text: source }, result: 'none' })
    const code = atob(made.variants[0]?.kernel.code.bytes as string)
    return code.split(String.fromCharCode(0xfd, V128_STORE32_LANE)).length - 1
  }

  it('is written as four vectors, and other values one by one', () => {
    expect(lanesStored(each([4, 5, 6, 7], (k) => `v.a[${k}] = v.b[${k}]`))).toBe(0)
    expect(lanesStored(each([2, 3, 4, 5], (k) => `v.a[${k}] = v.b[${k}]`))).toBe(16)
    expect(lanesStored(each([0, 1, 2, 3, 4], (k) => `v.a[${k}] = v.b[${k}]`))).toBe(4)
  })
})
