// Shows what lasts for one frame: frame components, discarded entities, the end of a frame, and that its cost follows what is
// there.

import { describe, expect, it } from 'vitest'
import {
  DeadEntityError,
  destroyMany,
  queueDestroy,
  QueuedForDestroy,
  endFrame,
  createGroup,
  NULL_ENTITY,
  component,
  createSchedule,
  f32,
  i32,
  not,
  resetWorld,
  sparse,
  spawnMany,
  stable,
  sweepTexts,
  tag,
  toggle,
  u16,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { poolOf } from '../support/inside'
import { bytesOf, expectSameBytes } from '../support/bytes'
import { checkInvariants } from '../support/invariants'
import { KINDS, type Kind } from '../support/kinds'
import { leaveFree, succeeds, tryEveryAmount } from '../support/scarcity'
import { ROW_COUNTS } from '../support/rowCounts'
import { seededRandom, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const MIB = 2 ** 20
const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32 })
const Health = component('Health', { hp: u16 }, { storage: sparse })
const Slot = component('Slot', { number: i32 }, { storage: stable })
const Frozen = tag('Frozen')

/** A frame component of each kind, with a number where it has data. */
const FRAME = {
  table: component('Blow', { value: i32 }, { lifetime: 'frame' }),
  sparse: component('Echo', { value: i32 }, { lifetime: 'frame', storage: sparse }),
  stable: component('Node', { value: i32 }, { lifetime: 'frame', storage: stable }),
  tag: tag('Hit', { lifetime: 'frame' }),
} as const

const anything = (value: unknown) => value as never

function give(world: World, entity: Entity, kind: Kind, value: number): void {
  if (kind === 'tag') world.add(entity, FRAME.tag)
  else world.add(entity, FRAME[kind]({ value }))
}

describe.each(KINDS)('a frame component kept as %s', (kind) => {
  const Frame = FRAME[kind]

  it('exists until the frame ends and can be added again in the next one', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position({ x: 1 }))
    for (let frame = 1; frame <= 3; frame++) {
      give(world, ship, kind, frame)
      expect(world.has(ship, Frame)).toBe(true)
      if (kind !== 'tag') expect(world.get(ship, FRAME[kind])).toEqual({ value: frame })
      expect(world.query(Frame).count).toBe(1)
      endFrame(world)
      expect(world.has(ship, Frame)).toBe(false)
      expect(world.query(Frame).count).toBe(0)
      expect(world.get(ship, Position)).toEqual({ x: 1, y: 0 })
    }
  })

  it.each(ROW_COUNTS)('is removed from %i entities at once, which keep everything else', (count) => {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [Position, Health, Slot])
    handles.forEach((handle, i) => {
      world.set(handle, Position, { x: i })
      world.set(handle, Health, { hp: i & 0xffff })
      world.set(handle, Slot, { number: -i })
      give(world, handle, kind, i)
    })
    const others = spawnMany(world, 10, [Position({ x: -5 }), Frozen])
    endFrame(world)
    expect(world.query(Frame).count).toBe(0)
    expect(world.stats().entities).toBe(count + 10)
    let wrong = 0
    handles.forEach((handle, i) => {
      const right =
        world.get(handle, Position)?.x === i &&
        world.get(handle, Health)?.hp === (i & 0xffff) &&
        world.get(handle, Slot)?.number === -i
      if (!right) wrong++
    })
    expect(wrong).toBe(0)
    expect([...others].every((handle) => world.get(handle, Position)?.x === -5)).toBe(true)
  })

  it('is removed from entities of many archetypes, some of which no longer have rows', () => {
    const world = watchedWorld()
    const makers: (() => Entity)[] = [
      () => world.spawn(),
      () => world.spawn(Position),
      () => world.spawn(Frozen),
      () => world.spawn(Position, Velocity, Frozen),
      () => world.spawn(Health, Slot),
    ]
    const gone: Entity[] = []
    const kept: Entity[] = []
    makers.forEach((make, i) => {
      const entity = make()
      give(world, entity, kind, i)
      ;(i % 2 ? gone : kept).push(entity)
    })
    destroyMany(world, gone)
    endFrame(world)
    expect(kept.map((entity) => world.isAlive(entity) && !world.has(entity, Frame))).toEqual([
      true,
      true,
      true,
    ])
  })

  it('leaves nothing behind: another frame allocates nothing new', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 3000, [Position, Velocity])
    const frame = () => {
      for (const handle of handles) give(world, handle, kind, 1)
      endFrame(world)
      const { archetypes, chunks, bytesUsed } = world.stats()
      return { archetypes, chunks, bytesUsed }
    }
    const first = frame()
    expect(frame()).toEqual(first)
    expect(frame()).toEqual(first)
  })

  it('allocates nothing if no entity has it', () => {
    const world = watchedWorld()
    world.query(Frame)
    spawnMany(world, 100, [Position])
    endFrame(world)
    const before = world.stats()
    endFrame(world)
    expect(world.stats()).toEqual(before)
  })

  it('is removed at the end of a loop when the frame is ended inside it', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    give(world, ship, kind, 1)
    world.query(Position).each(() => {
      endFrame(world)
      expect(world.has(ship, Frame)).toBe(true)
      world.add(ship, Velocity)
    })
    expect(world.has(ship, Frame)).toBe(false)
    expect(world.has(ship, Velocity)).toBe(true)
  })

  it('added in a loop after endFrame belongs to the next frame', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    world.batch(() => {
      give(world, ship, kind, 1)
      endFrame(world)
    })
    expect(world.has(ship, Frame)).toBe(false)
    world.batch(() => {
      endFrame(world)
      give(world, ship, kind, 2)
    })
    expect(world.has(ship, Frame)).toBe(true)
  })

  it('is registered again after reset', () => {
    const world = watchedWorld()
    give(world, world.spawn(), kind, 1)
    resetWorld(world)
    const ship = world.spawn()
    give(world, ship, kind, 2)
    endFrame(world)
    expect(world.has(ship, Frame)).toBe(false)
    expect(world.isAlive(ship)).toBe(true)
  })

  it('finds all memory it needs, or stays on every entity', () => {
    let refused = 0
    const attempt = (kib: number) => {
      const world = testWorld({ memory: { maximum: MIB } })
      const handles = spawnMany(world, 1500, [Position({ x: 2 }), Frame])
      leaveFree(world, kib)
      const done = succeeds(() => endFrame(world))
      checkInvariants(world)
      const have = [...handles].filter((handle) => world.has(handle, Frame)).length
      expect(have).toBe(done ? 0 : 1500)
      expect([...handles].every((handle) => world.get(handle, Position)?.x === 2)).toBe(true)
      if (!done) {
        refused++
        destroyMany(world, handles.subarray(0, 1480))
        endFrame(world)
        expect(world.query(Frame).count).toBe(0)
        checkInvariants(world)
      }
      return done
    }
    tryEveryAmount(attempt, { step: 3 })
    // Rows of a table component need chunks to go to; other storages at most an archetype and a bundle.
    if (kind === 'table') expect(refused).toBeGreaterThan(3)
  })
})

describe('frame components together', () => {
  it('are all removed from one entity, in every storage', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 300, [Position({ x: 1 }), ...Object.values(FRAME), Health({ hp: 4 })])
    endFrame(world)
    for (const Frame of Object.values(FRAME)) expect(world.query(Frame).count).toBe(0)
    expect([...handles].every((handle) => world.get(handle, Health)?.hp === 4)).toBe(true)
    for (const storage of ['sparse', 'stable'] as const) {
      expect(poolOf(world, FRAME[storage])).toMatchObject({ rows: 0, holes: 0, pages: new Map() })
    }
  })

  it('that are tags only relabel chunks: no row is copied', () => {
    const world = watchedWorld()
    spawnMany(world, 3000, [Position, FRAME.tag])
    const places = () => Array.from(world.query(Position), (chunk) => chunk.index(Position, 'x'))
    const before = places()
    endFrame(world)
    expect(places()).toEqual(before)
    expect(world.query(Position, not(FRAME.tag)).count).toBe(3000)
  })

  it('leave holes of a stable pool in order: a later row starts in a new chunk', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 50, [FRAME.stable])
    destroyMany(world, handles.subarray(10, 20))
    endFrame(world)
    expect(poolOf(world, FRAME.stable)).toMatchObject({ rows: 0, holes: 0 })
    world.add(handles[0], FRAME.stable({ value: 9 }))
    expect(world.get(handles[0], FRAME.stable)).toEqual({ value: 9 })
  })

  it('can be removed by hand before the frame ends', () => {
    const world = watchedWorld()
    const ship = world.spawn(FRAME.table, FRAME.sparse, FRAME.stable, FRAME.tag)
    expect(world.remove(ship, FRAME.table, FRAME.sparse, FRAME.stable, FRAME.tag)).toBe(true)
    endFrame(world)
    expect(world.isAlive(ship)).toBe(true)
  })

  it('without fields work in every storage', () => {
    for (const storage of STORAGES) {
      const Bare = component('Bare', {}, { storage: STORED[storage], lifetime: 'frame' })
      const world = watchedWorld()
      const ship = world.spawn(Bare, Position)
      endFrame(world)
      expect(world.has(ship, Bare)).toBe(false)
      expect(world.has(ship, Position)).toBe(true)
    }
  })

  it('do not advance the change tick', () => {
    const world = watchedWorld()
    world.spawn(FRAME.table)
    endFrame(world)
    expect(world.tick).toBe(1)
  })
})

describe('a declaration', () => {
  it.each(['frames', 1, true, null])('with the lifetime %j is refused', (lifetime) => {
    const code = 'INVALID_SCHEMA'
    expect(() => component('Wrong', { x: f32 }, anything({ lifetime }))).toThrow(
      expect.objectContaining({ code }),
    )
    expect(() => tag('Wrong', anything({ lifetime }))).toThrow(expect.objectContaining({ code }))
  })

  it('may leave the lifetime out', () => {
    const world = watchedWorld()
    const Lasting = tag('Lasting', {})
    const ship = world.spawn(Lasting, component('Kept', { x: f32 }, {}))
    endFrame(world)
    expect(world.has(ship, Lasting)).toBe(true)
  })
})

describe('a discarded entity', () => {
  it('stays alive, readable and found by queries until the frame ends', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position({ x: 3 }), Health({ hp: 2 }))
    expect(queueDestroy(world, ship)).toBe(true)
    expect(world.isAlive(ship)).toBe(true)
    expect(world.has(ship, QueuedForDestroy)).toBe(true)
    expect(world.get(ship, Position)).toEqual({ x: 3, y: 0 })
    expect(world.query(Position).count).toBe(1)
    expect(world.query(Position, not(QueuedForDestroy)).count).toBe(0)
    expect([...world.query(QueuedForDestroy).entities()]).toEqual([ship])
    endFrame(world)
    expect(world.isAlive(ship)).toBe(false)
    expect(world.query(Position).count).toBe(0)
  })

  it('is discarded once; the dead are not discarded', () => {
    const world = watchedWorld()
    const ship = world.spawn()
    const wreck = world.spawn()
    world.destroy(wreck)
    expect(queueDestroy(world, ship)).toBe(true)
    expect(queueDestroy(world, ship)).toBe(false)
    for (const wrong of [wreck, NULL_ENTITY, 0, -1, 1.5, NaN]) {
      expect(queueDestroy(world, anything(wrong))).toBe(false)
    }
    expect(world.stats().entities).toBe(1)
  })

  it('can be kept after all', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    queueDestroy(world, ship)
    world.remove(ship, QueuedForDestroy)
    endFrame(world)
    expect(world.isAlive(ship)).toBe(true)
    expect(() => world.add(ship, Velocity)).not.toThrow(DeadEntityError)
  })

  it.each(ROW_COUNTS)('is destroyed together with %i others, and no other entity is', (count) => {
    const world = watchedWorld()
    const random = seededRandom(count)
    const handles = spawnMany(world, count, [Position, Health, Slot])
    const doomed = [...handles].filter(() => random() < 0.5)
    for (const handle of doomed) queueDestroy(world, handle)
    endFrame(world)
    expect(world.stats().entities).toBe(count - doomed.length)
    expect(doomed.some((handle) => world.isAlive(handle))).toBe(false)
  })

  it('inside a loop is marked when the loop ends', () => {
    const world = watchedWorld()
    spawnMany(world, 100, [Position])
    world.query(Position).each((ship) => {
      expect(queueDestroy(world, ship)).toBe(true)
      expect(world.has(ship, QueuedForDestroy)).toBe(false)
    })
    expect(world.query(QueuedForDestroy).count).toBe(100)
    endFrame(world)
    expect(world.stats().entities).toBe(0)
  })

  it('and ended in the same block is gone after it', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    const other = world.spawn(Position)
    world.batch(() => {
      queueDestroy(world, ship)
      const born = world.spawn(Velocity)
      queueDestroy(world, born)
      endFrame(world)
    })
    expect([world.isAlive(ship), world.isAlive(other), world.stats().entities]).toEqual([false, true, 1])
  })

  it('goes on working after reset', () => {
    const world = watchedWorld()
    queueDestroy(world, world.spawn())
    endFrame(world)
    resetWorld(world)
    const ship = world.spawn()
    queueDestroy(world, ship)
    endFrame(world)
    expect(world.isAlive(ship)).toBe(false)
  })
})

describe('endFrame in a world that an earlier frame left locked', () => {
  const left = (...queries: string[]) => {
    const names = queries.map((query) => `the query \\(${query}\\)`).join(' and ')
    const open = `the previous frame has not ended, because a loop over ${names} is still open`
    return expect.objectContaining({
      code: 'WORLD_LOCKED',
      message: expect.stringMatching(new RegExp(`^endFrame: ${open}.*await.*return\\(\\)`)),
    })
  }

  it('by an await in a loop says so in the next frame, and names the query', async () => {
    const world = testWorld()
    world.spawn(Position)
    const moving = world.query(Position, not(Velocity))
    const loads = async () => {
      for (const _ of moving) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const loaded = loads()
    endFrame(world)
    await Promise.resolve()
    expect(() => {
      endFrame(world)
    }).toThrow(left('Position, not\\(Velocity\\)'))
    await loaded
    endFrame(world)
    endFrame(world)
    resetWorld(world)
  })

  it.each(STORAGES)('by an iterator that was taken by hand names its query (%s)', (storage) => {
    const world = testWorld()
    const Held = component('Held', { n: u16 }, { storage: STORED[storage] })
    const Switched = component('Switched', { n: u16 }, { storage: STORED[storage], toggle })
    world.spawn(Held, Switched)
    const inner = world.query(Switched)[Symbol.iterator]()
    const outer = world.query(Held)[Symbol.iterator]()
    endFrame(world)
    expect(() => {
      endFrame(world)
    }).toThrow(left('Switched', 'Held'))
    // In whatever order they are closed.
    inner.return?.()
    expect(() => {
      endFrame(world)
    }).toThrow(left('Held'))
    const ship = world.spawn()
    queueDestroy(world, ship)
    outer.return?.()
    expect(world.isAlive(ship)).toBe(true)
    endFrame(world)
    expect(world.isAlive(ship)).toBe(false)
  })

  it('over a group names it too', () => {
    const world = testWorld()
    const [A, B] = [component('A', { n: u16 }, { storage: sparse }), component('B', {}, { storage: sparse })]
    const iterator = createGroup(world, A, B)[Symbol.iterator]()
    endFrame(world)
    expect(() => {
      endFrame(world)
    }).toThrow(left('A, B'))
    iterator.return?.()
  })

  it('fails at once in reset, dispose and a run of a schedule', () => {
    const world = testWorld()
    const schedule = createSchedule(world)
    const iterator = world.query(Position)[Symbol.iterator]()
    for (const call of [
      () => resetWorld(world),
      () => world.dispose(),
      () => schedule.run(1),
      () => sweepTexts(world),
    ]) {
      const open = /inside a query loop.*Still open: a loop over the query \(Position\)\..*await.*return\(\)/
      expect(call).toThrow(
        expect.objectContaining({ code: 'WORLD_LOCKED', message: expect.stringMatching(open) }),
      )
    }
    iterator.return?.()
    schedule.run(1)
  })

  it('waits for the end of each loop, even if it is called in nested loops', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    for (let frame = 0; frame < 3; frame++) {
      for (const _ of world.query(Position)) {
        for (const __ of world.query(Position)) endFrame(world)
      }
    }
    world.batch(() => {
      queueDestroy(world, ship)
      endFrame(world)
      endFrame(world)
      expect(world.isAlive(ship)).toBe(true)
    })
    expect(world.isAlive(ship)).toBe(false)
  })

  it('may be called again in a loop when a schedule has closed the previous one', () => {
    const world = testWorld()
    world.spawn(Position)
    const schedule = createSchedule(world).add(
      () => {
        world.query(Position)[Symbol.iterator]()
        endFrame(world)
      },
      { name: 'careless' },
    )
    for (let run = 0; run < 3; run++) {
      expect(() => {
        schedule.run(1)
      }).toThrow(
        /'careless' left a loop over the query \(Position\) open\..*`await`.*End the loop before the system returns/,
      )
      for (const _ of world.query(Position)) endFrame(world)
    }
  })
})

describe('endFrame', () => {
  it('changes not a byte in a world that knows no frame component and discarded nothing', () => {
    const world = watchedWorld()
    spawnMany(world, 100, [Position, Health])
    const before = bytesOf(world)
    endFrame(world)
    expectSameBytes(bytesOf(world), before)
  })

  it('destroys and removes what it can when there is no memory for one component', () => {
    const world = testWorld({ memory: { maximum: MIB } })
    const Wide = component('Wide', { a: vec(f32, 1000) })
    const wide = spawnMany(world, 40, [Wide, FRAME.table])
    const doomed = spawnMany(world, 5, [Position])
    for (const handle of doomed) queueDestroy(world, handle)
    const echo = world.spawn(FRAME.sparse)
    leaveFree(world, 16)
    expect(() => endFrame(world)).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT' }))
    expect([...doomed].some((handle) => world.isAlive(handle))).toBe(false)
    expect(world.has(echo, FRAME.sparse)).toBe(false)
    expect(world.query(FRAME.table).count).toBe(40)
    checkInvariants(world)
    destroyMany(world, wide)
    endFrame(world)
    checkInvariants(world)
  })

  it('gives the same bytes after the same calls', () => {
    const worlds = [0, 1].map(() => {
      const world = testWorld({ memory: { initial: MIB } })
      const random = seededRandom(5)
      for (let frame = 0; frame < 5; frame++) {
        for (const handle of spawnMany(world, 200, [Position, Health, FRAME.stable])) {
          if (random() < 0.3) queueDestroy(world, handle)
          for (const kind of KINDS) if (random() < 0.3) give(world, handle, kind, frame)
        }
        endFrame(world)
      }
      checkInvariants(world)
      return bytesOf(world)
    })
    expectSameBytes(worlds[0]!, worlds[1]!)
  })
})
