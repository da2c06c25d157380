// Shows that a link that outlived its target holds again, everywhere, once spawnAt has revived the target's handle.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  cloneEntity,
  component,
  createCommands,
  createHistory,
  destroyMany,
  digestWorld,
  f32,
  forkWorld,
  not,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  relation,
  createRemovalReader,
  removeMany,
  restoreWorld,
  snapshotWorld,
  spawnAt,
  spawnManyAt,
  onChange,
  sweepReferences,
  tag,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const KINDS = [
  ['exclusive', relation('Recalls', { since: f32 }, { exclusive: true, onTargetDestroy: 'keep' })],
  ['to many targets', relation('Mourns', { since: f32 }, { onTargetDestroy: 'keep' })],
] as const

const [Far, Near] = [tag('Far'), tag('Near')]
const Needs = relation('Needs', { onTargetDestroy: 'destroy' })

describe.each(KINDS)('A kept link, %s,', (_, K) => {
  /** A target with three sources, which have changed their order, and one that has another target. */
  function mourned() {
    const world = watchedWorld()
    const [target, other] = [world.spawn(Position), world.spawn(Position)]
    const sources = Array.from({ length: 3 }, (_, i) => world.spawn(Position, K(target, { since: i })))
    world.spawn(K(other))
    const [a, b, c] = sources as [Entity, Entity, Entity]
    world.reorder(c, K(target), { before: a })
    const holds = () => ({
      has: [c, a, b].map((source) => world.has(source, K(target))),
      target: [c, a, b].map((source) => world.target(source, K) === target),
      count: world.sourceCount(target, K),
      sources: [...world.sources(target, K)],
      query: [...world.query(Position, K(target)).entities()].sort(),
      without: world.query(Position, K(target)).count,
    })
    return { world, target, sources, a, b, c, holds, before: holds() }
  }

  it('that was removed meanwhile has no effect when its target comes back, whatever the world remembers of it', () => {
    const moves = [false, true].map((isRemembered) => {
      const { world, target, sources } = mourned()
      const rest = world.spawn(Position)
      world.destroy(rest)
      // From now on the dead to whom links are kept are remembered.
      if (isRemembered) spawnAt(world, rest, Position)
      else world.spawn(Position)
      world.destroy(target)
      removeMany(world, sources, K)
      const all = world.query(K)
      const before = all.version
      spawnAt(world, target, Position)
      return all.version - before
    })
    expect(moves[1]).toBe(moves[0])
  })

  it('that was removed meanwhile notifies no subscriber of its target, which comes back with a link and matches nothing', () => {
    const { world, target, sources } = mourned()
    const lone = world.spawn()
    spawnAt(world, 777)
    world.destroy(target)
    removeMany(world, sources, K)
    let calls = 0
    onChange(world.query(K, Near), () => void calls++)
    spawnAt(world, target, K(lone))
    expect(calls).toBe(0)
  })

  it.each([
    ['spawnAt', (w: Mourned) => spawnAt(w.world, w.target, Position)],
    ['spawnAt without components', (w: Mourned) => spawnAt(w.world, w.target)],
    ['spawnAt in a loop', (w: Mourned) => w.world.batch(() => spawnAt(w.world, w.target, Position))],
    [
      'spawnManyAt',
      (w: Mourned) =>
        spawnManyAt(
          w.world,
          [w.world.spawn(), w.target].filter((e) => w.world.destroy(e) || e === w.target),
          [Position],
        ),
    ],
    [
      'spawnManyAt in a loop',
      (w: Mourned) => w.world.batch(() => spawnManyAt(w.world, [w.target], [Position])),
    ],
    [
      'a command buffer',
      (w: Mourned) => {
        const commands = createCommands(w.world)
        commands.spawnAt(w.target, Position)
        commands.apply()
      },
    ],
  ])('holds for every call that reads it once its target is back by %s', (_, bringBack) => {
    const mourning = mourned()
    const { world, target, holds, before } = mourning
    for (let time = 0; time < 3; time++) {
      world.destroy(target)
      bringBack(mourning)
      expect(holds()).toEqual(before)
      checkInvariants(world)
    }
  })

  it('comes before links made later, and ends like any other', () => {
    const { world, target, a, b, c } = mourned()
    const version = world.query(K(target)).version
    world.destroy(target)
    world.remove(a, K)
    spawnAt(world, target)
    const late = world.spawn(K(target))
    expect([...world.sources(target, K)]).toEqual([c, b, late])
    expect(world.query(K(target)).version).not.toBe(version)
    world.remove(c, K)
    world.destroy(b)
    expect([...world.sources(target, K)]).toEqual([late])
  })

  it.each(['spawnAt', 'spawnManyAt', 'a block', 'a buffer'])(
    'holds when its target comes back with links by %s',
    (way) => {
      for (const isHeard of [false, true]) {
        const { world, target, c, a, b } = mourned()
        // Such a query concerns every entity, so the rows that targets get are changes that it has to look at.
        if (isHeard) onEnter(world.query(not(Far)), () => {})
        const [first, second] = [world.spawn(Position), world.spawn(Position)]
        world.destroy(target)
        const links = [K(first), Needs(second)] as const
        const commands = createCommands(world)
        if (way === 'spawnAt') spawnAt(world, target, ...links)
        else if (way === 'spawnManyAt') spawnManyAt(world, [target], links)
        else if (way === 'a block') world.batch(() => spawnManyAt(world, [target], links))
        else commands.spawnAt(target, ...links)
        commands.apply()
        expect([...world.sources(target, K)]).toEqual([c, a, b])
        expect([...world.sources(first, K)]).toEqual([target])
        expect([...world.sources(second, Needs)]).toEqual([target])
        checkInvariants(world)
      }
    },
  )

  it.each(['at once', 'in a block'])('is reported to subscribers when its target comes back %s', (when) => {
    for (const Told of [K, Needs]) {
      const { world, target } = mourned()
      const other = world.spawn()
      onEnter(world.query(not(Far)), () => {})
      world.destroy(target)
      const query = Told === K ? world.query(K(target)) : world.query(Needs(other))
      let told = 0
      onChange(query, () => void (told = query.count))
      if (when === 'at once') spawnAt(world, target, Needs(other))
      else world.batch(() => spawnAt(world, target, Needs(other)))
      expect(told).toBe(Told === K ? 3 : 1)
    }
  })

  it('is reported only to subscribers whose query names the relation', () => {
    const Queued = tag('Queued', { order: 'insertion' })
    const Model = tag('Model', { excludeFromQueries: true })
    for (const [terms, calls] of [
      [[Queued], 0],
      [[Queued, K], 1],
    ] as const) {
      const { world, target } = mourned()
      const other = world.spawn(Model)
      world.destroy(target)
      createCommands(world).spawnAt(target, Near)
      world.add(target, Far)
      let told = 0
      onChange(world.query(...terms), () => void told++)
      // The links to it hold again before the first new one. Where tags keep entities out, any move counts for who asks of several.
      world.add(other, Needs(target), Far)
      expect([world.sourceCount(target, K), told]).toEqual([3, calls])
    }
  })

  it.each(['at once', 'in a block'])(
    'matches no entity in a query with another target while its own is gone %s',
    (when) => {
      const { world, target, a } = mourned()
      const other = world.spawn()
      world.add(a, Needs(other))
      if (when === 'at once') world.destroy(target)
      else world.batch(() => world.destroy(target))
      expect(world.query(Needs(other), K(target)).count).toBe(0)
      expect(world.query(Needs(other), not(K(target))).count).toBe(1)
      expect(world.has(a, K(target))).toBe(true)
    },
  )

  it.each(['at once', 'in a block'])(
    'is not reported when it is not involved in its target coming back %s',
    (when) => {
      const ways = [
        ({ world, target }: Mourned) => void spawnAt(world, target, Far),
        ({ world, target }: Mourned) => void spawnManyAt(world, [target], [Far]),
      ]
      for (const come of ways) {
        const made = mourned()
        const { world, target } = made
        const told: string[] = []
        for (const [name, C] of [
          ['far', Far],
          ['near', Near],
        ] as const) {
          onEnter(world.query(not(C)), (entity) => void (entity === target && told.push(`not ${name}`)))
          onExit(world.query(not(C)), (entity) => void (entity === target && told.push(`${name} again`)))
        }
        world.destroy(target)
        told.length = 0
        if (when === 'at once') come(made)
        else world.batch(() => come(made))
        expect(told).toEqual(['not near'])
      }
    },
  )

  it.each(['at once', 'in a block', 'by a buffer', 'by a destroy of many'])(
    'is reported to listeners %s: its sources leave when the target dies, and enter when it is back',
    (when) => {
      const { world, target, a, b, c } = mourned()
      const lone = world.spawn(Position)
      const told: string[] = []
      const follow = (name: string, query: ReturnType<typeof world.query>) => {
        onEnter(query, (entity) => void told.push(`${name}+${entity}`))
        onExit(query, (entity) => void told.push(`${name}-${entity}`))
      }
      follow('with', world.query(K(target)))
      follow('without', world.query(Position, not(K(target))))
      follow('of another', world.query(K(lone)))
      const commands = createCommands(world)
      const die = () => {
        if (when === 'by a destroy of many') destroyMany(world, [lone, target])
        else if (when === 'by a buffer') commands.destroy(target)
        else world.destroy(target)
      }
      const comeBack = () =>
        when === 'by a buffer' ? commands.spawnAt(target, Far) : spawnAt(world, target, Far)
      const made = (change: () => void) => {
        told.length = 0
        if (when === 'in a block') world.batch(change)
        else change()
        commands.apply()
        return [...told].sort()
      }
      const all = [a, b, c]
      const gone = [target, ...(when === 'by a destroy of many' ? [lone] : [])]
      for (let time = 0; time < 2; time++) {
        const leave = all.flatMap((source) => [`with-${source}`, `without+${source}`])
        const dead = time === 0 ? gone.map((entity) => `without-${entity}`) : []
        expect(made(die)).toEqual([...leave, ...dead].sort())
        expect(made(comeBack)).toEqual(all.flatMap((one) => [`with+${one}`, `without-${one}`]).sort())
        expect(world.query(K(target)).count).toBe(3)
      }
    },
  )

  it('is reported once for a copy that is made in the block in which its target comes back', () => {
    for (const isMany of [false, true]) {
      const { world, target, a } = mourned()
      world.destroy(target)
      const entered: number[] = []
      onEnter(world.query(K(target)), (entity) => void entered.push(entity))
      const copy = world.batch(() => {
        const made = cloneEntity(world, a)
        if (isMany) spawnManyAt(world, [target], [Far])
        else spawnAt(world, target, Far)
        return made
      })
      expect(entered.filter((entity) => entity === copy)).toEqual([copy])
      expect(entered.length).toBe(4)
    }
  })

  it('defers no set of a listener when it holds again, with listeners of its own or without', () => {
    for (const isHeard of [false, true]) {
      const { world, target, a } = mourned()
      world.destroy(target)
      if (isHeard) onEnter(world.query(K(target)), () => {})
      const seen: unknown[] = []
      onAdd(world, Far, () => {
        world.set(a, Position, { x: 5 })
        seen.push(world.get(a, Position)?.x)
      })
      spawnAt(world, target, Far)
      expect(seen).toEqual([5])
    }
  })

  it('gives a target reserved by a buffer no row before its components, and holds once it has them', () => {
    const { world, target, holds, before } = mourned()
    world.destroy(target)
    const told: string[] = []
    onEnter(world.query(not(Far)), (entity) => void (entity === target && told.push('enter')))
    onExit(world.query(not(Far)), (entity) => void (entity === target && told.push('exit')))
    const commands = createCommands(world)
    commands.spawnAt(target, Far)
    expect(world.isAlive(target)).toBe(true)
    expect([world.query(K(target)).count, world.query(Position, not(K(target))).count]).toEqual([0, 4])
    commands.apply()
    expect(told).toEqual([])
    expect(holds()).toEqual({ ...before })
    checkInvariants(world)
  })

  it('is stale again when the buffer that reserved its target is cleared, and holds when it comes back later', () => {
    const { world, target, holds, before } = mourned()
    world.destroy(target)
    const commands = createCommands(world)
    commands.spawnAt(target, Far)
    commands.clear()
    expect(world.isAlive(target)).toBe(false)
    commands.spawnAt(target, Far)
    world.add(target, Position)
    commands.clear()
    expect(world.isAlive(target)).toBe(true)
    expect(holds()).toEqual(before)
    checkInvariants(world)
  })

  it('holds again for copies that were made while the target was gone', () => {
    const { world, target, a, b, c } = mourned()
    world.destroy(target)
    const copy = cloneEntity(world, b)
    spawnAt(world, target)
    expect([...world.sources(target, K)].sort()).toEqual([a, b, c, copy].sort())
  })

  it('holds whatever the world knew before: in a fork, after a restore, after a rewind', () => {
    const { world, target, holds, before } = mourned()
    spawnAt(world, 777)
    const history = createHistory(world, { frames: 2 })
    world.destroy(target)
    history.save()
    const gone = snapshotWorld(world)
    const digests = ['here', 'restored', 'rewound'].map((how) => {
      if (how === 'restored') restoreWorld(world, gone)
      if (how === 'rewound') history.rewind(0)
      spawnAt(world, target, Position)
      expect(holds()).toEqual(before)
      return digestWorld(world)
    })
    restoreWorld(world, gone)
    const twin = forkWorld(world)
    spawnAt(twin, target, Position)
    expect(twin.sourceCount(target, K)).toBe(3)
    expect(new Set([...digests, digestWorld(twin)]).size).toBe(1)
  })

  it.each(['spawnAt', 'spawnManyAt', 'a buffer'] as const)(
    'that was removed meanwhile changes nothing of what a block reports: its target comes back by %s',
    (call) => {
      const told = ['went on', 'restored', 'forked', 'rewound'].map((way) => {
        let world = watchedWorld()
        const [target, other] = [world.spawn(Position), world.spawn(Position)]
        const [source, entity] = [world.spawn(Position, K(target)), world.spawn(Position)]
        world.destroy(other)
        // From now on the dead to whom links are kept are remembered.
        spawnAt(world, other, Position)
        const history = createHistory(world, { frames: 2 })
        world.destroy(target)
        world.remove(source, K)
        history.save()
        if (way === 'restored') restoreWorld(world, snapshotWorld(world))
        if (way === 'forked') world = forkWorld(world)
        if (way === 'rewound') history.rewind(0)
        const heard: string[] = []
        onAdd(world, Near, () => heard.push('added'))
        onRemove(world, Near, () => heard.push('removed'))
        const reader = createRemovalReader(world, Near)
        const commands = createCommands(world)
        world.batch(() => {
          world.add(entity, Near)
          if (call === 'spawnAt') spawnAt(world, target, Position)
          else if (call === 'spawnManyAt') spawnManyAt(world, [target], [Position])
          else {
            commands.spawnAt(target, Position)
            commands.apply()
          }
          world.remove(entity, Near)
        })
        return [...heard, ...reader.read().map(({ died }) => (died ? 'died' : 'read'))].join()
      })
      expect(new Set(told).size).toBe(1)
    },
  )

  it('names its stale target before and after a sweep of references, which leaves links alone', () => {
    const { world, target, a, holds, before } = mourned()
    world.destroy(target)
    expect(sweepReferences(world)).toBe(0)
    expect(world.has(a, K(target))).toBe(true)
    expect(world.target(a, K)).toBe(target)
    expect([...world.targets(a, K)]).toEqual([target])
    spawnAt(world, target, Position)
    expect(holds()).toEqual(before)
  })
})

type Mourned = { world: ReturnType<typeof watchedWorld>; target: Entity }
