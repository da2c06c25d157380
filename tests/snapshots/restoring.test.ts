// Owns the promise that going back leaves nothing of the time that was left: one test for each line of the table in
// docs/snapshots.md, of what lies outside linear memory. It must never look only at linear memory.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  added,
  any,
  bool,
  changed,
  component,
  createSchedule,
  createWorld,
  entity,
  f32,
  not,
  object,
  optional,
  resource,
  tag,
  text,
  u16,
  u32,
  vec,
} from '../../bindings/index'
import { checkedCore } from '../../bindings/checked'
import { checkInvariants } from '../support/invariants'
import { pokeWord, wordAt } from '../support/inside'
import { LAYOUT } from '../support/layout'
import { isChecked, testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Tracked = component('Tracked', { n: u32 }, { track: 'row' })
const Health = component('Health', { hp: u16 }, { storage: 'sparse' })
const Weight = component('Weight', { kg: f32 }, { storage: 'sparse' })
const Slot = component('Slot', { n: u32 }, { storage: 'stable' })
const Name = component('Name', { value: text })
const Link = component('Link', { who: entity, on: bool })
const Brief = component('Brief', { left: u16 }, { lifetime: 'frame' })
const Lit = component('Lit', { watts: f32 }, { toggle: true })
const Red = tag('Red')
const Waiting = tag('Waiting', { order: 'insertion' })
const Time = resource('Time', { now: f32 })
const Ground = resource('Ground', { cells: vec(f32, 64) })

const sorted = (handles: Iterable<number>) => [...handles].sort((a, b) => a - b)

/** Restores, and checks that memory is whole. */
function restore(world: World, snapshot: ReturnType<World['snapshot']>): void {
  world.restore(snapshot)
  checkInvariants(world)
}

/** How often the world has resolved everything anew. */
const generationOf = (world: World) =>
  (world as unknown as { state: { generation: number } }).state.generation

describe('entities and their values', () => {
  it('Handles name what they named, also those that died and those that were made since', () => {
    const world = testWorld()
    const [a, b] = [world.spawn(Position({ x: 1 }), Red), world.spawn(Health({ hp: 2 }))]
    const before = world.snapshot()
    world.destroy(a)
    world.set(b, Health, { hp: 9 })
    const c = world.spawn(Position({ x: 3 }), Name({ value: 'c' }))
    restore(world, before)
    expect([world.isAlive(a), world.isAlive(b), world.isAlive(c)]).toEqual([true, true, false])
    expect(world.get(a, Position)).toEqual({ x: 1, y: 0 })
    expect(world.has(a, Red)).toBe(true)
    expect(world.get(b, Health)).toEqual({ hp: 2 })
    expect(world.get(c, Position)).toBe(undefined)
    // The next one gets the handle that it got then.
    expect(world.spawn()).toBe(c)
  })

  it('Every storage, order, toggle and group comes back, with the order of rows', () => {
    const world = testWorld()
    const pair = world.group(Health, Weight)
    const all = Array.from({ length: 70 }, (_, i) =>
      world.spawn(Position({ x: i }), Health({ hp: i }), Slot({ n: i }), Waiting, Lit({ watts: i })),
    )
    for (const e of all.slice(0, 40)) world.add(e, Weight({ kg: e }))
    for (const e of all.slice(10, 20)) world.disable(e, Lit)
    const look = () => ({
      positions: [...world.query(Position).entities()],
      health: [...world.query(Health).entities()],
      waiting: [...world.query(Waiting).entities()],
      lit: [...world.query(Lit).entities()],
      slots: all.map((e) => world.accessor(Slot).rowOf(e)),
      pair: [...pair.entities()],
    })
    const then = look()
    const before = world.snapshot()
    for (const e of all.filter((_, i) => i % 3 === 0)) world.destroy(e)
    for (const e of all.filter((_, i) => i % 3 === 1)) world.exchange(e, [Waiting, Weight], [Waiting])
    world.query(Lit).disable(Lit)
    world.sort(Health, 'hp')
    expect(look()).not.toEqual(then)
    restore(world, before)
    expect(look()).toEqual(then)
  })

  it('Going back is possible any number of times, and forth again', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const snapshots = [0, 1, 2, 3].map((x) => {
      world.set(e, Position, { x })
      if (x % 2 === 1) world.spawn(Red, Name({ value: `${x}` }))
      return world.snapshot()
    })
    for (const x of [2, 0, 3, 3, 1, 0, 2]) {
      restore(world, snapshots[x] as (typeof snapshots)[number])
      expect(world.get(e, Position)?.x).toBe(x)
      expect(world.query(Red).count).toBe((x + 1) >> 1)
    }
  })

  it('A snapshot outlives a clear, a reset, and what was learnt after it', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 5 }), Name({ value: 'five' }), Slot, Waiting)
    const moving = world.query(Position)
    const before = world.snapshot()
    world.clear()
    restore(world, before)
    expect(moving.single()).toBe(e)
    world.reset()
    world.spawn(Red, Weight)
    expect(moving.count).toBe(0)
    restore(world, before)
    expect(moving.single()).toBe(e)
    expect(world.get(e, Name)).toEqual({ value: 'five' })
    expect(world.has(e, Waiting)).toBe(true)
  })
})

describe('versions that go back and come again', () => {
  it('A loop walks the chunks of now, although their version is one that it has seen with other chunks', () => {
    const world = testWorld()
    const moving = world.query(Position)
    // Both archetypes are there, so that nothing becomes known later.
    for (const kind of [Position, Velocity]) world.query(kind).remove(kind)
    world.spawnMany(50, [Position])
    world.query(Velocity).destroy()
    const visit = () => {
      let rows = 0
      for (const chunk of moving) {
        chunk.write(Position).x.fill(7, chunk.start, chunk.end)
        rows += chunk.end - chunk.start
      }
      return rows
    }
    world.destroyMany(world.spawnMany(3000, [Velocity]))
    world.destroyMany(world.spawnMany(3000, [Position]))
    visit()
    const version = () => wordAt(world, LAYOUT.CHUNKS_VERSION)
    const generation = generationOf(world)
    const few = world.query(Position).count
    const before = world.snapshot()
    world.spawnMany(3000, [Position])
    expect(visit()).toBe(few + 3000)
    const seen = version()
    restore(world, before)
    // As many new chunks of another archetype: the version in memory comes up to one that the loop has seen.
    const others: Entity[] = []
    while (version() < seen) others.push(world.spawn(Velocity({ x: 1 })))
    expect([version(), generationOf(world)]).toEqual([seen, generation])
    expect(visit()).toBe(few)
    for (const e of others) expect(world.get(e, Velocity)).toEqual({ x: 1, y: 0 })
  })

  it('query.version never gives a number again that it gave before', () => {
    const world = testWorld()
    const moving = world.query(Position)
    const versions = new Set<number>()
    const e = world.spawn(Position)
    const before = world.snapshot()
    for (let round = 0; round < 4; round++) {
      versions.add(moving.version)
      world.spawn(Position)
      versions.add(moving.version)
      world.remove(e, Position)
      versions.add(moving.version)
      world.restore(before)
    }
    expect(versions.size).toBe(12)
  })

  it('An accessor and a cursor that were kept show the rows of now', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 1 }))
    const before = world.snapshot()
    const position = world.accessor(Position)
    world.add(e, Velocity, Red)
    expect(position.of(e).x).toBe(1)
    position.of(e).x = 8
    restore(world, before)
    expect(position.of(e).x).toBe(1)
    position.of(e).x = 2
    expect(world.get(e, Position)?.x).toBe(2)
  })
})

describe('what became known since', () => {
  it('Components, tags and queries that were first met after the snapshot can be used again', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 1 }))
    const before = world.snapshot()
    const both = world.query(Position, Health, not(Red), optional(Velocity))
    const either = world.query(any(Red, Slot))
    world.add(e, Health({ hp: 3 }), Slot, Name({ value: 'e' }), Lit)
    expect([both.count, either.count]).toEqual([1, 1])
    restore(world, before)
    expect([both.count, either.count]).toEqual([0, 0])
    expect([world.has(e, Health), world.has(e, Red), world.get(e, Name)]).toEqual([false, false, undefined])
    // In another order than before, so that ids mean something else.
    world.add(e, Lit, Name({ value: 'other' }))
    world.add(e, Slot({ n: 4 }))
    world.add(e, Health({ hp: 5 }))
    expect([both.count, either.count]).toEqual([1, 1])
    expect(both.each((_, position, health) => expect([position.x, health.hp]).toEqual([1, 5])))
    expect([world.get(e, Slot), world.get(e, Name)]).toEqual([{ n: 4 }, { value: 'other' }])
    checkInvariants(world)
  })

  it('Archetypes that were made since do no harm to what was resolved about them', () => {
    const world = testWorld()
    world.spawn(Position, Velocity)
    world.query(Position)
    world.spawn(Red)
    const before = world.snapshot()
    const first = world.spawn(Position, Red)
    expect(world.has(first, Velocity)).toBe(false)
    restore(world, before)
    // The same number of an archetype, other components.
    const second = world.spawn(Velocity, Red)
    expect([world.has(second, Velocity), world.has(second, Position)]).toEqual([true, false])
    expect(world.get(second, Velocity)).toEqual({ x: 0, y: 0 })
    checkInvariants(world)
  })

  it('Bundles that lead to the core since are asked for anew', () => {
    const world = testWorld()
    world.spawn(Position)
    const before = world.snapshot()
    const bundles = [[Position, Red], [Red, Velocity], [Health, Position], [Slot]] as const
    for (const bundle of bundles) world.spawn(...(bundle as unknown as [typeof Position]))
    restore(world, before)
    for (const bundle of [...bundles].reverse()) {
      const e = world.spawn(...(bundle as unknown as [typeof Position]))
      for (const each of bundle) expect(world.has(e, each)).toBe(true)
      expect(world.has(e, Name)).toBe(false)
    }
    checkInvariants(world)
  })

  it('A group that was made since is made again when its query is used, and one that was there stays', () => {
    const world = testWorld()
    const ungrouped = world.snapshot()
    const pair = world.group(Health, Weight)
    const both = world.spawn(Health({ hp: 1 }), Weight({ kg: 2 }))
    const grouped = world.snapshot()
    world.spawnMany(20, [Health, Weight])
    restore(world, grouped)
    expect([...pair.entities()]).toEqual([both])
    restore(world, ungrouped)
    expect(pair.count).toBe(0)
    world.spawn(Weight)
    const again = world.spawn(Weight({ kg: 7 }), Health({ hp: 6 }))
    for (const chunk of pair) {
      expect([...chunk.entities.subarray(chunk.start, chunk.end)]).toEqual([again])
      expect(chunk.read(Health).hp[chunk.start]).toBe(6)
    }
    checkInvariants(world)
  })

  it('Texts that were stored or freed since read as what they were then', () => {
    const world = testWorld()
    const e = world.spawn(Name({ value: 'first' }))
    const before = world.snapshot()
    world.set(e, Name, { value: 'second' })
    world.sweepTexts()
    const f = world.spawn(Name({ value: 'third' }))
    expect(world.textId('third')).not.toBe(undefined)
    restore(world, before)
    expect(world.get(e, Name)).toEqual({ value: 'first' })
    expect([world.textId('second'), world.textId('third')]).toEqual([undefined, undefined])
    expect(world.isAlive(f)).toBe(false)
    world.set(e, Name, { value: 'fourth' })
    expect([world.textId('fourth'), world.textOf(world.textId('fourth') as number)]).toEqual([
      world.textId('fourth'),
      'fourth',
    ])
    checkInvariants(world)
  })

  it('Names that were used since are free again, and those of then are taken', () => {
    const world = testWorld()
    const Other = component('Other', { a: f32 })
    const OtherToo = component('Other', { b: u16 })
    world.spawn(Position)
    const before = world.snapshot()
    world.spawn(Other)
    expect(() => world.spawn(OtherToo)).toThrow(expect.objectContaining({ code: 'DUPLICATE_NAME' }))
    restore(world, before)
    world.spawn(OtherToo)
    const PositionToo = component('Position', { a: f32 })
    expect(() => world.spawn(PositionToo)).toThrow(expect.objectContaining({ code: 'DUPLICATE_NAME' }))
  })

  it('Components that live for a frame are those that the world knew then', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const before = world.snapshot()
    world.add(e, Brief)
    restore(world, before)
    world.endFrame()
    world.add(e, Brief({ left: 4 }))
    world.endFrame()
    expect(world.has(e, Brief)).toBe(false)
    checkInvariants(world)
  })

  it('Changes that are folded find the bundles of now', () => {
    const world = testWorld()
    const fold = (e: Entity) =>
      world.defer(() => {
        world.remove(e, Position)
        world.add(e, Red, Velocity)
      })
    // Whatever the change needs is known; only the loose bundles of this change were not filled yet.
    world.spawn(Red, Velocity)
    world.destroy(world.spawn(Position))
    const other = world.spawn(Red)
    world.defer(() => {
      world.add(other, Velocity)
      world.remove(other, Red)
    })
    const e = world.spawn(Position)
    world.remove(world.spawn(Position, Red), Position)
    const before = world.snapshot()
    const generation = generationOf(world)
    for (let round = 0; round < 3; round++) {
      fold(e)
      expect([Position, Red, Velocity].map((kind) => world.has(e, kind))).toEqual([false, true, true])
      restore(world, before)
      expect(generationOf(world)).toBe(generation)
    }
  })
})

describe('what queries with changed and added have seen', () => {
  it('A query finds after a restore what it would have found then', () => {
    const world = testWorld()
    const moved = world.query(changed(Position))
    const fresh = world.query(added(Tracked))
    const es = [1, 2, 3].map((x) => world.spawn(Position({ x }), Tracked))
    moved.entities()
    world.set(es[0] as Entity, Position, { x: 9 })
    const before = world.snapshot()
    const first = [sorted(moved.entities()), sorted(fresh.entities()), sorted(moved.entities())]
    for (let round = 0; round < 3; round++) {
      world.spawn(Position, Tracked)
      moved.entities()
      fresh.entities()
      restore(world, before)
      // Not too much, not too little.
      const again = [sorted(moved.entities()), sorted(fresh.entities()), sorted(moved.entities())]
      expect(again).toEqual(first)
    }
  })

  it('A query that was made after the snapshot has seen nothing after the restore', () => {
    const world = testWorld()
    world.spawn(Position)
    const before = world.snapshot()
    const one = world.query(changed(Position))
    one.entities()
    expect(one.count).toBe(0)
    restore(world, before)
    const two = world.query(changed(Position))
    two.entities()
    // The first query does not take the look of the second one for its own.
    expect([one.count, two.count]).toEqual([1, 0])
    one.entities()
    expect([one.count, two.count]).toEqual([0, 0])
    checkInvariants(world)
  })

  it('A look that was given back since is its query’s again, and that of another query is not', () => {
    const world = testWorld()
    world.spawn(Position)
    const one = world.query(changed(Position))
    one.entities()
    const before = world.snapshot()
    const gone = world.query(changed(Position))
    gone.entities()
    gone.dispose()
    const two = world.query(changed(Position))
    two.entities()
    restore(world, before)
    expect([one.count, two.count]).toEqual([0, 1])
    checkInvariants(world)
  })

  it.each(['a restore', 'a reset', 'a foreign restore'])(
    'Queries find what they had seen after %s in which they looked in another order',
    (way) => {
      const world = testWorld()
      world.spawnMany(3, [Position, Velocity])
      const first = world.snapshot()
      const [a, b] = [world.query(changed(Position)), world.query(changed(Velocity))]
      const seen = (...queries: { count: number; each: (f: () => void) => void }[]) =>
        queries.map((query) => {
          let count = 0
          query.each(() => count++)
          return count
        })
      expect(seen(a, b)).toEqual([3, 3])
      const later = world.snapshot()
      if (way === 'a restore') restore(world, first)
      else if (way === 'a reset') world.reset()
      else {
        const other = testWorld()
        other.spawn(Position)
        restore(world, other.snapshot())
      }
      seen(b, a)
      restore(world, later)
      expect(seen(a, b)).toEqual([0, 0])
      a.dispose()
      expect(seen(b)).toEqual([0])
      checkInvariants(world)
    },
  )

  it('A query that got the look of one that was disposed of since does not inherit what that one had seen', () => {
    const world = testWorld()
    world.spawn(Position)
    const gone = world.query(changed(Position))
    gone.entities()
    const before = world.snapshot()
    gone.dispose()
    const two = world.query(changed(Position))
    two.entities()
    expect(two.count).toBe(0)
    restore(world, before)
    expect(two.count).toBe(1)
    checkInvariants(world)
  })

  it('A query remembers what it saw inside a block in which it was made', () => {
    const world = testWorld()
    world.spawn(Position)
    const query = world.defer(() => {
      const made = world.query(changed(Position))
      made.entities()
      return made
    })
    expect(query.count).toBe(0)
    const before = world.snapshot()
    world.spawn(Position)
    query.entities()
    restore(world, before)
    expect(query.count).toBe(0)
    checkInvariants(world)
  })

  it('Ticks and looks age together, whenever the world goes back', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const moved = world.query(changed(Position))
    moved.entities()
    const young = world.snapshot()
    const advanceTo = (tick: number) => {
      pokeWord(world, LAYOUT.WORLD_TICK, tick - 1)
      world.advance()
    }
    advanceTo(0x40000000)
    advanceTo(0x80000000)
    const old = world.snapshot()
    // Two agings: what was seen is too long ago to be compared.
    expect(moved.count).toBe(1)
    restore(world, young)
    expect(moved.count).toBe(0)
    world.set(e, Position, { x: 1 })
    expect(moved.count).toBe(1)
    restore(world, old)
    expect(moved.count).toBe(1)
    moved.entities()
    expect(moved.count).toBe(0)
    expect(wordAt(world, LAYOUT.WORLD_TICK)).toBe(world.tick)
  })
})

describe('schedules', () => {
  it('Carried time, steps and timers are those of the snapshot', () => {
    const world = testWorld()
    const log: string[] = []
    const schedule = createSchedule(world)
      .phase('physics', { after: 'pre', fixedStep: 0.1 })
      .add(() => void log.push('step'), { name: 'step', phase: 'physics' })
      .add((_, dt) => void log.push(`slow ${dt.toFixed(2)}`), { name: 'slow', interval: 0.25 })
      .add(() => void log.push('third'), { name: 'third', every: 3 })
      .add(() => void log.push('follower'), { name: 'follower', every: 2, of: 'slow' })
    const run = (times: number) => {
      log.length = 0
      for (let i = 0; i < times; i++) schedule.run(0.07)
      return log.join()
    }
    run(5)
    const before = world.snapshot()
    const alpha = schedule.alpha('physics')
    const steps = schedule.stats().phases.map((phase) => phase.steps)
    const first = run(11)
    for (const runs of [1, 4, 0]) {
      run(runs)
      world.restore(before)
      expect(schedule.alpha('physics')).toBe(alpha)
      expect(schedule.stats().phases.map((phase) => phase.steps)).toEqual(steps)
      expect(run(11)).toBe(first)
    }
  })

  it('Going back to before the first run brings back the step at time 0', () => {
    const world = testWorld()
    let steps = 0
    const schedule = createSchedule(world)
      .phase('physics', { after: 'pre', fixedStep: 1 })
      .add(() => void steps++, { phase: 'physics' })
    const before = world.snapshot()
    schedule.run(0)
    expect(steps).toBe(1)
    world.restore(before)
    schedule.run(0)
    expect(steps).toBe(2)
  })

  it('Systems are enabled as they were; those that were added since stay as they are', () => {
    const world = testWorld()
    const ran: string[] = []
    const schedule = createSchedule(world)
      .add(() => void ran.push('a'), { name: 'a' })
      .add(() => void ran.push('b'), { name: 'b', enabled: false })
    const before = world.snapshot()
    schedule.disable('a').enable('b')
    schedule.add(() => void ran.push('c'), { name: 'c' }).disable('c')
    world.restore(before)
    expect(['a', 'b', 'c'].map((name) => schedule.isEnabled(name))).toEqual([true, false, false])
    schedule.remove('a')
    world.restore(before)
    schedule.run(1)
    expect(ran).toEqual([])
  })

  it('A schedule that is running when its world goes back keeps its time', () => {
    const world = testWorld()
    let before = world.snapshot()
    const outer = createSchedule(world).phase('net', { after: 'pre', fixedStep: 1 })
    outer.add(() => world.restore(before), { name: 'back', phase: 'net' })
    before = world.snapshot()
    outer.run(1)
    outer.run(1)
    expect(outer.stats().phases.find(({ name }) => name === 'net')?.steps).toBe(2)
  })
})

describe('objects', () => {
  class Mesh {
    disposed = 0
    begun = 0
    constructor(readonly name: string) {}
  }
  const dispose = (mesh: Mesh) => void mesh.disposed++
  const init = (mesh: Mesh) => void mesh.begun++
  const revived: number[] = []
  const Lost = object<Mesh>('Lost', { init, dispose })
  const Revived = object<Mesh>('Revived', {
    init,
    dispose,
    revive: (entity) => {
      revived.push(entity)
      return new Mesh(`revived ${entity}`)
    },
  })

  it.each([
    ['nothing else was made known', false],
    ['components were met since', true],
  ])(
    'Values stay where the entity still has the component, and go where it has not, when %s',
    (_, learns) => {
      const world = testWorld()
      const mesh = new Mesh('a')
      const a = world.spawn(Revived(mesh), Position)
      const dead = world.spawn(Position)
      const warm = world.spawn(Revived(new Mesh('warm')))
      world.destroy(warm)
      const before = world.snapshot()
      const newer = new Mesh('newer')
      const onDead = new Mesh('on dead')
      const b = world.spawn(Revived(newer))
      world.add(dead, Revived(onDead))
      if (learns) world.add(a, Red, Slot)
      restore(world, before)
      expect(world.get(a, Revived)).toBe(mesh)
      expect([mesh.disposed, newer.disposed, onDead.disposed]).toEqual([0, 1, 1])
      expect([world.isAlive(b), world.has(dead, Revived)]).toEqual([false, false])
      world.destroy(a)
      expect(mesh.disposed).toBe(1)
    },
  )

  it('A value whose entity died is made again by revive, once, and initialised', () => {
    const world = testWorld()
    const first = new Mesh('first')
    const e = world.spawn(Revived(first), Position({ x: 4 }))
    const before = world.snapshot()
    world.destroy(e)
    expect(first.disposed).toBe(1)
    revived.length = 0
    restore(world, before)
    expect(revived).toEqual([e])
    const mesh = world.get(e, Revived)
    expect([mesh?.name, mesh?.begun, mesh?.disposed]).toEqual([`revived ${e}`, 1, 0])
    expect(world.query(Revived, Position).single()).toBe(e)
    restore(world, before)
    expect(world.get(e, Revived)).toBe(mesh)
    world.dispose()
    expect(mesh?.disposed).toBe(1)
  })

  it('A value that was replaced since stays: its entity has the component then and now', () => {
    const world = testWorld()
    const [first, second] = [new Mesh('first'), new Mesh('second')]
    const e = world.spawn(Revived(first))
    const before = world.snapshot()
    world.set(e, Revived, second)
    restore(world, before)
    expect(world.get(e, Revived)).toBe(second)
    expect([first.disposed, second.disposed]).toEqual([1, 0])
  })

  it('An index that belongs to another entity now does not lend it its value', () => {
    const world = testWorld({ maxEntities: 3 })
    const e = world.spawn(Revived(new Mesh('e')))
    const before = world.snapshot()
    world.destroy(e)
    for (let i = 0; i < 3; i++) world.spawn(Position)
    const [other] = world
      .query(Position)
      .entities()
      .filter((f) => (f & 0xffffff) === (e & 0xffffff))
    const mesh = new Mesh('other')
    world.add(other as Entity, Revived(mesh))
    revived.length = 0
    restore(world, before)
    expect([mesh.disposed, revived.length]).toEqual([1, 1])
    expect(world.get(e, Revived)?.name).toBe(`revived ${e}`)
  })

  it('Without revive the entity loses the component, and onRestore says so', () => {
    const world = testWorld()
    const e = world.spawn(Lost(new Mesh('e')), Position({ x: 1 }))
    const f = world.spawn(Lost(new Mesh('f')))
    const before = world.snapshot()
    world.destroy(e)
    const absent: unknown[] = []
    world.onRestore((_, report) => void absent.push(...report.absent))
    restore(world, before)
    expect(absent).toEqual([{ entity: e, component: Lost }])
    expect([world.has(e, Lost), world.has(f, Lost), world.get(e, Position)?.x]).toEqual([false, true, 1])
    expect(world.query(Lost).single()).toBe(f)
  })

  it('A revive that throws costs that entity its component, and the error is thrown when all is done', () => {
    const world = testWorld()
    const Broken = object<Mesh>('Broken', {
      revive: () => {
        throw new Error('no mesh today')
      },
    })
    const [e, f] = [world.spawn(Broken(new Mesh('e'))), world.spawn(Position)]
    const before = world.snapshot()
    world.destroy(e)
    world.destroy(f)
    expect(() => world.restore(before)).toThrow('no mesh today')
    expect([world.isAlive(e), world.isAlive(f), world.has(e, Broken)]).toEqual([true, true, false])
    checkInvariants(world)
  })

  it('An object component that was first met after the snapshot is disposed of with all its values', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const before = world.snapshot()
    const mesh = new Mesh('later')
    world.add(e, Lost(mesh))
    restore(world, before)
    expect(mesh.disposed).toBe(1)
    expect(world.has(e, Lost)).toBe(false)
    const again = new Mesh('again')
    world.add(e, Lost(again))
    expect(world.get(e, Lost)).toBe(again)
  })
})

describe('resources', () => {
  interface Rng {
    state: number
  }
  const Random = resource<Rng>('Random', { save: (rng) => rng.state, load: (state: number) => ({ state }) })
  const Settings = resource<{ volume: number }>('Settings')

  it('Fields go back with the memory, and a cursor that was kept shows them', () => {
    const world = testWorld()
    const time = world.resource(Time)
    time.now = 3
    world.resource(Ground).cells[5] = 2
    const before = world.snapshot()
    time.now = 8
    world.removeResource(Ground)
    world.spawnMany(3000, [Position, Red])
    restore(world, before)
    expect(time.now).toBe(3)
    expect(world.resource(Ground).cells[5]).toBe(2)
    time.now = 4
    expect(world.getResource(Time)).toEqual({ now: 4 })
  })

  it('A resource with fields that was made after the snapshot is not there, and its cursor writes nowhere', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 1 }))
    const before = world.snapshot()
    const time = world.resource(Time)
    time.now = 5
    restore(world, before)
    expect(world.hasResource(Time)).toBe(false)
    time.now = 6
    expect(world.get(e, Position)?.x).toBe(1)
    expect(world.resource(Time).now).toBe(0)
    checkInvariants(world)
  })

  it('Names of resources that were used since are free again, and those of then are taken', () => {
    const world = testWorld()
    const [one, two] = [resource('Same', { n: u32 }), resource('Same', { m: u32 })]
    const kept = resource<number>('Kept')
    world.setResource(kept, 7)
    const before = world.snapshot()
    world.setResource(one, { n: 1 })
    restore(world, before)
    world.setResource(two, { m: 2 })
    expect(world.getResource(two)).toEqual({ m: 2 })
    expect(() => world.setResource(one, { n: 1 })).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_NAME' }),
    )
    expect(() => world.setResource(resource<number>('Kept'), 8)).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_NAME' }),
    )
    const other = testWorld()
    other.setResource(one, { n: 5 })
    restore(world, other.snapshot())
    expect([world.getResource(one), world.getResource(kept)]).toEqual([{ n: 5 }, 7])
  })

  it('What a save changes is part of the snapshot', () => {
    const world = testWorld()
    const Counter = resource<{ n: number }>('Counter', {
      save: (value) => {
        world.spawn(Red)
        return value.n
      },
      load: (n: number) => ({ n }),
    })
    world.setResource(Counter, { n: 1 })
    const before = world.snapshot()
    expect([before.entities, world.query(Red).count]).toEqual([1, 1])
    restore(world, before)
    expect([world.stats().entities, world.query(Red).count]).toEqual([1, 1])
  })

  it('A value with save and load goes back, any number of times; one without stays', () => {
    const world = testWorld()
    world.setResource(Random, { state: 1 })
    world.setResource(Settings, { volume: 3 })
    const before = world.snapshot()
    const rng = world.resource(Random) as Rng
    rng.state = 2
    world.setResource(Settings, { volume: 9 })
    for (let round = 0; round < 2; round++) {
      restore(world, before)
      const now = world.resource(Random) as Rng
      expect([now.state, now === rng]).toEqual([1, false])
      now.state = 7
      expect(world.resource(Settings)).toEqual({ volume: 9 })
      world.spawn(Red)
    }
  })

  it('A value that was set or removed since is missing or there as it was', () => {
    const world = testWorld()
    const without = world.snapshot()
    world.setResource(Random, { state: 4 })
    const having = world.snapshot()
    world.removeResource(Random)
    restore(world, having)
    expect(world.resource(Random)).toEqual({ state: 4 })
    restore(world, without)
    expect(world.hasResource(Random)).toBe(false)
    restore(world, having)
    expect(world.resource(Random)).toEqual({ state: 4 })
    world.reset()
    expect(world.hasResource(Random)).toBe(false)
  })

  it('A save that throws leaves the snapshot that was to be written as it was', () => {
    const world = testWorld()
    let broken = false
    const Fragile = resource<Rng>('Fragile', {
      save: ({ state }) => {
        if (broken) throw new Error('cannot be saved')
        return state
      },
      load: (state: number) => ({ state }),
    })
    world.setResource(Fragile, { state: 1 })
    const e = world.spawn(Position({ x: 1 }))
    const before = world.snapshot()
    world.set(e, Position, { x: 2 })
    world.spawnMany(5000, [Position])
    broken = true
    expect(() => world.snapshot({ into: before })).toThrow('cannot be saved')
    world.restore(before)
    expect(world.get(e, Position)?.x).toBe(1)
    expect(world.resource(Fragile)).toEqual({ state: 1 })
  })

  it('A load that throws is told when all is done, and the other values are there', () => {
    const world = testWorld()
    const Broken = resource<Rng>('Broken', {
      save: () => 1,
      load: () => {
        throw new Error('cannot be loaded')
      },
    })
    world.setResource(Broken, { state: 1 })
    world.setResource(Random, { state: 5 })
    const before = world.snapshot()
    world.removeResource(Random)
    expect(() => world.restore(before)).toThrow('cannot be loaded')
    expect(world.resource(Random)).toEqual({ state: 5 })
  })

  const wrong: [string, unknown, string][] = [
    ['only save', { save: () => 1 }, 'load must be a function'],
    ['only load', { load: () => 1 }, 'save must be a function'],
    ['another option', { save: () => 1, load: () => 1, store: 1 }, "no option 'store'"],
  ]

  it.each(wrong)('%s is refused', (_, options, sentence) => {
    expect(() => resource('Wrong', options as never)).toThrow(sentence)
  })
})

describe('lists, buffers and listeners', () => {
  it('The list of removals is the one of then, in the same array', () => {
    const world = testWorld()
    const [a, b] = [world.spawn(Position), world.spawn(Position)]
    const removed = world.removed(Position)
    world.remove(a, Position)
    const before = world.snapshot()
    world.endFrame()
    world.destroy(b)
    expect(removed).toEqual([b])
    restore(world, before)
    expect(removed).toEqual([a])
    expect(world.removed(Position)).toBe(removed)
    // One that was asked for since holds what was removed since: nothing.
    const later = world.removed(Health)
    world.destroy(world.spawn(Health))
    restore(world, before)
    expect(later).toEqual([])
  })

  it('A buffer that was recorded before a restore is stale, until it is cleared', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const commands = world.commands()
    const before = world.snapshot()
    const reserved = commands.spawn(Position)
    commands.destroy(e)
    restore(world, before)
    const other = world.spawn(Red)
    expect(other).toBe(reserved)
    for (const use of [
      () => commands.apply(),
      () => commands.destroy(e),
      () => commands.add(e, Red),
      () => commands.spawn(),
      () => commands.set(e, Position, { x: 1 }),
    ]) {
      expect(use).toThrow(expect.objectContaining({ code: 'STALE_COMMANDS' }))
    }
    expect(commands.size).toBe(2)
    expect([world.isAlive(e), world.isAlive(other)]).toEqual([true, true])
    commands.clear()
    expect([commands.size, world.isAlive(other)]).toEqual([0, true])
    commands.destroy(other)
    commands.apply()
    expect(world.isAlive(other)).toBe(false)
  })

  it('An empty buffer goes on, and a reset still empties one', () => {
    const world = testWorld()
    const commands = world.commands()
    world.restore(world.snapshot())
    commands.spawn(Red)
    commands.apply()
    expect(world.query(Red).count).toBe(1)
    commands.spawn(Red)
    world.reset()
    expect(commands.size).toBe(0)
    commands.apply()
    expect(world.query(Red).count).toBe(0)
  })

  it('No listener of entities is called, whatever came and went', () => {
    const world = testWorld()
    const told: string[] = []
    world.onAdd(Position, () => void told.push('add'))
    world.onRemove(Position, () => void told.push('remove'))
    world.onSet(Position, () => void told.push('set'))
    world.onEnter(world.query(Position, Red), () => void told.push('enter'))
    world.onExit(world.query(Position, Red), () => void told.push('exit'))
    const e = world.spawn(Position, Red)
    const before = world.snapshot()
    world.destroy(e)
    world.spawnMany(3, [Position, Red])
    told.length = 0
    restore(world, before)
    expect(told).toEqual([])
    // They listen still, and to the entities of now.
    world.set(e, Position, { x: 1 })
    world.remove(e, Red)
    expect(told).toEqual(['set', 'exit'])
  })

  it('onRestore is told once, when all is done, in the order of subscription, until it unsubscribes', () => {
    const world = testWorld()
    const told: string[] = []
    const e = world.spawn(Position({ x: 1 }), Name({ value: 'e' }))
    const before = world.snapshot()
    const stop = world.onRestore((told_) => {
      told.push(`first ${told_.get(e, Position)?.x} ${told_.query(Position).count}`)
    })
    world.onRestore(() => void told.push('second'))
    world.set(e, Position, { x: 2 })
    restore(world, before)
    expect(told).toEqual(['first 1 1', 'second'])
    stop()
    stop()
    restore(world, before)
    expect(told).toEqual(['first 1 1', 'second', 'second'])
    expect(() => world.onRestore(3 as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })

  it('A listener of onRestore that subscribes another hears that one after the next restore', () => {
    const world = testWorld()
    const before = world.snapshot()
    let calls = 0
    let stop = () => {}
    const again = () => {
      stop()
      if (++calls < 100) stop = world.onRestore(again)
    }
    stop = world.onRestore(again)
    restore(world, before)
    expect(calls).toBe(1)
    restore(world, before)
    expect(calls).toBe(2)
  })

  it('What a listener of onRestore changes is changed afterwards, and what it throws is thrown at the end', () => {
    const world = testWorld()
    const before = world.snapshot()
    world.onRestore(() => {
      throw new Error('renderer')
    })
    world.onRestore((inside) => void inside.spawn(Red))
    expect(() => world.restore(before)).toThrow('renderer')
    expect(world.query(Red).count).toBe(1)
    checkInvariants(world)
  })

  it('Subscribers of queries are told once', () => {
    const world = testWorld()
    let told = 0
    const ships = world.query(Position)
    ships.subscribe(() => void told++)
    const before = world.snapshot()
    const { version } = ships
    world.spawn(Position)
    world.spawn(Position)
    expect(told).toBe(2)
    restore(world, before)
    expect(told).toBe(3)
    expect(ships.version).not.toBe(version)
    world.spawn(Red)
    expect(told).toBe(3)
  })
})

describe('where a restore is refused', () => {
  it('Inside a loop, a block or a listener neither is a snapshot taken nor does the world go back', () => {
    const world = testWorld()
    world.spawn(Position)
    const before = world.snapshot()
    const locked = expect.objectContaining({ code: 'WORLD_LOCKED' })
    const refused = () => {
      expect(() => world.snapshot()).toThrow(locked)
      expect(() => world.snapshot({ into: before })).toThrow(locked)
      expect(() => world.restore(before)).toThrow(locked)
      expect(() => world.fork()).toThrow(locked)
      expect(world.digest()).toBe(world.digest())
    }
    for (const _ of world.query(Position)) refused()
    world.defer(refused)
    world.onAdd(Red, refused)
    world.onRestore(refused)
    world.spawn(Red)
    world.restore(before)
    expect(world.query(Position).count).toBe(1)
  })

  it.each([undefined, null, 1, {}, 'snapshot', new Uint8Array(8)])('%s is no snapshot', (wrong) => {
    const world = testWorld()
    const refused = expect.objectContaining({ code: 'INVALID_SNAPSHOT' })
    expect(() => world.restore(wrong as never)).toThrow(refused)
    if (wrong !== undefined) expect(() => world.snapshot({ into: wrong as never })).toThrow(refused)
  })

  it('A disposed world takes no snapshot and does not go back, and its snapshots serve others', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 2 }))
    const before = world.snapshot()
    world.dispose()
    const disposed = expect.objectContaining({ code: 'WORLD_DISPOSED' })
    for (const call of [
      () => world.snapshot(),
      () => world.restore(before),
      () => world.fork(),
      () => world.digest(),
      () => world.onRestore(() => {}),
    ]) {
      expect(call).toThrow(disposed)
    }
    const other = testWorld()
    restore(other, before)
    expect(other.get(e, Position)).toEqual({ x: 2, y: 0 })
  })

  it('A snapshot of a world with other options, or over another core, is refused and changes nothing', () => {
    const before = testWorld().snapshot()
    const refused = expect.objectContaining({ code: 'INVALID_SNAPSHOT' })
    for (const options of [{ maxEntities: 100 }, { ids: 'strict' as const }]) {
      const world = testWorld(options)
      const e = world.spawn(Position)
      expect(() => world.restore(before)).toThrow(refused)
      expect(world.isAlive(e)).toBe(true)
    }
    const other = isChecked ? createWorld() : createWorld({ module: checkedCore() })
    expect(() => other.restore(before)).toThrow(refused)
  })
})

describe('memory that grows', () => {
  const MIB = 2 ** 20

  it('A world goes back to before its memory grew, and on to after it', () => {
    const world = testWorld({ memory: { initial: MIB } })
    const few = [...world.spawnMany(10, [Position])]
    const small = world.snapshot()
    const many = [...world.spawnMany(200_000, [Position({ x: 3 }), Velocity])]
    const large = world.snapshot()
    expect(large.byteLength).toBeGreaterThan(small.byteLength + 2 * MIB)
    for (let round = 0; round < 3; round++) {
      restore(world, small)
      expect([world.query(Position).count, world.isAlive(many[7] as Entity)]).toEqual([10, false])
      // It grows into what is there already, which must be zeros.
      expect(world.spawnMany(150_000, [Position, Velocity]).length).toBe(150_000)
      checkInvariants(world)
      restore(world, large)
      expect(world.get(many[199_999] as Entity, Position)).toEqual({ x: 3, y: 0 })
      expect(world.isAlive(few[0] as Entity)).toBe(true)
    }
    restore(world, small)
    world.reset()
    checkInvariants(world)
    expect(world.spawnMany(1000, [Slot, Health]).length).toBe(1000)
    checkInvariants(world)
  })

  it('A world with less memory grows to what a snapshot needs, or says that it must not', () => {
    const large = testWorld({ memory: { initial: MIB } })
    const handles = large.spawnMany(200_000, [Position({ x: 2 })])
    const before = large.snapshot()
    const world = testWorld({ memory: { initial: MIB } })
    world.spawn(Red)
    restore(world, before)
    expect(world.get(handles[150_000] as Entity, Position)?.x).toBe(2)
    const narrow = testWorld({ memory: { initial: MIB, maximum: 2 * MIB } })
    const e = narrow.spawn(Red)
    expect(() => narrow.restore(before)).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT' }))
    expect(narrow.isAlive(e)).toBe(true)
    checkInvariants(narrow)
  })

  it('A world keeps its own limit when it takes over a snapshot of one that had another', () => {
    const wide = testWorld({ memory: { initial: MIB } })
    const e = wide.spawn(Position)
    const world = testWorld({ memory: { initial: MIB, maximum: 2 * MIB } })
    restore(world, wide.snapshot())
    expect(world.isAlive(e)).toBe(true)
    expect(() => world.spawnMany(500_000, [Position])).toThrow(
      expect.objectContaining({ code: 'MEMORY_LIMIT' }),
    )
    expect(world.stats().bytesReserved).toBeLessThanOrEqual(2 * MIB)
    checkInvariants(world)
  })
})

describe('a fork', () => {
  it('A fork is in the same state, and each goes its own way', () => {
    const world = testWorld()
    world.resource(Time).now = 2
    const e = world.spawn(Position({ x: 1 }), Name({ value: 'e' }), Link)
    const twin = world.fork()
    checkInvariants(twin)
    expect(twin.digest()).toBe(world.digest())
    expect([twin.get(e, Name), twin.resource(Time).now, twin.tick]).toEqual([{ value: 'e' }, 2, world.tick])
    twin.destroy(e)
    twin.spawnMany(1000, [Health, Position])
    expect([world.isAlive(e), world.query(Position).count]).toEqual([true, 1])
    world.spawn(Red)
    expect(twin.query(Red).count).toBe(0)
    twin.dispose()
    expect(world.get(e, Position)?.x).toBe(1)
  })

  it('A fork has the options of its world', () => {
    const world = testWorld({ maxEntities: 5, ids: 'strict', memory: { maximum: 3 * 2 ** 20 } })
    world.spawnMany(3, [Position])
    const twin = world.fork()
    expect(() => twin.spawnMany(3, [Position])).toThrow(expect.objectContaining({ code: 'ENTITY_LIMIT' }))
    twin.restore(world.snapshot())
    world.restore(twin.snapshot())
    expect(twin.query(Position).count).toBe(3)
    expect(twin.stats().bytesReserved).toBe(world.stats().bytesReserved)
  })

  it('A fork revives objects, copies values with save, and shares the others', () => {
    const Mesh = object<{ of: number }>('Mesh', { revive: (entity) => ({ of: entity }) })
    const Copied = resource<{ n: number }>('Copied', { save: ({ n }) => n, load: (n: number) => ({ n }) })
    const Shared = resource<{ n: number }>('Shared')
    const world = testWorld()
    const e = world.spawn(Mesh({ of: 0 }))
    world.setResource(Copied, { n: 1 })
    world.setResource(Shared, { n: 2 })
    const twin = world.fork()
    expect([twin.get(e, Mesh), world.get(e, Mesh)]).toEqual([{ of: e }, { of: 0 }])
    expect(twin.resource(Copied)).toEqual({ n: 1 })
    expect(twin.resource(Copied)).not.toBe(world.resource(Copied))
    expect(twin.resource(Shared)).toBe(world.resource(Shared))
  })

  it('Listeners and schedules stay behind, and the time of a schedule stays as it is', () => {
    const world = testWorld()
    let told = 0
    world.onAdd(Red, () => void told++)
    world.onRestore(() => void told++)
    const schedule = createSchedule(world).phase('physics', { after: 'pre', fixedStep: 1 })
    schedule.add(() => {}, { phase: 'physics' })
    const before = world.snapshot()
    schedule.run(0.5)
    const twin = world.fork()
    twin.spawn(Red)
    twin.restore(before)
    expect(told).toBe(0)
    expect(schedule.alpha('physics')).toBe(0.5)
  })
})
