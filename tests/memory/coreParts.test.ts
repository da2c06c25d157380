// Shows that a world begins the parts of the core when something first needs them, whichever way the world came to be, and that they
// and the base are one core.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  changed,
  cloneEntity,
  component,
  createWorld,
  destroyMany,
  digestWorld,
  endFrame,
  entity,
  f32,
  forkWorld,
  loadFromJSON,
  loadWorld,
  NULL_ENTITY,
  onRemove,
  resetWorld,
  resource,
  restoreWorld,
  saveToJSON,
  saveWorld,
  snapshotWorld,
  sortRows,
  sortedEntities,
  sparse,
  spawnAt,
  cloneMany,
  sumOf,
  sweepReferences,
  tag,
  text,
  textId,
  type World,
  u8,
} from '../../bindings/index'
import type { CoreParts } from '../../bindings/memory/core'
import { heldOf } from '../../bindings/memory/coreParts'
import { decodeText } from '../../bindings/memory/coreText'
import { stateOf } from '../../bindings/state/worldState'
import { releaseText } from '../../build/release'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Depth = component('Depth', { z: f32 }, { storage: sparse })
const Name = component('Name', { value: text })
const Target = component('Target', { at: entity })
const Marked = tag('Marked')
const Hit = tag('Hit', { lifetime: 'frame' })
const Rules = resource('Rules', { level: u8 })
const declared = { components: [Position, Depth, Name, Target, Marked] }

/** Something that begins each part, and what it gives in a world of three entities at x = 3, 1 and 2. */
const USES: Record<Exclude<keyof CoreParts, 'compile'>, readonly [(world: World) => unknown, unknown]> = {
  held: [
    (world) => {
      const seen: unknown[] = []
      const stop = onRemove(world, Position, (one) => seen.push(world.get(one, Position)?.x))
      const [first, second] = world.query(Position).entities()
      world.remove(first!, Position)
      world.exchange(second!, [Position, Depth], [Position({ x: 9 }), Marked])
      stop()
      return [seen, world.get(second!, Position)?.x, world.query(Position).count, world.query(Depth).count]
    },
    [[3, 1], 9, 2, 2],
  ],
  rare: [
    (world) => {
      world.resource(Rules).level = 5
      const touched = world.query(changed(Position))
      let seen = 0
      for (let look = 0; look < 2; look++) touched.each(() => void seen++)
      const given = spawnAt(world, 9000, Hit)
      const wasHit = world.has(given, Hit)
      endFrame(world)
      return [world.resource(Rules).level, seen, wasHit, world.has(given, Hit)]
    },
    [5, 3, true, false],
  ],
  order: [
    (world) => {
      const moving = world.query(Position)
      const inOrder = sortedEntities(moving, Position, 'x').map(
        (one) => (world.get(one, Position) as { x: number }).x,
      )
      sortRows(world, Depth, 'z')
      return [[...inOrder], sumOf(moving, Position, 'x'), world.query(Depth).first() === moving.entities()[1]]
    },
    [[1, 2, 3], 6, true],
  ],
  many: [
    (world) => {
      const moving = world.query(Position)
      addMany(world, moving.entities(), Marked, Position({ x: 7 }))
      const copies = cloneMany(world, cloneEntity(world, moving.first()!), 64)
      return [copies.length, world.query(Marked).count, world.get(copies[63]!, Position)]
    },
    [64, 68, { x: 7 }],
  ],
  texts: [
    (world) => {
      const [first] = world.query(Position).entities()
      world.add(first!, Name({ value: 'Ann' }))
      const dead = world.spawn(Target)
      world.set(dead, Target, { at: dead })
      const other = world.spawn(Target({ at: dead }))
      world.destroy(dead)
      return [
        world.get(first!, Name)?.value,
        textId(world, 'Ann') === textId(world, 'Bob'),
        sweepReferences(world),
        world.get(other, Target)?.at,
      ]
    },
    ['Ann', false, 1, NULL_ENTITY],
  ],
}

function filled(world: World): World {
  for (const x of [3, 1, 2]) world.spawn(Position({ x }), Depth({ z: x }))
  return world
}

/** Ways to come by a world in which no part has begun, with three entities. */
const ORIGINS: Record<string, () => World> = {
  'that was created': () => filled(testWorld()),
  'that was forked': () => forkWorld(filled(testWorld())),
  'that was loaded': () => {
    const saved = filled(testWorld())
    return loadWorld(saveWorld(saved), { ...declared, core: saved['core'] }).world
  },
  'that was loaded from JSON': () => {
    const saved = filled(testWorld())
    return loadFromJSON(saveToJSON(saved), { ...declared, core: saved['core'] }).world
  },
  'that was reset': () => {
    const world = filled(testWorld())
    resetWorld(world)
    return filled(world)
  },
  'that was restored': () => {
    const world = filled(testWorld())
    const before = snapshotWorld(world)
    destroyMany(world.query(Position))
    restoreWorld(world, before)
    return world
  },
}

const PARTS = Object.keys(USES) as (keyof typeof USES)[]

/** The core before it is cut, as strata-ecs/core.wasm has it. */
const wholeCore = () => new WebAssembly.Module(decodeText(releaseText()))

/** The parts that a world has begun. */
const begun = (world: World) => PARTS.filter((part) => stateOf(world, 'test').parts[part] !== undefined)

describe.each(Object.entries(ORIGINS))('A world %s', (_, make) => {
  it.each(PARTS)('loads the part %s when it is first needed, and no other', (part) => {
    const world = make()
    const before = begun(world)
    const [use, result] = USES[part]
    expect(use(world)).toEqual(result)
    checkInvariants(world)
    expect(new Set(begun(world))).toEqual(new Set([...before, part]))
  })

  it('ends up with the same bytes whichever core it is over, when it has used every part', () => {
    const world = make()
    const whole = loadWorld(saveWorld(world), { ...declared, core: wholeCore() }).world
    const parts = loadWorld(saveWorld(world), { ...declared, core: world['core'] }).world
    for (const one of [whole, parts]) for (const part of PARTS) USES[part][0](one)
    expect(digestWorld(parts)).toBe(digestWorld(whole))
    expect([...saveWorld(parts)]).toEqual([...saveWorld(whole)])
  })
})

describe('A part', () => {
  it.each(PARTS)('%s loads inside a loop without growing the memory', (part) => {
    const world = filled(testWorld())
    const { buffer } = stateOf(world, 'test').core.memory
    for (const _ of world.query(Position)) {
      if (part === 'order') expect(sumOf(world.query(Position), Position, 'x')).toBe(6)
      else if (part === 'rare') world.query(changed(Position)).each(() => {})
      else if (part === 'held') expect(heldOf(stateOf(world, 'test')).entityPrepare(0, 0, 0)).toBe(-1)
      else if (part === 'many') cloneEntity(world, world.query(Position).first()!)
      else expect(sweepReferences(world)).toBe(0)
      expect(stateOf(world, 'test').core.memory.buffer).toBe(buffer)
    }
    expect(world.query(Position).count).toBe(part === 'many' ? 4 : 3)
    checkInvariants(world)
  })

  it.each(PARTS)('%s belongs to its world alone', (part) => {
    const [one, other] = [filled(testWorld()), filled(testWorld())]
    for (const world of [one, other, one, other]) {
      resetWorld(world)
      expect(USES[part][0](filled(world))).toEqual(USES[part][1])
    }
    expect(stateOf(one, 'test').parts[part]).not.toBe(stateOf(other, 'test').parts[part])
  })

  it.each(PARTS)('%s is the core itself in a world over the whole core', (part) => {
    const world = filled(createWorld({ core: wholeCore() }))
    expect(USES[part][0](world)).toEqual(USES[part][1])
    const { core, parts } = stateOf(world, 'test')
    expect(parts[part]).toBe(core)
  })

  it.each(PARTS)('%s refuses a disposed world, whether it was loaded there or not', (part) => {
    for (const begins of [true, false]) {
      const world = filled(testWorld())
      const moving = world.query(Position)
      if (begins) USES[part][0](world)
      world.dispose()
      const calls = [
        () => sortedEntities(moving, Position, 'x'),
        () => addMany(world, [1], Marked),
        () => sweepReferences(world),
        () => spawnAt(world, 9000),
        () => void world.resource(Rules),
        () => endFrame(world),
        () => world.query(changed(Position)).each(() => {}),
      ]
      for (const call of calls) expect(call).toThrow(/disposed/)
      expect(begun(world)).toEqual([])
    }
  })
})
