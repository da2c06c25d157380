// Shows that a change which listeners are told of before it is made cannot fail: they take all memory that is left, and it is made all
// the same. It is refused where it would be refused without them, and then nobody is told.

import { describe, expect, it } from 'vitest'
import {
  LimitError,
  addMany,
  component,
  endFrame,
  f32,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  relation,
  removeMany,
  spawnMany,
  text,
  u32,
  vec,
  type ComponentLike,
  type Entity,
  type World,
} from '../../bindings/index'
import { Frozen, KINDS, Position, declare } from '../support/kinds'
import { leaveFree, succeeds, tryEveryAmount } from '../support/scarcity'
import { watchedWorld } from '../support/watched'

const MEMORY = { initial: 2 ** 20, maximum: 2 ** 20 }
const COUNT = 300

const Wide = component('Wide', { list: vec(f32, 40), n: u32 })
const Named = component('Named', { name: text })
const Brief = component('Brief', { list: vec(f32, 40) }, { lifetime: 'frame' })
const Follows = relation('Follows', { since: u32 }, { exclusive: true })
const Knows = relation('Knows')
const Mesh = object<{ id: number }>('Mesh')

/** A world before a change: the change, and what it makes entities lose. */
interface Scene {
  readonly make: () => unknown
  readonly lost: ComponentLike
}

/** Entities of two archetypes with something that changes take from them. */
function peopled(world: World, lost: ComponentLike): Entity[] {
  const first = spawnMany(world, COUNT / 2, [Position, lost] as never)
  const second = spawnMany(world, COUNT / 2, [Position, Wide({ n: 1 }), lost] as never)
  return [...first, ...second] as Entity[]
}

const changes: Record<string, (world: World, lost: ComponentLike) => () => unknown> = {
  'remove of one entity': (world, lost) => {
    const e = peopled(world, lost)[1] as Entity
    return () => world.remove(e, lost, Position)
  },
  'exchange of one entity': (world, lost) => {
    const [e] = peopled(world, lost)
    return () => world.exchange(e as Entity, [lost], [Named({ name: 'Ada' }), Wide])
  },
  'exchange that starts over': (world, lost) => {
    const e = peopled(world, lost)[COUNT - 1] as Entity
    return () => world.exchange(e, [lost, Wide], [lost, Wide({ n: 2 }), Named])
  },
  'removeMany of a list': (world, lost) => {
    const list = peopled(world, lost).slice(20, COUNT - 20)
    return () => removeMany(world, list, lost, Position)
  },
  'removeMany of a query': (world, lost) => {
    peopled(world, lost)
    const query = world.query(lost)
    return () => removeMany(query, lost, Position)
  },
  'removeMany of what a value decides': (world, lost) => {
    peopled(world, lost)
    const query = world.query(Wide, lost).where(Wide, 'n', '>', 0)
    return () => removeMany(query, lost, Position)
  },
  'removeMany of a slice': (world, lost) => {
    peopled(world, lost)
    const slice = world.query(lost).slice(30, 250)
    return () => removeMany(slice, lost, Position)
  },
}

/** Everything about the entities of a world. */
const dump = (world: World, lost: ComponentLike): string =>
  [Position, Wide, Named, lost].map((one) => [...world.query(one).entities()].join()).join('/')

/**
 * Makes a change in a world whose listeners take all memory that is left, and in one without listeners, for every amount of memory.
 *
 * @param lists whether it needs memory for a list in addition, because a listener may write what decides
 */
function expectToHold(prepare: (world: World) => Scene, lists = false): void {
  tryEveryAmount(
    (kib) => {
      const [heard, quiet] = [watchedWorld({ memory: MEMORY }), watchedWorld({ memory: MEMORY })]
      const { make, lost } = prepare(heard)
      const twin = prepare(quiet)
      const before = dump(heard, lost)
      expect(dump(quiet, lost)).toBe(before)
      const log: string[] = []
      onRemove(heard, lost, (e) => {
        log.push(`remove ${e}`)
        leaveFree(heard, 0)
      })
      onAdd(heard, lost, (e) => void log.push(`add ${e}`))
      onEnter(heard.query(lost), (e) => void log.push(`enter ${e}`))
      onExit(heard.query(lost), (e) => void log.push(`exit ${e}`))
      for (const world of [heard, quiet]) leaveFree(world, kib)
      const isMade = succeeds(make)
      if (isMade || !lists) expect(succeeds(twin.make)).toBe(isMade)
      expect(dump(heard, lost)).toBe(isMade ? dump(quiet, lost) : before)
      expect(log.length > 0).toBe(isMade)
      return isMade
    },
    { step: 2 },
  )
}

describe.each(KINDS)('a change that is announced, of what is kept as %s', (kind) => {
  it.each(Object.entries(changes))('is made, whatever its listeners take: %s', (name, prepare) => {
    const lost = declare('Gone', kind)
    expectToHold((world) => ({ make: prepare(world, lost), lost }), name.endsWith('decides'))
  })
})

describe('a change that is announced', () => {
  it('of a link is made, whatever its listeners take', () => {
    for (const Link of [Follows, Knows] as const)
      expectToHold((world) => {
        const [a, b] = [world.spawn(Position), world.spawn()]
        const e = world.spawn(Wide, Link(a as never), Mesh({ id: 1 }))
        world.spawn(Wide, Link(a as never))
        return { make: () => world.exchange(e, [Wide, Link], [Position, Link(b as never)]), lost: Link }
      })
  })

  it('by the end of a frame is made, whatever its listeners take', () => {
    expectToHold((world) => {
      peopled(world, Brief)
      world.spawn(Brief)
      return { make: () => endFrame(world), lost: Brief }
    })
  })

  it('takes along what a listener made cease to match, and nothing else', () => {
    const world = watchedWorld()
    const entities = spawnMany(world, 90, [Wide({ n: 1 }), Frozen])
    const log: number[] = []
    onRemove(world, Frozen, (e) => {
      if (log.push(e) === 1) for (const one of entities) world.set(one, Wide, { n: 0 })
    })
    expect(removeMany(world.query(Wide, Frozen).where(Wide, 'n', '>', 0), Frozen)).toBe(90)
    expect(log).toEqual([...entities])
    expect(world.query(Frozen).count).toBe(0)
  })
})

describe('a change that finds no memory', () => {
  it('of many changes none of them, also of a slice', () => {
    const world = watchedWorld({ memory: MEMORY })
    for (let i = 0; i < 600; i++) world.spawn(Position)
    const told: Entity[] = []
    onAdd(world, Wide, (e) => void told.push(e))
    onEnter(world.query(Wide), (e) => void told.push(e))
    leaveFree(world, 40)
    expect(() => addMany(world.query(Position).slice(0, 500), Wide({ n: 1 }))).toThrow(LimitError)
    expect(world.query(Wide).count).toBe(0)
    expect(told).toEqual([])
  })
})
