// Shows that a handle that is given out while memory must not grow belongs to one entity, whatever asks for one next, and that it
// stays dead where there was no memory for it.

import { describe, expect, it } from 'vitest'
import {
  cloneEntity,
  component,
  createCommands,
  createSpawner,
  f32,
  inCreationOrder,
  mergeWorld,
  object,
  onAdd,
  relation,
  restoreWorld,
  saveWorld,
  snapshotWorld,
  spawnAt,
  spawnMany,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { watchedWorld } from '../support/watched'

/** The records grow when so many indices were given out. */
const BOUNDARIES = [1024, 2048]

const Position = component('Position', { x: f32 })
const Part = component('Part', { n: f32 })
const Block = component('Block', { bytes: vec(f32, 1000) })
const ChildOf = relation('ChildOf', { exclusive: true })

interface Hero {
  readonly parts: readonly Entity[]
}

/** A component whose values have entities of their own. */
function heroWith(world: World, parts: number) {
  const value = (): Hero => ({ parts: Array.from({ length: parts }, () => world.spawn(Part)) })
  return object<Hero>('Hero', value, { clone: value })
}

type HeroType = ReturnType<typeof heroWith>

/** Also for object components, which its types leave out. */
const spawnerOf = createSpawner as (world: World, ...parts: unknown[]) => (x: number) => Entity

const CALLS: Record<string, (world: World, Hero: HeroType) => Entity> = {
  spawn: (world, Hero) => world.spawn(Position, Hero),
  'spawn with a link': (world, Hero) => world.spawn(Hero, ChildOf(world.spawn(Position))),
  'a spawner': (world, Hero) => spawnerOf(world, Hero, [Position, 'x'])(1),
  add: (world, Hero) => {
    const entity = world.spawn(Position)
    world.add(entity, Hero)
    return entity
  },
  exchange: (world, Hero) => {
    const entity = world.spawn(Position)
    world.exchange(entity, [Position], [Hero])
    return entity
  },
  clone: (world, Hero) => cloneEntity(world, world.spawn(Position), Hero),
  'clone of a value': (world, Hero) => cloneEntity(world, world.spawn(Hero)),
  spawnAt: (world, Hero) => spawnAt(world, 5000, Position, Hero),
  'a buffer': (world, Hero) => {
    const commands = createCommands(world)
    const entity = commands.spawn(Position, Hero)
    commands.apply()
    return entity
  },
  'a block': (world, Hero) => world.batch(() => world.spawn(Position, Hero)),
}

type Spawn = () => void

/**
 * Calls of a program's functions while the world is not to be changed: what these spawn is made afterwards. Each is given a function
 * that spawns, and returns the call that runs it.
 */
const HOOKS: Record<string, (world: World, spawn: Spawn) => () => unknown> = {
  'the callback of spawnMany': (world, spawn) => () => spawnMany(world, 3, [Position], spawn),
  'onAdd of spawnMany': (world, spawn) => {
    onAdd(world, Part, onceOnly(spawn))
    return () => spawnMany(world, 3, [Part])
  },
  'init of spawn': (world, spawn) => {
    const Model = object<object>('Model', { init: spawn })
    return () => world.spawn(Model({}), Position)
  },
  'init of a block': (world, spawn) => {
    const Model = object<object>('Model', { init: spawn })
    return () => world.batch(() => [world.spawn(Model({})), world.spawn(Position)])
  },
  'load of mergeWorld': (world, spawn) => merging(world, { save: () => ({}), load: () => (spawn(), {}) }),
  'revive of mergeWorld': (world, spawn) => merging(world, { revive: () => (spawn(), {}) }),
  'load of restore': (world, spawn) => {
    const load = () => (spawn(), {})
    const Model = object<object>('Model', { save: () => ({}), load, snapshots: true })
    const model = world.spawn(Model({}), Position)
    const before = snapshotWorld(world)
    world.destroy(model)
    return () => restoreWorld(world, before)
  },
  'revive of restore': (world, spawn) => {
    const Model = object<object>('Model', { revive: () => (spawn(), {}) })
    const model = world.spawn(Model({}), Position)
    const before = snapshotWorld(world)
    world.destroy(model)
    return () => restoreWorld(world, before)
  },
}

/** Where no program may change the world: it says so, and gives no handle. */
const REFUSED = ['load of mergeWorld']

function onceOnly(spawn: Spawn): Spawn {
  let isDone = false
  return () => {
    if (!isDone) spawn()
    isDone = true
  }
}

/** Merges a file of four entities, two of them with objects. */
function merging(world: World, options: object): () => unknown {
  const Model = object<object>('Model', options)
  const other = watchedWorld()
  for (let i = 0; i < 2; i++) other.spawn(Model({}), Position)
  spawnMany(other, 2, [Position])
  const bytes = saveWorld(other)
  other.dispose()
  return () => mergeWorld(world, bytes, { components: [Model, Position] })
}

describe('a handle given out inside a change', () => {
  it.each(Object.keys(HOOKS))('belongs to one entity where the records end: %s', (hook) => {
    for (const boundary of BOUNDARIES) {
      for (let before = boundary - 8; before <= boundary + 1; before++) {
        for (const parts of [1, 3]) {
          const world = watchedWorld()
          for (let i = 1; i < before; i++) world.spawn(Position)
          const own: Entity[] = []
          const codes = new Set<string>()
          const spawn = () =>
            void codes.add(
              codeOf(() => {
                for (let i = 0; i < parts; i++) own.push(world.spawn(Part))
              }),
            )
          ;(HOOKS[hook] as (typeof HOOKS)[string])(world, spawn)()
          expect([...codes]).toEqual([REFUSED.includes(hook) ? 'WORLD_LOCKED' : 'nothing thrown'])
          const living = new Set<number>(world.query().entities())
          expect([living.size, world.query().count]).toEqual(Array(2).fill(world.stats().entities))
          expect([new Set(own).size, own.length === 0]).toEqual([own.length, REFUSED.includes(hook)])
          expect(own.filter((one) => !living.has(one) || !world.has(one, Part))).toEqual([])
          for (let i = 0; i < 2; i++) living.add(world.spawn())
          expect(living.size).toBe(world.stats().entities)
          world.dispose()
        }
      }
    }
  })

  it.each(Object.keys(CALLS))('belongs to one entity where the records end: %s', (call) => {
    for (const boundary of BOUNDARIES) {
      for (let before = boundary - 5; before <= boundary + 1; before++) {
        for (const parts of [1, 3]) {
          const world = watchedWorld()
          const Hero = heroWith(world, parts)
          for (let i = 1; i < before; i++) world.spawn(Position)
          const hero = (CALLS[call] as (typeof CALLS)[string])(world, Hero)
          const own = world.get(hero, Hero)?.parts ?? []
          const later = [world.spawn(), world.spawn()]
          const living = world.query().entities()
          expect(new Set([hero, ...own, ...later]).size).toBe(1 + parts + 2)
          expect(new Set(living).size).toBe(living.length)
          expect(world.stats().entities).toBe(living.length)
          expect(own.map((entity) => [world.has(entity, Part), world.has(entity, Hero)])).toEqual(
            own.map(() => [true, false]),
          )
          world.dispose()
        }
      }
    }
  })

  it('is as old as its place among the others', () => {
    const world = watchedWorld({ maxEntities: 1030 })
    const freed = Array.from({ length: 1020 }, () => world.spawn()).slice(0, 40)
    freed.forEach((entity) => world.destroy(entity))
    const made: Entity[] = []
    world.batch(() => {
      for (let i = 0; i < 50; i++) made.push(world.spawn(Position))
    })
    expect(new Set(made).size).toBe(50)
    // Rows are in the order of the calls, and so are ages: the reused ones come last.
    expect([...world.query(Position).entities()]).toEqual(made)
  })
})

describe('a promised handle without memory for its entity', () => {
  it('is dead, and never comes alive again', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const blocks: Entity[] = []
    expect(
      codeOf(() => {
        for (;;) blocks.push(world.spawn(Block))
      }),
    ).toBe('MEMORY_LIMIT')
    const promised: Entity[] = []
    const block = () =>
      world.batch(() => {
        for (let i = 0; i < 3000; i++) promised.push(world.spawn(Position))
      })
    expect(codeOf(block)).toBe('MEMORY_LIMIT')
    const lost = promised.filter((entity) => !world.isAlive(entity))
    expect(lost.length).toBeGreaterThan(1000)
    expect(world.stats().entities).toBe(world.query().count)
    // A second block promises other handles.
    const again: Entity[] = []
    const second = () =>
      world.batch(() => {
        for (let i = 0; i < 5; i++) again.push(world.spawn())
      })
    expect(codeOf(second)).toBe('MEMORY_LIMIT')
    for (const entity of blocks) world.destroy(entity)
    const given = new Set<number>([...lost, ...again.filter((entity) => !world.isAlive(entity))])
    expect(given.size).toBeGreaterThan(lost.length)
    for (let i = 0; i < 8000; i++) expect(given.has(world.spawn())).toBe(false)
    for (const entity of given) expect(world.isAlive(entity)).toBe(false)
    expect(world.stats().entities).toBe(world.query().count)
  })
})

it.each(BOUNDARIES)(
  'a handle that is named between others is born between them where %i records end',
  (boundary) => {
    const world = watchedWorld()
    const dead = world.spawn(Position)
    spawnMany(world, boundary - 5, [Position])
    world.destroy(dead)
    const made: Entity[] = []
    world.batch(() => {
      for (let i = 0; i < 8; i++) made.push(world.spawn(Position))
      made.push(spawnAt(world, dead, Position))
      for (let i = 0; i < 8; i++) made.push(world.spawn(Position))
    })
    expect([...world.query(Position, inCreationOrder()).entities()].slice(-made.length)).toEqual(made)
  },
)
