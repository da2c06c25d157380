// Shows what is known of values by what they are: ranges, -0, and the nearest f32.

import { describe, it } from 'vitest'
import { Graph, type GraphValue } from '../../src/loopCompiler/graph'
import { knownOf, nearestF32, rangeOf, wholeFrom, wholeResult } from '../../src/loopCompiler/known'
import { expect } from '../../../../tests/support/expect'

const graph = new Graph()
/** A whole number of a range. */
const whole = (kind: 'i8' | 'u8' | 'i32' | 'u32', negated = false): GraphValue => {
  const value = graph.load(0, kind, 0)
  return negated ? graph.neg(value) : value
}

describe('the known range', () => {
  it('of memory is the range of its kind', () => {
    expect(rangeOf('u16')).toEqual([0, 65535])
    expect(rangeOf('f32')).toBeUndefined()
    expect(knownOf('i8')).toEqual({ whole: true, least: -128, most: 127, negativeZero: false })
    expect(knownOf('entity')).toMatchObject({ least: 0, most: 2 ** 32 - 1 })
    expect(knownOf('f32')).toEqual({ exact: true })
    expect(knownOf('f64')).toEqual({ exact: false })
    expect(knownOf('bool')).toEqual({ isBoolean: true })
  })

  it('of sums, differences and products is their range', () => {
    expect(wholeResult('add', whole('i8'), whole('u8'))).toMatchObject({ least: -128, most: 382 })
    expect(wholeResult('sub', whole('i8'), whole('u8'))).toMatchObject({ least: -383, most: 127 })
    expect(wholeResult('mul', whole('i8'), whole('u8'))).toMatchObject({ least: -32640, most: 32385 })
    expect(wholeResult('mul', whole('i8'), whole('i8'))).toMatchObject({ least: -16256, most: 16384 })
    expect(wholeResult('mul', whole('u8', true), whole('u8', true))).toMatchObject({ most: 65025 })
  })

  it('of products that may be rounded is unknown', () => {
    expect(wholeResult('mul', whole('i32'), whole('i32'))).toEqual({})
    expect(wholeResult('mul', whole('u32'), whole('u32'))).toEqual({})
    expect(wholeResult('mul', whole('i32'), whole('u8'))).toMatchObject({ whole: true })
  })

  it('of a whole number is unknown once an end could have been rounded', () => {
    const last = Number.MAX_SAFE_INTEGER
    expect(wholeFrom(-last, last)).toEqual({ whole: true, least: -last, most: last, negativeZero: false })
    // 2^53 + 1 is computed as 2^53.
    expect(wholeFrom(0, last + 1)).toEqual({})
    expect(wholeFrom(-last - 1, 0)).toEqual({})
    expect(wholeFrom(0, Infinity)).toEqual({})
    expect(wholeFrom(NaN, 0)).toEqual({})
    expect(wholeFrom(0.5, 1)).toEqual({})
    const one = graph.number(graph.load(0, 'bool', 0))
    expect(wholeResult('add', one, graph.constant(last - 1))).toMatchObject({ most: last })
    expect(wholeResult('add', one, graph.constant(last))).toEqual({})
    expect(wholeResult('add', one, graph.constant(last + 1))).toEqual({})
    expect(wholeResult('sub', graph.constant(-last), one)).toEqual({})
    expect(graph.constant(last + 1).whole).toBe(false)
  })

  it('tells whether a result may be -0', () => {
    const [a, z] = [whole('u8'), whole('u8', true)]
    const mayBe = (op: 'add' | 'sub' | 'mul', x: GraphValue, y: GraphValue) =>
      wholeResult(op, x, y).negativeZero
    expect([mayBe('add', a, a), mayBe('add', a, z), mayBe('add', z, z)]).toEqual([false, false, true])
    expect([mayBe('sub', a, a), mayBe('sub', a, z), mayBe('sub', z, a)]).toEqual([false, false, true])
    expect([mayBe('mul', a, a), mayBe('mul', a, z), mayBe('mul', z, a)]).toEqual([false, true, true])
    expect([mayBe('mul', a, whole('i8')), mayBe('mul', whole('i8'), a)]).toEqual([true, true])
  })
})

describe('the nearest f32', () => {
  it.each([
    [0.1, 0.10000000149011612, 0.09999999403953552],
    [-0.1, -0.09999999403953552, -0.10000000149011612],
    [0.5, 0.5, 0.5],
    [1e-300, 2 ** -149, 0],
    [-1e-300, -0, -(2 ** -149)],
    [1e300, Infinity, 3.4028234663852886e38],
    [-1e300, -3.4028234663852886e38, -Infinity],
    [Infinity, Infinity, Infinity],
    [16777217, 16777218, 16777216],
  ])('of %d is %d above and %d below', (limit, above, below) => {
    expect(nearestF32(limit, true)).toBe(above)
    expect(nearestF32(limit, false)).toBe(below)
  })
})
