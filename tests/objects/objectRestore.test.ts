// Shows that a restore loses no object, disposes of none twice and shares none.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  component,
  f32,
  object,
  onRestore,
  restoreWorld,
  snapshotWorld,
  stable,
  tag,
  u32,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { restoreChecked } from '../support/restoring'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Slot = component('Slot', { n: u32 }, { storage: stable })
const Red = tag('Red')

describe('objects', () => {
  class Mesh {
    disposed = 0
    begun = 0
    constructor(readonly name: string) {}
  }
  const dispose = (mesh: Mesh) => void mesh.disposed++
  const init = (mesh: Mesh) => void mesh.begun++
  const revived: number[] = []
  const Lost = object<Mesh>('Lost', { init, dispose })
  const Revived = object<Mesh>('Revived', {
    init,
    dispose,
    revive: (entity) => {
      revived.push(entity)
      return new Mesh(`revived ${entity}`)
    },
  })

  it.each([
    ['nothing else was made known', false],
    ['components were met since', true],
  ])('Values stay if the entity still has the component, and are removed if not, when %s', (_, learns) => {
    const world = testWorld()
    const mesh = new Mesh('a')
    const a = world.spawn(Revived(mesh), Position)
    const dead = world.spawn(Position)
    const warm = world.spawn(Revived(new Mesh('warm')))
    world.destroy(warm)
    const before = snapshotWorld(world)
    const newer = new Mesh('newer')
    const onDead = new Mesh('on dead')
    const b = world.spawn(Revived(newer))
    world.add(dead, Revived(onDead))
    if (learns) world.add(a, Red, Slot)
    restoreChecked(world, before)
    expect(world.get(a, Revived)).toBe(mesh)
    expect([mesh.disposed, newer.disposed, onDead.disposed]).toEqual([0, 1, 1])
    expect([world.isAlive(b), world.has(dead, Revived)]).toEqual([false, false])
    world.destroy(a)
    expect(mesh.disposed).toBe(1)
  })

  it('A value whose entity died is created again by revive, once, and initialised', () => {
    const world = testWorld()
    const first = new Mesh('first')
    const e = world.spawn(Revived(first), Position({ x: 4 }))
    const before = snapshotWorld(world)
    world.destroy(e)
    expect(first.disposed).toBe(1)
    revived.length = 0
    restoreChecked(world, before)
    expect(revived).toEqual([e])
    const mesh = world.get(e, Revived)
    expect([mesh?.name, mesh?.begun, mesh?.disposed]).toEqual([`revived ${e}`, 1, 0])
    expect(world.query(Revived, Position).single()).toBe(e)
    restoreChecked(world, before)
    expect(world.get(e, Revived)).toBe(mesh)
    world.dispose()
    expect(mesh?.disposed).toBe(1)
  })

  it('A value that was replaced since stays: its entity has the component then and now', () => {
    const world = testWorld()
    const [first, second] = [new Mesh('first'), new Mesh('second')]
    const e = world.spawn(Revived(first))
    const before = snapshotWorld(world)
    world.set(e, Revived, second)
    restoreChecked(world, before)
    expect(world.get(e, Revived)).toBe(second)
    expect([first.disposed, second.disposed]).toEqual([1, 0])
  })

  it('An index that belongs to another entity now does not lend it its value', () => {
    const world = testWorld({ maxEntities: 3 })
    const e = world.spawn(Revived(new Mesh('e')))
    const before = snapshotWorld(world)
    world.destroy(e)
    for (let i = 0; i < 3; i++) world.spawn(Position)
    const [other] = world
      .query(Position)
      .entities()
      .filter((f) => (f & 0xffffff) === (e & 0xffffff))
    const mesh = new Mesh('other')
    world.add(other as Entity, Revived(mesh))
    revived.length = 0
    restoreChecked(world, before)
    expect([mesh.disposed, revived.length]).toEqual([1, 1])
    expect(world.get(e, Revived)?.name).toBe(`revived ${e}`)
  })

  it('Without revive the entity loses the component, and onRestore reports it', () => {
    const world = testWorld()
    const e = world.spawn(Lost(new Mesh('e')), Position({ x: 1 }))
    const f = world.spawn(Lost(new Mesh('f')))
    const before = snapshotWorld(world)
    world.destroy(e)
    const absent: unknown[] = []
    onRestore(world, (_, report) => void absent.push(...report.absent))
    restoreChecked(world, before)
    expect(absent).toEqual([{ entity: e, component: Lost }])
    expect([world.has(e, Lost), world.has(f, Lost), world.get(e, Position)?.x]).toEqual([false, true, 1])
    expect(world.query(Lost).single()).toBe(f)
  })

  it('A revive that throws costs that entity its component, and the error is thrown when everything is done', () => {
    const world = testWorld()
    const Broken = object<Mesh>('Broken', {
      revive: () => {
        throw new Error('no mesh today')
      },
    })
    const [e, f] = [world.spawn(Broken(new Mesh('e'))), world.spawn(Position)]
    const before = snapshotWorld(world)
    world.destroy(e)
    world.destroy(f)
    expect(() => restoreWorld(world, before)).toThrow('no mesh today')
    expect([world.isAlive(e), world.isAlive(f), world.has(e, Broken)]).toEqual([true, true, false])
    checkInvariants(world)
  })

  it('An object component first used after the snapshot is disposed of with all its values', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const before = snapshotWorld(world)
    const mesh = new Mesh('later')
    world.add(e, Lost(mesh))
    restoreChecked(world, before)
    expect(mesh.disposed).toBe(1)
    expect(world.has(e, Lost)).toBe(false)
    const again = new Mesh('again')
    world.add(e, Lost(again))
    expect(world.get(e, Lost)).toBe(again)
  })
})
