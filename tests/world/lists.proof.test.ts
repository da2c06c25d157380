// Shows the calls that give or take a list: what there is, and that changes of listed entities do what single calls do.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  addMany,
  createCommands,
  digestWorld,
  NULL_ENTITY,
  bool,
  changed,
  component,
  entity,
  f32,
  i32,
  object,
  onAdd,
  onRemove,
  onSet,
  relation,
  removeMany,
  resetWorld,
  resource,
  restoreWorld,
  setMany,
  snapshotWorld,
  cloneMany,
  sparse,
  spawnMany,
  stable,
  tag,
  text,
  toggle,
  u16,
  u8,
  vec,
  type World,
} from '../../bindings/index'
import { KINDS, declare } from '../support/kinds'
import { leaveFree } from '../support/scarcity'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32, y: f32.default(5) })
const Velocity = component('Velocity', { x: f32 })
const Health = component('Health', { hp: u16.default(100) }, { storage: sparse })
const Slot = component('Slot', { n: i32 }, { storage: stable })
const Frozen = tag('Frozen', { toggle })
const Sprite = object<{ n: number }>('Sprite')
const ChildOf = relation('ChildOf', { exclusive: true })
const Time = resource('Time', { dt: f32 })

const coded = (code: string): unknown => expect.objectContaining({ code })
const names = (list: readonly { componentName: string }[]) => list.map(({ componentName }) => componentName)

describe('listing the components of a world', () => {
  it('componentsOf returns what an entity has, of every kind, in the order in which the world met them', () => {
    const world = watchedWorld()
    const parent = world.spawn()
    const ship = world.spawn(Health, Position, Frozen, Slot, Sprite({ n: 1 }), ChildOf(parent))
    expect(new Set(world.componentsOf(ship))).toEqual(
      new Set([Health, Position, Frozen, Slot, Sprite, ChildOf]),
    )
    expect(world.componentsOf(ship)).toEqual(world.components())
    world.disable(ship, Frozen)
    world.remove(ship, Position, Slot)
    expect(new Set(world.componentsOf(ship))).toEqual(new Set([Health, Frozen, Sprite, ChildOf]))
    // What a relation keeps of a target is no component of its own.
    expect(world.componentsOf(parent)).toEqual([])
  })

  it('componentsOf of a dead entity is empty, and of a disposed world an error', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    world.destroy(ship)
    expect(world.componentsOf(ship)).toEqual([])
    expect(world.componentsOf(NULL_ENTITY)).toEqual([])
    expect(world.componentsOf(1.5)).toEqual([])
    const reserved = createCommands(world).spawn(Position)
    expect(world.componentsOf(reserved)).toEqual([])
    world.dispose()
    expect(() => world.componentsOf(ship)).toThrow(coded('WORLD_DISPOSED'))
    expect(() => world.components()).toThrow(coded('WORLD_DISPOSED'))
    expect(() => world.componentByName('Position')).toThrow(coded('WORLD_DISPOSED'))
  })

  it('components returns all that the world has met, without resources, and none after a reset', () => {
    const world = watchedWorld()
    expect(world.components()).toEqual([])
    world.resource(Time).dt = 1
    world.query(Velocity)
    world.spawn(Position, ChildOf(world.spawn()))
    expect(names(world.components())).toEqual(['Velocity', 'Position', 'ChildOf'])
    resetWorld(world)
    expect(world.components()).toEqual([])
  })

  it('componentNamed finds a component by its name, and components are restored with a snapshot', () => {
    const world = watchedWorld()
    world.spawn(Position)
    const before = snapshotWorld(world)
    world.spawn(Velocity)
    expect(world.componentByName('Velocity')).toBe(Velocity)
    restoreWorld(world, before)
    expect(world.components()).toEqual([Position])
    expect(world.componentByName('Velocity')).toBeUndefined()
    expect(world.componentByName('sources of ChildOf')).toBeUndefined()
  })

  it('a second component of one name is refused', () => {
    const world = watchedWorld()
    world.spawn(Position)
    const Other = component('Position', { x: f32 })
    expect(() => world.spawn(Other)).toThrow(coded('DUPLICATE_NAME'))
    expect(() => addMany(world, [world.spawn()], Other)).toThrow(coded('DUPLICATE_NAME'))
    expect(world.componentByName('Position')).toBe(Position)
  })
})

describe.each(KINDS)('addMany and removeMany of a %s component', (kind) => {
  it.each(ROW_COUNTS)('%i entities get it and lose it as with single calls', (count) => {
    const [many, single] = [watchedWorld(), watchedWorld()]
    const Given = declare('Given', kind)
    for (const world of [many, single]) {
      const handles = spawnMany(world, count, [Position])
      // Several archetypes, in turns.
      for (let i = 0; i < count; i += 3) world.add(handles[i] as Entity, Velocity)
      const some = handles.filter((_, i) => i % 5 !== 0)
      if (world === many) expect(addMany(world, some, Given, Health({ hp: 7 }))).toBe(some.length)
      else for (const handle of some) world.add(handle, Given, Health({ hp: 7 }))
      const fewer = some.filter((_, i) => i % 2 === 0)
      if (world === many) expect(removeMany(world, fewer, Given, Velocity)).toBe(fewer.length)
      else for (const handle of fewer) world.remove(handle, Given, Velocity)
    }
    const sorted = (world: typeof many) => [...world.query(Given).entities()].sort((a, b) => a - b)
    expect(sorted(many)).toEqual(sorted(single))
    expect(digestWorld(many)).toBe(digestWorld(single))
  })

  it('dead handles and repeats are skipped', () => {
    const world = watchedWorld()
    const Given = declare('Given', kind)
    const [a, b, c] = [world.spawn(Position), world.spawn(), world.spawn(Position)]
    world.destroy(c)
    expect(addMany(world, [a, c, a, NULL_ENTITY, b, 1.5, -1], Given)).toBe(2)
    expect(world.query(Given).count).toBe(2)
    expect(removeMany(world, [a, c, b, a], Given)).toBe(2)
    expect(world.query(Given).count).toBe(0)
    expect(addMany(world, [], Given)).toBe(0)
    expect(addMany(world, [NULL_ENTITY], Given)).toBe(0)
  })

  it('inside a loop it waits for the end, and listeners are called for each entity once', () => {
    const world = watchedWorld()
    const Given = declare('Given', kind)
    const handles = spawnMany(world, 100, [Position])
    const heard: string[] = []
    onAdd(world, Given, (e) => void heard.push(`+${e}`))
    onRemove(world, Given, (e) => void heard.push(`-${e}`))
    for (const chunk of world.query(Position)) {
      const rows = chunk.entities.subarray(chunk.start, chunk.end)
      expect(addMany(world, [...rows, ...rows], Given)).toBe(rows.length)
      expect(world.query(Given).count).toBe(0)
    }
    expect(world.query(Given).count).toBe(100)
    expect(heard).toEqual(Array.from(handles, (e) => `+${e}`))
    removeMany(world, handles, Given)
    expect(heard.slice(100)).toEqual(Array.from(handles, (e) => `-${e}`))
  })

  it('when memory runs out nothing changes', () => {
    const Given = declare('Given', kind)
    const Large = component('Large', { m: vec(f32, 64) })
    for (let kib = 0; kib < 200; kib += 9) {
      const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
      const handles = spawnMany(world, 300, [Position])
      world.query(Given)
      world.query(Large)
      leaveFree(world, kib)
      const digested = digestWorld(world)
      try {
        addMany(world, handles, Given, Large)
        expect(world.query(Given, Large).count).toBe(300)
      } catch (error) {
        expect(error).toEqual(coded('MEMORY_LIMIT'))
        expect(digestWorld(world)).toBe(digested)
        expect(world.query(Given).count + world.query(Large).count).toBe(0)
      }
    }
  })
})

describe('addMany', () => {
  it('adds to entities that have no components yet', () => {
    const world = watchedWorld()
    const commands = createCommands(world)
    const reserved = commands.spawn(Velocity)
    const placed = world.spawn()
    expect(addMany(world, [reserved, placed], Position({ x: 3 }))).toBe(2)
    expect(world.get(reserved, Position)).toEqual({ x: 3, y: 5 })
    commands.apply()
    expect(world.has(reserved, Position, Velocity)).toBe(true)
  })

  it('keeps existing values, and writes the given ones', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(Position({ x: 1, y: 1 })), world.spawn(Velocity)]
    addMany(world, [a, b], Position)
    expect([world.get(a, Position), world.get(b, Position)]).toEqual([
      { x: 1, y: 1 },
      { x: 0, y: 5 },
    ])
    const Name = component('Name', { value: text })
    addMany(world, [a, b], Position({ x: 8 }), Name({ value: 'Ada' }))
    expect([world.get(a, Position), world.get(b, Position)]).toEqual([
      { x: 8, y: 1 },
      { x: 8, y: 5 },
    ])
    expect(world.get(b, Name)).toEqual({ value: 'Ada' })
  })

  it('makes links, and refuses values of objects', () => {
    const world = watchedWorld()
    const parent = world.spawn()
    const children = spawnMany(world, 5, [Position])
    expect(addMany(world, children, ChildOf(parent), Frozen)).toBe(5)
    expect([...world.sources(parent, ChildOf)]).toEqual([...children])
    removeMany(world, children.subarray(2), ChildOf)
    expect([...world.sources(parent, ChildOf)]).toEqual([...children.subarray(0, 2)])
    expect(() => addMany(world, children, Sprite({ n: 1 }) as never)).toThrow(coded('INVALID_VALUE'))
    expect(() => addMany(world, children, 5 as never)).toThrow(coded('NOT_A_COMPONENT'))
    expect(() => addMany(world, children, Position, Position)).toThrow(coded('DUPLICATE_COMPONENT'))
    expect(() => addMany(world, 5 as never, Position)).toThrow(coded('INVALID_OPTION'))
  })
})

describe.each(STORAGES)('setMany of a %s component', (storage) => {
  const All = component(
    'All',
    { x: f32, on: bool, who: entity, name: text, at: vec(u8, 2), big: i32 },
    { storage: STORED[storage] },
  )

  it.each(ROW_COUNTS)('%i entities get their values, those without the component with it', (count) => {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [Velocity])
    const some = handles.filter((_, i) => i % 2 === 0)
    addMany(world, some, All({ big: -1 }))
    const x = Float32Array.from(handles, (_, i) => i / 2)
    const at = Uint8Array.from({ length: count * 2 }, (_, i) => i)
    const name = Array.from(handles, (_, i) => `n${i % 10}`)
    const on = Array.from(handles, (_, i) => i % 3 === 0)
    expect(setMany(world, handles, All, { x, at, name, on, who: handles })).toBe(count)
    for (let i = 0; i < count; i += 7) {
      expect(world.get(handles[i] as Entity, All)).toEqual({
        x: i / 2,
        on: i % 3 === 0,
        who: handles[i],
        name: `n${i % 10}`,
        at: Uint8Array.of(2 * i, 2 * i + 1),
        big: i % 2 === 0 ? -1 : 0,
      })
    }
  })

  it('skips dead handles with their values, and takes a column of booleans', () => {
    const world = watchedWorld()
    const [a, b, c] = [world.spawn(All), world.spawn(All), world.spawn(All)]
    world.destroy(b)
    expect(
      setMany(world, [a, b, c], All, { x: [1, 2, 3], on: Uint8Array.of(1, 0, 1), name: undefined }),
    ).toBe(2)
    expect(world.get(a, All)).toMatchObject({ x: 1, on: true })
    expect(world.get(c, All)).toMatchObject({ x: 3, on: true })
  })

  it('refuses invalid arguments, and changes nothing', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 3, [All])
    const digested = digestWorld(world)
    const refused = (lists: object, code: string) =>
      expect(() => setMany(world, handles, All, lists)).toThrow(coded(code))
    refused({ x: [1, 2] }, 'INVALID_VALUE')
    refused({ x: [1, 2, '3'] }, 'INVALID_VALUE')
    refused({ big: [1, 2, 2 ** 31] }, 'INVALID_VALUE')
    refused({ at: Uint8Array.of(1, 2, 3) }, 'INVALID_VALUE')
    refused({ z: [1, 2, 3] }, 'UNKNOWN_FIELD')
    refused({ x: 5 }, 'INVALID_OPTION')
    expect(() => setMany(world, handles, All, 5 as never)).toThrow(coded('INVALID_VALUE'))
    expect(() => setMany(world, handles, Frozen as never, {})).toThrow(coded('NOT_A_COMPONENT'))
    expect(() => setMany(world, 5 as never, All, {})).toThrow(coded('INVALID_OPTION'))
    expect(digestWorld(world)).toBe(digested)
  })

  it('marks as changed, calls onSet, and inside a loop writes existing values at once', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 4, [All])
    const query = world.query(changed(All))
    query.entities()
    const heard: number[] = []
    const stop = onSet(world, All, (e) => void heard.push(e))
    setMany(world, handles.subarray(1, 3), All, { x: [1, 2] })
    expect(heard).toEqual([...handles.subarray(1, 3)])
    expect(query.count).toBeGreaterThan(0)
    stop()
    const other = world.spawn()
    world.batch(() => {
      setMany(world, [...handles.subarray(0, 1), other], All, { x: [7, 8] })
      expect(world.get(handles[0] as Entity, All)?.x).toBe(7)
      expect(world.has(other, All)).toBe(false)
    })
    expect(world.get(other, All)?.x).toBe(8)
  })
})

describe('cloneMany with overrides', () => {
  it.each(ROW_COUNTS)('%i copies have the values of the model, except for the overrides', (count) => {
    const world = watchedWorld()
    const model = world.spawn(Position({ x: 1, y: 2 }), Health({ hp: 3 }), Slot({ n: 4 }), Frozen)
    const copies = cloneMany(world, model, count, Position({ x: 9 }), Velocity({ x: 8 }), Health({ hp: 7 }))
    expect(copies.length).toBe(count)
    for (let i = 0; i < count; i += 11) {
      const copy = copies[i] as Entity
      expect(world.get(copy, Position)).toEqual({ x: 9, y: 2 })
      expect(world.get(copy, Velocity)).toEqual({ x: 8 })
      expect(world.get(copy, Health)).toEqual({ hp: 7 })
      expect(world.get(copy, Slot)).toEqual({ n: 4 })
      expect(world.has(copy, Frozen)).toBe(true)
    }
    expect(world.get(model, Position)).toEqual({ x: 1, y: 2 })
    expect(world.stats().entities).toBe(count + 1)
  })

  it('inside a loop the copies are made when it ends', () => {
    const world = watchedWorld()
    const model = world.spawn(Position({ x: 1, y: 2 }))
    const heard: number[] = []
    onAdd(world, Position, (e) => void heard.push(world.get(e, Position)?.x ?? -1))
    onSet(world, Position, (e) => void heard.push(world.get(e, Position)?.x ?? -1))
    const copies = world.batch(() => cloneMany(world, model, 2, Position({ x: 5 }), Frozen))
    expect(world.query(Frozen).count).toBe(2)
    expect(world.get(copies[1] as Entity, Position)).toEqual({ x: 5, y: 2 })
    expect([...heard].sort()).toEqual([5, 5, 5, 5])
  })

  it('refuses invalid arguments, and makes nothing', () => {
    const world = watchedWorld()
    const model = world.spawn(Position)
    const dead = world.spawn()
    world.destroy(dead)
    expect(() => cloneMany(world, model, 2, Sprite({ n: 1 }) as never)).toThrow(coded('INVALID_VALUE'))
    expect(() => cloneMany(world, model, 2, 3 as never)).toThrow(coded('NOT_A_COMPONENT'))
    expect(() => cloneMany(world, model, 2, Position, Position)).toThrow(coded('DUPLICATE_COMPONENT'))
    expect(() => cloneMany(world, dead, 2, Position)).toThrow(coded('DEAD_ENTITY'))
    expect(world.stats().entities).toBe(1)
  })

  it('when memory runs out there are no copies', () => {
    const Large = component('Large', { m: vec(f32, 64) })
    let failed = 0
    for (let kib = 0; kib < 260; kib += 9) {
      const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
      const model = world.spawn(Position)
      world.query(Large)
      leaveFree(world, kib)
      try {
        cloneMany(world, model, 300, Large)
      } catch (error) {
        failed++
        expect(error).toEqual(coded('MEMORY_LIMIT'))
        expect(world.stats().entities).toBe(1)
      }
    }
    expect(failed).toBeGreaterThan(0)
  })
})

describe('a list that resets the world while it is read', () => {
  const lists = (world: World, fill: () => Entity) => ({
    length: 1,
    get 0() {
      resetWorld(world)
      return fill()
    },
  })

  it('adds the components to what exists then', () => {
    const world = watchedWorld()
    world.add(world.spawn(Position), Velocity)
    let made = NULL_ENTITY as Entity
    const list = lists(world, () => {
      world.spawn(Velocity, Slot)
      return (made = world.spawn(Slot))
    })
    expect(addMany(world, list, Velocity)).toBe(1)
    expect(names(world.componentsOf(made)).sort()).toEqual(['Slot', 'Velocity'])
  })

  it('removes the components from what exists then', () => {
    const world = watchedWorld()
    world.remove(world.spawn(Position, Velocity), Velocity)
    let made = NULL_ENTITY as Entity
    const list = lists(world, () => {
      world.remove(world.spawn(Slot, Health), Health)
      return (made = world.spawn(Slot, Health, Position, Velocity))
    })
    expect(removeMany(world, list, Velocity)).toBe(1)
    expect(names(world.componentsOf(made)).sort()).toEqual(['Health', 'Position', 'Slot'])
  })
})

describe('removeMany of a relation', () => {
  const Near = relation('Near', { weight: u8 })

  it.each([
    ['exclusive', ChildOf],
    ['with many targets', Near],
  ])('%s skips entities without a link', (_, Kind) => {
    const world = watchedWorld()
    const target = world.spawn()
    const list = Array.from(spawnMany(world, 3, [Position]))
    world.add(list[0] as Entity, Kind(target))
    expect(removeMany(world, list.slice(1), Kind)).toBe(2)
    expect(world.sourceCount(target, Kind)).toBe(1)
    expect(removeMany(world, list, Kind, Position)).toBe(3)
    expect([world.sourceCount(target, Kind), world.query(Position).count]).toEqual([0, 0])
  })

  it('needs no target; addMany says what is missing, in its own name', () => {
    const world = watchedWorld()
    const list = spawnMany(world, 2, [])
    expect(() => addMany(world, list, Near as never)).toThrow(/^addMany: Near needs the entity/)
  })
})
