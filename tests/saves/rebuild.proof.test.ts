// Shows what a merge does to a world that goes on: which listeners run, what stays, and that a limit leaves nothing behind.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  destroyMany,
  digestWorld,
  createGroup,
  LimitError,
  added,
  changed,
  component,
  entity,
  f32,
  f64,
  mergeWorld,
  object,
  onAdd,
  onEnter,
  onSet,
  resource,
  saveWorld,
  sparse,
  spawnMany,
  onChange,
  stable,
  tag,
  text,
  toggle,
  u32,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { expectSame, load } from '../support/loaded'
import { MEMORY_STEP } from '../support/proofs'
import { leaveFree } from '../support/scarcity'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Tracked = component('Tracked', { n: u32 }, { trackChanges: 'row' })
const Health = component('Health', { hp: f64 }, { storage: sparse, toggle })
const Armour = component('Armour', { n: u32 }, { storage: sparse })
const Depth = component('Depth', { z: f32 }, { storage: sparse })
const Slot = component('Slot', { n: u32 }, { storage: stable })
const Name = component('Name', { value: text })
const Target = component('Target', { who: entity })
const Red = tag('Red')
const Waiting = tag('Waiting', { order: 'insertion' })
const KINDS = [Position, Tracked, Health, Armour, Depth, Slot, Name, Target, Red, Waiting]

function source(count = 50) {
  const world = testWorld()
  const handles: Entity[] = []
  for (let i = 0; i < count; i++) {
    const parts = [Position({ x: i }), Health({ hp: i / 3 }), Name({ value: `name ${i % 7}` })] as const
    handles.push(
      i % 2 ? world.spawn(...parts, Tracked({ n: i }), Slot({ n: i })) : world.spawn(...parts, Red),
    )
  }
  handles.forEach((handle, i) => {
    world.add(handle, Target({ who: handles[(i * 3 + 1) % count] as Entity }))
    if (i % 3 === 0) world.add(handle, Armour({ n: i }), Waiting)
    if (i % 3 === 0 || i % 4 === 1) world.add(handle, Depth({ z: i }))
    if (i % 5 === 0) world.disable(handle, Health)
  })
  return { world, handles, bytes: saveWorld(world) }
}

describe('listeners', () => {
  it('They are called for each entity once, as for a copy, when everything is there', () => {
    const { bytes, handles: old } = source()
    const world = testWorld()
    const log: string[] = []
    let whole = 0
    onAdd(world, Position, (handle) => {
      log.push(`add ${handle}`)
      const { who } = world.get(handle, Target) as { who: Entity }
      if (world.isAlive(who) && world.get(who, Name)?.value.startsWith('name')) whole++
    })
    onSet(world, Position, () => log.push('set'))
    const entered: number[] = []
    onEnter(world.query(Position, Red), (handle) => entered.push(handle))
    let subscribed = 0
    onChange(world.query(Health), () => subscribed++)
    const { handles } = mergeWorld(world, bytes, { components: KINDS })
    const news = old.map((handle) => handles.get(handle))
    expect(log.sort()).toEqual(news.map((handle) => `add ${handle}`).sort())
    expect(entered.length).toBe(25)
    expect([whole, subscribed]).toEqual([50, 1])
    checkInvariants(world)
  })

  it('Changes that listeners make are applied afterwards, and their errors are thrown when everything is done', () => {
    const { bytes } = source()
    const world = testWorld()
    onAdd(world, Position, (handle) => {
      world.destroy(handle)
      throw new Error('from a listener')
    })
    expect(() => mergeWorld(world, bytes, { components: KINDS })).toThrow('from a listener')
    expect(world.stats().entities).toBe(0)
    checkInvariants(world)
  })

  it('Queries that ask for changes find the new rows, and only them', () => {
    const { bytes } = source()
    const world = testWorld()
    const mine = world.spawn(Position, Tracked, Health)
    const queries = [Position, Tracked, Health].flatMap((kind) => [
      world.query(changed(kind)),
      world.query(added(kind)),
    ])
    for (const query of queries) query.entities()
    world.advanceTick()
    const { handles } = mergeWorld(world, bytes, { components: KINDS })
    const news = new Set<number>(handles.values())
    for (const [i, kind] of [Tracked, Tracked].entries()) {
      const found = [...(queries[2 + i] as (typeof queries)[0]).entities()]
      expect(found.length).toBe(world.query(kind).count - 1)
      expect(found).not.toContain(mine)
    }
    for (const query of queries) {
      const found = query === queries[2] || query === queries[3] ? [] : [...query.entities()]
      for (const handle of found) expect(news.has(handle) || handle === mine).toBe(true)
      expect(query.entities().length).toBe(0)
    }
  })

  it('Objects are revived with their neighbours in place; if revive throws, that object is absent and the others are there', () => {
    const Mesh = object<string>('Mesh', {
      revive: (handle, world) => {
        const { x } = world.get(handle, Position) as { x: number }
        if (x === 3) throw new Error('no mesh for 3')
        return `mesh ${x} ${world.get((world.get(handle, Target) as { who: Entity }).who, Position)?.x}`
      },
    })
    const { world: from, handles: old } = source(10)
    for (const handle of old) from.add(handle, Mesh('old'))
    const world = testWorld()
    const added: string[] = []
    onAdd(world, Mesh, (handle) => added.push(world.get(handle, Mesh) as string))
    const before = world.query(Mesh).count
    expect(() => mergeWorld(world, saveWorld(from), { components: [...KINDS, Mesh] })).toThrow(
      'no mesh for 3',
    )
    expect(world.query(Mesh).count - before).toBe(9)
    expect(added.sort()).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9].map((x) => `mesh ${x} ${(x * 3 + 1) % 10}`))
    expect(world.query(Position).count).toBe(10)
    checkInvariants(world)
    expect(() => load(saveWorld(from), [...KINDS, Mesh])).toThrow('no mesh for 3')
  })
})

describe('what exists already', () => {
  it('Entities stay, handles of the save are new ones, and resources of the world win', () => {
    const Time = resource('Time', { now: f32 })
    const Space = resource('Space', { size: f32, who: entity })
    const Rng = resource<number>('Rng', { save: (n) => n, load: (n: number) => n })
    const Seed = resource<number>('Seed', { save: (n) => n, load: (n: number) => n + 1 })
    const { world: from, handles: old } = source(3)
    from.setResource(Time, { now: 1 })
    from.setResource(Space, { size: 2, who: old[1] as Entity })
    from.setResource(Rng, 3)
    from.setResource(Seed, 4)
    const world = testWorld()
    const mine = world.spawn(Position({ x: 77 }))
    world.setResource(Time, { now: 10 })
    world.setResource(Rng, 30)
    const { handles } = mergeWorld(world, saveWorld(from), { components: [...KINDS, Space, Seed] })
    expect(world.get(mine, Position)).toEqual({ x: 77 })
    expect(handles.get(old[0] as number)).not.toBe(mine)
    expect([world.resource(Time).now, world.resource(Rng), world.resource(Seed)]).toEqual([10, 30, 5])
    expect(world.getResource(Space)).toEqual({ size: 2, who: handles.get(old[1] as number) })
  })

  it('A group stays one, and merging twice gives everything twice', () => {
    const { world: from, bytes } = source()
    const world = testWorld()
    const grouped = createGroup(world, Depth, Armour)
    world.spawn(Depth, Armour)
    for (let i = 1; i <= 3; i++) {
      const { handles } = mergeWorld(world, bytes, { components: KINDS })
      checkInvariants(world)
      expectSame(from, world, handles, KINDS)
      expect(grouped.count).toBe(1 + i * 17)
    }
  })

  it('Reused indices are given out in order', () => {
    const { world: from, bytes } = source(2500)
    const world = testWorld()
    const handles = spawnMany(world, 4000, [Position])
    destroyMany(world, handles.slice().reverse())
    const merged = mergeWorld(world, bytes, { components: KINDS })
    checkInvariants(world)
    expectSame(from, world, merged.handles, KINDS)
    const indices = [...merged.handles].sort(([a], [b]) => a - b).map(([, handle]) => handle & 0xffffff)
    expect(indices).toEqual([...indices].sort((a, b) => a - b))
  })

  it('A declaration that replaces another one of the same name is refused, and nothing has changed', () => {
    const { bytes } = source()
    const world = testWorld()
    world.spawn(component('Name', { value: text }))
    const digested = digestWorld(world)
    expect(() => mergeWorld(world, bytes, { components: KINDS })).toThrow("another component named 'Name'")
    expect(digestWorld(world)).toBe(digested)
  })
})

describe('limits', () => {
  it('Too few ids: nothing is left, and the world goes on', () => {
    const { bytes } = source()
    for (const maxEntities of [2, 49, 50, 51]) {
      const world = testWorld({ maxEntities })
      world.spawn(Position)
      const digested = digestWorld(world)
      const merge = () => mergeWorld(world, bytes, { components: KINDS })
      if (maxEntities < 51) {
        expect(merge).toThrow(LimitError)
        expect(digestWorld(world)).toBe(digested)
        expect(() => load(bytes, KINDS, { maxEntities: maxEntities - 1 })).toThrow(LimitError)
      } else merge()
      checkInvariants(world)
    }
  })

  it('Memory that runs out at any point leaves nothing behind, and what fits is whole', () => {
    const { world: from, bytes } = source(400)
    const Time = resource('Time', { cells: f32 })
    from.setResource(Time, { cells: 1 })
    const full = saveWorld(from)
    let refused = 0
    let merged = 0
    for (let kib = 0; merged < 3; kib += 2 * MEMORY_STEP) {
      const world = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
      const mine = world.spawn(Position({ x: 5 }), Name({ value: 'mine' }))
      leaveFree(world, kib)
      const digested = digestWorld(world)
      const { texts, entities } = world.stats()
      try {
        const { handles } = mergeWorld(world, kib % 4 === 0 ? full : bytes, { components: [...KINDS, Time] })
        expectSame(from, world, handles, KINDS)
        merged++
      } catch (error) {
        expect(error).toBeInstanceOf(LimitError)
        expect(digestWorld(world)).toBe(digested)
        expect(world.stats()).toMatchObject({ texts, entities })
        expect(world.hasResource(Time)).toBe(false)
        refused++
      }
      checkInvariants(world)
      expect(world.get(mine, Position)).toEqual({ x: 5 })
      world.dispose()
    }
    expect(refused).toBeGreaterThan(3)
  })
})
