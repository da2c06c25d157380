// Shows what a person sees who prints an object of the library in Node.

import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  added,
  any,
  bool,
  changed,
  component,
  createAccessor,
  createCommands,
  createSchedule,
  entity,
  f32,
  createGroup,
  not,
  object,
  optional,
  resetWorld,
  resource,
  sparse,
  spawnMany,
  tag,
  text,
  u8,
  vec,
} from '../../bindings/index'
import { bytesOf, expectSameBytes } from '../support/bytes'
import { testWorld } from '../support/world'

it('a cursor shows the values of its row', () => {
  const Named = component('Named', { x: f32, on: bool })
  const world = testWorld()
  const cursor = createAccessor(world, Named).of(world.spawn(Named({ x: 2, on: true })))
  expect(inspect(cursor)).toBe('{ x: 2, on: true }')
})

describe('the console shows in a line', () => {
  const Position = component('Position', { x: f32, y: f32 })
  const Health = component('Health', { hp: u8 }, { storage: sparse })
  const Armour = component('Armour', { plates: u8 }, { storage: sparse })
  const Matrix = component('Matrix', { m: vec(f32, 16), on: bool })
  const Frozen = tag('Frozen')
  const Sprite = object<object>('Sprite')

  it.each([
    [Position, 'component Position { x: f32, y: f32 }'],
    [Health, 'component Health { hp: u8 }, sparse'],
    [Matrix, 'component Matrix { m: vec(f32, 16), on: bool }'],
    [component('Empty', {}), 'component Empty {}'],
    [Frozen, 'tag Frozen'],
    [tag('Picked', { order: 'insertion' }), 'tag Picked'],
    [Sprite, 'object Sprite'],
    [resource('Time', { dt: f32 }), 'resource Time { dt: f32 }'],
    [resource<string>('Title'), 'resource Title'],
  ])('what was declared: %s', (declared, line) => {
    expect(inspect(declared)).toBe(line)
  })

  it('the text of a component, where it is made a string', () => {
    expect(String(Position)).toBe('component Position { x: f32, y: f32 }')
    expect(`${String(Frozen)}, ${String(Sprite)}`).toBe('tag Frozen, object Sprite')
  })

  it('at most twenty fields', () => {
    const Large = component('Large', Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`f${i}`, u8])))
    expect(inspect(Large)).toMatch(/^component Large \{ f0: u8, .*f19: u8, 3 more \}$/)
  })

  it('a world, with the loops that hold it locked', () => {
    const world = testWorld()
    const { bytesUsed, bytesReserved } = world.stats()
    const line = `World(0 entities, 0 components, 1 archetype, ${bytesUsed} of ${bytesReserved} bytes used)`
    expect(inspect(world)).toBe(line)
    world.spawn(Position, Frozen)
    expect(inspect(world)).toMatch(/^World\(1 entity, 2 components, 2 archetypes, \d+ of \d+ bytes used\)$/)
    for (const _ of world.query(Position)) {
      expect(inspect(world)).toMatch(/bytes used, locked by a loop over the query \(Position\)\)$/)
    }
    world.batch(() => {
      expect(inspect(world)).toMatch(/, locked by a block or a listener\)$/)
    })
    world.dispose()
    expect(inspect(world)).toBe('World(disposed)')
  })

  it('a query, without looking at what changed', () => {
    const world = testWorld()
    world.spawn(Position({ x: 3 }))
    world.spawn(Position, Frozen)
    const query = world.query(Position, not(Frozen))
    expect(inspect(query)).toBe('Query(1 entity of the query (Position, not(Frozen)))')
    expect(inspect(world.query(Position).where(Position, 'x', '>', 1))).toBe(
      'Query(1 entity of the query (Position), narrowed)',
    )
    const news = world.query(changed(Position))
    expect(inspect(news)).toBe('Query(2 entities of the query (changed(Position)))')
    expect(news.count).toBe(2)
    world.dispose()
    expect(inspect(query)).toBe('Query(of a disposed world)')
  })

  it('the chunk of a loop', () => {
    const world = testWorld()
    spawnMany(world, 3, [Position, Health, Armour])
    for (const chunk of world.query(Position)) {
      expect(inspect(chunk)).toBe('Chunk(rows from 0 to before 3, of the query (Position))')
    }
    for (const chunk of createGroup(world, Health, Armour)) {
      expect(inspect(chunk)).toBe('Chunk(rows from 0 to before 3, of the query (Health, Armour))')
    }
  })

  it('an accessor', () => {
    expect(inspect(createAccessor(testWorld(), Position))).toBe('Accessor(Position)')
  })

  it('a schedule', () => {
    const schedule = createSchedule(testWorld())
    expect(inspect(schedule)).toBe('Schedule(0 systems, 0 runs)')
    schedule.add(() => {}, { name: 'input' }).add(() => {}, { name: 'move' })
    schedule.run(1)
    expect(inspect(schedule)).toBe('Schedule(2 systems, 1 run: input, move)')
  })

  it('a buffer of commands', () => {
    const world = testWorld()
    const commands = createCommands(world)
    commands.spawn(Position)
    expect(inspect(commands)).toBe('Commands(1 waiting)')
    resetWorld(world)
    expect(inspect(commands)).toBe('Commands(0 waiting)')
    world.dispose()
    expect(inspect(commands)).toBe('Commands(of a disposed world)')
  })

  it.each([
    [f32, 'f32'],
    [u8.default(7), 'u8.default(7)'],
    [bool, 'bool'],
    [entity, 'entity'],
    [text.default('none'), "text.default('none')"],
    [vec(f32, 3), 'vec(f32, 3)'],
    [vec(f32, 1), 'vec(f32, 1)'],
    [vec(f32, 2).default([1, 2]), 'vec(f32, 2).default([1, 2])'],
  ])('a field: %s', (field, line) => {
    expect(inspect(field)).toBe(line)
    expect(String(field)).toBe(line)
  })

  it.each<[unknown, string]>([
    [Position({ x: 1 }), 'Position({ x: 1 })'],
    [Position(), 'Position()'],
    [Position({}), 'Position({})'],
    [Matrix({ on: true }), 'Matrix({ on: true })'],
    [
      Matrix({ m: Array.from({ length: 16 }, (_, k) => k) }),
      'Matrix({ m: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] })',
    ],
    [component('Label', { of: text })({ of: 'ship' }), "Label({ of: 'ship' })"],
    [Sprite({ picture: 1 }), 'Sprite(an object)'],
  ])('a component with values: %s', (value, line) => {
    expect(inspect(value)).toBe(line)
    expect(String(value)).toBe(line)
  })

  it.each<[unknown, string]>([
    [not(Position), 'not(Position)'],
    [not(any(Position, Frozen), Sprite), 'not(any(Position, Frozen), Sprite)'],
    [any(Position, not(Frozen)), 'any(Position, not(Frozen))'],
    [optional(Position, Sprite), 'optional(Position, Sprite)'],
    [changed(Position), 'changed(Position)'],
    [added(Position), 'added(Position)'],
  ])('a term: %s', (term, line) => {
    expect(inspect(term)).toBe(line)
  })

  it('a cursor of a loop over rows, even one that was kept', () => {
    const world = testWorld()
    world.spawn(Position, Health, Armour)
    let kept: unknown
    for (const chunk of world.query(Position, Health)) kept = chunk.cursor(Health)
    expect(inspect(kept)).toBe('Cursor(Health)')
    for (const chunk of createGroup(world, Health, Armour)) kept = chunk.cursor(Armour)
    expect(inspect(kept)).toBe('Cursor(Armour)')
  })

  it('everything that is put into a text or JSON, which neither throws nor shows more', () => {
    const world = testWorld()
    world.spawn(Position)
    const query = world.query(Position)
    const things: unknown[] = [
      world,
      query,
      createCommands(world),
      createSchedule(world),
      createAccessor(world, Position),
    ]
    for (const chunk of query) things.push(chunk)
    things.push(resource('Time', { dt: f32 }))
    for (const thing of things) {
      expect(`${thing as string}`).toBe(inspect(thing))
      expect(JSON.stringify({ thing })).toBe(JSON.stringify({ thing: inspect(thing) }))
    }
    world.dispose()
    expect(`${world as unknown as string}`).toBe('World(disposed)')
    expect(JSON.stringify(query)).toBe('"Query(of a disposed world)"')
  })

  it('and changes nothing that is printed', () => {
    const world = testWorld()
    world.spawn(Position)
    const shown = [world, world.query(Position), createCommands(world), Position, createSchedule(world)]
    const before = bytesOf(world)
    expect(inspect(shown)).toContain('Commands(0 waiting)')
    expectSameBytes(bytesOf(world), before)
  })
})
