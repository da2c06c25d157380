// Shows that looking at a world changes nothing in it: a world that a view inspects, by queries, listeners, readers, accessors and
// declarations of its own, by trimming it and by going back at once, takes the same course as one without a view. Orders of all loops, the
// next handles and digests are equal.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  cascade,
  changed,
  clearWorld,
  component,
  createAccessor,
  destroyMany,
  digestWorld,
  queueDestroy,
  endFrame,
  forkWorld,
  not,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  optional,
  relation,
  createRemovalReader,
  removeMany,
  restoreWorld,
  snapshotWorld,
  sortedEntities,
  sparse,
  spawnMany,
  onChange,
  stable,
  sumOf,
  tag,
  toggle,
  trimWorld,
  u32,
  type Entity,
  type World,
} from '../../bindings/index'
import { inspect } from '../../packages/inspector/src/inspect/inspect'
import { proofLength } from '../support/proofs'
import * as kinds from '../support/script/kinds'
import { LINK_SORTS, Likes as ScriptLikes, Owns } from '../support/script/relations'
import { Session, steps } from '../support/script/session'
import { runScript } from '../support/script/shrinking'
import { testWorld } from '../support/world'

const STEPS = 60

const Position = component('Position', { x: u32 })
const Health = component('Health', { hp: u32 }, { storage: sparse })
const Armour = component('Armour', { n: u32 }, { storage: stable })
const Hull = component('Hull', { n: u32 }, { toggle })
const Red = tag('Red')
const Blue = tag('Blue')
const Hit = tag('Hit', { lifetime: 'frame' })
const Blow = component('Blow', { n: u32 }, { lifetime: 'frame' })
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const Likes = relation('Likes', { n: u32 })
const Keeps = relation('Keeps', { exclusive: true, onTargetDestroy: 'keep' })
const PARTS = [Position, Health, Armour, Hull, Red, Blue, Hit, Blow]

// What the view declares for itself.
const Sprite = object<{ n: number }>('View sprite')
const Marks = relation('View marks')
const Seen = tag('View seen')

type Query = (world: World) => ReturnType<World['query']>

const QUERIES: readonly Query[] = [
  (world) => world.query(),
  (world) => world.query(Position),
  (world) => world.query(Health),
  (world) => world.query(Position, Health),
  (world) => world.query(Hull),
  (world) => world.query(Red, not(Blue)),
  (world) => world.query(Armour, not(Red)),
  (world) => world.query(not(Position)),
  (world) => world.query(Position).where(Position, 'x', '>', 3),
  (world) => world.query(ChildOf),
  (world) => world.query(Hit),
]

const FILTERS: readonly [names: string[], filter: string][] = [
  [['Position', 'Red'], 'Position.x > 2 & !Red'],
  [['Health'], 'Health order by Health.hp desc'],
  [['Likes', 'Blue'], 'Likes(*) | Blue'],
]

const UNLIMITED = 0x7fffffff

const OWN = { parts: PARTS as never, x: Position, tree: ChildOf as never, queries: QUERIES }

/** What the random script of everything has. */
const SCRIPTED = {
  parts: kinds.SORTS.map(({ kind }) => kind) as never,
  x: kinds.Position as never,
  tree: Owns as never,
  queries: [
    (world) => world.query(),
    ...[...kinds.SORTS, ...LINK_SORTS].map<Query>(
      ({ kind }) =>
        (world) =>
          world.query(kind as never),
    ),
    (world) => world.query(kinds.Position, kinds.Red),
    (world) => world.query(kinds.Health, kinds.Weight),
    (world) => world.query(kinds.Score, not(kinds.Position)),
    (world) => world.query(kinds.Mixed, optional(ScriptLikes)),
  ] as readonly Query[],
}

type Random = (below: number) => number

/** Numbers from a seed; the same for both worlds. */
function randomOf(seed: number): Random {
  let state = seed * 2654435761 + 1
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const partsOf = (random: Random): never[] =>
  PARTS.filter(() => random(3) === 0).map((part, i) =>
    i % 2 === 0 && part !== Red && part !== Blue && part !== Hit
      ? (part as typeof Position)({
          [part === Position ? 'x' : part === Health ? 'hp' : 'n']: random(8),
        } as never)
      : part,
  ) as never[]

/** One step of the simulation. What it does follows from the numbers and the handles alone. */
function step(world: World, random: Random, handles: Entity[]): void {
  const one = (): Entity => handles[random(handles.length)] ?? (1 as Entity)
  const spawn = () => handles.push(world.spawn(...partsOf(random)))
  const query = () => (QUERIES[random(QUERIES.length)] as Query)(world)
  switch (random(18)) {
    case 0:
    case 1:
    case 2:
      for (let i = random(4); i >= 0; i--) spawn()
      return
    case 3:
      for (const entity of spawnMany(world, random(6), [Position, Red])) handles.push(entity)
      return
    case 4:
      world.destroy(one())
      return
    case 5:
      destroyMany(world, [one(), one(), one()])
      return
    case 6:
      if (random(3) === 0) destroyMany(query())
      return
    case 7: {
      const parts = partsOf(random)
      if (parts.length > 0) addMany(query(), ...parts)
      return
    }
    case 8:
      removeMany(query(), ...([PARTS[random(PARTS.length)] as typeof Position] as const))
      return
    case 9: {
      const entity = one()
      const parts = partsOf(random)
      if (world.isAlive(entity) && parts.length > 0) world.add(entity, ...parts)
      return
    }
    case 10:
      world.remove(one(), PARTS[random(PARTS.length)] as typeof Position)
      return
    case 11:
      world.batch(() => {
        for (let i = 0; i < 4; i++) {
          const entity = one()
          if (random(3) === 0) spawn()
          else if (random(2) === 0) world.remove(entity, Red, Position)
          else if (world.isAlive(entity)) world.add(entity, Blue, Position({ x: random(9) }))
        }
      })
      return
    case 12: {
      const [a, b] = [one(), one()]
      if (a === b || !world.isAlive(a) || !world.isAlive(b)) return
      if (random(2) === 0) world.add(a, Likes(b, { n: 1 }))
      else if (random(2) === 0) world.add(a, Keeps(b))
      else if (world.sourceCount(a, ChildOf) === 0) world.add(a, ChildOf(b))
      return
    }
    case 13:
      queueDestroy(world, one())
      if (random(2) === 0) endFrame(world)
      return
    case 14: {
      const entity = one()
      if (world.has(entity, Hull)) world[random(2) === 0 ? 'disable' : 'enable'](entity, Hull)
      return
    }
    case 15:
      // The order of a loop decides which handle goes to whom.
      query().each((entity) => {
        if (random(4) === 0) handles.push(world.spawn(Red))
        if (random(8) === 0) world.destroy(entity)
      })
      return
    case 16:
      world.advanceTick()
      return
    default:
      if (random(12) === 0) clearWorld(world)
  }
}

/** What a view looks at. */
interface Subject {
  readonly parts: readonly (typeof Position)[]
  readonly x: typeof Position
  readonly tree: typeof ChildOf
  readonly queries: readonly Query[]
  /** Takes the world back to what it is. */
  goBack(change: () => void): void
  handles(): readonly Entity[]
}

/** What a view does: nothing of it is a change of the simulation. */
function look(world: World, random: Random, subject: Subject, stops: (() => void)[]): void {
  const { x, tree } = subject
  const handles = subject.handles()
  const one = handles[random(handles.length)] ?? (1 as Entity)
  const part = subject.parts[random(subject.parts.length)] as typeof Position
  const query = (subject.queries[random(subject.queries.length)] as Query)(world)
  // Listeners follow no values.
  const watched = random(2) === 0 ? world.query(part) : world.query(not(part))
  const looks: (() => unknown)[] = [
    () => query.entities(),
    () => query.each(() => {}),
    () => query.count,
    () => query.slice(random(4), random(4) + 3).entities(),
    () => stops.push(onAdd(world, part, () => {})),
    () => stops.push(onRemove(world, part, () => {})),
    () => stops.push(onAdd(world, part, () => {}, { existing: true })),
    () => stops.push(onSet(world, x, () => {}, { before: true })),
    () =>
      stops.push(
        onAdd(world, Sprite, () => {}),
        onRemove(world, Marks, () => {}),
      ),
    () =>
      stops.push(
        onEnter(watched, () => {}),
        onExit(watched, () => {}),
      ),
    () => stops.push(onChange(watched, () => {})),
    () => stops.splice(0).forEach((stop) => stop()),
    () => createRemovalReader(world, part).read(),
    () => world.query(Sprite).count,
    () => world.query(Marks).count,
    () => world.query(Seen, x).count,
    () => [...world.query(changed(x)).entities()],
    () => sortedEntities(world.query(x), x, 'x'),
    () => sumOf(world.query(x), x, 'x'),
    () => world.has(one, x) && createAccessor(world, x).of(one).x,
    () => [world.get(one, x), world.has(one, Sprite), world.componentsOf(one)],
    () => world.sources(one, tree),
    () => world.query(x, cascade(tree)).count,
    () => trimWorld(world),
    () => digestWorld(world),
    () => inspectAll(world, one),
    () => subject.goBack(() => {}),
    () => {
      // Frames that are taken back, with the first link and the first object of all.
      subject.goBack(() => {
        const other = world.spawn(Sprite({ n: 1 }), Seen)
        world.spawn(Marks(other), x)
        destroyMany(world.query(Seen))
      })
    },
    () => forkWorld(world).dispose(),
  ]
  ;(looks[random(looks.length)] as () => unknown)()
}

/** What an inspector shows. A filter names what the world has met. */
function inspectAll(world: World, entity: Entity): unknown {
  const view = inspect(world)
  const known = new Set(view.components().map(({ name }) => name))
  for (const [names, filter] of FILTERS) {
    if (names.every((name) => known.has(name))) view.find(filter).page(0, 5)
  }
  return [view.archetypes(), view.pools(), view.queries(), view.listeners(), view.entity(entity)]
}

/** Everything that order decides, seen in a fork: the world itself is not looked at. */
function ordersOf(world: World, { queries, tree }: Pick<Subject, 'queries' | 'tree'>): unknown {
  const twin = forkWorld(world)
  const orders = queries.map((query) => [...query(twin).entities()])
  const links = (orders[0] as Entity[]).map((entity) => [...twin.sources(entity, tree)])
  const next = Array.from({ length: 5 }, () => twin.spawn())
  const { freeIds, retiredIds } = world.stats()
  const all = [orders, links, next, digestWorld(world), freeIds, retiredIds]
  twin.dispose()
  return all
}

describe('a world that is inspected by a view', () => {
  it('takes the same course as one without a view', () => {
    for (let seed = 1; seed <= proofLength(300); seed++) {
      const [alone, seen] = [testWorld(), testWorld()]
      const worlds = [alone, seen].map((world) => ({
        world,
        random: randomOf(seed),
        handles: [] as Entity[],
      }))
      const eye = randomOf(seed + 77777)
      const stops: (() => void)[] = []
      const subject: Subject = {
        ...OWN,
        goBack(change) {
          const before = snapshotWorld(seen)
          change()
          restoreWorld(seen, before)
        },
        handles: () => worlds[1]?.handles as Entity[],
      }
      // What the view asks for before anything happens.
      for (let i = eye(6); i > 0; i--) look(seen, eye, subject, stops)
      for (let n = 0; n < STEPS; n++) {
        for (const { world, random, handles } of worlds) step(world, random, handles)
        for (let i = eye(4); i > 0; i--) look(seen, eye, subject, stops)
        if (n % 6 !== 5) continue
        expect([seed, n, worlds[1]?.handles]).toEqual([seed, n, worlds[0]?.handles])
        expect([seed, n, ordersOf(seen, OWN)]).toEqual([seed, n, ordersOf(alone, OWN)])
        const direct = QUERIES.map((query) => [...query(seen).entities()])
        expect([seed, n, direct]).toEqual([seed, n, (ordersOf(alone, OWN) as unknown[])[0]])
      }
      alone.dispose()
      seen.dispose()
    }
  })

  it('takes it through the random script of everything as well', () => {
    const property = fc.property(steps(40, 160), fc.nat(), fc.nat(), (script, querySeed, eyeSeed) =>
      runScript(script, (some) => {
        const course: unknown[] = []
        for (const isSeen of [false, true]) {
          const session = new Session(testWorld(), UNLIMITED, querySeed)
          const { world } = session
          const eye = randomOf(eyeSeed)
          const stops: (() => void)[] = []
          const subject: Subject = {
            ...SCRIPTED,
            goBack(change) {
              const mark = session.mark()
              const before = snapshotWorld(world)
              change()
              session.goBack(mark, () => restoreWorld(world, before))
            },
            handles: () => [...session.plain.entities.keys()] as Entity[],
          }
          let n = 0
          session.run(some, () => {
            if (isSeen) for (let i = eye(3); i > 0; i--) look(world, eye, subject, stops)
            if (n++ % 5 !== 0) return
            const orders = ordersOf(world, SCRIPTED)
            if (isSeen) expect([n, orders]).toEqual([n, course[n]])
            else course[n] = orders
          })
          world.dispose()
        }
      }),
    )
    fc.assert(property, { seed: 20_261_130, endOnFailure: true, numRuns: proofLength(200) })
  })
})
