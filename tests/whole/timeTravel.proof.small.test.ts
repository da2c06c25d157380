// Shows with random scripts that a world goes back to what it was: over every storage, order, toggle, group and text, with
// listeners and objects, memory whole after each step, and what follows a restore the same as what followed before.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type Query,
  type Snapshot,
  type World,
  added,
  changed,
  createHistory,
  digestWorld,
  forkWorld,
  restoreWorld,
  snapshotWorld,
} from '../../bindings/index'
import { expectSameState, stateOf } from '../support/bytes'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { SORTS } from '../support/script/kinds'
import { Session, type Step, steps } from '../support/script/session'
import { testWorld } from '../support/world'

const settings = globalThis.process?.env ?? {}
const seed = Number(settings['STRATA_SEED'] ?? 20_251_122)
const endOnFailure = settings['STRATA_SHRINK'] === undefined
const UNLIMITED = 0x7fffffff
const SMALL = { memory: { initial: 2 ** 20 } }

let restores = 0

/** Queries that ask for changes, one for each component, which remember what they have seen. */
function askers(world: World): Query[] {
  return SORTS.filter(({ kind }) => kind.kind !== 'tag').flatMap(({ kind }) => [
    world.query(changed(kind as never)),
    world.query(added(kind as never)),
  ])
}

/** Runs a script and looks for changes in between; all that the queries found, in order. */
function runAsking(session: Session, script: readonly Step[], queries: readonly Query[]): number[][] {
  const found: number[][] = []
  let count = 0
  session.run(script, () => {
    if (++count % 7 === 0) found.push([...(queries[count % queries.length] as Query).entities()])
    if (count % 3 === 0) session.world.advanceTick()
  })
  return found
}

describe('a world that goes back', () => {
  afterAll(() => expect(restores).toBeGreaterThanOrEqual(proofLength(800)))

  it('A script that follows a restore gives the same bytes, values and changes as before', () => {
    const property = fc.property(
      steps(0, 200),
      steps(1, 120),
      fc.nat().map((n) => n & ~1),
      (first, second, querySeed) => {
        const session = new Session(testWorld(SMALL), UNLIMITED, querySeed)
        const { world } = session
        const queries = askers(world)
        // A reader of removals that is made after the snapshot is there after a restore, and keeps what it has not taken.
        session.askAll()
        runAsking(session, first, queries)
        const mark = session.mark()
        const taken = snapshotWorld(world)
        const digested = digestWorld(world)
        const found = runAsking(session, second, queries)
        const state = stateOf(world)
        const after = digestWorld(world)
        for (let round = 0; round < 3; round++) {
          session.goBack(mark, () => restoreWorld(world, taken))
          checkInvariants(world)
          expect(digestWorld(world)).toBe(digested)
          // Comparing makes queries that the first run did not have: it comes last.
          if (round === 2) session.compareAll()
          expect(runAsking(session, second, queries)).toEqual(found)
          expect(digestWorld(world)).toBe(after)
          checkInvariants(world)
          if (round < 2) expectSameState(stateOf(world), state)
          else session.compareAll()
          restores++
        }
        world.dispose()
      },
    )
    fc.assert(property, { seed, endOnFailure, numRuns: proofLength(100) })
  })

  it('Snapshots, restores, forks and rewinds at random equal the plain world', () => {
    const property = fc.property(steps(20, 300), fc.nat(), fc.nat(), (script, querySeed, choices) => {
      let session = new Session(testWorld(SMALL), UNLIMITED, querySeed)
      const first = session.world
      let kept: { mark: ReturnType<Session['mark']>; snapshot: Snapshot }[] = []
      let n = choices
      const next = (below: number) => (n = (Math.imul(n, 1103515245) + 12345) >>> 0) % below
      for (let at = 0; at < script.length; at += 8) {
        session.run(script.slice(at, at + 8), () => {})
        const { world } = session
        const choice = next(6)
        if (choice < 2) kept.push({ mark: session.mark(), snapshot: snapshotWorld(world) })
        else if (choice === 2 && kept.length > 0) {
          // The memory of an older one is used again.
          const [{ snapshot: taken }] = kept.splice(next(kept.length), 1) as typeof kept
          kept.push({ mark: session.mark(), snapshot: snapshotWorld(world, { into: taken }) })
        } else if (choice < 5 && kept.length > 0) {
          const { mark, snapshot: taken } = kept[next(kept.length)] as (typeof kept)[number]
          session.goBack(mark, () => restoreWorld(world, taken))
          restores++
        } else if (choice === 5 && querySeed % 2 === 0 && next(3) === 0) {
          const twin = session.in(forkWorld(world))
          checkInvariants(twin.world)
          twin.compareAll()
          expect(digestWorld(twin.world)).toBe(digestWorld(world))
          // It goes on by itself; the world that it came from stays as it is.
          const digested = digestWorld(world)
          twin.run(script.slice(0, 16), () => {})
          expect(digestWorld(world)).toBe(digested)
          twin.compareAll()
          if (next(2) === 0) {
            session = twin
            kept = []
          }
        }
        checkInvariants(session.world)
        session.compareAll()
      }
      if (session.world !== first) session.world.dispose()
      first.dispose()
    })
    fc.assert(property, { seed: seed + 1, endOnFailure, numRuns: proofLength(120) })
  })

  it('A history takes a world back to each of its frames, again and again', () => {
    const property = fc.property(steps(40, 240), fc.nat(), fc.nat(), (script, querySeed, choices) => {
      const session = new Session(testWorld(SMALL), UNLIMITED, querySeed)
      const { world } = session
      const history = createHistory(world, { frames: 5 })
      const frames: { mark: ReturnType<Session['mark']>; digest: number }[] = []
      let n = choices
      const next = (below: number) => (n = (Math.imul(n, 1103515245) + 12345) >>> 0) % below
      for (let at = 0; at < script.length; at += 6) {
        session.run(script.slice(at, at + 6), () => {})
        history.save()
        frames.length = history.frame
        frames.push({ mark: session.mark(), digest: digestWorld(world) })
        expect(history.oldest).toBeLessThanOrEqual(history.frame)
        expect(history.rewind(history.frame - history.oldest + 1)).toBe(false)
        if (next(3) !== 0) continue
        const back = next(history.frame - history.oldest + 1)
        const { mark, digest: digested } = frames[history.frame - back] as (typeof frames)[number]
        session.goBack(mark, () => expect(history.rewind(back)).toBe(true))
        restores++
        checkInvariants(world)
        session.compareAll()
        if (querySeed % 2 === 0) expect(digestWorld(world)).toBe(digested)
      }
      world.dispose()
    })
    fc.assert(property, { seed: seed + 2, endOnFailure, numRuns: proofLength(80) })
  })
})
