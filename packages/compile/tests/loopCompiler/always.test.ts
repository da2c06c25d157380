// Shows that what holds on every path is known to hold, and nothing else.

import { describe, it } from 'vitest'
import { alwaysHolds as isProven } from '../../src/loopCompiler/always'
import { Graph, type GraphValue } from '../../src/loopCompiler/graph'
import { Work } from '../../src/loopCompiler/work'
import { expectSame, functionOf, refusalOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'

const graph = new Graph()
const alwaysHolds = (condition: GraphValue): boolean => isProven(condition, new Work())
const [a, b, c] = [0, 1, 2].map((column) => graph.load(column, 'bool', 0)) as [never, never, never]

describe('a condition', () => {
  it('always holds if it holds for all values of its leaves', () => {
    const some = graph.either(graph.both(a, graph.not(b)), graph.select(a, b, c))
    expect(alwaysHolds(graph.either(some, graph.not(some)))).toBe(true)
    expect(alwaysHolds(graph.either(some, graph.both(graph.not(a), graph.not(c))))).toBe(true)
    expect(alwaysHolds(graph.constant(true))).toBe(true)
  })

  it('does not if one of them makes it false', () => {
    expect(alwaysHolds(a)).toBe(false)
    expect(alwaysHolds(graph.constant(false))).toBe(false)
    expect(alwaysHolds(graph.either(graph.both(a, b), graph.not(a)))).toBe(false)
    expect(alwaysHolds(graph.either(graph.differ(a, b), c))).toBe(false)
  })

  it('is proven for any number of leaves up to the limit', () => {
    for (let count = 1; count <= 10; count++) {
      const leaves = Array.from({ length: count }, (_, k) => graph.load(k, 'bool', 0))
      const all = leaves.reduce((one, other) => graph.both(one, other))
      const none = leaves.map((one) => graph.not(one)).reduce((one, other) => graph.both(one, other))
      const some = leaves.reduce((one, other) => graph.differ(one, other))
      expect(alwaysHolds(graph.either(all, graph.not(all)))).toBe(true)
      expect(alwaysHolds(graph.either(graph.not(none), graph.not(all)))).toBe(true)
      expect(alwaysHolds(graph.either(graph.either(all, none), some))).toBe(count < 3)
    }
  })

  it('is examined once, however often it is part of another', () => {
    let deep = graph.either(graph.both(a, b), graph.both(a, c))
    for (let k = 0; k < 200; k++) deep = graph.differ(graph.both(deep, b), graph.either(deep, c))
    expect(isProven(deep, new Work(5_000))).toBe(false)
  })

  it('is not known to hold if it has too many', () => {
    const many = Array.from({ length: 12 }, (_, k) => graph.load(k, 'bool', 0))
    const all = many.reduce((one, other) => graph.either(one, other))
    const none = many.map((one) => graph.not(one)).reduce((one, other) => graph.both(one, other))
    expect(alwaysHolds(graph.either(all, none))).toBe(false)
  })
})

describe('a helper whose switch returns in each case', () => {
  const SWITCH = 'switch (a | 0) { case 0: return 5; case 1: case 2: return a * 2;'

  it('has a value where there is a default', () => {
    const h = functionOf(`(a) => { ${SWITCH} default: return -a } }`)
    expectSame('(r, { h }) => { r.f = h(r.i) }', { values: { h } })
  })

  it('is refused without one', () => {
    const h = functionOf(`(a) => { ${SWITCH} } }`)
    expect(refusalOf('(r, { h }) => { r.f = h(r.i) }', { values: { h } })).toBe(
      'this has no value on some path that leads here.',
    )
  })
})

describe('the remainder of a division', () => {
  it.each(['-(r.u >>> 0) % 7', '(r.u + r.v) % 1000', '(r.i * 65537) % 4294967295', '-(r.u >>> 0) % r.i'])(
    'is that of JavaScript: %s',
    (expression) => {
      expectSame(`(r) => { r.d = ${expression} }`)
    },
  )
})
