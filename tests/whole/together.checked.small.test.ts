// Shows features crossed with each other: copies of everything, the end of a frame and of a world with everything in it, orders
// that handlers change.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  clearWorld,
  cloneEntity,
  createCommands,
  destroyMany,
  disableMany,
  queueDestroy,
  QueuedForDestroy,
  enableMany,
  endFrame,
  createGroup,
  NULL_ENTITY,
  added,
  changed,
  component,
  createSchedule,
  entity,
  f32,
  not,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  optional,
  createRemovalReader,
  resource,
  sortRows,
  sortedEntities,
  cloneMany,
  sparse,
  tag,
  text,
  toggle,
  u32,
  type Component,
  type Entity,
  type Query,
  type Storage,
  type World,
} from '../../bindings/index'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { ENDS } from '../support/world'

interface Life {
  readonly name: string
}

/** Everything that can be on one entity, its data in one storage. */
function kit(storage: Storage) {
  const log: string[] = []
  const Full = component(
    'Full',
    { n: u32.default(7), name: text.default('nobody'), who: entity },
    { storage: STORED[storage], toggle, trackChanges: 'row' },
  )
  const Brief = component(
    'Brief',
    { left: u32.default(2) },
    { storage: STORED[storage], lifetime: 'frame', toggle },
  )
  const Copied = object<Life>('Copied', {
    init: ({ name }) => log.push(`init ${name}`),
    dispose: ({ name }) => log.push(`dispose ${name}`),
    clone: ({ name }) => ({ name: `${name}'` }),
  })
  const Own = object<Life>('Own', {
    init: ({ name }) => log.push(`init ${name}`),
    dispose: ({ name }) => log.push(`dispose ${name}`),
  })
  const Left = component('Left', { x: f32.default(1) }, { storage: sparse })
  const Right = component('Right', { x: f32.default(2) }, { storage: sparse })
  const Line = tag('Line', { order: 'insertion' })
  const Sorted = tag('Sorted', { order: 'insertion' })
  const Flag = tag('Flag', { toggle })
  return { log, Full, Brief, Copied, Own, Left, Right, Line, Sorted, Flag }
}

function spawnAll(world: World, all: ReturnType<typeof kit>, n: number): Entity {
  const { Full, Brief, Copied, Own, Left, Right, Line, Sorted, Flag } = all
  return world.spawn(
    Full({ n, name: `name ${n}` }),
    Brief,
    Copied({ name: `copied ${n}` }),
    Own({ name: `own ${n}` }),
    Left({ x: n }),
    Right,
    Line,
    Sorted,
    Flag,
  )
}

const handles = (query: { entities(): Uint32Array }) => [...query.entities()] as Entity[]

describe.each(STORAGES)('a copy of an entity with everything, data in %s storage', (storage) => {
  for (const way of ['clone', 'spawnFrom', 'clone in a loop', 'spawnFrom in a loop'] as const) {
    it(`a clone has values, switches, texts, places in groups and orders, and objects of its own (${way})`, () => {
      const world = watchedWorld()
      const all = kit(storage)
      const { Full, Brief, Copied, Own, Left, Right, Line, Sorted, Flag, log } = all
      const grouped = createGroup(world, Left, Right)
      const other = world.spawn(Left, Full)
      const source = spawnAll(world, all, 1)
      world.set(source, Full, { who: other })
      world.disable(source, Full)
      world.disable(source, Flag)
      const fresh = world.query(added(Full))
      for (const _ of fresh);
      const told: string[] = []
      for (const kind of [Full, Copied, Own, Left, Line]) {
        onAdd(world, kind, (e) => told.push(`${kind.componentName} ${e}`))
      }
      const entered: number[] = []
      onEnter(world.query(Line, not(Own)), (e) => entered.push(e))
      log.length = 0
      const count = way.startsWith('spawnFrom') ? 70 : 1
      const make = () => (count === 1 ? [cloneEntity(world, source)] : [...cloneMany(world, source, count)])
      const copies = way.endsWith('loop') ? world.batch(make) : make()

      for (const copy of copies) {
        expect(world.get(copy, Full)).toEqual({ n: 1, name: 'name 1', who: other })
        expect(world.isEnabled(copy, Full)).toBe(false)
        expect(world.isEnabled(copy, Flag)).toBe(false)
        expect(world.isEnabled(copy, Brief)).toBe(true)
        expect(world.get(copy, Copied)).toEqual({ name: "copied 1'" })
        expect(world.get(copy, Copied)).not.toBe(world.get(source, Copied))
        expect(world.has(copy, Own)).toBe(false)
        expect(world.get(copy, Own)).toBe(undefined)
        expect(world.has(copy, Left, Right, Line, Sorted, Brief)).toBe(true)
      }
      expect(new Set(copies.map((copy) => world.get(copy, Copied))).size).toBe(count)
      expect(log).toEqual(copies.map(() => "init copied 1'"))
      expect(handles(grouped).sort()).toEqual([source, ...copies].sort())
      expect(handles(world.query(Line))).toEqual([source, ...copies])
      expect(handles(world.query(Sorted))).toEqual([source, ...copies])
      expect(told.filter((line) => line.startsWith('Own'))).toEqual([])
      expect(told.length).toBe(4 * count)
      expect(entered).toEqual(copies)
      // Switched off: the query that asks what was added passes over them until they are switched on.
      expect(fresh.count).toBe(0)
      enableMany(world.query(Full), Full)
      expect(fresh.count).toBe(count)
      expect(handles(fresh)).toEqual(copies)

      destroyMany(world, copies)
      expect(log.filter((line) => line === "dispose copied 1'").length).toBe(count)
      expect(handles(grouped)).toEqual([source])
    })
  }

  it('a discarded entity ends with the frame, and frame components are removed from the others', () => {
    const world = watchedWorld()
    const all = kit(storage)
    const { Full, Brief, Copied, Own, Left, Right, Line, Sorted, log } = all
    const grouped = createGroup(world, Left, Right)
    const entities = Array.from({ length: 130 }, (_, i) => spawnAll(world, all, i))
    const doomed = entities.filter((_, i) => i % 3 === 0)
    const rest = entities.filter((_, i) => i % 3 !== 0)
    for (const e of rest.filter((_, i) => i % 2 === 0)) world.disable(e, Brief)
    const told: string[] = []
    onRemove(world, Brief, (e) => told.push(`Brief ${world.get(e, Brief)?.left} of ${world.get(e, Full)?.n}`))
    const exits: number[] = []
    onExit(world.query(Line), (e) => exits.push(e))
    const lost = createRemovalReader(world, Own)
    log.length = 0
    for (const e of doomed) expect(queueDestroy(world, e)).toBe(true)
    expect(world.query(Full, not(QueuedForDestroy)).count).toBe(rest.length)
    endFrame(world)

    expect(world.stats().entities).toBe(rest.length)
    expect(exits.sort()).toEqual([...doomed].sort())
    expect(told.length).toBe(130)
    expect(new Set(told).size).toBe(130)
    expect(log.length).toBe(2 * doomed.length)
    expect(
      lost
        .read()
        .map(({ entity }) => entity)
        .sort(),
    ).toEqual([...doomed].sort())
    expect(world.query(Brief).count).toBe(0)
    for (const e of rest) {
      expect(world.has(e, Brief)).toBe(false)
      expect(world.has(e, Full, Copied, Own, Left, Right)).toBe(true)
    }
    expect(handles(grouped).sort()).toEqual([...rest].sort())
    expect(handles(world.query(Line))).toEqual(rest)
    expect(handles(world.query(Sorted))).toEqual(rest)
    // A component that comes again is switched on.
    addMany(world.query(Full), Brief)
    expect(world.query(Brief).count).toBe(rest.length)
    told.length = 0
    endFrame(world)
    expect(told.length).toBe(rest.length)
    expect(lost.read()).toEqual([])
  })

  for (const end of ['clearWorld', 'resetWorld', 'dispose'] as const) {
    it(`the world reports every end once when it is ended by ${end}, and goes on`, () => {
      const world = watchedWorld()
      const all = kit(storage)
      const { Full, Copied, Own, Left, Right, Line, log, Brief } = all
      const Time = resource('Time', { dt: f32 })
      world.setResource(Time, { dt: 2 })
      const grouped = createGroup(world, Left, Right)
      const lines = world.query(Line)
      const fresh = world.query(changed(Full))
      for (let i = 0; i < 70; i++) spawnAll(world, all, i)
      for (const e of handles(lines).slice(0, 9)) world.disable(e, Full)
      const commands = createCommands(world)
      commands.spawn(Full)
      commands.add(handles(lines)[0], Brief)
      const told = { removed: 0, exit: 0, added: 0 }
      onRemove(world, Full, (e) => {
        expect(world.get(e, Full)?.name).toBe(`name ${world.get(e, Full)?.n}`)
        told.removed++
      })
      onExit(grouped as Query, () => told.exit++)
      onAdd(world, Full, () => told.added++)
      log.length = 0
      ENDS[end](world)
      expect(told).toEqual({ removed: 70, exit: 70, added: 0 })
      expect(log.length).toBe(140)
      expect(new Set(log).size).toBe(140)
      if (end === 'dispose') return
      expect(world.hasResource(Time)).toBe(end === 'clearWorld')
      expect([grouped.count, lines.count, fresh.count, world.query().count]).toEqual([0, 0, 0, 0])
      commands.apply()
      clearWorld(world)
      log.length = 0
      const again = [spawnAll(world, all, 1), spawnAll(world, all, 2)]
      expect(handles(lines)).toEqual(again)
      expect(handles(grouped)).toEqual(again)
      expect(fresh.count).toBe(2)
      expect(world.get(again[1], Full)?.name).toBe('name 2')
      expect(world.get(again[1], Own)).toEqual({ name: 'own 2' })
      expect(world.query(Copied).count).toBe(2)
      expect(told.added).toBeGreaterThanOrEqual(2)
    })
  }

  it('exchange resets switches, tracked rows, texts and objects', () => {
    const world = watchedWorld()
    const all = kit(storage)
    const { Full, Own, Line, log } = all
    const [first, second] = [spawnAll(world, all, 1), spawnAll(world, all, 2)]
    world.disable(first, Full)
    const fresh = world.query(added(Full))
    for (const _ of fresh);
    const events: string[] = []
    onEnter(world.query(Full), (e) => events.push(`enter ${e}`))
    onExit(world.query(Full), (e) => events.push(`exit ${e}`))
    onAdd(world, Full, (e) => events.push(`add ${world.get(e, Full)?.name}`))
    onRemove(world, Full, (e) => events.push(`remove ${world.get(e, Full)?.name}`))
    log.length = 0
    world.exchange(first, [Full, Own, Line], [Full({ name: 'again' }), Own({ name: 'other' })])
    expect(world.get(first, Full)).toEqual({ n: 7, name: 'again', who: NULL_ENTITY })
    expect(world.isEnabled(first, Full)).toBe(true)
    expect(events).toEqual(['remove name 1', 'add again', `enter ${first}`])
    expect(log).toEqual(['dispose own 1', 'init other'])
    expect(handles(fresh)).toEqual([first])
    expect(handles(world.query(Line))).toEqual([second])
  })

  it('a buffer with objects, texts, switches and orders is the same as the calls', () => {
    const results = [false, true].map((buffered) => {
      const world = watchedWorld()
      const all = kit(storage)
      const { Full, Own, Copied, Line, Sorted, Left, Right, log } = all
      createGroup(world, Left, Right)
      const [a, b] = [spawnAll(world, all, 1), spawnAll(world, all, 2)]
      world.disable(a, Full)
      log.length = 0
      const target = buffered ? createCommands(world) : world
      const c = target.spawn(Full({ name: 'new' }), Own({ name: 'c' }), Line)
      target.remove(a, Line, Own)
      target.add(a, Line, Own({ name: 'again' }))
      target.set(b, Full, { name: 'set' })
      target.set(b, Own, { name: 'replaced' })
      target.exchange(b, [Left, Copied], [Sorted, Left({ x: 9 })])
      target.add(c, Right, Left, Copied({ name: 'short' }))
      target.remove(c, Copied)
      const d = target.spawn(Own({ name: 'never' }), Sorted)
      target.destroy(d)
      if ('apply' in target) target.apply()
      const of = (e: Entity) => [Full, Own, Copied, Left].map((kind) => world.get(e, kind as never))
      return {
        values: [a, b, c].map(of),
        alive: [a, b, c, d].map((e) => world.isAlive(e)),
        on: [a, b, c].map((e) => world.isEnabled(e, Full)),
        groups: handles(world.query(Left, Right)).sort(),
        sorted: handles(world.query(Sorted)),
        log: [...log].sort(),
      }
    })
    // In the buffer, what was given and taken back never came to live.
    const [direct, buffered] = results as [(typeof results)[0], (typeof results)[0]]
    const lived = direct.log.filter((line) => line !== 'init never' && line !== 'init short')
    expect(buffered).toEqual({ ...direct, log: lived })
  })
})

describe('listeners that change what a loop visits', () => {
  it('order, group and tag while events are reported', () => {
    const world = watchedWorld()
    const Key = component('Key', { n: u32 }, { storage: sparse })
    const Pair = component('Pair', { n: u32 }, { storage: sparse })
    const Line = tag('Line', { order: 'insertion' })
    const grouped = createGroup(world, Key, Pair)
    onAdd(world, Key, (e) => {
      world.add(e, Line)
      if ((world.get(e, Key)?.n ?? 0) % 2 === 0) world.add(e, Pair)
      sortRows(world, Key, 'n')
    })
    onAdd(world, Pair, (e) => world.remove(e, Line))
    onRemove(world, Pair, (e) => world.add(e, Line))
    onRemove(world, Line, () => sortRows(world, Line, Key, 'n'))
    const entities = [5, 4, 3, 2, 1, 0].map((n) => world.spawn(Key({ n })))
    expect(handles(grouped).map((e) => world.get(e, Key)?.n)).toEqual([0, 2, 4])
    expect(handles(world.query(Line)).map((e) => world.get(e, Key)?.n)).toEqual([1, 3, 5])
    for (const chunk of grouped) {
      const [key, pair] = [chunk.read(Key), chunk.write(Pair)]
      for (let i = chunk.start; i < chunk.end; i++) pair.n[i] = key.n[i] as number
      world.remove(chunk.entities[chunk.start], Pair)
      expect(grouped.count).toBe(3)
    }
    expect(handles(grouped).map((e) => world.get(e, Pair)?.n)).toEqual([4, 2])
    expect(handles(world.query(Line)).map((e) => world.get(e, Key)?.n)).toEqual([1, 3, 5, 0])
    destroyMany(world, entities)
    expect([grouped.count, world.query(Line).count]).toEqual([0, 0])
  })

  it('clone, discard and end the frame while events are reported', () => {
    const world = watchedWorld()
    const Body = component('Body', { n: u32 }, { toggle })
    const Spark = component('Spark', { heat: f32 }, { lifetime: 'frame' })
    const log: string[] = []
    onAdd(world, Body, (e) => {
      log.push(`add ${world.get(e, Body)?.n}`)
      const n = world.get(e, Body)?.n ?? 0
      if (n > 0) {
        const copy = cloneEntity(world, e)
        world.set(copy, Body, { n: n - 1 })
      } else endFrame(world)
    })
    onRemove(world, Spark, (e) => queueDestroy(world, e))
    onRemove(world, Body, (e) => log.push(`remove ${world.get(e, Body)?.n}`))
    world.spawn(Body({ n: 2 }), Spark({ heat: 3 }))
    expect(world.query(Spark).count).toBe(0)
    expect(world.query(Body, QueuedForDestroy).count).toBe(world.query(Body).count)
    endFrame(world)
    expect(world.stats().entities).toBe(0)
    expect(log.filter((line) => line.startsWith('add')).length).toBe(
      log.filter((line) => line.startsWith('remove')).length,
    )
  })

  it('switch, and are called for queries, while copies and pages are made', () => {
    const world = watchedWorld()
    const Body = component('Body', { n: u32 }, { toggle })
    const seen: string[] = []
    const bodies = world.query(Body)
    onEnter(bodies, (e) => {
      seen.push(`enter ${e}`)
      if ((world.get(e, Body)?.n ?? 0) % 2 === 1) world.disable(e, Body)
    })
    onExit(bodies, (e) => seen.push(`exit ${e}`))
    const even = world.spawn(Body({ n: 2 }))
    const odd = world.spawn(Body({ n: 1 }))
    expect(seen).toEqual([`enter ${even}`, `enter ${odd}`, `exit ${odd}`])
    seen.length = 0
    // A copy of what is switched off enters nothing.
    const [copy] = [...cloneMany(world, odd, 1)] as [Entity]
    expect(seen).toEqual([])
    expect(disableMany(bodies.slice(0, 9), Body)).toBe(1)
    expect(seen).toEqual([`exit ${even}`])
    seen.length = 0
    world.enable(copy, Body)
    expect(seen).toEqual([`enter ${copy}`, `exit ${copy}`])
  })
})

describe('a schedule over all of it', () => {
  it('drives real objects and runs a query that remembers what changed', () => {
    const world = watchedWorld()
    const Body = component('Body', { n: u32 }, { trackChanges: 'row' })
    const log: string[] = []
    class Ticker {
      constructor(readonly name: string) {}
      tick(dt: number, e: Entity, w: World): void {
        log.push(`${this.name} ${dt}`)
        if (this.name === 'leaves') w.destroy(e)
        if (this.name === 'spawns') w.spawn(Body, Tick(new Ticker('born')))
        w.set(e, Body, { n: 1 })
      }
    }
    const Tick = object<Ticker>('Tick', { dispose: ({ name }) => log.push(`dispose ${name}`) })
    const bodies = world.query(changed(Body))
    const touched: number[] = []
    const schedule = createSchedule(world)
      .addObjects(Tick, { phase: 'pre' })
      .add(
        () =>
          touched.push(bodies.count) &&
          void (() => {
            for (const _ of bodies);
          })(),
        {
          name: 'react',
          runIf: [() => !bodies.isEmpty],
        },
      )
    const stays = world.spawn(Body, Tick(new Ticker('stays')))
    world.spawn(Body, Tick(new Ticker('spawns')))
    schedule.run(1)
    expect(log).toEqual(['stays 1', 'spawns 1'])
    expect(touched).toEqual([3])
    log.length = 0
    world.remove(stays, Tick)
    destroyMany(world.query(Tick))
    expect(log.sort()).toEqual(['dispose born', 'dispose spawns', 'dispose stays'])
    schedule.run(1)
    schedule.run(1)
    expect(touched).toEqual([3])
    world.set(stays, Body, { n: 9 })
    schedule.run(1)
    expect(touched).toEqual([3, 1])
  })
})

type Fields = Component<{ n: typeof u32; key: typeof f32 }, Storage>

describe('where, sorted and pages', () => {
  for (const walk of ['table', 'sparse', 'stable', 'group', 'order'] as const) {
    for (const inside of [false, true]) {
      it(`queries agree with a filter over a ${walk} walk${inside ? ' inside a loop' : ''}`, () => {
        const world = watchedWorld()
        const storage = (STORAGES as readonly string[]).includes(walk)
          ? (walk as Storage)
          : walk === 'group'
            ? 'sparse'
            : 'table'
        const Data: Fields = component(
          'Data',
          { n: u32, key: f32 },
          { storage: STORED[storage], ...(walk === 'group' ? {} : { toggle }) },
        )
        const Extra = component('Extra', { m: u32 }, { storage: sparse })
        const Line = tag('Line', { order: 'insertion' })
        const query = (walk === 'group'
          ? createGroup(world, Data as never, Extra)
          : walk === 'order'
            ? world.query(Line, Data, optional(Extra))
            : world.query(Data, optional(Extra))) as unknown as Query<[Fields]>
        const all = Array.from({ length: 700 }, (_, i) => world.spawn(Data({ n: i, key: (i * 37) % 50 })))
        for (const [i, e] of all.entries()) {
          if (i % 3 !== 1) world.add(e, Extra({ m: i }))
          if (i % 4 !== 2) world.add(all[(i * 11) % 700], Line)
          if (i % 5 === 3 && walk !== 'group') world.disable(e, Data)
        }
        for (const [i, e] of all.entries()) if (i % 17 === 0) world.destroy(e)
        const check = () => {
          const order = handles(query)
          expect(order.length).toBe(query.count)
          expect(order.length).toBeGreaterThan(100)
          expect(new Set(order).size).toBe(order.length)
          const valueOf = (e: Entity) => world.get(e, Data) as { n: number; key: number }
          const narrow = query.where(Data, 'key', '>=', 20).where(Data, 'n', '<', 500)
          const kept = order.filter((e) => valueOf(e).key >= 20 && valueOf(e).n < 500)
          expect(handles(narrow)).toEqual(kept)
          expect(narrow.count).toBe(kept.length)
          for (const [offset, limit] of [
            [0, 1],
            [1, 64],
            [63, 65],
            [kept.length - 1, 5],
            [kept.length, 5],
          ] as const) {
            expect(handles(narrow.slice(offset, offset + limit))).toEqual(kept.slice(offset, offset + limit))
            expect(narrow.at(offset)).toBe(kept[offset])
            expect(handles(query.slice(offset, offset + limit))).toEqual(order.slice(offset, offset + limit))
          }
          const parts = [0, 1, 2].flatMap((i) => handles(narrow.partition(i, 3)))
          expect(parts).toEqual(kept)
          const byKey = (list: Entity[]) =>
            [...list].sort((a, b) => valueOf(a).key - valueOf(b).key || all.indexOf(a) - all.indexOf(b))
          expect(handles({ entities: () => sortedEntities(query, Data as never, 'key' as never) })).toEqual(
            byKey(order),
          )
          expect([...sortedEntities(narrow, Data as never, 'key' as never)]).toEqual(byKey(kept))
          expect([...sortedEntities(narrow.slice(5, 25), Data as never, 'key' as never)]).toEqual(
            byKey(kept.slice(5, 25)),
          )
        }
        if (!inside) check()
        else
          for (const _ of world.query(Data)) {
            check()
            break
          }
        const before = query.count
        const gone = destroyMany(query.where(Data, 'key', '<', 10).slice(3, 33))
        expect(gone).toBe(30)
        expect(query.count).toBe(before - 30)
        check()
      })
    }
  }
})
