// Shows the calls that change many entities over lists and over queries: what both do alike, and switching and setting, which take
// either.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  changed,
  component,
  destroyMany,
  disableMany,
  enableMany,
  onEnter,
  onExit,
  removeMany,
  setMany,
  spawnMany,
  tag,
  toggle,
  u16,
  type Entity,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Mark = tag('Mark')

describe.each(STORAGES)('A switch of a %s component', (storage) => {
  const Lamp = component('Lamp', { n: u16 }, { storage: STORED[storage], toggle })

  function stage() {
    const world = watchedWorld()
    const [ann, bob, cat] = spawnMany(world, 3, [Lamp, Mark]) as unknown as [Entity, Entity, Entity]
    const [bare, dead] = [world.spawn(Mark), world.spawn(Lamp)]
    world.destroy(dead)
    const isOn = () => [ann, bob, cat].map((one) => world.isEnabled(one, Lamp))
    return { world, ann, bob, cat, bare, dead, isOn }
  }

  it('reaches those of a list that have it, once each; stale handles and others are passed over', () => {
    const { world, ann, bob, bare, dead, isOn } = stage()
    expect(disableMany(world, [ann, bob, ann, bare, dead, 0], Lamp)).toBe(2)
    expect(isOn()).toEqual([false, false, true])
    expect(enableMany(world, Uint32Array.of(bob, bare), Lamp)).toBe(1)
    expect(isOn()).toEqual([false, true, true])
    expect([disableMany(world, [], Lamp), disableMany(world, [bare, dead], Lamp)]).toEqual([0, 0])
  })

  it('over a list is reported as one by one', () => {
    const { world, ann, bob, cat } = stage()
    const told: [string, Entity][] = []
    onEnter(world.query(Lamp), (entity) => told.push(['enter', entity]))
    onExit(world.query(Lamp), (entity) => told.push(['exit', entity]))
    disableMany(world, [ann, cat], Lamp)
    enableMany(world, [ann, bob], Lamp)
    expect(told).toEqual([
      ['exit', ann],
      ['exit', cat],
      ['enter', ann],
    ])
  })

  it('over a list waits for the end of a loop, after changes that were made before', () => {
    const { world, ann, bare, isOn } = stage()
    world.batch(() => {
      world.add(bare, Lamp)
      expect(disableMany(world, [ann, bare], Lamp)).toBe(2)
      expect(isOn()).toEqual([true, true, true])
      world.enable(ann, Lamp)
    })
    expect([isOn()[0], world.isEnabled(bare, Lamp)]).toEqual([true, false])
  })

  it('is refused without a toggle, and nothing is switched', () => {
    const { world, ann, isOn } = stage()
    expect(codeOf(() => disableMany(world, [ann], Mark))).toBe('NOT_A_TOGGLE')
    expect(codeOf(() => disableMany(world, ann as never, Lamp))).toBe('INVALID_OPTION')
    expect(isOn()).toEqual([true, true, true])
  })
})

describe.each(STORAGES)('Values for all that a query matches, of a %s component', (storage) => {
  const Health = component('Health', { hp: u16 }, { storage: STORED[storage] })

  it('are those of the list, in the order in which a loop visits; what is absent is added', () => {
    const world = watchedWorld()
    const [ann, bob] = spawnMany(world, 2, [Mark, Health]) as unknown as [Entity, Entity]
    const cat = world.spawn(Mark)
    const marked = world.query(Mark)
    const inOrder = [...marked.entities()]
    expect(setMany(marked, Health, { hp: [1, 2, 3] })).toBe(3)
    expect(inOrder.map((one) => world.get(one, Health)?.hp)).toEqual([1, 2, 3])
    expect([...inOrder].sort()).toEqual([ann, bob, cat].sort())
    expect(codeOf(() => setMany(marked, Health, { hp: [1, 2] }))).toBe('INVALID_VALUE')
  })

  it('leave what has changed to be found', () => {
    const world = watchedWorld()
    world.spawn(Mark, Health)
    const news = world.query(changed(Health))
    expect([setMany(news, Health, { hp: [7] }), news.count]).toEqual([1, 1])
  })
})

it.each<[string, (on: never, ...rest: never[]) => unknown]>([
  ['addMany', addMany],
  ['removeMany', removeMany],
  ['destroyMany', destroyMany],
  ['setMany', setMany],
  ['enableMany', enableMany],
  ['disableMany', disableMany],
])('%s says what it takes where it is given neither a query nor a world', (name, call) => {
  for (const wrong of [undefined, null, 5, {}, []]) {
    expect(codeOf(() => call(wrong as never))).toBe('INVALID_OPTION')
    expect(() => call(wrong as never)).toThrow(`${name} takes a query, or a world and a list`)
  }
})
