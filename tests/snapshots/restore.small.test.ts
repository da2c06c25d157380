// Shows that a restore brings back all entities, and leaves nothing of the time that was undone: versions, what became known,
// memory that grew.

import { describe, expect, it } from 'vitest'
import {
  toggle,
  type Entity,
  type World,
  clearWorld,
  component,
  createAccessor,
  createWorld,
  destroyMany,
  digestWorld,
  disableMany,
  f32,
  forkWorld,
  createGroup,
  onAdd,
  onRestore,
  removeMany,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  sortRows,
  sparse,
  spawnMany,
  tag,
} from '../../bindings/index'
import { checkedCore } from '../../bindings/checked'
import { checkInvariants } from '../support/invariants'
import { wordAt } from '../support/inside'
import { Health, Name, Position, Red, Slot, Velocity } from '../support/kinds'
import { LAYOUT } from '../support/layout'
import { restoreChecked } from '../support/restoring'
import { isChecked, testWorld } from '../support/world'

const Weight = component('Weight', { kg: f32 }, { storage: sparse })
const Lit = component('Lit', { watts: f32 }, { toggle })
const Waiting = tag('Waiting', { order: 'insertion' })

/** How often the world has resolved everything anew. */
const generationOf = (world: World) =>
  (world as unknown as { state: { generation: number } }).state.generation

describe('entities and their values', () => {
  it('Handles name what they named, including entities that died and entities made since', () => {
    const world = testWorld()
    const [a, b] = [world.spawn(Position({ x: 1 }), Red), world.spawn(Health({ hp: 2 }))]
    const before = snapshotWorld(world)
    world.destroy(a)
    world.set(b, Health, { hp: 9 })
    const c = world.spawn(Position({ x: 3 }), Name({ value: 'c' }))
    restoreChecked(world, before)
    expect([world.isAlive(a), world.isAlive(b), world.isAlive(c)]).toEqual([true, true, false])
    expect(world.get(a, Position)).toEqual({ x: 1, y: 0 })
    expect(world.has(a, Red)).toBe(true)
    expect(world.get(b, Health)).toEqual({ hp: 2 })
    expect(world.get(c, Position)).toBe(undefined)
    // The next one gets the handle that it got then.
    expect(world.spawn()).toBe(c)
  })

  it('Every storage, order, toggle and group is restored, with the order of rows', () => {
    const world = testWorld()
    const pair = createGroup(world, Health, Weight)
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
      slots: all.map((e) => createAccessor(world, Slot).rowOf(e)),
      pair: [...pair.entities()],
    })
    const then = look()
    const before = snapshotWorld(world)
    for (const e of all.filter((_, i) => i % 3 === 0)) world.destroy(e)
    for (const e of all.filter((_, i) => i % 3 === 1)) world.exchange(e, [Waiting, Weight], [Waiting])
    disableMany(world.query(Lit), Lit)
    sortRows(world, Health, 'hp')
    expect(look()).not.toEqual(then)
    restoreChecked(world, before)
    expect(look()).toEqual(then)
  })

  it('Going back is possible any number of times, and forward again', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const snapshots = [0, 1, 2, 3].map((x) => {
      world.set(e, Position, { x })
      if (x % 2 === 1) world.spawn(Red, Name({ value: `${x}` }))
      return snapshotWorld(world)
    })
    for (const x of [2, 0, 3, 3, 1, 0, 2]) {
      restoreChecked(world, snapshots[x] as (typeof snapshots)[number])
      expect(world.get(e, Position)?.x).toBe(x)
      expect(world.query(Red).count).toBe((x + 1) >> 1)
    }
  })

  it('A snapshot outlives a clear, a reset, and whatever was registered after it', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 5 }), Name({ value: 'five' }), Slot, Waiting)
    const moving = world.query(Position)
    const before = snapshotWorld(world)
    clearWorld(world)
    restoreChecked(world, before)
    expect(moving.single()).toBe(e)
    resetWorld(world)
    world.spawn(Red, Weight)
    expect(moving.count).toBe(0)
    restoreChecked(world, before)
    expect(moving.single()).toBe(e)
    expect(world.get(e, Name)).toEqual({ value: 'five' })
    expect(world.has(e, Waiting)).toBe(true)
  })
})

describe('a queue left by a stack overflow', () => {
  /** Leaves changes in the queue without a lock, as the end of the stack does where a loop closes. */
  const leave = (world: World, changes: () => void) => {
    const { state } = world as unknown as { state: { lock(): void; release(): void } }
    state.lock()
    changes()
    state.release()
  }

  it('A restore drops it: it belongs to the time that ends', () => {
    const world = testWorld()
    const entity = world.spawn(Position({ x: 1 }))
    const before = snapshotWorld(world)
    leave(world, () => {
      world.destroy(entity)
      world.spawn(Red)
    })
    restoreChecked(world, before)
    expect(world.get(entity, Position)).toEqual({ x: 1, y: 0 })
    expect(world.query(Red).count).toBe(0)
    world.add(entity, Red)
    expect(world.query(Red).entities()).toEqual(Uint32Array.of(entity))
  })

  it('A snapshot applies it first', () => {
    const world = testWorld()
    const entity = world.spawn(Position({ x: 1 }))
    leave(world, () => world.add(entity, Red))
    const after = snapshotWorld(world)
    world.destroy(entity)
    restoreChecked(world, after)
    expect(world.has(entity, Red)).toBe(true)
  })
})

describe('versions that go back and are reached again', () => {
  it('A loop walks the current chunks, even though it has seen their version with other chunks', () => {
    const world = testWorld()
    const moving = world.query(Position)
    // Both archetypes are there, so that nothing becomes known later.
    for (const kind of [Position, Velocity]) removeMany(world.query(kind), kind)
    spawnMany(world, 50, [Position])
    destroyMany(world.query(Velocity))
    const visit = () => {
      let rows = 0
      for (const chunk of moving) {
        chunk.write(Position).x.fill(7, chunk.start, chunk.end)
        rows += chunk.end - chunk.start
      }
      return rows
    }
    destroyMany(world, spawnMany(world, 3000, [Velocity]))
    destroyMany(world, spawnMany(world, 3000, [Position]))
    visit()
    const version = () => wordAt(world, LAYOUT.CHUNKS_VERSION)
    const generation = generationOf(world)
    const few = world.query(Position).count
    const before = snapshotWorld(world)
    spawnMany(world, 3000, [Position])
    expect(visit()).toBe(few + 3000)
    const seen = version()
    restoreChecked(world, before)
    // As many new chunks of another archetype: the version in memory comes up to one that the loop has seen.
    const others: Entity[] = []
    while (version() < seen) others.push(world.spawn(Velocity({ x: 1 })))
    expect([version(), generationOf(world)]).toEqual([seen, generation])
    expect(visit()).toBe(few)
    for (const e of others) expect(world.get(e, Velocity)).toEqual({ x: 1, y: 0 })
  })

  it('query.version never repeats a number that it gave before', () => {
    const world = testWorld()
    const moving = world.query(Position)
    const versions = new Set<number>()
    const e = world.spawn(Position)
    const before = snapshotWorld(world)
    for (let round = 0; round < 4; round++) {
      versions.add(moving.version)
      world.spawn(Position)
      versions.add(moving.version)
      world.remove(e, Position)
      versions.add(moving.version)
      restoreWorld(world, before)
    }
    expect(versions.size).toBe(12)
  })

  it('An accessor and a cursor that were kept show the current rows', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 1 }))
    const before = snapshotWorld(world)
    const position = createAccessor(world, Position)
    world.add(e, Velocity, Red)
    expect(position.of(e).x).toBe(1)
    position.of(e).x = 8
    restoreChecked(world, before)
    expect(position.of(e).x).toBe(1)
    position.of(e).x = 2
    expect(world.get(e, Position)?.x).toBe(2)
  })
})

describe('a restore', () => {
  it('Inside a loop, a block or a listener no snapshot is taken and the world does not go back', () => {
    const world = testWorld()
    world.spawn(Position)
    const before = snapshotWorld(world)
    const locked = expect.objectContaining({ code: 'WORLD_LOCKED' })
    const refused = () => {
      expect(() => snapshotWorld(world)).toThrow(locked)
      expect(() => snapshotWorld(world, { into: before })).toThrow(locked)
      expect(() => restoreWorld(world, before)).toThrow(locked)
      expect(() => forkWorld(world)).toThrow(locked)
      expect(digestWorld(world)).toBe(digestWorld(world))
    }
    for (const _ of world.query(Position)) refused()
    world.batch(refused)
    onAdd(world, Red, refused)
    onRestore(world, refused)
    world.spawn(Red)
    restoreWorld(world, before)
    expect(world.query(Position).count).toBe(1)
  })

  it.each([undefined, null, 1, {}, 'snapshot', new Uint8Array(8)])('%s is not a snapshot', (wrong) => {
    const world = testWorld()
    const refused = expect.objectContaining({ code: 'INVALID_SNAPSHOT' })
    expect(() => restoreWorld(world, wrong as never)).toThrow(refused)
    if (wrong !== undefined) expect(() => snapshotWorld(world, { into: wrong as never })).toThrow(refused)
  })

  it('A disposed world takes no snapshot and does not go back, and its snapshots serve others', () => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 2 }))
    const before = snapshotWorld(world)
    world.dispose()
    const disposed = expect.objectContaining({ code: 'WORLD_DISPOSED' })
    for (const call of [
      () => snapshotWorld(world),
      () => restoreWorld(world, before),
      () => forkWorld(world),
      () => digestWorld(world),
      () => onRestore(world, () => {}),
    ]) {
      expect(call).toThrow(disposed)
    }
    const other = testWorld()
    restoreChecked(other, before)
    expect(other.get(e, Position)).toEqual({ x: 2, y: 0 })
  })

  it('A snapshot of a world with other options, or over another core, is refused and changes nothing', () => {
    const before = snapshotWorld(testWorld())
    const refused = expect.objectContaining({ code: 'INVALID_SNAPSHOT' })
    for (const options of [{ maxEntities: 100 }, { ids: 'strict' as const }]) {
      const world = testWorld(options)
      const e = world.spawn(Position)
      expect(() => restoreWorld(world, before)).toThrow(refused)
      expect(world.isAlive(e)).toBe(true)
    }
    const other = isChecked ? createWorld() : createWorld({ core: checkedCore() })
    expect(() => restoreWorld(other, before)).toThrow(refused)
  })
})

describe('memory that grows', () => {
  const MIB = 2 ** 20

  it('A world goes back to before its memory grew, and on to after it', () => {
    const world = testWorld({ memory: { initial: MIB } })
    const few = [...spawnMany(world, 10, [Position])]
    const small = snapshotWorld(world)
    const many = [...spawnMany(world, 200_000, [Position({ x: 3 }), Velocity])]
    const large = snapshotWorld(world)
    expect(large.byteLength).toBeGreaterThan(small.byteLength + 2 * MIB)
    for (let round = 0; round < 3; round++) {
      restoreChecked(world, small)
      expect([world.query(Position).count, world.isAlive(many[7] as Entity)]).toEqual([10, false])
      // It grows into what is there already, which must be zeros.
      expect(spawnMany(world, 150_000, [Position, Velocity]).length).toBe(150_000)
      checkInvariants(world)
      restoreChecked(world, large)
      expect(world.get(many[199_999] as Entity, Position)).toEqual({ x: 3, y: 0 })
      expect(world.isAlive(few[0] as Entity)).toBe(true)
    }
    restoreChecked(world, small)
    resetWorld(world)
    checkInvariants(world)
    expect(spawnMany(world, 1000, [Slot, Health]).length).toBe(1000)
    checkInvariants(world)
  })

  it('A world with less memory grows to what a snapshot needs, or says that it must not', () => {
    const large = testWorld({ memory: { initial: MIB } })
    const handles = spawnMany(large, 200_000, [Position({ x: 2 })])
    const before = snapshotWorld(large)
    const world = testWorld({ memory: { initial: MIB } })
    world.spawn(Red)
    restoreChecked(world, before)
    expect(world.get(handles[150_000] as Entity, Position)?.x).toBe(2)
    const narrow = testWorld({ memory: { initial: MIB, maximum: 2 * MIB } })
    const e = narrow.spawn(Red)
    expect(() => restoreWorld(narrow, before)).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT' }))
    expect(narrow.isAlive(e)).toBe(true)
    checkInvariants(narrow)
  })

  it('A world keeps its own limit when it takes over a snapshot of one that had another', () => {
    const wide = testWorld({ memory: { initial: MIB } })
    const e = wide.spawn(Position)
    const world = testWorld({ memory: { initial: MIB, maximum: 2 * MIB } })
    restoreChecked(world, snapshotWorld(wide))
    expect(world.isAlive(e)).toBe(true)
    expect(() => spawnMany(world, 500_000, [Position])).toThrow(
      expect.objectContaining({ code: 'MEMORY_LIMIT' }),
    )
    expect(world.stats().bytesReserved).toBeLessThanOrEqual(2 * MIB)
    checkInvariants(world)
  })
})
