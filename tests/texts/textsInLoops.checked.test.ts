// Shows that texts that are new in a loop leave arrays valid and get the ids they would get outside, and that running out of
// memory is reported when the loop ends. It counts what is left, so it runs over cores that use memory in order.

import { describe, expect, it } from 'vitest'
import * as L from '../../build/layout'
import {
  internText,
  LimitError,
  component,
  spawnMany,
  sweepTexts,
  tag,
  text,
  textId,
  textOf,
  u32,
  type Entity,
  type Tag,
  type World,
} from '../../bindings/index'
import { forgetful, wordAt } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { isSteady } from '../support/world'

const MIB = 2 ** 20
const Name = component('Name', { value: text })
const NAMES = STORAGES.map((storage) => ({
  storage,
  Person: component(
    `Person ${storage}`,
    { name: text.default('nobody'), age: u32, home: text },
    { storage: STORED[storage] },
  ),
}))

interface Inside {
  readonly state: {
    readonly heap: { readonly u32: Uint32Array }
  }
}

/** Takes blocks until the memory has to grow for the next one: a component's name lies in linear memory. */
function useReservedMemory(world: World): void {
  const free = () => wordAt(world, L.BLOCKS_END) - L.HEAP_ADDRESS - wordAt(world, L.BLOCKS_USED)
  for (let i = 0; free() >= 1024; i++) {
    ballast[i] ??= tag(`${i} `.padEnd(1022, '.'))
    world.query(ballast[i] as Tag)
  }
}

const ballast: Tag[] = []

/** A string that needs a block of its own. */
function long(i: number): string {
  return `${i} `.padEnd(700, 'x')
}

describe.runIf(isSteady)('new texts in a loop', () => {
  const world = () => watchedWorld({ memory: { initial: MIB, maximum: 8 * MIB } })

  it.each(NAMES)('never grow the memory, and are there at its end ($storage)', ({ Person }) => {
    const tight = world()
    const handles = spawnMany(tight, 90, [Person])
    useReservedMemory(tight)
    const before = tight.stats().bytesReserved
    const { buffer } = (tight as unknown as Inside).state.heap.u32
    tight.query(Person).each((entity, person) => {
      person.name = long(entity)
      tight.set(entity, Person, { home: long(-entity) })
      expect(person.name).toBe(long(entity))
      expect(tight.get(entity, Person)?.home).toBe(long(-entity))
      expect(textOf(tight, textId(tight, long(entity)) as number)).toBe(long(entity))
      expect((tight as unknown as Inside).state.heap.u32.buffer).toBe(buffer)
    })
    expect(tight.stats().bytesReserved).toBeGreaterThan(before)
    checkInvariants(tight)
    forgetful(tight)
    for (const handle of handles) {
      expect(tight.get(handle, Person)).toEqual({ name: long(handle), age: 0, home: long(-handle) })
    }
  })

  it('have the ids they have outside a loop, even ids that a sweep freed', () => {
    const [tight, wide] = [world(), watchedWorld()]
    for (const one of [tight, wide]) {
      const ids = Array.from({ length: 40 }, (_, i) => internText(one, `small ${i}`))
      spawnMany(one, 20, [Name]).forEach((handle, i) => {
        for (const chunk of one.query(Name)) chunk.write(Name).value[i] = ids[2 * i] as number
        expect(one.isAlive(handle)).toBe(true)
      })
      sweepTexts(one)
    }
    useReservedMemory(tight)
    const inLoop = tight.batch(() => {
      const ids = Array.from({ length: 30 }, (_, i) => internText(tight, i % 3 ? long(i) : `tiny ${i}`))
      expect(tight.stats().texts).toBe(wide.stats().texts + 30)
      return ids
    })
    expect(inLoop).toEqual(
      Array.from({ length: 30 }, (_, i) => internText(wide, i % 3 ? long(i) : `tiny ${i}`)),
    )
    expect(tight.stats().texts).toBe(wide.stats().texts)
    forgetful(tight)
    inLoop.forEach((id, i) => expect(textOf(tight, id)).toBe(i % 3 ? long(i) : `tiny ${i}`))
  })

  it('without memory at its end are a LimitError, read as the empty string, and never as another text', () => {
    const full = watchedWorld({ memory: { initial: MIB, maximum: MIB } })
    const handles = spawnMany(full, 40, [Name({ value: 'before' })])
    for (let i = 0; i < 200; i++) internText(full, `small ${i}`)
    useReservedMemory(full)
    let spawned: Entity | undefined
    const fails = () =>
      full.query(Name).each((entity, name) => {
        name.value = long(entity)
        expect(name.value).toBe(long(entity))
        spawned ??= full.spawn(Name({ value: 'before' }))
      })
    expect(fails).toThrow(LimitError)
    checkInvariants(full)
    expect(full.get(spawned as Entity, Name)).toEqual({ value: 'before' })
    const values = [...handles].map((handle) => full.get(handle, Name)?.value)
    expect(values.every((value) => value === '')).toBe(true)
    expect(textId(full, long(handles[0] as number))).toBeUndefined()
    expect(sweepTexts(full)).toBe(200)
    for (let i = 0; i < 150; i++) internText(full, `other ${i}`)
    forgetful(full)
    expect([...handles].every((handle) => full.get(handle, Name)?.value === '')).toBe(true)
  })

  it('are told apart from texts that only linear memory knows, even if the first of them had no room', () => {
    const tight = world()
    const [old, older] = [internText(tight, 'old'), internText(tight, 'older')]
    const ships = Array.from({ length: 3 }, () => tight.spawn(Name))
    useReservedMemory(tight)
    forgetful(tight).batch(() => {
      const names = [long(1), 'old', long(2)]
      ships.forEach((ship, i) => tight.set(ship, Name, { value: names[i] as string }))
      expect([internText(tight, 'older'), textId(tight, 'old')]).toEqual([older, old])
      expect(tight.stats().texts).toBe(4)
    })
    forgetful(tight)
    expect(ships.map((ship) => tight.get(ship, Name)?.value)).toEqual([long(1), 'old', long(2)])
    expect(textId(tight, long(2))).toBe(older + 2)
  })

  it('inside commands are stored when the commands apply', () => {
    const tight = world()
    const ship = tight.spawn()
    useReservedMemory(tight)
    const [other, many] = tight.batch(() => {
      tight.add(ship, Name({ value: long(1) }))
      const spawned = tight.spawn(Name({ value: long(2) }))
      return [spawned, spawnMany(tight, 3, [Name({ value: long(3) })])] as const
    })
    forgetful(tight)
    expect(tight.get(ship, Name)).toEqual({ value: long(1) })
    expect(tight.get(other, Name)).toEqual({ value: long(2) })
    expect([...many].map((e) => tight.get(e, Name)?.value)).toEqual([long(3), long(3), long(3)])
  })
})
