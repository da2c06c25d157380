// Shows object components that make their own values: when the maker runs, and that nothing of it stays where a change fails.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  type Entity,
  cloneEntity,
  component,
  createCommands,
  createSpawner,
  f32,
  LimitError,
  NULL_ENTITY,
  object,
  onAdd,
  onEnter,
  onSet,
  relation,
  spawnAt,
  spawnMany,
  onChange,
  omit,
  type World,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { leaveFree } from '../support/scarcity'
import { testWorld } from '../support/world'

const anything = (value: unknown) => value as never
const Position = component('Position', { x: f32 })
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })

/** A component that makes numbered values, and what became of them. */
function stage(track?: 'row') {
  const made: { n: number }[] = []
  const begun: number[] = []
  const ended: number[] = []
  const Movement = object(
    'Movement',
    () => {
      const value = { n: made.length + 1 }
      made.push(value)
      return value
    },
    {
      init: ({ n }) => begun.push(n),
      dispose: ({ n }) => ended.push(n),
      ...(track && { trackChanges: track }),
    },
  )
  return { world: testWorld(), Movement, made, begun, ended }
}

type Stage = ReturnType<typeof stage>

/** Every call that gives an entity the component without a value. */
const CALLS: Record<string, (staged: Stage) => Entity> = {
  spawn: ({ world, Movement }) => world.spawn(Movement),
  'spawn with others': ({ world, Movement }) => world.spawn(Position({ x: 2 }), Movement),
  add: ({ world, Movement }) => add(world, world.spawn(), Movement),
  'add in a loop': ({ world, Movement }) => world.batch(() => add(world, world.spawn(), Movement)),
  'spawn in a loop': ({ world, Movement }) => world.batch(() => world.spawn(Movement, Position({ x: 2 }))),
  exchange: ({ world, Movement }) => exchange(world, world.spawn(Position), Movement),
  spawnAt: ({ world, Movement }) => spawnAt(world, 77, Movement),
  'spawnAt in a loop': ({ world, Movement }) => world.batch(() => spawnAt(world, 77, Movement)),
  'a command buffer': ({ world, Movement }) => buffered(world, Movement),
  'with a link': ({ world, Movement }) => world.spawn(Movement, ChildOf(world.spawn())),
  'a spawner': ({ world, Movement }) => spawnerOf(world, Movement, [Position, 'x'])(2),
  'a spawner in a loop': ({ world, Movement }) => {
    const spawn = spawnerOf(world, Movement, [Position, 'x'])
    return world.batch(() => spawn(2))
  },
  'a copy that gets it': ({ world, Movement }) => cloneEntity(world, world.spawn(Position), Movement),
  'a copy that gets it, in a loop': ({ world, Movement }) => {
    const model = world.spawn(Position)
    return world.batch(() => cloneEntity(world, model, Movement))
  },
}

/** Also for object components, which its types leave out. */
const spawnerOf = createSpawner as (world: World, ...parts: unknown[]) => (x: number) => Entity

/** Everyone who is told that an entity has got the component. */
const LISTENERS: Record<string, (staged: Stage, listener: () => void) => unknown> = {
  onAdd: ({ world, Movement }, listener) => onAdd(world, Movement, listener),
  onSet: ({ world, Movement }, listener) => onSet(world, Movement, listener),
  onEnter: ({ world, Movement }, listener) => onEnter(world.query(Movement), listener),
  subscribe: ({ world, Movement }, listener) => onChange(world.query(Movement), listener),
}

describe.each([undefined, 'row'] as const)('An object component with a maker, track: %s', (track) => {
  it.each(Object.keys(CALLS))('creates a value by %s', (call) => {
    const staged = stage(track)
    const { world, Movement, made, begun, ended } = staged
    const added: Entity[] = []
    onAdd(world, Movement, (one) => added.push(one))
    const ship = (CALLS[call] as (typeof CALLS)[string])(staged)
    expect(world.get(ship, Movement)).toBe(made[0])
    expect([made.length, begun, ended, added]).toEqual([1, [1], [], [ship]])
    checkInvariants(world)
    // It has one, now: nothing is made.
    world.add(ship, Movement)
    world.batch(() => world.add(ship, Movement))
    expect([made.length, world.get(ship, Movement)]).toEqual([1, made[0]])
    // What starts over gets another one.
    world.exchange(ship, [Movement], [Movement])
    expect([world.get(ship, Movement), begun, ended]).toEqual([made[1], [1, 2], [1]])
    world.set(ship, Movement, { n: 9 })
    expect([world.get(ship, Movement), made.length, ended]).toEqual([{ n: 9 }, 2, [1, 2]])
    world.destroy(ship)
    expect(ended).toEqual([1, 2, 9])
    checkInvariants(world)
  })

  it('creates none if one is given, and none for dead entities', () => {
    const { world, Movement, made } = stage(track)
    const ship = world.spawn(Movement({ n: 5 }))
    expect([world.get(ship, Movement), made]).toEqual([{ n: 5 }, []])
    world.destroy(ship)
    expect(codeOf(() => world.add(ship, Movement))).toBe('DEAD_ENTITY')
    expect(codeOf(() => world.add(NULL_ENTITY, Movement))).toBe('DEAD_ENTITY')
    world.batch(() => {
      const late = world.spawn()
      world.add(late, Movement)
      world.destroy(late)
    })
    expect(made).toEqual([])
    checkInvariants(world)
  })

  it('changes nothing when the maker throws, or returns undefined', () => {
    const world = testWorld()
    const Failing = object('Failing', (): number => {
      throw new RangeError('no')
    })
    const Nothing = object('Nothing', (): number => anything(undefined))
    const ship = world.spawn(Position)
    for (const [call, error] of [
      [() => world.spawn(Position, Failing), RangeError],
      [() => world.add(ship, Failing), RangeError],
      [() => world.batch(() => world.add(ship, Failing)), RangeError],
      [() => world.add(ship, Nothing), TypeError],
    ] as const) {
      expect(call).toThrow(error)
      expect(world.stats().entities).toBe(1)
      expect([world.has(ship, Failing), world.has(ship, Nothing)]).toEqual([false, false])
      checkInvariants(world)
    }
  })

  it.each(Object.keys(CALLS))('keeps its value if a listener throws: %s', (call) => {
    for (const [name, listen] of Object.entries(LISTENERS)) {
      // A copy is told of as born: onSet is called for what the call itself gave values.
      if (name === 'onSet' && call.startsWith('a copy')) continue
      const staged = stage(track)
      const { world, Movement, made, begun, ended } = staged
      let throws = true
      listen(staged, () => {
        if (throws) throw new RangeError('no')
      })
      expect(() => CALLS[call]?.(staged), name).toThrow('no')
      throws = false
      const [ship] = world.query(Movement).entities()
      expect(world.get(ship as Entity, Movement)).toBe(made[0])
      expect([made.length, begun, ended]).toEqual([1, [1], []])
      world.destroy(ship as Entity)
      world.dispose()
      expect(ended).toEqual([1])
    }
  })

  it('keeps its value if a listener of another component throws, or init does', () => {
    const { world, Movement, ended } = stage(track)
    onAdd(world, Position, () => {
      throw new RangeError('no')
    })
    expect(() => world.spawn(Movement, Position)).toThrow('no')
    const Failing = object('Failing', () => ({}), {
      init: () => {
        throw new RangeError('init')
      },
      dispose: () => ended.push(-1),
    })
    expect(() => world.spawn(Failing)).toThrow('init')
    expect([world.query(Movement).count, world.query(Failing).count, ended]).toEqual([1, 1, []])
    world.dispose()
    expect(ended).toEqual([1, -1])
  })

  it('makes nothing for a change that is refused', () => {
    const { world, Movement, made, ended } = stage(track)
    const Own = object<{ n: number }>('Own')
    const [ship, gone] = [world.spawn(Position), world.spawn()]
    const child = world.spawn(ChildOf(ship))
    world.destroy(gone)
    const before = [world.stats().entities, world.get(ship, Position), world.target(child, ChildOf)]
    for (const [call, code] of [
      [() => world.add(ship, Movement, anything(Own)), 'INVALID_VALUE'],
      [() => world.spawn(Movement, anything(Own)), 'INVALID_VALUE'],
      [() => world.add(ship, Movement, ChildOf(gone)), 'DEAD_ENTITY'],
      [() => world.spawn(Movement, ChildOf(gone)), 'DEAD_ENTITY'],
      [() => world.add(ship, Movement, ChildOf(child)), 'RELATION_CYCLE'],
      [() => world.exchange(ship, [Position], [Movement, ChildOf(child)]), 'RELATION_CYCLE'],
    ] as const) {
      expect(codeOf(call)).toBe(code)
      expect([made, ended]).toEqual([[], []])
    }
    expect([world.stats().entities, world.get(ship, Position), world.target(child, ChildOf)]).toEqual(before)
    checkInvariants(world)
  })

  it('lets the maker look at the world, and change it once the change is made', () => {
    const world = testWorld()
    const Part = object('Part', () => ({ part: world.spawn(Position), of: world.query(Position).count }))
    const ship = world.spawn(Part)
    expect(world.get(ship, Part)?.of).toBe(0)
    expect(world.has(world.get(ship, Part)?.part as Entity, Position)).toBe(true)
    checkInvariants(world)
  })

  it.each(['add', 'spawnAt'] as const)('disposes of the created value if memory runs out: %s', (way) => {
    let failed = 0
    for (let kib = 0; kib < 30; kib++) {
      const { Movement, made, begun, ended } = stage(track)
      const world = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
      // Beyond the records that there are, so that the handle itself needs memory, too.
      const ship = way === 'add' ? world.spawn() : (900 as Entity)
      leaveFree(world, kib)
      try {
        if (way === 'add') world.add(ship, Movement, Position)
        else spawnAt(world, ship, Movement, Position)
      } catch (error) {
        expect(error).toBeInstanceOf(LimitError)
        failed++
      }
      const isThere = world.has(ship, Movement)
      expect([begun.length, ended.length]).toEqual(isThere ? [1, 0] : [0, made.length])
      checkInvariants(world)
      world.dispose()
    }
    expect(failed).toBeGreaterThan(0)
  })

  it('is created for a copy by an override, whatever the world knew before', () => {
    for (const isKnown of [false, true]) {
      const { world, Movement, made, begun } = stage(track)
      const ship = world.spawn(Position({ x: 2 }))
      if (isKnown) world.spawn(Movement({ n: 9 }))
      begun.length = 0
      const copy = cloneEntity(world, ship, Movement)
      expect([world.get(copy, Movement), world.get(copy, Position)]).toEqual([made[0], { x: 2 }])
      const other = cloneEntity(world, copy, omit(Movement), Movement, Position({ x: 3 }))
      expect([world.get(other, Movement), world.get(other, Position)]).toEqual([made[1], { x: 3 }])
      expect(begun).toEqual([1, 2])
      checkInvariants(world)
    }
  })

  it('leaves no copy behind when the maker throws', () => {
    const world = testWorld()
    const Failing = object('Failing', (): number => {
      throw new RangeError('no')
    })
    const ship = world.spawn(Position)
    for (const isHeard of [false, true]) {
      if (isHeard) onAdd(world, Position, () => {})
      expect(() => cloneEntity(world, ship, Failing)).toThrow(RangeError)
      expect([...world.query(Position).entities()]).toEqual([ship])
      checkInvariants(world)
    }
  })

  it('is refused by lists and not created for copies', () => {
    const { world, Movement, made } = stage(track)
    const ship = world.spawn(Movement)
    expect(codeOf(() => spawnMany(world, 2, anything([Movement])))).toBe('INVALID_VALUE')
    expect(codeOf(() => addMany(world, [ship], anything(Movement)))).toBe('INVALID_VALUE')
    expect(world.has(cloneEntity(world, ship), Movement)).toBe(false)
    expect(made).toHaveLength(1)
    const copy = cloneEntity(world, ship, Movement)
    expect(world.get(copy, Movement)).toBe(made[1])
    checkInvariants(world)
  })
})

function add(world: World, one: Entity, what: ReturnType<typeof stage>['Movement']): Entity {
  world.add(one, what)
  return one
}

function exchange(world: World, one: Entity, what: ReturnType<typeof stage>['Movement']): Entity {
  world.exchange(one, [Position], [what])
  return one
}

function buffered(world: World, what: ReturnType<typeof stage>['Movement']): Entity {
  const commands = createCommands(world)
  const one = commands.spawn(what)
  commands.apply()
  return one
}
