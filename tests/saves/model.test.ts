// Owns the proof by random scripts that a save holds a whole world: over every storage, order, toggle, group, text and link.
// It must never pass by doing little: it counts what it loaded.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type ComponentLike,
  type Entity,
  NULL_ENTITY,
  type World,
  entity,
  relation,
  saveToJSON,
  saves,
  u16,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { expectSame, load, loadJSON } from '../support/loaded'
import { isShort, proofLength } from '../support/proofs'
import { Ground, OBJECT_SORTS, SORTS, Wind } from '../support/script/kinds'
import { Session, type Step, steps } from '../support/script/session'
import { testWorld } from '../support/world'

const seed = Number(globalThis.process?.env?.['STRATA_SEED'] ?? 20_261_122)
const UNLIMITED = 0x7fffffff
const EXCLUSIVE = [
  relation('Follows', { steps: u16, via: entity }, { exclusive: true }),
  relation('Remembers', { exclusive: true, onTargetDestroy: 'keep' }),
] as const
const ADMIRES = relation('Admires', { weight: u16, via: entity })
const MOURNS = relation('Mourns', { onTargetDestroy: 'keep' })
const RELATIONS = [...EXCLUSIVE, ADMIRES, MOURNS] as const
const LINKS = RELATIONS as readonly ComponentLike[]
const KINDS = [...[...SORTS, ...OBJECT_SORTS].map(({ kind }) => kind as ComponentLike), ...LINKS]
const KNOWN = [...KINDS, Ground, Wind]
const [SPRITE, SOCKET] = OBJECT_SORTS.map(({ kind }) => kind as ComponentLike) as [
  ComponentLike,
  ComponentLike,
]
/** Those without objects: of these only one comes back. */
const PLAIN = [...SORTS.map(({ kind }) => kind as ComponentLike), ...LINKS]

let entities = 0
let links = 0

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
    linkAll(world, all, querySeed)
  }
  return world
}

/** Links of two relations, some of them changed, moved and removed again, some to targets that are gone. */
function linkAll(world: World, all: ArrayLike<Entity>, seed: number): void {
  const at = (n: number) => all[n % all.length] as Entity
  for (let i = 0; i < all.length * 2; i++) {
    const [source, target] = [at(i * 3 + seed), at(i * i + (seed % 5))]
    world.add(source, EXCLUSIVE[0](target, { steps: i, via: at(i * 5) }))
    world.add(target, EXCLUSIVE[1](source))
    world.add(source, ADMIRES(target, { weight: i, via: at(i * 7) }))
    world.add(target, ADMIRES(source), MOURNS(at(i * 5)))
    const [first, second] = world.sources(target, EXCLUSIVE[0])
    if (i % 3 === 0 && second !== undefined) world.place(second, EXCLUSIVE[0], { before: first as Entity })
    if (i % 7 === 0) world.remove(at(i), EXCLUSIVE[0])
    if (i % 5 === 0) world.remove(at(i * 2), ADMIRES(at(i * i)))
  }
  for (let i = 0; i < all.length; i += 6) if (i % 4 === 0) world.destroy(at(i + seed))
}

/** Throws unless what became of some entities has the links that they have, in their order. */
function expectLinks(before: World, after: World, handles: ReadonlyMap<number, Entity>): void {
  const mapped = (handle: number) => (before.isAlive(handle) ? handles.get(handle) : undefined) ?? NULL_ENTITY
  for (const Relation of RELATIONS) {
    for (const [old, entity] of handles) {
      const asked = Relation as typeof ADMIRES
      const targets = Array.from(before.targets(old as Entity, asked), mapped)
      // An exclusive link to what is gone has no target.
      const isSingle = (EXCLUSIVE as readonly unknown[]).includes(Relation)
      expect(Array.from(after.targets(entity, asked))).toEqual(
        targets.filter((target) => !isSingle || target !== NULL_ENTITY),
      )
      const sources = Array.from(before.sources(old as Entity, Relation), mapped)
      expect(Array.from(after.sources(entity, Relation))).toEqual(sources)
      links += sources.length
    }
  }
  for (const [old, entity] of handles)
    for (const target of before.targets(old as Entity, ADMIRES)) {
      const { weight, via } = before.get(old as Entity, ADMIRES(target)) ?? { weight: -1, via: NULL_ENTITY }
      expect(after.get(entity, ADMIRES(mapped(target) as Entity))).toEqual({ weight, via: mapped(via) })
    }
}

describe('a random world', () => {
  afterAll(() => {
    expect(entities).toBeGreaterThanOrEqual(isShort ? proofLength(400) : 1000)
    expect(links).toBeGreaterThanOrEqual(isShort ? proofLength(400) : 1000)
  })

  it('Loading gives every entity its components, values, switches and order', () => {
    const property = fc.property(worlds, (made) => {
      const world = makeWorld(made)
      const bytes = world.save()
      expect(world.save()).toEqual(bytes)
      checkInvariants(world)
      const { world: loaded, handles, unknown, absent } = load(bytes, KNOWN)
      expect(unknown).toEqual([])
      expect(handles.size).toBe(world.stats().entities)
      expect(loaded.stats().entities).toBe(handles.size)
      expect(loaded.tick).toBe(world.tick)
      expectSame(world, loaded, handles, PLAIN)
      expectLinks(world, loaded, handles)
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
      const third = load(again, KNOWN)
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
      expectLinks(other, world, handles)
      const added = new Set<number>(handles.values())
      expect(added.size).toBe(handles.size)
      for (const entity of before) expect(added.has(entity)).toBe(false)
      // What was there is as it was.
      world.destroyMany([...added])
      checkInvariants(world)
      const [one, two] = [load(rest, KNOWN), load(world.save(), KNOWN)]
      const same = pairs(one.handles, two.handles)
      expectSame(one.world, two.world, same, PLAIN)
      expectLinks(one.world, two.world, same)
      for (const each of [world, other, one.world, two.world]) each.dispose()
    })
    fc.assert(property, { seed: seed + 1, numRuns: proofLength(80) })
  })

  it('JSON says what the bytes say', () => {
    const property = fc.property(worlds, (made) => {
      const world = makeWorld(made)
      const json = saveToJSON(world)
      const [one, two] = [load(world.save(), KNOWN), loadJSON(json, KNOWN)]
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
