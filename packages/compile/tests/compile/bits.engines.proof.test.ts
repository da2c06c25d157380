// Shows each operation of floats and of whole numbers on random bits, denormals favoured: a compiled loop gives the bits of JavaScript.

import { describe, it } from 'vitest'
import { component, f32, f64, i32, spawnMany, u32 } from '../../../../bindings/index'
import { compile } from '../../src/compile/compile'
import { functionOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'
import { proofLength } from '../../../../tests/support/proofs'
import { seededRandom } from '../../../../tests/support/storages'
import { testWorld } from '../../../../tests/support/world'

const ROWS = 1003
const ROUNDS = proofLength(64)

const OF_TWO = [
  'a + b',
  'a - b',
  'a * b',
  'a / b',
  'Math.min(a, b)',
  'Math.max(a, b)',
  'a < b ? a : b',
  'a <= b ? b : a',
  'a === b ? 1 : 0',
]
const OF_ONE = [
  'Math.sqrt(a)',
  'Math.abs(a)',
  '-a',
  'Math.floor(a)',
  'Math.ceil(a)',
  'Math.trunc(a)',
  'Math.round(a)',
  'Math.sign(a)',
  'Math.fround(a)',
  'a ? 1 : 0',
  'a < 0.1 ? 1 : 0',
  'a > 1e-40 ? 1 : 0',
  'a <= 1e300 ? 1 : 0',
  'Math.fround(a + 0.1)',
]
const OF_WHOLE = [
  'a & b',
  'a | b',
  'a ^ b',
  'a << b',
  'a >> b',
  'a >>> b',
  'Math.imul(a, b)',
  'Math.clz32(a)',
  '~a',
  'a | 0',
  'a >>> 0',
  'Math.min(a | 0, b | 0)',
  'Math.max(a >>> 0, b >>> 0)',
  'Math.abs(a | 0)',
  '(a | 0) % (b | 0)',
  '(a >>> 0) % (b >>> 0)',
  '(a | 0) % 4000000000',
  '(a | 0) * (b & 1023)',
  '(a | 0) + (b >>> 0)',
  '(a >>> 0) < (b >>> 0) ? 1 : 0',
  '(a | 0) < (b >>> 0) ? 1 : 0',
]

/** Random bits of an f32: denormals, numbers near each other, short ones, any. */
function bitsBy(random: () => number): () => number {
  const word = (): number => Math.floor(random() * 2 ** 32)
  return () => {
    const r = word()
    switch (Math.floor(random() * 6)) {
      case 0:
        return r & 0x80ffffff
      case 1:
        return (r & 0x807fffff) | ((126 + ((r >>> 23) % 30)) << 23)
      case 2:
        return (r & 0x80000007) | ((r >>> 24) << 23)
    }
    return r
  }
}

/** The bits of f64: any, near the border of f32, halves between two f32, denormals. */
function fillWide(array: Float64Array, random: () => number): void {
  const bits = bitsBy(random)
  const words = new Uint32Array(array.buffer)
  const floats = new Float32Array(1)
  const single = new Int32Array(floats.buffer)
  for (let k = 0; k < array.length; k++) {
    single[0] = bits()
    const way = Math.floor(random() * 5)
    if (way === 0) {
      words[2 * k] = bits()
      words[2 * k + 1] = bits()
    } else
      array[k] =
        way < 3
          ? (floats[0] as number)
          : (floats[0] as number) * (1 + [2 ** -24, 2 ** -25, 2 ** -52][way - 2]!)
  }
}

/** Runs expressions of a and b over random bits, and compares each with what JavaScript gives. */
function expectBits(
  kind: 'f32' | 'f64' | 'i32',
  expressions: readonly string[],
  target: 'f32' | 'f64' | 'i32' | 'u32',
): void {
  const types = { f32, f64, i32, u32 }
  const fields = Object.fromEntries(expressions.map((_, k) => [`x${k}`, types[target]]))
  const Given = component('Given', { a: types[kind], b: types[kind] } as { a: typeof f32; b: typeof f32 })
  const Got = component('Got', fields as Record<string, typeof f32>)
  const source = `({ a, b }, got) => { ${expressions.map((each, k) => `got.x${k} = ${each}`).join('; ')} }`
  const body = functionOf(source)
  const world = testWorld()
  spawnMany(world, ROWS, [Given, Got])
  const loop = compile([Given, Got], body as never, { mode: 'compiled' })
  const query = world.query(Given, Got)
  const random = seededRandom(expressions.length)
  const bits = bitsBy(random)
  const wanted: Record<string, number> = {}
  const stored = {
    f32: new Float32Array(1),
    f64: new Float64Array(1),
    i32: new Int32Array(1),
    u32: new Uint32Array(1),
  }[target]
  for (let round = 0; round < ROUNDS; round++) {
    for (const chunk of query) {
      const { a, b } = chunk.write(Given) as unknown as { a: Float64Array; b: Float64Array }
      for (const array of [a, b]) {
        // A copy begins at the first byte of its memory.
        const made = array.slice()
        if (kind === 'f64') fillWide(made, random)
        else new Uint32Array(made.buffer).forEach((_, k, words) => (words[k] = bits()))
        array.set(made)
      }
    }
    query.run(loop as never)
    for (const chunk of query) {
      const { a, b } = chunk.read(Given)
      const got = chunk.read(Got) as Readonly<Record<string, ArrayLike<number>>>
      for (let i = chunk.start; i < chunk.end; i++) {
        ;(body as unknown as (given: object, wanted: object) => void)({ a: a[i], b: b[i] }, wanted)
        for (let k = 0; k < expressions.length; k++) {
          stored[0] = wanted[`x${k}`] as number
          const found = got[`x${k}`]?.[i]
          if (!Object.is(found, stored[0]))
            expect({ of: [a[i], b[i]], [expressions[k] as string]: found }).toEqual({
              of: [a[i], b[i]],
              [expressions[k] as string]: stored[0],
            })
        }
      }
    }
  }
  world.dispose()
}

describe('random bits', () => {
  it.each([
    ['f32', 'f32'],
    ['f32', 'f64'],
    ['f64', 'f32'],
    ['f64', 'f64'],
  ] as const)('of %s have the same results as JavaScript in %s', (kind, target) => {
    expectBits(kind, [...OF_TWO, ...OF_ONE], target)
  })

  it.each([
    ['f32', 'i32'],
    ['f64', 'i32'],
    ['f64', 'u32'],
    ['i32', 'i32'],
    ['i32', 'u32'],
    ['i32', 'f64'],
    ['i32', 'f32'],
  ] as const)('of %s give the whole numbers of JavaScript in %s', (kind, target) => {
    expectBits(kind, OF_WHOLE, target)
  })

  it('of f32 become the same whole numbers as in JavaScript', () => {
    expectBits('f32', [...OF_TWO, ...OF_ONE], 'i32')
  })

  it('of a remainder of 0 have the sign of a constant in front of it, in code that ran often', () => {
    const Row = component('Row', { i: i32, d: f64, f: f32 })
    const world = testWorld()
    for (let k = 0; k < ROWS; k++) world.spawn(Row({ i: (k % 3) + 1 }))
    const rows = world.query(Row)
    for (const dividend of ['-1', '-6', '6', '0', '-0']) {
      const source = `(r) => { r.d = ${dividend} % r.i; r.f = ${dividend} % (r.i | 0) }`
      const loop = compile([Row], functionOf(source) as never, { mode: 'compiled' })
      for (let run = 0; run < 10; run++) rows.run(loop as never)
      for (const chunk of rows) {
        const { i, d, f } = chunk.read(Row)
        for (let k = chunk.start; k < chunk.end; k++) {
          const wanted = Number(dividend) % (i[k] as number)
          expect([dividend, i[k], d[k], f[k]]).toEqual([dividend, i[k], wanted, wanted])
        }
      }
    }
    world.dispose()
  })
})
