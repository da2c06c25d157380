// @vitest-environment happy-dom
// Shows that hooks about queries return the same object in every render, whatever the terms of a query that is made while
// rendering.

import { StrictMode, act, createElement, useEffect, useState, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  any,
  cascade,
  component,
  createWorld,
  inCreationOrder,
  not,
  optional,
  relation,
  sparse,
  tag,
  toggle,
  u8,
  type Entity,
  type Query,
  type World,
} from '../../../bindings/index'
import { useCount, useQuery } from '../src/react'

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

const P = component('P', { n: u8 })
const Pooled = component('Pooled', { n: u8 }, { storage: sparse })
const Box = tag('Box')
const Picked = tag('Picked', { order: 'insertion' })
const Lit = tag('Lit', { toggle })
const ChildOf = relation('ChildOf', { exclusive: true })
const Likes = relation('Likes')

let world: World
let root: Root
let parent: Entity
let friend: Entity

beforeEach(() => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  world = createWorld({ memory: { initial: 2 ** 20 } })
  root = createRoot(document.createElement('div'))
  parent = world.spawn(Box)
  friend = world.spawn(Box)
  for (let n = 0; n < 3; n++) spawnChild()
})

afterEach(() => {
  act(() => root.unmount())
  world.dispose()
})

/** An entity that all the terms below match. */
function spawnChild(): void {
  const child = world.spawn(P, Pooled, Picked, Lit, ChildOf(parent), Likes(parent))
  world.add(child, Likes(friend))
}

const show = (node: ReactNode) => act(() => root.render(node))

const TERMS: [string, () => unknown[]][] = [
  ['a component', () => [P]],
  ['no terms', () => []],
  ['a component to be without', () => [P, not(Box)]],
  ['alternatives', () => [any(P, Box)]],
  ['an optional component', () => [P, optional(Box)]],
  ['a sparse component', () => [Pooled]],
  ['a switch', () => [P, Lit]],
  ['an ordered tag', () => [P, Picked]],
  ['a relation', () => [P, ChildOf]],
  ['a target', () => [P, ChildOf(parent)]],
  ['a target alone', () => [ChildOf(parent)]],
  ['a target not to have', () => [P, not(ChildOf(friend))]],
  ['one target and not another', () => [P, ChildOf(parent), not(ChildOf(friend))]],
  ['two targets', () => [P, Likes(parent), Likes(friend)]],
  ['what the target has', () => [P, ChildOf(Box)]],
  ['the order of levels', () => [P, cascade(ChildOf)]],
  ['a target and the order of levels', () => [P, Likes(friend), cascade(ChildOf)]],
  ['the order of making', () => [P, inCreationOrder()]],
  ['a target and the order of making', () => [P, ChildOf(parent), inCreationOrder()]],
]

it.each(TERMS)(
  'ten renders get the same list, and an effect that depends on it runs once (%s)',
  (_, terms) => {
    const lists = new Set<unknown>()
    const subscriptions = new Set<unknown>()
    let effects = 0
    let again = () => {}
    function List() {
      const query = world.query(...(terms() as never[])) as unknown as Query
      const list = useQuery(query)
      const count = useCount(query)
      const [renders, setRenders] = useState(0)
      again = () => setRenders((n) => n + 1)
      lists.add(list)
      useEffect(() => void effects++, [list])
      return createElement('p', null, `${count} ${renders}`)
    }
    show(createElement(List))
    const { queries } = (world as any).state.reporting.subscribers
    const subscribed = () => [...[...queries.values()][0].subscriptions]
    for (const one of subscribed()) subscriptions.add(one)
    for (let i = 0; i < 9; i++) act(() => again())
    for (const one of subscribed()) subscriptions.add(one)
    expect([lists.size, effects, subscriptions.size, queries.size]).toEqual([1, 1, 2, 1])
    act(() => spawnChild())
    const shown = world.query(...(terms() as never[])) as unknown as Query
    expect([...([...lists].at(-1) as Iterable<number>)]).toEqual([...shown.entities()])
  },
)

it('components that name the same target share a list, and others have their own', () => {
  const lists = new Map<string, unknown>()
  const Children = ({ name, of }: { name: string; of: Entity }) => {
    lists.set(name, useQuery(world.query(P, ChildOf(of))))
    return null
  }
  show(
    createElement(
      StrictMode,
      null,
      createElement(Children, { name: 'a', of: parent }),
      createElement(Children, { name: 'b', of: parent }),
      createElement(Children, { name: 'c', of: friend }),
    ),
  )
  expect(lists.get('a')).toBe(lists.get('b'))
  expect([lists.get('a'), lists.get('c')].map((list) => (list as ArrayLike<number>).length)).toEqual([3, 0])
})

it('a page of children is refused, as any page is', () => {
  const Page = () => createElement('p', null, useQuery(world.query(P, ChildOf(parent)).slice(0, 2)).length)
  const Whole = () => createElement('p', null, useQuery(world.query(P, ChildOf(parent))).length)
  show(createElement(Whole))
  expect(() => show(createElement(Page))).toThrow('without where(), slice() or partition()')
})

it('a component follows the parent that its property names', () => {
  const seen: number[] = []
  const Children = ({ of }: { of: Entity }) => {
    seen.push(useQuery(world.query(P, ChildOf(of))).length)
    return null
  }
  for (let n = 0; n < 200; n++) show(createElement(Children, { of: n % 2 === 0 ? parent : world.spawn() }))
  expect(seen.every((length, n) => length === (n % 2 === 0 ? 3 : 0))).toBe(true)
})
