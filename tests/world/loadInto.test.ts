// Shows that a running world takes over a save as a whole, that what a program holds of the world goes on, and that a save that
// cannot be loaded changes nothing.

import { describe, expect, it } from 'vitest'
import {
  changed,
  component,
  createCommands,
  createHistory,
  createSchedule,
  digestWorld,
  entity,
  type Entity,
  f32,
  createGroup,
  inCreationOrder,
  LimitError,
  loadInto,
  type LoadIntoOptions,
  NULL_ENTITY,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onResource,
  onRestore,
  onSet,
  relation,
  createRemovalReader,
  resource,
  restoreWorld,
  saveToJSON,
  saveWorld,
  snapshotWorld,
  onChange,
  tag,
  text,
  textId,
  u8,
  type World,
  spawnMany,
  destroyMany,
  createAccessor,
  resetWorld,
  sparse,
  toggle,
} from '../../bindings/index'
import { expectSameState, stateOf } from '../support/bytes'
import { codeOf } from '../support/caught'
import { load } from '../support/loaded'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Name = component('Name', { value: text })
const Target = component('Target', { who: entity })
const Ammo = component('Ammo', { n: u8 }, { storage: sparse })
const Likes = relation('Likes', { weight: u8 })
const Red = tag('Red', { toggle })
const Listed = tag('Listed', { order: 'insertion' })
const Time = resource('Time', { now: f32, place: text })
const Seed = resource<{ n: number }>('Seed', { save: ({ n }) => n, load: (n: number) => ({ n }) })
const Plain = resource<string>('Plain')
const KINDS = [Position, Name, Target, Ammo, Likes, Red, Listed, Time, Seed]

const WAYS: [string, (world: World) => Uint8Array | string][] = [
  ['the bytes of saveWorld', (world) => saveWorld(world)],
  ['the string of saveToJSON', (world) => saveToJSON(world)],
]

/** A world with something of everything. */
function savedWorld() {
  const world = watchedWorld()
  const gone = world.spawn(Listed)
  const ann = world.spawn(Position({ x: 1 }), Name({ value: 'Ann' }), Listed, Ammo({ n: 3 }))
  const bob = world.spawn(Position({ x: 2 }), Target({ who: ann }), Likes(ann, { weight: 7 }), Red, Listed)
  world.destroy(gone)
  const cat = world.spawn(Name({ value: 'Cat' }), Listed)
  world.disable(bob, Red)
  world.setResource(Time, { now: 5, place: 'the sea' })
  world.setResource(Seed, { n: 9 })
  for (let i = 0; i < 6; i++) world.advanceTick()
  return { world, ann, bob, cat }
}

/** A world that is running. */
function runningWorld(options = {}) {
  const world = watchedWorld(options)
  const [first] = spawnMany(world, 20, [Position({ x: 50 }), Name({ value: 'of before' }), Ammo({ n: 1 })])
  world.setResource(Time, { now: 1, place: 'the land' })
  world.setResource(Plain, 'of before')
  for (let i = 0; i < 90; i++) world.advanceTick()
  return { world, first: first as Entity }
}

/** Makes a call that must fail, and compares the world with what it was. */
function expectUnchanged(world: World, call: () => unknown): void {
  const told: string[] = []
  const stops = [
    onRemove(world, Position, () => told.push('remove')),
    onAdd(world, Position, () => told.push('add')),
    onExit(world.query(Position), () => told.push('exit')),
    onChange(world.query(Position), () => told.push('result')),
    onResource(world, Time, () => told.push('resource')),
    onRestore(world, () => told.push('restore')),
  ]
  const moved = world.query(changed(Position))
  moved.each(() => {})
  const news = () => [
    world.tick,
    digestWorld(world),
    world.getResource(Plain),
    world.getResource(Seed),
    moved.count,
  ]
  const before = news()
  const state = stateOf(world)
  call()
  expectSameState(state, stateOf(world))
  expect(news()).toEqual(before)
  expect(told).toEqual([])
  for (const stop of stops) stop()
}

describe.each(WAYS)('A running world that takes over %s', (_, saveOf) => {
  it('has its entities, values, links, order, switches, texts, resources and tick', () => {
    const saved = savedWorld()
    const { world, first } = runningWorld()
    const { handles, unknown, absent } = loadInto(world, saveOf(saved.world), { components: KINDS })
    const [ann, bob, cat] = [saved.ann, saved.bob, saved.cat].map((one) => handles.get(one)!) as [
      Entity,
      Entity,
      Entity,
    ]
    expect([unknown, absent, handles.size]).toEqual([[], [], 3])
    expect([world.stats().entities, world.tick]).toEqual([3, saved.world.tick])
    expect([world.get(ann, Name), world.get(ann, Ammo)]).toEqual([{ value: 'Ann' }, { n: 3 }])
    expect(world.get(bob, Target)).toEqual({ who: ann })
    expect([world.target(bob, Likes), world.get(bob, Likes(ann))]).toEqual([ann, { weight: 7 }])
    expect([world.has(bob, Red), world.isEnabled(bob, Red)]).toEqual([true, false])
    expect([...world.query(Listed).entities()]).toEqual([ann, bob, cat])
    expect([...world.query(inCreationOrder()).entities()]).toEqual([ann, bob, cat])
    expect(world.getResource(Time)).toEqual({ now: 5, place: 'the sea' })
    expect(world.resource(Seed)).toEqual({ n: 9 })
    expect(world.hasResource(Plain)).toBe(false)
    expect(textId(world, 'of before')).toBe(undefined)
    // Handles start again: one of before names whichever entity has it now.
    expect([ann, bob, cat]).toContain(first)
  })

  it('is in the state of a world that was loaded from it, whatever it was before', () => {
    const save = saveOf(savedWorld().world)
    const { world } = runningWorld()
    loadInto(world, save, { components: KINDS })
    const again = load(saveWorld(savedWorld().world), KINDS).world
    expect(digestWorld(world)).toBe(digestWorld(again))
    expect(saveWorld(world)).toEqual(saveWorld(again))
    loadInto(world, save, { components: KINDS })
    expect(digestWorld(world)).toBe(digestWorld(again))
  })

  it('can become empty, and full again', () => {
    const { world } = runningWorld()
    loadInto(world, saveOf(watchedWorld()), { components: [] })
    expect([world.stats().entities, world.tick, world.query(Position).count]).toEqual([0, 1, 0])
    const { unknown } = loadInto(world, saveOf(savedWorld().world), { components: [Position] })
    expect(unknown).toContain('Name')
    expect(world.query(Position).count).toBe(2)
    world.spawn(Position, Name({ value: 'new' }))
    expect(world.query(Position).count).toBe(3)
  })
})

describe('What a program holds of a world', () => {
  it('goes on over the entities of a save: queries, accessors, cursors of resources, arrays and schedules', () => {
    const saved = savedWorld()
    const { world } = runningWorld()
    const query = world.query(Position)
    const added = world.query(changed(Position))
    const positions = createAccessor(world, Position)
    const schedule = createSchedule(world)
    let sum = 0
    schedule.add(() => query.each((_, position) => (sum += position.x)))
    schedule.run(1)
    added.each(() => {})
    expect([sum, query.count, added.count]).toEqual([1000, 20, 0])
    const { version } = query
    const { handles } = loadInto(world, saveWorld(saved.world), { components: KINDS })
    sum = 0
    schedule.run(1)
    expect([sum, query.count, added.count]).toEqual([3, 2, 2])
    expect(query.version).not.toBe(version)
    expect(positions.of(handles.get(saved.bob)!).x).toBe(2)
    expect(world.resource(Time).now).toBe(5)
    expect(world.query(Position)).toBe(query)
  })

  it('goes on with groups, snapshots and histories', () => {
    const Left = component('Left', { n: u8 }, { storage: sparse })
    const { world, first } = runningWorld()
    const pairs = createGroup(world, Left, Ammo)
    world.add(first, Left({ n: 4 }))
    const history = createHistory(world, { frames: 3 })
    history.save()
    const before = snapshotWorld(world)
    const was = digestWorld(world)
    const { handles } = loadInto(world, saveWorld(savedWorld().world), { components: [...KINDS, Left] })
    expect(pairs.count).toBe(0)
    world.add(handles.values().next().value!, Left, Ammo)
    expect(pairs.count).toBe(1)
    restoreWorld(world, before)
    expect([digestWorld(world), pairs.count, world.get(first, Left)?.n]).toEqual([was, 1, 4])
    loadInto(world, saveWorld(savedWorld().world), { components: KINDS })
    history.goTo(history.oldest)
    expect(digestWorld(world)).toBe(was)
  })

  it('starts over where it is about old handles: command buffers and readers of removals', () => {
    const { world, first } = runningWorld()
    const commands = createCommands(world)
    commands.destroy(first)
    const lost = createRemovalReader(world, Position)
    world.destroy(world.spawn(Position))
    loadInto(world, saveWorld(savedWorld().world), { components: KINDS })
    expect([commands.size, lost.read()]).toEqual([0, []])
    commands.apply()
    expect(world.stats().entities).toBe(3)
    destroyMany(world, world.query(Position).entities())
    expect(lost.read()).toHaveLength(2)
  })

  it('may have the name of another declaration, which the save stands for from now on', () => {
    const Other = component('Position', { x: f32, y: f32 })
    const OtherSeed = resource<string>('Seed', { save: (value) => value, load: (n: number) => `${n}` })
    const { world } = runningWorld()
    world.setResource(Seed, { n: 1 })
    loadInto(world, saveWorld(savedWorld().world), { components: [Other, OtherSeed] })
    expect([world.query(Other).count, world.resource(OtherSeed)]).toEqual([2, '9'])
    expect(codeOf(() => world.hasResource(Seed))).toBe('DUPLICATE_NAME')
  })
})

describe('Listeners', () => {
  it('are called for all that goes while it can be read, then for all that comes, and subscribers once', () => {
    const { world } = runningWorld()
    const told: string[] = []
    const nameOf = (one: Entity) => world.get(one, Name)?.value
    onExit(world.query(Name), (one) => told.push(`exit ${nameOf(one)}`))
    onRemove(world, Name, (one) => told.push(`remove ${nameOf(one)} ${world.stats().entities}`))
    onAdd(world, Name, (one) => told.push(`add ${nameOf(one)} ${world.stats().entities}`))
    onSet(world, Name, () => told.push('set'))
    onEnter(world.query(Name), (one) => told.push(`enter ${nameOf(one)}`))
    onChange(world.query(Name), () => told.push(`result ${world.query(Name).count}`))
    onResource(world, Time, () => told.push(`time ${world.resource(Time).now}`))
    onRestore(world, () => told.push('restore'))
    loadInto(world, saveWorld(savedWorld().world), { components: KINDS })
    const twenty = (line: string) => Array.from({ length: 20 }, () => line)
    expect(told).toEqual([
      ...twenty('exit of before'),
      ...twenty('remove of before 20'),
      'add Ann 3',
      'add Cat 3',
      'enter Ann',
      'enter Cat',
      'result 2',
      'time 5',
    ])
  })

  it('cannot keep the old world alive: what they queue of its end is dropped, what they queue of the new one is applied', () => {
    const { world } = runningWorld()
    const stop = onRemove(world, Position, () => {
      world.spawn(Red)
      world.setResource(Plain, 'late')
    })
    onAdd(world, Name, (one) => world.add(one, Red))
    loadInto(world, saveWorld(savedWorld().world), { components: KINDS })
    expect([world.stats().entities, world.query(Name, Red).count]).toEqual([3, 2])
    expect(world.hasResource(Plain)).toBe(false)
    stop()
  })

  it('that throw are all called, and the first error is thrown when all is done', () => {
    const { world } = runningWorld()
    let calls = 0
    onRemove(world, Position, () => {
      throw new RangeError(`${++calls}`)
    })
    onAdd(world, Position, () => {
      throw new RangeError(`${++calls}`)
    })
    expect(() => loadInto(world, saveWorld(savedWorld().world), { components: KINDS })).toThrow('1')
    expect([calls, world.query(Position).count]).toEqual([22, 2])
  })
})

/** Object components, and what became of their values. */
function objects() {
  const told: string[] = []
  const calls = {
    init: (value: string, one: Entity) => told.push(`init ${value} ${one}`),
    dispose: (value: string) => told.push(`dispose ${value}`),
  }
  const Bag = object<string>('Bag', {
    ...calls,
    save: (value) => value,
    load: (value: string) => `${value} loaded`,
  })
  const Mesh = object<string>('Mesh', {
    ...calls,
    revive: (one, world) => {
      const name = world.get(one, Name)?.value
      if (name === 'Bad') throw new RangeError('no mesh')
      return `mesh of ${name}, ${world.get(one, Bag)}, ${world.resource(Seed)?.n}, ${world.query(Name).count}`
    },
  })
  const saved = (...names: string[]) => {
    const world = watchedWorld()
    for (const name of names) world.spawn(Name({ value: name }), Mesh('saved'), Bag(name))
    world.setResource(Seed, { n: 9 })
    told.length = 0
    return saveWorld(world)
  }
  return { told, Bag, Mesh, saved, components: [Bag, Mesh, Name, Seed] }
}

describe('Objects', () => {
  it('of before are disposed of, those of the save are loaded or revived, and listeners find both', () => {
    const { told, Bag, Mesh, saved, components } = objects()
    const { world } = runningWorld()
    const old = world.spawn(Bag('old bag'), Mesh('old mesh'))
    const save = saved('Ann', 'Bob')
    onRemove(world, Mesh, (one) => told.push(`remove ${world.get(one, Mesh)} ${one === old}`))
    onAdd(world, Bag, (one) => told.push(`add ${world.get(one, Bag)} ${world.get(one, Mesh)}`))
    const { absent } = loadInto(world, save, { components })
    expect(absent).toEqual([])
    expect(told).toEqual([
      'remove old mesh true',
      'dispose old bag',
      'dispose old mesh',
      'init Ann loaded 1',
      'init Bob loaded 2',
      'init mesh of Ann, Ann loaded, 9, 2 1',
      'init mesh of Bob, Bob loaded, 9, 2 2',
      'add Ann loaded mesh of Ann, Ann loaded, 9, 2',
      'add Bob loaded mesh of Bob, Bob loaded, 9, 2',
    ])
    told.length = 0
    resetWorld(world)
    expect(told.filter((line) => line.startsWith('dispose'))).toHaveLength(4)
  })

  it('without `load` and `revive` are removed from their entities, which are listed in `absent`', () => {
    const { world } = runningWorld()
    const Lost = object<number>('Lost')
    const source = watchedWorld()
    const ship = source.spawn(Lost(1), Position)
    const { absent, handles } = loadInto(world, saveWorld(source), { components: [Lost, Position] })
    const one = handles.get(ship) as Entity
    expect(absent).toEqual([{ entity: one, component: Lost }])
    expect([world.has(one, Lost), world.has(one, Position)]).toEqual([false, true])
  })

  it('that `revive` refuses change nothing: not memory, objects, resources, nor what queries have seen', () => {
    const { told, Bag, Mesh, saved, components } = objects()
    const { world } = runningWorld()
    const Kept = object<string[]>('Kept', { dispose: () => told.push('dispose kept') })
    const list = ['kept']
    const old = world.spawn(Bag('old bag'), Mesh('old mesh'), Kept(list), Position)
    world.setResource(Seed, { n: 1 })
    const seed = world.resource(Seed)
    const save = saved('Ann', 'Bad', 'Bob')
    const positions = createAccessor(world, Position)
    const past = snapshotWorld(world)
    expectUnchanged(world, () => {
      expect(() => loadInto(world, save, { components })).toThrow('no mesh')
    })
    expect(told).toEqual([
      'dispose mesh of Ann, Ann loaded, 9, 3',
      'dispose Ann loaded',
      'dispose Bad loaded',
      'dispose Bob loaded',
    ])
    expect([world.get(old, Bag), world.get(old, Mesh)]).toEqual(['old bag', 'old mesh'])
    expect(world.get(old, Kept)).toBe(list)
    expect([world.resource(Seed), world.getResource(Plain)]).toEqual([seed, 'of before'])
    expect(positions.of(old).x).toBe(0)
    told.length = 0
    restoreWorld(world, past)
    expect([told, world.get(old, Kept)]).toEqual([[], list])
    world.destroy(old)
    expect(told).toEqual(['dispose old bag', 'dispose old mesh', 'dispose kept'])
  })

  it('that `revive` refuses leave one trace: a command buffer with commands is stale, an empty one is not', () => {
    const { saved, components } = objects()
    const { world } = runningWorld()
    const [full, empty] = [createCommands(world), createCommands(world)]
    full.spawn(Position)
    expect(() => loadInto(world, saved('Bad'), { components })).toThrow('no mesh')
    expect([codeOf(() => full.apply()), codeOf(() => empty.apply())]).toEqual([
      'STALE_COMMANDS',
      'nothing thrown',
    ])
  })

  it('may be written by `revive`, which cannot change the structure', () => {
    const { world } = runningWorld()
    const Writing = object<number>('Writing', {
      revive: (one, inside) => (inside.set(one, Position, { x: 8 }), 1),
    })
    const Meddling = object<number>('Meddling', { revive: (_, inside) => (inside.spawn(), 1) })
    const source = watchedWorld()
    const ship = source.spawn(Writing(1), Position)
    const sets: number[] = []
    onSet(world, Position, (one) => sets.push(one))
    const { handles } = loadInto(world, saveWorld(source), { components: [Writing, Position] })
    expect([world.get(handles.get(ship)!, Position), sets]).toEqual([{ x: 8 }, []])
    source.add(ship, Meddling(1))
    expectUnchanged(world, () => {
      expect(codeOf(() => loadInto(world, saveWorld(source), { components: [Writing, Meddling] }))).toBe(
        'WORLD_LOCKED',
      )
    })
  })
})

describe('A save that cannot be loaded changes nothing', () => {
  const bytes = saveWorld(savedWorld().world)
  const Older = component('Position', { x: f32 }, { version: 2, migrate: {} as never })
  const Failing = component('Position', { x: f32 }, { version: 2, migrate: { 1: () => fail() } })
  const BadSeed = resource<number>('Seed', { save: () => 1, load: () => fail() })
  function fail(): never {
    throw new RangeError('no')
  }
  const damaged = bytes.slice()
  damaged[damaged.length - 1]! ^= 1

  it.each<[string, unknown, unknown, string]>([
    ['is damaged', damaged, { components: KINDS }, 'SAVE_REFUSED'],
    ['is another text', '{}', { components: KINDS }, 'SAVE_REFUSED'],
    ['is cut off', bytes.subarray(0, 90), { components: KINDS }, 'SAVE_REFUSED'],
    ['is neither bytes nor a string', 7, { components: KINDS }, 'INVALID_OPTION'],
    ['comes without components', bytes, {}, 'INVALID_OPTION'],
    ['comes with another option', bytes, { components: KINDS, memory: {} }, 'INVALID_OPTION'],
    ['comes with what is no component', bytes, { components: [{}] }, 'NOT_A_COMPONENT'],
    ['comes with one name for two', bytes, { components: [Position, Older] }, 'DUPLICATE_NAME'],
    ['lacks a migration', bytes, { components: [Older] }, 'MISSING_MIGRATION'],
    ['has a migration that throws', bytes, { components: [Failing] }, 'MIGRATION_FAILED'],
  ])('because it %s', (_, save, options, code) => {
    const { world } = runningWorld()
    expectUnchanged(world, () => {
      expect(codeOf(() => loadInto(world, save as string, options as LoadIntoOptions))).toBe(code)
    })
  })

  it('because the load of a resource throws', () => {
    const { world } = runningWorld()
    expectUnchanged(world, () => {
      expect(() => loadInto(world, bytes, { components: [BadSeed] })).toThrow('no')
    })
  })

  it('because of maxEntities', () => {
    const { world } = runningWorld({ maxEntities: 20 })
    const large = watchedWorld()
    spawnMany(large, 21, [Position])
    expectUnchanged(world, () => {
      expect(codeOf(() => loadInto(world, saveWorld(large), { components: KINDS }))).toBe('ENTITY_LIMIT')
    })
    large.destroy(large.query(Position).first()!)
    loadInto(world, saveWorld(large), { components: KINDS })
    expect(world.query(Position).count).toBe(20)
  })

  it('because memory runs out, after which all that was loaded is disposed of', () => {
    const disposed: unknown[] = []
    const Bag = object<number>('Bag', {
      save: (value) => value,
      load: (value: number) => value,
      dispose: (_, one) => disposed.push(one),
    })
    const { world } = runningWorld({ memory: { maximum: 2 ** 20 } })
    const large = watchedWorld()
    large.spawn(Bag(1))
    spawnMany(large, 100_000, [Position])
    const save = saveWorld(large)
    expectUnchanged(world, () => {
      expect(() => loadInto(world, save, { components: [Bag, Position] })).toThrow(LimitError)
    })
    expect(disposed).toEqual([NULL_ENTITY])
  })
})

it('A world whose memory is too small for the save grows', () => {
  const { world } = runningWorld({ memory: { initial: 2 ** 20 } })
  const large = watchedWorld()
  spawnMany(large, 100_000, [Position({ x: 3 }), Ammo])
  loadInto(world, saveWorld(large), { components: KINDS })
  expect(world.query(Position, Ammo).count).toBe(100_000)
  spawnMany(world, 100_000, [Position])
  expect(world.query(Position).count).toBe(200_000)
})

it('Strict ids and the maximum of memory stay those of the world', () => {
  const { world } = runningWorld({ ids: 'strict', memory: { maximum: 3 * 2 ** 20 } })
  const { bytesReserved } = world.stats()
  loadInto(world, saveWorld(savedWorld().world), { components: KINDS })
  expect(world.stats().bytesReserved).toBe(bytesReserved)
  expect(() => spawnMany(world, 1_000_000, [Position])).toThrow(LimitError)
  const twin = watchedWorld({ ids: 'strict', memory: { maximum: 3 * 2 ** 20 } })
  restoreWorld(twin, snapshotWorld(world))
  expect(digestWorld(twin)).toBe(digestWorld(world))
})
