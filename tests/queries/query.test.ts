// Shows which entities a query finds, over every mixture of storages, and how their data is reached. Expectations come from a
// list of what was spawned.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  any,
  component,
  destroyMany,
  f32,
  f64,
  i16,
  not,
  optional,
  sparse,
  spawnMany,
  tag,
  u16,
  u8,
  vec,
  type ComponentLike,
  type Entity,
  type Query,
  type Term,
  type World,
} from '../../bindings/index'
import { Armour, Frozen, Health, Position, Velocity } from '../support/kinds'
import { capacitiesOf, seededRandom, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Mixed = component('Mixed', { small: u8, wide: f64, middle: i16, m: vec(f32, 3) })
const Shield = component('Shield', { power: u16 }, { storage: sparse })
const Marker = component('Marker', {})

const KINDS: readonly ComponentLike[] = [Position, Velocity, Health, Shield, Armour, Frozen]

interface Spawned {
  readonly entity: Entity
  readonly has: ReadonlySet<ComponentLike>
}

/** `copies` entities with each of the 64 mixtures of KINDS. */
function spawnMixtures(world: World, copies: number): Spawned[] {
  const all: Spawned[] = []
  for (let copy = 0; copy < copies; copy++) {
    for (let bits = 0; bits < 1 << KINDS.length; bits++) {
      const parts = KINDS.filter((_, i) => bits & (1 << i))
      all.push({ entity: world.spawn(...parts), has: new Set(parts) })
    }
  }
  return all
}

interface Wanted {
  readonly required?: readonly ComponentLike[]
  readonly excluded?: readonly ComponentLike[]
  readonly optionals?: readonly ComponentLike[]
  readonly groups?: readonly (readonly ComponentLike[])[]
}

function termsOf({ required = [], excluded = [], optionals = [], groups = [] }: Wanted): Term[] {
  return [
    ...required,
    ...excluded.map((one) => not(one)),
    ...optionals.map((one) => optional(one)),
    ...groups.map((group) => any(...(group as [ComponentLike, ...ComponentLike[]]))),
  ]
}

function matching(all: readonly Spawned[], { required = [], excluded = [], groups = [] }: Wanted): number[] {
  return all
    .filter(({ has }) => required.every((one) => has.has(one)))
    .filter(({ has }) => !excluded.some((one) => has.has(one)))
    .filter(({ has }) => groups.every((group) => group.some((one) => has.has(one))))
    .map(({ entity }) => entity)
    .sort((a, b) => a - b)
}

/** Every way to ask a query gives exactly these entities, each once. */
function expectFinds(query: Query, wanted: readonly number[]): void {
  const walked: number[] = []
  for (const chunk of query) {
    expect(chunk.start).toBeLessThan(chunk.end)
    for (let i = chunk.start; i < chunk.end; i++) walked.push(chunk.entities[i])
  }
  expect(walked.slice().sort((a, b) => a - b)).toEqual(wanted)
  const called: number[] = []
  query.each((entity) => {
    called.push(entity)
  })
  expect(called).toEqual(walked)
  expect(Array.from(query.entities())).toEqual(walked)
  expect(query.count).toBe(wanted.length)
  expect(query.isEmpty).toBe(wanted.length === 0)
  expect(query.first()).toBe(walked[0])
}

/** Every assignment of a role to each of KINDS: 4^6 queries, and groups of alternatives apart. */
function everyRole(): Wanted[] {
  const wanted: Wanted[] = []
  for (let code = 0; code < 4 ** KINDS.length; code++) {
    const role = (i: number) => Math.floor(code / 4 ** i) % 4
    const of = (number: number) => KINDS.filter((_, i) => role(i) === number)
    wanted.push({ required: of(1), excluded: of(2), optionals: of(3) })
  }
  return wanted
}

const GROUPED: Wanted[] = KINDS.flatMap((one, i) =>
  KINDS.slice(i + 1).flatMap((other) => {
    const rest = KINDS.filter((kind) => kind !== one && kind !== other)
    return [
      { groups: [[one, other]] },
      ...rest.flatMap((third) => [
        { required: [third], groups: [[one, other]] },
        { excluded: [third], groups: [[one, other]] },
        { optionals: [third], groups: [[one, other]] },
        ...rest
          .filter((fourth) => fourth !== third)
          .map((fourth) => ({
            groups: [
              [one, other],
              [third, fourth],
            ],
          })),
      ]),
    ]
  }),
)

describe('which entities match', () => {
  it('a query of A and B finds exactly the entities having both, over all archetypes and storages', () => {
    const world = watchedWorld()
    const all = spawnMixtures(world, 3)
    for (const a of KINDS) {
      for (const b of KINDS) {
        if (a !== b) expectFinds(world.query(a, b), matching(all, { required: [a, b] }))
      }
    }
  })

  it('every role of six components in three storages: 4,096 queries against the list', () => {
    const world = watchedWorld()
    const all = spawnMixtures(world, 2)
    for (const wanted of everyRole()) expectFinds(world.query(...termsOf(wanted)), matching(all, wanted))
  })

  it('membership follows when a component is added and removed', () => {
    const world = watchedWorld()
    for (const a of KINDS) {
      for (const b of KINDS.filter((kind) => kind !== a)) {
        const query = world.query(a, not(b))
        const entity = world.spawn(a)
        expectFinds(query, [entity])
        world.add(entity, b)
        expectFinds(query, [])
        world.remove(entity, b)
        expectFinds(query, [entity])
        world.remove(entity, a)
        expectFinds(query, [])
        world.destroy(entity)
      }
    }
  })

  it('any of two finds each entity once even when it has both', () => {
    const world = watchedWorld()
    const all = spawnMixtures(world, 2)
    for (const wanted of GROUPED) expectFinds(world.query(...termsOf(wanted)), matching(all, wanted))
  })

  it('any of one component equals that component; any of all finds everything that has one', () => {
    const world = watchedWorld()
    const all = spawnMixtures(world, 1)
    expectFinds(world.query(any(Health)), matching(all, { required: [Health] }))
    const group = [Position, Velocity, Health, Shield, Armour, Frozen] as const
    expectFinds(world.query(any(...group)), matching(all, { groups: [KINDS] }))
  })

  it('a query of only not() finds all other entities, including empty ones', () => {
    const world = watchedWorld()
    const all = spawnMixtures(world, 2)
    for (const kind of KINDS) expectFinds(world.query(not(kind)), matching(all, { excluded: [kind] }))
    expectFinds(world.query(...KINDS.map((kind) => not(kind))), matching(all, { excluded: KINDS }))
    expectFinds(world.query(), matching(all, {}))
    expectFinds(world.query(optional(Health), optional(Frozen)), matching(all, {}))
  })

  it('a query made before the entities, after them, or first inside a loop finds the same entities', () => {
    const worlds = Array.from({ length: 3 }, () => watchedWorld())
    const some = [...everyRole().filter((_, i) => i % 41 === 0), ...GROUPED.filter((_, i) => i % 17 === 0)]
    const early = some.map((wanted) => worlds[0].query(...termsOf(wanted)))
    const all = worlds.map((world) => spawnMixtures(world, 2))
    some.forEach((wanted, i) => {
      expectFinds(early[i], matching(all[0], wanted))
      expectFinds(worlds[1].query(...termsOf(wanted)), matching(all[1], wanted))
    })
    worlds[2].batch(() => {
      for (const wanted of some) expectFinds(worlds[2].query(...termsOf(wanted)), matching(all[2], wanted))
    })
    for (const wanted of some) expectFinds(worlds[2].query(...termsOf(wanted)), matching(all[2], wanted))
  })

  it('a query stays right through random changes', () => {
    const world = watchedWorld()
    const random = seededRandom(7)
    const all = spawnMixtures(world, 4).map(({ entity, has }) => ({ entity, has: new Set(has) }))
    const some = [...everyRole().filter((_, i) => i % 97 === 0), ...GROUPED.filter((_, i) => i % 29 === 0)]
    const queries = some.map((wanted) => world.query(...termsOf(wanted)))
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 100; i++) {
        const one = all[Math.floor(random() * all.length)]
        const kind = KINDS[Math.floor(random() * KINDS.length)]
        if (one.has.delete(kind)) world.remove(one.entity, kind)
        else {
          one.has.add(kind)
          world.add(one.entity, kind)
        }
      }
      queries.forEach((query, i) => expectFinds(query, matching(all, some[i])))
    }
  })
})

describe('mixed storages', () => {
  it.each([1, 10, 1_000, 4_999, 5_000])(
    'a table term and a pool of %i among 5,000 rows find the same',
    (pooled) => {
      const world = watchedWorld()
      const step = 5_000 / pooled
      const wanted: Entity[] = []
      for (let i = 0; i < 5_000; i++) {
        const inPool = Math.floor(i / step) !== Math.floor((i - 1) / step)
        const entity = inPool
          ? world.spawn(Position({ x: i }), Health({ hp: i }))
          : world.spawn(Position({ x: i }), Velocity)
        if (inPool) wanted.push(entity)
      }
      const query = world.query(Position, Health)
      expectFinds(query as Query, wanted)
      query.each((_, position, health) => {
        expect(position.x).toBe(health.hp)
      })
      for (const chunk of query) {
        const { x } = chunk.read(Position)
        const health = chunk.cursor(Health)
        for (let i = chunk.start; i < chunk.end; i++) expect(health.at(i).hp).toBe(x[i])
      }
    },
  )

  it('a small pool drives the walk, and excluded, optional and other sparse terms still hold', () => {
    const world = watchedWorld()
    for (let i = 0; i < 10_000; i++) world.spawn(Position({ x: i }))
    const rare = Array.from({ length: 100 }, (_, i) => world.spawn(Position({ x: i }), Health({ hp: i })))
    rare.forEach((entity, i) => {
      if (i % 2) world.add(entity, Frozen)
      if (i % 3 === 0) world.add(entity, Shield({ power: i }))
      if (i % 5 === 0) world.add(entity, Armour)
    })
    for (const copy of Array.from({ length: 50 }, () => world.spawn(Health)))
      expect(world.has(copy, Position)).toBe(false)
    const those = (test: (i: number) => boolean) => rare.filter((_, i) => test(i)).sort((a, b) => a - b)
    expectFinds(
      world.query(Position, Health) as Query,
      those(() => true),
    )
    expectFinds(
      world.query(Position, Health, not(Frozen)) as Query,
      those((i) => i % 2 === 0),
    )
    expectFinds(
      world.query(Position, Health, Shield, not(Armour)) as Query,
      those((i) => i % 3 === 0 && i % 5 !== 0),
    )
    expectFinds(
      world.query(Position, Health, any(Frozen, Armour)) as Query,
      those((i) => i % 2 === 1 || i % 5 === 0),
    )
    let seen = 0
    world.query(Position, Health, optional(Shield)).each((_, position, health, shield) => {
      expect(health.hp).toBe(position.x)
      expect(shield?.power).toBe(position.x % 3 === 0 ? position.x : undefined)
      position.y = 1
      health.hp += 1
      seen++
    })
    expect(seen).toBe(100)
    expect(world.get(rare[99], Position)).toEqual({ x: 99, y: 1 })
    expect(world.get(rare[99], Health)).toEqual({ hp: 100 })
  })

  it('rows that match are given as the longest runs of each chunk', () => {
    const world = watchedWorld()
    const pattern = 'xxx..x....xx.'
    const rows = 3_000
    const { first, full } = capacitiesOf(Position)
    const matches = (i: number) => pattern[i % pattern.length] === 'x'
    for (let i = 0; i < rows; i++) {
      const entity = world.spawn(Position)
      if (matches(i)) world.add(entity, Health)
    }
    const expected: number[] = []
    let run = 0
    for (let i = 0; i <= rows; i++) {
      const border = i === first || i === first + full
      if (run > 0 && (i === rows || border || !matches(i))) {
        expected.push(run)
        run = 0
      }
      if (i < rows && matches(i)) run++
    }
    const runs = (query: Iterable<{ start: number; end: number }>) =>
      Array.from(query, (chunk) => chunk.end - chunk.start)
    expect(runs(world.query(Position, Health))).toEqual(expected)
  })

  it('holes of a stable pool are not part of any run', () => {
    const world = watchedWorld()
    const all = Array.from({ length: 1_000 }, (_, i) => world.spawn(Armour({ points: i })))
    const kept = all.filter((entity, i) => i % 7 !== 3 || !world.destroy(entity))
    expectFinds(world.query(Armour) as Query, kept)
    const seen: number[] = []
    for (const chunk of world.query(Armour)) {
      const { points } = chunk.read(Armour)
      for (let i = chunk.start; i < chunk.end; i++) seen.push(points[i])
    }
    expect(seen).toEqual(all.map((_, i) => i).filter((i) => i % 7 !== 3))
    const fresh = Array.from({ length: 200 }, () => world.spawn(Armour))
    expectFinds(
      world.query(Armour) as Query,
      [...kept, ...fresh].sort((a, b) => a - b),
    )
  })
})

describe('many component types', () => {
  it('ids beyond 64, 256 and 4,096 work as low ones do, in every storage', () => {
    const world = watchedWorld()
    for (const count of [60, 190, 3_850, 300]) {
      for (let i = 0; i < count; i++)
        world.spawn(
          component(`Filler${count} ${i}`, { n: u8 }, { storage: STORED[i % 2 ? 'sparse' : 'table'] }),
        )
      const High = component(`High${count}`, { n: u16 })
      const Pooled = component(`Pooled${count}`, { n: u16 }, { storage: sparse })
      const Flag = tag(`Flag${count}`)
      const both = world.spawn(High({ n: 1 }), Pooled({ n: 2 }), Flag)
      const one = world.spawn(High({ n: 3 }))
      expectFinds(world.query(High) as Query, [both, one])
      expectFinds(world.query(High, not(Flag)) as Query, [one])
      expectFinds(world.query(High, Pooled, Flag) as Query, [both])
      expectFinds(world.query(any(Pooled, Flag)) as Query, [both])
      expectFinds(world.query(High, not(Pooled)) as Query, [one])
      expect(world.get(both, Pooled)).toEqual({ n: 2 })
    }
    expect(world.stats().components).toBeGreaterThan(4_096)
  })

  it('a rare component is found among 10,000 archetypes', () => {
    const world = watchedWorld()
    const tags = Array.from({ length: 14 }, (_, i) => tag(`Bit${i}`))
    for (let bits = 0; bits < 10_000; bits++) world.spawn(...tags.filter((_, i) => bits & (1 << i)))
    const rare = world.spawn(Position, tags[3])
    expectFinds(world.query(Position, tags[3]) as Query, [rare])
    expect(world.query(tags[0], tags[1], tags[2]).count).toBe(1_250)
    expect(world.stats().archetypes).toBeGreaterThanOrEqual(10_000)
  })
})

describe('terms', () => {
  it('the same component twice is refused by name, whatever its roles', () => {
    const world = watchedWorld()
    const twice: Term[][] = [
      [Position, Position],
      [Position, not(Position)],
      [Health, optional(Health)],
      [any(Frozen, Frozen)],
    ]
    for (const terms of twice) {
      expect(() => world.query(...terms)).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }))
    }
    expect(() => world.query(Health, optional(Health))).toThrow(/Health/)
  })

  it('anything but a term is refused, even inside not, any and optional', () => {
    const world = watchedWorld()
    for (const wrong of [undefined, null, 3, 'Position', {}, () => 0, Position({ x: 1 })]) {
      for (const make of [
        (x: never) => world.query(x),
        (x: never) => not(x),
        (x: never) => optional(x),
        (x: never) => any(x),
      ]) {
        expect(() => make(wrong as never)).toThrow(expect.objectContaining({ code: 'NOT_A_COMPONENT' }))
      }
    }
    expect(() => any(...([] as unknown as [ComponentLike]))).toThrow(
      expect.objectContaining({ code: 'INVALID_QUERY' }),
    )
  })

  it('the order of terms changes the order of cursors and nothing else', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position({ x: 1 }), Velocity({ x: 2 }), Health({ hp: 3 }))
    world.query(Position, Velocity, Health).each((_, p, v, h) => expect([p.x, v.x, h.hp]).toEqual([1, 2, 3]))
    world.query(Health, Velocity, Position).each((_, h, v, p) => expect([p.x, v.x, h.hp]).toEqual([1, 2, 3]))
    expect(world.query(Velocity, Position).single()).toBe(ship)
  })

  it('one declaration serves many worlds, and each query stays in its own', () => {
    const [one, other] = [watchedWorld(), watchedWorld()]
    other.spawn(Velocity)
    const a = one.spawn(Position({ x: 1 }))
    const b = other.spawn(Position({ x: 2 }), Frozen)
    const [ofOne, ofOther] = [one.query(Position), other.query(Position)]
    expectFinds(ofOne as Query, [a])
    expectFinds(ofOther as Query, [b])
    for (const outer of ofOne) {
      for (const inner of ofOther) {
        expect(outer.read(Position).x[outer.start]).toBe(1)
        expect(inner.read(Position).x[inner.start]).toBe(2)
        other.add(b, Velocity)
      }
      // The loop over the other world is closed: it does not wait for this one.
      expect(other.has(b, Velocity)).toBe(true)
      break
    }
  })
})

describe('single entities', () => {
  it('single returns the only match and throws with the count otherwise', () => {
    const world = watchedWorld()
    const query = world.query(Position, not(Frozen))
    expect(() => query.single()).toThrow(expect.objectContaining({ code: 'NOT_SINGLE' }))
    expect(() => query.single()).toThrow(/0 entities/)
    const ship = world.spawn(Position)
    world.spawn(Position, Frozen)
    expect(query.single()).toBe(ship)
    world.spawn(Position, Health)
    expect(() => query.single()).toThrow(/2 entities.*Position.*not\(Frozen\)/)
  })

  it('entities returns a copy that later changes do not touch', () => {
    const world = watchedWorld()
    const ships = Array.from({ length: 3_000 }, () => world.spawn(Position))
    const copy = world.query(Position).entities()
    destroyMany(world.query(Position))
    spawnMany(world, 300_000, [Position])
    expect(Array.from(copy)).toEqual(ships)
  })
})

describe('columns and cursors', () => {
  it('read, write, index and heap lead to the same numbers', () => {
    const world = watchedWorld()
    const { first } = capacitiesOf(Mixed)
    const ships = Array.from({ length: first + 10 }, (_, i) =>
      world.spawn(Mixed({ small: i % 256, wide: i / 3, middle: 5 - i, m: [i, i + 1, i + 2] })),
    )
    for (const chunk of world.query(Mixed)) {
      const view = chunk.read(Mixed)
      expect(chunk.write(Mixed)).toBe(view)
      expect(view.small).toBeInstanceOf(Uint8Array)
      expect(view.wide).toBeInstanceOf(Float64Array)
      expect(view.middle).toBeInstanceOf(Int16Array)
      expect(view.m).toBeInstanceOf(Float32Array)
      const { heap } = chunk
      const [small, wide, middle, m] = (['small', 'wide', 'middle', 'm'] as const).map((field) =>
        chunk.index(Mixed, field),
      )
      for (let i = chunk.start; i < chunk.end; i++) {
        const k = ships.indexOf(chunk.entities[i])
        expect([view.small[i], view.wide[i], view.middle[i], view.m[i * 3 + 2]]).toEqual([
          k % 256,
          k / 3,
          5 - k,
          k + 2,
        ])
        expect(heap.u8[small + i]).toBe(view.small[i])
        expect(heap.f64[wide + i]).toBe(view.wide[i])
        expect(heap.i16[middle + i]).toBe(view.middle[i])
        expect(heap.f32[m + i * 3 + 2]).toBe(view.m[i * 3 + 2])
      }
      heap.f64[wide + chunk.start] = -1
      expect(view.wide[chunk.start]).toBe(-1)
      chunk.markChanged(Mixed)
    }
    expect(world.get(ships[0], Mixed)?.wide).toBe(-1)
  })

  it('every column of a chunk starts at a multiple of 16 bytes and has as many rows as the handles', () => {
    const world = watchedWorld()
    spawnMany(world, 3_000, [Mixed, Position, Frozen])
    for (const chunk of world.query(Mixed, Position)) {
      const rows = chunk.entities.length
      const { small, wide, middle, m } = chunk.read(Mixed)
      const { x, y } = chunk.read(Position)
      for (const column of [chunk.entities, small, wide, middle, x, y]) {
        const { byteOffset, length } = column as unknown as Uint8Array
        expect(byteOffset % 16).toBe(0)
        expect(length).toBe(rows)
      }
      expect(m.length).toBe(rows * 3)
    }
  })

  it('an optional column is undefined where the archetype lacks it, and index is -1 there', () => {
    const world = watchedWorld()
    world.spawn(Position)
    world.spawn(Position, Velocity({ x: 5 }))
    const met = new Map<boolean, number>()
    for (const chunk of world.query(Position, optional(Velocity))) {
      const velocity = chunk.read(Velocity)
      met.set(velocity !== undefined, chunk.end - chunk.start)
      expect(chunk.write(Velocity)).toBe(velocity)
      if (velocity === undefined) {
        expect(chunk.index(Velocity, 'x')).toBe(-1)
        expect(chunk.cursor(Velocity).at(chunk.start)).toBeUndefined()
        chunk.markChanged(Velocity)
      } else {
        expect(velocity.x[chunk.start]).toBe(5)
        expect(chunk.heap.f32[chunk.index(Velocity, 'x') + chunk.start]).toBe(5)
        expect(chunk.cursor(Velocity).at(chunk.start)?.x).toBe(5)
      }
    }
    expect(Object.fromEntries(met)).toEqual({ true: 1, false: 1 })
  })

  it('beside a table component, sparse ones are cursors; read and write of them name the cursor', () => {
    const world = watchedWorld()
    world.spawn(Position, Health({ hp: 3 }), Armour({ points: 4 }))
    for (const chunk of world.query(Position, Health, optional(Armour), optional(Shield))) {
      for (const pooled of [Health, Armour, Shield]) {
        for (const wrong of ['read', 'write', 'markChanged'] as const) {
          const call = () => (chunk[wrong] as (c: unknown) => unknown)(pooled)
          expect(call).toThrow(
            expect.objectContaining({
              code: 'NOT_A_COLUMN',
              message: expect.stringContaining('cursor') as string,
            }),
          )
          expect(call).toThrow(TypeError)
        }
        expect(() => (chunk.index as (c: unknown, f: string) => number)(pooled, 'hp')).toThrow(/cursor/)
      }
      expect(chunk.cursor(Health).at(chunk.start).hp).toBe(3)
      expect(chunk.cursor(Armour).at(chunk.start)?.points).toBe(4)
      expect(chunk.cursor(Shield).at(chunk.start)).toBeUndefined()
      const health = chunk.cursor(Health)
      expect(chunk.cursor(Health)).toBe(health)
      health.at(chunk.start).hp = 9
      expect(chunk.cursor(Position).at(chunk.start).x).toBe(0)
    }
    expect(world.get(world.query(Health).single(), Health)).toEqual({ hp: 9 })
  })

  it.each([
    { name: 'alone', terms: [] as Term[] },
    { name: 'beside a tag', terms: [Frozen] as Term[] },
    { name: 'with what must not be there', terms: [not(Shield), not(Velocity)] as Term[] },
    { name: 'with an optional one', terms: [optional(Position), optional(Armour)] as Term[] },
  ])('one sparse component $name is walked as a column of its pool', ({ terms }) => {
    const world = watchedWorld()
    for (let i = 0; i < 5_000; i++)
      world.spawn(Position({ x: i }), Health({ hp: i }), Armour({ points: i }), Frozen)
    const query = world.query(Health, ...terms) as unknown as Query<readonly [typeof Health]>
    let rows = 0
    for (const chunk of query) {
      const { hp } = chunk.write(Health)
      for (let i = chunk.start; i < chunk.end; i++) {
        expect(hp[i]).toBe(rows++)
        expect(chunk.entities[i]).toBe(world.query(Health).entities()[rows - 1])
        hp[i] += 1
        if (rows > 3) break
      }
      if (rows > 3) break
    }
    expect(rows).toBe(4)
    expect(query.count).toBe(5_000)
  })

  it("an optional component beside a pool's column is reached by cursor, in any storage", () => {
    const world = watchedWorld()
    world.spawn(Health({ hp: 1 }))
    world.spawn(Health({ hp: 2 }), Position({ x: 2 }))
    world.spawn(Health({ hp: 3 }), Armour({ points: 3 }))
    for (const chunk of world.query(Health, optional(Position), optional(Armour))) {
      const { hp } = chunk.read(Health)
      expect(() => (chunk.read as (c: unknown) => unknown)(Position)).toThrow(/cursor/)
      for (let i = chunk.start; i < chunk.end; i++) {
        expect(chunk.cursor(Position).at(i)?.x).toBe(hp[i] === 2 ? 2 : undefined)
        expect(chunk.cursor(Armour).at(i)?.points).toBe(hp[i] === 3 ? 3 : undefined)
      }
    }
  })

  it('of several sparse components and no table component, all are cursors', () => {
    const world = watchedWorld()
    for (let i = 0; i < 100; i++) {
      if (i % 2) world.spawn(Health({ hp: i }))
      else world.spawn(Shield({ power: i }), Health({ hp: i }))
    }
    let rows = 0
    for (const chunk of world.query(Health, Shield)) {
      expect(() => (chunk.read as (c: unknown) => unknown)(Health)).toThrow(/cursor\(Health\)/)
      const [health, shield] = [chunk.cursor(Health), chunk.cursor(Shield)]
      for (let i = chunk.start; i < chunk.end; i++) {
        rows++
        expect(health.at(i).hp).toBe(shield.at(i).power)
        expect(world.get(chunk.entities[i], Health)).toEqual({ hp: health.at(i).hp })
      }
    }
    expect(rows).toBe(50)
  })

  it('a component without fields acts as a tag: it filters and has no data', () => {
    const world = watchedWorld()
    const ship = world.spawn(Position, Marker)
    world.spawn(Position)
    expect(world.query(Position, Marker).single()).toBe(ship)
    world.query(Marker, Position).each((_, position) => expect(position.x).toBe(0))
    for (const chunk of world.query(Position, Marker)) {
      expect(() => (chunk.read as (c: unknown) => unknown)(Marker)).toThrow(TypeError)
    }
  })

  it('reading a component outside the query, or an unknown field, throws an error that names it', () => {
    const world = watchedWorld()
    world.spawn(Position, Velocity)
    for (const chunk of world.query(Position)) {
      const loose = chunk as unknown as Record<string, (c: unknown, f?: string) => unknown>
      for (const call of ['read', 'write', 'markChanged', 'cursor', 'index']) {
        expect(() => loose[call](Velocity, 'x')).toThrow(/Velocity/)
        expect(() => loose[call](Velocity, 'x')).toThrow(expect.objectContaining({ code: 'NOT_A_COLUMN' }))
        expect(() => loose[call](undefined, 'x')).toThrow(TypeError)
      }
      expect(() => loose.index(Position, 'z')).toThrow(/Position.*'z'/)
    }
  })

  it('views of a chunk that was relabelled by a tag are still its columns', () => {
    const world = watchedWorld()
    spawnMany(world, 5_000, [Position, Velocity])
    const query = world.query(Position)
    let before = 0
    for (const chunk of query) {
      const { x } = chunk.write(Position)
      for (let i = chunk.start; i < chunk.end; i++) x[i] = before++
    }
    addMany(world.query(Velocity), Frozen)
    let after = 0
    for (const chunk of world.query(Position, Frozen)) {
      const { x } = chunk.read(Position)
      for (let i = chunk.start; i < chunk.end; i++) after += x[i]
    }
    expect(after).toBe((4_999 * 5_000) / 2)
  })

  it('a chunk that is freed and reused by another archetype gives the new columns', () => {
    const world = watchedWorld()
    const query = world.query(optional(Position), optional(Mixed), optional(Velocity))
    for (let round = 0; round < 6; round++) {
      spawnMany(world, 3_000, round % 2 ? [Position, Velocity] : [Mixed])
      for (const chunk of query) {
        const position = chunk.read(Position)
        const mixed = chunk.read(Mixed)
        expect(position === undefined).toBe(round % 2 === 0)
        expect(mixed === undefined).toBe(round % 2 === 1)
        for (let i = chunk.start; i < chunk.end; i++) {
          expect(position === undefined ? mixed?.wide[i] : position.x[i]).toBe(0)
        }
        const written = chunk.write(Position)
        written?.x.fill(9, chunk.start, chunk.end)
        chunk.write(Mixed)?.wide.fill(9, chunk.start, chunk.end)
      }
      destroyMany(world.query())
    }
  })
})
