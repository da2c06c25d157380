// Shows what spawn, add and remove do with their arguments, however many there are and wherever one has values: at once, in a
// batch and with listeners.

import { describe, expect, it } from 'vitest'
import {
  onAdd,
  sparse,
  stable,
  StrataTypeError,
  component,
  f32,
  tag,
  text,
  u8,
  vec,
  type Component,
  type ComponentLike,
  type Entity,
  type Ingredient,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

/** Of every storage, with fields of many kinds: `value` is in all that have any. */
const VALUED = [
  component('Table', { value: f32, other: f32.default(7) }),
  component('Sparse', { value: u8 }, { storage: sparse }),
  component('Odd', { name: text, value: u8 }),
  component('Wide', { list: vec(f32, 3), value: f32 }),
  component('Stable', { value: f32 }, { storage: stable }),
] as unknown as Component<{ value: typeof f32 }>[]
const MARK = tag('Mark')

const MODES: [name: string, change: (world: World, action: () => void) => void, watched: boolean][] = [
  ['at once', (_, action) => action(), false],
  ['in a batch', (world, action) => world.batch(action), false],
  ['with a listener', (_, action) => action(), true],
]

/** Every number of components from 0 to 6, and for each the ways to give one of them a value, or none, or all. */
const CALLS = [0, 1, 2, 3, 4, 5, 6].flatMap((count) => {
  const named: ComponentLike[] = [...VALUED.slice(0, Math.min(count, 3)), MARK, ...VALUED.slice(3)].slice(
    0,
    count,
  )
  const places = named.flatMap((one, place) => (one === MARK ? [] : [[place]]))
  return [[], ...places, places.flat()].map((given): [string, ComponentLike[], number[]] => [
    `${count} components, values at ${given.join(' ') || 'none'}`,
    named,
    given.filter((place) => named[place] !== MARK),
  ])
})

function stage(watched: boolean): World {
  const world = testWorld()
  if (watched) for (const one of [...VALUED, MARK]) onAdd(world, one, () => {})
  return world
}

function ingredientsOf(named: readonly ComponentLike[], given: readonly number[]): Ingredient[] {
  return named.map((one, place) =>
    given.includes(place) ? VALUED[VALUED.indexOf(one as never)]!({ value: place + 1 }) : one,
  )
}

function expectValues(
  world: World,
  entity: Entity,
  named: readonly ComponentLike[],
  given: readonly number[],
): void {
  for (const one of [...VALUED, MARK])
    expect(world.has(entity, one), one.componentName).toBe(named.includes(one))
  named.forEach((one, place) => {
    if (one === MARK) return
    const { value } = world.get(entity, one as Component<{ value: typeof f32 }>)!
    expect(value, one.componentName).toBe(given.includes(place) ? place + 1 : 0)
  })
  checkInvariants(world)
}

describe.each(MODES)('%s', (_, change, watched) => {
  it.each(CALLS)('spawn takes %s', (_, named, given) => {
    const world = stage(watched)
    // Twice: the first call of a bundle makes it known to the core, the later ones go the short way.
    for (let round = 0; round < 2; round++) {
      let entity!: Entity
      change(world, () => void (entity = world.spawn(...ingredientsOf(named, given))))
      expectValues(world, entity, named, given)
    }
  })

  it.each(CALLS)('add and remove take %s', (_, named, given) => {
    const world = stage(watched)
    for (let round = 0; round < 2; round++) {
      const entity = world.spawn()
      const results: boolean[] = []
      change(world, () => void results.push(world.add(entity, ...ingredientsOf(named, given))))
      expectValues(world, entity, named, given)
      change(world, () => void results.push(world.remove(entity, ...named)))
      expectValues(world, entity, [], [])
      expect(results).toEqual(named.length > 0 ? [true, true] : [false, false])
    }
  })

  it.each([0, 1, 2, 3, 4])('undefined as argument %i is refused, and nothing changes', (place) => {
    const world = stage(watched)
    const named: unknown[] = [...VALUED.slice(0, 3), MARK]
    named.splice(place, 0, undefined)
    const list = named as ComponentLike[]
    const entity = world.spawn()
    change(world, () => {
      for (const call of [
        () => world.spawn(...list),
        () => world.add(entity, ...list),
        () => world.remove(entity, ...list),
      ]) {
        expect(call).toThrowError(StrataTypeError)
        expect(call).toThrowError(/takes components.*; got undefined\.$/)
      }
    })
    expect(world.stats().entities).toBe(1)
    expectValues(world, entity, [], [])
  })
})

describe('a call', () => {
  const [A, B] = VALUED as [Component<{ value: typeof f32 }>, Component<{ value: typeof f32 }>]

  it('finds its bundle whatever was named before', () => {
    const world = testWorld()
    const calls: ComponentLike[][] = [[A, B], [B, A], [A], [B, MARK], [A, B], [MARK, B, A], [B], [A, MARK]]
    for (const named of [...calls, ...calls.reverse()]) expectValues(world, world.spawn(...named), named, [])
    expect(() => world.spawn(A, A)).toThrowError(/names Table twice/)
    expect(() => world.spawn(A, B, A)).toThrowError(/names Table twice/)
    expect(() => world.spawn(null as never)).toThrowError(StrataTypeError)
  })

  it('reaches its own world when two alternate', () => {
    const worlds = [testWorld(), testWorld()]
    worlds[1]!.spawn(B)
    for (let i = 0; i < 10; i++) {
      for (const world of worlds) expectValues(world, world.spawn(A({ value: 1 }), B), [A, B], [0])
    }
  })

  it('takes values in any order of the fields, some of them, undefined and inherited ones', () => {
    const Many = component('Many', { a: f32, b: u8, c: f32, list: vec(u8, 2) })
    const world = testWorld()
    const of = (values: object) => world.get(world.spawn(Many(values)), Many)
    const nothing = { a: 0, b: 0, c: 0, list: Uint8Array.of(0, 0) }
    expect(of({ list: [8, 9], c: 3, b: 2, a: 1 })).toEqual({ a: 1, b: 2, c: 3, list: Uint8Array.of(8, 9) })
    expect(of({ c: 3 })).toEqual({ ...nothing, c: 3 })
    expect(of({ b: 2, list: [1, 2] })).toEqual({ ...nothing, b: 2, list: Uint8Array.of(1, 2) })
    expect(of({ a: undefined, c: 3, b: undefined })).toEqual({ ...nothing, c: 3 })
    expect(of(Object.create({ b: 5 }, { a: { value: 4, enumerable: true } }))).toEqual({
      ...nothing,
      a: 4,
      b: 5,
    })
    expect(() => Many({ c: 1, d: 2 } as never)).toThrowError(/has no field 'd': its fields are a, b, c, list/)
    expect(() => Many({ b: 300 })).toThrowError(/Many\.b takes a number, whole and from 0 to 255/)
    expect(() => Many({ c: '1' } as never)).toThrowError(/Many\.c takes a number/)
  })
})
