// @vitest-environment happy-dom
// Shows that hooks follow the links of an entity: useTarget, and useHas and useComponent of a relation with a target.

import { act, createElement } from 'react'
import { describe, expect, it } from 'vitest'
import {
  component,
  type Entity,
  f32,
  NULL_ENTITY,
  relation,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  tag,
  u8,
} from '../../../bindings/index'
import { useComponent, useComponentEffect, useHas, useTarget } from '../src/react'
import { reactPage } from './support/page'

const Position = component('Position', { x: f32 })
const Red = tag('Red')
const Hidden = tag('Hidden', { excludeFromQueries: true })
const Likes = relation('Likes', { weight: u8 })
const In = relation('In', { slot: u8 }, { exclusive: true })
const Keeps = relation('Keeps', { exclusive: true, onTargetDestroy: 'keep' })
const Tied = relation('Tied', { exclusive: true, onTargetDestroy: 'destroy' })

const page = reactPage()

describe.each([
  ['remove', In],
  ['keep', Keeps],
  ['destroy', Tied],
] as const)('useTarget of a relation with onTargetDestroy: %s', (on, R) => {
  const Shown = page.counted('target', ({ of }: { of: Entity | undefined }) => {
    const target = useTarget(page.world, of, R as typeof In)
    return target === undefined ? 'none' : String(target)
  })

  it('shows the target, another one and none, with one render for each', () => {
    const { world, texts, rendered } = page
    const [a, b, c, other] = spawnMany(world, 4, [Position])
    page.show(createElement(Shown, { of: a }))
    const after = (change: () => unknown) => {
      act(() => void change())
      return [texts('.target')[0], rendered('target')]
    }
    rendered('target')
    expect(texts('.target')).toEqual(['none'])
    expect(after(() => world.add(a as Entity, R(b as Entity)))).toEqual([String(b), 1])
    expect(after(() => world.add(a as Entity, R(c as Entity)))).toEqual([String(c), 1])
    expect(after(() => world.add(a as Entity, R(c as Entity), Red))).toEqual([String(c), 0])
    expect(after(() => world.add(other as Entity, R(c as Entity)))).toEqual([String(c), 0])
    expect(after(() => world.batch(() => world.add(a as Entity, R(b as Entity))))).toEqual([String(b), 1])
    expect(after(() => world.destroy(c as Entity))).toEqual([String(b), 0])
    expect(after(() => world.remove(a as Entity, R))).toEqual(['none', 1])
    after(() => world.add(a as Entity, R(b as Entity)))
    // A link that is kept has one answer everywhere: the stale handle.
    const last = on === 'keep' ? [String(b), 0] : ['none', 1]
    expect(after(() => world.destroy(b as Entity))).toEqual(last)
    expect(world.isAlive(a as Entity)).toBe(on !== 'destroy')
    page.show(null)
    expect(page.watching(world)).toBe(0)
  })

  it('shows what a restore brings back, nothing for dead entities, and follows its entity', () => {
    const { world, texts } = page
    const [a, b] = spawnMany(world, 2, [Position]) as unknown as [Entity, Entity]
    world.add(a, R(b))
    const before = snapshotWorld(world)
    page.show(createElement(Shown, { of: a }))
    expect(texts('.target')).toEqual([String(b)])
    act(() => void world.remove(a, R))
    expect(texts('.target')).toEqual(['none'])
    act(() => restoreWorld(world, before))
    expect(texts('.target')).toEqual([String(b)])
    act(() => void world.remove(a, R))
    expect(texts('.target')).toEqual(['none'])
    act(() => restoreWorld(world, before))
    for (const [of, shown] of [
      [b, 'none'],
      [a, String(b)],
      [NULL_ENTITY, 'none'],
      [a, String(b)],
      [undefined, 'none'],
    ] as const) {
      page.show(createElement(Shown, { of }))
      expect(texts('.target')).toEqual([shown])
    }
  })
})

describe('useHas and useComponent of a relation with a target', () => {
  const Fan = page.counted('fan', ({ of, target }: { of: Entity; target: Entity }) =>
    String(useHas(page.world, of, Likes(target))),
  )
  const Weight = page.counted('weight', ({ of, target }: { of: Entity; target: Entity }) =>
    String(useComponent(page.world, of, Likes(target))?.weight),
  )

  it('render only for that link, though each render makes another pair', () => {
    const { world, texts, rendered } = page
    const [ann, bob, eve] = spawnMany(world, 3, []) as unknown as [Entity, Entity, Entity]
    page.show(
      createElement(
        'div',
        null,
        createElement(Fan, { of: ann, target: bob }),
        createElement(Weight, { of: ann, target: bob }),
      ),
    )
    const after = (change: () => unknown) => {
      act(() => void change())
      return [texts('.fan')[0], rendered('fan'), texts('.weight')[0], rendered('weight')]
    }
    expect(after(() => undefined)).toEqual(['false', 1, 'undefined', 1])
    expect(after(() => world.add(ann, Likes(eve)))).toEqual(['false', 0, 'undefined', 0])
    expect(after(() => world.add(ann, Likes(bob, { weight: 2 })))).toEqual(['true', 1, '2', 1])
    expect(after(() => world.set(ann, Likes(bob), { weight: 3 }))).toEqual(['true', 0, '3', 1])
    expect(after(() => world.set(ann, Likes(eve), { weight: 9 }))).toEqual(['true', 0, '3', 0])
    expect(after(() => world.remove(ann, Likes(eve)))).toEqual(['true', 0, '3', 0])
    expect(after(() => world.add(eve, Likes(bob)))).toEqual(['true', 0, '3', 0])
    expect(after(() => world.remove(ann, Likes(bob)))).toEqual(['false', 1, 'undefined', 1])
    expect(after(() => world.setTargets(ann, Likes, [eve, bob]))).toEqual(['true', 1, '0', 1])
    expect(after(() => world.destroy(bob))).toEqual(['false', 1, 'undefined', 1])
    page.show(null)
    expect(page.watching(world)).toBe(0)
  })

  it('follow another target, and any link by the relation without one', () => {
    const { world, texts } = page
    const [ann, bob, eve] = spawnMany(world, 3, []) as unknown as [Entity, Entity, Entity]
    world.add(ann, Likes(bob, { weight: 1 }), Likes(eve, { weight: 2 }))
    for (const [target, shown] of [
      [bob, '1'],
      [eve, '2'],
      [ann, 'undefined'],
    ] as const) {
      page.show(createElement(Weight, { of: ann, target }))
      expect(texts('.weight')).toEqual([shown])
    }
    const Any = page.counted('any', () => String(useHas(page.world, ann, Likes)))
    page.show(createElement(Any))
    act(() => void world.remove(ann, Likes(bob)))
    expect(texts('.any')).toEqual(['true'])
    act(() => void world.remove(ann, Likes(eve)))
    expect(texts('.any')).toEqual(['false'])
  })

  it('show the fields of an exclusive relation, whose target may change', () => {
    const { world, texts, rendered } = page
    const [a, b, c] = spawnMany(world, 3, []) as unknown as [Entity, Entity, Entity]
    const Slot = page.counted('slot', () => String(useComponent(page.world, a, In)?.slot))
    page.show(createElement(Slot))
    rendered('slot')
    act(() => void world.add(a, In(b, { slot: 4 })))
    expect([texts('.slot'), rendered('slot')]).toEqual([['4'], 1])
    act(() => void world.add(a, In(c)))
    expect([texts('.slot'), rendered('slot')]).toEqual([['0'], 1])
    act(() => void world.destroy(c))
    expect([texts('.slot'), rendered('slot')]).toEqual([['undefined'], 1])
  })

  it('show a link of an entity that a tag excludes from queries, now or later', () => {
    const { world, texts } = page
    const [ann, bob] = spawnMany(world, 2, []) as unknown as [Entity, Entity]
    const effects: unknown[] = []
    const Effect = () => {
      useComponentEffect(world, ann, Likes(bob), (value) => effects.push(value?.weight))
      return null
    }
    page.show(createElement('div', null, createElement(Fan, { of: ann, target: bob }), createElement(Weight, { of: ann, target: bob }), createElement(Effect))) // prettier-ignore
    const after = (change: () => unknown) => {
      act(() => void change())
      return [texts('.fan')[0], texts('.weight')[0], effects.at(-1)]
    }
    expect(after(() => world.add(ann, Likes(bob, { weight: 3 })))).toEqual(['true', '3', 3])
    expect(after(() => world.add(ann, Hidden))).toEqual(['true', '3', 3])
    expect(after(() => world.set(ann, Likes(bob), { weight: 4 }))).toEqual(['true', '4', 4])
    expect(after(() => world.remove(ann, Likes(bob)))).toEqual(['false', 'undefined', undefined])
    expect(after(() => world.add(ann, Likes(bob, { weight: 5 })))).toEqual(['true', '5', 5])
    expect(after(() => world.remove(ann, Hidden))).toEqual(['true', '5', 5])
    expect(after(() => world.remove(ann, Likes(bob)))).toEqual(['false', 'undefined', undefined])
    expect(after(() => world.spawn(Hidden, Likes(bob)))).toEqual(['false', 'undefined', undefined])
    page.show(null)
    expect(page.watching(world)).toBe(0)
  })

  it('show a link that is kept past the death of its target, as world.has does', () => {
    const { world, texts } = page
    const [ann, bob] = spawnMany(world, 2, []) as unknown as [Entity, Entity]
    world.add(ann, Keeps(bob))
    const Kept = page.counted('kept', () => String(useHas(world, ann, Keeps(bob))))
    page.show(createElement(Kept))
    act(() => void world.destroy(bob))
    expect([texts('.kept')[0], world.has(ann, Keeps(bob))]).toEqual(['true', true])
    act(() => void world.remove(ann, Keeps))
    expect([texts('.kept')[0], world.has(ann, Keeps(bob))]).toEqual(['false', false])
  })

  it('have types of their own', () => {
    const declared = () => {
      const ann = useTarget(page.world, undefined, In)
      const weight: number | undefined = useComponent(page.world, ann, Likes(3))?.weight
      const slot: number | undefined = useComponent(page.world, ann, In)?.slot
      // @ts-expect-error which of several targets?
      useTarget(page.world, ann, Likes)
      // @ts-expect-error the values of which link?
      useComponent(page.world, ann, Likes)
      return [weight, slot]
    }
    expect(declared).toBeTypeOf('function')
  })
})
