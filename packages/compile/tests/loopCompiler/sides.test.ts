// Shows that costly sides of choices are computed for the rows that take them, and shared work once.

import { describe, it } from 'vitest'
import { Graph } from '../../src/loopCompiler/graph'
import { costlySides, sideOf } from '../../src/loopCompiler/sides'
import { expectSame } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'

const COSTLY = (x: string): string => `Math.sqrt(Math.sqrt(${x}) / 3 + r.e) / 7`

describe('a costly branch', () => {
  it('is one that takes long and is needed nowhere else', () => {
    const graph = new Graph()
    const [x, y] = [graph.load(0, 'f64', 0), graph.load(1, 'f64', 0)]
    const condition = graph.compare('lt', x, y)
    const costly = graph.sqrt(graph.arithmetic('div', x, graph.sqrt(y)))
    const choice = graph.select(condition, costly, x)
    expect([...costlySides([choice], graph.work).keys()]).toEqual([sideOf(condition, true)])
    expect(costlySides([choice], graph.work).get(sideOf(condition, true))?.has(costly)).toBe(true)
    expect(costlySides([choice], graph.work).get(sideOf(condition, true))?.has(x)).toBe(false)
    expect(costlySides([choice, costly], graph.work).size).toBe(0)
    expect(costlySides([graph.select(condition, x, graph.sqrt(y))], graph.work).size).toBe(0)
    expect([...costlySides([graph.select(graph.not(condition), x, costly)], graph.work).keys()]).toEqual([
      sideOf(condition, true),
    ])
  })

  it('is right for the rows that take it and for the others', () => {
    for (const source of [
      `(r) => { if (r.on) r.f = ${COSTLY('r.g')} }`,
      `(r) => { if (r.on) r.f = ${COSTLY('r.g')}; else r.f = ${COSTLY('r.d')} }`,
      `(r) => { if (r.on) return; r.f = ${COSTLY('r.g')}; r.d = ${COSTLY('r.f')} }`,
      `(r) => { const x = ${COSTLY('r.f')}; if (r.on) r.d = ${COSTLY('x')}; r.e = x }`,
      `(r) => { if (r.on) { r.d = ${COSTLY('r.f')}; if (r.off) { r.f = ${COSTLY('r.d')}; r.g = r.f } } }`,
      `(r) => { if (r.on) r.d = ${COSTLY('r.d')}; r.e = r.d; if (r.on) r.d = ${COSTLY('r.d + r.f')}; if (!r.on) r.d = ${COSTLY('r.g')} }`,
      `(r) => { let s = r.d; for (let k = 0; k < 8; k++) if (s > k) s = ${COSTLY('s * k')}; r.d = s }`,
      `(r) => { if (r.on) { r.i = ${COSTLY('r.f')} * 100; r.b = r.i; r.u = ${COSTLY('r.g')} } r.c = r.i }`,
      `(r) => { const x = r.on ? ${COSTLY('r.f')} : 1, y = r.off ? ${COSTLY('x')} : x; r.d = r.on ? ${COSTLY('y')} : y; r.e = x }`,
      `(r) => { r.on = r.off ? ${COSTLY('r.f')} > ${COSTLY('r.d')} : r.on; r.i = r.on ? 1 : 2 }`,
      `(r) => { if (r.f > 1e9) r.d = ${COSTLY('r.f')} }`,
    ])
      for (const rows of [1, 3, 4, 5, 50, 131]) expectSame(source, { rows })
  })
})
