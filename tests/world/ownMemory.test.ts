// Shows that a list or values that lie in the world's own memory are read whole, although the call that reads them grows that
// memory, which detaches every view of it. Each world begins with 1 MiB and must grow.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  getColumn,
  component,
  createAccessor,
  createWorld,
  destroyMany,
  f32,
  onSet,
  removeMany,
  resource,
  setMany,
  sparse,
  spawnMany,
  spawnManyAt,
  u32,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const COUNT = 20_000
const Small = component('Small', { x: f32 })
const Wide = component('Wide', { y: f32, room: vec(f32, 100) })
const Sparse = component('Sparse', { y: f32, room: vec(f32, 100) }, { storage: sparse })
const List = resource('List', { of: vec(u32, COUNT) })
const Numbers = resource('Numbers', { of: vec(f32, COUNT) })
const Heat = resource('Heat', { of: vec(f32, 400_000) })
const Copy = resource('Copy', { of: vec(f32, 400_000) })

const small = () => testWorld({ memory: { initial: 2 ** 20 } })

/** Expects that the memory grows meanwhile: else nothing is proved. */
function growing(world: World, act: () => void): void {
  const before = world.stats().bytesReserved
  act()
  expect(world.stats().bytesReserved).toBeGreaterThan(before)
  checkInvariants(world)
}

/** A world with so many entities, whose handles lie in a resource. */
function listedWorld() {
  const world = small()
  const handles = spawnMany(world, COUNT, [Small])
  world.resource(List).of.set(handles)
  return { world, handles }
}

describe('a list of handles in the memory of the world itself', () => {
  it.each([Wide, Sparse])('setMany writes all of it, with values stored there, too', (component) => {
    const { world, handles } = listedWorld()
    const numbers = world.resource(Numbers).of
    for (let i = 0; i < COUNT; i++) numbers[i] = i
    growing(world, () => {
      expect(setMany(world, world.resource(List).of, component, { y: world.resource(Numbers).of })).toBe(
        COUNT,
      )
    })
    const wrong = handles.findIndex((entity, i) => world.get(entity as Entity, component)?.y !== i)
    expect(wrong).toBe(-1)
  })

  it.each([Wide, Sparse])('addMany, removeMany and destroyMany cover all of it', (component) => {
    const { world } = listedWorld()
    growing(world, () => expect(addMany(world, world.resource(List).of, component({ y: 3 }))).toBe(COUNT))
    expect(world.query(Small, component).count).toBe(COUNT)
    expect(removeMany(world, world.resource(List).of, component)).toBe(COUNT)
    expect(world.query(component).count).toBe(0)
    expect(destroyMany(world, world.resource(List).of)).toBe(COUNT)
    expect(world.query(Small).count).toBe(0)
  })

  it('spawnManyAt spawns all of them', () => {
    const world = small()
    const other = createWorld({ memory: { initial: 2 ** 20 } })
    const handles = spawnMany(other, COUNT, [])
    world.resource(List).of.set(handles)
    growing(world, () => void spawnManyAt(world, world.resource(List).of, [Wide]))
    expect(handles.every((entity) => world.has(entity as Entity, Wide))).toBe(true)
    other.dispose()
  })
})

describe('values in the memory of the world itself', () => {
  it('a resource takes those of another', () => {
    const world = small()
    const heat = world.resource(Heat).of
    heat.fill(7)
    heat[399_999] = 9
    growing(world, () => world.setResource(Copy, { of: world.resource(Heat).of }))
    const copy = world.resource(Copy).of
    expect([copy[0], copy[200_000], copy[399_999]]).toEqual([7, 7, 9])
  })

  it('set and add take a row of another entity', () => {
    const world = small()
    const model = world.spawn(Wide)
    createAccessor(world, Wide).of(model).room.fill(4)
    growing(world, () => {
      for (let i = 0; i < 8000; i++) {
        const entity = world.spawn(Small)
        const { room } = createAccessor(world, Wide).of(model)
        if (i % 2 === 0) world.set(entity, Wide, { room })
        else world.add(entity, Wide({ room }))
        const got = world.get(entity, Wide)?.room as ArrayLike<number>
        if (got[0] !== 4 || got[99] !== 4) expect.unreachable(`entity ${i}`)
      }
    })
  })
})

it('setMany reads its list before listeners can change it', () => {
  const world = testWorld()
  const list = Uint32Array.from(spawnMany(world, 8, [Small]))
  onSet(world, Small, () => list.fill(0))
  expect(setMany(world, list, Small, { x: [1, 2, 3, 4, 5, 6, 7, 8] })).toBe(8)
  expect(Array.from(getColumn(world.query(Small), Small, 'x'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})
