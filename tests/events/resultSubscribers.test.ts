// Shows whom subscribe notifies, how often, for every way to make a change, and what the listener finds. Listeners of resources are in
// resourceListeners.test.ts.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  added,
  addMany,
  any,
  changed,
  clearWorld,
  cloneEntity,
  component,
  createAccessor,
  createCommands,
  destroyMany,
  disableMany,
  queueDestroy,
  enableMany,
  endFrame,
  inCreationOrder,
  not,
  object,
  onAdd,
  onExit,
  onRemove,
  relation,
  optional,
  removeMany,
  resetWorld,
  cloneMany,
  spawnMany,
  onChange,
  tag,
  toggle,
  u16,
  u32,
  type ComponentLike,
  type Entity,
  type Query,
  type World,
  sortRows,
  omit,
} from '../../bindings/index'
import { KINDS, declare, numbered } from '../support/kinds'
import { STORED, TABLE_AND_POOL } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const Position = component('Position', { x: u32 })
const Other = component('Other', { n: u32 })
const Frozen = tag('Frozen')

/** Counts the calls of a listener. */
function counted(query: Query) {
  const told = {
    count: 0,
    stop: () => {},
    /** The calls since it was asked last. */
    take(): number {
      const { count } = told
      told.count = 0
      return count
    },
  }
  told.stop = onChange(query, () => told.count++)
  return told
}

describe.each(KINDS)('a subscription to a query of a component of kind %s', (kind) => {
  const C = declare('C', kind)
  const D = declare('D', kind)
  const TOLD: [string, (world: World, ship: Entity) => unknown][] = [
    ['a spawn', (world) => world.spawn(C)],
    ['a spawn of many', (world) => spawnMany(world, 700, [C, Position])],
    ['a destroy', (world, ship) => world.destroy(ship)],
    ['a destroy of many', (world, ship) => destroyMany(world, [ship])],
    ['an add', (world) => world.add(world.query(Position, not(C)).first() as Entity, C)],
    ['an add by query', (world) => addMany(world.query(Position, not(C)), C)],
    ['an add to a page', (world) => addMany(world.query(Position, not(C)).slice(1, 3), C)],
    ['a removal', (world, ship) => world.remove(ship, C)],
    ['a removal by query', (world) => removeMany(world.query(C), C)],
    ['a removal from a page', (world) => removeMany(world.query(C).slice(0, 2), C)],
    ['a removal together with others', (world) => removeMany(world.query(C), Position, C)],
    ['an exchange', (world, ship) => world.exchange(ship, [C], [D])],
    ['a destroy by query', (world) => destroyMany(world.query(C))],
    ['a destroy of a page', (world) => destroyMany(world.query(C).slice(0, 2))],
    ['a clone', (world, ship) => cloneEntity(world, ship)],
    ['clones', (world, ship) => cloneMany(world, ship, 300)],
    ['a clear', (world) => clearWorld(world)],
    ['a reset', (world) => resetWorld(world)],
    [
      'a discard and the end of the frame',
      (world, ship) => world.batch(() => (queueDestroy(world, ship), endFrame(world))),
    ],
    ['a block', (world, ship) => world.batch(() => (world.spawn(C), world.remove(ship, C), world.spawn(C)))],
    [
      'a block of everything',
      (world, ship) =>
        world.batch(() => {
          spawnMany(world, 300, [C])
          cloneEntity(world, ship)
          addMany(world.query(C), Position)
          destroyMany(world, [ship])
        }),
    ],
    [
      'a loop',
      (world) => {
        for (const chunk of world.query(C)) world.remove(chunk.entities[chunk.start], C)
      },
    ],
    [
      'each',
      (world) => (world.query(C) as unknown as Query).each((entity: Entity) => void world.destroy(entity)),
    ],
    [
      'a buffer',
      (world, ship) => {
        const commands = createCommands(world)
        commands.spawnMany(3, [C])
        commands.remove(ship, C)
        commands.apply()
      },
    ],
  ]

  it.each(TOLD)('is called once after %s', (_, change) => {
    const world = watchedWorld()
    spawnMany(world, 3, [C, D])
    spawnMany(world, 3, [Position])
    const ship = world.spawn(C, Position)
    const told = counted(world.query(C))
    change(world, ship)
    expect(told.count).toBe(1)
  })

  const UNTOLD: [string, (world: World, ship: Entity) => unknown][] = [
    ['nothing was removed', (world) => world.remove(world.spawn(Other), C)],
    ['it was there already', (world, ship) => world.add(ship, C)],
    ['other components come', (world, ship) => world.add(ship, Other)],
    ['other components come in bulk', (world) => addMany(world.query(C), Other)],
    ['other components go', (world, ship) => world.remove(ship, Position)],
    [
      'other components come and go in a block',
      (world, ship) => world.batch(() => (world.add(ship, Other), world.remove(ship, Position))),
    ],
    ['others are made', (world) => spawnMany(world, 300, [Position])],
    ['others are destroyed', (world) => destroyMany(world.query(Position, not(C)))],
    [
      'others are destroyed and other components come, in one block',
      (world, ship) =>
        world.batch(() => (destroyMany(world.query(Position, not(C))), world.add(ship, Other))),
    ],
    [
      'it went and came back in one block',
      (world, ship) => world.batch(() => (world.remove(ship, C), world.add(ship, C))),
    ],
    ['the frame ends', (world) => endFrame(world)],
    ['a change is refused', (world, ship) => expect(() => world.add(ship, C, C)).toThrow()],
    ['the dead are destroyed', (world, ship) => (destroyMany(world, []), world.destroy(0 as Entity), ship)],
    [
      'values are written',
      (world, ship) => {
        world.set(ship, Position, { x: 5 })
        for (const chunk of world.query(Position)) chunk.write(Position)
        createAccessor(world, Position).of(ship).x = 7
      },
    ],
  ]

  it.each(UNTOLD)('is not called when %s', (_, change) => {
    const world = watchedWorld()
    spawnMany(world, 3, [C, D])
    spawnMany(world, 3, [Position])
    const ship = world.spawn(C, Position)
    const told = [world.query(C), world.query(C, optional(Position))].map(counted)
    change(world, ship)
    expect(told.map(({ count }) => count)).toEqual([0, 0])
  })

  it('is not called after it ends, and is not counted twice', () => {
    const world = watchedWorld()
    const query = world.query(C)
    const a = counted(query)
    const b = counted(query)
    a.stop()
    a.stop()
    world.spawn(C)
    expect([a.count, b.count]).toEqual([0, 1])
    b.stop()
    world.spawn(C)
    expect(b.count).toBe(1)
    const c = counted(query)
    world.spawn(C)
    expect(c.count).toBe(1)
  })

  it('is not called for a reset that finds the result empty, and goes on after one', () => {
    const world = watchedWorld()
    world.spawn(Position)
    const told = counted(world.query(C))
    resetWorld(world)
    expect(told.take()).toBe(0)
    world.spawn(C)
    expect(told.take()).toBe(1)
    resetWorld(world)
    expect(told.take()).toBe(1)
  })

  it('shows the world after the change', () => {
    const world = watchedWorld()
    const query = world.query(C)
    const seen: unknown[] = []
    let version = query.version
    onChange(query, () => {
      seen.push([query.count, [...query.entities()], query.first(), version !== query.version])
      version = query.version
    })
    const [a, b] = [world.spawn(C), world.spawn(C)]
    world.destroy(a)
    world.remove(b, C)
    expect(seen).toEqual([
      [1, [a], a, true],
      [2, [a, b], a, true],
      [1, [b], b, true],
      [0, [], undefined, true],
    ])
  })
})

describe('a subscription', () => {
  it('is called without arguments, listeners in the order in which they subscribed', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    const log: unknown[] = []
    for (const name of ['a', 'b', 'c']) onChange(query, (...args: unknown[]) => void log.push(name, ...args))
    world.spawn(Position)
    expect(log).toEqual(['a', 'b', 'c'])
  })

  it('belongs to one query: others with other terms are notified of their own changes', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    const queries = [
      world.query(Position),
      world.query(Position, not(Frozen)),
      world.query(Position, Frozen),
      world.query(any(Frozen, Other)),
      world.query(not(Position)),
      world.query(Position, optional(Frozen)),
      world.query(),
    ] as unknown as Query[]
    const told = queries.map((query) => counted(query))
    const counts = () => told.map((each) => each.take())
    world.add(ship, Frozen)
    expect(counts()).toEqual([0, 1, 1, 1, 0, 0, 0])
    world.add(ship, Other)
    expect(counts()).toEqual([0, 0, 0, 0, 0, 0, 0])
    world.remove(ship, Position)
    expect(counts()).toEqual([1, 0, 1, 0, 1, 1, 0])
    world.destroy(ship)
    expect(counts()).toEqual([0, 0, 0, 1, 1, 0, 1])
  })

  it('is not called until the outermost block has ended', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    const told = counted(query)
    world.spawn(Position)
    expect(told.take()).toBe(1)
    world.batch(() => {
      world.spawn(Position)
      for (const _ of query) {
        query.each(() => void world.spawn(Position))
        expect(told.count).toBe(0)
      }
      world.batch(() => world.spawn(Position))
      expect(told.count).toBe(0)
    })
    expect(told.take()).toBe(1)
    expect(() =>
      world.batch(() => {
        world.spawn(Position)
        throw new Error('stop')
      }),
    ).toThrow('stop')
    expect(told.take()).toBe(1)
    for (const _ of query) {
      world.spawn(Position)
      break
    }
    expect(told.take()).toBe(1)
  })

  it('is called once even if other listeners change the world as well', () => {
    const world = watchedWorld()
    const told = counted(world.query(Position))
    onAdd(world, Position, (entity) => {
      if (world.query(Position).count < 10) cloneEntity(world, entity)
    })
    world.spawn(Position)
    expect(world.query(Position).count).toBe(10)
    expect(told.count).toBe(1)
  })

  it('is called again for what its listener changes, after all the others', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    const log: string[] = []
    onChange(query, () => {
      log.push(`a ${query.count}`)
      if (query.count < 4) spawnMany(world, 1, [Position])
      expect(world.query(Position).count).toBe(query.count)
    })
    onChange(query, () => log.push(`b ${query.count}`))
    world.spawn(Position)
    expect(log).toEqual(['a 1', 'b 1', 'a 2', 'b 2', 'a 3', 'b 3', 'a 4', 'b 4'])
  })

  it('ends with ENDLESS_EVENTS when its listener goes on changing the result', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    const stop = onChange(query, () => {
      if (!query.isEmpty) destroyMany(query)
      else world.spawn(Position)
    })
    expect(() => world.spawn(Position)).toThrow(expect.objectContaining({ code: 'ENDLESS_EVENTS' }))
    stop()
    const told = counted(query)
    world.spawn(Position)
    expect(told.count).toBe(1)
  })

  it('is called even if another listener throws; the change throws the first error', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    onChange(query, () => {
      throw new Error('first')
    })
    onChange(query, () => {
      throw new Error('second')
    })
    const told = counted(query)
    expect(() => world.spawn(Position)).toThrow('first')
    expect(told.take()).toBe(1)
    expect(query.count).toBe(1)
    expect(() => world.batch(() => world.spawn(Position))).toThrow('first')
    expect(told.take()).toBe(1)
    expect(() => addMany(query, Frozen)).not.toThrow()
    expect(() => destroyMany(query)).toThrow('first')
    expect(told.take()).toBe(1)
  })

  it('made during a call starts with the next change, and one ended meanwhile is not called', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    let late: ReturnType<typeof counted> | undefined
    onChange(query, () => {
      late ??= counted(query)
      last.stop()
    })
    const last = counted(query)
    world.spawn(Position)
    expect([late?.count, last.count]).toEqual([0, 0])
    world.spawn(Position)
    expect([late?.count, last.count]).toEqual([1, 0])
  })

  it('made inside a loop is called for what the loop changes', () => {
    const world = watchedWorld()
    world.spawn(Position)
    const told: ReturnType<typeof counted>[] = []
    world.query(Position).each((entity) => {
      told.push(counted(world.query(Position, Frozen)), counted(world.query(Other)))
      world.add(entity, Frozen)
    })
    expect(told.map(({ count }) => count)).toEqual([1, 0])
  })

  it('is not called after the world was disposed of', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    world.spawn(Position)
    const told = counted(query)
    onRemove(world, Position, () => {})
    world.dispose()
    told.stop()
    expect(told.count).toBe(0)
    expect(() => onChange(query, () => {})).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }))
  })

  it('leaves the world locked to its listener, which can read and queue', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    const seen: unknown[] = []
    const stop = onChange(query, () => {
      stop()
      expect(() => resetWorld(world)).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
      const ship = world.spawn(Position({ x: 3 }))
      seen.push(world.isAlive(ship), world.has(ship, Position))
      world.query(Position, not(Frozen)).each((entity) => void world.add(entity, Frozen))
    })
    world.spawn(Position)
    expect(seen).toEqual([true, false])
    expect([query.count, world.query(Position, Frozen).count]).toEqual([2, 1])
  })

  it('costs one call for a change of many entities', () => {
    const world = watchedWorld()
    const told = counted(world.query(Position))
    const ships = spawnMany(world, 10_000, [Position])
    expect(told.take()).toBe(1)
    destroyMany(world, ships)
    expect(told.take()).toBe(1)
    spawnMany(world, 10, [Position])
    told.take()
    addMany(world.query(Position), Other({ n: 4 }), Frozen)
    expect(told.take()).toBe(0)
    destroyMany(world.query(Position).slice(2, 7))
    expect(told.take()).toBe(1)
  })

  it('is called once when a bulk change with values is made', () => {
    const world = watchedWorld()
    spawnMany(world, 100, [Position])
    const told = counted(world.query(Other))
    addMany(world.query(Position), Other({ n: 4 }))
    expect(told.take()).toBe(1)
    removeMany(world.query(Other).slice(5, 10), Other, Position)
    expect(told.take()).toBe(1)
  })

  it('is called for objects that come and go, and for copies without them', () => {
    const Sprite = object<string>('Sprite')
    const world = watchedWorld()
    const [withSprite, without] = [counted(world.query(Sprite)), counted(world.query(Position, not(Sprite)))]
    const ship = world.spawn(Position, Sprite('ship'))
    expect([withSprite.take(), without.take()]).toEqual([1, 0])
    world.set(ship, Sprite, 'wreck')
    expect([withSprite.take(), without.take()]).toEqual([0, 0])
    cloneEntity(world, ship)
    expect(without.take()).toBe(1)
    withSprite.take()
    world.remove(ship, Sprite)
    expect([withSprite.take(), without.take()]).toEqual([1, 1])
  })

  it('is called, with a link among the terms, for copies without the component that excluded their source', () => {
    const Prefab = tag('Prefab', { excludeFromQueries: true })
    const ChildOf = relation('ChildOf')
    const world = watchedWorld()
    const planet = world.spawn()
    const told = counted(world.query(not(ChildOf(planet)), not(Frozen)))
    const model = world.spawn(Prefab)
    const frozen = world.spawn(Frozen)
    expect(told.take()).toBe(0)
    cloneEntity(world, model)
    expect(told.take()).toBe(1)
    cloneMany(world, frozen, 2, omit(Frozen))
    expect(told.take()).toBe(1)
    world.batch(() => void cloneMany(world, model, 2))
    expect(told.take()).toBe(1)
  })

  it('is called once for components that last for one frame, when the frame ends', () => {
    const Hit = component('Hit', { by: u32 }, { lifetime: 'frame' })
    const Seen = tag('Seen', { lifetime: 'frame' })
    const world = watchedWorld()
    const ships = spawnMany(world, 5, [Position])
    const told = [world.query(Hit), world.query(any(Hit, Seen)), world.query(Position)].map((query) =>
      counted(query as unknown as Query),
    )
    world.batch(() => {
      for (const ship of ships) world.add(ship, Hit, Seen)
      queueDestroy(world, ships[0])
    })
    expect(told.map((each) => each.take())).toEqual([1, 1, 0])
    endFrame(world)
    expect(told.map((each) => each.take())).toEqual([1, 1, 1])
    expect(world.query(any(Hit, Seen)).count).toBe(0)
  })
})

describe.each(TABLE_AND_POOL)(
  'a subscription to a query of a component that can be switched, storage %s',
  (storage) => {
    const Burning = component('Burning', { heat: u16 }, { storage: STORED[storage], toggle })

    it('is called when it is switched, one by one and by query, and not when nothing changes', () => {
      const world = watchedWorld()
      const ships = spawnMany(world, 5, [Position, Burning])
      const burning = counted(world.query(Burning))
      const cold = counted(world.query(Position, not(Burning)))
      const counts = () => [burning.take(), cold.take()]
      world.disable(ships[0], Burning)
      expect(counts()).toEqual([1, 1])
      world.disable(ships[0], Burning)
      expect(counts()).toEqual([0, 0])
      world.enable(ships[0], Burning)
      expect(counts()).toEqual([1, 1])
      disableMany(world.query(Position), Burning)
      expect(counts()).toEqual([1, 1])
      enableMany(world.query(Burning).slice(0, 3), Burning)
      expect(counts()).toEqual([0, 0])
      enableMany(world.query(Position).slice(0, 3), Burning)
      expect(counts()).toEqual([1, 1])
    })

    it('is called at the end of a loop in which it was switched', () => {
      const world = watchedWorld()
      spawnMany(world, 5, [Position, Burning])
      const told = counted(world.query(Burning))
      world.query(Position).each((entity) => {
        world.disable(entity, Burning)
        expect(told.count).toBe(0)
      })
      expect(told.take()).toBe(1)
      world.query(Position).each((entity) => {
        world.enable(entity, Burning)
        world.disable(entity, Burning)
      })
      expect(told.count).toBeLessThanOrEqual(1)
    })
  },
)

describe('a query that cannot be subscribed to', () => {
  it.each([
    ['where', (world: World) => world.query(Position).where(Position, 'x', '>', 1)],
    ['page', (world: World) => world.query(Position).slice(0, 3)],
    ['partition', (world: World) => (world.spawn(Position), world.query(Position).partition(0, 2))],
    ['changed', (world: World) => world.query(changed(Position))],
    ['added', (world: World) => world.query(Position, added(Position))],
  ])('has %s among its terms: the error says so', (_, make) => {
    const world = watchedWorld()
    expect(() => onChange(make(world), () => {})).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUERY',
        message: expect.stringMatching(/^onChange /) as string,
      }),
    )
  })

  it('is refused for anything but a function', () => {
    const world = watchedWorld()
    for (const wrong of [undefined, null, 'listener', {}]) {
      expect(() => onChange(world.query(Position), wrong as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION' }),
      )
    }
  })
})

describe('the version of a query', () => {
  it('stays the same as long as nothing changes, and never repeats', () => {
    const world = watchedWorld()
    const query = world.query(Position)
    const seen = new Set<number>([query.version])
    const check = () => {
      expect(query.version).toBe(query.version)
      expect(seen.has(query.version)).toBe(false)
      seen.add(query.version)
    }
    for (let i = 0; i < 5; i++) {
      spawnMany(world, i + 1, [Position, Other])
      check()
      destroyMany(world.query(Other))
      check()
      world.spawn(Position)
      check()
      resetWorld(world)
      check()
      world.spawn(Position)
      check()
      clearWorld(world)
      check()
    }
  })

  it('is the same inside a loop for a query that first sees its components there', () => {
    const world = watchedWorld()
    spawnMany(world, 9, [Position, Other])
    world.spawn(Frozen)
    let inside = -1
    world.batch(() => (inside = world.query(Position, Other).version))
    expect(world.query(Position, Other).version).toBe(inside)
  })
})

// ── at random ────────────────────────────────────────────────────────────────────────────────────────────

const A = component('A', { n: u32 }, { toggle })
const B = numbered('B', 'table')
const S = numbered('S', 'sparse')
const T = numbered('T', 'stable')
const G = tag('G')
const ALL: readonly ComponentLike[] = [A, B, S, T, G]

const seed = 20_250_101

const queriesOf = (world: World) =>
  [
    world.query(A),
    world.query(B),
    world.query(S),
    world.query(G, B),
    world.query(S, T),
    world.query(A, not(S)),
    world.query(any(B, S), not(G)),
    world.query(S, not(G)),
    world.query(any(A, T), any(B, S)),
    world.query(B, not(A)),
    world.query(not(B)),
    world.query(),
  ] as unknown as Query[]

type Step = readonly [what: number, which: number, components: number]

/** Makes one change; `single` tells whether it is about one entity, so that nothing may be told in vain. */
function make(world: World, handles: Entity[], [what, which, components]: Step): boolean {
  const some = ALL.filter((_, i) => (components >> i) & 1)
  const entity = handles[which % handles.length] as Entity
  const C = ALL[components % ALL.length] as ComponentLike
  const query = world.query(C)
  switch (what) {
    case 0:
      handles.push(world.spawn(...(some as never[])))
      return true
    case 1:
      if (world.isAlive(entity)) world.add(entity, ...(some as never[]))
      return true
    case 2:
      world.remove(entity, ...some)
      return true
    case 3:
      world.destroy(entity)
      return true
    case 4:
      if (which % 2 === 0) world.enable(entity, A)
      else world.disable(entity, A)
      return true
    case 5:
      if (world.isAlive(entity))
        world.exchange(entity, some, ALL.filter((each) => !some.includes(each)) as never[])
      return true
    case 6:
      if (world.isAlive(entity)) handles.push(cloneEntity(world, entity))
      return true
    case 7:
      handles.push(...(Array.from(spawnMany(world, which % 5, some as never[])) as Entity[]))
      return false
    case 8:
      if (some.length > 0) addMany(query, ...(some as never[]))
      return false
    case 9:
      if (some.length > 0) removeMany(query, ...some)
      return false
    case 10:
      destroyMany(query.slice(which % 3, (which % 3) + 2))
      return false
    case 11:
      if (which % 2 === 0) enableMany(query, A)
      else disableMany(query, A)
      return false
    case 12:
      destroyMany(world, handles.slice(which % handles.length, (which % handles.length) + 3))
      return false
    case 13:
      if (which % 8 === 0) clearWorld(world)
      else if (which % 8 === 1) (sortRows as any)(world, S, 'value')
      return false
    default:
      if (world.isAlive(entity))
        handles.push(...(Array.from(cloneMany(world, entity, which % 4)) as Entity[]))
      return false
  }
}

const step = fc.tuple(fc.nat(14), fc.nat(60), fc.nat(31))
const steps = fc.array(
  fc.oneof({ weight: 3, arbitrary: step }, fc.array(step, { minLength: 1, maxLength: 6 })),
  {
    minLength: 1,
    maxLength: 40,
  },
)

describe.each([
  ['alone', false],
  ['beside listeners to single entities', true],
])('subscriptions %s, whatever happens', (_, listens) => {
  it('are called once after each change to their result, and never without one for a single entity', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const world = watchedWorld({ memory: { initial: 2 ** 20 } })
        const handles = [world.spawn()]
        if (listens) {
          onAdd(world, B, () => {})
          onExit(world.query(S), () => {})
        }
        const queries = queriesOf(world)
        const told = queries.map((query) => counted(query))
        const result = (query: Query) => [...query.entities()].sort((a, b) => a - b).join()
        let before = queries.map(result)
        let versions = queries.map((query) => query.version)
        for (const one of script) {
          const isBlock = Array.isArray(one[0])
          let single = true
          if (isBlock) {
            world.batch(() => {
              for (const each of one as Step[]) make(world, handles, each)
            })
          } else single = make(world, handles, one as unknown as Step)
          const after = queries.map(result)
          queries.forEach((query, i) => {
            const count = told[i].take()
            const differs = after[i] !== before[i]
            if (count > 1 || (differs && count === 0))
              expect.unreachable(`query ${i} was told ${count} times`)
            if (differs && query.version === versions[i])
              expect.unreachable(`query ${i} has the version it had`)
            if (count > 0 && query.version === versions[i])
              expect.unreachable(`query ${i} was told of no new version`)
            if (single && !isBlock && count > 0 && !differs) expect.unreachable(`query ${i} was told in vain`)
          })
          before = after
          versions = queries.map((query) => query.version)
        }
        world.dispose()
      }),
      { seed, numRuns: 40 },
    )
  })
})

it('A query in the order of birth is notified of deaths, and so are all other queries', () => {
  const world = watchedWorld()
  const ordered = world.query(Position, inCreationOrder())
  const plain = world.query(Position, not(Frozen))
  const log: string[] = []
  onChange(plain, () => log.push(`plain ${plain.count}`))
  onChange(ordered, () => log.push(`ordered ${ordered.count}`))
  const [first] = spawnMany(world, 3, [Position])
  world.destroy(first)
  destroyMany(plain)
  expect(log).toEqual(['plain 3', 'ordered 3', 'plain 2', 'ordered 2', 'plain 0', 'ordered 0'])
})

describe('a subscriber of a query with a link', () => {
  const ChildOf = relation('ChildOf', { exclusive: true })
  const [Ship, Alarm] = [tag('Ship'), tag('Alarm')]

  it.each([
    ['destroy', (world: World, ship: Entity) => world.destroy(ship)],
    ['destroyMany', (world: World, ship: Entity) => destroyMany(world, [ship])],
    ['remove', (world: World, ship: Entity) => world.remove(ship, Ship)],
    ['removeMany', (world: World) => removeMany(world.query(Ship), Ship)],
    ['a link to another', (world: World, ship: Entity) => world.add(ship, ChildOf(world.spawn()))],
  ] as const)('lets no listener change the world before the reported change is made: %s', (_, change) => {
    const world = testWorld()
    const [port, tower] = [world.spawn(), world.spawn()]
    const ship = world.spawn(Ship, ChildOf(port))
    const query = world.query(Ship, ChildOf(port))
    onChange(query, () => {})
    onExit(query, () => void world.add(tower, Alarm))
    const found: number[] = []
    onAdd(world, Alarm, () => found.push(query.count))
    change(world, ship)
    expect(found).toEqual([0])
  })
})
