// Shows that the trial of a loop takes functions for the same whatever the tools of a build have made of them, and others for others.

import { describe, it } from 'vitest'
import { trialOf } from '../../src/compile/trial'
import { functionOf } from '../support/bothForms'
import { TOOLS, functionsAfter } from '../support/buildTools'
import { expect } from '../../../../tests/support/expect'
import { BODIES, BODIES_WITH_VALUES, PARTS, VALUES } from '../support/loopBodies'

const SOURCES = [...BODIES, ...BODIES_WITH_VALUES]
const trial = (body: unknown, values: object = VALUES): number => trialOf(PARTS, values, body as never, false)
const WRITTEN = SOURCES.map((source) => trial(functionOf(source)))

describe('the trial of a loop', () => {
  it.each(Object.entries(TOOLS))('is the same after %s', (_, tool) => {
    const [clamp, factorOf, ...bodies] = functionsAfter(
      tool,
      [VALUES.clamp, VALUES.factorOf, ...SOURCES].map(String),
    )
    SOURCES.forEach((source, k) => {
      const after = trial(bodies[k], { ...VALUES, clamp, factorOf })
      expect(after, `${source}\nis ${String(bodies[k])}`).toBe(WRITTEN[k])
    })
  })

  it('differs for another function, unless the trial rows do not show it', () => {
    const alike = WRITTEN.length - new Set(WRITTEN).size
    expect(alike).toBeLessThan(WRITTEN.length / 4)
    const source = BODIES_WITH_VALUES[0] as string
    const clamp = (x: number): number => x / 4
    expect(trial(functionOf(source), { ...VALUES, clamp })).not.toBe(trial(functionOf(source)))
  })
})
