// Shows what readers of removals report: removals and take.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  clearWorld,
  cloneEntity,
  createCommands,
  destroyMany,
  digestWorld,
  queueDestroy,
  endFrame,
  forkWorld,
  LimitError,
  onRemove,
  createRemovalReader,
  removeMany,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  spawnAt,
  spawnMany,
  StrataTypeError,
  component,
  createHistory,
  f32,
  object,
  relation,
  tag,
  u32,
  type Entity,
  type Removal,
  type World,
  type WorldOptions,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { KINDS, declare } from '../support/kinds'
import { proofLength } from '../support/proofs'
import { leaveFree, withoutFreeObjects } from '../support/scarcity'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const SMALL = { memory: { initial: 2 ** 20 } }
/** Where the segments of a log end, and how many removals fill all of them. */
const SEGMENT_EDGES = [64, 1024, 16384].flatMap((edge) => [edge - 2, edge - 1, edge, edge + 1])
const MOST = 2 ** 20 - 1

const Health = component('Health', { hp: u32 })
const Marked = tag('Marked')

const readingWorld = (options: WorldOptions = {}): World => watchedWorld(options)

/** What a reader tells, short: 5 for a component that entity 5 lost, -5 for one that it died with. */
const short = (list: readonly Removal[]): number[] =>
  list.map(({ entity, died }) => (died ? -entity : entity))

describe('a reader of removals', () => {
  it.each(KINDS)(
    'lists the entities that lost the component, in order, and the ones that died with it (%s)',
    (kind) => {
      const C = declare('C', kind)
      const world = readingWorld()
      const [a, b, c, d] = [world.spawn(C), world.spawn(C), world.spawn(C), world.spawn()]
      const lost = createRemovalReader(world, C)
      expect(lost.read()).toEqual([])
      world.remove(b, C)
      world.destroy(a)
      world.destroy(d)
      world.add(b, C)
      expect(lost.read()).toEqual([
        { entity: b, died: false },
        { entity: a, died: true },
      ])
      expect(lost.read()).toEqual([])
      world.remove(c, Marked)
      world.remove(b, C)
      world.add(b, C)
      world.remove(b, C)
      expect(short(lost.read())).toEqual([b, b])
      expect(lost.missed).toBe(0)
    },
  )

  it('remembers by itself: what one reader has taken, another still lists', () => {
    const world = readingWorld()
    const [a, b] = [world.spawn(Health), world.spawn(Health)]
    const [first, second] = [createRemovalReader(world, Health), createRemovalReader(world, Health)]
    world.remove(a, Health)
    expect(short(first.read())).toEqual([a])
    world.destroy(b)
    expect(short(second.read())).toEqual([a, -b])
    expect(short(first.read())).toEqual([-b])
    expect(first.read()).toEqual([])
  })

  it('lists nothing that was removed before it was created', () => {
    const world = readingWorld()
    createRemovalReader(world, Health)
    const a = world.spawn(Health)
    world.destroy(a)
    expect(createRemovalReader(world, Health).read()).toEqual([])
  })

  it('can be created before the world knows the component, and inside a loop', () => {
    const world = readingWorld()
    const Late = component('Late', { n: u32 })
    world.spawn(Health)
    let lost: ReturnType<typeof createRemovalReader> | undefined
    for (const _ of world.query(Health)) lost = createRemovalReader(world, Late)
    world.destroy(world.spawn(Late))
    expect(lost?.read()).toHaveLength(1)
  })

  it('returns a list that no longer changes', () => {
    const world = readingWorld()
    const lost = createRemovalReader(world, Health)
    world.destroy(world.spawn(Health))
    const taken = lost.read()
    world.destroy(world.spawn(Health))
    expect(taken).toHaveLength(1)
    lost.read()
    expect(taken).toHaveLength(1)
  })

  it('leaves onRemove listeners as they are', () => {
    const world = readingWorld()
    const heard: number[] = []
    onRemove(world, Health, (e) => heard.push(e))
    const lost = createRemovalReader(world, Health)
    const a = world.spawn(Health)
    world.remove(a, Health)
    expect([heard, short(lost.read())]).toEqual([[a], [a]])
  })

  it('is not emptied by the end of a frame, and lists what that removes', () => {
    const Spark = component('Spark', { heat: f32 }, { lifetime: 'frame' })
    const world = readingWorld()
    const lost = createRemovalReader(world, Spark)
    const [a, b] = [world.spawn(Spark), world.spawn(Spark)]
    queueDestroy(world, b)
    endFrame(world)
    endFrame(world)
    expect(short(lost.read())).toEqual([-b, a])
  })
})

describe('every way to lose a component', () => {
  it.each(STORAGES)('is listed once (%s)', (storage) => {
    const C = component('C', { n: u32 }, { storage: STORED[storage] })
    const world = readingWorld()
    const lost = createRemovalReader(world, C)
    const made = () => [...spawnMany(world, 3, [C])]
    let entities = made()
    destroyMany(world, entities)
    expect(short(lost.read())).toEqual(entities.map((e) => -e))
    entities = made()
    removeMany(world, entities, C)
    expect(short(lost.read())).toEqual(entities)
    addMany(world, entities, C)
    removeMany(world.query(C), C)
    expect(short(lost.read()).sort()).toEqual([...entities].sort())
    addMany(world, entities, C)
    destroyMany(world.query(C))
    expect(short(lost.read()).sort()).toEqual(entities.map((e) => -e).sort())
    entities = made()
    world.exchange(entities[0], [C], [Marked])
    // What is in both lists starts over.
    world.exchange(entities[1], [C], [C])
    clearWorld(world)
    expect(short(lost.read())).toEqual([entities[0], entities[1], -entities[1], -entities[2]])
    const copy = cloneEntity(world, world.spawn(C))
    world.destroy(copy)
    expect(short(lost.read())).toEqual([-copy])
  })

  it('is listed when it is applied, not when it is queued in a loop; several in one block count as one', () => {
    const world = readingWorld()
    const [a, b, c] = [world.spawn(Health), world.spawn(Health), world.spawn(Health)]
    const lost = createRemovalReader(world, Health)
    world.batch(() => {
      world.destroy(a)
      world.remove(b, Health)
      world.add(b, Health)
      world.remove(c, Health)
      world.destroy(c)
      expect(lost.read()).toEqual([])
    })
    const told = short(lost.read())
    expect(told.filter((e) => Math.abs(e) !== b)).toEqual([-a, -c])
    const commands = createCommands(world)
    commands.remove(b, Health)
    commands.apply()
    expect(short(lost.read())).toEqual([b])
  })

  it('of a relation is the end of its last link', () => {
    const Likes = relation('Likes')
    const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
    const world = readingWorld()
    const [likes, children] = [createRemovalReader(world, Likes), createRemovalReader(world, ChildOf)]
    const [ann, bob, cid] = [world.spawn(), world.spawn(), world.spawn()]
    world.add(ann, Likes(bob))
    world.add(ann, Likes(cid))
    world.remove(ann, Likes(bob))
    expect(likes.read()).toEqual([])
    world.destroy(cid)
    expect(short(likes.read())).toEqual([ann])
    const child = world.spawn(ChildOf(bob))
    world.destroy(bob)
    expect(short(children.read())).toEqual([-child])
  })

  it('of an object is listed once its value has been disposed of', () => {
    const order: string[] = []
    const Sprite = object<{ n: number }>('Sprite', { dispose: ({ n }) => order.push(`dispose ${n}`) })
    const world = readingWorld()
    const lost = createRemovalReader(world, Sprite)
    const a = world.spawn(Sprite({ n: 1 }))
    world.set(a, Sprite, { n: 2 })
    expect(lost.read()).toEqual([])
    world.remove(a, Sprite)
    expect(order).toEqual(['dispose 1', 'dispose 2'])
    expect(short(lost.read())).toEqual([a])
  })

  it('is not listed when the change could not be made', () => {
    const world = readingWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const Large = component('Large', { v: u32 })
    const lost = createRemovalReader(world, Health)
    const Rest = Array.from({ length: 40 }, (_, i) => component(`R${i}`, { x: f32 }))
    const e = world.spawn(Health, ...Rest)
    leaveFree(world, 0)
    expect(() => world.remove(e, Health, Large)).toThrow(LimitError)
    expect(world.has(e, Health)).toBe(true)
    expect(lost.read()).toEqual([])
  })

  it('is listed even for a handle that is spawned again under its old name', () => {
    const world = readingWorld()
    const lost = createRemovalReader(world, Health)
    const a = world.spawn(Health)
    world.destroy(a)
    spawnAt(world, a, Health)
    world.remove(a, Health)
    expect(short(lost.read())).toEqual([-a, a])
  })
})

describe('many removals', () => {
  it.each(SEGMENT_EDGES)('%i of them are listed, in order, and the memory for them is freed', (count) => {
    const world = readingWorld()
    const lost = createRemovalReader(world, Health)
    for (let round = 0; round < 2; round++) {
      const entities = [...spawnMany(world, count, [Health])]
      destroyMany(world, entities.slice(0, 7))
      checkInvariants(world)
      destroyMany(world, entities)
      expect(short(lost.read())).toEqual(entities.map((e) => -e))
      expect(lost.missed).toBe(0)
    }
    const used = world.stats().bytesUsed
    lost.dispose()
    expect(world.stats().bytesUsed).toBeLessThan(used)
  })

  it('that are never taken are kept up to a limit, and the rest are counted', () => {
    const world = testWorld()
    const lost = createRemovalReader(world, Marked)
    const entities = spawnMany(world, 2 ** 18, [Marked])
    for (let round = 0; round < 5; round++) {
      removeMany(world.query(), Marked)
      addMany(world.query(), Marked)
    }
    const taken = lost.read()
    expect([taken.length, lost.missed]).toEqual([MOST, 5 * entities.length - MOST])
    world.remove(entities[0], Marked)
    expect(short(lost.read())).toEqual([entities[0]])
    expect(lost.missed).toBe(0)
    world.dispose()
  })

  it('for which there is no memory are counted, and still happen', () => {
    const world = readingWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const entities = [...spawnMany(world, 1000, [Marked])]
    // Then the way there and back needs no memory: the chunks change hands.
    removeMany(world.query(), Marked)
    addMany(world.query(), Marked)
    const lost = createRemovalReader(world, Marked)
    leaveFree(world, 0)
    expect(removeMany(world.query(Marked), Marked)).toBe(1000)
    expect(short(lost.read())).toEqual(entities.slice(0, 63))
    expect(lost.missed).toBe(1000 - 63)
    expect(lost.read()).toEqual([])
    expect(lost.missed).toBe(0)
  })
})

describe('time travel', () => {
  it('after a restore a reader lists again what it would have listed then', () => {
    const world = readingWorld()
    const [a, b, c] = [world.spawn(Health), world.spawn(Health), world.spawn(Health)]
    const lost = createRemovalReader(world, Health)
    world.remove(a, Health)
    const before = snapshotWorld(world)
    world.destroy(b)
    expect(short(lost.read())).toEqual([a, -b])
    restoreWorld(world, before)
    world.destroy(c)
    expect(short(lost.read())).toEqual([a, -c])
    restoreWorld(world, before)
    expect(short(lost.read())).toEqual([a])
  })

  it('a reader created after a snapshot is empty after its restore, and goes on', () => {
    const world = readingWorld()
    const [a, b] = [world.spawn(Health), world.spawn(Health)]
    const before = snapshotWorld(world)
    const lost = createRemovalReader(world, Health)
    world.destroy(a)
    restoreWorld(world, before)
    expect(lost.read()).toEqual([])
    world.destroy(b)
    expect(short(lost.read())).toEqual([-b])
  })

  it('a history keeps the state of its readers, with many removals and few', () => {
    const world = readingWorld()
    const lost = createRemovalReader(world, Health)
    const history = createHistory(world, { frames: 5 })
    const sizes = [3, 100, 2000, 0]
    const frames = sizes.map((size) => {
      history.save()
      const entities = [...spawnMany(world, size, [Health])]
      destroyMany(world, entities)
      return entities.map((e) => -e)
    })
    expect(short(lost.read())).toEqual(frames.flat())
    history.rewind(1)
    checkInvariants(world)
    expect(short(lost.read())).toEqual([...(frames[0] as number[]), ...(frames[1] as number[])])
  })

  it('a fork goes on with what the readers here have not taken, reader by reader', () => {
    const world = readingWorld()
    const [first, second] = [createRemovalReader(world, Health), createRemovalReader(world, Health)]
    const a = world.spawn(Health)
    world.destroy(a)
    first.read()
    const twin = forkWorld(world)
    const [ofTwin, other] = [createRemovalReader(twin, Health), createRemovalReader(twin, Health)]
    expect([short(ofTwin.read()), short(other.read())]).toEqual([[], [-a]])
    twin.destroy(twin.spawn(Health))
    expect([ofTwin.read().length, short(second.read())]).toEqual([1, [-a]])
    checkInvariants(twin)
  })

  it('a replica that takes over snapshots has the removals of their world', () => {
    const leader = readingWorld()
    const replica = readingWorld()
    const [there, here] = [createRemovalReader(leader, Health), createRemovalReader(replica, Health)]
    const a = leader.spawn(Health)
    leader.remove(a, Health)
    restoreWorld(replica, snapshotWorld(leader))
    expect(short(here.read())).toEqual([a])
    expect(short(there.read())).toEqual([a])
    expect(digestWorld(replica)).toBe(digestWorld(leader))
  })

  it('a digest, a save and the counts of a world are the same with readers and without', () => {
    const [plain, read] = [readingWorld(), readingWorld()]
    createRemovalReader(read, Health)
    for (const world of [plain, read]) {
      const [a] = [world.spawn(Health({ hp: 1 })), world.spawn(Health)]
      world.destroy(a)
    }
    expect(digestWorld(read)).toBe(digestWorld(plain))
    expect(read.stats().components).toBe(plain.stats().components)
    expect(read.components()).toEqual(plain.components())
  })

  it('a reset leaves nothing to list, and readers go on', () => {
    const world = readingWorld()
    const lost = createRemovalReader(world, Health)
    world.destroy(world.spawn(Health))
    world.spawn(Health)
    resetWorld(world)
    expect(lost.read()).toEqual([])
    const a = world.spawn(Health)
    world.destroy(a)
    expect(short(lost.read())).toEqual([-a])
  })
})

describe('the end of a reader', () => {
  it('frees its memory, and it lists nothing from then on', () => {
    const world = readingWorld()
    const lost = createRemovalReader(world, Health)
    const other = createRemovalReader(world, Health)
    destroyMany(world, spawnMany(world, 5000, [Health]))
    const used = world.stats().bytesUsed
    lost.dispose()
    lost.dispose()
    expect(lost.read()).toEqual([])
    expect(world.stats().bytesUsed).toBeLessThan(used)
    const a = world.spawn(Health)
    world.destroy(a)
    expect(lost.read()).toEqual([])
    expect(other.read()).toHaveLength(5001)
    // Its place is free: a new one begins empty.
    expect(createRemovalReader(world, Health).read()).toEqual([])
  })

  it('makes changes as cheap as before: nothing is watched', () => {
    const world = readingWorld()
    const watching = () => (world as unknown as { state: { watching: number } }).state.watching
    const before = watching()
    const lost = createRemovalReader(world, Health)
    expect(watching()).not.toBe(before)
    lost.dispose()
    expect(watching()).toBe(before)
  })
})

describe('what is refused', () => {
  it.each([undefined, null, 5, 'Health', {}, [Health]])(
    'a reader of anything but a component: %s',
    (wrong) => {
      const world = readingWorld()
      expect(() => createRemovalReader(world, wrong as never)).toThrow(StrataTypeError)
      expect(() => createRemovalReader(world, wrong as never)).toThrow(/^createRemovalReader takes/)
    },
  )
})

describe('any script', () => {
  const kinds = KINDS.map((kind) => declare(`Of ${kind}`, kind))

  it('leaves each reader with the removals of a plain list', () => {
    const step = fc.tuple(fc.nat(11), fc.nat(), fc.nat())
    const property = fc.property(fc.array(step, { minLength: 10, maxLength: 200, size: 'max' }), (script) => {
      const world = testWorld(SMALL)
      const living = new Map<Entity, Set<number>>()
      let readers = kinds.map((kind) => [createRemovalReader(world, kind), createRemovalReader(world, kind)])
      let expected = kinds.map((): number[][] => [[], []])
      const note = (k: number, told: number) => expected[k]?.forEach((list) => list.push(told))
      let kept: (() => void) | undefined
      for (const [kind, a, b] of script) {
        const entity = [...living.keys()][a % (living.size || 1)]
        const k = b % kinds.length
        const C = kinds[k] as (typeof kinds)[number]
        if (kind < 3 || entity === undefined) {
          const chosen = kinds.map((_, i) => i).filter((i) => (b >> i) & 1)
          living.set(world.spawn(...(chosen.map((i) => kinds[i]) as never[])), new Set(chosen))
        } else if (kind < 5) {
          if (living.get(entity)?.delete(k)) note(k, entity)
          world.remove(entity, C)
        } else if (kind === 5) {
          world.add(entity, C)
          living.get(entity)?.add(k)
        } else if (kind < 8) {
          for (const i of [...(living.get(entity) as Set<number>)].sort()) note(i, -entity)
          living.delete(entity)
          world.destroy(entity)
        } else if (kind === 8) {
          const reader = readers[k]?.[a % 2]
          expect(short(reader?.read() ?? [])).toEqual(expected[k]?.[a % 2])
          const lists = expected[k] as number[][]
          lists[a % 2] = []
        } else if (kind === 9) {
          const taken = snapshotWorld(world)
          const then = [...living].map(([e, set]) => [e, new Set(set)] as const)
          const lists = expected.map((pair) => pair.map((list) => [...list]))
          kept = () => {
            restoreWorld(world, taken)
            living.clear()
            for (const [e, set] of then) living.set(e, new Set(set))
            expected = lists.map((pair) => pair.map((list) => [...list]))
          }
        } else if (kind === 10) kept?.()
        else if (readers.length > 0) {
          readers[k]?.[1]?.dispose()
          const [first] = readers[k] as [(typeof readers)[number][number]]
          readers = readers.map((pair, i) => (i === k ? [first, createRemovalReader(world, C)] : pair))
          const lists = expected[k] as number[][]
          lists[1] = []
          // Before it the place of the new reader was another one's.
          kept = undefined
        }
        checkInvariants(world, 'tables')
      }
      readers.forEach((pair, k) =>
        pair.forEach((reader, i) => expect(short(reader.read())).toEqual(expected[k]?.[i])),
      )
      checkInvariants(world)
    })
    fc.assert(property, { seed: 20_261_124, numRuns: proofLength(100) })
  })
})

it('A reader that is disposed of in a loop leaves the loop and its chunks as they are', () => {
  const world = readingWorld(SMALL)
  const reader = createRemovalReader(world, Health)
  for (let i = 0; i < 10; i++) world.spawn(Health({ hp: 1 }), tag(`Own ${i}`))
  const query = world.query(Health)
  for (const chunk of query) chunk.write(Health)
  let rows = 0
  for (const chunk of query) {
    if (rows === 0) reader.dispose()
    query.first()
    chunk.write(Health).hp[chunk.start]! += 1
    rows += chunk.end - chunk.start
  }
  expect(rows).toBe(10)
})

it('A reader of removals frees its memory when they are taken, except for what a few need', () => {
  const world = readingWorld()
  const everyone = spawnMany(world, 2 ** 17, [Marked])
  removeMany(world.query(), Marked)
  addMany(world.query(), Marked)
  const lost = createRemovalReader(world, Marked)
  const before = world.stats().bytesUsed
  removeMany(world.query(), Marked)
  expect(world.stats().bytesUsed - before).toBeGreaterThan(2 ** 20)
  expect(lost.read().length).toBe(everyone.length)
  expect(world.stats().bytesUsed - before).toBeLessThan(2 ** 15)
})

it('Removals for whose count there is no memory are missing from the next take, but from no later one', () => {
  const world = readingWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
  const entities = [...spawnMany(world, 20, [Marked])]
  // Then the way there needs no memory.
  world.remove(entities[0], Marked)
  const lost = world.batch(() => createRemovalReader(world, Marked))
  leaveFree(world, 0)
  withoutFreeObjects(world, () => entities.slice(1, 11).forEach((one) => world.remove(one, Marked)))
  expect([lost.read(), lost.missed]).toEqual([[], 10])
  expect([lost.read(), lost.missed]).toEqual([[], 0])
})
