// Shows when a loop runs as JavaScript, though the program did not ask for it: where a tool has put calls of its own into the body.

import { describe, it } from 'vitest'
import { component, f64, vec } from '../../../../bindings/index'
import { compile } from '../../src/compile/compile'
import { functionOf } from '../support/bothForms'
import { codeOf } from '../../../../tests/support/caught'
import { expect } from '../../../../tests/support/expect'
import { testWorld } from '../../../../tests/support/world'

const Total = component('Total', { sum: f64, v: vec(f64, 4) })

/** What tools make of a sum, and the names that they bring. */
const FORMS: Readonly<Record<string, [source: string, names: object]>> = {
  'for coverage': [
    '(p) => { cov_1a().f[0]++; let sum = (cov_1a().s[0]++, 0); for (let i = 0; i < 4; i++) { cov_1a().s[1]++; sum += p.v[i] } p.sum = sum }',
    { cov_1a: () => ({ f: [0], s: [0, 0] }) },
  ],
  'for tests by mutation': [
    "(p) => { if (stryMutAct_9fa('0')) {} else { stryCov_9fa('0'); let sum = 0; for (let i = 0; stryMutAct_9fa('1') ? false : (stryCov_9fa('1'), i < 4); i++) sum += p.v[i]; p.sum = sum } }",
    { stryMutAct_9fa: () => false, stryCov_9fa() {} },
  ],
  'against endless loops, by window': [
    '(p) => { let sum = 0; for (let i = 0; i < 4; i++) { if (window.CP.shouldStopExecution(0)) break; sum += p.v[i] } window.CP.exitedLoop(0); p.sum = sum }',
    { window: { CP: { shouldStopExecution: () => false, exitedLoop() {} } } },
  ],
  'against endless loops, by a name': [
    '(p) => { let sum = 0; for (let i = 0; i < 4; i++) { if (loopProtect.protect({ line: 1 })) break; sum += p.v[i] } p.sum = sum }',
    { loopProtect: { protect: () => false } },
  ],
  'against endless loops, by the time': [
    '(p) => { let sum = 0; var _LP = Date.now(); for (let i = 0; i < 4; i++) { if (Date.now() - _LP > 1e9) break; sum += p.v[i] } p.sum = sum }',
    {},
  ],
}

describe('a body that a tool has changed', () => {
  it.each(Object.entries(FORMS))('%s runs as JavaScript', (_, [source, names]) => {
    const body = (new Function(...Object.keys(names), `return ${source}`) as (...given: unknown[]) => never)(
      ...(Object.values(names) as unknown[]),
    )
    const loop = compile([Total], body)
    const world = testWorld()
    const one = world.spawn(Total({ v: [1, 2, 3, 4] }))
    world.query(Total).run(loop)
    expect(world.get(one, Total)?.sum).toBe(10)
    expect([loop.mode, loop.reason]).toEqual([
      'javascript',
      'a tool has instrumented its code, for coverage or against endless loops',
    ])
    expect(codeOf(() => compile([Total], body, { mode: 'compiled' }))).toBe('COMPILE_REFUSED')
  })

  it('is not one that only has a similar name', () => {
    expect(
      compile([Total], functionOf('(p) => { const window = p.sum, LP = 1; p.sum = window + LP }') as never)
        .mode,
    ).toBe('compiled')
  })
})
