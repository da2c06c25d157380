// Owns the proof by random scripts that a save holds a whole world: over every storage, order, toggle, group and text.
// It must never pass by doing little: it counts what it loaded.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type ComponentLike, type Entity, type World, saveToJSON, saves } from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { expectSame, load, loadJSON } from '../support/loaded'
import { proofLength } from '../support/proofs'
import { OBJECT_SORTS, SORTS, Session, type Step, steps } from '../support/script'
import { testWorld } from '../support/world'

const seed = Number(globalThis.process?.env?.['STRATA_SEED'] ?? 20_261_122)
const UNLIMITED = 0x7fffffff
const KINDS = [...SORTS, ...OBJECT_SORTS].map(({ kind }) => kind as ComponentLike)
const [SPRITE, SOCKET] = OBJECT_SORTS.map(({ kind }) => kind as ComponentLike) as [
  ComponentLike,
  ComponentLike,
]
/** Those without objects: of these only one comes back. */
const PLAIN = SORTS.map(({ kind }) => kind as ComponentLike)

let entities = 0

interface Made {
  readonly script: readonly Step[]
  readonly querySeed: number
  readonly reaches: boolean
}

/** A world after a random script; half of them have listeners, objects and groups. */
const worlds = fc
  .tuple(steps(0, 250), fc.nat(), fc.boolean())
  .map(([script, querySeed, reaches]) => ({ script, querySeed, reaches }))

function makeWorld({ script, querySeed, reaches }: Made): World {
  const session = new Session(testWorld({ saves }), UNLIMITED, querySeed)
  session.run(script, () => {})
  const { world } = session
  if (reaches) {
    world.advance()
    // Handles of living entities: those of the script are random numbers.
    const all = world.query().entities()
    const link = PLAIN.find(({ componentName }) => componentName === 'Link') as never
    all.forEach((entity, i) => world.set(entity, link, { who: all[(i * 7) % all.length] } as never))
  }
  return world
}

describe('a random world', () => {
  afterAll(() => expect(entities).toBeGreaterThanOrEqual(proofLength(1000)))

  it('Loading gives every entity its components, values, switches and order', () => {
    const property = fc.property(worlds, (made) => {
      const world = makeWorld(made)
      const bytes = world.save()
      expect(world.save()).toEqual(bytes)
      checkInvariants(world)
      const { world: loaded, handles, unknown, absent } = load(bytes, KINDS)
      expect(unknown).toEqual([])
      expect(handles.size).toBe(world.stats().entities)
      expect(loaded.stats().entities).toBe(handles.size)
      expect(loaded.tick).toBe(world.tick)
      expectSame(world, loaded, handles, PLAIN)
      for (const { entity, component } of absent) {
        expect(component).toBe(SOCKET)
        expect(loaded.has(entity, component)).toBe(false)
      }
      expect(absent.length).toBe(world.query(SOCKET).count)
      expect(loaded.query(SPRITE).count).toBe(world.query(SPRITE).count)
      for (const kind of PLAIN) {
        const { storage, order } = kind as { storage?: string; order?: string }
        if (storage === 'table' && order === undefined) continue
        const visited = [...world.query(kind).entities()].map((entity) => handles.get(entity))
        expect([...loaded.query(kind).entities()]).toEqual(visited)
      }
      entities += handles.size
      // Every entity has a handle by its place now: from here on the bytes stay the same.
      const again = loaded.save()
      const third = load(again, KINDS)
      if (absent.length === 0) expect(again.length).toBe(bytes.length)
      expect(third.world.save()).toEqual(again)
      expect(third.world.digest()).toBe(loaded.digest())
      for (const one of [world, loaded, third.world]) one.dispose()
    })
    fc.assert(property, { seed, numRuns: proofLength(150) })
  })

  it('Merging adds all of it to a world that has entities, handles and texts of its own', () => {
    const property = fc.property(worlds, worlds, (first, second) => {
      const [world, other] = [makeWorld(first), makeWorld(second)]
      const bytes = other.save({ only: PLAIN })
      const before = world.query().entities()
      const rest = world.save()
      const { handles, unknown } = world.merge(bytes, { components: KINDS })
      checkInvariants(world)
      expect(unknown).toEqual([])
      expectSame(other, world, handles, PLAIN)
      const added = new Set<number>(handles.values())
      expect(added.size).toBe(handles.size)
      for (const entity of before) expect(added.has(entity)).toBe(false)
      // What was there is as it was.
      world.destroyMany([...added])
      checkInvariants(world)
      const [one, two] = [load(rest, KINDS), load(world.save(), KINDS)]
      expectSame(one.world, two.world, pairs(one.handles, two.handles), PLAIN)
      for (const each of [world, other, one.world, two.world]) each.dispose()
    })
    fc.assert(property, { seed: seed + 1, numRuns: proofLength(80) })
  })

  it('JSON says what the bytes say', () => {
    const property = fc.property(worlds, (made) => {
      const world = makeWorld(made)
      const json = saveToJSON(world)
      const [one, two] = [load(world.save(), KINDS), loadJSON(json, KINDS)]
      expect(two.world.save()).toEqual(one.world.save())
      expect([...two.handles]).toEqual([...one.handles])
      for (const each of [world, one.world, two.world]) each.dispose()
    })
    fc.assert(property, { seed: seed + 2, numRuns: proofLength(60) })
  })
})

/** From the entities of one world to those of another, which came of the same. */
function pairs(one: ReadonlyMap<number, Entity>, two: ReadonlyMap<number, Entity>): Map<number, Entity> {
  return new Map([...one].map(([old, entity]) => [entity, two.get(old) as Entity]))
}
