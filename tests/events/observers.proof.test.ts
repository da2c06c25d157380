// Shows which events listeners get, when, in which order and exactly once, for every way to make a change.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  clearWorld,
  cloneEntity,
  createAccessor,
  createCommands,
  destroyMany,
  disableMany,
  queueDestroy,
  enableMany,
  endFrame,
  NULL_ENTITY,
  added,
  any,
  changed,
  component,
  createWorld,
  not,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  optional,
  relation,
  createRemovalReader,
  removeMany,
  resetWorld,
  spawnMany,
  tag,
  toggle,
  u16,
  type ComponentLike,
  type Entity,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { Frozen, KINDS, Position, Velocity, declare, numbered } from '../support/kinds'
import { proofLength } from '../support/proofs'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED, TABLE_AND_POOL } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { ENDS } from '../support/world'

/** Everything that is told of some components, as words. */
function logOf(world: World, ...components: ComponentLike[]): string[] {
  const log: string[] = []
  for (const kind of components) {
    const name = kind.componentName
    onAdd(world, kind, (e) => log.push(`add ${name} ${e}`))
    onSet(world, kind, (e) => log.push(`set ${name} ${e}`))
    onRemove(world, kind, (e) => log.push(`remove ${name} ${e}`))
  }
  return log
}

describe.each(KINDS)('a listener to a component, storage %s', (kind) => {
  const C = declare('C', kind)
  const D = declare('D', kind)

  it('is called once for a spawn and once for a destroy, and for nothing else', () => {
    const world = watchedWorld()
    const log = logOf(world, C)
    const e = world.spawn(C, D)
    world.remove(e, D)
    world.add(e, D)
    world.add(e, C)
    expect(log.splice(0)).toEqual([`add C ${e}`])
    world.destroy(e)
    world.destroy(e)
    expect(log).toEqual([`remove C ${e}`])
  })

  it('is called after a component is added, and before it is removed', () => {
    const world = watchedWorld()
    const e = world.spawn(D)
    const there: unknown[] = []
    onAdd(world, C, (entity, given) => there.push(['add', given === world, given.has(entity, C)]))
    onRemove(world, C, (entity) => there.push(['remove', world.has(entity, C)]))
    world.add(e, C)
    world.remove(e, C)
    world.remove(e, C)
    expect(there).toEqual([
      ['add', true, true],
      ['remove', true],
    ])
  })

  it('is not called after it unsubscribes, and is called again once it subscribes again', () => {
    const world = watchedWorld()
    const heard: string[] = []
    const listen = () => onAdd(world, C, () => heard.push('again'))
    const stop = listen()
    stop()
    stop()
    world.spawn(C)
    expect(heard).toEqual([])
    const stopAgain = listen()
    stop()
    world.spawn(C)
    expect(heard).toEqual(['again'])
    stopAgain()
  })

  it('with existing is called immediately for every entity that has it, once each', () => {
    const world = watchedWorld()
    const handles = [...spawnMany(world, 70, [C]), world.spawn(C, D)]
    world.spawn(D)
    const heard: number[] = []
    onAdd(world, C, (e) => heard.push(e), { existing: true })
    expect(heard.sort((a, b) => a - b)).toEqual(handles.sort((a, b) => a - b))
    heard.length = 0
    const next = world.spawn(C)
    expect(heard).toEqual([next])
  })

  it.each(ROW_COUNTS.filter((n) => n < 1000))('is called exactly once for each of %i in bulk', (n) => {
    const world = watchedWorld()
    const log = { add: [] as number[], remove: [] as number[] }
    onAdd(world, C, (e) => log.add.push(world.has(e, C) ? e : -1))
    onRemove(world, C, (e) => log.remove.push(world.has(e, C) ? e : -1))
    const told = (which: 'add' | 'remove') => log[which].splice(0).sort((a, b) => a - b)
    const handles = [...spawnMany(world, n, [C, D])].sort((a, b) => a - b)
    expect(told('add')).toEqual(handles)
    removeMany(world.query(D), C)
    expect(told('remove')).toEqual(handles)
    addMany(world.query(D), C)
    expect(told('add')).toEqual(handles)
    addMany(world.query(D), C)
    expect(told('add')).toEqual([])
    destroyMany(world.query(D))
    expect(told('remove')).toEqual(handles)
    const again = [...spawnMany(world, n, [C])].sort((a, b) => a - b)
    expect(told('add')).toEqual(again)
    destroyMany(world, [...again, NULL_ENTITY, ...again, 12345])
    expect(told('remove')).toEqual(again)
    spawnMany(world, n, [C])
    told('add')
    clearWorld(world)
    expect(told('remove').length).toBe(n)
  })

  it('is called for removals by reset, dispose and clear while the world can still be read', () => {
    for (const end of ['resetWorld', 'dispose', 'clearWorld'] as const) {
      const world = end === 'dispose' ? createWorld() : watchedWorld()
      const e = world.spawn(C)
      const heard: unknown[] = []
      onRemove(world, C, (entity) => heard.push([entity, world.has(entity, C), world.query(C).count]))
      ENDS[end](world)
      expect(heard).toEqual([[e, true, 1]])
    }
  })

  it('stays subscribed through a reset', () => {
    const world = watchedWorld()
    const log = logOf(world, C)
    world.spawn(C)
    resetWorld(world)
    log.length = 0
    const e = world.spawn(C)
    world.remove(e, C)
    expect(log).toEqual([`add C ${e}`, `remove C ${e}`])
  })

  it('a change made in a listener is deferred, and applied before the call returns', () => {
    const world = watchedWorld()
    const log = logOf(world, C, D)
    onAdd(world, C, (e) => {
      world.add(e, D)
      log.push(`D is ${world.has(e, D)}`)
    })
    const e = world.spawn(C)
    expect(log.splice(0)).toEqual([`add C ${e}`, 'D is false', `add D ${e}`])
    const f = world.batch(() => {
      const made = world.spawn()
      world.add(made, C)
      return made
    })
    expect(log).toEqual([`add C ${f}`, 'D is false', `add D ${f}`])
    expect(world.has(f, C, D)).toBe(true)
  })

  it('a listener of a removal may spawn, and change what is being removed', () => {
    const world = watchedWorld()
    const made: Entity[] = []
    onRemove(world, C, (e) => {
      made.push(world.spawn(D))
      world.remove(e, D, C)
      world.add(e, Position)
    })
    const a = world.spawn(C, D)
    const b = world.spawn(C)
    world.destroy(a)
    world.remove(b, C)
    destroyMany(world.query(C))
    expect(made.map((e) => [world.isAlive(e), world.has(e, D)])).toEqual([
      [true, true],
      [true, true],
    ])
    expect([world.isAlive(a), world.has(b, Position)]).toEqual([false, true])
    expect(new Set([...made, a, b]).size).toBe(4)
  })

  it('a listener of a removal removes another element of the same storage: both are gone, each reported once', () => {
    const world = watchedWorld()
    const [a, b, c] = spawnMany(world, 3, [C]) as unknown as [Entity, Entity, Entity]
    const heard: number[] = []
    onRemove(world, C, (e) => {
      heard.push(e)
      if (e === a) world.remove(b, C)
    })
    world.remove(a, C)
    expect(heard).toEqual([a, b])
    expect([a, b, c].map((e) => world.has(e, C))).toEqual([false, false, true])
  })

  it('a listener of an addition adds to the same storage: both are there', () => {
    const world = watchedWorld()
    const other = world.spawn()
    onAdd(world, C, () => world.add(other, C))
    const e = world.spawn(C)
    expect([world.has(e, C), world.has(other, C)]).toEqual([true, true])
  })
})

describe.each(TABLE_AND_POOL)('values and events, storage %s', (storage) => {
  const N = numbered('N', storage)
  const M = numbered('M', storage)

  it('setting an existing component calls onSet only; a set that adds calls onAdd, then onSet', () => {
    const world = watchedWorld()
    const log = logOf(world, N)
    const e = world.spawn()
    world.set(e, N, { value: 1 })
    expect(log.splice(0)).toEqual([`add N ${e}`, `set N ${e}`])
    world.set(e, N, { value: 2 })
    world.add(e, N({ value: 3 }))
    expect(log.splice(0)).toEqual([`set N ${e}`, `set N ${e}`])
    createAccessor(world, N).of(e).value = 4
    world.query(N).each((_, n) => void (n.value = 5))
    expect(log).toEqual([])
  })

  it('onAdd and onSet see the values given, onRemove the last ones', () => {
    const world = watchedWorld()
    const seen: unknown[] = []
    const see = (what: string) => (e: Entity) => seen.push(`${what} ${world.get(e, N)?.value}`)
    onAdd(world, N, see('add'))
    onSet(world, N, see('set'))
    onRemove(world, N, see('remove'))
    const e = world.spawn(N({ value: 1 }))
    world.set(e, N, { value: 2 })
    world.remove(e, N)
    world.batch(() => world.add(e, N({ value: 3 })))
    world.destroy(e)
    spawnMany(world, 2, [N({ value: 4 })])
    addMany(world.query(N), N({ value: 5 }), M)
    destroyMany(world.query(N))
    expect(seen).toEqual(
      ['add 1', 'set 1', 'set 2', 'remove 2', 'add 3', 'set 3', 'remove 3'].concat([
        'add 4',
        'add 4',
        'set 4',
        'set 4',
        'set 5',
        'set 5',
        'remove 5',
        'remove 5',
      ]),
    )
  })

  it.each(['at once', 'deferred'])('spawnMany reports the values that its callback wrote, %s', (when) => {
    const world = watchedWorld()
    const seen: number[] = []
    onAdd(world, N, (e) => seen.push(world.get(e, N)?.value as number))
    const make = () =>
      spawnMany(world, 100, [N], (chunk) => {
        for (let i = chunk.start; i < chunk.end; i++) chunk.cursor(N).at(i).value = 7
      })
    if (when === 'deferred') world.batch(make)
    else make()
    expect(seen).toEqual(new Array(100).fill(7))
  })

  it('what the callback of spawnMany queues is applied after the events', () => {
    const world = watchedWorld()
    const heard: boolean[] = []
    onAdd(world, N, (e) => heard.push(world.isAlive(e)))
    spawnMany(world, 3, [N], (chunk) => world.destroy(chunk.entities[chunk.start] as number))
    expect(heard).toEqual([true, true, true])
    expect(world.query(N).count).toBe(2)
  })

  it('a set made in a listener is visible immediately and reported afterwards, without recursion', () => {
    const world = watchedWorld()
    const log: string[] = []
    let depth = 0
    onSet(world, N, (e) => {
      depth++
      const { value } = world.get(e, N) as { value: number }
      log.push(`${depth}: ${value}`)
      if (value < 3) world.set(e, N, { value: value + 1 })
      depth--
    })
    onSet(world, N, (e) => log.push(`other ${world.get(e, N)?.value}`))
    const e = world.spawn(N({ value: 1 }))
    expect(log).toEqual(['1: 1', 'other 2', '1: 2', 'other 3', '1: 3', 'other 3'])
    log.length = 0
    world.query(N).each((entity) => world.set(entity, N, { value: 9 }))
    expect(log).toEqual(['1: 9', 'other 9'])
    expect(world.isAlive(e)).toBe(true)
  })

  it('a set is reported before the changes queued by listeners to earlier ones are applied', () => {
    const world = watchedWorld()
    const [first, second, third] = spawnMany(world, 3, [N]) as Iterable<Entity> as [Entity, Entity, Entity]
    const log: string[] = []
    onSet(world, N, (e) => {
      log.push(`set ${e}`)
      if (e === first) world.set(second, N, { value: 1 })
      if (e !== second) return
      world.set(third, N, { value: 1 })
      world.add(first, Frozen)
    })
    onAdd(world, Frozen, (e) => {
      log.push('add Frozen')
      world.add(e, Velocity)
    })
    onAdd(world, Velocity, () => log.push('add Velocity'))
    world.set(first, N, { value: 1 })
    expect(log).toEqual([`set ${first}`, `set ${second}`, 'add Frozen', `set ${third}`, 'add Velocity'])
  })

  it('a set made in a listener called for existing entities is reported after all of them', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(N), world.spawn(N)]
    const log: string[] = []
    onSet(world, N, (e) => log.push(`set ${e}`))
    const added = (e: Entity) => {
      world.set(e, N, { value: 1 })
      log.push(`add ${e}`)
    }
    onAdd(world, N, added, { existing: true })
    expect(log).toEqual([`add ${a}`, `add ${b}`, `set ${a}`, `set ${b}`])
  })

  it('exchange reports both sides of one move; a component on both sides starts over', () => {
    const world = watchedWorld()
    const e = world.spawn(N({ value: 1 }))
    const log = logOf(world, N, M)
    world.exchange(e, [N], [M({ value: 2 })])
    expect(log.splice(0)).toEqual([`remove N ${e}`, `add M ${e}`, `set M ${e}`])
    world.exchange(e, [M], [M])
    expect(log.splice(0)).toEqual([`remove M ${e}`, `add M ${e}`])
    world.batch(() => world.exchange(e, [M, N], [N]))
    expect(log).toEqual([`remove M ${e}`, `add N ${e}`])
  })
})

describe.each(TABLE_AND_POOL)('a component that starts over, storage %s', (storage) => {
  const N = numbered('N', storage)
  const M = numbered('M', storage)

  /** What is told of N, and of queries, when it is removed and added again. */
  function followed(world: World) {
    const e = world.spawn(N({ value: 1 }), M)
    const log = logOf(world, N)
    const watch = (name: string, query: any) => {
      onExit(query, () => log.push(`exit ${name}`))
      onEnter(query, () => log.push(`enter ${name}`))
    }
    watch('N', world.query(N))
    watch('N or M', world.query(any(N, M)))
    watch('without N', world.query(M, not(N)))
    return { e, told: () => log.splice(0) }
  }
  const both = (e: Entity) => ['exit N', `remove N ${e}`, `add N ${e}`, 'enter N']

  it.each<[string, (world: World, e: Entity) => void]>([
    ['an exchange', (world, e) => void world.exchange(e, [N], [N])],
    ['a deferred exchange', (world, e) => world.batch(() => world.exchange(e, [N], [N]))],
    [
      'a block',
      (world, e) =>
        world.batch(() => {
          world.remove(e, N)
          world.add(e, N)
        }),
    ],
    [
      'a command buffer',
      (world, e) => {
        const commands = createCommands(world)
        commands.remove(e, N)
        commands.add(e, N)
        commands.apply()
      },
    ],
    [
      'a listener',
      (world, e) => {
        const Called = tag('Called')
        onAdd(world, Called, () => {
          world.remove(e, N)
          world.add(e, N)
        })
        world.spawn(Called)
      },
    ],
  ])('in %s is removed and added, and its queries are left and entered', (_, change) => {
    const world = watchedWorld()
    const { e, told } = followed(world)
    change(world, e)
    expect(told()).toEqual(both(e))
  })

  it('by bulk changes in a block is reported for each of them, as outside a block', () => {
    const world = watchedWorld()
    const { e, told } = followed(world)
    const change = () => {
      removeMany(world.query(M), N)
      addMany(world.query(M), N)
    }
    change()
    const atOnce = told()
    expect(atOnce).toEqual([
      'exit N',
      `remove N ${e}`,
      'enter without N',
      'exit without N',
      `add N ${e}`,
      'enter N',
    ])
    world.batch(change)
    expect(told()).toEqual(atOnce)
  })

  it('does not end a match that another component keeps', () => {
    const world = watchedWorld()
    const e = world.spawn(N, M)
    const log: string[] = []
    const watch = (name: string, query: any) => {
      onExit(query, () => log.push(`exit ${name}`))
      onEnter(query, () => log.push(`enter ${name}`))
    }
    watch('N or M', world.query(any(N, M)))
    watch('M', world.query(M))
    const told = () => log.splice(0)
    world.exchange(e, [N], [N])
    expect(told()).toEqual([])
    // M held the match before, N holds it then: neither starts over.
    world.remove(e, N)
    world.exchange(e, [M], [N])
    expect(told()).toEqual(['exit M'])
    // It is N alone that holds it at the end, and N starts over.
    world.add(e, M)
    expect(told()).toEqual(['enter M'])
    world.exchange(e, [N, M], [N])
    expect(told()).toEqual(['exit N or M', 'exit M', 'enter N or M'])
  })

  it('counts as new for a query only where it was switched off before', () => {
    const world = watchedWorld()
    const Engine = component('Engine', { power: u16 }, { toggle })
    const e = world.spawn(Engine)
    world.disable(e, Engine)
    const log: string[] = []
    onExit(world.query(Engine), () => log.push('exit'))
    onEnter(world.query(Engine), () => log.push('enter'))
    world.exchange(e, [Engine], [Engine])
    expect(log.splice(0)).toEqual(['enter'])
    world.exchange(e, [Engine], [Engine])
    expect(log).toEqual(['exit', 'enter'])
  })
})

describe('the order of events', () => {
  it('is exit, remove, change, then add, set, enter; components as called, listeners as subscribed', () => {
    const world = watchedWorld()
    const log: string[] = []
    onEnter(world.query(Position, not(Frozen)), () => log.push('enter'))
    onExit(world.query(Position, not(Frozen)), () => log.push('exit'))
    for (const kind of [Position, Velocity, Frozen]) {
      onSet(world, kind, () => log.push(`set ${kind.componentName}`))
      onAdd(world, kind, () => log.push(`add ${kind.componentName} 1`))
      onAdd(world, kind, () => log.push(`add ${kind.componentName} 2`))
      onRemove(world, kind, () => log.push(`remove ${kind.componentName}`))
    }
    const e = world.spawn(Velocity({ x: 1 }), Position({ x: 1 }))
    expect(log.splice(0)).toEqual(
      ['add Velocity 1', 'add Velocity 2', 'add Position 1', 'add Position 2'].concat([
        'set Velocity',
        'set Position',
        'enter',
      ]),
    )
    world.add(e, Frozen)
    expect(log.splice(0)).toEqual(['exit', 'add Frozen 1', 'add Frozen 2'])
    world.remove(e, Frozen)
    expect(log.splice(0)).toEqual(['remove Frozen', 'enter'])
    // The world met Position first, in the query: that is the order of registration.
    world.destroy(e)
    expect(log).toEqual(['exit', 'remove Position', 'remove Velocity'])
  })

  it('is component by component in bulk, entities in the order of their rows', () => {
    const world = watchedWorld()
    const log = logOf(world, Position, Velocity)
    const [a, b] = spawnMany(world, 2, [Velocity, Position])
    expect(log.splice(0)).toEqual([
      `add Velocity ${a}`,
      `add Velocity ${b}`,
      `add Position ${a}`,
      `add Position ${b}`,
    ])
    removeMany(world.query(Position), Position, Velocity)
    expect(log).toEqual([
      `remove Position ${a}`,
      `remove Position ${b}`,
      `remove Velocity ${a}`,
      `remove Velocity ${b}`,
    ])
  })
})

describe('subscribing and unsubscribing during events', () => {
  it('a listener unsubscribed by an earlier listener is no longer called', () => {
    const world = watchedWorld()
    const heard: string[] = []
    let stop = () => {}
    onAdd(world, Frozen, () => {
      heard.push('first')
      stop()
    })
    stop = onAdd(world, Frozen, () => heard.push('second'))
    onAdd(world, Frozen, () => heard.push('third'))
    world.spawn(Frozen)
    expect(heard).toEqual(['first', 'third'])
  })

  it('a listener subscribed in a listener is not called for earlier sets', () => {
    const world = watchedWorld()
    const entity = world.spawn(Position)
    const told: [string, number, unknown][] = []
    const listen = (name: string) =>
      onSet(
        world,
        Position,
        (e, before) => told.push([name, world.get(e, Position)?.x as number, before?.x]),
        {
          before: true,
        },
      )
    const early = listen('early')
    onAdd(world, Frozen, () => {
      world.set(entity, Position, { x: 1 })
      // The list of listeners becomes another one.
      early()
      listen('late')
      world.set(entity, Position, { x: 2 })
    })
    listen('still')
    world.add(entity, Frozen)
    expect(told).toEqual([
      ['still', 2, 0],
      ['still', 2, 1],
      ['late', 2, 1],
    ])
  })

  it('a listener subscribed in a listener is called for the next change, not for this one', () => {
    const world = watchedWorld()
    const heard: string[] = []
    const stop = onRemove(world, Position, () => {
      onRemove(world, Frozen, () => heard.push('remove'))
      onAdd(world, Frozen, () => heard.push('add'))
    })
    const e = world.spawn(Position, Frozen)
    world.remove(e, Position, Frozen)
    expect(heard).toEqual([])
    stop()
    world.add(e, Frozen)
    world.remove(e, Frozen)
    expect(heard).toEqual(['add', 'remove'])
  })

  it('a listener of one side of an exchange may subscribe to the other, and is called from the next exchange on', () => {
    const world = watchedWorld()
    const heard: string[] = []
    onAdd(world, Velocity, () => heard.push('old'))
    const stop = onRemove(world, Position, () => void onAdd(world, Velocity, () => heard.push('new')))
    const [first, second] = [world.spawn(Position), world.spawn(Position)]
    world.exchange(first, [Position], [Velocity])
    expect(heard).toEqual(['old'])
    stop()
    world.exchange(second, [Position], [Velocity])
    expect(heard).toEqual(['old', 'old', 'new'])
  })

  it('an error of a listener called for existing entities leaves nothing subscribed', () => {
    const world = watchedWorld()
    world.spawn(Frozen)
    let calls = 0
    const subscribe = () =>
      onAdd(
        world,
        Frozen,
        () => {
          calls++
          throw new Error('no')
        },
        { existing: true },
      )
    expect(subscribe).toThrow('no')
    world.spawn(Frozen)
    expect(calls).toBe(1)
  })
})

describe('a listener that throws', () => {
  it('does not stop the others, nor the change; the first error is thrown at the end', () => {
    const world = watchedWorld()
    const e = world.spawn(Position)
    const heard: string[] = []
    onRemove(world, Position, () => {
      world.add(e, Velocity)
      throw new Error('first')
    })
    onRemove(world, Position, () => heard.push('other'))
    onAdd(world, Velocity, () => {
      heard.push('velocity')
      throw new Error('second')
    })
    expect(() => world.remove(e, Position)).toThrow('first')
    expect(heard).toEqual(['other', 'velocity'])
    expect([world.has(e, Position), world.has(e, Velocity)]).toEqual([false, true])
    checkInvariants(world)
    resetWorld(world)
    expect(world.stats().entities).toBe(0)
  })

  it.each(['spawn', 'spawnMany', 'defer', 'loop', 'set', 'existing set', 'bulk', 'clear', 'reset'])(
    'leaves the world unlocked after %s',
    (road) => {
      const world = watchedWorld()
      const e = world.spawn(Velocity)
      const fail = () => {
        throw new Error('from a handler')
      }
      onAdd(world, Position, fail)
      onSet(world, Velocity, fail)
      onRemove(world, Velocity, fail)
      const roads: Record<string, () => unknown> = {
        spawn: () => world.spawn(Position),
        spawnMany: () => spawnMany(world, 3, [Position]),
        defer: () => world.batch(() => world.add(e, Position)),
        loop: () => world.query(Velocity).each(() => world.set(e, Velocity, { x: 1 })),
        set: () => world.set(e, Position, { x: 1 }),
        'existing set': () => world.set(e, Velocity, { x: 1 }),
        bulk: () => addMany(world.query(Velocity), Position),
        clear: () => clearWorld(world),
        reset: () => resetWorld(world),
      }
      expect(roads[road]).toThrow('from a handler')
      const f = world.spawn(Frozen)
      expect(world.has(f, Frozen)).toBe(true)
      world.remove(f, Frozen)
      expect(world.has(f, Frozen)).toBe(false)
    },
  )

  it('does not keep dispose from freeing the memory', () => {
    const world = createWorld()
    world.spawn(Frozen)
    onRemove(world, Frozen, () => {
      throw new Error('no')
    })
    expect(() => world.dispose()).toThrow('no')
    expect(() => world.stats()).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }))
  })
})

describe('changes queued without end', () => {
  it('end with ENDLESS_EVENTS, and the world goes on', () => {
    const world = watchedWorld()
    const stop = onAdd(world, Frozen, () => world.spawn(Frozen))
    expect(() => world.spawn(Frozen)).toThrow(expect.objectContaining({ code: 'ENDLESS_EVENTS' }))
    stop()
    expect(world.query().count).toBe(world.stats().entities)
    const e = world.spawn(Frozen)
    expect(world.has(e, Frozen)).toBe(true)
  })

  it('end the same way when they are sets, which are not deferred', () => {
    const world = watchedWorld()
    const e = world.spawn(Position)
    onSet(world, Position, () => world.set(e, Position, { x: 1 }))
    expect(() => world.set(e, Position, { x: 2 })).toThrow(
      expect.objectContaining({ code: 'ENDLESS_EVENTS' }),
    )
  })
})

describe('resetWorld and dispose', () => {
  it('drop what listeners queue', () => {
    const world = watchedWorld()
    world.spawn(Frozen)
    onRemove(world, Frozen, () => world.spawn(Position))
    resetWorld(world)
    expect(world.stats().entities).toBe(0)
    expect(world.query(Position).count).toBe(0)
    world.spawn(Velocity)
    expect(world.query(Position).count).toBe(0)
  })

  it('clear applies what listeners queue', () => {
    const world = watchedWorld()
    world.spawn(Frozen)
    let made: Entity = NULL_ENTITY
    onRemove(world, Frozen, () => void (made = world.spawn(Position)))
    clearWorld(world)
    expect(world.has(made, Position)).toBe(true)
    expect(world.stats().entities).toBe(1)
  })
})

describe.each(KINDS)('listeners to queries, storage %s', (kind) => {
  const A = declare('A', kind)
  const B = declare('B', kind)
  const C = declare('C', kind)

  it('an entity enters a query when the last missing component arrives, in either order', () => {
    const world = watchedWorld()
    const both = world.query(A, B)
    const log: string[] = []
    onEnter(both, (e) => log.push(`enter ${e} ${world.has(e, A, B)}`))
    onExit(both, (e) => log.push(`exit ${e} ${world.has(e, A, B)}`))
    const e = world.spawn(A)
    const f = world.spawn(B)
    world.add(e, C)
    expect(log).toEqual([])
    world.add(e, B)
    world.add(f, A)
    expect(log.splice(0)).toEqual([`enter ${e} true`, `enter ${f} true`])
    world.remove(e, C)
    world.add(e, A)
    expect(log).toEqual([])
    world.remove(e, A)
    world.destroy(f)
    expect(log).toEqual([`exit ${e} true`, `exit ${f} true`])
  })

  it('follow not, any and optional', () => {
    const world = watchedWorld()
    const log: string[] = []
    const watch = (name: string, query: ReturnType<World['query']>) => {
      onEnter(query as never, () => log.push(`+${name}`))
      onExit(query as never, () => log.push(`-${name}`))
    }
    watch('not', world.query(not(A)) as never)
    watch('any', world.query(any(A, B)) as never)
    watch('all', world.query() as never)
    watch('opt', world.query(A, optional(C)) as never)
    const told = () => log.splice(0).join(' ')
    const e = world.spawn()
    expect(told()).toBe('+not +all')
    world.add(e, C)
    expect(told()).toBe('')
    world.add(e, A)
    expect(told()).toBe('-not +any +opt')
    world.add(e, B)
    expect(told()).toBe('')
    world.remove(e, A)
    expect(told()).toBe('-opt +not')
    world.exchange(e, [B], [A])
    expect(told()).toBe('-not +opt')
    world.destroy(e)
    expect(told()).toBe('-any -all -opt')
  })

  it('are called for existing matches on request, and for bulk changes', () => {
    const world = watchedWorld()
    spawnMany(world, 65, [A])
    const inside = new Set<number>()
    const query = world.query(A, not(B))
    onEnter(query, (e) => inside.add(e), { existing: true })
    onExit(query, (e) => inside.delete(e))
    expect(inside.size).toBe(65)
    addMany(world.query(A), B)
    expect(inside.size).toBe(0)
    removeMany(world.query(A), B)
    expect(inside.size).toBe(65)
    destroyMany(world.query(A))
    expect(inside.size).toBe(0)
  })

  it.each([relation('ChildOf', { exclusive: true }), relation('Likes')])(
    'with a target are called for entities spawned with links to it, or without: %s',
    (Link) => {
      const world = watchedWorld()
      const [target, other] = [world.spawn(), world.spawn()]
      const [linked, free]: [Entity[], Entity[]] = [[], []]
      onEnter(world.query(A, Link(target)), (e) => linked.push(e))
      onEnter(world.query(A, not(Link(target))), (e) => free.push(e))
      const spawn = () => [
        [world.spawn(A, Link(target)), ...spawnMany(world, 2, [A, Link(target)])],
        [world.spawn(A), world.spawn(A, Link(other)), ...spawnMany(world, 2, [A])],
        [...spawnMany(world, 2, [A, Link(other)])],
      ]
      for (const how of [spawn, () => world.batch(spawn)]) {
        const [links, ...others] = how()
        expect([linked.splice(0), free.splice(0).sort()]).toEqual([links, others.flat().sort()])
      }
    },
  )
})

describe.each(TABLE_AND_POOL)('switching on and off, storage %s', (storage) => {
  const Engine = component('Engine', { power: u16 }, { storage: STORED[storage], toggle })
  const Other = numbered('Other', storage)

  function followed(world: World) {
    const log: string[] = []
    onEnter(world.query(Engine), (e) => log.push(`enter ${world.isEnabled(e, Engine)}`))
    onExit(world.query(Engine), (e) => log.push(`exit ${world.isEnabled(e, Engine)}`))
    onEnter(world.query(not(Engine)), () => log.push('without'))
    onExit(world.query(not(Engine)), () => log.push('no longer without'))
    onAdd(world, Engine, () => log.push('onAdd'))
    onRemove(world, Engine, () => log.push('onRemove'))
    return () => log.splice(0)
  }

  it('a query is left before a component is switched off, and entered when it is switched on', () => {
    const world = watchedWorld()
    const e = world.spawn(Engine)
    const told = followed(world)
    expect(world.disable(e, Engine)).toBe(true)
    expect(told()).toEqual(['exit true', 'without'])
    world.disable(e, Engine)
    world.add(e, Other, Engine)
    world.remove(e, Other)
    expect(told()).toEqual([])
    world.enable(e, Engine)
    expect(told()).toEqual(['no longer without', 'enter true'])
    world.disable(e, Engine)
    told()
    world.remove(e, Engine)
    expect(told()).toEqual(['onRemove'])
    world.add(e, Engine)
    expect(told()).toEqual(['no longer without', 'onAdd', 'enter true'])
  })

  it('works in bulk, in a loop and in a listener', () => {
    const world = watchedWorld()
    const inside = new Set<number>()
    const query = world.query(Engine)
    onEnter(query, (e) => inside.add(e), { existing: true })
    onExit(query, (e) => inside.delete(e))
    const same = () => expect([...inside].sort()).toEqual([...query.entities()].sort())
    const handles = spawnMany(world, 130, [Engine], (chunk) => {
      for (let i = chunk.start; i < chunk.end; i++) chunk.cursor(Engine).at(i).power = i
    })
    world.disable(handles[3], Engine)
    same()
    disableMany(query.where(Engine, 'power', '>', 50), Engine)
    same()
    expect(inside.size).toBeLessThan(130)
    enableMany(query, Engine)
    same()
    expect(inside.size).toBe(130)
    query.each((e) => void (e % 2 === 0 && world.disable(e, Engine)))
    same()
    disableMany(query.slice(3, 8), Engine)
    same()
    const stop = onRemove(world, Other, (e) => void world.disable(e, Engine))
    const f = world.spawn(Engine, Other)
    world.remove(f, Other)
    expect(world.isEnabled(f, Engine)).toBe(false)
    same()
    stop()
    removeMany(query.slice(1, 4), Engine)
    same()
    destroyMany(query.slice(1, 4))
    same()
    destroyMany(query)
    expect(inside.size).toBe(0)
  })

  it('a listener that changes the values a filter reads does not change which entities are affected', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 100, [Engine({ power: 9 }), Other])
    const heard: number[] = []
    onRemove(world, Other, (e) => {
      heard.push(e)
      for (const handle of handles) world.set(handle, Engine, { power: 0 })
    })
    expect(removeMany(world.query(Other, Engine).where(Engine, 'power', '==', 9), Other)).toBe(100)
    expect(heard.length).toBe(100)
    expect(world.query(Other).count).toBe(0)
  })
})

describe('copies and the end of a frame', () => {
  it('a copy is reported with everything it has', () => {
    const world = watchedWorld()
    const e = world.spawn(Position, Frozen)
    const log = logOf(world, Position, Frozen)
    onEnter(world.query(Position), () => log.push('enter'))
    const f = cloneEntity(world, e)
    expect(log).toEqual([`add Position ${f}`, `add Frozen ${f}`, 'enter'])
  })

  it('endFrame reports what it removes', () => {
    const world = watchedWorld()
    const Hit = component('Hit', { by: u16 }, { lifetime: 'frame' })
    const log = logOf(world, Hit, Position)
    const e = world.spawn(Hit)
    const f = world.spawn(Position)
    queueDestroy(world, f)
    log.length = 0
    endFrame(world)
    expect(log).toEqual([`remove Position ${f}`, `remove Hit ${e}`])
  })
})

describe('what subscribing refuses', () => {
  const world = createWorld()
  it('anything but a component, a function and a query of this world', () => {
    const refused: [() => unknown, string][] = [
      [() => onAdd(world, {} as never, () => {}), 'NOT_A_COMPONENT'],
      [() => onRemove(world, undefined as never, () => {}), 'NOT_A_COMPONENT'],
      [() => onSet(world, Position, 3 as never), 'INVALID_OPTION'],
      [() => onEnter(Position as never, () => {}), 'INVALID_QUERY'],
      [() => onExit(world.query(Position), undefined as never), 'INVALID_OPTION'],
      [() => onEnter(world.query(changed(Position)) as never, () => {}), 'INVALID_QUERY'],
      [() => onEnter(world.query(added(Position)) as never, () => {}), 'INVALID_QUERY'],
      [() => onEnter(world.query(Position).where(Position, 'x', '>', 1), () => {}), 'INVALID_QUERY'],
      [() => onExit(world.query(Position).slice(0, 3), () => {}), 'INVALID_QUERY'],
      [() => createRemovalReader(world, 'x' as never), 'NOT_A_COMPONENT'],
    ]
    for (const [action, code] of refused) expect(action).toThrow(expect.objectContaining({ code }))
  })
})

describe('events and stale handles', () => {
  it('stale and invalid handles cause none', () => {
    const world = watchedWorld()
    const e = world.spawn(Position)
    world.destroy(e)
    const log = logOf(world, Position)
    onExit(world.query(), () => log.push('exit'))
    for (const dead of [e, NULL_ENTITY, 0, 7_000_000, -1, 1.5, NaN]) {
      expect(world.destroy(dead)).toBe(false)
      expect(world.remove(dead, Position)).toBe(false)
      expect(() => world.add(dead, Position)).toThrow(expect.objectContaining({ code: 'DEAD_ENTITY' }))
      expect(() => world.set(dead, Position, { x: 1 })).toThrow(
        expect.objectContaining({ code: 'DEAD_ENTITY' }),
      )
      expect(() => world.exchange(dead, [Position], [Velocity])).toThrow(
        expect.objectContaining({ code: 'DEAD_ENTITY' }),
      )
    }
    expect(destroyMany(world, [e, NULL_ENTITY])).toBe(0)
    expect(log).toEqual([])
  })

  it('a reserved entity is reported when its buffer is applied', () => {
    const world = watchedWorld()
    const log = logOf(world, Position)
    onEnter(world.query(not(Frozen)), (e) => log.push(`enter ${e}`))
    const commands = createCommands(world)
    const e = commands.spawn(Position({ x: 1 }))
    const f = commands.spawn()
    expect(log).toEqual([])
    world.add(f, Position)
    expect(log.splice(0)).toEqual([`add Position ${f}`, `enter ${f}`])
    commands.apply()
    expect(log).toEqual([`add Position ${e}`, `set Position ${e}`, `enter ${e}`])
    clearWorld(world)
  })

  it('an entity spawned and destroyed in one block is not reported', () => {
    const world = watchedWorld()
    const log = logOf(world, Position)
    world.batch(() => world.destroy(world.spawn(Position)))
    expect(log).toEqual([])
  })

  it('listeners of a bulk removal may spawn one entity for each', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 200, [Position, Frozen])
    onRemove(world, Frozen, (e) => void world.spawn(Velocity({ x: e })))
    expect(removeMany(world.query(Position), Frozen)).toBe(200)
    expect(world.query(Velocity).count).toBe(200)
    expect(destroyMany(world, handles)).toBe(200)
  })
})

describe('a random script', () => {
  const kinds = [...STORAGES.map((storage) => numbered(`N${storage}`, storage)), tag('T')] as ComponentLike[]
  const step = fc.tuple(fc.nat(11), fc.nat(1e6), fc.nat(1e6))

  /** What was told, replayed, is what is there. */
  function mirror(world: World) {
    const sets = kinds.map((kind) => {
      const set = new Set<number>()
      onAdd(world, kind, (e) => {
        if (set.has(e)) throw new Error(`${kind.componentName} was added to ${e} twice`)
        set.add(e)
      })
      onRemove(world, kind, (e) => {
        if (!set.delete(e)) throw new Error(`${kind.componentName} was removed from ${e}, which had none`)
      })
      return { set, query: world.query(kind) }
    })
    const [a, b, c, d] = kinds as [ComponentLike, ComponentLike, ComponentLike, ComponentLike]
    const queries = [
      world.query(a, not(d)),
      world.query(any(b, c)),
      world.query(not(b), not(c)),
      world.query(),
    ]
    for (const query of queries) {
      const set = new Set<number>()
      onEnter(query as never, (e) => {
        if (set.has(e)) throw new Error(`${e} entered twice`)
        set.add(e)
      })
      onExit(query as never, (e) => {
        if (!set.delete(e)) throw new Error(`${e} left, and was not in`)
      })
      sets.push({ set, query: query as never })
    }
    return () => {
      for (const { set, query } of sets) {
        expect([...set].sort((x, y) => x - y)).toEqual([...query.entities()].sort((x, y) => x - y))
      }
    }
  }

  const pick = (n: number) => kinds.filter((_, i) => (n >> i) & 1)
  const one = (n: number) => kinds[n % kinds.length] as ComponentLike

  function perform(world: World, [operation, a, b]: readonly [number, number, number]): void {
    const all = world.query().entities()
    const e = all.length > 0 ? all[a % all.length] : world.spawn()
    if (operation <= 1) world.spawn(...pick(b))
    else if (operation === 2) world.add(e, ...pick(b))
    else if (operation === 3) world.remove(e, ...pick(b))
    else if (operation === 4) world.destroy(e)
    else if (operation === 5) spawnMany(world, a % 7, pick(b) as never)
    else if (operation === 6) addMany(world.query(one(a)), one(b) as never)
    else if (operation === 7) removeMany(world.query(one(a)), one(b))
    else if (operation === 8) world.exchange(e, pick(a), pick(b))
    else if (operation === 9)
      destroyMany(
        world,
        all.filter((_, i) => (i + b) % 5 === 0),
      )
    else if (operation === 10 && b % 4 === 0) destroyMany(world.query(one(a), not(one(a + 1))))
    else if (operation === 11 && b % 9 === 0) clearWorld(world)
  }

  it('replayed from its events gives the same world, immediately, deferred and in loops', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
        fc.nat(9),
        (script, block) => {
          const world = watchedWorld()
          const check = mirror(world)
          for (let i = 0; i < script.length;) {
            if (block < 3) perform(world, script[i++] as never)
            else {
              const end = Math.min(i + block, script.length)
              world.batch(() => {
                while (i < end) perform(world, script[i++] as never)
              })
            }
            check()
          }
          checkInvariants(world)
          clearWorld(world)
          check()
          // A page has room for some hundred worlds.
          world.dispose()
        },
      ),
      { numRuns: proofLength(150), seed: 42 },
    )
  })

  it('does so even when listeners change the world themselves', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), (script) => {
        const world = watchedWorld()
        const [a, b, c, d] = kinds as [ComponentLike, ComponentLike, ComponentLike, ComponentLike]
        onAdd(world, a, (e) => void world.add(e, b as never))
        onRemove(world, b, (e) => void world.remove(e, c))
        onAdd(world, c, (e) => void (e % 3 === 0 && world.destroy(e)))
        onRemove(world, d, () => void world.spawn(b as never))
        const check = mirror(world)
        for (const each of script) {
          perform(world, each)
          check()
        }
      }),
      { numRuns: proofLength(100), seed: 7 },
    )
  })
})

describe('a change without listeners', () => {
  it('costs one test: nothing is reported and nothing is collected', () => {
    const world = watchedWorld()
    const { state } = world as never as { state: { watching: number; reporting: { emission: number } } }
    const stop = onAdd(world, Frozen, () => {})
    expect(state.watching).toBe(1)
    world.spawn(Position({ x: 1 }))
    world.query(Position).each((e) => world.set(e, Position, { x: 2 }))
    expect(state.reporting.emission).toBe(0)
    stop()
    expect(state.watching).toBe(0)
    world.spawn(Frozen)
    expect(state.reporting.emission).toBe(0)
    expect(world.get(world.query(Position).single(), Position)).toEqual({ x: 2, y: 0 })
  })
})
