// Shows that a declaration is known for what it is, and that one declared after thousands of others works as the first did,
// while a world pays only for those that it uses.

import { describe, expect, it } from 'vitest'
import {
  type Component,
  type Entity,
  component,
  createCommands,
  f32,
  loadFromJSON,
  object,
  resetWorld,
  resource,
  saveToJSON,
  tag,
} from '../../bindings/index'
import { FAR_SERIALS, definitionOf } from '../../bindings/components/definition'
import { testWorld } from '../support/world'
import type { WorldState } from '../../bindings/state/worldState'

const serialOf = (declaration: object) => (declaration as { serial: number }).serial

/** Declares tags until the next declaration has this serial, if there are not as many yet. */
function declareUpTo(serial: number) {
  while (serialOf(tag('Filler')) < serial - 1);
}

const Early = component('Early', { x: f32 })

describe('A declaration', () => {
  it('is recognised by identity, and a function with its properties is not one', () => {
    expect(definitionOf(Early)).toBe(Early)
    expect(definitionOf(Object.assign(() => undefined, Early))).toBe(undefined)
    const forged = Object.assign(() => undefined, { details: {} as { definition?: unknown } })
    forged.details.definition = forged
    expect(definitionOf(forged)).toBe(undefined)
    expect(() => testWorld().spawn(Object.assign(() => undefined, Early) as never)).toThrow(
      'got the component Early',
    )
  })
})

describe('Declarations around the last serial that caches keep in arrays', () => {
  declareUpTo(FAR_SERIALS - 2)
  const kinds = Array.from({ length: 5 }, (_, i) => component(`K${i}`, { x: f32 }))
  const Value = object<number>('Value')
  const Settings = resource('Settings', { speed: f32 })

  it('have these serials, unless earlier files declared more', () => {
    expect(serialOf(Value)).toBe(serialOf(kinds[0] as Component) + 5)
    expect(serialOf(kinds[2] as Component)).toBeGreaterThanOrEqual(FAR_SERIALS)
  })

  it('are added, read, set, queried, removed, and restored by a reset and from a save', () => {
    const world = testWorld()
    for (const round of [1, 2]) {
      world.setResource(Settings, { speed: 5 })
      const entity = world.spawn(...kinds.map((K, i) => K({ x: i })), Value(7), Early({ x: 9 }))
      kinds.forEach((K, i) => {
        expect(world.get(entity, K)).toEqual({ x: i })
        expect(world.query(K, Early).count).toBe(1)
        world.set(entity, K, { x: i + round })
        expect(world.get(entity, K)?.x).toBe(i + round)
      })
      expect(world.get(entity, Value)).toBe(7)
      expect(world.resource(Settings).speed).toBe(5)
      const saved = saveToJSON(world, { only: [Early, ...kinds] })
      const loaded = loadFromJSON(saved, { components: [Early, ...kinds] }).world
      const [again] = loaded.query(...kinds, Early).entities()
      expect(kinds.map((K) => loaded.get(again as Entity, K)?.x)).toEqual(kinds.map((_, i) => i + round))
      for (const K of kinds) world.remove(entity, K)
      expect(kinds.map((K) => world.has(entity, K))).toEqual([false, false, false, false, false])
      expect(world.componentsOf(entity)).toEqual([Value, Early])
      resetWorld(world)
    }
  })

  it('are folded by a command buffer, where the last command of each counts', () => {
    const world = testWorld()
    const commands = createCommands(world)
    const entity = world.spawn()
    for (let round = 0; round < 3; round++) {
      kinds.forEach((K, i) => {
        commands.add(entity, K({ x: 1 }))
        commands.remove(entity, K)
        if (i !== round) commands.add(entity, K({ x: round * 10 + i }))
      })
      commands.apply()
      expect(kinds.map((K) => world.get(entity, K)?.x)).toEqual(
        kinds.map((_, i) => (i === round ? undefined : round * 10 + i)),
      )
    }
  })
})

describe('A world', () => {
  it('pays for the declarations that it uses, not for 100,000 earlier ones', () => {
    declareUpTo(100_000)
    const Late = component('Late', { x: f32 })
    const world = testWorld()
    const entity = world.spawn(Late({ x: 1 }))
    const commands = createCommands(world)
    commands.remove(entity, Late)
    commands.add(entity, Late({ x: 2 }))
    commands.apply()
    expect(world.get(entity, Late)).toEqual({ x: 2 })
    const { state } = world as unknown as { state: WorldState }
    const lists = listsIn([state, commands], state.heap.u32.buffer)
    expect(lists.filter((length) => length > FAR_SERIALS)).toEqual([])
  })
})

/** The lengths of the arrays that these objects lead to, and of typed arrays but for those over this memory. */
function listsIn(objects: unknown[], memory: ArrayBufferLike): number[] {
  const seen = new Set<unknown>()
  const lengths: number[] = []
  for (let open = objects; open.length > 0;) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    const isView = ArrayBuffer.isView(one)
    if (Array.isArray(one) || (isView && one.buffer !== memory)) lengths.push((one as unknown[]).length)
    if (!isView) open.push(...(one instanceof Map ? one.values() : Object.values(one)))
  }
  return lengths
}
