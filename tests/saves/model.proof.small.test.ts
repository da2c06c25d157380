// Shows with random scripts that a save holds a whole world: every storage, order, toggle, group, text and link, by bytes and by
// JSON, loaded into a new world or into one with entities, in which the script goes on.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type ComponentLike, digestWorld, saveWorld } from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { load } from '../support/loaded'
import { isShort, proofLength } from '../support/proofs'
import { goOn, knownIn, loadedFrom, mergeInto } from '../support/script/files'
import { SORTS } from '../support/script/kinds'
import { RELATION_KINDS, relationOf } from '../support/script/relations'
import { Session, linkSteps, steps } from '../support/script/session'
import { testWorld } from '../support/world'

const seed = Number(globalThis.process?.env?.['STRATA_SEED'] ?? 20_261_122)
const UNLIMITED = 0x7fffffff
const KINDS = [...SORTS.map(({ kind }) => kind), ...RELATION_KINDS] as readonly ComponentLike[]

let entities = 0
let links = 0

/** The bits of a number that decide whether a script has relations, and listeners and objects. */
const KNOWING = 9

/** Sessions after a random script; half of them have relations, half have listeners, objects and groups. */
const sessions = fc
  .tuple(fc.oneof(steps(0, 250), linkSteps(0, 120)), fc.nat())
  .map(([script, querySeed]) => (bits = querySeed & KNOWING) => {
    const session = new Session(testWorld(), UNLIMITED, (querySeed & ~KNOWING) | bits)
    session.run(script, () => {})
    return session
  })

function count({ plain, world }: Session): void {
  entities += plain.entities.size
  for (const { kind } of plain.links.relations)
    for (const handle of plain.entities.keys()) links += world.sourceCount(handle, relationOf(kind))
}

/** What has been loaded is there, each reader finds it, and what follows does what it would do in any world. */
function compareAndGoOn(session: Session, script: Parameters<Session['run']>[0]): void {
  session.compareAll()
  session.askAll()
  count(session)
  session.run(script, () => {})
  checkInvariants(session.world)
  session.compareAll()
  session.askAll()
}

describe('a random world', () => {
  afterAll(() => {
    expect(entities).toBeGreaterThanOrEqual(isShort ? proofLength(400) : 1000)
    expect(links).toBeGreaterThanOrEqual(isShort ? proofLength(400) : 1000)
  })

  it('Loading gives every entity its components, values, switches, links and order', () => {
    const property = fc.property(sessions, steps(0, 60), (begin, script) => {
      const session = begin()
      const { world } = session
      const known = knownIn(session)
      const bytes = saveWorld(world)
      expect(saveWorld(world)).toEqual(bytes)
      checkInvariants(world)
      const first = load(bytes, known)
      expect(first.world.stats().entities).toBe(first.handles.size)
      const visited = (kind: ComponentLike) =>
        Array.from(world.query(kind).entities(), (one) => first.handles.get(one))
      for (const kind of session.isLinked ? KINDS : SORTS.map((sort) => sort.kind as ComponentLike)) {
        const { storage, order } = kind as { storage?: string; order?: string }
        if (storage === 'table' && order === undefined) continue
        expect([...first.world.query(kind).entities()]).toEqual(visited(kind))
      }
      // Every entity has a handle by its place now: from here on the bytes stay the same.
      const again = saveWorld(first.world)
      const second = load(again, known)
      if (first.absent.length === 0) expect(again.length).toBe(bytes.length)
      expect(saveWorld(second.world)).toEqual(again)
      expect(digestWorld(second.world)).toBe(digestWorld(first.world))
      compareAndGoOn(goOn(session, first), script)
      for (const one of [world, first.world, second.world]) one.dispose()
    })
    fc.assert(property, { seed, endOnFailure: true, numRuns: proofLength(150) })
  })

  it('Merging adds all of it to a world that has its own entities, handles and texts', () => {
    const property = fc.property(sessions, sessions, steps(0, 60), (begin, beginOther, script) => {
      const session = begin()
      const other = beginOther(session.querySeed & KNOWING)
      const before = session.plain.entities.size
      if (!mergeInto(session, other)) throw new Error('there is no room')
      expect(session.plain.entities.size).toBe(before + other.plain.entities.size)
      compareAndGoOn(session, script)
      for (const { world } of [session, other]) world.dispose()
    })
    fc.assert(property, { seed: seed + 1, endOnFailure: true, numRuns: proofLength(80) })
  })

  it('JSON contains what the bytes contain', () => {
    const property = fc.property(sessions, steps(0, 60), (begin, script) => {
      const session = begin()
      const [one, two] = [loadedFrom(session, false), loadedFrom(session, true)]
      expect(saveWorld(two.world)).toEqual(saveWorld(one.world))
      expect([...two.handles]).toEqual([...one.handles])
      compareAndGoOn(goOn(session, two), script)
      for (const each of [session.world, one.world, two.world]) each.dispose()
    })
    fc.assert(property, { seed: seed + 2, endOnFailure: true, numRuns: proofLength(60) })
  })
})
