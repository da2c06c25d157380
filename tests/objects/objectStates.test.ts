// Shows which values of object components snapshots and forks keep, by `save` and `load`, and which they leave as they are.

import { describe, expect, it } from 'vitest'
import {
  component,
  createHistory,
  type Entity,
  f32,
  forkWorld,
  object,
  objectsOf,
  onRestore,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  type World,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { restoreChecked } from '../support/restoring'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const anything = (value: unknown) => value as never

class Bag {
  disposed = 0
  begun = 0
  constructor(readonly items: string[]) {}
}

function stage(snapshots?: boolean, revive?: () => Bag) {
  let saved = 0
  const Inside = object('Inside', () => new Bag([]), {
    init: (bag) => void bag.begun++,
    dispose: (bag) => void bag.disposed++,
    save: (bag) => (saved++, [...bag.items]),
    load: (items: string[]) => new Bag([...items]),
    ...(snapshots !== undefined && { snapshots }),
    ...(revive && { revive }),
  })
  return { world: testWorld(), Inside, saves: () => saved }
}

describe('A snapshot of a component with snapshots: true', () => {
  it.each([false, true])('restores every value, any number of times; more became known: %s', (learns) => {
    const { world, Inside } = stage(true)
    const kept = world.spawn(Inside(new Bag(['key'])))
    const dies = world.spawn(Inside(new Bag(['sword'])), Position)
    const loses = world.spawn(Inside(new Bag([])))
    const before = snapshotWorld(world)
    for (let round = 0; round < 3; round++) {
      const [first, second, third] = [kept, dies, loses].map((one) => world.get(one, Inside) as Bag)
      first?.items.push('lamp')
      world.destroy(dies)
      world.remove(loses, Inside)
      const late = world.spawn(Inside)
      const lateBag = world.get(late, Inside)
      if (learns) world.add(kept, Position)
      restoreChecked(world, before)
      expect([kept, dies, loses].map((one) => world.get(one, Inside)?.items)).toEqual([
        ['key'],
        ['sword'],
        [],
      ])
      expect([first, second, third, lateBag].map((bag) => bag?.disposed)).toEqual([1, 1, 1, 1])
      for (const one of [kept, dies, loses]) {
        const bag = world.get(one, Inside)
        expect([bag?.begun, bag?.disposed]).toEqual([1, 0])
      }
      expect(world.query(Inside).count).toBe(3)
    }
  })

  it('is overwritten with into, and keeps what was there then', () => {
    const { world, Inside } = stage(true)
    const one = world.spawn(Inside)
    const before = snapshotWorld(world)
    world.get(one, Inside)?.items.push('key')
    const two = world.spawn(Inside(new Bag(['two'])))
    snapshotWorld(world, { into: before })
    world.destroy(one)
    restoreChecked(world, before)
    expect([one, two].map((each) => world.get(each, Inside)?.items)).toEqual([['key'], ['two']])
  })

  it('restores values in histories and other worlds', () => {
    const { world, Inside } = stage(true)
    const one = world.spawn(Inside)
    const history = createHistory(world, { frames: 3 })
    for (const item of ['a', 'b', 'c']) {
      history.save()
      world.get(one, Inside)?.items.push(item)
    }
    expect(history.rewind(1)).toBe(true)
    expect(world.get(one, Inside)?.items).toEqual(['a'])
    const other = testWorld()
    restoreChecked(other, snapshotWorld(world))
    expect(other.get(one, Inside)?.items).toEqual(['a'])
    expect(other.get(one, Inside)).not.toBe(world.get(one, Inside))
  })

  it('leaves the value as it is if load throws, and restores none that was disposed of', () => {
    let fails = false
    const Failing = object<string[]>('Failing', {
      save: (list) => [...list],
      load: (list: string[]) => {
        if (fails) throw new RangeError('no')
        return [...list]
      },
      snapshots: true,
    })
    const world = testWorld()
    const [kept, dies] = [world.spawn(Failing(['a'])), world.spawn(Failing(['b']))]
    const before = snapshotWorld(world)
    world.get(kept, Failing)?.push('later')
    world.destroy(dies)
    const absent: Entity[] = []
    onRestore(world, (_, report) => absent.push(...report.absent.map((one) => one.entity)))
    fails = true
    expect(() => restoreWorld(world, before)).toThrow(RangeError)
    expect([world.get(kept, Failing), world.has(dies, Failing), absent]).toEqual([
      ['a', 'later'],
      false,
      [dies],
    ])
    checkInvariants(world)
    expect(() => forkWorld(world)).toThrow(RangeError)
    fails = false
    restoreChecked(world, before)
    expect([world.get(kept, Failing), world.get(dies, Failing)]).toEqual([['a'], ['b']])
  })

  it('is not taken if save throws, and the one to write into stays as it was', () => {
    let fails = false
    const Failing = object<number[]>('Failing', {
      save: (list) => {
        if (fails) throw new RangeError('no')
        return [...list]
      },
      load: (list: number[]) => [...list],
      snapshots: true,
    })
    const world = testWorld()
    const one = world.spawn(Failing([1]), Position({ x: 1 }))
    const before = snapshotWorld(world)
    world.get(one, Failing)?.push(2)
    world.set(one, Position, { x: 2 })
    fails = true
    expect(() => snapshotWorld(world, { into: before })).toThrow(RangeError)
    expect(() => forkWorld(world)).toThrow(RangeError)
    fails = false
    restoreChecked(world, before)
    expect([world.get(one, Failing), world.get(one, Position)]).toEqual([[1], { x: 1 }])
  })
})

describe('A component with save and load alone', () => {
  it('is left as it is by a restore, and not called by a snapshot', () => {
    for (const revive of [undefined, () => new Bag(['revived'])]) {
      const { world, Inside, saves } = stage(undefined, revive)
      const [kept, dies] = [world.spawn(Inside), world.spawn(Inside)]
      const before = snapshotWorld(world)
      const bag = world.get(kept, Inside)
      bag?.items.push('later')
      world.destroy(dies)
      restoreChecked(world, before)
      expect(world.get(kept, Inside)).toBe(bag)
      expect(world.get(dies, Inside)?.items).toEqual(revive && ['revived'])
      expect(saves()).toBe(0)
    }
  })

  it.each([undefined, true, false])(
    'is copied by a fork, a value for each world; snapshots: %s',
    (snapshots) => {
      const { world, Inside } = stage(snapshots, () => new Bag(['revived']))
      const ships: Entity[] = []
      for (let i = 0; i < 65; i++) ships.push(world.spawn(Inside(new Bag([`${i}`])), Position({ x: i })))
      world.destroy(ships[3] as Entity)
      const twin = forkWorld(world)
      ships.forEach((ship, i) => {
        expect(twin.get(ship, Inside)?.items).toEqual(i === 3 ? undefined : [`${i}`])
        if (i !== 3) expect(twin.get(ship, Inside)).not.toBe(world.get(ship, Inside))
      })
      checkInvariants(twin)
      // A fork of the fork, and of a world that started over.
      const again = forkWorld(twin)
      expect(again.get(ships[64] as Entity, Inside)?.items).toEqual(['64'])
      world.get(ships[0] as Entity, Inside)?.items.push('only here')
      expect(again.get(ships[0] as Entity, Inside)?.items).toEqual(['0'])
      resetWorld(twin)
      expect(countOf(forkWorld(twin), Inside)).toBe(0)
      const last = twin.spawn(Inside(new Bag(['last'])))
      expect(forkWorld(twin).get(last, Inside)?.items).toEqual(['last'])
    },
  )

  it('is refused with half of what it needs', () => {
    const save = (value: number) => value
    for (const options of [{ save }, { load: save }, { snapshots: true }, { save, load: save, snapshots: 1 }])
      expect(codeOf(() => object('Half', anything(options)))).toBe('INVALID_OPTION')
    expect(codeOf(() => object('Half', anything({ save, load: 5 })))).toBe('INVALID_SCHEMA')
    expect(() => object('Half', () => 1, anything({ save }))).toThrow(
      'save and load belong together, and load is missing',
    )
    expect(object('Whole', { save, load: save, snapshots: false }).componentName).toBe('Whole')
  })
})

function countOf(world: World, kind: ReturnType<typeof stage>['Inside']): number {
  return [...objectsOf(world, kind)].length
}
