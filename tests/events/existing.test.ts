// Shows that a mirror that subscribes with the option `existing` holds what exists, whenever it was created.

import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  component,
  destroyMany,
  disableMany,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  relation,
  removeMany,
  resetWorld,
  sparse,
  spawnMany,
  tag,
  toggle,
  u8,
  type ComponentLike,
  type Entity,
  type World,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'
import { STORED } from '../support/storages'

const A = component('A', {})
const B = tag('B')
const Sparse = component('Sparse', {}, { storage: sparse })
const Held = object<{ name: string }>('Held')
const Lit = tag('Lit', { toggle })
const R = relation('R', { exclusive: true })
const Owner = relation('Owner', { exclusive: true, onTargetDestroy: 'destroy' })

type Mirror = Map<Entity, number>

function mirrorsOf(world: World): [what: string, terms: ComponentLike[], held: Mirror][] {
  const mirrors: [string, ComponentLike[], Mirror][] = []
  for (const C of [A, B, Sparse, Held, Lit, R, Owner] as ComponentLike[]) {
    const held: Mirror = new Map()
    onAdd(world, C, (e) => held.set(e, (held.get(e) ?? 0) + 1), { existing: true })
    onRemove(world, C, (e) => held.delete(e))
    // A switch is no removal.
    if (C !== Lit) mirrors.push([String(C), [C], held])
  }
  for (const terms of [[A, B], [Lit], [B]] as ComponentLike[][]) {
    const held: Mirror = new Map()
    const query = world.query(...(terms as [typeof A]))
    onEnter(query, (e) => held.set(e, (held.get(e) ?? 0) + 1), { existing: true })
    onExit(query, (e) => held.delete(e))
    mirrors.push([`query(${terms.map(String).join()})`, terms, held])
  }
  return mirrors
}

/** Prepares a world, and returns the change that is to be told. `now` makes the mirrors. */
type Trigger = (world: World, now: () => void) => () => unknown

const atRemoval =
  (C: ComponentLike, change: (world: World, list: Entity[]) => unknown): Trigger =>
  (world, now) => {
    const list = Array.from(
      spawnMany(world, 3, [A, B, Sparse, Lit]),
      (e) => (world.add(e, Held({ name: '' })), e),
    )
    onRemove(world, C, now)
    return () => change(world, list)
  }

const TRIGGERS: [string, Trigger][] = [
  ['onAdd of a spawn', (world, now) => (onAdd(world, A, now), () => world.spawn(A, B))],
  ['onAdd of many spawned', (world, now) => (onAdd(world, A, now), () => spawnMany(world, 3, [A, B]))],
  ['onRemove of a destroy', atRemoval(A, (world, [e]) => world.destroy(e as Entity))],
  ['onRemove of many destroyed', atRemoval(A, (world, list) => destroyMany(world, list))],
  ['onRemove of a destroy by query', atRemoval(Sparse, (world) => destroyMany(world.query(A)))],
  ['onRemove of a removal', atRemoval(A, (world, [e]) => world.remove(e as Entity, A, B))],
  ['onRemove of a removal by query', atRemoval(B, (world) => removeMany(world.query(A), A, B))],
  ['onRemove of a removal from many', atRemoval(B, (world, list) => removeMany(world, list, A, B))],
  [
    'onRemove of an exchange',
    atRemoval(A, (world, [e]) => world.exchange(e as Entity, [A], [R(e as Entity)])),
  ],
  [
    'onRemove of an exchange with itself',
    atRemoval(A, (world, [e]) => world.exchange(e as Entity, [A], [A])),
  ],
  ['onRemove of an object', atRemoval(Held, (world, [e]) => world.remove(e as Entity, Held))],
  ['onRemove of a clear', atRemoval(A, (world) => clearWorld(world))],
  ['onRemove of a reset', atRemoval(A, (world) => resetWorld(world))],
  [
    'onExit of an exchange',
    (world, now) => {
      const e = world.spawn(A)
      onExit(world.query(A), now)
      return () => world.exchange(e, [A], [B])
    },
  ],
  [
    'onExit of a switch',
    (world, now) => {
      const [e] = spawnMany(world, 2, [Lit])
      onExit(world.query(Lit), now)
      return () => world.disable(e, Lit)
    },
  ],
  [
    'onExit of a switch by query',
    (world, now) => {
      spawnMany(world, 2, [A, Lit])
      onExit(world.query(Lit), now)
      return () => disableMany(world.query(A), Lit)
    },
  ],
  [
    'onRemove of a link whose target dies',
    (world, now) => {
      const target = world.spawn(A)
      world.spawn(A, B, R(target))
      onRemove(world, R, now)
      return () => world.destroy(target)
    },
  ],
  [
    'onRemove of a family that dies',
    (world, now) => {
      const owner = world.spawn(A)
      const child = world.spawn(A, B, Owner(owner))
      world.spawn(A, B, Owner(child), R(owner))
      onRemove(world, A, now)
      return () => world.destroy(owner)
    },
  ],
  [
    'onRemove of a link to another target',
    (world, now) => {
      const child = world.spawn(A, R(world.spawn()))
      onRemove(world, R, now)
      return () => world.add(child, R(world.spawn(B)))
    },
  ],
  [
    'onRemove, in which the listener changes more',
    (world, now) => {
      const [e, other] = spawnMany(world, 2, [A, B])
      onRemove(world, A, () => {
        world.spawn(A, B)
        world.remove(other, B)
        now()
      })
      return () => world.remove(e, A)
    },
  ],
  [
    'onRemove in a block',
    (world, now) => {
      const [e, other] = spawnMany(world, 2, [A, B])
      onRemove(world, A, now)
      return () => world.batch(() => (world.remove(e, A), world.destroy(other), world.spawn(A, B)))
    },
  ],
  [
    'a block with changes that wait',
    (world, now) => {
      const e = world.spawn(A, B)
      return () => world.batch(() => (world.destroy(e), now()))
    },
  ],
]

describe('A mirror that subscribes with the option existing', () => {
  it.each(TRIGGERS)('holds what exists when it is created in %s', (_, prepare) => {
    const world = watchedWorld()
    let mirrors: ReturnType<typeof mirrorsOf> | undefined
    const change = prepare(world, () => (mirrors ??= mirrorsOf(world)))
    const compare = () => {
      if (mirrors === undefined) expect.unreachable('the mirrors were not made')
      for (const [what, terms, held] of mirrors) {
        const right = Array.from(world.query(...(terms as [typeof A])).entities()).sort((a, b) => a - b)
        expect([what, [...held.keys()].sort((a, b) => a - b)]).toEqual([what, right])
        expect([what, [...held.values()].filter((calls) => calls !== 1)]).toEqual([what, []])
      }
    }
    change()
    compare()
    world.spawn(A, B, Sparse, Lit)
    compare()
    destroyMany(world.query(A))
    compare()
  })
})

describe('A listener with the option existing, subscribed in a listener of a removal', () => {
  it('is called when the change is applied, and before what the listener has changed', () => {
    const world = watchedWorld()
    const [e] = spawnMany(world, 2, [A])
    const log: string[] = []
    onRemove(world, A, () => {
      world.spawn(A)
      onAdd(world, A, (entity) => log.push(`${entity} ${world.has(e, A)} ${world.query(A).count}`), {
        existing: true,
      })
      log.push('made')
    })
    world.remove(e, A)
    expect(log).toEqual(['made', '2 false 1', '3 false 2'])
  })

  it('is not called if it has unsubscribed by then', () => {
    const world = watchedWorld()
    const [e] = spawnMany(world, 2, [A])
    let calls = 0
    onRemove(world, A, () => onAdd(world, A, () => calls++, { existing: true })())
    world.remove(e, A)
    expect(calls).toBe(0)
  })

  it('stops at its error, which the change throws', () => {
    const world = watchedWorld()
    const [e] = spawnMany(world, 2, [A])
    let calls = 0
    onRemove(world, A, () => {
      const throws = () => {
        calls++
        throw new Error('full')
      }
      onAdd(world, A, throws, { existing: true })
    })
    expect(() => world.remove(e, A)).toThrow('full')
    expect(world.has(e, A)).toBe(false)
    world.spawn(A)
    expect(calls).toBe(1)
  })
})

it.each(['table', 'sparse', 'stable'] as const)(
  'reports components that are switched off, too: %s',
  (storage) => {
    const Shield = component('Shield', { left: u8 }, { storage: STORED[storage], toggle })
    const world = watchedWorld()
    const shields = [world.spawn(Shield), world.spawn(Shield)]
    world.disable(shields[1] as Entity, Shield)
    const told: Entity[] = []
    onAdd(world, Shield, (entity) => told.push(entity), { existing: true })
    expect(told.sort()).toEqual(shields)
  },
)

it('a listener subscribed inside a postponed listener call is called immediately', () => {
  const world = watchedWorld()
  const [a, b] = [world.spawn(A), world.spawn(A)]
  const marked = world.spawn(B)
  const told: [string, Entity][] = []
  const first = (entity: Entity) => {
    told.push(['first', entity])
    if (entity === a) onAdd(world, A, (each) => told.push(['second', each]), { existing: true })
  }
  onRemove(world, B, () => void onAdd(world, A, first, { existing: true }))
  world.remove(marked, B)
  expect(told).toEqual([
    ['first', a],
    ['second', a],
    ['second', b],
    ['first', b],
  ])
})

it('a listener subscribed in the second half of an exchange is called immediately, even if another was called in the first', () => {
  const world = watchedWorld()
  const [a, marked] = [world.spawn(A), world.spawn(B)]
  const told: string[] = []
  onRemove(world, B, () => {})
  const stop = onAdd(world, A, () => {
    stop()
    onAdd(world, A, (entity) => told.push(entity === a ? 'first' : 'new'), { existing: true })
    told.push('subscribed')
  })
  world.exchange(marked, [B], [A])
  expect(told).toEqual(['first', 'new', 'subscribed'])
})
