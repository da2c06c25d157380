// Shows that loops with the term inCreationOrder() visit entities in the order in which they were made, whatever became of their rows.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  cascade,
  changed,
  getColumn,
  component,
  type Entity,
  destroyMany,
  forkWorld,
  createGroup,
  inCreationOrder,
  not,
  onEnter,
  relation,
  removeMany,
  restoreWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  onChange,
  tag,
  toggle,
  u32,
  type World,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Red = tag('Red')
const Blue = tag('Blue', { toggle })
const ChildOf = relation('ChildOf', { exclusive: true })
const coded = (code: string): unknown => expect.objectContaining({ code })

describe.each(STORAGES)('inCreationOrder() over a %s component', (storage) => {
  const Value = component('Value', { n: u32 }, { storage: STORED[storage], trackChanges: 'row' })

  /** A world in which entities were made, moved and destroyed: those that are there, the oldest first. */
  function mixed(count: number, maxEntities?: number): { world: World; made: number[] } {
    const world = watchedWorld(maxEntities === undefined ? {} : { maxEntities })
    const random = seededRandom(count)
    let made: number[] = []
    for (let i = 0; i < count; i++) {
      const pick = made[Math.floor(random() * made.length)]
      const what = random()
      if (pick === undefined || (what < 0.5 && made.length < (maxEntities ?? Infinity)))
        made.push(world.spawn(Value({ n: i }), ...(what < 0.2 ? [Red] : []), Blue))
      else if (what < 0.7) world.add(pick as never, Red)
      else if (what < 0.9) world.remove(pick as never, Red)
      else {
        world.destroy(pick as never)
        made = made.filter((e) => e !== pick)
      }
    }
    return { world, made }
  }

  it.each([0, 1, 65, 3000])('visits the oldest first, after %i changes', (count) => {
    const { world, made } = mixed(count)
    const query = world.query(Value, inCreationOrder())
    const visited: number[] = []
    for (const chunk of query) visited.push(...chunk.entities.subarray(chunk.start, chunk.end))
    expect(visited).toEqual(made)
    const each: number[] = []
    query.each((entity, value) => {
      expect(world.get(entity, Value)?.n).toBe(value.n)
      each.push(entity)
    })
    expect(each).toEqual(made)
    expect([...query.entities()]).toEqual(made)
    expect(query.count).toBe(made.length)
    expect(query.first()).toBe(made[0])
    const numbers = made.map((e) => world.get(e, Value)?.n)
    expect([...getColumn(query, Value, 'n')]).toEqual(numbers)
    expect([...query.slice(3, 8).entities()]).toEqual(made.slice(3, 8))
    expect([...query.where(Value, 'n', '>', 50).entities()]).toEqual(made.filter((_, i) => numbers[i]! > 50))
  })

  it('keeps the order where indices are reused', () => {
    const { world, made } = mixed(4000, 40)
    expect([...world.query(Value, inCreationOrder()).entities()]).toEqual(made)
    expect([...world.query(inCreationOrder()).entities()]).toEqual(made)
  })

  it.each([0, 1, 7])(
    'keeps the order of entities spawned in a loop until the world is full, %i of them after it',
    (after) => {
      // The records end in the loop, at 1,024: what is fresh is promised from there on, and then indices are used again.
      const world = watchedWorld({ maxEntities: 1100 })
      const made = Array.from({ length: 1020 }, () => world.spawn(Value)) as Entity[]
      for (const gone of made.splice(100, 12)) world.destroy(gone)
      world.batch(() => {
        made.push(...spawnMany(world, 85, [Value]))
        for (let i = 0; i < 7 - after; i++) made.push(world.spawn(Value))
      })
      expect([...world.query(Value, inCreationOrder()).entities()]).toEqual(made)
      for (let i = 0; i < after; i++) made.push(world.spawn(Value))
      expect([...world.query(Value, inCreationOrder()).entities()]).toEqual(made)
      expect(codeOf(() => world.spawn(Value))).toBe('ENTITY_LIMIT')
      // And once more: nothing is kept of the loop before.
      for (const gone of made.splice(0, 30)) world.destroy(gone)
      world.batch(() => made.push(...spawnMany(world, 30, [Value])))
      expect([...world.query(Value, inCreationOrder()).entities()]).toEqual(made)
    },
  )

  it('accepts other terms, and is up to date after each change', () => {
    const { world, made } = mixed(500)
    const query = world.query(inCreationOrder(), Value, not(Red), Blue)
    const expected = () => made.filter((e) => !world.has(e, Red) && world.isEnabled(e, Blue))
    for (let i = 0; i < 20; i++) {
      expect([...query.entities()]).toEqual(expected())
      const pick = made[(i * 7) % made.length] as never
      if (i % 3 === 0) world.add(pick, Red)
      else if (i % 3 === 1) world.remove(pick, Red)
      else world.disable(pick, Blue)
      made.push(world.spawn(Value, Blue))
    }
  })

  it('finds changes, in order, like any other query', () => {
    const { world, made } = mixed(300)
    const query = world.query(changed(Value), inCreationOrder())
    expect(query.count).toBe(made.length)
    expect([...query.entities()]).toEqual(made)
    expect(query.count).toBe(0)
    const written = [made[9], made[4], made[30]] as number[]
    for (const entity of written) world.set(entity, Value, { n: 1 })
    expect([...query.entities()]).toEqual([made[4], made[9], made[30]])
    expect([...query.entities()]).toEqual([])
  })

  it('orders sources of links, in any order of the terms', () => {
    const { world, made } = mixed(300)
    const parent = world.spawn()
    const children = made.filter((_, i) => i % 3 === 0)
    for (const child of [...children].reverse()) world.add(child, ChildOf(parent))
    for (const query of [
      world.query(Value, ChildOf(parent), inCreationOrder()),
      world.query(inCreationOrder(), ChildOf(parent), Value),
    ]) {
      expect([...query.entities()]).toEqual(children)
    }
    expect([...world.query(Value, not(ChildOf(parent)), inCreationOrder()).entities()]).toEqual(
      made.filter((e) => !children.includes(e)),
    )
  })

  it('changes everything that matches, and notifies listeners and subscribers', () => {
    const { world, made } = mixed(100)
    const query = world.query(Value, not(Red), inCreationOrder())
    const matching = [...query.entities()]
    const heard: number[] = []
    let told = 0
    onEnter(query, (entity) => void heard.push(entity))
    onChange(query, () => told++)
    expect(addMany(query, Red)).toBe(matching.length)
    expect([query.count, told]).toEqual([0, 1])
    removeMany(world, made, Red)
    expect(new Set(heard)).toEqual(new Set(made))
    expect(told).toBe(2)
    expect(destroyMany(query)).toBe(made.length)
  })
})

describe('inCreationOrder()', () => {
  it('is refused beside another order, and over a group', () => {
    const world = watchedWorld()
    const A = component('A', { n: u32 }, { storage: sparse })
    const B = component('B', { n: u32 }, { storage: sparse })
    createGroup(world, A, B)
    for (const terms of [
      [A, inCreationOrder(), inCreationOrder()],
      [A, cascade(ChildOf), inCreationOrder()],
      [inCreationOrder(), cascade(ChildOf)],
      [A, B, inCreationOrder()],
    ] as never[][]) {
      expect(() => world.query(...terms)).toThrow(coded('INVALID_QUERY'))
    }
  })

  it('goes back with the world', () => {
    const world = watchedWorld()
    const made = [world.spawn(Red), world.spawn(Red), world.spawn(Red)]
    const query = world.query(Red, inCreationOrder())
    const before = snapshotWorld(world)
    expect([...query.entities()]).toEqual(made)
    world.destroy(made[0]!)
    world.spawn(Red)
    expect(query.count).toBe(3)
    restoreWorld(world, before)
    expect([...query.entities()]).toEqual(made)
    expect([...forkWorld(world).query(Red, inCreationOrder()).entities()]).toEqual(made)
  })
})
