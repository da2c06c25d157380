// Shows access to one field by handle: it reads, writes, marks and refuses as a cursor does, wherever rows go meanwhile.

import { describe, expect, it } from 'vitest'
import {
  createAccessor,
  destroyMany,
  NULL_ENTITY,
  resetWorld,
  spawnMany,
  StrataTypeError,
  bool,
  changed,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  restoreWorld,
  snapshotWorld,
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
  type Entity,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { ROW_COUNTS } from '../support/rowCounts'
import { seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { plainWorld } from '../support/world'

const KINDS = { i8, u8, i16, u16, i32, u32, f32, f64 }
/** What each kind stores of numbers that fit, that do not, and that are none. */
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  -2.75,
  127,
  128,
  255,
  256,
  -129,
  65_535,
  65_536,
  2 ** 31,
  2 ** 32 - 1,
  1e20,
  NaN,
  Infinity,
]
const Mark = tag('Mark')

describe.each(STORAGES)('a field of a %s component', (storage) => {
  const Body = component(
    'Body',
    { ...KINDS, on: bool, who: entity, at: vec(f32, 3), name: text },
    { storage: STORED[storage] },
  )
  const Count = component('Count', { before: u8, n: u32 }, { storage: STORED[storage] })

  it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('of kind %s holds what a cursor holds', (kind) => {
    const world = plainWorld()
    const [ship, twin] = [world.spawn(Body), world.spawn(Body)]
    const at = createAccessor(world, Body)
    const field = createAccessor(world, Body, kind)
    for (const number of NUMBERS) {
      const written = codeOf(() => (at.of(twin)[kind] = number))
      expect(codeOf(() => field.set(ship, number))).toBe(written)
      expect(field.get(ship)).toBe(at.of(twin)[kind])
      expect(field.get(ship)).toBe(world.get(ship, Body)?.[kind])
    }
  })

  it('of any other kind uses a cursor', () => {
    const world = watchedWorld()
    const ship = world.spawn(Body({ name: 'Argo' }))
    createAccessor(world, Body, 'on').set(ship, true)
    createAccessor(world, Body, 'who').set(ship, ship)
    createAccessor(world, Body, 'at').set(ship, [1, 2, 3] as never)
    expect(createAccessor(world, Body, 'name').get(ship)).toBe('Argo')
    createAccessor(world, Body, 'name').set(ship, 'Nina')
    expect(world.get(ship, Body)).toMatchObject({ on: true, who: ship, name: 'Nina' })
    expect([...createAccessor(world, Body, 'at').get(ship)]).toEqual([1, 2, 3])
    expect(createAccessor(world, Body, 'who').get(ship)).toBe(ship)
  })

  it('is the same object in each call', () => {
    const world = watchedWorld()
    expect(createAccessor(world, Count, 'n')).toBe(createAccessor(world, Count, 'n'))
    expect(createAccessor(world, Count, 'n')).not.toBe(createAccessor(world, Count, 'before'))
  })

  it.each(ROW_COUNTS)('of each of %i entities is independent', (count) => {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [Count])
    const n = createAccessor(world, Count, 'n')
    handles.forEach((handle, i) => n.set(handle, i))
    handles.forEach((handle, i) => {
      if (n.get(handle) !== i) expect.unreachable(`entity ${i} reads ${n.get(handle)}`)
    })
    const at = createAccessor(world, Count)
    handles.forEach((handle, i) => {
      if (at.of(handle).n !== i || at.of(handle).before !== 0) expect.unreachable(`entity ${i}`)
    })
  })

  it('follows rows through random changes, restores and a reset', () => {
    const world = watchedWorld()
    const random = seededRandom(11)
    const n = createAccessor(world, Count, 'n')
    let values = new Map<Entity, number>()
    const anyone = () => [...values.keys()][Math.floor(random() * values.size)] as Entity
    let [kept, keptValues] = [snapshotWorld(world), new Map(values)]
    for (let step = 0; step < 3000; step++) {
      const choice = random()
      if (values.size === 0 || choice < 0.3) {
        const made = world.spawn(Count({ n: step }), ...(random() < 0.5 ? [Mark] : []))
        values.set(made, step)
      } else if (choice < 0.45) {
        const gone = anyone()
        world.destroy(gone)
        values.delete(gone)
        expect(codeOf(() => n.get(gone))).toBe('DEAD_ENTITY')
      } else if (choice < 0.6) {
        const moved = anyone()
        if (!world.remove(moved, Mark)) world.add(moved, Mark)
      } else if (choice < 0.9) {
        const one = anyone()
        expect(n.get(one)).toBe(values.get(one))
        n.set(one, step)
        values.set(one, step)
      } else if (choice < 0.92) {
        ;[kept, keptValues] = [snapshotWorld(world), new Map(values)]
      } else if (choice < 0.94) {
        restoreWorld(world, kept)
        values = new Map(keptValues)
      } else if (choice < 0.942) {
        resetWorld(world)
        values = new Map()
        ;[kept, keptValues] = [snapshotWorld(world), new Map()]
      } else {
        for (const [one, value] of values)
          if (n.get(one) !== value) expect.unreachable(`step ${step}: ${n.get(one)} in place of ${value}`)
      }
    }
  })

  it('is found among chunks that were allocated and freed', () => {
    const world = watchedWorld()
    const n = createAccessor(world, Count, 'n')
    for (let round = 0; round < 5; round++) {
      const handles = spawnMany(world, 3000, [Count, ...(round % 2 === 0 ? [Mark] : [])])
      handles.forEach((handle, i) => n.set(handle, i + round))
      handles.forEach((handle, i) => {
        if (world.get(handle, Count)?.n !== i + round) expect.unreachable(`entity ${i} in round ${round}`)
      })
      destroyMany(world.query(Count))
    }
  })

  it('marks what it writes as changed, and nothing that it reads', () => {
    const world = watchedWorld()
    const [ship] = spawnMany(world, 3, [Count])
    const query = world.query(changed(Count))
    const n = createAccessor(world, Count, 'n')
    for (let round = 0; round < 3; round++) {
      query.entities()
      n.get(ship as Entity)
      expect(query.count).toBe(0)
      n.set(ship as Entity, round)
      expect(query.count).toBe(3)
    }
  })

  it('marks the row where rows are tracked', () => {
    const Tracked = component('Tracked', { n: u32 }, { storage: STORED[storage], trackChanges: 'row' })
    const world = watchedWorld()
    const handles = spawnMany(world, 5, [Tracked])
    const query = world.query(changed(Tracked))
    const n = createAccessor(world, Tracked, 'n')
    for (const handle of handles) n.get(handle)
    query.entities()
    n.set(handles[3] as Entity, 7)
    expect([...query.entities()]).toEqual([handles[3]])
    expect(n.get(handles[3] as Entity)).toBe(7)
  })

  it('reads and writes at once inside a loop, where rows stay', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 70, [Count({ n: 1 })])
    const n = createAccessor(world, Count, 'n')
    let made: Entity | undefined
    world.query(Count).each((handle, count) => {
      n.set(handle, n.get(handle) + 1)
      expect(count.n).toBe(2)
      made ??= world.spawn(Count({ n: 9 }))
      expect(codeOf(() => n.get(made as Entity))).toBe('MISSING_COMPONENT')
    })
    expect(n.get(made as Entity)).toBe(9)
    expect(n.get(handles[69] as Entity)).toBe(2)
  })

  it('is refused for dead entities, for ones without the component, and for anything but a number, and nothing changes', () => {
    const world = watchedWorld()
    const [ship, other, dead] = [world.spawn(Count({ n: 4 })), world.spawn(Mark), world.spawn(Count)]
    world.destroy(dead)
    const n = createAccessor(world, Count, 'n')
    for (let round = 0; round < 2; round++) {
      expect(codeOf(() => n.get(dead))).toBe('DEAD_ENTITY')
      expect(codeOf(() => n.set(dead, 1))).toBe('DEAD_ENTITY')
      expect(codeOf(() => n.set(dead, '1' as never))).toBe('DEAD_ENTITY')
      expect(codeOf(() => n.get(NULL_ENTITY))).toBe('DEAD_ENTITY')
      expect(codeOf(() => n.get(1e9))).toBe('DEAD_ENTITY')
      expect(codeOf(() => n.get(other))).toBe('MISSING_COMPONENT')
      expect(codeOf(() => n.set(other, 1))).toBe('MISSING_COMPONENT')
      for (const value of ['1', null, undefined, {}, true, 1n])
        expect(codeOf(() => n.set(ship, value as never))).toBe('INVALID_VALUE')
      expect(n.get(ship)).toBe(4)
    }
    world.dispose()
    expect(codeOf(() => n.get(ship))).toBe('WORLD_DISPOSED')
    expect(codeOf(() => n.set(ship, 1))).toBe('WORLD_DISPOSED')
  })

  it('must belong to the component', () => {
    const world = watchedWorld()
    const accessor = (name: unknown) => createAccessor(world, Count, name as never)
    expect(() => accessor('z')).toThrow(StrataTypeError)
    expect(() => accessor('z')).toThrow("Count has no field 'z': its fields are before, n.")
    for (const name of ['constructor', '__proto__', null, 3])
      expect(codeOf(() => accessor(name))).toBe('UNKNOWN_FIELD')
  })
})
