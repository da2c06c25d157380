// Shows what `measure` reports of loops and listeners, that it leaves nothing when it ends, and that it changes no result. Time
// is a number that the tests move on.

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Query,
  type World,
  added,
  cascade,
  changed,
  component,
  createSchedule,
  digest,
  f32,
  group,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onResource,
  onRestore,
  onSet,
  relation,
  resource,
  restore,
  snapshot,
  subscribe,
  tag,
} from '../../../../bindings/index'
import { inspect } from '../../src/inspect/inspect'
import { checkInvariants } from '../../../../tests/support/invariants'
import { proofLength } from '../../../../tests/support/proofs'
import { watchedWorld } from '../../../../tests/support/watched'

const Position = component('Position', { x: f32 })
const Velocity = component('Velocity', { x: f32 })
const Left = component('Left', { n: f32 }, { storage: 'sparse' })
const Right = component('Right', { n: f32 }, { storage: 'sparse' })
const Frozen = tag('Frozen')
const ChildOf = relation('ChildOf', { exclusive: true })
const Time = resource('Time', { dt: f32 })

let now = 0
const pass = (ms: number) => void (now += ms)
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now))
afterEach(() => void vi.restoreAllMocks())

/** What is replaced while a world is measured. */
function partsOf(world: World) {
  const { state } = world as unknown as {
    state: { loops: object; watching: number; reporting?: { calls: object }; heap: { u8: Uint8Array } }
  }
  return { loops: state.loops, calls: state.reporting?.calls, watching: state.watching }
}

type View = ReturnType<typeof inspect>
const figures = (one: { runs: number; lastMs: number; totalMs: number; meanMs: number } | undefined) =>
  one && [one.runs, one.lastMs, one.totalMs, one.meanMs]
const costOf = (view: View, terms: string) => figures(view.queries().find((query) => query.terms === terms))
const callsOf = (view: View, event: string, name: string) =>
  figures(view.listeners().find((one) => one.event === event && one.component === name))

const NOTHING = [0, 0, 0, 0]

function peopled(): World {
  const world = watchedWorld()
  // Something has listened: from then on a world can be asked what is replaced.
  onAdd(world, Position, () => {})()
  const parent = world.spawn(Position, Velocity, Left, Right)
  world.spawn(Position({ x: 1 }), Left, ChildOf(parent))
  return world
}

describe('loops', () => {
  /** How each kind of loop is walked, and under which terms it is found. The body is entered once for each step. */
  const KINDS: [string, string, (world: World, body: () => void) => void][] = [
    ['for … of', 'Velocity', (world, body) => walk(world.query(Velocity), body)],
    ['each', 'Velocity', (world, body) => world.query(Velocity).each(body)],
    [
      'over rows by a value',
      'Position',
      (world, body) => walk(world.query(Position).where(Position, 'x', '<', 1), body),
    ],
    ['over a page', 'Position', (world, body) => walk(world.query(Position).page(0, 1), body)],
    ['over a pool', 'Left, Velocity', (world, body) => walk(world.query(Left, Velocity), body)],
    ['over a group', 'Left, Right', (world, body) => walk(group(world, Left, Right), body)],
    ['each over a group', 'Left, Right', (world, body) => group(world, Left, Right).each(body)],
    [
      'over the children of an entity',
      'Position, ChildOf',
      (world, body) => walk(world.query(Position, ChildOf(parentIn(world))), body),
    ],
    ['by levels', 'Velocity', (world, body) => walk(world.query(Velocity, cascade(ChildOf)), body)],
    [
      'over what has changed',
      'changed(Velocity)',
      (world, body) => walk(world.query(changed(Velocity)), body),
    ],
  ]

  function walk(query: Iterable<unknown>, body: () => void) {
    for (const _ of query) body()
  }

  const parentIn = (world: World) => world.query(Velocity).first() as never

  it.each(KINDS)('%s are measured from beginning to end, with their body', (_, terms, loop) => {
    const world = peopled()
    parentIn(world)
    const view = inspect(world)
    const stop = view.measure()
    // What makes a group, or looks a parent up, loops as well: it takes no time here, and is counted apart.
    loop(world, () => {})
    const [runs] = costOf(view, terms) as number[]
    loop(world, () => pass(7))
    const [after, lastMs, totalMs] = costOf(view, terms) as number[]
    const each = (after as number) - (runs as number)
    expect([each > 0, lastMs, totalMs]).toEqual([true, 7, 7])
    stop()
    if (!terms.startsWith('changed')) expect(costOf(view, terms)).toEqual(NOTHING)
  })

  it('have the last, the sum and the mean, and each query its own', () => {
    const world = peopled()
    const [positions, velocities] = [world.query(Position), world.query(Velocity)]
    const view = inspect(world)
    const stop = view.measure()
    let ms = 0
    const lasting = (next: number) => ((ms = next), velocities.each(() => pass(ms)))
    for (const next of [1, 4, 7]) lasting(next)
    positions.each(() => {})
    expect(costOf(view, 'Velocity')).toEqual([3, 7, 12, 4])
    expect(costOf(view, 'Position')).toEqual([1, 0, 0, 0])
    stop()
  })

  it('inside of others count for both, whichever ends first', () => {
    const world = peopled()
    const [outer, inner] = [world.query(Velocity), world.query(Right)]
    const view = inspect(world)
    const stop = view.measure()
    outer.each(() => {
      pass(1)
      inner.each(() => pass(10))
      pass(2)
    })
    expect([costOf(view, 'Velocity'), costOf(view, 'Right')]).toEqual([
      [1, 13, 13, 13],
      [1, 10, 10, 10],
    ])
    const first = outer[Symbol.iterator]()
    pass(5)
    const second = inner[Symbol.iterator]()
    pass(20)
    first.return?.()
    pass(100)
    second.return?.()
    expect([costOf(view, 'Velocity'), costOf(view, 'Right')]).toEqual([
      [2, 25, 38, 19],
      [2, 120, 130, 65],
    ])
    stop()
  })

  it('that are left early or by an error count, those that are abandoned do not', () => {
    const world = peopled()
    const query = world.query(Velocity)
    const view = inspect(world)
    const stop = view.measure()
    for (const _ of query) {
      pass(3)
      break
    }
    expect(() =>
      query.each(() => {
        pass(4)
        throw new Error('boom')
      }),
    ).toThrow('boom')
    expect(costOf(view, 'Velocity')).toEqual([2, 4, 7, 3.5])
    const schedule = createSchedule(world).add(() => {
      query[Symbol.iterator]().next()
      pass(50)
    })
    expect(() => schedule.run(0)).toThrow(expect.objectContaining({ code: 'SYSTEM_FAILED' }) as Error)
    query.each(() => pass(1))
    expect(costOf(view, 'Velocity')).toEqual([3, 1, 8, 8 / 3])
    stop()
  })

  it('that are open when measuring begins or ends are not counted, and close as ever', () => {
    const world = peopled()
    const [query, inner] = [world.query(Velocity), world.query(Right)]
    const view = inspect(world)
    const before = partsOf(world)
    let stop = () => {}
    query.each(() => {
      stop = view.measure()
      inner.each(() => pass(2))
      expect(() => world.reset()).toThrow(/over the query \(Velocity\)/)
    })
    expect([costOf(view, 'Velocity'), costOf(view, 'Right')]).toEqual([NOTHING, [1, 2, 2, 2]])
    query.each(() => {
      pass(9)
      stop()
      expect(() => world.reset()).toThrow(/over the query \(Velocity\)/)
    })
    expect(partsOf(world)).toEqual(before)
    world.reset()
    expect(view.queries().map(figures)).toEqual(view.queries().map(() => NOTHING))
  })

  it('of the inspection itself are not counted', () => {
    const world = peopled()
    const query = world.query(Left, Position)
    const view = inspect(world)
    const stop = view.measure()
    const found = view.find('Left & Position')
    expect([query.isEmpty, costOf(view, 'Left, Position')?.[0]]).toEqual([false, 1])
    expect([found.count, found.page(0, 9).length, found.rows(0, 9).length]).toEqual([2, 2, 2])
    expect(view.find('Position.x > 0 | Left').count).toBe(2)
    expect(view.queries().find(({ terms }) => terms === 'Left, Position')?.matches).toBe(2)
    expect(
      view
        .queries()
        .map(({ runs }) => runs)
        .reduce((a, b) => a + b),
    ).toBe(1)
    stop()
  })

  it('keep their figures over a reset, a restore and a new group', () => {
    const world = peopled()
    const taken = snapshot(world)
    const query = world.query(Left, Right)
    const view = inspect(world)
    const stop = view.measure()
    const run = () => query.each(() => pass(2))
    run()
    group(world, Left, Right)
    run()
    expect(costOf(view, 'Left, Right')).toEqual([2, 2, 4, 2])
    restore(world, taken)
    run()
    world.reset()
    run()
    expect(costOf(view, 'Left, Right')).toEqual([4, 0, 6, 1.5])
    stop()
  })

  it('over queries with a memory of their own are listed once, with their archetypes', () => {
    const world = peopled()
    const fresh = world.query(added(Velocity))
    const view = inspect(world)
    const stop = view.measure()
    for (const _ of fresh) pass(3)
    expect(view.queries().map(({ terms, archetypes, runs }) => [terms, archetypes, runs])).toEqual([
      ['added(Velocity)', 1, 1],
    ])
    stop()
    expect(view.queries().map(({ terms, runs }) => [terms, runs])).toEqual([['Velocity', 0]])
  })
})

describe('listeners', () => {
  it('of every event are measured, all of a list together', () => {
    const world = peopled()
    const query = world.query(Position, Frozen)
    onAdd(world, Frozen, () => pass(1))
    onAdd(world, Frozen, () => pass(2))
    onRemove(world, Frozen, () => pass(4))
    onSet(world, Position, () => pass(8))
    onEnter(query, () => pass(16))
    onExit(query, () => pass(32))
    subscribe(query, () => pass(64))
    onRestore(world, () => pass(128))
    onResource(world, Time, () => {})
    const view = inspect(world)
    const ship = world.query(Velocity).first() as never
    world.add(ship, Frozen)
    world.remove(ship, Frozen)
    expect(view.listeners().map(figures)).toEqual(view.listeners().map(() => NOTHING))
    const stop = view.measure()
    const taken = snapshot(world)
    world.setResource(Time, { dt: 1 })
    world.add(ship, Frozen)
    world.set(ship, Position, { x: 2 })
    world.set(ship, Position, { x: 3 })
    world.remove(ship, Frozen)
    expect(callsOf(view, 'add', 'Frozen')).toEqual([1, 3, 3, 3])
    expect(callsOf(view, 'remove', 'Frozen')).toEqual([1, 4, 4, 4])
    expect(callsOf(view, 'set', 'Position')).toEqual([2, 8, 16, 8])
    expect(callsOf(view, 'enter', 'Position, Frozen')).toEqual([1, 16, 16, 16])
    expect(callsOf(view, 'exit', 'Position, Frozen')).toEqual([1, 32, 32, 32])
    expect(callsOf(view, 'change', 'Position, Frozen')).toEqual([2, 64, 128, 64])
    expect(callsOf(view, 'restore', '')).toEqual(NOTHING)
    restore(world, taken)
    expect(callsOf(view, 'restore', '')).toEqual([1, 128, 128, 128])
    stop()
    expect(view.listeners().map(figures)).toEqual(view.listeners().map(() => NOTHING))
  })

  it('that throw or loop are measured, and their errors thrown as ever', () => {
    const world = peopled()
    const query = world.query(Velocity)
    onAdd(world, Frozen, () => {
      query.each(() => pass(3))
      throw new Error('boom')
    })
    const view = inspect(world)
    const stop = view.measure()
    expect(() => world.add(query.first() as never, Frozen)).toThrow('boom')
    expect(callsOf(view, 'add', 'Frozen')).toEqual([1, 3, 3, 3])
    // One of them is `first`.
    expect(costOf(view, 'Velocity')).toEqual([2, 3, 3, 1.5])
    stop()
  })
})

describe('measuring', () => {
  it('is not begun by looking, and leaves nothing when the last who measures has stopped', () => {
    const world = peopled()
    onAdd(world, Frozen, () => {})
    const before = partsOf(world)
    const [one, other] = [inspect(world), inspect(world)]
    one.queries().map(({ matches }) => matches)
    one.listeners()
    one.find('Position').page(0, 5)
    expect(partsOf(world)).toEqual(before)
    const query = world.query(Velocity)
    const stops = [one.measure(), other.measure()]
    query.each(() => pass(2))
    expect(partsOf(world).loops).not.toBe(before.loops)
    stops[0]?.()
    stops[0]?.()
    query.each(() => pass(4))
    expect([costOf(one, 'Velocity'), costOf(other, 'Velocity')]).toEqual([
      [2, 4, 6, 3],
      [2, 4, 6, 3],
    ])
    stops[1]?.()
    const after = partsOf(world)
    expect([after.loops === before.loops, after.calls === before.calls]).toEqual([true, true])
    expect(after.watching).toBe(before.watching)
    const stop = one.measure()
    expect(costOf(one, 'Velocity')).toEqual(NOTHING)
    stop()
    stops[1]?.()
    expect(partsOf(world).loops).toBe(before.loops)
  })

  it('stops in a world that was disposed of', () => {
    const world = peopled()
    const before = partsOf(world)
    const stop = inspect(world).measure()
    world.dispose()
    stop()
    expect(partsOf(world).loops).toBe(before.loops)
    expect(() => inspect(world)).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }) as Error)
  })

  it('changes no result of loops that are nested, left early, thrown out of or closed out of order', () => {
    type Step =
      | {
          readonly kind: 'loop'
          readonly query: number
          readonly body: readonly Step[]
          readonly end: number
        }
      | { readonly kind: 'hold' | 'drop' | 'spawn' | 'freeze' | 'measure'; readonly query: number }
    const { steps } = fc.letrec<{ step: Step; steps: Step[] }>((tie) => ({
      steps: fc.array(tie('step'), { maxLength: 5 }),
      step: fc.oneof(
        { maxDepth: 3 },
        fc.record({
          kind: fc.constantFrom('hold', 'drop', 'spawn', 'freeze', 'measure'),
          query: fc.nat(3),
        }) as fc.Arbitrary<Step>,
        fc.record({
          kind: fc.constant('loop' as const),
          query: fc.nat(3),
          body: tie('steps'),
          end: fc.nat(5),
        }) as fc.Arbitrary<Step>,
      ),
    }))
    /** Plays the steps; what it sees, and what the world is like in the end. */
    function play(list: readonly Step[], measures: boolean) {
      const world = watchedWorld()
      const stops: (() => void)[] = []
      const view = inspect(world)
      const before = partsOf(world)
      const seen: unknown[] = []
      onAdd(world, Frozen, (entity) => seen.push(entity))
      world.spawnMany(3, [Position, Left])
      world.spawn(Position, Velocity)
      const queries = [
        world.query(Position),
        world.query(Left),
        world.query(Position).where(Position, 'x', '<', 1),
        world.query(Velocity),
      ] as Query[]
      const held: Iterator<unknown>[] = []
      const run = (steps: readonly Step[]) => {
        for (const step of steps) {
          const query = queries[step.query] as Query
          if (step.kind === 'loop') {
            let left = step.end
            for (const chunk of query) {
              seen.push(chunk.end - chunk.start)
              run(step.body)
              if (left-- === 1) break
              if (left === 2) throw new Error('out')
            }
          } else if (step.kind === 'hold') {
            const iterator = query[Symbol.iterator]()
            seen.push(iterator.next().done)
            held.push(iterator)
          } else if (step.kind === 'drop') seen.push(held.splice(step.query, 1)[0]?.return?.().done)
          else if (step.kind === 'spawn') world.spawn(Position, Velocity)
          else if (step.kind === 'freeze') {
            const first = query.first()
            if (first !== undefined) world.add(first, Frozen)
          } else if (measures && stops.length < 3) stops.push(view.measure())
          else stops.shift()?.()
          const { state } = world as unknown as { state: { locks: number; loops: { names: unknown } } }
          seen.push(state.locks, state.loops.names)
        }
      }
      for (const part of [list, list]) {
        try {
          run(part)
        } catch (error) {
          seen.push((error as Error).message)
        }
      }
      for (const iterator of held) iterator.return?.()
      for (const stop of stops) stop()
      expect(partsOf(world).loops).toBe(before.loops)
      seen.push([...world.query().entities()], world.query(Frozen).count, digest(world))
      checkInvariants(world)
      world.dispose()
      return seen
    }
    fc.assert(
      fc.property(steps, (list) => {
        expect(play([{ kind: 'measure', query: 0 }, ...list], true)).toEqual(
          play([{ kind: 'measure', query: 0 }, ...list], false),
        )
      }),
      { numRuns: proofLength(300), seed: 23 },
    )
  })
})
