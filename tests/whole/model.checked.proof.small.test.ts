// Shows with many random scripts that, whatever the order of calls, the world holds what a world of plain objects would hold,
// every reader finds what it is owed, and memory is whole after every step.
//
// STRATA_SEED=123 runs other scripts than those of the fixed seed. STRATA_SHRINK=1 looks for a short script that
// fails, for a minute at most; without it the first one found is reported.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { Session, isSameInBlock, steps } from '../support/script/session'
import { runScript } from '../support/script/shrinking'
import { isSmall, testWorld } from '../support/world'

// The settings of a person who looks for a fault; a browser has none.
const settings = globalThis.process?.env ?? {}
const seed = Number(settings['STRATA_SEED'] ?? 20_250_101)
const UNLIMITED = 0x7fffffff
/** Few enough that indices are recycled all the time, by every generation. */
const FEW_ENTITIES = 60

/**
 * A walk over all of memory takes as long as the memory is large; but tables of the small core grow most, and in a loop they find no
 * room in a memory that is nearly full.
 */
const SMALL = { memory: { initial: isSmall ? 2 ** 22 : 2 ** 20 } }

let performed = 0

/** Asks all queries of a script, then all entities. */
function compareWhole(session: Session, querySeed: number): void {
  session.compareAll()
  session.askAll()
  for (let i = 0; i < 6; i++) session.compareTerms(session.someTerms(querySeed + i))
  // Queries that no script has made, so that they are first asked inside of a block.
  for (let i = 6; i < 9; i++) session.compareProbed(session.someTerms(querySeed + i))
}

describe('a world after any sequence of calls', () => {
  afterAll(() => expect(performed).toBeGreaterThanOrEqual(proofLength(100_000)))

  it('equals the plain world, with its memory whole after every step', () => {
    const property = fc.property(steps(1, 400), fc.nat(), (script, querySeed) =>
      runScript(script, (steps) => {
        const session = new Session(testWorld(SMALL), UNLIMITED, querySeed)
        let count = 0
        session.run(steps, () => {
          checkInvariants(session.world)
          if (++count % 16 === 0) session.compareAll()
        })
        compareWhole(session, querySeed)
        performed += session.performed
        session.world.dispose()
      }),
    )
    fc.assert(property, { seed, endOnFailure: true, numRuns: proofLength(200) })
  })

  it('equals the plain world while indices are recycled', () => {
    const property = fc.property(steps(1, 600), fc.nat(), (script, querySeed) =>
      runScript(script, (steps) => {
        const session = new Session(
          testWorld({ ...SMALL, maxEntities: FEW_ENTITIES }),
          FEW_ENTITIES,
          querySeed,
          5,
        )
        let count = 0
        session.run(steps, () => {
          if (++count % 4 === 0) checkInvariants(session.world)
          if (count % 16 === 0) session.compareAll()
        })
        compareWhole(session, querySeed)
        performed += session.performed
        session.world.dispose()
      }),
    )
    fc.assert(property, { seed: seed + 1, endOnFailure: true, numRuns: proofLength(60) })
  })

  it('equals the plain world in long scripts over many entities', () => {
    const property = fc.property(steps(3000, 4000), fc.nat(), (script, querySeed) =>
      runScript(script, (steps) => {
        const session = new Session(testWorld(SMALL), UNLIMITED, querySeed, 40, 12)
        let count = 0
        session.run(steps, () => {
          if (++count % 100 === 0) checkInvariants(session.world)
          if (count % 500 === 0) session.compareAll()
        })
        checkInvariants(session.world)
        compareWhole(session, querySeed)
        performed += session.performed
        session.world.dispose()
      }),
    )
    fc.assert(property, { seed: seed + 2, endOnFailure: true, numRuns: proofLength(16) })
  })

  it('is the same whether a script ran directly, deferred to the end of a block or buffered', () => {
    const property = fc.property(steps(0, 60), steps(1, 40), fc.nat(), (first, script, querySeed) =>
      runScript(script, (steps) => {
        const second = steps.filter(isSameInBlock)
        const sessions = [0, 1, 2].map(() => new Session(testWorld(SMALL), UNLIMITED, querySeed))
        const [immediate, deferred, buffered] = sessions as [Session, Session, Session]
        for (const session of sessions) session.run(first, () => {})
        immediate.run(second, () => {})
        deferred.runDeferred(second)
        buffered.runBuffered(second)
        for (const session of sessions) {
          checkInvariants(session.world)
          session.compareAll()
          performed += session.performed
          session.world.dispose()
        }
        expect(deferred.plain.entities).toEqual(immediate.plain.entities)
        expect(buffered.plain.entities).toEqual(immediate.plain.entities)
      }),
    )
    fc.assert(property, { seed: seed + 3, endOnFailure: true, numRuns: proofLength(200) })
  })
})
