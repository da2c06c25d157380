// Shows what a loop over a query visits, what waits for its end, and which views stay valid.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  component,
  destroyMany,
  f32,
  not,
  optional,
  removeMany,
  resetWorld,
  spawnMany,
  tag,
  u32,
  type Component,
  type Entity,
  type Ingredient,
  type World,
} from '../../bindings/index'
import { Armour, Frozen, Health, Position, Velocity } from '../support/kinds'
import { ROW_COUNTS } from '../support/rowCounts'
import { capacitiesOf, STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { isShared } from '../support/world'

const Unseen = component('Unseen', { value: f32 })

/** One component of a number in each storage. */
const NUMBERED = STORAGES.map((storage) => ({
  storage,
  Number: component('Number', { n: u32 }, { storage: STORED[storage] }),
}))

const cases = NUMBERED.flatMap(({ storage, Number }) => ROW_COUNTS.map((rows) => ({ storage, rows, Number })))

function spawnNumbered(world: World, Number: Component<{ n: typeof u32 }>, count: number): Entity[] {
  const spawned: Entity[] = []
  for (let n = 0; n < count; n++) spawned.push(world.spawn(Number({ n })))
  return spawned
}

type AnyNumber = Component<{ n: typeof u32 }>

describe('structural changes during a loop', () => {
  it.each(cases)(
    'every entity of $storage is visited once when each destroys itself ($rows rows)',
    ({ rows, Number }) => {
      const world = watchedWorld()
      const spawned = spawnNumbered(world, Number as AnyNumber, rows)
      const visited: number[] = []
      for (const chunk of world.query(Number)) {
        for (let i = chunk.start; i < chunk.end; i++) {
          const entity = chunk.entities[i]
          visited.push(entity)
          expect(world.destroy(entity)).toBe(true)
        }
      }
      expect(visited.sort(ascending)).toEqual(spawned.slice().sort(ascending))
      expect(world.stats().entities).toBe(0)
      expect(world.query(Number).count).toBe(0)
    },
  )

  it.each(cases)(
    'each visits every entity of $storage once when each destroys itself, and sees the values ($rows rows)',
    ({ rows, Number }) => {
      const world = watchedWorld()
      spawnNumbered(world, Number as AnyNumber, rows)
      const seen: number[] = []
      world.query(Number).each((entity, number) => {
        seen.push(number.n)
        world.destroy(entity)
      })
      expect(seen).toEqual(Array.from({ length: rows }, (_, n) => n))
      expect(world.stats().entities).toBe(0)
    },
  )

  it.each(cases)(
    'every entity of $storage is visited once when each loses the component ($rows rows)',
    ({ rows, Number }) => {
      const world = watchedWorld()
      const spawned = spawnNumbered(world, Number as AnyNumber, rows)
      let visits = 0
      world.query(Number).each((entity) => {
        visits++
        expect(world.remove(entity, Number)).toBe(true)
        expect(world.has(entity, Number)).toBe(true)
      })
      expect(visits).toBe(rows)
      expect(world.query(Number).isEmpty).toBe(true)
      expect(spawned.every((entity) => world.isAlive(entity) && !world.has(entity, Number))).toBe(true)
    },
  )

  it.each(NUMBERED)(
    'an entity destroyed ahead of the loop is still visited alive and dies at its end ($storage)',
    ({ Number }) => {
      const world = watchedWorld()
      const spawned = spawnNumbered(world, Number as AnyNumber, 500)
      const visited: Entity[] = []
      world.query(Number).each((entity, number) => {
        visited.push(entity)
        expect(world.isAlive(entity)).toBe(true)
        if (number.n < 499) world.destroy(spawned[number.n + 1])
      })
      expect(visited).toEqual(spawned)
      expect(spawned.filter((entity) => world.isAlive(entity))).toEqual([spawned[0]])
    },
  )

  it.each(NUMBERED)(
    'an entity destroyed before the current row moves no row of the loop ($storage)',
    ({ Number }) => {
      const world = watchedWorld()
      const spawned = spawnNumbered(world, Number as AnyNumber, 500)
      const seen: number[] = []
      world.query(Number).each((_, number) => {
        seen.push(number.n)
        if (number.n > 0) world.destroy(spawned[number.n - 1])
      })
      expect(seen).toEqual(Array.from({ length: 500 }, (_, n) => n))
      expect(world.query(Number).entities()).toEqual(Uint32Array.of(spawned[499]))
    },
  )

  it('calls that cannot wait are refused inside a loop with a code, and the loop goes on', () => {
    const world = watchedWorld()
    spawnNumbered(world, NUMBERED[0].Number as AnyNumber, 3)
    let visits = 0
    world.query(NUMBERED[0].Number).each(() => {
      visits++
      expect(() => resetWorld(world)).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
      expect(() => world.dispose()).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
    })
    expect(visits).toBe(3)
    resetWorld(world)
    expect(world.stats().entities).toBe(0)
  })

  it('new entities are not visited in the same pass, however they were made', () => {
    const world = watchedWorld()
    world.spawn(Position)
    const sleeping = world.spawn(Velocity)
    const query = world.query(Position)
    let visits = 0
    for (const chunk of query) {
      visits += chunk.end - chunk.start
      world.spawn(Position)
      world.spawn(Position, Frozen)
      spawnMany(world, 1_000, [Position, Velocity])
      world.add(sleeping, Position)
    }
    expect(visits).toBe(1)
    expect(query.count).toBe(1_004)
  })

  it('components added in a loop appear when it ends, including the values of columns', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position({ x: 1 }))
    for (const _ of world.query(Position)) {
      world.add(ship, Velocity({ x: 7 }), Frozen, Health({ hp: 3 }), Armour({ points: 4 }))
      expect(world.has(ship, Velocity)).toBe(false)
      expect(world.get(ship, Health)).toBeUndefined()
    }
    expect(world.get(ship, Velocity)).toEqual({ x: 7, y: 0 })
    expect(world.get(ship, Health)).toEqual({ hp: 3 })
    expect(world.get(ship, Armour)).toEqual({ points: 4 })
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('set on an existing component writes at once, even inside a loop', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position({ x: 1 }), Health({ hp: 1 }))
    for (const chunk of world.query(Position)) {
      world.set(ship, Position, { x: 5 })
      world.set(ship, Health, { hp: 6 })
      expect(chunk.read(Position).x[chunk.start]).toBe(5)
      expect(world.get(ship, Health)).toEqual({ hp: 6 })
    }
  })
})

describe('ways out of a loop', () => {
  function open(): { world: World; ship: Entity } {
    const world = watchedWorld()
    return { world, ship: world.spawn(Position({ x: 1 })) }
  }

  it('break applies what was queued and lets the next loop start fresh', () => {
    const { world, ship } = open()
    world.spawn(Position, Velocity)
    const query = world.query(Position)
    for (const _ of query) {
      world.add(ship, Frozen)
      break
    }
    expect(world.has(ship, Frozen)).toBe(true)
    let rows = 0
    for (const chunk of query) rows += chunk.end - chunk.start
    expect(rows).toBe(2)
  })

  it('return applies what was queued, too', () => {
    const { world, ship } = open()
    const leave = (): string => {
      for (const _ of world.query(Position)) {
        world.add(ship, Frozen)
        return 'left'
      }
      return 'finished'
    }
    expect(leave()).toBe('left')
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('a throw applies what was queued, and its error is thrown', () => {
    const { world, ship } = open()
    const error = new Error('mine')
    expect(() => {
      for (const _ of world.query(Position)) {
        world.add(ship, Frozen)
        throw error
      }
    }).toThrow(error)
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('a throw out of each, count, first and spawnMany leaves no lock behind', () => {
    const { world, ship } = open()
    const boom = (): never => {
      throw new Error('boom')
    }
    expect(() => world.query(Position).each(boom)).toThrow('boom')
    expect(() => spawnMany(world, 2, [Position], boom)).toThrow('boom')
    expect(() => world.batch(boom)).toThrow('boom')
    world.add(ship, Frozen)
    expect(world.has(ship, Frozen)).toBe(true)
    resetWorld(world)
  })

  it('continue to an outer label closes the inner loop only', () => {
    const { world, ship } = open()
    world.spawn(Position, Velocity)
    let passes = 0
    outer: for (const _ of world.query(Position)) {
      passes++
      for (const _ of world.query(Position)) {
        world.add(ship, Frozen)
        continue outer
      }
    }
    expect(passes).toBe(2)
    expect(world.has(ship, Frozen)).toBe(true)
  })

  it('an iterator driven by hand locks the world until it is returned or finished', () => {
    const { world, ship } = open()
    const iterator = world.query(Position)[Symbol.iterator]()
    expect(iterator.next().done).toBe(false)
    world.add(ship, Frozen)
    expect(world.has(ship, Frozen)).toBe(false)
    expect(iterator.next().done).toBe(true)
    expect(world.has(ship, Frozen)).toBe(true)
    expect(iterator.next().done).toBe(true)
    expect(iterator.return?.().done).toBe(true)
    world.remove(ship, Frozen)
    expect(world.has(ship, Frozen)).toBe(false)
  })

  it('spreading a query visits each run once', () => {
    const { world } = open()
    expect([...world.query(Position)]).toHaveLength(1)
    expect(Array.from(world.query(Position), (chunk) => chunk.end - chunk.start)).toEqual([1])
  })
})

describe('nothing to visit', () => {
  it('an empty world, a query without a match, a component the world never met: no visit, no error', () => {
    const world = watchedWorld()
    for (const query of [
      world.query(),
      world.query(Position),
      world.query(Health),
      world.query(Armour),
      world.query(Frozen),
      world.query(Position, Health, not(Frozen), optional(Unseen)),
    ]) {
      let visits = 0
      for (const _ of query) visits++
      query.each(() => visits++)
      expect(visits).toBe(0)
      expect(query.count).toBe(0)
      expect(query.isEmpty).toBe(true)
      expect(query.first()).toBeUndefined()
      expect(query.entities()).toEqual(new Uint32Array(0))
      expect(destroyMany(query)).toBe(0)
      expect(addMany(query, Frozen)).toBe(0)
      expect(removeMany(query, Frozen)).toBe(0)
    }
    world.spawn(Velocity)
    for (const _ of world.query(Position)) expect.unreachable()
    for (const _ of world.query(Unseen)) expect.unreachable()
  })

  it('archetypes that lost their last entity are skipped', () => {
    const world = watchedWorld()
    for (const ship of [world.spawn(Position), world.spawn(Position, Frozen)]) world.destroy(ship)
    world.spawn(Position, Velocity)
    let steps = 0
    for (const chunk of world.query(Position)) {
      steps++
      expect(chunk.end - chunk.start).toBe(1)
    }
    expect(steps).toBe(1)
  })
})

describe('order', () => {
  it.each(NUMBERED)(
    'rows stay in the order of insertion until a removal; then the last one fills the hole ($storage)',
    ({ Number, storage }) => {
      const world = watchedWorld()
      const spawned = spawnNumbered(world, Number as AnyNumber, 10)
      const order = () => {
        const seen: number[] = []
        world.query(Number).each((_, number) => {
          seen.push(number.n)
        })
        return seen
      }
      expect(order()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      world.destroy(spawned[3])
      // A stable pool keeps every row where it is.
      expect(order()).toEqual(
        storage === 'stable' ? [0, 1, 2, 4, 5, 6, 7, 8, 9] : [0, 1, 2, 9, 4, 5, 6, 7, 8],
      )
      world.destroy(spawned[8])
      expect(order()).toEqual(storage === 'stable' ? [0, 1, 2, 4, 5, 6, 7, 9] : [0, 1, 2, 9, 4, 5, 6, 7])
    },
  )
})

describe('memory under a loop', () => {
  it.each([
    ['a loop', (world: World, spawn: () => void) => loopOnce(world, spawn)],
    ['a loop inside a batch', (world: World, spawn: () => void) => world.batch(() => loopOnce(world, spawn))],
  ])(
    'views held inside %s stay valid while 1,000,000 entities are spawned; after it they are detached, unless memory is shared',
    (_, run) => {
      const world = watchedWorld({ memory: { initial: 2 ** 20 } })
      const ship = world.spawn(Position({ x: 3, y: 4 }), Velocity)
      const handles = new Uint32Array(1_000_000)
      let xs: Float32Array = new Float32Array(1)
      run(world, () => {
        for (const chunk of world.query(Position)) {
          xs = chunk.write(Position).x
          const bytes = xs.buffer.byteLength
          const heap = chunk.heap.f32
          for (let i = 0; i < handles.length; i++) handles[i] = world.spawn(Position, Frozen)
          expect(xs.buffer.byteLength).toBe(bytes)
          expect(chunk.heap.f32).toBe(heap)
          xs[chunk.start] += 1
          expect(world.get(ship, Position)).toEqual({ x: 4, y: 4 })
          for (let i = 0; i < handles.length; i += 9_999) expect(world.isAlive(handles[i])).toBe(true)
          expect(world.isAlive(handles[999_999])).toBe(true)
          expect(world.has(handles[999_999], Position)).toBe(false)
          expect(world.get(handles[999_999], Position)).toBeUndefined()
          break
        }
      })
      // A shared memory that grows leaves every view as it was.
      expect(xs.length > 0).toBe(isShared)
      expect(new Set(handles).size).toBe(handles.length)
      expect(world.stats().entities).toBe(1_000_001)
      expect(world.query(Position, Frozen).count).toBe(1_000_000)
      expect(handles.every((handle) => world.isAlive(handle))).toBe(true)
      expect(world.get(ship, Position)).toEqual({ x: 4, y: 4 })
    },
  )

  it('handles promised beyond the records take commands like any other', () => {
    const world = watchedWorld()
    world.spawn(Position)
    const kept: Entity[] = []
    const doomed: Entity[] = []
    for (const _ of world.query(Position)) {
      for (let i = 0; i < 50_000; i++) {
        kept.push(world.spawn(Position({ x: i })))
        doomed.push(world.spawn(Position, Velocity))
      }
      for (const ship of kept) world.add(ship, Health({ hp: 2 }), Frozen)
      for (const ship of doomed) expect(world.destroy(ship)).toBe(true)
      expect(world.isAlive(kept[49_999] + doomed.length * 4)).toBe(false)
    }
    expect(world.query(Frozen, Health).count).toBe(50_000)
    expect(doomed.some((ship) => world.isAlive(ship))).toBe(false)
    expect(world.get(kept[777], Position)).toEqual({ x: 777, y: 0 })
    expect(world.get(kept[777], Health)).toEqual({ hp: 2 })
    expect(world.stats().entities).toBe(50_001)
  })

  it('promised handles are counted in stats while the loop is open and no later spawn returns one again', () => {
    const world = watchedWorld()
    world.spawn(Position)
    const promised: Entity[] = []
    world.batch(() => {
      for (let i = 0; i < 100_000; i++) promised.push(world.spawn())
      expect(world.stats().entities).toBe(100_001)
    })
    const later = Array.from({ length: 1_000 }, () => world.spawn())
    expect(new Set([...promised, ...later]).size).toBe(101_000)
    expect(world.query().count).toBe(101_001)
  })

  it('memory that a loop could not get is a LimitError at its end, and the world goes on', () => {
    const world = watchedWorld({ memory: { maximum: 4 * 2 ** 20 } })
    const ship = world.spawn(Position({ x: 1 }))
    const promised: Entity[] = []
    expect(() =>
      world.batch(() => {
        for (let i = 0; i < 500_000; i++) promised.push(world.spawn(Position, Velocity))
      }),
    ).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT' }))
    const alive = promised.filter((handle) => world.isAlive(handle))
    expect(world.stats().entities).toBe(alive.length + 1)
    expect(world.query().count).toBe(alive.length + 1)
    expect(world.query(Position, Velocity).count).toBe(alive.length)
    expect(world.get(ship, Position)).toEqual({ x: 1, y: 0 })
    destroyMany(world.query(Velocity))
    expect(world.isAlive(world.spawn(Position, Velocity))).toBe(true)
  })

  it('arrays of an earlier loop are fetched again after memory grew between two loops', () => {
    const world = watchedWorld()
    world.spawn(Position({ x: 1 }))
    const query = world.query(Position)
    for (const chunk of query) expect(chunk.read(Position).x[0]).toBe(1)
    spawnMany(world, 200_000, [Velocity])
    for (const chunk of query) {
      expect(chunk.read(Position).x.length).toBeGreaterThan(0)
      expect(chunk.entities.length).toBe(chunk.read(Position).x.length)
      expect(chunk.read(Position).x[0]).toBe(1)
      chunk.write(Position).y[0] = 2
    }
    expect(world.get(world.query(Position).single(), Position)).toEqual({ x: 1, y: 2 })
  })
})

describe('count', () => {
  it('is exact for every mixture of storages', () => {
    const world = watchedWorld()
    for (let i = 0; i < 1_000; i++) {
      const parts: Ingredient[] = [Position]
      if (i % 2 === 0) parts.push(Health)
      if (i % 3 === 0) parts.push(Armour)
      if (i % 5 === 0) parts.push(Frozen)
      world.spawn(...parts)
    }
    expect(world.query(Position).count).toBe(1_000)
    expect(world.query(Health).count).toBe(500)
    expect(world.query(Armour).count).toBe(334)
    expect(world.query(Position, Health, Armour).count).toBe(167)
    expect(world.query(Health, Armour, not(Frozen)).count).toBe(133)
    expect(world.query(Position, not(Health)).count).toBe(500)
    expect(world.query(Frozen).count).toBe(200)
  })
})

describe('several loops at once', () => {
  it("nested loops of one query are independent and see each other's writes", () => {
    const world = watchedWorld()
    const { first, full } = capacitiesOf(Position)
    const count = first + full + 1
    for (let i = 0; i < count; i++) world.spawn(Position)
    const query = world.query(Position)
    let pairs = 0
    for (const outer of query) {
      const mine = outer.write(Position).x
      for (const inner of query) {
        pairs += (outer.end - outer.start) * (inner.end - inner.start)
        inner.write(Position).x[inner.start] += 1
        for (const innermost of query) expect(innermost.end).toBeGreaterThan(0)
      }
      expect(mine[outer.start]).toBeGreaterThan(0)
    }
    expect(pairs).toBe(count * count)
  })

  it('changes wait for the outermost loop, whichever loops close before it', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position)
    world.spawn(Position, Velocity)
    const query = world.query(Position)
    for (const _ of query) {
      query.each((entity) => {
        world.add(entity, Frozen)
      })
      for (const _ of query) break
      expect(query.count + query.entities().length).toBe(4)
      query.first()
      world.batch(() => world.add(ship, Health))
      expect(world.has(ship, Frozen)).toBe(false)
      expect(world.has(ship, Health)).toBe(false)
    }
    expect(world.query(Position, Frozen).count).toBe(2)
    expect(world.has(ship, Health)).toBe(true)
  })

  it('nested calls of each over the same query have cursors of their own', () => {
    const world = watchedWorld()
    for (let i = 0; i < 20; i++) world.spawn(Position({ x: i }), Health({ hp: i }))
    let sum = 0
    const query = world.query(Position, Health)
    query.each((_, a, healthA) => {
      query.each((_, b, healthB) => {
        sum += a.x * b.x - healthA.hp * healthB.hp
      })
    })
    expect(sum).toBe(0)
  })

  it('a query first made inside a loop finds existing entities, and later all new ones', () => {
    const world = watchedWorld()
    world.spawn(Position, Velocity)
    world.spawn(Position, Health)
    let made = 0
    for (const _ of world.query(Position)) {
      const inside = world.query(Velocity, not(Frozen))
      const pool = world.query(Health)
      const unknown = world.query(Unseen)
      const everything = world.query(optional(Unseen))
      made += inside.count + pool.count + unknown.count
      for (const chunk of inside) expect(chunk.read(Velocity).x[chunk.start]).toBe(0)
      expect(everything.count).toBe(2)
    }
    expect(made).toBe(4)
    world.spawn(Velocity, Unseen)
    expect(world.query(Velocity, not(Frozen)).count).toBe(2)
    expect(world.query(Unseen).count).toBe(1)
    expect(world.query(optional(Unseen)).count).toBe(3)
  })

  it('a query only ever used inside loops sees archetypes that were made between them', () => {
    const world = watchedWorld()
    world.spawn(Position, Velocity)
    const outer = world.query(Position)
    for (const _ of outer) expect(world.query(Velocity).count).toBe(1)
    world.spawn(Velocity, Frozen)
    for (const _ of outer) expect(world.query(Velocity).count).toBe(2)
    world.spawn(Velocity, Unseen)
    for (const _ of outer) {
      let rows = 0
      world.query(Velocity).each(() => {
        rows++
      })
      expect(rows).toBe(3)
    }
  })

  it('a query first made inside a loop over 10,000 archetypes finds them all', () => {
    const world = watchedWorld()
    const tags = Array.from({ length: 14 }, (_, i) => tag(`Bit${i}`))
    for (let bits = 0; bits < 10_000; bits++) world.spawn(Position, ...tags.filter((_, i) => bits & (1 << i)))
    const Start = tag('Start')
    world.spawn(Start)
    for (const _ of world.query(Start)) {
      expect(world.query(Position).count).toBe(10_000)
      expect(world.query(Position, tags[0]).count).toBe(5_000)
      expect(world.query(tags[1], not(tags[0])).count).toBe(2_500)
    }
  })
})

function loopOnce(world: World, body: () => void): void {
  for (const _ of world.query(Velocity)) body()
}

function ascending(a: number, b: number): number {
  return a - b
}
