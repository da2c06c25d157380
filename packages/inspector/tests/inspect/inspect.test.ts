// Shows what `inspect` reports of a world, how it edits by names, and that it costs nothing while it is not used. What `find`
// finds is in found.proof.test.ts.

import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  destroyMany,
  digestWorld,
  NULL_ENTITY,
  type World,
  added,
  any,
  component,
  createWorld,
  f32,
  not,
  object,
  onAdd,
  onEnter,
  onExit,
  onRestore,
  onSet,
  relation,
  createRemovalReader,
  resetWorld,
  resource,
  restoreWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  onChange,
  stable,
  tag,
  text,
  toggle,
  u16,
  u32,
  vec,
} from '../../../../bindings/index'
import { inspect } from '../../src/inspect/inspect'
import { checkInvariants } from '../../../../tests/support/invariants'
import { STORAGES, STORED } from '../../../../tests/support/storages'
import { watchedWorld } from '../../../../tests/support/watched'
import { bytesOf } from '../../../../tests/support/bytes'

const Position = component('Position', { x: f32, y: f32 })
const Health = component('Health', { hp: u16 }, { storage: sparse, toggle })
const Slot = component('Slot', { n: u32 }, { storage: stable })
const Name = component('Name', { value: text, path: vec(u16, 2) })
const Frozen = tag('Frozen')
const Sprite = object<{ image: string }>('Sprite')
const ChildOf = relation('ChildOf', { weight: f32 }, { exclusive: true, onTargetDestroy: 'destroy' })
const Likes = relation('Likes', { much: f32 })
const Time = resource('Time', { dt: f32, steps: u32 })
const Settings = resource<{ sound: boolean }>('Settings')

const coded = (code: string) => expect.objectContaining({ code }) as Error

/** What the state of a world must be like that was only looked at. */
function stateOf(world: World) {
  const { state } = world as unknown as {
    state: { watching: number; locks: number; heap: { u8: Uint8Array; readers: object }; names: object }
  }
  return state
}

describe('the contents of a world', () => {
  it('components are listed in the order in which the world met them, with fields and numbers', () => {
    const world = watchedWorld()
    const one = world.spawn(Position, Frozen)
    world.spawn(Position, Health)
    world.add(one, Name, Sprite({ image: 'a' }))
    world.add(one, Likes(world.spawn()))
    const shown = inspect(world).components()
    expect(shown.map(({ name, kind, storage, entities }) => [name, kind, storage, entities])).toEqual([
      ['Position', 'component', 'table', 2],
      ['Frozen', 'tag', 'table', 1],
      ['Health', 'component', 'sparse', 1],
      ['Name', 'component', 'table', 1],
      ['Sprite', 'object', 'table', 1],
      ['Likes', 'relation', 'sparse', 1],
    ])
    expect(shown[3].fields).toEqual([
      { name: 'value', type: 'text', length: 1 },
      { name: 'path', type: 'u16', length: 2 },
    ])
    expect(shown[5].fields).toEqual([{ name: 'much', type: 'f32', length: 1 }])
    expect(shown.map(({ canToggle }) => canToggle)).toEqual([false, false, true, false, false, false])
  })

  it('archetypes list their components, and add up to stats', () => {
    const world = watchedWorld()
    spawnMany(world, 3000, [Position])
    spawnMany(world, 10, [Position, Frozen])
    world.spawn()
    const view = inspect(world)
    const archetypes = view.archetypes()
    expect(archetypes.map(({ id, components, entities }) => [id, components, entities])).toEqual([
      [0, [], 1],
      [1, ['Position'], 3000],
      [2, ['Position', 'Frozen'], 10],
    ])
    const { entities, chunks } = view.stats()
    expect(archetypes.reduce((sum, one) => sum + one.entities, 0)).toBe(entities)
    expect(archetypes.reduce((sum, one) => sum + one.chunks, 0)).toBe(chunks)
    for (const archetype of archetypes) {
      const list = view.chunks(archetype.id)
      expect(list).toHaveLength(archetype.chunks)
      for (const key of ['entities', 'capacity', 'bytes'] as const)
        expect(list.reduce((sum, chunk) => sum + chunk[key], 0)).toBe(archetype[key])
      expect(archetype.fill).toBe(archetype.entities / archetype.capacity)
    }
    for (const id of [-1, 3, 0.5, '1', undefined])
      expect(() => view.chunks(id as never)).toThrow(coded('INVALID_OPTION'))
  })

  it('pools count entities, and rows that wait to be reused', () => {
    const world = watchedWorld()
    const all = spawnMany(world, 10, [Health, Slot])
    destroyMany(world, all.slice(2, 5))
    expect(
      inspect(world)
        .pools()
        .map(({ component, storage, entities, holes }) => [component, storage, entities, holes]),
    ).toEqual([
      ['Health', 'sparse', 7, 0],
      ['Slot', 'stable', 7, 3],
    ])
  })

  it('relations count sources and links', () => {
    const world = watchedWorld()
    const [a, b, c] = spawnMany(world, 3, [Position])
    world.add(b, ChildOf(a))
    world.add(c, ChildOf(a))
    world.add(c, Likes(a))
    world.add(c, Likes(b))
    expect(inspect(world).relations()).toEqual([
      { name: 'ChildOf', exclusive: true, onTargetDestroy: 'destroy', sources: 2, links: 2 },
      { name: 'Likes', exclusive: false, onTargetDestroy: 'remove', sources: 1, links: 2 },
    ])
    world.destroy(b)
    expect(inspect(world).relations()[1]).toMatchObject({ sources: 1, links: 1 })
  })

  it('existing resources are listed, with copies of their fields', () => {
    const world = watchedWorld()
    const view = inspect(world)
    expect(view.resources()).toEqual([])
    world.resource(Time).dt = 0.5
    const settings = { sound: true }
    world.setResource(Settings, settings)
    const shown = view.resources()
    expect(shown.map(({ name, values }) => [name, values])).toEqual([
      ['Time', { dt: 0.5, steps: 0 }],
      ['Settings', undefined],
    ])
    expect(shown[1].value).toBe(settings)
    expect(shown[0].fields?.map(({ name }) => name)).toEqual(['dt', 'steps'])
    world.resource(Time).dt = 1
    expect(shown[0].values).toEqual({ dt: 0.5, steps: 0 })
    world.removeResource(Time)
    expect(view.resources().map(({ name }) => name)).toEqual(['Settings'])
  })

  it('queries have their terms, their matches on request, and their subscribers', () => {
    const world = watchedWorld()
    spawnMany(world, 5, [Position])
    spawnMany(world, 3, [Position, Health])
    const sparse = world.query(Position, not(Health))
    const moving = world.query(Position, any(Frozen, not(Health)))
    const stop = onChange(moving, () => {})
    onEnter(moving, () => {})
    for (const _ of world.query(added(Position))) void _
    const shown = inspect(world).queries()
    expect(shown.map(({ terms, matches, subscribers }) => [terms, matches, subscribers])).toEqual([
      ['Position, not(Health)', 5, 0],
      ['Position, any(Frozen, not(Health))', 5, 2],
      ['Position', undefined, 0],
    ])
    expect(shown.map(({ archetypes, active }) => [archetypes, active])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    stop()
    expect(inspect(world).queries()[1].subscribers).toBe(1)
    expect(sparse.count).toBe(5)
  })

  it('listeners are counted by event and component or query', () => {
    const world = watchedWorld()
    const view = inspect(world)
    expect(view.listeners()).toEqual([])
    const stops = [
      onAdd(world, Position, () => {}),
      onAdd(world, Position, () => {}),
      onSet(world, Health, () => {}),
      onExit(world.query(Position), () => {}),
      onChange(world.query(Health), () => {}),
      onRestore(world, () => {}),
    ]
    createRemovalReader(world, Frozen)
    const counts = () => view.listeners().map(({ event, component, count }) => [event, component, count])
    expect(counts()).toEqual([
      ['add', 'Position', 2],
      ['set', 'Health', 1],
      ['removals', 'Frozen', 1],
      ['exit', 'Position', 1],
      ['change', 'Health', 1],
      ['restore', '', 1],
    ])
    for (const stop of stops) stop()
    expect(counts()).toEqual([['removals', 'Frozen', 1]])
  })
})

describe('an entity', () => {
  it('has its components with values, links, ticks and switches', () => {
    const world = watchedWorld()
    const image = { image: 'a' }
    const parent = world.spawn()
    const ship = world.spawn(Position({ x: 1 }), Health({ hp: 3 }), Frozen, ChildOf(parent, { weight: 2 }))
    world.add(ship, Sprite(image), Name({ value: 'Ann', path: [1, 2] }))
    world.add(ship, Likes(parent, { much: 0.5 }))
    world.add(ship, Likes(ship))
    world.disable(ship, Health)
    const made = world.tick
    world.advanceTick()
    world.set(ship, Position, { y: 2 })
    const shown = inspect(world).entity(ship)
    const plain = { value: undefined, enabled: true, links: [] }
    expect(shown).toEqual([
      { ...plain, component: 'Position', kind: 'component', values: { x: 1, y: 2 }, changedAt: world.tick },
      {
        ...plain,
        component: 'Health',
        kind: 'component',
        values: { hp: 3 },
        changedAt: made,
        enabled: false,
      },
      { ...plain, component: 'Frozen', kind: 'tag', values: undefined, changedAt: undefined },
      {
        ...plain,
        component: 'ChildOf',
        kind: 'relation',
        values: undefined,
        changedAt: made,
        links: [{ target: parent, values: { weight: 2 } }],
      },
      {
        ...plain,
        component: 'Sprite',
        kind: 'object',
        values: undefined,
        value: image,
        changedAt: undefined,
      },
      {
        ...plain,
        component: 'Name',
        kind: 'component',
        values: { value: 'Ann', path: Uint16Array.of(1, 2) },
        changedAt: made,
      },
      {
        ...plain,
        component: 'Likes',
        kind: 'relation',
        values: undefined,
        changedAt: made,
        links: [
          { target: parent, values: { much: 0.5 } },
          { target: ship, values: { much: 0 } },
        ],
      },
    ])
    expect(shown?.[4].value).toBe(image)
  })

  it.each(STORAGES)('has the tick of its own row where rows are tracked (%s)', (storage) => {
    const world = watchedWorld()
    const Tracked = component('Tracked', { n: u32 }, { storage: STORED[storage], trackChanges: 'row' })
    const one = world.spawn(Tracked)
    const two = world.spawn(Tracked)
    const made = world.tick
    world.advanceTick()
    world.set(two, Tracked, { n: 1 })
    const view = inspect(world)
    expect(view.entity(one)?.[0].changedAt).toBe(made)
    expect(view.entity(two)?.[0].changedAt).toBe(world.tick)
  })

  it('is undefined when it is dead, and empty when it has no components, or no row yet', () => {
    const world = watchedWorld()
    const view = inspect(world)
    const ship = world.spawn(Position)
    world.destroy(ship)
    for (const handle of [ship, NULL_ENTITY, 0, -1, 0.5, 'x'])
      expect(view.entity(handle as never)).toBeUndefined()
    expect(view.entity(world.spawn())).toEqual([])
    world.batch(() => expect(view.entity(world.spawn(Position))).toEqual([]))
  })
})

describe('editing by names', () => {
  it.each(STORAGES)(
    'is an ordinary set: listeners are called, and absent components are added (%s)',
    (storage) => {
      const world = watchedWorld()
      const Count = component('Count', { n: u32, m: u32 }, { storage: STORED[storage] })
      const one = world.spawn(Count({ n: 1, m: 2 }))
      const two = world.spawn()
      const heard: string[] = []
      onSet(world, Count, (entity) => heard.push(`set ${entity}`))
      onAdd(world, Count, (entity) => heard.push(`add ${entity}`))
      const view = inspect(world)
      view.set(one, 'Count', 'n', 7)
      view.set(two, 'Count', 'm', 8)
      expect(world.get(one, Count)).toEqual({ n: 7, m: 2 })
      expect(world.get(two, Count)).toEqual({ n: 0, m: 8 })
      expect(heard).toEqual([`set ${one}`, `add ${two}`, `set ${two}`])
    },
  )

  it('waits inside a loop where a set would wait', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    world.query(Health)
    world.batch(() => {
      inspect(world).set(ship, 'Health', 'hp', 4)
      expect(world.has(ship, Health)).toBe(false)
    })
    expect(world.get(ship, Health)).toEqual({ hp: 4 })
  })

  it('writes to links, objects and resources', () => {
    const world = watchedWorld()
    const parent = world.spawn()
    const ship = world.spawn(ChildOf(parent), Likes(parent))
    world.add(ship, Sprite({ image: 'a' }))
    world.resource(Time)
    world.setResource(Settings, { sound: true })
    const view = inspect(world)
    view.set(ship, 'ChildOf', 'weight', 5)
    view.set(ship, 'Likes', 'much', 6, parent)
    view.set(ship, 'Sprite', undefined, { image: 'b' })
    view.setResource('Time', 'steps', 9)
    view.setResource('Settings', undefined, { sound: false })
    expect(world.get(ship, ChildOf)).toEqual({ weight: 5 })
    expect(world.target(ship, ChildOf)).toBe(parent)
    expect(world.get(ship, Likes(parent))).toEqual({ much: 6 })
    expect(world.get(ship, Sprite)).toEqual({ image: 'b' })
    expect(world.resource(Time).steps).toBe(9)
    expect(world.resource(Settings)).toEqual({ sound: false })
  })

  it('refuses what cannot be written, and changes nothing', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position({ x: 1 }), Frozen)
    const other = world.spawn()
    world.add(ship, Sprite({ image: 'a' }), Likes(other))
    world.resource(Time)
    world.setResource(Settings, { sound: true })
    world.query(ChildOf)
    const dead = world.spawn()
    world.destroy(dead)
    const view = inspect(world)
    const before = digestWorld(world)
    const refused: [string, () => void, string][] = [
      ['NOT_A_COMPONENT', () => view.set(ship, 'Positoin', 'x', 1), 'did you mean Position?'],
      ['NOT_A_COMPONENT', () => view.set(ship, 'Time', 'dt', 1), "there is no component 'Time'"],
      ['UNKNOWN_FIELD', () => view.set(ship, 'Position', 'z', 1), "there is no field of Position called 'z'"],
      ['UNKNOWN_FIELD', () => view.set(ship, 'Position', undefined, 1), 'there is no field'],
      ['UNKNOWN_FIELD', () => view.set(ship, 'Frozen', 'x', 1), 'Frozen has no fields'],
      ['UNKNOWN_FIELD', () => view.set(ship, 'Sprite', 'image', 'b'), 'leave the field out'],
      ['INVALID_VALUE', () => view.set(ship, 'Position', 'x', '1'), 'Position.x takes a number'],
      ['INVALID_VALUE', () => view.set(ship, 'Likes', 'much', 1), 'which link of Likes'],
      ['INVALID_VALUE', () => view.set(ship, 'Likes', 'much', 1, ship), 'there is no link Likes('],
      ['INVALID_VALUE', () => view.set(ship, 'ChildOf', 'weight', 1), 'which link of ChildOf'],
      ['DEAD_ENTITY', () => view.set(dead, 'Position', 'x', 1), 'is not alive'],
      ['NOT_A_RESOURCE', () => view.setResource('Tim', 'dt', 1), 'did you mean Time?'],
      ['UNKNOWN_FIELD', () => view.setResource('Time', 'td', 1), "has no field 'td'"],
      ['UNKNOWN_FIELD', () => view.setResource('Settings', 'sound', true), 'without fields'],
      ['INVALID_VALUE', () => view.setResource('Time', 'dt', true), 'Time.dt takes a number'],
    ]
    for (const [code, call, sentence] of refused) {
      expect(call, sentence).toThrow(coded(code))
      expect(call).toThrow(sentence)
    }
    expect(digestWorld(world)).toBe(before)
    expect(world.resource(Settings)).toEqual({ sound: true })
  })
})

describe('the life of an inspection', () => {
  it('accepts only a world', () => {
    for (const value of [undefined, null, {}, 'world', createWorld])
      expect(() => inspect(value as never)).toThrow(coded('INVALID_OPTION'))
  })

  it('continues after a reset, a restore and a clear; earlier filters find current entities', () => {
    const world = watchedWorld()
    const view = inspect(world)
    spawnMany(world, 5, [Position])
    const early = snapshotWorld(world)
    spawnMany(world, 3, [Position, Frozen])
    const found = view.find('Position & Frozen | Position.x > 0 order by Position.x')
    const all = view.find('Position')
    expect([found.count, all.count]).toEqual([3, 8])
    restoreWorld(world, early)
    // The world went back to a time when it had not met Frozen.
    expect([found.count, all.count, found.page(0, 9), view.components().length]).toEqual([0, 5, [], 1])
    clearWorld(world)
    expect([found.count, all.count, view.stats().entities]).toEqual([0, 0, 0])
    resetWorld(world)
    expect(view.components()).toEqual([])
    expect(view.archetypes()).toHaveLength(1)
    expect([found.count, all.count, found.isByRow, all.rows(0, 5)]).toEqual([0, 0, false, []])
    expect(() => view.find('Position')).toThrow(coded('INVALID_FILTER'))
    const ship = world.spawn(Position({ x: 4 }))
    expect(view.queries().every(({ matches }) => matches === undefined)).toBe(true)
    expect([found.count, all.page(0, 2)]).toEqual([0, [ship]])
    world.add(ship, Frozen)
    expect(found.page(0, 2)).toEqual([ship])
  })

  it('ends when the world is disposed of, which every call reports', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    const view = inspect(world)
    const found = view.find('Position')
    world.dispose()
    const calls = [
      () => inspect(world),
      () => view.stats(),
      () => view.components(),
      () => view.archetypes(),
      () => view.chunks(0),
      () => view.pools(),
      () => view.relations(),
      () => view.resources(),
      () => view.queries(),
      () => view.listeners(),
      () => view.entity(ship),
      () => view.set(ship, 'Position', 'x', 1),
      () => view.setResource('Time', 'dt', 1),
      () => view.find(''),
      () => found.count,
      () => found.page(0, 1),
      () => found.rows(0, 1),
      () => found.isByRow,
    ]
    for (const call of calls) expect(call).toThrow(coded('WORLD_DISPOSED'))
  })

  it('leaves no trace: no byte changes, nothing is registered or subscribed, and find makes one query', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position, Health, Name({ value: 'Ann' }))
    world.add(ship, Likes(ship))
    world.resource(Time)
    expect(world.query(Position).count).toBe(1)
    const { watching, names } = stateOf(world)
    const known = JSON.stringify(world.components().map(({ componentName }) => componentName))
    const before = bytesOf(world)
    const view = inspect(world)
    for (const ask of ['components', 'archetypes', 'pools', 'relations', 'resources'] as const) view[ask]()
    for (const ask of ['queries', 'listeners', 'stats'] as const) view[ask]()
    expect(view.queries().map(({ matches }) => matches)).toEqual([1])
    view.entity(ship)
    view.chunks(0)
    const existing = view.find('Position')
    expect([existing.count, existing.rows(0, 9).length]).toEqual([1, 1])
    // Scratch is for the arguments of one call, and the page before it for masks and conditions.
    const isKept = (address: number) => address < 0x18000 || address >= 0x30000
    const after = bytesOf(world)
    let differences = 0
    for (let i = 0; i < before.length; i++) if (isKept(i) && before[i] !== after[i]) differences++
    expect(differences).toBe(0)
    expect(stateOf(world).watching).toBe(watching)
    expect(stateOf(world).names).toBe(names)
    expect(stateOf(world).locks).toBe(0)
    const queries = view.queries().length
    for (let i = 0; i < 3; i++) view.find('Position | Health')
    view.find('Position & !Health').page(0, 5)
    view.find('!Health & Position').page(0, 5)
    expect(view.queries().length).toBe(queries + 2)
    expect(JSON.stringify(world.components().map(({ componentName }) => componentName))).toBe(known)
    checkInvariants(world)
  })

  it('finds and reads inside loops and listeners', () => {
    const world = watchedWorld()
    spawnMany(world, 4, [Position])
    world.spawn(Position, Health({ hp: 2 }))
    const view = inspect(world)
    let counts: number[] = []
    for (const _ of world.query(Position)) {
      void _
      counts = [
        view.find('Health.hp > 1').count,
        view.find('Position & !Health').count,
        view.archetypes().length,
      ]
    }
    expect(counts).toEqual([1, 4, 2])
    let heard = 0
    onSet(world, Position, () => (heard = view.find('Position.x > 3 | Health').count))
    world.set(view.find('Position').page(0, 1)[0], Position, { x: 9 })
    expect(heard).toBe(2)
  })
})
