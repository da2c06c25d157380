// Shows with random scripts that relations do what plain links do, whatever the order of calls, in a small world dense with
// links: both kinds and all policies, both orders, values, recycled handles, listeners, queries, blocks, copies, restores and
// saves.
//
// Links among everything else that a world holds, in long scripts, are in whole/model.checked.proof.small.test.ts.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type Snapshot, restoreWorld, snapshotWorld } from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { reload } from '../support/script/files'
import { Session, linkSteps } from '../support/script/session'
import { runScript } from '../support/script/shrinking'
import type { Mark } from '../support/script/state'
import { testWorld } from '../support/world'

const MOST = 30
/** The bit of a number that decides whether a script has relations. */
const LINKED = 8

const seed = Number((globalThis.process?.env ?? {})['STRATA_SEED'] ?? 20_260_101)
let performed = 0

function begun(querySeed: number): Session {
  const world = testWorld({ memory: { initial: 2 ** 20 }, maxEntities: MOST })
  return new Session(world, MOST, querySeed | LINKED, 6)
}

function end(session: Session): void {
  performed += session.performed
  session.world.dispose()
}

describe('relations after any sequence of calls', () => {
  afterAll(() => expect(performed).toBeGreaterThan(proofLength(30_000)))

  it('links, orders, values and living entities equal those of the plain world, memory whole after every step', () => {
    const property = fc.property(linkSteps(1, 150), fc.nat(), (script, querySeed) =>
      runScript(script, (steps) => {
        const session = begun(querySeed)
        let kept: { readonly snapshot: Snapshot; readonly mark: Mark } | undefined
        let count = 0
        session.run(steps, () => {
          checkInvariants(session.world)
          session.compareAll()
          // Now and then a step back, to where it was a while ago.
          if (++count % 10 !== 0) return
          if (kept !== undefined && count % 20 === 0) {
            const { mark, snapshot: taken } = kept
            session.goBack(mark, () => restoreWorld(session.world, taken))
            session.compareAll()
          } else kept = { snapshot: snapshotWorld(session.world), mark: session.mark() }
        })
        session.askAll()
        end(session)
      }),
    )
    fc.assert(property, { seed, numRuns: proofLength(200), endOnFailure: true })
  })

  it('a world that is loaded from a save has the same links, and goes on in the same way', () => {
    const property = fc.property(
      linkSteps(1, 150),
      linkSteps(1, 150),
      fc.nat(),
      fc.boolean(),
      (first, second, querySeed, asJSON) =>
        runScript(first, (steps) => {
          const session = begun(querySeed)
          session.run(steps, () => {})
          const loaded = reload(session, asJSON)
          loaded.compareAll()
          loaded.run(second, () => {})
          checkInvariants(loaded.world)
          loaded.compareAll()
          loaded.askAll()
          performed += session.performed
          end(loaded)
        }),
    )
    fc.assert(property, { seed: seed + 2, numRuns: proofLength(100), endOnFailure: true })
  })

  it('the same changes made in a block lead to the same links', () => {
    const property = fc.property(linkSteps(1, 150), linkSteps(1, 150), fc.nat(), (first, second, querySeed) =>
      runScript(second, (steps) => {
        const session = begun(querySeed)
        session.run(first, () => {})
        session.runDeferred(steps)
        checkInvariants(session.world)
        session.compareAll()
        session.askAll()
        end(session)
      }),
    )
    fc.assert(property, { seed: seed + 1, numRuns: proofLength(150), endOnFailure: true })
  })
})
