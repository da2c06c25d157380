// Shows with random scripts that every listener, subscriber and reader gets what the model says, in its order, and sees the world
// as it must be: for all calls, at once, in blocks and loops, in buffers and within listeners, in worlds of some 45 components. The rules
// are in support/heard/heardModel.ts.
//
// STRATA_SEED=123 runs other scripts. STRATA_SHRINK=1 looks for a short script that fails.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HeardScript, type HeardStep } from '../support/heard/script'
import { proofLength } from '../support/proofs'
import { runSteps } from '../support/script/shrinking'
import { testWorld } from '../support/world'

const seed = Number(globalThis.process?.env?.['STRATA_SEED'] ?? 20_250_301)

describe('the events of any sequence of calls', () => {
  it('are what the model says, for every listener, subscriber and reader', () => {
    let events = 0
    const number = fc.nat(0x7fffffff)
    const steps = fc.array(fc.tuple(number, number), { minLength: 40, maxLength: 200, size: 'max' })
    const property = fc.property(steps, number, (script, worldSeed) =>
      runSteps(
        script as readonly HeardStep[],
        (some) => {
          const heard = new HeardScript(testWorld(), worldSeed, { overrides: true })
          heard.run(some)
          events += heard.real.log.length
          heard.end()
        },
        (step) => `[${step.join(', ')}]`,
      ),
    )
    const runs = proofLength(240)
    fc.assert(property, { seed, endOnFailure: true, numRuns: runs })
    expect(events).toBeGreaterThan(runs * 50)
  })
})
