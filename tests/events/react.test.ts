// @vitest-environment happy-dom
// Owns the proof that a query serves React: components that use one show what it finds, and render once for each change.
// It must never stand in for React: this is React itself, rendering into a document.

import { readFileSync } from 'node:fs'
import { StrictMode, act, createElement, memo, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { component, createWorld, not, tag, text, u32, type Query, type World } from '../../bindings/index'

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

const Item = component('Item', { name: text, price: u32 })
const Sold = tag('Sold')
const Moved = tag('Moved')

// The hook, as docs/react.md shows it.
type Watched = Pick<Query, 'subscribe' | 'version' | 'entities'>

const versionOf = (query: Watched) => query.version
const entitiesAt = (query: Watched, _version: number) => query.entities()

/** The handles of the entities that match the query; renders the component again whenever others do. */
function useEntities(query: Watched) {
  const version = () => versionOf(query)
  const seen = useSyncExternalStore(query.subscribe, version, version)
  return useMemo(() => entitiesAt(query, seen), [query, seen])
}

let world: World
let root: Root
let page: HTMLElement
/** How often each component was rendered, by its name. */
let renders: Record<string, number>

beforeEach(() => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  world = createWorld({ memory: { initial: 2 ** 20 } })
  page = document.body.appendChild(document.createElement('div'))
  root = createRoot(page)
  renders = {}
})

afterEach(() => {
  act(() => root.unmount())
  page.remove()
  world.dispose()
})

const show = (node: ReactNode) => act(() => root.render(node))
const texts = (selector: string) => [...page.querySelectorAll(selector)].map((element) => element.textContent)

/** How often the component was rendered since it was asked last. */
function rendered(name: string): number {
  const count = renders[name] ?? 0
  renders[name] = 0
  return count
}

const offered = () => world.query(Item, not(Sold))

const List = memo(({ name = 'list' }: { name?: string }) => {
  renders[name] = (renders[name] ?? 0) + 1
  const rows = [...useEntities(offered())].map((item) =>
    createElement('li', { key: item, className: name }, world.get(item, Item)?.name),
  )
  return createElement('ul', null, rows)
})

const Total = memo(() => {
  renders.total = (renders.total ?? 0) + 1
  return createElement('p', null, `${useEntities(offered()).length} on offer`)
})

describe('a component that uses a query', () => {
  it('uses the hook of docs/react.md, to the letter', () => {
    const page = readFileSync('docs/react.md', 'utf8').replace('export function', 'function')
    const [, hook] = /```tsx\nimport[\s\S]*?\n\n([\s\S]*?)```/.exec(page) ?? []
    expect(hook).toMatch(/function useEntities/)
    expect(readFileSync('tests/events/react.test.ts', 'utf8')).toContain(hook)
  })

  it('shows what is there, what comes and what goes, with one render a change', () => {
    const chair = world.spawn(Item({ name: 'chair' }))
    show(createElement(List))
    expect([texts('li'), rendered('list')]).toEqual([['chair'], 1])
    act(() => void world.spawn(Item({ name: 'table' })))
    expect([texts('li'), rendered('list')]).toEqual([['chair', 'table'], 1])
    act(() => void world.add(chair, Sold))
    expect([texts('li'), rendered('list')]).toEqual([['table'], 1])
    act(() => void world.remove(chair, Sold))
    expect([texts('li').sort(), rendered('list')]).toEqual([['chair', 'table'], 1])
    act(() => void world.destroy(chair))
    expect([texts('li'), rendered('list')]).toEqual([['table'], 1])
    act(() => void offered().destroy())
    expect([texts('li'), rendered('list')]).toEqual([[], 1])
    act(() => void world.spawnMany(100, [Item]))
    expect([texts('li').length, rendered('list')]).toEqual([100, 1])
    act(() => world.clear())
    expect([texts('li'), rendered('list')]).toEqual([[], 1])
  })

  it('renders once for a block, whatever it does, and once for a reset', () => {
    const items = world.spawnMany(5, [Item])
    show(createElement(List))
    rendered('list')
    act(() =>
      world.defer(() => {
        world.remove(items[0], Item)
        world.destroy(items[1])
        world.add(items[2], Sold)
        world.spawn(Item({ name: 'new' }))
        world.spawnMany(3, [Item])
      }),
    )
    expect([texts('li').length, rendered('list')]).toEqual([6, 1])
    act(() => offered().each((item) => void world.destroy(item)))
    expect([texts('li').length, rendered('list')]).toEqual([0, 1])
    act(() => void world.spawnMany(2, [Item]))
    rendered('list')
    act(() => {
      world.reset()
      world.spawnMany(2, [Item({ name: 'second life' })])
    })
    expect([texts('li'), rendered('list')]).toEqual([['second life', 'second life'], 1])
  })

  it('does not render for values, for other components and for other entities', () => {
    const [item] = world.spawnMany(5, [Item])
    show(createElement(List))
    rendered('list')
    act(() => {
      world.set(item, Item, { price: 5 })
      world.add(item, Moved)
      offered().add(Moved)
      offered().remove(Moved)
      world.spawnMany(100, [Moved])
      world.query(Moved, not(Item)).destroy()
      world.defer(() => (world.add(item, Sold), world.remove(item, Sold)))
      world.endFrame()
    })
    expect([texts('li').length, rendered('list')]).toEqual([5, 0])
  })

  it('shows the same as every other component over the same query, at every render', () => {
    const seen: string[] = []
    const Both = () => {
      const list = useEntities(offered())
      seen.push(`${list.length} ${page.querySelectorAll('li').length}`)
      return createElement(
        'section',
        null,
        createElement(List, { name: 'a' }),
        createElement(List, { name: 'b' }),
        createElement(Total),
      )
    }
    show(createElement(Both))
    for (let i = 0; i < 4; i++) {
      act(() => void world.spawn(Item({ name: `item ${i}` })))
      expect(texts('.a')).toEqual(texts('.b'))
      expect(texts('p')).toEqual([`${i + 1} on offer`])
    }
    expect([rendered('a'), rendered('b'), rendered('total')]).toEqual([5, 5, 5])
    expect(seen).toHaveLength(5)
  })

  it('hears nothing any more once it is unmounted, and again when it is shown again', () => {
    show(createElement('div', null, createElement(List), createElement(Total)))
    rendered('list')
    rendered('total')
    show(createElement('div', null, null, createElement(Total)))
    act(() => void world.spawn(Item({ name: 'lamp' })))
    expect([rendered('list'), rendered('total'), texts('p')]).toEqual([0, 1, ['1 on offer']])
    show(createElement('div', null, createElement(List), createElement(Total)))
    expect([texts('li'), rendered('list')]).toEqual([['lamp'], 1])
    act(() => void world.spawn(Item({ name: 'vase' })))
    expect([texts('li'), rendered('list')]).toEqual([['lamp', 'vase'], 1])
  })

  it('works in strict mode, which subscribes, unsubscribes and subscribes again', () => {
    let subscribed = 0
    let unsubscribed = 0
    const query = offered()
    // The one function for as long as the component is there, as a query's own is.
    const subscribe = (listener: () => void) => {
      subscribed++
      const stop = query.subscribe(listener)
      return () => (unsubscribed++, stop())
    }
    const Strict = () => {
      const version = useSyncExternalStore(subscribe, () => query.version)
      return createElement('b', null, `${query.count} ${version === query.version}`)
    }
    show(createElement(StrictMode, null, createElement(Strict)))
    expect([subscribed, unsubscribed]).toEqual([2, 1])
    act(() => void world.spawn(Item))
    act(() => void world.spawn(Item))
    expect(texts('b')).toEqual(['2 true'])
    show(createElement(StrictMode))
    expect([subscribed, unsubscribed]).toEqual([2, 2])
    act(() => void world.spawn(Item))
  })

  it('changes the query it uses', () => {
    const Which = ({ sold }: { sold: boolean }) => {
      const query: Watched = sold ? world.query(Item, Sold) : offered()
      return createElement('i', null, String(useEntities(query).length))
    }
    world.spawnMany(3, [Item])
    show(createElement(Which, { sold: false }))
    expect(texts('i')).toEqual(['3'])
    show(createElement(Which, { sold: true }))
    expect(texts('i')).toEqual(['0'])
    act(() => void world.spawn(Item, Sold))
    expect(texts('i')).toEqual(['1'])
    show(createElement(Which, { sold: false }))
    act(() => void offered().page(0, 2).destroy())
    expect(texts('i')).toEqual(['1'])
  })

  it('shows every change where what it computes is kept for as long as its input is the same, as by the React Compiler', () => {
    const Names = () => {
      const items = useEntities(offered())
      const names = useMemo(() => [...items].map((item) => world.get(item, Item)?.name).join(), [items])
      return createElement('i', null, names)
    }
    show(createElement(Names))
    act(() => void world.spawn(Item({ name: 'chair' })))
    expect(texts('i')).toEqual(['chair'])
    act(() => void world.spawn(Item({ name: 'table' })))
    expect(texts('i')).toEqual(['chair,table'])
    act(() => void offered().destroy())
    expect(texts('i')).toEqual([''])
  })

  it('keeps the list of handles from render to render until the result changes', () => {
    const lists: unknown[] = []
    const Again = ({ time }: { time: number }) => {
      lists.push(useEntities(offered()))
      return createElement('i', null, time)
    }
    show(createElement(Again, { time: 1 }))
    show(createElement(Again, { time: 2 }))
    act(() => void world.spawn(Item))
    expect(lists).toHaveLength(3)
    expect(lists[1]).toBe(lists[0])
    expect(lists[2]).not.toBe(lists[1])
  })

  it('catches up with what changed between its render and its subscription', () => {
    const Changes = () => {
      // A sibling that is rendered later changes the world before any effect has run.
      if (offered().isEmpty) world.spawn(Item({ name: 'late' }))
      return null
    }
    show(createElement('div', null, createElement(List), createElement(Changes)))
    expect(texts('li')).toEqual(['late'])
  })
})
