// @vitest-environment happy-dom
// Shows that useComponentEffect calls its function when the values change, and renders nothing; that useFirst renders for the first
// entity alone; and that a module that is loaded again leaves no listener behind.

import { StrictMode, act, createElement, type FunctionComponent } from 'react'
import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  component,
  type Entity,
  f32,
  inCreationOrder,
  object,
  relation,
  restoreWorld,
  snapshotWorld,
  tag,
  u8,
} from '../../../bindings/index'
import { useComponent, useComponentEffect, useFirst, useQuery, useTarget } from '../src/react'
import { reactPage } from './support/page'

const Position = component('Position', { x: f32 })
const Mesh = object<{ name: string }>('Mesh')
const Likes = relation('Likes', { weight: u8 })
const ChildOf = relation('ChildOf', { exclusive: true })
const Player = tag('Player')

const page = reactPage()

describe('useComponentEffect', () => {
  it('calls the function at first and for other values, and renders nothing', () => {
    const { world, rendered } = page
    const [ship, other] = [world.spawn(Position({ x: 1 })), world.spawn(Position)]
    const calls: unknown[] = []
    const Mark = page.counted('mark', ({ of }: { of: Entity | undefined }) => {
      useComponentEffect(page.world, of, Position, (at) => calls.push(at?.x))
      return null
    })
    page.show(createElement(Mark, { of: ship }))
    world.set(ship, Position, { x: 2 })
    world.set(ship, Position, { x: 2 })
    world.set(other, Position, { x: 9 })
    world.batch(() => {
      world.set(ship, Position, { x: 3 })
    })
    world.remove(ship, Position)
    world.add(ship, Position({ x: 4 }))
    const before = snapshotWorld(world)
    world.destroy(ship)
    restoreWorld(world, before)
    expect(calls).toEqual([1, 2, 3, undefined, 4, undefined, 4])
    expect(rendered('mark')).toBe(1)
    page.show(createElement(Mark, { of: other }))
    world.set(ship, Position, { x: 5 })
    expect(calls.slice(7)).toEqual([9])
    page.show(createElement(Mark, { of: undefined }))
    expect(calls.slice(8)).toEqual([undefined])
    page.show(null)
    world.set(other, Position, { x: 6 })
    expect([calls.length, page.watching(world)]).toEqual([9, 0])
  })

  it('calls the function of the latest render, once for each change, even in strict mode', () => {
    const { world } = page
    const ship = world.spawn(Position)
    const calls: string[] = []
    const Mark = ({ name }: { name: string }) => {
      useComponentEffect(page.world, ship, Position, (at) => calls.push(`${name} ${at?.x}`))
      return null
    }
    const strict = (name: string) => createElement(StrictMode, null, createElement(Mark, { name }))
    page.show(strict('a'))
    expect(new Set(calls)).toEqual(new Set(['a 0']))
    calls.length = 0
    page.show(strict('b'))
    expect(calls).toEqual([])
    world.set(ship, Position, { x: 1 })
    expect(calls).toEqual(['b 1'])
    page.show(null)
    expect(page.watching(world)).toBe(0)
  })

  it('takes object components and links, and lets the function change the world', () => {
    const { world } = page
    const [ann, bob] = [world.spawn(Mesh({ name: 'cube' })), world.spawn()]
    const calls: unknown[] = []
    const Both = () => {
      useComponentEffect(page.world, ann, Mesh, (mesh) => {
        calls.push(mesh?.name)
        if (mesh?.name === 'ball') world.spawn(Player)
      })
      useComponentEffect(page.world, ann, Likes(bob), (link) => calls.push(link?.weight))
      return null
    }
    page.show(createElement(Both))
    world.set(ann, Mesh, { name: 'ball' })
    expect(world.query(Player).count).toBe(1)
    world.add(ann, Likes(bob, { weight: 3 }))
    world.destroy(bob)
    expect(calls).toEqual(['cube', undefined, 'ball', 3, undefined])
  })

  it('is called with undefined when the world is disposed of', () => {
    const { world } = page
    const ship = world.spawn(Position)
    const calls: unknown[] = []
    const Mark = () => (useComponentEffect(page.world, ship, Position, (at) => calls.push(at?.x)), null)
    page.show(createElement(Mark))
    world.dispose()
    expect(calls).toEqual([0, undefined])
    page.show(null)
  })
})

describe('useFirst', () => {
  it('renders when another entity becomes the first, and for nothing else', () => {
    const { world, texts, rendered } = page
    const First = page.counted('first', () => String(useFirst(page.world.query(Player, inCreationOrder()))))
    page.show(createElement(First))
    expect([texts('.first'), rendered('first')]).toEqual([['undefined'], 1])
    const ships: Entity[] = []
    act(() => void ships.push(world.spawn(Player)))
    expect([texts('.first'), rendered('first')]).toEqual([[String(ships[0])], 1])
    act(() => void ships.push(world.spawn(Player, Position)))
    act(() => void world.set(ships[0] as Entity, Position, { x: 4 }))
    expect(rendered('first')).toBe(0)
    act(() => void world.destroy(ships[0] as Entity))
    expect([texts('.first'), rendered('first')]).toEqual([[String(ships[1])], 1])
    act(() => void clearWorld(world))
    expect([texts('.first'), rendered('first')]).toEqual([['undefined'], 1])
    act(() => world.dispose())
    expect(texts('.first')).toEqual(['undefined'])
  })
})

it('A module that is loaded again, with its components and its queries, leaves no listener behind', () => {
  const { world } = page
  const [ship, car] = [world.spawn(Position, Player), world.spawn()]
  world.add(ship, ChildOf(car))
  /** What a module exports: other functions each time that it is loaded. */
  const load = (): FunctionComponent => () => {
    useQuery(page.world.query(Player))
    useFirst(page.world.query(Player, ChildOf(car)))
    useComponent(page.world, ship, Position)
    useTarget(page.world, ship, ChildOf)
    useComponentEffect(page.world, ship, Likes(car), () => {})
    return null
  }
  const counts = () => {
    const { subscribers, queries } = (world as any).state.reporting
    return [subscribers.queries.size, queries.size, page.watching(world)]
  }
  page.show(createElement(load()))
  const first = counts()
  for (let i = 0; i < 5; i++) page.show(createElement(load()))
  expect(counts()).toEqual(first)
  page.show(null)
  expect(counts()).toEqual([0, 0, 0])
})
