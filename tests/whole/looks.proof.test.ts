// Shows with random scripts, half of whose steps look, that readers are owed nothing, with relations, sweeps of references and
// restores: a look finds all that changed, was added or was written since the last one, and where rows are tracked, nothing else.
// Over long rows that move along plans, owed.proof.test.ts finds more.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { restoreWorld, snapshotWorld, type Snapshot } from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { Session, lookSteps } from '../support/script/session'
import { runScript } from '../support/script/shrinking'
import type { Mark } from '../support/script/state'
import { testWorld } from '../support/world'

const UNLIMITED = 0x7fffffff
const seed = Number(globalThis.process?.env?.['STRATA_SEED'] ?? 20_261_125)
let performed = 0

afterAll(() => expect(performed).toBeGreaterThanOrEqual(proofLength(40_000)))

describe.each([0, 1])('with listeners: %s', (listens) => {
  it('every reader finds what it should, and no tracked row in vain', () => {
    const property = fc.property(lookSteps(100, 400), fc.nat(), (script, querySeed) =>
      runScript(script, (steps) => {
        // Rows of many entities share chunks, and fill several.
        const session = new Session(testWorld(), UNLIMITED, (querySeed & ~1) | listens, 12, 12)
        let kept: { readonly snapshot: Snapshot; readonly mark: Mark } | undefined
        let count = 0
        session.run(steps, () => {
          if (++count % 32 === 0) checkInvariants(session.world)
          if (count % 20 !== 0) return
          if (kept !== undefined && count % 60 === 0) {
            // What a reader has seen goes back with the world.
            const { mark, snapshot: taken } = kept
            session.goBack(mark, () => restoreWorld(session.world, taken))
          } else kept = { snapshot: snapshotWorld(session.world), mark: session.mark() }
        })
        session.askAll()
        checkInvariants(session.world)
        session.compareAll()
        performed += session.performed
        session.world.dispose()
      }),
    )
    fc.assert(property, { seed: seed + listens, endOnFailure: true, numRuns: proofLength(100) })
  })
})
