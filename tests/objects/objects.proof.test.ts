// Shows what object components are promised: values of any kind, init and dispose exactly once, beside columns.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  any,
  clearWorld,
  cloneEntity,
  component,
  createAccessor,
  createCommands,
  createWorld,
  destroyMany,
  f32,
  f64,
  not,
  object,
  objectsOf,
  onAdd,
  onRemove,
  onSet,
  optional,
  removeMany,
  resetWorld,
  cloneMany,
  sparse,
  spawnMany,
  tag,
  u16,
  vec,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { capacitiesOf, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { ENDS } from '../support/world'

const Position = component('Position', { x: f32 })
const Health = component('Health', { hp: u16 }, { storage: sparse })
const Frozen = tag('Frozen')

class Sprite {
  constructor(readonly name: string) {}
}

/** An object component that writes down what happens to its values. */
function logged() {
  const log: string[] = []
  const Kind = object<Sprite>('Sprite', {
    init: (sprite, entity, world) => log.push(`init ${sprite.name} ${world.get(entity, Kind)?.name}`),
    dispose: (sprite, entity) => log.push(`dispose ${sprite.name} ${typeof entity}`),
  })
  return { log, Kind }
}

describe('an object component', () => {
  it('holds the value itself, of any kind', () => {
    const Any = object<unknown>('Any')
    const world = watchedWorld()
    for (const value of [new Sprite('a'), [1], () => 1, 'text', 0, false, null, NaN]) {
      const e = world.spawn(Any(value), Position)
      expect(Object.is(world.get(e, Any), value)).toBe(true)
      expect(world.has(e, Any)).toBe(true)
      world.remove(e, Any)
      expect([world.get(e, Any), world.has(e, Any), world.isAlive(e)]).toEqual([undefined, false, true])
    }
  })

  it('begins with init once the value is stored, and ends with dispose once it is removed', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    const e = world.spawn(Kind(new Sprite('a')))
    expect(log.splice(0)).toEqual(['init a a'])
    world.add(e, Position, Frozen)
    expect(log).toEqual([])
    world.remove(e, Kind, Position)
    expect(log.splice(0)).toEqual(['dispose a number'])
    world.add(e, Kind(new Sprite('b')))
    world.destroy(e)
    world.destroy(e)
    expect(log).toEqual(['init b b', 'dispose b number'])
  })

  it('set and add with a value replace: the old value is disposed of, then the new one initialised', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    const b = new Sprite('b')
    const e = world.spawn(Kind(new Sprite('a')))
    world.set(e, Kind, b)
    world.set(e, Kind, b)
    world.add(e, Kind(b))
    world.add(e, Kind as never)
    expect(log).toEqual(['init a a', 'dispose a number', 'init b b'])
    world.add(e, Kind(new Sprite('c')))
    expect(log.slice(3)).toEqual(['dispose b number', 'init c c'])
    const f = world.spawn()
    world.set(f, Kind, b)
    expect(log.slice(5)).toEqual(['init b b'])
    expect(world.get(f, Kind)).toBe(b)
  })

  it('is reported before its value is disposed of, and after it was initialised', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    onAdd(world, Kind, (e) => log.push(`add ${world.get(e, Kind)?.name}`))
    onSet(world, Kind, (e) => log.push(`set ${world.get(e, Kind)?.name}`))
    onRemove(world, Kind, (e) => log.push(`remove ${world.get(e, Kind)?.name}`))
    const e = world.spawn(Kind(new Sprite('a')))
    expect(log.splice(0)).toEqual(['init a a', 'add a', 'set a'])
    world.set(e, Kind, new Sprite('b'))
    expect(log.splice(0)).toEqual(['dispose a number', 'init b b', 'set b'])
    world.destroy(e)
    expect(log).toEqual(['remove b', 'dispose b number'])
  })

  it.each(['clearWorld', 'resetWorld', 'dispose'] as const)('is disposed of once by %s', (end) => {
    const { log, Kind } = logged()
    const world = end === 'dispose' ? createWorld() : watchedWorld()
    world.spawn(Kind(new Sprite('a')))
    world.spawn(Position, Kind(new Sprite('b')))
    log.length = 0
    ENDS[end](world)
    expect(log.sort()).toEqual(['dispose a number', 'dispose b number'])
    if (end === 'dispose') world.dispose()
    else {
      clearWorld(world)
      resetWorld(world)
      const e = world.spawn(Kind(new Sprite('c')))
      expect(world.get(e, Kind)?.name).toBe('c')
    }
    expect(log.filter((line) => line.startsWith('dispose')).length).toBe(2)
  })

  it('is disposed of by bulk changes, each value once', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    const make = (n: number) =>
      Array.from({ length: n }, (_, i) => world.spawn(Kind(new Sprite(`${i}`)), Position))
    const told = () => log.splice(0).filter((line) => line.startsWith('dispose')).length
    make(70)
    removeMany(world.query(Kind), Kind)
    expect(told()).toBe(70)
    make(65)
    destroyMany(world.query(Kind))
    expect(told()).toBe(65)
    const handles = make(64)
    destroyMany(world, [...handles, ...handles])
    expect(told()).toBe(64)
  })

  it('does not exist for a recycled index', () => {
    const { Kind } = logged()
    const world = watchedWorld({ maxEntities: 1 })
    const e = world.spawn(Kind(new Sprite('a')))
    world.destroy(e)
    const f = world.spawn()
    expect([world.get(e, Kind), world.get(f, Kind), world.has(f, Kind)]).toEqual([
      undefined,
      undefined,
      false,
    ])
  })

  it('waits in a block like any component; the value is not copied', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    const a = new Sprite('a')
    const e = world.batch(() => {
      const made = world.spawn(Kind(a), Position)
      expect(world.get(made, Kind)).toBeUndefined()
      return made
    })
    expect(world.get(e, Kind)).toBe(a)
    world.query(Position).each((entity) => {
      world.set(entity, Kind, new Sprite('b'))
      expect(world.get(entity, Kind)?.name).toBe('b')
    })
    expect(log).toEqual(['init a a', 'dispose a number', 'init b b'])
  })

  it('several commands for one entity: every value that was given ends once', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    const e = world.spawn()
    world.batch(() => {
      world.add(e, Kind(new Sprite('a')))
      world.add(e, Kind(new Sprite('b')), Position)
      world.remove(e, Kind)
      world.add(e, Kind(new Sprite('c')))
      world.destroy(e)
      world.add(e, Kind(new Sprite('d')))
      world.destroy(world.spawn(Kind(new Sprite('e'))))
    })
    const ended = log.filter((line) => line.startsWith('dispose')).map((line) => line.split(' ')[1])
    expect(ended.sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(log.filter((line) => line.startsWith('init d'))).toEqual([])
    expect(world.isAlive(e)).toBe(false)
  })

  it('that is given and taken back in one block is disposed of, without init and without events', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    const e = world.spawn()
    onAdd(world, Kind, () => log.push('add'))
    onRemove(world, Kind, () => log.push('remove'))
    onAdd(world, Position, () => log.push('add Position'))
    onRemove(world, Position, () => log.push('remove Position'))
    world.batch(() => {
      world.add(e, Kind(new Sprite('a')))
      world.remove(e, Kind)
    })
    expect(log.splice(0)).toEqual(['dispose a number'])
    world.batch(() => {
      world.add(e, Position({ x: 1 }))
      world.add(e, Kind(new Sprite('b')))
      world.remove(e, Position)
    })
    expect(log.splice(0)).toEqual(['init b b', 'add'])
    world.batch(() => {
      world.add(e, Position)
      world.add(e, Kind(new Sprite('c')))
      world.destroy(e)
    })
    expect(log).toEqual(['remove', 'dispose b number', 'dispose c number'])
  })

  it('that is replaced in one block before it lived: only the last value lives, the others are disposed of once', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    const [a, b] = [new Sprite('a'), new Sprite('b')]
    const e = world.spawn()
    world.batch(() => {
      world.add(e, Kind(a))
      world.add(e, Kind(b), Position)
      world.set(e, Kind, a)
      world.set(e, Kind, new Sprite('c'))
    })
    expect(log.splice(0).sort()).toEqual(['dispose a number', 'dispose b number', 'init c c'])
    const c = world.get(e, Kind) as Sprite
    world.batch(() => {
      world.add(e, Kind(new Sprite('d')))
      world.add(e, Kind(c))
    })
    // The very value that lives is given again: it goes on living.
    expect(log.splice(0)).toEqual(['dispose d number'])
    world.batch(() => {
      world.add(e, Kind(c))
      world.add(e, Kind(new Sprite('f')))
    })
    expect(log.splice(0)).toEqual(['dispose c number', 'init f f'])
    world.batch(() => {
      world.remove(e, Kind)
      world.add(e, Kind(new Sprite('g')))
    })
    expect(log).toEqual(['dispose f number', 'init g g'])
  })

  it('whose command is refused at the end of a block is disposed of, and the other commands apply', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    const e = world.spawn(Kind(new Sprite('a')))
    const Bare = object<number>('Bare')
    log.length = 0
    expect(() =>
      world.batch(() => {
        world.add(e, Bare(1))
        world.remove(e, Kind, Bare)
        // Refused by then: Bare has no value any more.
        world.add(e, Bare as never, Kind(new Sprite('b')), Frozen)
        world.add(e, Position({ x: 3 }))
      }),
    ).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
    expect(log).toEqual(['dispose a number', 'dispose b number'])
    expect([world.has(e, Kind), world.has(e, Bare), world.has(e, Frozen)]).toEqual([false, false, false])
    expect(world.get(e, Position)).toEqual({ x: 3 })
  })

  it('whose deferred command meets a limit is disposed of once', () => {
    const { log, Kind } = logged()
    const Wide = component('Wide', { values: vec(f64, 1_500) })
    const Wider = component('Wider', { values: vec(f64, 1_500) })
    const world = watchedWorld()
    const e = world.spawn(Wide)
    expect(() => world.batch(() => world.add(e, Wider, Kind(new Sprite('a'))))).toThrow(
      expect.objectContaining({ code: 'ROW_LIMIT' }),
    )
    expect(log.splice(0)).toEqual(['dispose a number'])
    expect(() =>
      world.batch(() => {
        world.add(e, Kind(new Sprite('b')), Wider)
        world.add(e, Kind(new Sprite('c')), Frozen)
      }),
    ).toThrow(expect.objectContaining({ code: 'ROW_LIMIT' }))
    expect(log).toEqual(['dispose b number', 'init c c'])
    expect(world.get(e, Kind)?.name).toBe('c')
  })

  it("that a call refuses at once stays the caller's", () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    world.spawn(Kind(new Sprite('known')))
    const dead = world.spawn()
    world.destroy(dead)
    log.length = 0
    expect(() => world.add(dead, Kind(new Sprite('a')))).toThrow(
      expect.objectContaining({ code: 'DEAD_ENTITY' }),
    )
    expect(() => world.exchange(dead, [Frozen], [Kind(new Sprite('b'))])).toThrow(
      expect.objectContaining({ code: 'DEAD_ENTITY' }),
    )
    expect(log).toEqual([])
  })

  it('dispose and init may change the world: it waits until the change is complete', () => {
    const world = watchedWorld()
    const Other = object<number>('Other')
    const Node = object<number>('Node', {
      init: (value, entity, w) => {
        w.add(entity, Frozen)
        if (value < 3) w.spawn(Node(value + 1))
      },
      dispose: () => {
        world.spawn(Other(1))
        destroyMany(world.query(Node))
      },
    })
    const e = world.spawn(Node(1))
    expect(world.query(Node, Frozen).count).toBe(3)
    world.remove(e, Node)
    expect(world.query(Node).count).toBe(0)
    expect(world.query(Other).count).toBe(3)
  })

  it('with an init or dispose that throws is changed, and the first error is thrown at the end', () => {
    const world = watchedWorld()
    const Broken = object<string>('Broken', {
      init: (value) => {
        throw new Error(`init ${value}`)
      },
      dispose: (value) => {
        throw new Error(`dispose ${value}`)
      },
    })
    expect(() => world.spawn(Broken('a'))).toThrow('init a')
    const e = world.query(Broken).single()
    expect(() => world.set(e, Broken, 'b')).toThrow('dispose a')
    expect(world.get(e, Broken)).toBe('b')
    expect(() => world.destroy(e)).toThrow('dispose b')
    expect(world.isAlive(e)).toBe(false)
    expect(() => world.spawn(Broken('c'))).toThrow('init c')
    expect(() => resetWorld(world)).toThrow('dispose c')
    world.spawn(Position)
    expect(world.query(Position).count).toBe(1)
  })

  it('is exchanged: the old value ends, the new one begins', () => {
    const { log, Kind } = logged()
    const world = watchedWorld()
    const e = world.spawn(Kind(new Sprite('a')), Frozen)
    world.exchange(e, [Frozen, Kind], [Kind(new Sprite('b'))])
    expect(log).toEqual(['init a a', 'dispose a number', 'init b b'])
    expect(() => world.exchange(e, [Kind], [Kind as never])).toThrow(
      expect.objectContaining({ code: 'INVALID_VALUE' }),
    )
    expect(world.get(e, Kind)?.name).toBe('b')
  })
})

describe('copies of entities with object components', () => {
  it('get a value of their own from the option clone, and lack the component without it', () => {
    const world = watchedWorld()
    const log: string[] = []
    const Cloned = object<Sprite>('Cloned', {
      init: (sprite) => log.push(`init ${sprite.name}`),
      dispose: (sprite) => log.push(`dispose ${sprite.name}`),
      clone: (sprite) => new Sprite(`${sprite.name}'`),
    })
    const Unique = object<number>('Unique')
    const e = world.spawn(Cloned(new Sprite('a')), Unique(1), Position({ x: 3 }))
    onAdd(world, Cloned, (copy) => log.push(`add ${world.get(copy, Cloned)?.name}`))
    const copy = cloneEntity(world, e)
    expect([world.get(copy, Cloned)?.name, world.has(copy, Unique), world.get(copy, Position)?.x]).toEqual([
      "a'",
      false,
      3,
    ])
    const deferred = world.batch(() => cloneEntity(world, e))
    const [third] = cloneMany(world, e, 2)
    expect([world.get(deferred, Cloned)?.name, world.get(third, Cloned)?.name]).toEqual(["a'", "a'"])
    expect(world.query(Unique).single()).toBe(e)
    clearWorld(world)
    expect(log.filter((line) => line === "init a'").length).toBe(4)
    expect(log.filter((line) => line === "add a'").length).toBe(4)
    expect(log.filter((line) => line === "dispose a'").length).toBe(4)
  })
})

describe('an object component refuses', () => {
  const Kind = object<number>('Kind')
  const code = (name: string) =>
    expect.objectContaining({ code: name, message: expect.stringContaining('Kind') })

  it('every call without a value, and changes nothing', () => {
    const world = watchedWorld()
    const e = world.spawn(Position)
    for (const action of [
      () => world.spawn(Kind as never),
      () => world.spawn(Kind(undefined as never)),
      () => world.add(e, Kind as never, Frozen),
      () => world.exchange(e, [], [Kind as never]),
      () => world.set(e, Kind, undefined as never),
      () => world.batch(() => world.spawn(Kind as never)),
      () => world.batch(() => world.add(e, Kind as never)),
      () => createCommands(world).spawn(Kind as never),
      () => createCommands(world).set(e, Kind as never, undefined as never),
    ]) {
      expect(action).toThrow(code('INVALID_VALUE'))
    }
    expect(world.stats().entities).toBe(1)
    expect(world.has(e, Frozen)).toBe(false)
    world.batch(() => {
      world.add(e, Kind(1))
      world.add(e, Kind as never)
    })
    expect(world.get(e, Kind)).toBe(1)
  })

  it('sharing by many entities', () => {
    const world = watchedWorld()
    world.spawn(Position)
    for (const action of [
      () => spawnMany(world, 3, [Kind] as never),
      () => spawnMany(world, 3, [Position, Kind(1)] as never),
      () => addMany(world.query(Position), Kind(1) as never),
      () => addMany(world.query(Position), Kind as never),
      () => createCommands(world).spawnMany(2, [Kind(1)] as never),
    ]) {
      expect(action).toThrow(code('INVALID_VALUE'))
    }
    expect(world.stats().entities).toBe(1)
  })

  it('columns, cursors and accessors; and chunk.objects refuses anything else', () => {
    const world = watchedWorld()
    world.spawn(Kind(1), Position)
    expect(() => createAccessor(world, Kind as never)).toThrow(code('NOT_A_COMPONENT'))
    for (const chunk of world.query(Kind, Position)) {
      expect(() => chunk.read(Kind as never)).toThrow(code('NOT_A_COLUMN'))
      expect(() => chunk.write(Kind as never)).toThrow(code('NOT_A_COLUMN'))
      expect(() => chunk.cursor(Kind as never)).toThrow(code('NOT_A_COLUMN'))
      expect(() => chunk.objects(Position as never)).toThrow(
        expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
      )
      expect(() => chunk.objects(Frozen as never)).toThrow(expect.objectContaining({ code: 'NOT_A_COLUMN' }))
    }
  })

  it('a wrong declaration, and dead entities', () => {
    const world = watchedWorld()
    expect(() => object('')).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }))
    expect(() => object('Kind', { init: 1 as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_SCHEMA' }),
    )
    const e = world.spawn(Kind(1))
    world.destroy(e)
    expect(world.get(e, Kind)).toBeUndefined()
    expect(() => world.set(e, Kind, 2)).toThrow(expect.objectContaining({ code: 'DEAD_ENTITY' }))
    expect(() => world.add(e, Kind(2))).toThrow(expect.objectContaining({ code: 'DEAD_ENTITY' }))
    expect(() => objectsOf(world, Position as never)).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
  })
})

describe('queries with object components', () => {
  const Kind = object<Sprite>('Kind')

  it('give their values by row, for every number of rows around a chunk', () => {
    const { first, full } = capacitiesOf(Position)
    for (const n of [0, 1, 63, 64, 65, first - 1, first, first + 1, first + full + 1]) {
      const world = watchedWorld()
      const expected = new Map<number, string>()
      for (let i = 0; i < n; i++)
        expected.set(world.spawn(Position({ x: i }), Kind(new Sprite(`${i}`))), `${i}`)
      let seen = 0
      for (const chunk of world.query(Position, Kind)) {
        const sprites = chunk.objects(Kind)
        const { x } = chunk.read(Position)
        for (let i = chunk.start; i < chunk.end; i++) {
          expect(sprites[i]?.name).toBe(`${x[i]}`)
          expect(sprites[i]?.name).toBe(expected.get(chunk.entities[i] as number))
          seen++
        }
      }
      expect(seen).toBe(n)
    }
  })

  it.each(STORAGES)('each passes the value in its place, beside a component of storage %s', (storage) => {
    const Number = component('Number', { value: u16 }, { storage: STORED[storage] })
    const world = watchedWorld()
    const e = world.spawn(Number({ value: 3 }), Kind(new Sprite('a')), Frozen)
    const f = world.spawn(Number({ value: 4 }))
    const seen: unknown[] = []
    world.query(Number, Kind, Frozen).each((entity, n, sprite) => seen.push([entity, n.value, sprite.name]))
    world
      .query(optional(Kind), Number)
      .each((entity, sprite, n) => seen.push([entity, sprite?.name, n.value]))
    world
      .query(any(Kind, Frozen), Number)
      .each((entity, sprite, n) => seen.push([entity, sprite?.name, n.value]))
    expect(seen).toEqual([
      [e, 3, 'a'],
      ...[
        [e, 'a', 3],
        [f, undefined, 4],
      ].sort(byEntity),
      [e, 'a', 3],
    ])
    for (const chunk of world.query(Number, optional(Kind))) {
      const sprites = chunk.objects(Kind)
      for (let i = chunk.start; i < chunk.end; i++) {
        expect(sprites?.[i]?.name).toBe(chunk.entities[i] === e ? 'a' : undefined)
      }
    }
    expect(world.query(Number, not(Kind)).single()).toBe(f)
  })

  const byEntity = (a: unknown[], b: unknown[]) => (a[0] as number) - (b[0] as number)

  it('chunk.objects is undefined for a chunk without an optional one, and for one the world has not met', () => {
    const world = watchedWorld()
    world.spawn(Position)
    for (const chunk of world.query(Position, optional(Kind))) expect(chunk.objects(Kind)).toBeUndefined()
    const Unmet = object<number>('Unmet')
    world.batch(() => {
      for (const chunk of world.query(Position, optional(Unmet))) expect(chunk.objects(Unmet)).toBeUndefined()
    })
  })

  it('objectsOf walks pairs, undisturbed by additions and removals', () => {
    const world = watchedWorld()
    const handles = ['a', 'b', 'c'].map((name) => world.spawn(Kind(new Sprite(name))))
    const seen: string[] = []
    for (const [entity, sprite] of objectsOf(world, Kind)) {
      seen.push(sprite.name)
      expect(world.get(entity, Kind)).toBe(sprite)
      if (sprite.name === 'a') {
        world.destroy(handles[1])
        world.spawn(Kind(new Sprite('d')))
        world.add(handles[2], Position)
      }
    }
    expect(seen).toEqual(['a', 'c'])
    expect([...objectsOf(world, object<number>('None'))]).toEqual([])
  })
})

describe('a random script with object components', () => {
  const step = fc.tuple(fc.nat(9), fc.nat(1e6))

  it('initialises and disposes of each value exactly once, and shows the living ones', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }),
        fc.boolean(),
        (script, defer) => {
          const world: World = watchedWorld()
          const life = new Map<number, string[]>()
          const tell = (what: string) => (value: number) => void life.get(value)?.push(what)
          const Value = object<number>('Value', { init: tell('init'), dispose: tell('dispose') })
          let last = 0
          const fresh = () => {
            life.set(++last, [])
            return last
          }
          const perform = (operation: number, n: number): void => {
            const all = world.query().entities()
            const e = all.length > 0 ? all[n % all.length] : world.spawn()
            if (operation <= 1) world.spawn(Value(fresh()), Position)
            else if (operation === 2) world.add(e, Value(fresh()))
            else if (operation === 3) world.set(e, Value, fresh())
            else if (operation === 4) world.remove(e, Value)
            else if (operation === 5) world.destroy(e)
            else if (operation === 6) world.add(e, Frozen, Health)
            else if (operation === 7) world.exchange(e, [Value, Frozen], [Value(fresh())])
            else if (operation === 8 && n % 5 === 0) removeMany(world.query(Value, Frozen), Value)
            else if (operation === 9 && n % 9 === 0) destroyMany(world.query(Value))
          }
          for (let i = 0; i < script.length;) {
            const end = Math.min(defer ? i + 7 : i + 1, script.length)
            if (defer)
              world.batch(() => script.slice(i, end).forEach(([operation, n]) => perform(operation, n)))
            else perform(...(script[i] as [number, number]))
            i = end
            const living = new Set(Array.from(world.query(Value).entities(), (e) => world.get(e, Value)))
            for (const [value, events] of life) {
              if (living.has(value)) expect(events).toEqual(['init'])
              else expect([['init', 'dispose'], ['dispose']]).toContainEqual(events)
            }
          }
          checkInvariants(world)
          resetWorld(world)
          for (const events of life.values())
            expect(events.filter((event) => event === 'dispose').length).toBe(1)
          // A page has room for some hundred worlds.
          world.dispose()
        },
      ),
      { numRuns: proofLength(150), seed: 11 },
    )
  })
})
