// Shows that variables and both sides of &&, || and ?? may hold whatever they do in JavaScript: numbers, components, vecs, nothing.

import { describe, it } from 'vitest'
import { type Query, type World, digestWorld, optional } from '../../../../bindings/index'
import { compile } from '../../src/compile/compile'
import { functionOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'
import {
  BODIES,
  BODIES_WITH_RESULTS,
  BODIES_WITH_VALUES,
  Coat,
  GIVEN,
  PARTS,
  Thing,
  VALUES,
  fill,
} from '../support/loopBodies'
import { testWorld } from '../../../../tests/support/world'

/** What a run of each form leaves. */
function leftBy(source: string, values: object | undefined, options: object): unknown[] {
  return (['compiled', 'javascript'] as const).map((mode) => {
    const world: World = fill(testWorld())
    const given = values === undefined ? [functionOf(source)] : [values, functionOf(source)]
    const loop = (compile as (...given: unknown[]) => unknown)(PARTS, ...given, { ...options, mode })
    const query = world.query(Thing, optional(Coat)) as unknown as Query
    const result = query.run(loop as never, values && (GIVEN as never))
    return { result, digest: digestWorld(world) }
  })
}

describe('a body about a component that some entities lack', () => {
  it.each(BODIES)('has the same result as in JavaScript: %s', (source) => {
    const [compiled, javascript] = leftBy(source, undefined, {})
    expect(compiled).toEqual(javascript)
  })

  it.each(BODIES_WITH_VALUES)('has the same result with values: %s', (source) => {
    const [compiled, javascript] = leftBy(source, VALUES, {})
    expect(compiled).toEqual(javascript)
  })

  it.each(BODIES_WITH_RESULTS)('has the same result with a reduction: %s of %s', (result, source) => {
    const [compiled, javascript] = leftBy(source, undefined, { result })
    expect(compiled).toEqual(javascript)
  })

  it.each([
    // What tools make of the sources above, each in its own way.
    'function (p, coat) { var _a, _b; p.x = (_a = coat == null ? void 0 : coat.factor) != null ? _a : 1; p.y = ((_b = coat == null ? void 0 : coat.wet) != null ? _b : false) ? 3 : 4 }',
    'function (p, coat) { var _coat$factor; p.x = (_coat$factor = coat === null || coat === void 0 ? void 0 : coat.factor) !== null && _coat$factor !== void 0 ? _coat$factor : 1 }',
    'function (l, a) { var n, t; l.x = null != (n = null == a ? void 0 : a.factor) ? n : 1, l.y = null != (t = null == a ? void 0 : a.wet) && t ? 3 : 4 }',
    '(p) => { var _p, _p1; (_p = p).x || (_p.x = 5); (_p1 = p).y && (_p1.y = 3) }',
    '(p) => { var a; (a = p.m)[0] || (a[0] = 1), p.on && ((a = p.m)[1] || (a[1] = 2)) }',
    '(f, x) => { f.x > 0 && x && (f.y = x.factor) }',
    '(f, x) => { f.x > 0 ? x ? f.y = x.factor : f.y = 3 : void 0 }',
    '(f, x) => f.x > 0 || x || (f.y = 2)',
  ])('has the same result as rewritten by tools: %s', (source) => {
    const [compiled, javascript] = leftBy(source, undefined, {})
    expect(compiled).toEqual(javascript)
  })
})
