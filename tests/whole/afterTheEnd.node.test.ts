// Shows what every call does on what has outlived its world, or its own dispose: an error that says so, or a result that harms
// nothing. The names of calls are read from the library: one that is new must be entered here. Calls of the world itself, and
// functions that take one, are in calls.node.test.ts.

import { BoxGeometry, MeshBasicMaterial, PointsMaterial } from 'three'
import { describe, expect, it } from 'vitest'
import * as arrow from '../../packages/arrow/src/arrow'
import * as checked from '../../bindings/checked'
import * as loops from '../../packages/compile/src/compile/compile'
import * as library from '../../bindings/index'
import * as inspecting from '../../packages/inspector/src/inspect/inspect'
import * as drawing from '../../packages/three/src/three'
import * as threads from '../../packages/workers/src/workers'
import {
  type Entity,
  createAccessor,
  StrataError,
  createHistory,
  createSchedule,
  createSpawner,
  onAdd,
  onEnter,
  onResource,
  onRestore,
  createRemovalReader,
  restoreWorld,
  snapshotWorld,
  onChange,
} from '../../bindings/index'
import {
  CALLS,
  DECLARED,
  Frozen,
  Health,
  Likes,
  Node,
  Position,
  Sprite,
  Wind,
  stageIn,
  use,
} from '../support/calls'
import { publicNames } from '../support/publicNames'
import { testWorld } from '../support/world'

/** A chunk, of a query or of a group. */
interface Kept {
  read(of: unknown): unknown
  write(of: unknown): unknown
  markChanged(of: unknown): void
  index(of: unknown, field: string): number
}

function stage() {
  const begun = stageIn(testWorld())
  const { world, bob, query, grouped } = begun
  const history = createHistory(world, { frames: 3 })
  history.save('first')
  const [[chunk], [run]] = [query, grouped]
  return {
    ...begun,
    history,
    past: snapshotWorld(world),
    schedule: createSchedule(world).add(() => {}, { name: 'move' }),
    chunk: chunk as unknown as Kept,
    run: run as unknown as Kept,
    links: world.query(Likes(bob)),
    accessor: createAccessor(world, Node),
    field: createAccessor(world, Position, 'x'),
    textField: createAccessor(world, Position, 'name'),
    reader: createRemovalReader(world, Position),
    spawners: [createSpawner(world, [Position, 'x']), createSpawner(world, [Position, 'name']), createSpawner(world, [Likes, 'target'], Frozen)],
    stops: [onAdd(world, Position, () => {}), onAdd(world, Likes(bob), () => {}), onEnter(query, () => {}), onChange(query, () => {}), onRestore(world, () => {}), onResource(world, Wind, () => {})],
  } // prettier-ignore
}
type Stage = ReturnType<typeof stage>

/** The code of what a call throws, and its sentence; or what it returns. */
function outcome(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    // Never an error of the language.
    if (!(error instanceof StrataError)) throw error
    return error.code
  }
}

const IS_ENTITY = (s: Stage) => [s.ann]
const NOTHING = () => [] as unknown[]
type Given = (stage: Stage) => unknown[]

/** What is given to each call of a query. */
const OF_QUERY: Record<string, Given> = Object.fromEntries(
  Object.entries(CALLS.query).map(([call, [given]]) => [call, given]),
)

function outcomes(stage: Stage, thing: object, calls: Record<string, Given>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(calls).map(([name, given]) => [name, outcome(() => use(thing, name, given(stage)))]),
  )
}

const all = (calls: object, code: string, but: Record<string, unknown> = {}) => ({
  ...Object.fromEntries(Object.keys(calls).map((name) => [name, code])),
  ...but,
})

describe('after its world was disposed of', () => {
  const ended = () => {
    const made = stage()
    made.world.dispose()
    return made
  }

  it('a world has no living entity, can be disposed of again, and is shown as what it is', () => {
    const { world, ann } = ended()
    expect([world.isAlive(ann), world.dispose(), String(world)]).toEqual([
      false,
      undefined,
      'World(disposed)',
    ])
    expect(outcome(() => createAccessor(world, Health).of(ann))).toBe('WORLD_DISPOSED')
  })

  it.each(['query', 'page', 'links', 'grouped', 'news'] as const)(
    'every call of a query says so: %s',
    (kind) => {
      const made = ended()
      const found = outcomes(made, made[kind], OF_QUERY)
      // A part of a query asks nothing yet.
      for (const part of ['where', 'slice'] as const) {
        if (typeof found[part] === 'object')
          found[part] = outcome(() => (found[part] as typeof made.query).count)
        if (
          found[part] === 'INVALID_QUERY' ||
          found[part] === 'INVALID_OPTION' ||
          found[part] === 'NOT_A_COMPONENT'
        )
          found[part] = 'WORLD_DISPOSED'
      }
      const dispose = kind === 'news' ? undefined : 'WORLD_DISPOSED'
      expect(found).toEqual(all(OF_QUERY, 'WORLD_DISPOSED', { dispose }))
      expect(outcome(() => [...(made[kind] as Iterable<unknown>)])).toBe('WORLD_DISPOSED')
    },
  )

  it('a history says so where it needs the world, and still reports its frames', () => {
    const made = ended()
    const calls: Record<string, Given> = {
      save: NOTHING, rewind: () => [0], goTo: () => [0], cut: NOTHING, frame: NOTHING, oldest: NOTHING, newest: NOTHING,
      nameOf: () => [0], byteLength: NOTHING,
    } // prettier-ignore
    expect(Object.keys(calls).sort()).toEqual(publicNames('history/history', 'History').sort())
    expect(outcomes(made, made.history, calls)).toEqual({
      save: 'WORLD_DISPOSED', rewind: 'WORLD_DISPOSED', goTo: 'WORLD_DISPOSED', cut: undefined, frame: 0, oldest: 0, newest: 0,
      nameOf: 'first', byteLength: made.past.byteLength,
    }) // prettier-ignore
  })

  it('a schedule does not run, and its systems can be listed and disposed of', () => {
    const { schedule } = ended()
    expect(outcome(() => schedule.run(1))).toBe('WORLD_DISPOSED')
    expect(outcome(() => schedule.addObjects(Sprite))).toBe('WORLD_DISPOSED')
    expect([schedule.has('move'), schedule.order(), schedule.isEnabled('move')]).toEqual([
      true,
      ['move'],
      true,
    ])
    expect(schedule.stats().runs).toBe(0)
    expect(outcome(() => schedule.dispose())).toBeUndefined()
  })

  it('accessors, readers, spawners and chunks say so; unsubscribing is always allowed', () => {
    const made = ended()
    const { accessor, field, textField, reader, chunk: kept, run, ann, spawners, stops } = made
    const calls = [
      () => accessor.of(ann), () => accessor.rowOf(ann), () => accessor.at(0), () => accessor.entityAt(0),
      () => field.get(ann), () => field.set(ann, 1), () => textField.get(ann), () => textField.set(ann, 'a'),
      () => reader.read(),
      () => (spawners[0] as (x: number) => Entity)(1), () => (spawners[1] as unknown as (x: string) => Entity)('a'), () => (spawners[2] as unknown as (x: Entity) => Entity)(ann),
      () => kept.read(Position), () => kept.write(Position), () => kept.markChanged(Position), () => kept.index(Position, 'x'),
      () => run.read(Health), () => run.write(Health), () => run.markChanged(Health), () => run.index(Health, 'hp'),
    ] // prettier-ignore
    expect(calls.map(outcome)).toEqual(calls.map(() => 'WORLD_DISPOSED'))
    expect(stops.map((stop) => outcome(stop))).toEqual(stops.map(() => undefined))
    expect(outcome(() => reader.dispose())).toBeUndefined()
  })

  it('a snapshot and a save of it go on in other worlds, and a fork lives', () => {
    const made = stage()
    const copy = library.forkWorld(made.world)
    made.world.dispose()
    expect(copy.query(Position).count).toBe(4)
    copy.dispose()
    expect(made.past.byteLength).toBeGreaterThan(0)
    expect(outcome(() => restoreWorld(made.world, made.past))).toBe('WORLD_DISPOSED')
    const { world } = library.loadWorld(made.bytes, { components: DECLARED })
    expect(world.query(Position).count).toBe(4)
    world.dispose()
  })

  /**
   * Of the other entries the functions that take a world or a query, and the names of the others. Hooks of React are not among them: they
   * show nothing of a world that is gone, see packages/react/tests.
   */
  const OF_ENTRIES: Record<string, [entry: object, taking: Record<string, Given>, others: string[]]> = {
    'strata-ecs/arrow': [arrow, { toArrow: (s) => [s.query] }, []],
    'strata-ecs/three': [
      drawing,
      { createInstances: (s) => [s.world, [Position], drawn()], createPoints: (s) => [s.world, [Position], drawnAsPoints()] },
      [],
    ],
    'strata-ecs/inspect': [inspecting, { inspect: (s) => [s.world] }, []],
    'strata-ecs/compile': [loops, {}, ['compile', 'compiledAhead', 'compiledVariantsAhead', 'read']],
    'strata-ecs/workers': [threads, {}, ['workers']],
    'strata-ecs/checked': [checked, {}, ['checkedCore']],
  } // prettier-ignore

  it.each(Object.keys(OF_ENTRIES))('every function of %s that takes a world or a query says so', (name) => {
    const [entry, taking, others] = OF_ENTRIES[name] as (typeof OF_ENTRIES)[string]
    const functions = Object.entries(entry).filter(
      ([one, value]) => typeof value === 'function' && /^[a-z]/.test(one),
    )
    expect([...Object.keys(taking), ...others].sort()).toEqual(functions.map(([one]) => one).sort())
    expect(outcomes(ended(), entry, taking)).toEqual(all(taking, 'WORLD_DISPOSED'))
  })

  it.each(['compiled', 'javascript'] as const)(
    'a loop says so, whether it has met the world or not: %s',
    (mode) => {
      const made = stage()
      const [known, late] = [move(mode), move(mode)]
      made.query.run(known)
      const other = testWorld()
      made.world.dispose()
      for (const query of [made.query, made.page, made.links, made.news])
        expect([known, late].map((loop) => outcome(() => query.run(loop)))).toEqual([
          'WORLD_DISPOSED',
          'WORLD_DISPOSED',
        ])
      // It is of use in other worlds.
      const one = other.spawn(Position)
      other.query(Position).run(known)
      expect(other.get(one, Position)?.x).toBe(1)
      other.dispose()
    },
  )

  it('every call of an inspection says so', () => {
    const calls: Record<string, Given> = {
      stats: NOTHING, components: NOTHING, archetypes: NOTHING, chunks: () => [0], pools: NOTHING, relations: NOTHING, resources: NOTHING,
      queries: NOTHING, listeners: NOTHING, entity: IS_ENTITY, find: () => ['Position'],
      set: (s) => [s.ann, 'Position', 'x', 1], setResource: () => ['Wind', 'x', 1],
    } // prettier-ignore
    const made = stage()
    const view = inspecting.inspect(made.world)
    made.world.dispose()
    expect([...Object.keys(calls), 'world'].sort()).toEqual(
      publicNames('../packages/inspector/src/inspect/inspect', 'Inspection').sort(),
    )
    expect(outcomes(made, view, calls)).toEqual(all(calls, 'WORLD_DISPOSED'))
  })

  it('an adapter that draws a query says so when it updates, and can be disposed of', () => {
    const { world } = stage()
    const shown = [
      drawing.createInstances(world, [Position], drawn()),
      drawing.createPoints(world, [Position], drawnAsPoints()),
    ]
    for (const one of shown) one.update()
    world.dispose()
    for (const one of shown) {
      expect([outcome(() => one.update()), one.count]).toEqual(['WORLD_DISPOSED', 4])
      expect([outcome(() => one.dispose()), outcome(() => one.dispose())]).toEqual([undefined, undefined])
    }
  })
})

/** A loop over positions. */
const move = (mode: 'compiled' | 'javascript') =>
  loops.compile([Position], (position) => void (position.x += 1), { mode })

const drawn = () => ({
  geometry: new BoxGeometry(),
  material: new MeshBasicMaterial(),
  position: [Position, ['x', 'x']] as const,
})
const drawnAsPoints = () => ({
  material: new PointsMaterial(),
  position: [Position, ['x', 'x']] as const,
})

describe('after its own dispose', () => {
  it('a query for changes says so, and can be disposed of again', () => {
    const made = stage()
    const part = made.news.slice(0, 1)
    made.news.dispose()
    const expected = all(OF_QUERY, 'QUERY_DISPOSED', { dispose: undefined })
    expect(outcomes(made, made.news, OF_QUERY)).toEqual(expected)
    expect(outcome(() => part.count)).toBe('QUERY_DISPOSED')
    expect(() => made.news.count).toThrow('The query (changed(Position)) was disposed of')
    expect(outcome(() => [...made.news])).toBe('QUERY_DISPOSED')
    expect(outcome(() => library.sumOf(made.news, Position, 'x'))).toBe('QUERY_DISPOSED')
    expect(outcome(() => library.getColumn(made.news, Position, 'x'))).toBe('QUERY_DISPOSED')
    expect(outcome(() => arrow.toArrow(made.news))).toBe('QUERY_DISPOSED')
    for (const mode of ['compiled', 'javascript'] as const)
      expect(outcome(() => made.news.run(move(mode)))).toBe('QUERY_DISPOSED')
    made.world.dispose()
  })

  it('a reader of removals has nothing to list, a schedule has no systems, an unsubscribed listener stays so', () => {
    const { world, ann, reader, schedule, stops } = stage()
    reader.dispose()
    world.destroy(ann)
    expect([reader.read(), reader.missed]).toEqual([[], 0])
    expect(outcome(() => reader.dispose())).toBeUndefined()
    schedule.dispose()
    expect([schedule.order(), outcome(() => schedule.run(1))]).toEqual([[], undefined])
    expect(outcome(() => schedule.dispose())).toBeUndefined()
    for (const stop of [...stops, ...stops]) expect(outcome(stop)).toBeUndefined()
    world.dispose()
    expect(outcome(() => world.dispose())).toBeUndefined()
  })
})
