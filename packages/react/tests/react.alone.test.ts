// @vitest-environment happy-dom
// Shows that the hooks of 'strata-ecs/react' always display what there is, with no needless render and with nothing left behind,
// by React itself in a document.

import {
  StrictMode,
  act,
  createElement,
  memo,
  useEffect,
  type FunctionComponent,
  type ReactNode,
} from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inspect } from '../../inspector/src/inspect/inspect'
import {
  addMany,
  clearWorld,
  component,
  createWorld,
  f32,
  loadInto,
  loadWorld,
  not,
  NULL_ENTITY,
  object,
  removeMany,
  resetWorld,
  resource,
  restoreWorld,
  saveWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  tag,
  text,
  u16,
  u32,
  vec,
  type Entity,
  type World,
} from '../../../bindings/index'
import { useComponent, useCount, useHas, useQuery, useResource, useWorld, WorldProvider } from '../src/react'

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

const Task = component('Task', { title: text, effort: u32 })
const Place = component('Place', { at: vec(f32, 3) })
const Ammo = component('Ammo', { left: u16 }, { storage: sparse })
const Done = tag('Done')
const Mesh = object<{ name: string }>('Mesh')
const Time = resource('Time', { day: u32 })
const Settings = resource<{ level: number }>('Settings')

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
/** Whether anything listens to entities or queries of a world: the one number that every change tests. */
const watching = (of: World) => (of as any).state.watching as number
/** How many functions listen to resources of a world. */
const resourceListeners = (of: World) =>
  [...((of as any).state.reporting?.subscribers.resources.values() ?? [])].reduce(
    (sum, set) => sum + set.size,
    0,
  )

/** How often the component was rendered since it was asked last. */
function rendered(name: string): number {
  const count = renders[name] ?? 0
  renders[name] = 0
  return count
}

/** A component that shows what a function makes of its props, and counts its renders. */
const counted = <P extends object>(name: string, content: (props: P) => ReactNode): FunctionComponent<P> =>
  memo((props: P) => {
    renders[name] = (renders[name] ?? 0) + 1
    return createElement('p', { className: name }, content(props))
  }) as unknown as FunctionComponent<P>

const open = () => world.query(Task, not(Done))
const List = counted('list', () => [...useQuery(open())].map((task) => world.get(task, Task)?.title).join())
const Left = counted('left', () => `${useCount(open())} left`)
const One = counted('one', ({ of, task }: { of?: World; task: Entity | undefined }) => {
  const value = useComponent(of ?? world, task, Task)
  return value === undefined ? 'none' : `${value.title} ${value.effort}`
})

it('Hooks show what loadInto puts into the world of the provider, and what is done to it afterwards', () => {
  const Day = counted('day', () => `${useResource(useWorld(), Time)?.day}`)
  const first = world.spawn(Task({ title: 'old', effort: 1 }))
  world.spawn(Task({ title: 'older' }))
  world.setResource(Time, { day: 1 })
  show(
    createElement(
      WorldProvider,
      { world },
      createElement(List),
      createElement(Left),
      createElement(One, { task: first }),
      createElement(Day),
    ),
  )
  const saved = createWorld({ memory: { initial: 2 ** 20 } })
  const other = saved.spawn(Task({ title: 'new', effort: 7 }))
  saved.setResource(Time, { day: 5 })
  let loaded: ReturnType<typeof loadInto>
  act(() => void (loaded = loadInto(world, saveWorld(saved), { components: [Task, Time] })))
  // The old handle names the new entity, as after a reset.
  expect(loaded!.handles.get(other)).toBe(first)
  const shown = () => ['.list', '.left', '.one', '.day'].flatMap(texts)
  expect(shown()).toEqual(['new', '1 left', 'new 7', '5'])
  act(() => {
    world.set(first, Task, { effort: 8 })
    world.setResource(Time, { day: 6 })
    world.spawn(Task({ title: 'next' }))
  })
  expect(shown()).toEqual(['new,next', '2 left', 'new 8', '6'])
  act(() => void loadInto(world, saveWorld(createWorld()), { components: [] }))
  expect(shown()).toEqual(['', '0 left', 'none', 'undefined'])
})

describe('useQuery', () => {
  it('shows what exists, what is added and what is removed, with one render for each change', () => {
    const paint = world.spawn(Task({ title: 'paint' }))
    show(createElement(List))
    act(() => void world.spawn(Task({ title: 'sand' })))
    expect([texts('.list'), rendered('list')]).toEqual([['paint,sand'], 2])
    act(() => void world.add(paint, Done))
    expect([texts('.list'), rendered('list')]).toEqual([['sand'], 1])
    act(() => world.batch(() => (world.remove(paint, Done), spawnMany(world, 5, [Task]))))
    expect([texts('.list')[0].split(',').length, rendered('list')]).toEqual([7, 1])
    act(() => clearWorld(world))
    expect([texts('.list'), rendered('list')]).toEqual([[''], 1])
  })

  it('does not render for values, for other components, for other entities and for what one block undoes', () => {
    const [task] = spawnMany(world, 5, [Task])
    show(createElement(List))
    rendered('list')
    act(() => {
      world.set(task, Task, { effort: 5 })
      world.add(task, Ammo)
      addMany(open(), Ammo)
      spawnMany(world, 100, [Ammo])
      world.batch(() => (world.add(task, Done), world.remove(task, Done)))
      world.setResource(Time, { day: 3 })
    })
    expect(rendered('list')).toBe(0)
  })

  it('returns the same list to every component and in every render until the result changes', () => {
    const seen: unknown[] = []
    const Seer = ({ time }: { time: number }) => {
      seen.push(useQuery(open()))
      return createElement('i', null, time)
    }
    world.spawn(Task)
    const two = (time: number) =>
      createElement('div', null, createElement(Seer, { time }), createElement(Seer, { time }))
    show(two(1))
    show(two(2))
    expect(new Set(seen).size).toBe(1)
    act(() => void world.spawn(Task))
    expect(new Set(seen).size).toBe(2)
    expect(seen).toHaveLength(6)
  })

  it('follows the query that it is given, and ends the subscription to the previous one', () => {
    const Which = ({ done }: { done: boolean }) =>
      createElement('i', null, useQuery(done ? world.query(Task, Done) : open()).length)
    spawnMany(world, 3, [Task])
    show(createElement(Which, { done: false }))
    show(createElement(Which, { done: true }))
    expect(texts('i')).toEqual(['0'])
    act(() => void world.spawn(Task, Done))
    expect(texts('i')).toEqual(['1'])
    expect((world as any).state.reporting.subscribers.queries.size).toBe(1)
  })

  it('throws INVALID_QUERY for a query that depends on values', () => {
    const Narrow = () =>
      createElement('i', null, useQuery(world.query(Task).where(Task, 'effort', '>', 3)).length)
    expect(() => show(createElement(Narrow))).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }))
  })
})

describe('useCount', () => {
  it('renders when the number changes, and not when other entities match in the same number', () => {
    const first = world.spawn(Task)
    show(createElement(Left))
    expect([texts('.left'), rendered('left')]).toEqual([['1 left'], 1])
    act(() => world.batch(() => (world.add(first, Done), world.spawn(Task))))
    expect([texts('.left'), rendered('left')]).toEqual([['1 left'], 0])
    act(() => void spawnMany(world, 99, [Task]))
    expect([texts('.left'), rendered('left')]).toEqual([['100 left'], 1])
  })
})

describe('useComponent', () => {
  it('shows a value that is set, removed, added again and destroyed, with one render for each', () => {
    const task = world.spawn(Task({ title: 'paint', effort: 1 }))
    show(createElement(One, { task }))
    const after = (change: () => void) => {
      act(change)
      return [texts('.one')[0], rendered('one')]
    }
    rendered('one')
    expect(after(() => void world.set(task, Task, { effort: 2 }))).toEqual(['paint 2', 1])
    expect(after(() => void world.remove(task, Task))).toEqual(['none', 1])
    expect(after(() => void world.add(task, Task({ title: 'sand' })))).toEqual(['sand 0', 1])
    expect(after(() => open().each((entity) => world.set(entity, Task, { effort: 7 })))).toEqual([
      'sand 7',
      1,
    ])
    expect(after(() => void removeMany(open(), Task))).toEqual(['none', 1])
    expect(after(() => world.batch(() => world.add(task, Task({ effort: 3 }))))).toEqual([' 3', 1])
    expect(after(() => void world.destroy(task))).toEqual(['none', 1])
  })

  it.each([
    ['a table', Task, { effort: 4 }],
    ['a sparse component', Ammo, { left: 4 }],
    ['a list of numbers', Place, { at: [1, 2, 3] }],
  ] as const)('shows %s by a copy that stays the same object until its values change', (_, C, values) => {
    const seen: unknown[] = []
    const entity = world.spawn(Done)
    const Seer = ({ time }: { time: number }) => {
      seen.push(useComponent(world, entity, C as typeof Task))
      return createElement('i', null, time)
    }
    show(createElement(Seer, { time: 1 }))
    act(() => void world.add(entity, C as typeof Task))
    show(createElement(Seer, { time: 2 }))
    act(() => void world.set(entity, C as typeof Task, values as object))
    act(() => void world.set(entity, C as typeof Task, values as object))
    show(createElement(Seer, { time: 3 }))
    expect(seen).toHaveLength(5)
    expect(seen[2]).toBe(seen[1])
    expect(seen[4]).toBe(seen[3])
    expect(seen[3]).not.toEqual(seen[1])
  })

  it('does not render for other entities, other components, equal values, moves and bulk changes of others', () => {
    const [task, other] = spawnMany(world, 2, [Task({ effort: 1 })])
    show(createElement(One, { task }))
    rendered('one')
    act(() => {
      world.set(other, Task, { effort: 9 })
      world.set(task, Task, { effort: 1 })
      world.add(task, Done, Ammo)
      world.destroy(other)
      spawnMany(world, 1000, [Task])
      world.remove(task, Done)
      world.setResource(Time, { day: 1 })
    })
    expect([texts('.one'), rendered('one')]).toEqual([[' 1'], 0])
  })

  it('shows undefined without an entity, for the null handle and for a stale one', () => {
    const task = world.spawn(Task)
    world.destroy(task)
    for (const nobody of [undefined, NULL_ENTITY, task]) {
      show(createElement(One, { task: nobody }))
      expect(texts('.one')).toEqual(['none'])
    }
  })

  it('shows the value of an object component itself, and renders when it is replaced', () => {
    const [first, second] = [{ name: 'cube' }, { name: 'ball' }]
    const entity = world.spawn(Mesh(first))
    const seen: unknown[] = []
    const Seer = () => (seen.push(useComponent(world, entity, Mesh)), null)
    show(createElement(Seer))
    act(() => void world.set(entity, Mesh, second))
    act(() => void world.destroy(entity))
    expect(seen).toEqual([first, second, undefined])
    expect(seen[0]).toBe(first)
  })

  it('follows the entity, the component and the world that it is given', () => {
    const other = createWorld({ memory: { initial: 2 ** 20 } })
    const [a, b] = [world.spawn(Task({ title: 'a' })), world.spawn(Task({ title: 'b' }))]
    const there = other.spawn(Task({ title: 'there' }))
    show(createElement(One, { task: a }))
    show(createElement(One, { task: b }))
    expect(texts('.one')).toEqual(['b 0'])
    rendered('one')
    act(() => void world.set(a, Task, { effort: 1 }))
    expect(rendered('one')).toBe(0)
    show(createElement(One, { of: other, task: there }))
    expect([texts('.one'), watching(world)]).toEqual([['there 0'], 0])
    act(() => void other.set(there, Task, { effort: 4 }))
    expect(texts('.one')).toEqual(['there 4'])
    show(null)
    expect(watching(other)).toBe(0)
    other.dispose()
  })

  it('shows what a loop wrote through columns in the next render, and does not render for it', () => {
    const task = world.spawn(Task({ title: 'a' }))
    show(createElement(One, { task }))
    rendered('one')
    act(() => {
      for (const chunk of world.query(Task)) chunk.write(Task).effort.fill(8)
    })
    expect(rendered('one')).toBe(0)
    act(() => void world.set(task, Task, { title: 'b' }))
    expect(texts('.one')).toEqual(['b 8'])
  })

  it('shows what a restore brings back, even of an entity that had died', () => {
    const task = world.spawn(Task({ title: 'a', effort: 1 }))
    const before = snapshotWorld(world)
    show(createElement(One, { task }))
    act(() => void world.destroy(task))
    expect(texts('.one')).toEqual(['none'])
    act(() => restoreWorld(world, before))
    expect(texts('.one')).toEqual(['a 1'])
    act(() => resetWorld(world))
    expect(texts('.one')).toEqual(['none'])
  })

  it('shows the new values of a component that is reset by one exchange', () => {
    const task = world.spawn(Task({ title: 'a' }))
    show(createElement(One, { task }))
    act(() => void world.exchange(task, [Task], [Task({ title: 'b' })]))
    expect(texts('.one')).toEqual(['b 0'])
  })
})

describe('useHas', () => {
  it('renders when the entity gets or loses the tag, and at no other time', () => {
    const task = world.spawn(Task)
    const Mark = counted('mark', () => String(useHas(world, task, Done)))
    show(createElement(Mark))
    act(() => void world.add(task, Done))
    expect([texts('.mark'), rendered('mark')]).toEqual([['true'], 2])
    act(() => (world.set(task, Task, { effort: 3 }), world.add(task, Done), void world.spawn(Done)))
    expect(rendered('mark')).toBe(0)
    act(() => void removeMany(world.query(Done), Done))
    expect([texts('.mark'), rendered('mark')]).toEqual([['false'], 1])
  })
})

describe('useResource', () => {
  const Clock = counted('clock', () => String(useResource(world, Time)?.day))
  const Level = counted('level', () => String(useResource(world, Settings)?.level))

  it('shows a resource that is created, set and removed, and renders only for that', () => {
    show(createElement('div', null, createElement(Clock), createElement(Level)))
    expect([texts('.clock'), texts('.level')]).toEqual([['undefined'], ['undefined']])
    rendered('clock')
    act(() => world.setResource(Time, { day: 1 }))
    expect([texts('.clock'), rendered('clock')]).toEqual([['1'], 1])
    act(() => world.setResource(Time, { day: 1 }))
    act(() => world.setResource(Settings, { level: 4 }))
    act(() => void world.spawn(Task))
    expect([texts('.level'), rendered('clock')]).toEqual([['4'], 0])
    act(() => void world.removeResource(Time))
    expect([texts('.clock'), rendered('clock')]).toEqual([['undefined'], 1])
    expect(rendered('level')).toBe(2)
  })

  it('renders once for a block, and after a restore and a reset', () => {
    world.setResource(Time, { day: 1 })
    const before = snapshotWorld(world)
    show(createElement(Clock))
    rendered('clock')
    act(() =>
      world.batch(() => {
        for (let day = 2; day < 9; day++) world.setResource(Time, { day })
      }),
    )
    expect([texts('.clock'), rendered('clock')]).toEqual([['8'], 1])
    act(() => restoreWorld(world, before))
    expect([texts('.clock'), rendered('clock')]).toEqual([['1'], 1])
    act(() => resetWorld(world))
    expect([texts('.clock'), rendered('clock')]).toEqual([['undefined'], 1])
  })
})

describe('a tree of components', () => {
  const App = () => {
    const world = useWorld()
    const tasks = useQuery(world.query(Task))
    return [...tasks].map((task) => createElement(One, { key: task, of: world, task }))
  }
  const provided = (of: World, child: ReactNode = createElement(App)) =>
    createElement(WorldProvider, { world: of }, child)

  it('gets its world from the provider, and follows another one', () => {
    const other = createWorld({ memory: { initial: 2 ** 20 } })
    world.spawn(Task({ title: 'here' }))
    other.spawn(Task({ title: 'there' }))
    show(provided(world))
    expect(texts('p')).toEqual(['here 0'])
    show(provided(other))
    expect([texts('p'), watching(world)]).toEqual([['there 0'], 0])
    show(provided(world))
    expect(watching(other)).toBe(0)
    other.dispose()
  })

  it('throws NO_WORLD where there is no provider', () => {
    expect(() => show(createElement(App))).toThrow(expect.objectContaining({ code: 'NO_WORLD' }))
  })

  it('works in strict mode, and leaves no listener behind when it is unmounted', () => {
    spawnMany(world, 3, [Task({ title: 'a' })])
    const Clock = () => createElement('b', null, useResource(useWorld(), Time)?.day)
    show(
      createElement(
        StrictMode,
        null,
        provided(world, [createElement(App, { key: 1 }), createElement(Clock, { key: 2 })]),
      ),
    )
    act(() => open().each((task) => world.set(task, Task, { effort: 1 })))
    act(() => world.setResource(Time, { day: 5 }))
    act(() => void world.spawn(Task({ title: 'b' })))
    expect([texts('p'), texts('b')]).toEqual([['a 1', 'a 1', 'a 1', 'b 0'], ['5']])
    expect([watching(world) !== 0, resourceListeners(world)]).toEqual([true, 1])
    show(null)
    expect([watching(world), resourceListeners(world)]).toEqual([0, 0])
  })

  it('shares four listeners for a component among any number of entities', () => {
    spawnMany(world, 200, [Task])
    show(provided(world))
    const counts = inspect(world)
      .listeners()
      .map(({ event, count }) => [event, count])
    expect(counts.filter(([event]) => event !== 'change').sort()).toEqual([
      ['add', 1],
      ['remove', 1],
      ['restore', 1],
      ['set', 1],
    ])
  })

  it('shows the same state everywhere: a parent and its children never differ', () => {
    const seen: string[] = []
    const task = world.spawn(Task)
    const Child = () => (seen.push(`child ${useComponent(world, task, Task)?.effort}`), null)
    const Parent = () => {
      seen.push(`parent ${useComponent(world, task, Task)?.effort}`)
      return createElement(Child)
    }
    show(createElement(Parent))
    seen.length = 0
    act(() => {
      world.set(task, Task, { effort: 1 })
      world.set(task, Task, { effort: 2 })
    })
    expect(seen).toEqual(['parent 2', 'child 2'])
  })

  it('catches up with what a sibling changed between its render and its subscription', () => {
    const task = world.spawn(Task({ title: 'a' }))
    const Changer = () => {
      useEffect(() => void world.set(task, Task, { effort: 6 }), [])
      return null
    }
    show(createElement('div', null, createElement(Changer), createElement(One, { task })))
    expect(texts('.one')).toEqual(['a 6'])
  })

  it('shows nothing of a world that was disposed of, and can be unmounted', () => {
    const other = createWorld({ memory: { initial: 2 ** 20 } })
    const task = other.spawn(Task({ title: 'a' }))
    const query = other.query(Task)
    const Count = () => createElement('i', null, useCount(query), useHas(other, task, Task) ? 'y' : 'n')
    show(createElement('div', null, createElement(One, { of: other, task }), createElement(Count)))
    expect([texts('.one'), texts('i')]).toEqual([['a 0'], ['1y']])
    act(() => other.dispose())
    expect([texts('.one'), texts('i')]).toEqual([['none'], ['0n']])
  })

  it('is rendered on a server, and hydrated in a page by a world loaded from a save', () => {
    world.spawn(Task({ title: 'paint', effort: 2 }))
    world.setResource(Time, { day: 3 })
    const Day = () => createElement('b', null, useResource(useWorld(), Time)?.day)
    const tree = (of: World) =>
      provided(of, createElement('div', null, createElement(App), createElement(Day)))
    const html = renderToString(tree(world))
    expect(html).toContain('paint 2')
    expect(watching(world)).toBe(0)
    const { world: loaded } = loadWorld(saveWorld(world), { components: [Task, Time] })
    act(() => root.unmount())
    page.innerHTML = html
    const errors: unknown[] = []
    act(() => {
      root = hydrateRoot(page, tree(loaded), { onRecoverableError: (error) => errors.push(error) })
    })
    act(() => loaded.query(Task).each((task) => loaded.set(task, Task, { effort: 9 })))
    expect([texts('p'), texts('b'), errors]).toEqual([['paint 9'], ['3'], []])
    act(() => root.unmount())
    expect(watching(loaded)).toBe(0)
    loaded.dispose()
    root = createRoot(page)
  })
})

it('The types of hooks are those of the component and the resource', () => {
  const declared = () => {
    const effort: number | undefined = useComponent(world, undefined, Task)?.effort
    const mesh: { name: string } | undefined = useComponent(world, undefined, Mesh)
    const day: number | undefined = useResource(world, Time)?.day
    const level: number | undefined = useResource(world, Settings)?.level
    // @ts-expect-error tags have no values
    useComponent(world, undefined, Done)
    // @ts-expect-error a copy is for reading
    useResource(world, Time)!.day = 3
    return [effort, mesh, day, level]
  }
  expect(declared).toBeTypeOf('function')
})
