// Shows that a save keeps the order in which entities were made, also with recycled or named handles, and that a loaded world
// takes the course of the saved one. The scripts number what they make.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type Entity,
  cloneEntity,
  destroyMany,
  digestWorld,
  mergeWorld,
  NULL_ENTITY,
  type World,
  component,
  entity,
  inCreationOrder,
  saveToJSON,
  saveWorld,
  sortedEntities,
  spawnAt,
  spawnMany,
  tag,
  u32,
} from '../../bindings/index'
import { ENTITIES_NEXT_BIRTH } from '../../build/layout'
import { pokeWord } from '../support/inside'
import { load, loadJSON } from '../support/loaded'
import { proofLength } from '../support/proofs'
import { descriptionOf, described, sealed } from '../support/saveBytes'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

const seed = Number(globalThis.process?.env?.['STRATA_SEED'] ?? 20_261_125)
const Red = tag('Red')
/** So few that indices are used again after a few steps, without the thousand that rest in a larger world. */
const MOST = 24
const refused = expect.objectContaining({ code: 'SAVE_REFUSED' })

describe.each(STORAGES)('entities with a %s component', (storage) => {
  const Thing = component('Thing', { serial: u32, tie: u32, next: entity }, { storage: STORED[storage] })
  const all = { components: [Thing, Red] }
  let recycled = 0

  /** A world, and the serial numbers of its entities, the oldest first. */
  interface Made {
    readonly world: World
    readonly serials: number[]
  }

  type Step = readonly [what: number, which: number]
  const scripts = fc.array(fc.tuple(fc.nat(9), fc.nat(0xffff)), { minLength: 1, maxLength: 120, size: 'max' })

  function make(steps: readonly Step[], firstSerial = 0, most = MOST): Made {
    const world = testWorld({ maxEntities: most })
    const made: { serial: number; entity: Entity }[] = []
    const dead: Entity[] = []
    let serial = firstSerial
    const values = () => ({ serial: ++serial, tie: serial % 3 })
    for (const [what, which] of steps) {
      const place = which % Math.max(1, made.length)
      const at = made[place]
      const past = dead[which % Math.max(1, dead.length)]
      if (made.length < most && (what < 4 || at === undefined))
        made.push({ entity: world.spawn(Thing({ ...values(), next: at?.entity ?? NULL_ENTITY })), serial })
      else if (what < 5 && made.length < most && past !== undefined && isFree(world, past))
        made.push({ entity: spawnAt(world, past, Thing(values())), serial })
      else if (at === undefined) continue
      else if (what < 6 && made.length < most) {
        const entity = cloneEntity(world, at.entity)
        world.set(entity, Thing, values())
        made.push({ entity, serial })
      } else if (what < 7) world.add(at.entity, Red)
      else if (what < 8) world.remove(at.entity, Red)
      else {
        world.destroy(at.entity)
        dead.push(at.entity)
        made.splice(place, 1)
      }
    }
    return { world, serials: made.map((one) => one.serial) }
  }

  function isFree(world: World, handle: Entity): boolean {
    return Array.from(world.query().entities()).every((one) => (one ^ handle) & 0xffffff)
  }

  const serialsOf = (world: World, handles: ArrayLike<Entity>) =>
    Array.from(handles, (one) => world.get(one, Thing)?.serial)
  const inOrderOf = (world: World) => serialsOf(world, world.query(Thing, inCreationOrder()).entities())
  const sortedOf = (world: World) => serialsOf(world, sortedEntities(world.query(Thing), Thing, 'tie'))

  /** What a program does that goes by the two orders; what it saw, and the digests on the way. */
  function goOn(world: World): { seen: unknown[]; digests: number[] } {
    const seen: unknown[] = []
    const digests: number[] = []
    for (let step = 1; step <= 5; step++) {
      const ordered = sortedEntities(world.query(Thing), Thing, 'tie')
      const [first, last] = [ordered[0], ordered.at(-1)]
      let turn = 0
      for (const one of world.query(Thing, inCreationOrder()).entities())
        world.set(one, Thing, { tie: (turn++ * step) % 4 })
      if (first !== undefined) world.destroy(first)
      if (first !== undefined) world.spawn(Thing({ serial: 1000 + step, tie: 1 }), Red)
      if (last !== undefined && world.isAlive(last)) world.add(last, Red)
      world.advanceTick()
      seen.push(inOrderOf(world), sortedOf(world))
      digests.push(digestWorld(world))
    }
    return { seen, digests }
  }

  afterAll(() => expect(recycled).toBeGreaterThanOrEqual(proofLength(15)))

  it('keep their order of creation through bytes and JSON, and behave the same afterwards', () => {
    const property = fc.property(scripts, (steps) => {
      const { world, serials } = make(steps)
      expect(inOrderOf(world)).toEqual(serials)
      const bytes = saveWorld(world)
      if (bytes[8] === 3) recycled++
      const loaded = load(bytes, all.components).world
      const fromJSON = loadJSON(saveToJSON(world), all.components).world
      const merged = testWorld()
      mergeWorld(merged, bytes, all)
      const again = load(saveWorld(loaded), all.components).world
      const others = [loaded, fromJSON, merged, again]
      for (const one of others) {
        expect(inOrderOf(one)).toEqual(serials)
        expect(sortedOf(one)).toEqual(sortedOf(world))
      }
      expect(saveWorld(again)).toEqual(saveWorld(loaded))
      expect(saveToJSON(fromJSON)).toBe(saveToJSON(loaded))
      const course = goOn(world)
      const courses = others.map(goOn)
      for (const { seen } of courses) expect(seen).toEqual(course.seen)
      // These have the same handles, so they stay the same to the last bit.
      for (const { digests } of courses) expect(digests).toEqual(courses[0]?.digests)
      for (const one of [world, ...others]) one.dispose()
    })
    fc.assert(property, { seed, numRuns: proofLength(60) })
  })

  it('are younger than all entities of a world into which they are merged, in their own order', () => {
    const property = fc.property(scripts, scripts, fc.boolean(), (steps, others, comeBack) => {
      const saved = make(steps, 0, MOST / 2)
      const host = make(others, 5000)
      const full = testWorld()
      mergeWorld(full, saveWorld(host.world), all)
      // In a world without a free index the merged entities get theirs in the order in which indices came back.
      const into = comeBack ? host.world : full
      for (const one of into
        .query(Thing, inCreationOrder())
        .entities()
        .slice(MOST / 2))
        into.destroy(one)
      mergeWorld(into, saveWorld(saved.world), all)
      const kept = [...host.serials.slice(0, MOST / 2), ...saved.serials]
      expect(inOrderOf(into)).toEqual(kept)
      const twin = load(saveWorld(into), all.components).world
      expect(inOrderOf(twin)).toEqual(kept)
      expect(goOn(twin).seen).toEqual(goOn(into).seen)
      for (const one of [saved.world, host.world, full, twin]) one.dispose()
    })
    fc.assert(property, { seed, numRuns: proofLength(60) })
  })

  it('keep their order if a save includes only some of them, listed in any order', () => {
    const property = fc.property(scripts, fc.nat(6), (steps, skip) => {
      const { world, serials } = make(steps)
      const some = Array.from(world.query(Thing, inCreationOrder()).entities()).filter(
        (_, i) => i % (skip + 1) === 0,
      )
      const right = serials.filter((_, i) => i % (skip + 1) === 0)
      const { world: part } = load(saveWorld(world, { entities: some.reverse() }), all.components)
      expect(inOrderOf(part)).toEqual(right)
      const red = load(saveWorld(world, { entities: world.query(Thing, Red) }), all.components).world
      const only = load(saveWorld(world, { only: [Red] }), [Red]).world
      expect(inOrderOf(red)).toEqual(serialsOf(world, world.query(Thing, Red, inCreationOrder()).entities()))
      expect(only.query(Red).count).toBe(red.query(Red).count)
      for (const one of [world, part, red, only]) one.dispose()
    })
    fc.assert(property, { seed, numRuns: proofLength(60) })
  })

  it('are in order even with a thousand free indices in between', () => {
    const world = testWorld()
    const first = spawnMany(world, 1500, [Thing])
    destroyMany(world, first.slice(0, 1200))
    for (let i = 0; i < 300; i++) world.spawn(Thing({ serial: i + 1 }))
    const order = inOrderOf(world)
    expect(order.slice(300)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
    expect(inOrderOf(load(saveWorld(world), all.components).world)).toEqual(order)
  })

  it('are in order even if the count of all entities ever made wraps at 2^32', () => {
    const world = testWorld()
    pokeWord(world, ENTITIES_NEXT_BIRTH, 2 ** 32 - 3)
    const made = Array.from({ length: 6 }, (_, i) => world.spawn(Thing({ serial: i })))
    expect(descriptionOf(saveWorld(world))).not.toHaveProperty('making')
    for (const i of [3, 0]) world.destroy(made[i] as Entity)
    spawnAt(world, made[3] as Entity, Thing({ serial: 6 }))
    spawnAt(world, made[0] as Entity, Thing({ serial: 7 }))
    const { world: loaded } = load(saveWorld(world), all.components)
    expect(inOrderOf(loaded)).toEqual([1, 2, 4, 5, 6, 7])
    const host = testWorld()
    pokeWord(host, ENTITIES_NEXT_BIRTH, 2 ** 32 - 3)
    mergeWorld(host, saveWorld(world), all)
    expect(inOrderOf(host)).toEqual([1, 2, 4, 5, 6, 7])
  })
})

describe('a file', () => {
  const Thing = component('Thing', { serial: u32 })

  /** Three entities, of which the one with the lowest index is the youngest; or the order of their indices. */
  function three(isMixed: boolean): World {
    const world = testWorld()
    const [a] = [0, 1, 2].map((serial) => world.spawn(Thing({ serial })))
    if (!isMixed) return world
    world.destroy(a as Entity)
    spawnAt(world, a as Entity, Thing({ serial: 3 }))
    return world
  }

  const serialsIn = (world: World) =>
    Array.from(world.query(Thing, inCreationOrder()).entities(), (one) => world.get(one, Thing)?.serial)

  it('has an order of creation only if that is not the order of indices, and only then a version that requires it', () => {
    const [plain, mixed] = [three(false), three(true)].map((world) => ({
      bytes: saveWorld(world),
      json: saveToJSON(world),
    }))
    expect(plain?.bytes[8]).toBe(1)
    expect(descriptionOf(plain?.bytes as Uint8Array)).not.toHaveProperty('making')
    expect(plain?.json).toContain('"version": 1')
    expect(plain?.json).not.toContain('making')
    expect(mixed?.bytes[8]).toBe(3)
    expect(descriptionOf(mixed?.bytes as Uint8Array)).toHaveProperty('making', 3)
    expect(mixed?.json).toContain('"version": 3')
    expect(mixed?.json).toContain('"making": [\n  2,\n  3,\n  1\n]')
  })

  it('costs four more bytes for each entity, and the name of the order', () => {
    const more = saveWorld(three(true)).length - saveWorld(three(false)).length
    expect(more).toBeLessThan(3 * 4 + '"making":3,'.length + 4)
  })

  it('without an order of creation uses the order of indices, even among reused indices', () => {
    const host = testWorld({ maxEntities: 4 })
    const old = [0, 1, 2, 3].map((serial) => host.spawn(Thing({ serial: serial + 10 })))
    for (const i of [2, 0, 1]) host.destroy(old[i] as Entity)
    mergeWorld(host, saveWorld(three(false)))
    expect(serialsIn(host)).toEqual([13, 0, 1, 2])
  })

  it('with a damaged order of creation is refused, and changes nothing', () => {
    const bytes = saveWorld(three(true))
    const json = saveToJSON(three(true))
    const host = three(true)
    const before = saveWorld(host)
    const at = bytes.length - 12
    const refuses = (file: Uint8Array) => {
      expect(() => load(file, [Thing])).toThrow(refused)
      expect(() => mergeWorld(host, file)).toThrow(refused)
      expect(saveWorld(host)).toEqual(before)
    }
    for (const [place, number] of [
      [0, 2],
      [1, 1],
      [2, 3],
      [2, 0x00ffffff],
      [0, 0xffffffff],
    ] as const) {
      const file = bytes.slice()
      new DataView(file.buffer).setUint32(at + place * 4, number, true)
      refuses(sealed(file))
    }
    for (const length of [0, 1, 2, 4, 2 ** 24, 2 ** 32, -1, 1.5, '3', null, true, [3], {}])
      refuses(described(bytes, (description) => (description.making = length)))
    refuses(described(bytes, (description) => delete description.making))
    refuses(sealed(bytes.slice(0, at + 8)))
    for (const version of [1, 2]) {
      const file = bytes.slice()
      file[8] = version
      refuses(sealed(file))
    }
    const plain = saveWorld(three(false))
    plain[8] = 3
    refuses(sealed(plain))
    refuses(sealed(Uint8Array.of(...bytes, 0, 0, 0, 0)))
    for (const list of ['2,3', '2,3,1,1', '2,3,3', '2,3,4', '2,3,"1"', '2,3,null', '']) {
      const damaged = json.replace(/"making": \[[^\]]*\]/, `"making": [${list}]`)
      expect(damaged).not.toBe(json)
      expect(() => loadJSON(damaged, [Thing])).toThrow(refused)
    }
    for (const none of ['null', '3', '{}', '"2,3,1"'])
      expect(() => loadJSON(json.replace(/"making": \[[^\]]*\]/, `"making": ${none}`), [Thing])).toThrow(
        refused,
      )
    const { world } = loadJSON(json.replace(/"making": \[[^\]]*\],/, ''), [Thing])
    expect(serialsIn(world)).toEqual([3, 1, 2])
  })
})
