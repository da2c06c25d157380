// Shows that a call which changes several entities is one change, however it is made: what listeners throw and queue waits until all
// of them are changed.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  component,
  onAdd,
  onRemove,
  onSet,
  relation,
  removeMany,
  setMany,
  onChange,
  tag,
  u8,
  type Entity,
  type World,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Hp = component('Hp', { v: u8 })
const Red = tag('Red')
const Blue = tag('Blue')
const Late = tag('Late')
const Likes = relation('Likes')
const Fears = relation('Fears')

type Change = (world: World, list: Entity[], target: Entity) => unknown

/** Each changes three entities one after the other; and whether one of them has changed. */
const CALLS: Record<string, [Change, (world: World, one: Entity) => boolean]> = {
  setMany: [
    (world, list) => setMany(world, list, Hp, { v: [1, 2, 3] }),
    (world, one) => world.get(one, Hp)?.v !== 0,
  ],
  'addMany of a link': [
    (world, list, target) => addMany(world, list, Likes(target)),
    (world, one) => world.has(one, Likes),
  ],
  'addMany of a link to a query': [
    (world, _, target) => addMany(world.query(Red), Likes(target)),
    (world, one) => world.has(one, Likes),
  ],
  'addMany to a page': [
    (world) => addMany(world.query(Red).slice(0, 3), Blue),
    (world, one) => world.has(one, Blue),
  ],
  'removeMany of a link': [
    (world, list) => removeMany(world, list, Fears),
    (world, one) => !world.has(one, Fears),
  ],
}

function stage(isSubscribed: boolean): { world: World; list: Entity[]; target: Entity } {
  const world = watchedWorld()
  const target = world.spawn()
  const list = Array.from({ length: 3 }, () => world.spawn(Hp, Red, Fears(target)))
  if (isSubscribed) onChange(world.query(Red), () => {})
  return { world, list, target }
}

function listen(world: World, heard: (entity: Entity) => void): void {
  onSet(world, Hp, heard)
  for (const part of [Likes, Blue]) onAdd(world, part, heard)
  onRemove(world, Fears, heard)
}

describe.each(Object.entries(CALLS))('%s', (_, [change, isChanged]) => {
  it.each([false, true])(
    'changes everything even if a listener throws; with a subscriber: %s',
    (isSubscribed) => {
      const { world, list, target } = stage(isSubscribed)
      const heard: Entity[] = []
      listen(world, (entity) => {
        heard.push(entity)
        if (entity === list[0]) throw new Error('the first')
      })
      expect(() => change(world, list, target)).toThrow('the first')
      expect(heard).toEqual(list)
      expect(list.map((one) => isChanged(world, one))).toEqual([true, true, true])
    },
  )

  it.each([false, true])(
    'is complete before the changes queued by a listener are applied; with a subscriber: %s',
    (isSubscribed) => {
      const { world, list, target } = stage(isSubscribed)
      listen(world, (entity) => {
        if (entity === list[0]) world.add(target, Late)
      })
      let changed: boolean[] = []
      onAdd(world, Late, () => (changed = list.map((one) => isChanged(world, one))))
      change(world, list, target)
      expect(changed).toEqual([true, true, true])
    },
  )
})

it('remove with links ends all links it names even if a listener throws, before changes queued by listeners apply', () => {
  for (const throws of [false, true]) {
    const world = watchedWorld()
    const [a, b] = [world.spawn(), world.spawn()]
    const one = world.spawn(Hp, Likes(a), Likes(b), Fears(a), Fears(b))
    const links = () => [world.has(one, Hp), [...world.targets(one, Likes)], [...world.targets(one, Fears)]]
    onRemove(world, Hp, () => {
      if (throws) throw new Error('the first')
      world.destroy(one)
      world.spawn(Late)
    })
    let late: unknown
    onAdd(world, Late, () => (late = world.isAlive(one)))
    let told: unknown
    onRemove(world, Fears(b), () => (told = links()))
    const remove = () => world.remove(one, Hp, Likes(a), Fears(b))
    if (throws) expect(remove).toThrow('the first')
    else remove()
    expect(told).toEqual([false, [b], [a, b]])
    if (throws) expect(links()).toEqual([false, [b], [a]])
    else expect([world.isAlive(one), late]).toEqual([false, false])
  }
})

it('remove of a relation as a whole and of one of its links ends all of them once', () => {
  for (const removeIt of [
    (world: World, one: Entity, a: Entity) => world.remove(one, Likes, Likes(a)),
    (world: World, one: Entity, a: Entity) => world.remove(one, Likes(a), Likes),
  ]) {
    const world = watchedWorld()
    const [a, b] = [world.spawn(), world.spawn()]
    const one = world.spawn(Red, Likes(a), Likes(b))
    let told = 0
    onRemove(world, Likes, () => told++)
    expect(removeIt(world, one, a)).toBe(true)
    expect([told, world.has(one, Likes), world.targets(one, Likes).length]).toEqual([1, false, 0])
    expect([world.sourceCount(a, Likes), world.sourceCount(b, Likes)]).toEqual([0, 0])
  }
})

it('A query that gets links when a block ends leaves out those to a target that has died', () => {
  const world = watchedWorld()
  const [one, target] = [world.spawn(Red), world.spawn()]
  world.batch(() => {
    world.destroy(target)
    addMany(world.query(Red), Likes(target), Blue)
  })
  expect([world.has(one, Likes), world.has(one, Blue)]).toEqual([false, true])
})
